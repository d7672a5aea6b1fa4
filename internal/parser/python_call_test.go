package parser_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// pythonCalls lists the segments of a parse: for a call the segment type, name, metadata,
// content, status, reason and tolerances, for anything else its text.
func pythonCalls(t *testing.T, opts parser.Options, chunks ...string) []string {
	t.Helper()
	p, err := parser.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	var events []toolcall.Event
	for _, c := range chunks {
		events = p.Feed(events, c)
	}
	var list []string
	var own strings.Builder
	for _, e := range p.Close(events) {
		switch e.Type {
		case toolcall.SegmentStart:
			own.Reset()
			if e.Segment.IsCall() {
				own.WriteString(strings.TrimSpace(e.Name+" "+e.Payload) + ": ")
			}
		case toolcall.SegmentContent:
			own.WriteString(e.Payload)
		case toolcall.SegmentEnd:
			if e.Segment.IsCall() {
				own.WriteString(" " + e.Status.String())
				if e.Reason != toolcall.ReasonNone {
					own.WriteString(" " + e.Reason.String())
				}
				if e.Tolerances != 0 {
					own.WriteString(" " + e.Tolerances.String())
				}
			}
			list = append(list, own.String())
		}
	}
	return list
}

// TestPythonCalls checks how calls end, and what the text around them becomes.
func TestPythonCalls(t *testing.T) {
	shallow := parser.Options{Limits: toolcall.Limits{Depth: 4}}
	few := parser.Options{Limits: toolcall.Limits{Calls: 1}}
	declared := parser.Options{Tools: []toolcall.ToolDefinition{{Name: "f", Parameters: []byte(`{"properties":{"a":{},"b":{}}}`)}}}
	for _, tt := range []struct {
		name, dialect, text string
		opts                parser.Options
		want                []string
	}{
		{name: "cut in a key", dialect: "olmo3", text: `<function_calls>f(a=1, b`, want: []string{`f: {"a":1 incomplete end_of_stream`}},
		{name: "cut before a value", dialect: "olmo3", text: `<function_calls>f(a=`, want: []string{`f:  incomplete end_of_stream`}},
		{name: "cut after a parenthesis", dialect: "olmo3", text: `<function_calls>f(`, want: []string{`f:  incomplete end_of_stream`}},
		{name: "the same in a bare list", dialect: "pythonic", text: `[f(`, want: []string{`[f(`}},
		{name: "cut after a quote", dialect: "olmo3", text: `<function_calls>f(a='x'`, want: []string{`f: {"a":"x incomplete end_of_stream`}},
		{name: "cut in an escape", dialect: "olmo3", text: `<function_calls>f(a='x\u00`, want: []string{`f: {"a":"x incomplete end_of_stream`}},
		{name: "cut in a number", dialect: "olmo3", text: `<function_calls>f(a=12`, want: []string{`f: {"a": incomplete end_of_stream`}},
		{name: "no comma before a declared key", dialect: "olmo3", text: `<function_calls>f(b="x" a=1)</function_calls>`, opts: declared, want: []string{`f: {"b":"x","a":1} complete missing_comma`}},
		{name: "no comma before another key", dialect: "olmo3", text: `<function_calls>f(b="x" c="y")</function_calls>`, opts: declared, want: []string{`f: {"b":"x\" c=\"y"} malformed invalid_json unescaped_quote`}},
		{name: "no closers", dialect: "pythonic", text: `[f(a='x')`, want: []string{`f: {"a":"x"} complete missing_closer`}},
		{name: "no closers after a number", dialect: "lfm2", text: `<|tool_call_start|>[f(a=1)]<|tool_`, want: []string{`f: {"a":1} complete missing_closer`}},
		{name: "a call on a line needs no section", dialect: "granite_pythonic", text: `f(a='x')`, want: []string{`f: {"a":"x"} complete`}},
		{name: "text after a line", dialect: "granite_pythonic", text: "f(a='x')\nDone (so)", want: []string{`f: {"a":"x"} complete`, "\nDone (so)"}},
		{name: "a bracket after the list", dialect: "pythonic", text: "[f(a=1), g(b=2)] and ]", want: []string{`f: {"a":1} complete`, `g: {"b":2} complete`, " and ]"}},
		{name: "a list that goes on as prose", dialect: "pythonic", text: "[f(a=1), or so] there]", want: []string{`f: {"a":1} complete`, "or so] there]"}},
		{name: "the next call counts", dialect: "olmo3", text: "<function_calls>f(a=b, c=(1))\ng()</function_calls>", want: []string{`f: {"a": malformed invalid_json`, `g: {} complete`}},
		{name: "closers in a broken call's strings", dialect: "pythonic", text: `[f(a=[1, x, ')]', "("]), g()]`, want: []string{`f: {"a":[1, malformed invalid_json`, `g: {} complete`}},
		{name: "the section ends a broken call", dialect: "olmo3", text: `<function_calls>f(a='x', b=(</function_calls> so`, want: []string{`f: {"a":"x","b": malformed invalid_json missing_closer`, " so"}},
		{name: "the line ends a broken bare call", dialect: "pythonic", text: "[f(a='x', b=(c\nThe end.", want: []string{`f: {"a":"x","b": malformed invalid_json missing_closer`, "\nThe end."}},
		{name: "an argument without a name", dialect: "pythonic", text: `[f(a=1, 2)]`, want: []string{`f: {"a":1 malformed invalid_json`}},
		{name: "an unpacked argument", dialect: "pythonic", text: `[f(a=1, **k)]`, want: []string{`f: {"a":1 malformed invalid_json`}},
		{name: "a comparison", dialect: "pythonic", text: `[f(a==1)]`, want: []string{`[f(a==1)]`}},
		{name: "an operator", dialect: "pythonic", text: `[f(a=1+b)]`, want: []string{`[f(a=1+b)]`}},
		{name: "the text of a link", dialect: "pythonic", text: `[f()](http://x)`, want: []string{`[f()](http://x)`}},
		{name: "the same with arguments", dialect: "pythonic", text: `[f(a=1, b=True,)](url) so`, want: []string{`[f(a=1, b=True,)](url) so`}},
		{name: "the text of a link with a label", dialect: "pythonic", text: "[f()][ref]\n[f(a=1)][]", want: []string{"[f()][ref]\n[f(a=1)][]"}},
		{name: "an image", dialect: "pythonic", text: "![f()](x)", want: []string{"![f()](x)"}},
		{name: "text right after a list", dialect: "pythonic", text: "[f()]so (it is)", want: []string{`f: {} complete`, "so (it is)"}},
		{name: "parentheses after a blank", dialect: "pythonic", text: "[f(a=1)] (url)", want: []string{`f: {"a":1} complete`, " (url)"}},
		{name: "a list right after a list", dialect: "pythonic", text: "[f()][g()]", want: []string{`f: {} complete`, `g: {} complete`}},
		{name: "a JSON list right after a list", dialect: "pythonic", text: `[f()][{"a":1}]`, want: []string{`f: {} complete`, `[{"a":1}]`}},
		{name: "a label that does not end", dialect: "pythonic", text: "[f()][g", want: []string{`f: {} complete`, "[g"}},
		{name: "cut after a call", dialect: "pythonic", text: "[f()", want: []string{`f: {} complete missing_closer`}},
		{name: "cut in the second argument", dialect: "pythonic", text: "[f(a=1, b", want: []string{`f: {"a":1 incomplete end_of_stream`}},
		{name: "more arguments than a link has", dialect: "pythonic", text: `[f(a=1` + strings.Repeat(", a=1", 60) + `)](url)`, want: []string{`f: {"a":1} complete duplicate_argument`, "(url)"}},
		{name: "as deep as allowed", dialect: "pythonic", text: `[f(a=[({1: 1},)])]`, opts: shallow, want: []string{`f: {"a":[[{"1":1}]]} complete`}},
		{name: "too deep", dialect: "pythonic", text: `[f(a=[[[[1]]]]), g()]`, opts: shallow, want: []string{`f: {"a":[[[ rejected nested_too_deep`, `g: {} complete`}},
		{name: "too many", dialect: "pythonic", text: `[f(a='x'), g()]`, opts: few, want: []string{`f: {"a":"x"} complete`, `g:  rejected too_many_calls`, ")]"}},
		{name: "strict", dialect: "pythonic", text: `[f(a='it's')]`, opts: parser.Options{Strict: true}, want: []string{`f: {"a":"it's"} malformed tolerance_forbidden unescaped_quote`}},
		{
			name: "a file", dialect: "olmo3", text: `<function_calls>write_file(path='a.txt', content="x\n'y'")</function_calls>`,
			want: []string{`write_file {"path":"a.txt"}: ` + "x\n'y' complete"},
		},
		{
			name: "a file whose content comes first", dialect: "olmo3", text: `<function_calls>write_file(content=("x" 'y'), path='a.txt')</function_calls>`,
			want: []string{`write_file {"path":"a.txt"}: xy complete`},
		},
		{
			name: "a file with a value that is not text", dialect: "olmo3", text: `<function_calls>write_file(path='a', content={'k': [1]})</function_calls>`,
			want: []string{`write_file: {"path":"a","content":{"k":[1]}} complete`},
		},
		{
			name: "a file without arguments", dialect: "olmo3", text: `<function_calls>write_file(path='a', content=None)</function_calls>`,
			want: []string{`write_file: {"path":"a","content":null} complete`},
		},
		{
			name: "a command", dialect: "pythonic", text: `[run_bash(command='ls "$HOME"', timeout_seconds=5)]`,
			want: []string{`run_bash: ls "$HOME" complete`},
		},
		{
			name: "a long first element is not a key", dialect: "pythonic", text: `[f(a=({"` + strings.Repeat("x", 5000) + `", 1}))]`,
			want: []string{`f: {"a":["` + strings.Repeat("x", 5000) + `",1]} complete`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.opts.Dialects = []*dialect.Dialect{dialectNamed(t, tt.dialect)}
			if diff := cmp.Diff(tt.want, pythonCalls(t, tt.opts, tt.text)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.want, pythonCalls(t, tt.opts, strings.Split(tt.text, "")...)); diff != "" {
				t.Errorf("byte by byte: %s", diff)
			}
		})
	}
}

// TestPythonStreams checks that a string streams as it arrives.
func TestPythonStreams(t *testing.T) {
	for _, head := range []string{`f(a='`, `f(a="`, `f(a="""`, `f(a=r'`, `f(a=['x', '`, `f(a={'k': "`, `f(a={'k': ['`, `write_file(path='p', content='`} {
		t.Run(head, func(t *testing.T) {
			p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{dialectNamed(t, "olmo3")}})
			if err != nil {
				t.Fatal(err)
			}
			p.Feed(nil, "<function_calls>"+head)
			for range 3 {
				got := ""
				for _, e := range p.Feed(nil, "some words, ") {
					got += e.Delta()
				}
				if got = strings.TrimPrefix(got, `{"a":"`); got != "some words, " {
					t.Fatalf("%q goes out", got)
				}
			}
		})
	}
}

// TestPythonPrefixes checks that the parser sends an argument as far as it is certain, takes
// nothing back, and never completes a call that was cut off before its end.
func TestPythonPrefixes(t *testing.T) {
	const (
		call = `f(a='it\'s', b=[1, {'k': ("t", -2.5e3), 'n': None}], c={'x', 'y'}, d="""q "r" s""", e=(1), f='u' "v", g=0x1F)`
		args = `{"a":"it's","b":[1,{"k":["t",-2.5e3],"n":null}],"c":["x","y"],"d":"q \"r\" s","e":1,"f":"uv","g":31}`
	)
	text := "<function_calls>" + call + "</function_calls>"
	for n := range len(text) + 1 {
		p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{dialectNamed(t, "olmo3")}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, e := range p.Close(p.Feed(nil, text[:n])) {
			if !e.Segment.IsCall() {
				continue
			}
			got += e.Delta()
			whole := n >= len("<function_calls>"+call)
			if e.Type == toolcall.SegmentEnd && (e.Status == toolcall.Complete) != whole {
				t.Errorf("%q ends %v", text[:n], e.Status)
			}
		}
		if !strings.HasPrefix(args, got) {
			t.Errorf("%q gives %s", text[:n], got)
		}
	}
}
