package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "file")
	for _, text := range []string{"long enough", "", "short"} {
		if err := Write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
	}
	if runtime.GOOS == "windows" {
		return // without modes, and without links for everybody
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("through a link")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "through a link" {
		t.Errorf("%q, %v", got, err)
	}
	if err := Write(dir, nil); err == nil {
		t.Error("a directory was overwritten")
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if _, err := Read(path, 4); !os.IsNotExist(err) {
		t.Errorf("a missing file: %v", err)
	}
	if err := Write(path, []byte("four")); err != nil {
		t.Fatal(err)
	}
	for max, ok := range map[int64]bool{3: false, 4: true, 5: true} {
		if text, err := Read(path, max); (err == nil && string(text) == "four") != ok {
			t.Errorf("up to %d bytes: %q, %v", max, text, err)
		}
	}
	if _, err := os.Stat("/dev/zero"); err == nil { // a device without an end
		if _, err := Read("/dev/zero", 1000); err == nil {
			t.Error("no error from /dev/zero")
		}
	}
}
