package parser_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// TestTable checks for every row what the table promises.
func TestTable(t *testing.T) {
	const fixed = " auto json " // names that have a meaning in Named
	names := map[string]string{}
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			for _, name := range append([]string{d.Name}, d.Aliases...) {
				switch owner, taken := names[name]; {
				case taken:
					t.Errorf("%q is a name of %s, too", name, owner)
				case name != strings.ToLower(strings.TrimSpace(name)) || name == "":
					t.Errorf("Named never finds %q", name)
				case strings.Contains(fixed, " "+name+" "):
					t.Errorf("%q means several dialects; choose one", name)
				}
				names[name] = d.Name
			}
			if d.About == "" || d.Source == "" || d.Example == "" {
				t.Error("About, Source or Example is missing")
			}
			want := []string{"get_weather " + exampleArgs(d) + " complete"}
			if d.Name == "api_tool_call" {
				want = nil // its calls are not in text
			}
			if diff := cmp.Diff(want, callsIn(t, d, d.Example)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// compact returns a JSON text without the blanks of its layout, and any other text unchanged.
func compact(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}

// TestTableHasVectors fails for a row without vectors of its own.
func TestTableHasVectors(t *testing.T) {
	have := conformanceDialects(t)
	for _, d := range dialect.All() {
		if !have[d.Name] {
			t.Errorf("no vector under testdata/conformance is in the dialect %s", d.Name)
		}
	}
}

// conformanceDialects returns the dialects of the vectors under testdata/conformance.
func conformanceDialects(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../../testdata/conformance/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var vector struct{ Dialect string }
			if err := json.Unmarshal(line, &vector); err != nil {
				continue // an empty line; the conformance runner checks the others
			}
			if named, err := dialect.Named(vector.Dialect, ""); err == nil && len(named) == 1 {
				found[named[0].Name] = true
			}
		}
	}
	return found
}

// TestTruncatedExamples cuts the example of every row at every byte. The events account for
// all of the rest, and no call is complete before its arguments are.
func TestTruncatedExamples(t *testing.T) {
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			whole := exampleArgs(d)
			for n := range len(d.Example) + 1 {
				p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{d}})
				if err != nil {
					t.Fatal(err)
				}
				var raw, args strings.Builder
				for _, e := range p.Close(p.Feed(nil, d.Example[:n])) {
					raw.WriteString(e.Raw)
					switch {
					case !e.Segment.IsCall():
					case e.Type == toolcall.SegmentStart:
						if e.Name != "get_weather" {
							t.Errorf("cut at %d: a call of %q", n, e.Name)
						}
					case e.Type == toolcall.SegmentContent:
						args.WriteString(e.Delta())
					case e.Status == toolcall.Complete && compact(args.String()) != whole:
						t.Errorf("cut at %d: a complete call with the arguments %s", n, args.String())
					case e.Status != toolcall.Complete && e.Status != toolcall.Incomplete:
						t.Errorf("cut at %d: the call ends %v, %v", n, e.Status, e.Reason)
					}
				}
				if raw.String() != d.Example[:n] {
					t.Errorf("cut at %d: the events account for %q", n, raw.String())
				}
			}
		})
	}
}

// exampleArgs returns the arguments of the call in a row's example. If a row has no keys, the
// text is the one parameter that it names.
func exampleArgs(d *dialect.Dialect) string {
	if d.Args.Form == dialect.ArgsRaw && !d.Args.Object {
		return `{"` + d.Args.Param + `":"Oslo"}`
	}
	return `{"city":"Oslo"}`
}

// callsIn lists the calls in text: name, arguments, status, and tolerances.
func callsIn(t *testing.T, d *dialect.Dialect, text string) []string {
	t.Helper()
	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{d}})
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	var call, args string
	for _, e := range p.Close(p.Feed(nil, text)) {
		if !e.Segment.IsCall() {
			continue
		}
		switch e.Type {
		case toolcall.SegmentStart:
			call, args = e.Name+" ", ""
		case toolcall.SegmentContent:
			args += e.Delta()
		case toolcall.SegmentEnd:
			calls = append(calls, strings.TrimSpace(call+compact(args)+" "+e.Status.String()+" "+e.Tolerances.String()))
		}
	}
	return calls
}
