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
)

// notPublic are folders without public packages.
var notPublic = []string{"internal", "testdata", "cmd", "examples", "fuzz", "python", "bench", "clients", "otel"}

// publicFiles parses the files of all public packages, without tests.
func publicFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := filepath.Base(file); entry.IsDir() && (slices.Contains(notPublic, base) || strings.HasPrefix(base, ".") && base != ".") {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		files[filepath.ToSlash(file)], err = parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// exported calls visit for each exported name of a file, besides fields: with the expression
// that says what it is, which may be nil.
func exported(file *ast.File, visit func(name string, is ast.Expr)) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
				visit(d.Name.Name, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						visit(s.Name.Name, s.Type)
					}
				case *ast.ValueSpec:
					for _, name := range s.Names {
						if name.IsExported() {
							visit(name.Name, s.Type)
						}
					}
				}
			}
		}
	}
}

// receiver returns the name of the type of a receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// maxPublicNames bounds the exported names and the exported fields of all public packages, so
// that nothing becomes public in passing. Lower it when names go; raise it only for a feature.
const maxPublicNames = 1030

// TestPublicNames counts what a user may depend on.
func TestPublicNames(t *testing.T) {
	n := 0
	for _, file := range publicFiles(t) {
		exported(file, func(_ string, is ast.Expr) {
			n++
			if s, ok := is.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					for _, name := range field.Names {
						if name.IsExported() {
							n++
						}
					}
				}
			}
		})
	}
	if n > maxPublicNames {
		t.Errorf("%d exported names and fields; at most %d may be", n, maxPublicNames)
	}
	if n < maxPublicNames-20 {
		t.Errorf("%d exported names and fields: lower maxPublicNames", n)
	}
}

// facades are the types of internal packages that public packages show: aliases with a
// documented meaning, and the origin of an event, which only this module makes.
var facades = []string{
	"dialect.Dialect", "dialect.UnknownError", "callmeta.Origin",
	"frame.SyntaxError", "frame.TooLargeError", "htmlpage.Error", "sniff.RequestError", "wire.Error",
}

// TestPublicSignatures fails if what a public package exports has a type that users cannot
// name.
func TestPublicSignatures(t *testing.T) {
	for name, file := range publicFiles(t) {
		internal := map[string]bool{} // names of packages
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(imported, "/internal/") {
				internal[path.Base(imported)] = true
			}
		}
		exported(file, func(of string, is ast.Expr) {
			if is == nil {
				return
			}
			ast.Inspect(is, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.StructType:
					for _, field := range n.Fields.List {
						if len(field.Names) > 0 && !slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
							field.Type = ast.NewIdent("_") // users do not see it
						}
					}
				case *ast.SelectorExpr:
					if in, ok := n.X.(*ast.Ident); ok && internal[in.Name] && !slices.Contains(facades, in.Name+"."+n.Sel.Name) {
						t.Errorf("%s: %s shows %s.%s, which is internal", name, of, in.Name, n.Sel.Name)
					}
				}
				return true
			})
		})
	}
}
