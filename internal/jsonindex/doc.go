// Package jsonindex reads the fields of JSON without building a tree. One pass over the
// bytes checks them and notes where each string and container ends, so that a walk passes
// any of them in one step, at any level and as often as it likes.
//
// Names of members are case-sensitive, and the last of several equal ones counts.
package jsonindex
