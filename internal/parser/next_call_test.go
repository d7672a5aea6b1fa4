package parser_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// twoTools are tools whose names no marker contains.
var twoTools = []toolcall.ToolDefinition{
	{Name: "f_one", Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"a":{"type":"string"}}}`)},
	{Name: "g_two", Parameters: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"a":{"type":"string"}}}`)},
}

// statuses feeds in in chunks of n bytes and returns how the calls end, by name.
func statuses(t *testing.T, d *dialect.Dialect, in string, n int) string {
	t.Helper()
	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{d}, Tools: twoTools})
	if err != nil {
		t.Fatal(err)
	}
	var events []toolcall.Event
	for _, piece := range streamgen.Every(n, in) {
		events = p.Feed(events, piece)
	}
	var ends []string
	names := map[string]string{}
	for _, e := range p.Close(events) {
		switch {
		case !e.Segment.IsCall():
		case e.Type == toolcall.SegmentStart:
			names[e.ID] = e.Name
		case e.Type == toolcall.SegmentEnd:
			ends = append(ends, names[e.ID]+" "+e.Status.String())
		}
	}
	return strings.Join(ends, ", ")
}

// written returns a call in a dialect, or "" if the dialect cannot express it.
func written(t *testing.T, d *dialect.Dialect, name, arguments string) string {
	t.Helper()
	w, err := text.NewWriter(d, text.Options{Tools: twoTools})
	if err != nil {
		return ""
	}
	call := toolcall.ToolInvocation{Name: name, Arguments: json.RawMessage(arguments)}
	out, err := w.Append(nil, text.Message{Calls: []toolcall.ToolInvocation{call}})
	if err != nil {
		return ""
	}
	return string(out)
}

// swallows lists the dialects in which nothing distinguishes the next call from a value.
var swallows = map[string]string{
	"morphxml": "its tag could be a parameter's", "cline": "its tag could be a parameter's",
	"continue_codeblock": "a fence ends only with its line", "muse": "a message's header is before it",
}

// TestCutValue checks, at every place in a number and in the markup after it, that a call
// that is cut there does not swallow the next one.
func TestCutValue(t *testing.T) {
	for _, d := range dialect.All() {
		if d.Args.Form != dialect.ArgsPairs && d.Args.Form != dialect.ArgsTags || swallows[d.Name] != "" {
			continue
		}
		one, two := written(t, d, "f_one", `{"n":43212}`), written(t, d, "g_two", `{"n":7}`)
		from := strings.Index(one, "43212") + 1
		if two == "" || from == 0 {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			cutOff := "f_one malformed, g_two complete"
			if d.Args.Marked && d.Args.Key == "" { // its tokens are no text
				cutOff = "f_one complete, g_two complete"
			}
			for cut := from; cut <= len(one); cut++ {
				in := one[:cut] + "\n" + two
				whole := statuses(t, d, in, len(in))
				if !strings.HasSuffix(whole, "g_two complete") || cut < from+len("3212") && whole != cutOff {
					t.Errorf("%q: %s", in, whole)
				}
				for _, n := range []int{1, 4} {
					if got := statuses(t, d, in, n); got != whole {
						t.Errorf("%q in pieces of %d bytes: %s; in one: %s", in, n, got, whole)
					}
				}
			}
		})
	}
}

// TestUnclosedString checks, in the dialects that write JSON between markers, that a call
// whose last string lacks its closing quote does not swallow the next one, and that a sound
// string may quote two calls.
func TestUnclosedString(t *testing.T) {
	read := 0
	for _, d := range dialect.All() {
		if d.Args.Form != dialect.ArgsJSON || d.Frame.Bare || d.Frame.Call.Close+d.Frame.Section.Close == "" {
			continue
		}
		one, two := written(t, d, "f_one", `{"a":"x y z"}`), written(t, d, "g_two", `{"n":7}`)
		broken := strings.Replace(one, `z"`, "z", 1)
		if two == "" || broken == one {
			continue
		}
		read++
		quoted := written(t, d, "f_one", `{"a":`+string(jsonvalue.AppendQuoted(nil, one+two+`<{"`))+`}`)
		t.Run(d.Name, func(t *testing.T) {
			for in, want := range map[string]string{
				broken + two:                 "f_one malformed, g_two complete",
				broken + "\n" + broken + two: "f_one malformed, f_one malformed, g_two complete",
				quoted + two:                 "f_one complete, g_two complete",
			} {
				for _, n := range []int{len(in), 1, 3, 4, 7} {
					if got := statuses(t, d, in, n); got != want {
						t.Errorf("%q in pieces of %d bytes: %s, want %s", in, n, got, want)
					}
				}
			}
		})
	}
	if read < 40 {
		t.Errorf("%d dialects were read", read)
	}
}
