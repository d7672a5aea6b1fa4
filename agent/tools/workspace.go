package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/internal/near"
	"github.com/toolparse/toolparse/internal/printable"
)

// Limits for the file tools.
const (
	maxFile   = 10 << 20  // bytes of a file that is read or edited as a whole
	maxCopied = 256 << 20 // bytes of a file that is copied or appended to
)

// inside returns a path relative to the workspace, with slashes. [os.Root] checks that
// links do not leave the workspace.
func (s *Set) inside(name string) (string, error) {
	if name == "" {
		return ".", nil
	}
	if strings.ContainsRune(name, 0) {
		return "", agent.Failure(agent.Validation, "the path %q holds a zero byte", name)
	}
	rel := filepath.FromSlash(name)
	if filepath.IsAbs(rel) {
		absolute := rel
		for _, dir := range []string{s.Dir, s.real} { // programs print either
			var err error
			if rel, err = filepath.Rel(dir, absolute); err != nil {
				rel = ".."
			}
			if filepath.IsLocal(rel) {
				break
			}
		}
	}
	if rel = filepath.Clean(rel); !filepath.IsLocal(rel) {
		return "", advise(agent.Failure(agent.Permission, "%s is outside of the workspace", name),
			"Use a path in the workspace, "+s.Dir+".")
	}
	return filepath.ToSlash(rel), nil
}

// explain words an error of the file system, with its category and advice.
func (s *Set) explain(name string, err error) error {
	if err == nil {
		return nil
	}
	if typed, ok := errors.AsType[*agent.Error](err); ok {
		return typed
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var e *agent.Error
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e = agent.Failure(agent.NotFound, "%s does not exist", name)
		e.Action = s.nearest(name)
	case strings.Contains(err.Error(), "escapes"): // os.Root has no error value for it
		e = agent.Failure(agent.Permission, "%s leads out of the workspace", name)
	case errors.Is(err, fs.ErrPermission):
		e = agent.Failure(agent.Permission, "%s may not be used: %v", name, cause(err))
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.EINVAL):
		e = agent.Failure(agent.Validation, "%s cannot be used as a path: %v", printable.Short(name, 80), cause(err))
	default:
		e = agent.Failure(agent.Resource, "%s: %v", name, cause(err))
	}
	return e
}

// cause returns an error without the operation and path that package os adds, because
// these are the system's.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}

// advise returns an error that also tells the model what to do next.
func advise(e *agent.Error, action string) *agent.Error {
	e.Action = action
	return e
}

// nearest suggests existing names that are similar to a path that does not exist.
func (s *Set) nearest(name string) string {
	const fallback = "List the folder to see what there is."
	rel, err := s.inside(name)
	if err != nil {
		return fallback
	}
	entries, _, err := s.readDir(path.Dir(rel))
	if err != nil {
		return fallback
	}
	var names []string
	for _, e := range entries {
		names = append(names, path.Join(path.Dir(rel), e.Name()))
	}
	if found := near.Names(rel, names, 3); len(found) > 0 {
		return "Did you mean " + strings.Join(found, " or ") + "?"
	}
	return fallback
}

// notFiles are what may be at a path besides a regular file.
var notFiles = []struct {
	mode fs.FileMode
	name string
}{{fs.ModeDir, "a folder"}, {fs.ModeSymlink, "a link"}, {fs.ModeNamedPipe, "a FIFO"}, {fs.ModeSocket, "a socket"}, {fs.ModeDevice, "a device"}}

// kindOf describes what is at a path that is not a regular file.
func kindOf(mode fs.FileMode) string {
	for _, kind := range notFiles {
		if mode&kind.mode != 0 {
			return kind.name
		}
	}
	return "no regular file"
}

// open opens a regular file for reading. It never blocks, even if another process
// replaces the file by a FIFO.
func (s *Set) open(name string) (*os.File, fs.FileInfo, error) {
	rel, err := s.inside(name)
	if err != nil {
		return nil, nil, err
	}
	stat, err := s.root.Stat(rel) // before opening it, because opening a device may have effects
	if err != nil {
		return nil, nil, s.explain(name, err)
	}
	if !stat.Mode().IsRegular() {
		return nil, nil, agent.Failure(agent.Resource, "%s is %s, not a file", name, kindOf(stat.Mode()))
	}
	f, err := s.root.OpenFile(rel, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, s.explain(name, err)
	}
	if stat, err = f.Stat(); err == nil && !stat.Mode().IsRegular() {
		err = agent.Failure(agent.Resource, "%s is %s, not a file", name, kindOf(stat.Mode()))
	}
	if err != nil {
		f.Close()
		return nil, nil, s.explain(name, err)
	}
	return f, stat, nil
}

// readAll reads a whole file of at most maxFile bytes.
func (s *Set) readAll(ctx context.Context, name string) ([]byte, error) {
	f, stat, err := s.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if stat.Size() > maxFile {
		return nil, tooLarge(name, stat.Size(), maxFile)
	}
	text, err := io.ReadAll(io.LimitReader(&stoppable{ctx, f}, maxFile+1))
	if err != nil {
		return nil, s.explain(name, err)
	}
	if len(text) > maxFile { // the file has grown
		return nil, tooLarge(name, int64(len(text)), maxFile)
	}
	return text, nil
}

func tooLarge(name string, size, most int64) *agent.Error {
	return advise(agent.Failure(agent.Resource, "%s has %d bytes, more than the %d that fit", name, size, most),
		"Use a part of it: search it, or read a range of its lines.")
}

// stoppable stops reading when a context ends.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

func (r *stoppable) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// maxEntries limits the entries that are read from one folder.
const maxEntries = 50_000

// readDir reads a folder. cut reports that it has more entries.
func (s *Set) readDir(rel string) (entries []fs.DirEntry, cut bool, err error) {
	stat, err := s.root.Stat(rel)
	if err != nil {
		return nil, false, err
	}
	if !stat.IsDir() {
		return nil, false, agent.Failure(agent.Resource, "%s is a file, not a folder", rel)
	}
	f, err := s.root.OpenFile(rel, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	entries, err = f.ReadDir(maxEntries)
	if err != nil && err != io.EOF {
		return nil, false, err
	}
	if len(entries) == maxEntries {
		_, err := f.ReadDir(1)
		cut = err == nil
	}
	return entries, cut, nil
}

// changed returns the state change of a file or folder in the workspace.
func changed(kind string, rel string) agent.StateChange {
	return agent.StateChange{Type: kind, Path: rel}
}

// sized words a number of bytes.
func sized(n int64) string {
	for _, unit := range []struct {
		name string
		size float64
	}{{"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}} {
		if float64(n) >= unit.size {
			return fmt.Sprintf("%.1f %s", float64(n)/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}
