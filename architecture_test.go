package toolparse_test

import (
	"go/ast"
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

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/toolcall"
)

const module = "github.com/toolparse/toolparse"

// arrows lists the imports that ARCHITECTURE.md allows to packages, besides the standard
// library. "" is the root.
var arrows = map[string][]string{
	"toolcall":           {"internal/printable", "internal/jsonvalue", "internal/strictjson"},
	"dialect":            {"internal/lex", "internal/near"},
	"parser":             {"toolcall", "dialect", "internal/bytescan", "internal/collect", "internal/syntax/...", "internal/jsonstream", "internal/jsonvalue", "internal/lex", "internal/printable", "internal/schema"},
	"gateway":            {"", "toolcall", "dialect", "adapter", "format", "format/chat", "manifest", "manifest/grammar", "internal/jsonvalue", "internal/modelhttp", "internal/printable", "internal/recent", "internal/schema", "gateway/store", "internal/view", "github.com/prometheus/client_golang/..."},
	"gateway/configfile": {"format", "gateway", "dialect", "github.com/pelletier/go-toml/v2"},
	"gateway/store":      {"format/chat", "go.etcd.io/bbolt", "go.etcd.io/bbolt/errors"},
	"adapter":            {"toolcall", "parser", "internal/collect", "internal/jsonstream", "internal/jsonvalue", "internal/near", "internal/schema", "internal/strictjson"},
	"format":             {"toolcall", "format/...", "internal/bytescan", "internal/jsonindex", "internal/jsonstream", "internal/jsonvalue", "internal/schema", "internal/printable", "internal/strictjson", "internal/wholebody", "golang.org/x/net/html/..."},
	"format/text":        {"toolcall", "dialect", "parser", "internal/collect", "internal/jsonvalue", "internal/schema", "internal/syntax/..."},
	"format/chat":        {"toolcall", "internal/recent"},
	"manifest": {
		"toolcall", "dialect", "parser", "format/...", "internal/collect", "internal/jsonvalue", "internal/lex", "internal/schema", "internal/toolfile", "manifest/internal/...",
		"github.com/google/jsonschema-go/jsonschema",
	},
	"manifest/grammar":             {"toolcall", "dialect", "parser", "format/chat", "format/text", "manifest/internal/toolset", "internal/jsonvalue", "internal/lex", "internal/plainyaml", "internal/schema", "internal/syntax/..."},
	"manifest/internal/toolset":    {"toolcall", "dialect", "format/chat", "format/text", "internal/jsonvalue", "internal/near", "internal/schema"},
	"manifest/history":             {"toolcall", "dialect", "format/chat", "format/text", "manifest/internal/...", "internal/jsonvalue", "internal/schema"},
	"manifest/internal/neutralize": {"toolcall", "dialect", "parser", "internal/jsonvalue", "internal/schema"},
	"agent": {
		"", "toolcall", "adapter", "parser", "format/chat", "manifest", "internal/jsonvalue", "internal/near", "internal/printable", "internal/schema", "internal/atomicfile",
		"github.com/bmatcuk/doublestar/v4", "github.com/cenkalti/backoff/v5", "mvdan.cc/sh/v3/syntax",
	},
	"agent/definition": {},
	"agent/provider":   {"", "agent", "format", "format/chat", "dialect", "internal/modelhttp", "internal/printable"},
	"agent/mcp": {
		"", "agent", "toolcall", "parser", "format", "format/chat", "internal/jsonvalue", "internal/near", "internal/printable", "internal/procgroup", "internal/schema",
		"github.com/cenkalti/backoff/v5", "github.com/modelcontextprotocol/go-sdk/jsonrpc", "github.com/modelcontextprotocol/go-sdk/mcp",
	},
	"internal/bytescan":   {},
	"internal/lex":        {},
	"internal/syntax/...": {"toolcall", "dialect", "internal/bytescan", "internal/jsonstream", "internal/jsonvalue", "internal/lex", "internal/plainyaml", "internal/schema", "internal/syntax/..."},
	"internal/view":       {"", "toolcall", "internal/printable"},
	"internal/collect":    {"toolcall", "internal/jsonvalue"},
	"internal/near":       {},
	"internal/plainyaml":  {},
	"internal/modelhttp":  {"format/chat"},
	"internal/printable":  {},
	"internal/procgroup":  {},
	"internal/atomicfile": {},
	"internal/strictjson": {"internal/bytescan", "internal/printable"},
	"internal/jsonindex":  {"internal/bytescan", "internal/jsonvalue", "internal/strictjson"},
	"internal/jsonstream": {"toolcall", "internal/bytescan", "internal/jsonvalue", "internal/lex", "internal/strictjson"},
	"internal/jsonvalue":  {"internal/bytescan", "internal/strictjson"},
	"internal/wholebody":  {"internal/jsonindex"},
	"internal/schema":     {"toolcall", "internal/jsonstream", "internal/jsonvalue", "internal/lex", "internal/near"},
}

// TestArrows fails on an import that arrows does not list.
func TestArrows(t *testing.T) {
	for folder, allowed := range arrows {
		if folder == "format" {
			folder = "format/..."
		}
		for file, imports := range importsOf(t, folder) {
			if own := path.Dir(filepath.ToSlash(file)); own != strings.TrimSuffix(folder, "/...") && arrows[own] != nil {
				continue // it has its own entry
			}
			for _, imported := range imports {
				if !allows(allowed, imported) {
					t.Errorf("%s must not import %s: see ARCHITECTURE.md", file, imported)
				}
			}
		}
	}
}

// importsOf returns what the files of a folder import, without the standard library and
// without tests. With /... it includes the folders below.
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

// sharedNames are names of dialects that code may compare, because they are also names
// of a wire, a provider or a language.
var sharedNames = []string{"openai", "anthropic", "mistral", "python"}

// notProduct are folders whose code may know dialects: streamgen writes streams for
// tests, on purpose without the rows that it tests.
var notProduct = []string{"testdata", "internal/streamgen"}

// TestNoDialectNames fails if code compares the name of a dialect. What distinguishes
// one is a column of its row, so that a renamed copy of a row means the same.
func TestNoDialectNames(t *testing.T) {
	names := map[string]bool{}
	for _, d := range dialect.All() {
		for _, name := range append([]string{d.Name}, d.Aliases...) {
			names[name] = !slices.Contains(sharedNames, name)
			for i, c := range name { // "json-" is the name of several
				if c == '-' || c == '_' {
					names[name[:i+1]] = true
				}
			}
		}
	}
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		folder, base := filepath.Split(filepath.ToSlash(file))
		if entry.IsDir() && (slices.Contains(notProduct, filepath.ToSlash(file)) || strings.HasPrefix(base, ".") && base != ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") || folder == "parser/" && strings.HasPrefix(base, "table_") {
			return nil
		}
		source, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, text := range compared(source) {
			if name, err := strconv.Unquote(text.Value); err == nil && names[name] {
				t.Errorf("%s: compares the name of the dialect %s", files.Position(text.Pos()), name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// compared returns the string literals of a file with which something is compared: by
// an operator, in a case, as an argument of a function of package strings or slices, or
// as the key of a map.
func compared(file *ast.File) []*ast.BasicLit {
	var list []*ast.BasicLit
	add := func(of ...ast.Expr) {
		for _, e := range of {
			ast.Inspect(e, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if n.Kind == token.STRING {
						list = append(list, n)
					}
				case *ast.CallExpr, *ast.KeyValueExpr: // visited on their own
					return false
				}
				return true
			})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				add(n.X, n.Y)
			}
		case *ast.CaseClause:
			add(n.List...)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok {
				if of, ok := f.X.(*ast.Ident); ok && (of.Name == "strings" || of.Name == "slices") {
					add(n.Args...)
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.BasicLit); ok {
				add(key)
			}
		}
		return true
	})
	return list
}

// TestCompared checks that compared finds each way to compare a name.
func TestCompared(t *testing.T) {
	source, err := parser.ParseFile(token.NewFileSet(), "", `package p
		func f(n string) bool {
			switch n { case "a", "b": }
			_ = map[string]int{"c": 1}
			_ = slices.Contains([]string{"d"}, n) || strings.HasPrefix(n, "e")
			g("no")
			x := "no"
			return n == "f" || n != "g"
		}`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for _, text := range compared(source) {
		got += strings.Trim(text.Value, `"`)
	}
	if got != "abcdefg" && got != "abcdegf" {
		t.Errorf("found %q", got)
	}
}

// TestEventSize bounds the size of an Event, because one is written for every chunk.
func TestEventSize(t *testing.T) {
	if size := unsafe.Sizeof(toolcall.Event{}); size >= 100 {
		t.Errorf("an Event has %d bytes", size)
	}
}

// ofProviders are the files that compare the names of providers, as users type them.
// Some providers are named like a wire.
var ofProviders = []string{"dialect/table.go", "manifest/provider.go", "manifest/readback.go"}

// TestNoWireNames fails if code compares the name of a wire. What distinguishes one is
// in its package and its row (format/internal/features/wire.go), so that adding a wire
// touches no switch elsewhere.
func TestNoWireNames(t *testing.T) {
	names := map[string]bool{}
	for _, w := range format.Wires() {
		names[string(w)] = true
	}
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := filepath.Base(file)
		if entry.IsDir() && (base == "testdata" || strings.HasPrefix(base, ".") && base != ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") || slices.Contains(ofProviders, filepath.ToSlash(file)) {
			return nil
		}
		parsed, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		check := func(compared ...ast.Expr) {
			for _, e := range compared {
				if named := wireNamed(e, names); named != "" {
					t.Errorf("%s: compares the name of the wire %s", files.Position(e.Pos()), named)
				}
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					check(n.X, n.Y)
				}
			case *ast.CaseClause:
				check(n.List...)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wireNamed returns the wire that an expression names, by a literal or by a constant of
// package format.
func wireNamed(e ast.Expr, names map[string]bool) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if name, err := strconv.Unquote(e.Value); err == nil && names[name] {
			return name
		}
	case *ast.SelectorExpr:
		if of, ok := e.X.(*ast.Ident); ok && of.Name == "format" && names[strings.ToLower(e.Sel.Name)] {
			return e.Sel.Name
		}
	case *ast.Ident:
		if names[strings.ToLower(e.Name)] && e.IsExported() {
			return e.Name
		}
	}
	return ""
}

// forTests are packages that generate input for tests and benchmarks.
var forTests = []string{"internal/benchtext", "internal/streamgen"}

// TestForTests fails if the program links a package that only tests need.
func TestForTests(t *testing.T) {
	for file, imports := range importsOf(t, "/...") {
		for _, imported := range imports {
			if slices.Contains(forTests, strings.TrimPrefix(imported, module+"/")) {
				t.Errorf("%s imports %s, which only tests may", file, imported)
			}
		}
	}
}
