//go:build !unix

package tools

// nonblock is 0: opening a file never blocks on this system.
const nonblock = 0
