//go:build !amd64

package bytescan

// HasBlocks says whether there are block functions.
const HasBlocks = false

// Without the block functions, all goes by words.

func unescapeBlocks(_, _ []byte, _ *[256]byte) (wrote, read int) { return 0, 0 }

func escapeBlocks(_ []byte, _ string, _ *[256]byte) (wrote, read int) { return 0, 0 }

func escapedBlocks(_ string, _ *[256]byte) (read int) { return 0 }

func asciiBlocks(_ string) (read int) { return 0 }

func findBlocks(_ string, _ *[8][16]byte, _ bool) int { panic("no blocks") }
