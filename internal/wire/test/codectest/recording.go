package codectest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folders are those of recorded streams; those of real servers are next to the project, and not part
// of it.
var folders = [...]string{"../../../testdata/streams", "../../../../shared/streams"}

// Recording is a recorded body.
type Recording struct {
	Name string
	Body []byte
}

// Recordings returns the recordings whose file names match, in the package of a wire.
func Recordings(t testing.TB, patterns ...string) (list []Recording) {
	t.Helper()
	for _, folder := range folders {
		for _, pattern := range patterns {
			list = append(list, glob(t, filepath.Join(folder, pattern))...)
		}
	}
	return list
}

// Requests returns requests that a server answered, or nothing if they are not available.
func Requests(t testing.TB, pattern string) []Recording {
	t.Helper()
	return glob(t, filepath.Join(folders[1], "requests", pattern))
}

// Bodies returns the bodies of recordings, followed by others.
func Bodies(recorded []Recording, more ...string) (bodies []string) {
	for _, r := range recorded {
		bodies = append(bodies, string(r.Body))
	}
	return append(bodies, more...)
}

func glob(t testing.TB, pattern string) (list []Recording) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.IsDir() || strings.HasSuffix(file, ".expect.json") || strings.HasSuffix(file, ".md") {
			continue
		}
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Recording{filepath.Base(file), body})
	}
	return list
}
