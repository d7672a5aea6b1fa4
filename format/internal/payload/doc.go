// Package payload reads the JSON of provider events: fields are picked out of
// data that were first checked to be valid, by exact case, the last of equal
// keys counting, and without making a tree.
package payload
