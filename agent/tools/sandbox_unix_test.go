//go:build unix

package tools_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/toolparse/toolparse/agent"
)

// Every tool rejects FIFOs, sockets and devices without blocking.
func TestSpecialFiles(t *testing.T) {
	w := within(t, map[string]string{"own": "mine", "d/x": "hit\n"})
	special := []string{"fifo", "socket", "d/fifo"}
	for _, name := range []string{"fifo", "d/fifo", ".gitignore"} { // every search reads the last one
		if err := syscall.Mkfifo(filepath.Join(w.dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("unix", filepath.Join(w.dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Symlink("fifo", filepath.Join(w.dir, "link")); err != nil {
		t.Fatal(err)
	}
	special = append(special, "link")
	if err := syscall.Mknod(filepath.Join(w.dir, "zero"), syscall.S_IFCHR|0o666, 1<<8|5); err == nil {
		special = append(special, "zero")
	} else {
		t.Log("no device can be made here:", err)
	}
	for _, name := range special {
		for tool, in := range attempts(name) {
			switch tool {
			case "delete_file", "move_file", "chmod": // these change only the name
				continue
			}
			if result, err := w.use(tool, in); err == nil {
				t.Errorf("%s %v: %+v", tool, in, result)
			}
		}
	}
	if got := w.good("search", args{"pattern": "hit"}).Output; !strings.HasPrefix(got, "d/x:1: hit\n") {
		t.Errorf("%q", got)
	}
	for _, tool := range []string{"find_files", "list_files", "tree"} {
		if got := w.good(tool, map[string]args{"find_files": {"pattern": "*"}}[tool]).Output; !strings.Contains(got, "fifo\n") {
			t.Errorf("%s: %q", tool, got)
		}
	}
	if e := w.bad("read_file", args{"path": "fifo"}, agent.Resource); !strings.Contains(e.Message, "is a FIFO, not a file") {
		t.Errorf("%v", e)
	}
	w.good("delete_file", args{"path": "fifo"})
}

// A file that becomes a FIFO between the check and the opening does not block.
func TestFIFOMidFlight(t *testing.T) {
	w := within(t, map[string]string{"own": "mine"})
	at, fifo, file := filepath.Join(w.dir, "x"), filepath.Join(w.dir, "fifo"), filepath.Join(w.dir, "file")
	if err := syscall.Mkfifo(fifo, 0o644); err != nil {
		t.Fatal(err)
	}
	put(t, file, "hit\n")
	stop := meanwhile(func() {
		os.Rename(fifo, at)
		os.Rename(at, fifo)
		os.Rename(file, at)
		os.Rename(at, file)
	})
	rounds := 500
	if testing.Short() {
		rounds = 100
	}
	for range rounds {
		for _, tool := range []string{"read_file", "search", "list_files", "ls"} {
			w.use(tool, attempts("x")[tool]) // must return
		}
	}
	stop()
}
