package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Read returns the content of a file that this program also writes with [Write], which would
// replace a pipe or a device: it refuses those, without waiting for them. It fails, and reads
// no further, if there are more than max bytes.
func Read(path string, max int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	failed := func(why error) ([]byte, error) { return nil, &fs.PathError{Op: "read", Path: path, Err: why} }
	if !info.Mode().IsRegular() {
		return failed(errors.New("it is no regular file"))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, max+1))
	if err == nil && int64(len(text)) > max {
		return failed(fmt.Errorf("it has more than %d bytes", max))
	}
	return text, err
}
