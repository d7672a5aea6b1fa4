package batch

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow limits the memory that a zstd file may request, to the same size as the zstd
// command.
const maxWindow = 128 << 20

// decompressed returns a reader for an input that may be compressed with gzip or zstd.
func decompressed(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReader(r) // large reads bypass it
	head, err := in.Peek(4)
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bufio.NewReaderSize(in, chunkBytes))
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return compressed{z, "gzip"}, nil
	case bytes.Equal(head, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		return compressed{z.IOReadCloser(), "zstd"}, nil
	}
	return io.NopCloser(in), nil
}

// compressed adds the compression format to errors.
type compressed struct {
	io.ReadCloser
	format string
}

func (c compressed) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: %w", c.format, err)
	}
	return n, err
}

var errNoFile = errors.New("not a regular file, so no run can continue it")

// Resume returns b for continuing an interrupted output: it removes an incomplete last line of
// f, and skips the records whose results f has already. It fails if the output is not a
// regular file, such as a device, which may have no end.
func (b *Batch) Resume(f *os.File) (*Batch, error) {
	done, err := results(f)
	return b.part("", done), err
}

// results returns the number of results in an output, and prepares it for appending.
func results(f *os.File) (records int64, err error) {
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return 0, cmp.Or(err, errNoFile)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	buf := make([]byte, 1<<20)
	size, whole := int64(0), int64(0)
	for {
		n, err := f.Read(buf)
		records += int64(bytes.Count(buf[:n], []byte("\n")))
		if last := bytes.LastIndexByte(buf[:n], '\n'); last >= 0 {
			whole = size + int64(last) + 1
		}
		size += int64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	if err := f.Truncate(whole); err != nil {
		return 0, err
	}
	_, err = f.Seek(whole, io.SeekStart)
	return records, err
}
