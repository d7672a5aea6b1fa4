package toolparse_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

const module = "github.com/toolparse/toolparse"

// layers reads the table of packages in ARCHITECTURE.md: the folders of each row; the root is
// "". A package stands for the folders below it, too, unless they have a row.
func layers(t *testing.T) [][]string {
	t.Helper()
	var list [][]string
	for _, cells := range tableRows(t, "| package |") {
		if strings.Contains(cells[0], "module of its own") {
			continue
		}
		var packages []string
		for _, name := range codeIn(cells[0]) {
			switch {
			case name == "toolparse":
				name = ""
			case len(packages) > 0 && !strings.Contains(name, "/"): // beside the first
				name = path.Join(path.Dir(packages[0]), name)
			}
			packages = append(packages, name)
		}
		list = append(list, packages)
	}
	return list
}

// tableRows returns the cells of the rows of the table in ARCHITECTURE.md that begins with
// head.
func tableRows(t *testing.T, head string) (rows [][]string) {
	t.Helper()
	document, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(document), "\n"+head)
	if !found {
		t.Fatalf("ARCHITECTURE.md has no table that begins with %q", head)
	}
	for _, line := range strings.Split(table, "\n")[2:] {
		if !strings.HasPrefix(line, "|") {
			break
		}
		rows = append(rows, strings.Split(strings.Trim(line, "| "), " | "))
	}
	return rows
}

// codeIn returns the text between backticks.
func codeIn(text string) (list []string) {
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			list = append(list, part)
		}
	}
	return list
}

// layerOf returns the number of the layer of a package, or -1.
func layerOf(list [][]string, folder string) int {
	for {
		if at := slices.IndexFunc(list, func(packages []string) bool { return slices.Contains(packages, folder) }); at >= 0 || folder == "" {
			return at
		}
		if folder = path.Dir(folder); folder == "." {
			return -1
		}
	}
}

// TestArrows checks the table of packages in ARCHITECTURE.md: every package has a row, and
// imports only from rows below.
func TestArrows(t *testing.T) {
	list := layers(t)
	for file, imported := range importsOf(t, "/...") {
		at := layerOf(list, strings.TrimPrefix(path.Dir(filepath.ToSlash(file)), "."))
		if at < 0 {
			t.Errorf("%s: its package has no row in ARCHITECTURE.md", file)
			continue
		}
		for _, name := range imported {
			own, ok := strings.CutPrefix(name+"/", module+"/")
			if !ok {
				continue
			}
			if from := layerOf(list, strings.TrimSuffix(own, "/")); from < at {
				t.Errorf("%s imports %s, which is above it in ARCHITECTURE.md", file, name)
			}
		}
	}
}

// TestDependencies checks the table of dependencies in ARCHITECTURE.md: it has all modules
// that go.mod requires, and the packages that import one are among those that its row names.
func TestDependencies(t *testing.T) {
	users := map[string][]string{} // by module
	for _, cells := range tableRows(t, "| module |") {
		of := ""
		for name := range strings.SplitSeq(cells[0], ", ") {
			if !strings.Contains(name, "/") { // beside the first
				name = path.Join(path.Dir(of), name)
			}
			of = name
			users[name] = codeIn(cells[1])
		}
	}
	row := func(imported string) string {
		for name := range users {
			if imported == name || strings.HasPrefix(imported, name+"/") {
				return name
			}
		}
		return ""
	}
	for file, imports := range importsOf(t, "/...") {
		folder := path.Dir(filepath.ToSlash(file))
		for _, imported := range imports {
			if strings.HasPrefix(imported+"/", module+"/") {
				continue
			}
			name := row(imported)
			if name == "" {
				t.Errorf("%s imports %s, which is in no row of the table of dependencies", file, imported)
			} else if !slices.ContainsFunc(users[name], func(user string) bool { return folder == user || strings.HasPrefix(folder, user+"/") && user == "cmd" }) {
				t.Errorf("%s imports %s, which the table of dependencies does not say", file, imported)
			}
		}
	}
}

// TestNamedFiles fails if a document names a file or a folder that does not exist.
func TestNamedFiles(t *testing.T) {
	var document []byte
	for _, name := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "docs/decisions.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		document = append(document, text...)
	}
	var files []string
	err := filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		files = append(files, "/"+filepath.ToSlash(file))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, name := range codeIn(string(document)) {
		top, _, inFolder := strings.Cut(name, "/")
		if inFolder = inFolder && !strings.Contains(name, " ") && slices.Contains(files, "/"+top); inFolder {
			name = path.Clean(name)
		}
		if !inFolder && !strings.HasSuffix(name, ".go") || name == "*.go" || strings.Contains(name, "NAME") { // examples of an argument
			continue
		}
		named++
		depth := strings.Count(name, "/") + 1
		if !slices.ContainsFunc(files, func(file string) bool {
			parts := strings.Split(file, "/")
			ok, err := path.Match(name, path.Join(parts[max(0, len(parts)-depth):]...))
			return ok && err == nil
		}) {
			t.Errorf("a document names %s, which does not exist", name)
		}
	}
	if named < 50 {
		t.Errorf("found only %d names of files", named)
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
		if entry.IsDir() && file != root {
			_, err := os.Stat(filepath.Join(file, "go.mod"))
			if !deep || err == nil || strings.HasSuffix(file, "test") || strings.HasPrefix(entry.Name(), ".") { // another module, helpers of tests
				return fs.SkipDir
			}
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
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") || folder == "internal/dialect/" && strings.HasPrefix(base, "table_") {
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
var ofProviders = []string{"internal/dialect/table.go", "internal/manifest/provider.go", "internal/manifest/readback.go"}

// TestNoWireNames fails if code compares or chooses the name of a wire. What distinguishes
// one is in its package and its row (internal/wire/features/wire.go), so that adding a
// wire touches no switch elsewhere. A text that lists the wires must list all.
func TestNoWireNames(t *testing.T) {
	names := map[string]bool{}
	var listed string // the wires, as a sentence lists them
	for i, w := range format.Wires() {
		names[string(w)] = true
		switch i {
		case 0:
			listed = string(w)
		case len(format.Wires()) - 1:
			listed += " or " + string(w)
		default:
			listed += ", " + string(w)
		}
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
		recognises := slices.Contains([]string{"format", "internal/wire/sniff"}, filepath.ToSlash(filepath.Dir(file)))
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
			case *ast.ReturnStmt: // in what recognises wires
				if recognises {
					check(n.Results...)
				}
			case *ast.AssignStmt:
				if recognises {
					check(n.Rhs...)
				}
			case *ast.BasicLit:
				if strings.Contains(n.Value, listed[len(listed)-10:]) && !strings.Contains(n.Value, listed) {
					t.Errorf("%s: lists the wires, but not as %q", files.Position(n.Pos()), listed)
				}
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

// TestSyntaxFolders fails if a package imports the folder of one syntax of arguments, so
// that a new syntax needs only its folder and a line in package all. The machines of raw
// are also those of a segment's content.
func TestSyntaxFolders(t *testing.T) {
	const folders = module + "/internal/syntax/"
	for file, imports := range importsOf(t, "/...") {
		file = filepath.ToSlash(file)
		for _, imported := range imports {
			name, ok := strings.CutPrefix(imported, folders)
			if ok && name != "all" && !strings.HasPrefix(file, "internal/syntax/") && !(name == "raw" && path.Dir(file) == "internal/parser") {
				t.Errorf("%s imports %s: only package all may", file, imported)
			}
		}
	}
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
