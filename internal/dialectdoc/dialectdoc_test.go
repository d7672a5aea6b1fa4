package dialectdoc

import (
	"bufio"
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/dialects.md")

// TestFresh checks that the page in docs agrees with the table.
func TestFresh(t *testing.T) {
	var got bytes.Buffer
	if err := writePage(&got, dialect.All()); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join("..", "..", "docs", "dialects.md")
	if *update {
		if err := os.WriteFile(page, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("docs/dialects.md is not that of the table: go test ./internal/dialectdoc -update\n%s", diff)
	}
}

// TestFields checks that every field of a dialect file is explained, in the order of the
// struct.
func TestFields(t *testing.T) {
	var got []string
	for _, f := range fields {
		got = append(got, f.path)
		if f.means == "" {
			t.Errorf("%s is not explained", f.path)
		}
	}
	if diff := cmp.Diff(jsonFields(reflect.TypeFor[dialect.Dialect](), ""), got); diff != "" {
		t.Error(diff)
	}
}

// jsonFields returns the paths of the JSON fields of a struct, without those of a pair of
// markers and of the forms.
func jsonFields(of reflect.Type, prefix string) []string {
	var list []string
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		list = append(list, prefix+name)
		inner, dot := of.Field(i).Type, "."
		if inner.Kind() == reflect.Slice {
			inner, dot = inner.Elem(), "[]."
		}
		if inner.Kind() == reflect.Struct && inner != reflect.TypeFor[dialect.Pair]() && inner != reflect.TypeFor[dialect.Form]() {
			list = append(list, jsonFields(inner, prefix+name+dot)...)
		}
	}
	return list
}

// TestPrompts checks that for every dialect with calls in its text the page shows a prompt
// with a tool, a call and a result, and names the template, or says that none is known.
func TestPrompts(t *testing.T) {
	for _, d := range dialect.All() {
		if d.Head.Form == "" {
			continue
		}
		var page bytes.Buffer
		b := bufio.NewWriter(&page)
		if err := writePrompt(b, d); err != nil {
			t.Error(err)
			continue
		}
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		after := "no chat template of its models is known"
		if d.Show.Template != "" {
			after = "after the template of " + d.Show.Template
		}
		for _, want := range []string{after, "The weather at a place", "[assistant]\n", "Oslo", "12 °C, rain"} {
			if !strings.Contains(page.String(), want) {
				t.Errorf("%s: the prompt lacks %q:\n%s", d.Name, want, page.String())
			}
		}
	}
}
