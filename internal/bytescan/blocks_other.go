//go:build !amd64

package bytescan

// Without the block functions, all goes by words.

func unescapeBlocks(_, _ []byte, _ *[256]byte) (wrote, read int) { return 0, 0 }

func escapeBlocks(_ []byte, _ string, _ *[256]byte) (wrote, read int) { return 0, 0 }

func escapedBlocks(_ string, _ *[256]byte) (read int) { return 0 }

func asciiBlocks(_ string) (read int) { return 0 }
