package toolparse_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/toolparse/toolparse"
)

const module = "github.com/toolparse/toolparse"

// arrows are the imports that ARCHITECTURE.md allows to the packages that users
// see, beside the standard library. "" is the root.
var arrows = map[string][]string{
	"":            {},
	"parser":      {"", "internal/jsonstream", "internal/near", "internal/schema", "internal/utf8cut"},
	"adapter":     {"", "parser", "internal/jsonstream", "internal/near", "internal/schema"},
	"format":      {"", "format/...", "internal/utf8cut", "golang.org/x/net/html/..."},
	"format/text": {"", "parser", "internal/plainyaml", "internal/schema"},
	"format/chat": {""},
	"manifest": {
		"", "parser", "format/...", "internal/near", "internal/schema", "internal/toolfile", "manifest/internal/...",
		"github.com/google/jsonschema-go/jsonschema",
	},
	"manifest/grammar":          {"", "parser", "format/chat", "format/text", "manifest", "internal/plainyaml"},
	"manifest/history":          {"", "parser", "format/chat", "format/text", "manifest/internal/..."},
	"manifest/internal/neutral": {"", "parser", "internal/schema"},
	"internal/near":             {},
	"internal/plainyaml":        {},
	"internal/utf8cut":          {},
	"internal/jsonstream":       {""},
	"internal/schema":           {"", "internal/jsonstream", "internal/near"},
}

// TestArrows fails on an import against the way of the data.
func TestArrows(t *testing.T) {
	for folder, allowed := range arrows {
		if folder == "format" {
			folder = "format/..."
			allowed = append(allowed, "github.com/buger/jsonparser")
		}
		for file, imports := range importsOf(t, folder) {
			if own := path.Dir(filepath.ToSlash(file)); own != strings.TrimSuffix(folder, "/...") && arrows[own] != nil {
				continue // it has a line of its own
			}
			for _, imported := range imports {
				if !allows(allowed, imported) {
					t.Errorf("%s must not import %s: see ARCHITECTURE.md", file, imported)
				}
			}
		}
	}
}

// importsOf lists what the files of a folder import, the standard library and
// tests aside. With /... those below it count too.
func importsOf(t *testing.T, folder string) map[string][]string {
	t.Helper()
	root, deep := strings.CutSuffix(folder, "/...")
	if root == "" {
		root = "."
	}
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && file != root && (!deep || strings.HasSuffix(file, "test")) { // helpers of tests
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") {
				found[file] = append(found[file], imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func allows(allowed []string, imported string) bool {
	return slices.ContainsFunc(allowed, func(pattern string) bool {
		if first, _, _ := strings.Cut(pattern, "/"); !strings.Contains(first, ".") {
			pattern = path.Join(module, pattern)
		}
		if root, deep := strings.CutSuffix(pattern, "/..."); deep {
			return imported == root || strings.HasPrefix(imported, root+"/")
		}
		return imported == pattern
	})
}

// TestEventSize holds the size that ARCHITECTURE.md promises: events are
// written for every chunk.
func TestEventSize(t *testing.T) {
	if size := unsafe.Sizeof(toolparse.Event{}); size >= 100 {
		t.Errorf("an Event has %d bytes", size)
	}
}
