package bytescan

// HasBlocks says whether there are block functions.
const HasBlocks = true

// The first three functions do as [Unescape], [Escape] and [EscapedEnd] from the front, and stop
// where a block or what it becomes might not fit. All lengths are at least longRun, but for
// findBlocks.

//go:noescape
func unescapeBlocks(out, data []byte, meanings *[256]byte) (wrote, read int)

//go:noescape
func escapeBlocks(out []byte, s string, letters *[256]byte) (wrote, read int)

//go:noescape
func escapedBlocks(s string, meanings *[256]byte) (read int)

// asciiBlocks returns the length of the blocks that s begins with whose bytes are below 0x7F.
//
//go:noescape
func asciiBlocks(s string) (read int)

// findBlocks returns the offset of the first of eight bytes in s, or len(s). Each of them is
// there 16 times. Without many, only the first four count. The length of s is at least 16.
//
//go:noescape
func findBlocks(s string, bytes *[8][16]byte, many bool) int
