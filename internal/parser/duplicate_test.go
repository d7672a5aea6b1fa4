package parser_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// TestLeakedCalls checks that a call counts once if it comes both natively and in the content,
// in either order: servers that parse a model's markup sometimes leak it into the content as
// well.
func TestLeakedCalls(t *testing.T) {
	text := func(s string) toolcall.Delta { return toolcall.Delta{Kind: toolcall.DeltaText, Text: s} }
	native := func(index int, name, args string) toolcall.Delta {
		return toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: index, ID: "call_" + args, Name: name, Text: args, Done: true}
	}
	const leak = `<tool_call>{"name":"f","arguments":{"a":1,"b":[true,"x"]}}</tool_call>`
	tests := []struct {
		name    string
		dialect string
		deltas  []toolcall.Delta
		want    []string // the names of the calls and how they ended
	}{
		{"text first", "hermes", []toolcall.Delta{text(leak), native(0, "f", `{"b": [true, "x"], "a": 1}`)}, []string{"f complete", "f duplicate_call"}},
		{"native first", "hermes", []toolcall.Delta{native(0, "f", `{"a":1,"b":[true,"x"]}`), text(leak)}, []string{"f complete", "f duplicate_call"}},
		{"in pieces", "hermes", []toolcall.Delta{text(leak[:30]), text(leak[30:]), {Kind: toolcall.DeltaToolCall, Name: "f", ID: "c"}, {Kind: toolcall.DeltaToolCall, Text: `{"a":1,`}, {Kind: toolcall.DeltaToolCall, Text: `"b":[true,"x"]}`}, {Kind: toolcall.DeltaFinish, Text: "stop"}}, []string{"f complete", "f duplicate_call"}},
		{"each call matches once", "hermes", []toolcall.Delta{text(leak + "\n" + leak), native(0, "f", `{"a":1,"b":[true,"x"]}`)}, []string{"f complete", "f complete", "f duplicate_call"}},
		{"after many calls in text", "hermes", []toolcall.Delta{text(strings.Repeat(strings.Replace(leak, "1", "2", 1), 20) + leak), native(0, "f", `{"a":1,"b":[true,"x"]}`)}, append(slices.Repeat([]string{"f complete"}, 21), "f duplicate_call")},
		{"other arguments", "hermes", []toolcall.Delta{text(leak), native(0, "f", `{"a":2,"b":[true,"x"]}`)}, []string{"f complete", "f complete"}},
		{"another tool", "hermes", []toolcall.Delta{text(leak), native(0, "g", `{"a":1,"b":[true,"x"]}`)}, []string{"f complete", "g complete"}},
		{"twice natively", "hermes", []toolcall.Delta{native(0, "f", "{}"), native(1, "f", "{}")}, []string{"f complete", "f complete"}},
		{"values that are all strings", "qwen3_coder", []toolcall.Delta{text("<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>"), native(0, "f", `{"a":1}`)}, []string{"f complete", "f duplicate_call"}},
		{"a file tool", "xml", []toolcall.Delta{text(`<write_file path="a">x</write_file>`), native(0, "write_file", `{"path":"a","content":"x"}`)}, []string{"write_file complete", "write_file duplicate_call"}},
		{"a file tool's arguments in another order", "xml", []toolcall.Delta{text(`<write_file path="a" mode="w">x</write_file>`), native(0, "write_file", `{"content":"x","mode":"w","path":"a"}`)}, []string{"write_file complete", "write_file duplicate_call"}},
		{"a call that was cut off does not match", "hermes", []toolcall.Delta{text(leak[:50]), native(0, "f", `{"a":1,"b":[true,"x"]}`)}, []string{"f incomplete", "f complete"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dialects, err := dialect.Named(tt.dialect, "")
			if err != nil {
				t.Fatal(err)
			}
			p, err := parser.New(parser.Options{Dialects: dialects})
			if err != nil {
				t.Fatal(err)
			}
			var events []toolcall.Event
			for _, delta := range tt.deltas {
				events = p.FeedDelta(events, delta)
			}
			events = p.Close(events)
			var got []string
			names, raw := map[string]string{}, ""
			for _, e := range events {
				raw += e.Raw
				if e.Type == toolcall.SegmentStart && e.Segment.IsCall() {
					names[e.ID] = e.Name
				}
				if name := names[e.ID]; name != "" && e.Type == toolcall.SegmentEnd {
					how := e.Status.String()
					if e.Status == toolcall.Rejected {
						how = e.Reason.String()
					}
					got = append(got, name+" "+how)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			all := ""
			for _, delta := range tt.deltas {
				if delta.Kind == toolcall.DeltaText {
					all += delta.Text
				}
			}
			if raw != all {
				t.Errorf("raw bytes are %q, want %q", raw, all)
			}
		})
	}
}
