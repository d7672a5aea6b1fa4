// Package atomicfile writes files whole or not at all, and reads them up to a size.
package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Write puts data into the file at path, which only the user can read. Whoever reads the
// file, even after a crash, finds its old or its new content. A symbolic link at path stays,
// and its target is written. Directories that are missing are created.
func Write(path string, data []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	next, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*") // has mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(next.Name())
	_, err = next.Write(data)
	if err = errors.Join(err, next.Sync(), next.Close()); err != nil {
		return err
	}
	return os.Rename(next.Name(), path)
}
