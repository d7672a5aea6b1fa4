package tools

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/toolparse/toolparse/agent"
)

// target is a file to write.
type target struct {
	name   string      // as the model wrote it
	rel    string      // with links resolved
	before fs.FileInfo // nil if there is no such file
}

// target checks what is at the path of a file to write. If it is a link, the target is
// the file behind it, and the link stays.
func (s *Set) target(name string) (target, error) {
	rel, err := s.inside(name)
	if err != nil {
		return target{}, err
	}
	t := target{name: name, rel: rel}
	for range 40 {
		stat, err := s.root.Lstat(t.rel)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return t, nil
		case err != nil:
			return t, s.explain(name, err)
		case stat.Mode()&fs.ModeSymlink != 0:
			to, err := s.root.Readlink(t.rel)
			if err != nil {
				return t, s.explain(name, err)
			}
			next := path.Join(path.Dir(t.rel), to)
			if path.IsAbs(to) || !fs.ValidPath(next) {
				return t, agent.Failure(agent.Permission, "%s leads out of the workspace", name)
			}
			if behind, err := s.root.Stat(t.rel); err == nil { // a folder on the way may also be a link
				if there, err := s.root.Stat(next); err != nil || !os.SameFile(behind, there) {
					return t, agent.Failure(agent.Resource, "%s is a link through links; write the file that it leads to", name)
				}
			}
			t.rel = next
		case !stat.Mode().IsRegular():
			return t, agent.Failure(agent.Resource, "%s is %s, not a file", name, kindOf(stat.Mode()))
		case stat.Mode().Perm()&0o200 == 0:
			return t, agent.Failure(agent.Permission, "%s is read-only", name)
		default:
			t.before = stat
			return t, nil
		}
	}
	return t, agent.Failure(agent.Resource, "%s is a link that leads to itself", name)
}

// change returns the state change that writing the target makes.
func (t target) change() agent.StateChange {
	if t.before == nil {
		return changed("FileCreated", t.rel)
	}
	return changed("FileModified", t.rel)
}

// write atomically replaces the target by what fill writes: readers never see half of it,
// and a failure leaves no other file behind. It opens the folder once, so that nobody can
// replace the folder in between.
func (s *Set) write(t target, fill func(io.Writer) error) (err error) {
	folder, err := s.root.OpenRoot(path.Dir(t.rel))
	if err != nil {
		return s.explain(t.name, err)
	}
	defer folder.Close()
	perm := fs.FileMode(0o644)
	if t.before != nil {
		perm = t.before.Mode().Perm()
	}
	next := ".toolparse-" + rand.Text()
	f, err := folder.OpenFile(next, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
	if err != nil {
		return s.explain(t.name, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			err = errors.Join(s.explain(t.name, err), folder.Remove(next))
		}
	}()
	if err := fill(f); err != nil {
		return err
	}
	if t.before != nil { // regardless of the umask
		if err := f.Chmod(perm); err != nil {
			return err
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	if t.before != nil {
		return folder.Rename(next, path.Base(t.rel))
	}
	// A new file is linked into place, so that a file that was made in between is not
	// overwritten.
	if err := folder.Link(next, path.Base(t.rel)); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return agent.Failure(agent.Resource, "another process has made %s in the meantime", t.name)
		}
		return folder.Rename(next, path.Base(t.rel)) // a file system without hard links
	}
	return folder.Remove(next)
}

// writeText writes a text to a file, and returns the change.
func (s *Set) writeText(t target, text string) (agent.StateChange, error) {
	err := s.write(t, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	return t.change(), err
}

// makeFolders makes a folder with its parents, and returns those that did not exist.
func (s *Set) makeFolders(name, rel string) (created []agent.StateChange, err error) {
	if rel == "." {
		return nil, nil
	}
	stat, err := s.root.Stat(rel)
	switch {
	case err == nil && stat.IsDir():
		return nil, nil
	case err == nil:
		return nil, agent.Failure(agent.Resource, "%s is %s, not a folder", rel, kindOf(stat.Mode()))
	case !errors.Is(err, fs.ErrNotExist):
		return nil, s.explain(name, err)
	}
	if created, err = s.makeFolders(name, path.Dir(rel)); err != nil {
		return created, err
	}
	switch err := s.root.Mkdir(rel, 0o755); {
	case err == nil:
		created = append(created, changed("DirectoryCreated", rel))
	case !errors.Is(err, fs.ErrExist): // another process may have made it
		return created, s.explain(name, err)
	}
	return created, nil
}
