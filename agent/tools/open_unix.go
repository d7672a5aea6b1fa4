//go:build unix

package tools

import "syscall"

// nonblock makes opening a FIFO return without waiting for a writer.
const nonblock = syscall.O_NONBLOCK
