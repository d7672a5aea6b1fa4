package fuzz

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/toolcall"
	"pgregory.net/rapid"
)

// TestTextDeltas checks that text deltas give the same events as Feed.
func TestTextDeltas(t *testing.T) {
	eachDialect(t, func(t *rapid.T, dialect string) {
		s := drawStream(t, dialect)
		opts, err := streamOptions(s)
		if err != nil {
			t.Fatal(err)
		}
		var deltas []toolcall.Delta
		for _, c := range streamgen.Split(drawTape(t, "chunks", 40), s.Text) {
			deltas = append(deltas, toolcall.Delta{Kind: toolcall.DeltaText, Text: c})
			// another candidate's deltas mean nothing
			deltas = append(deltas, toolcall.Delta{Kind: toolcall.DeltaText, Choice: 1, Text: "<tool name=\"other\"/>"})
		}
		r, err := recordDeltas(opts, deltas)
		if err == nil {
			err = fulfils(r, s.Want)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, s.Text)
		}
	})
}

// TestDeltas pins how native deltas become segments, by example.
func TestDeltas(t *testing.T) {
	const none = toolcall.NoIndex
	say := func(s string) toolcall.Delta { return toolcall.Delta{Kind: toolcall.DeltaText, Text: s} }
	think := func(s string) toolcall.Delta { return toolcall.Delta{Kind: toolcall.DeltaReasoning, Text: s} }
	part := func(index int, id, name, args string) toolcall.Delta {
		return toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: index, ID: id, Name: name, Text: args}
	}
	done := func(d toolcall.Delta) toolcall.Delta { d.Done = true; return d }
	whole := func(d toolcall.Delta) toolcall.Delta { d.Whole = true; return d }
	finish := toolcall.Delta{Kind: toolcall.DeltaFinish, Text: "tool_calls"}
	cut := toolcall.Delta{Kind: toolcall.DeltaFinish, Text: "length", Truncated: true}
	failed := toolcall.Delta{Kind: toolcall.DeltaError, Text: "overloaded", Name: "overloaded_error"}
	for _, tt := range []struct {
		name   string
		deltas []toolcall.Delta
		want   []brief
	}{
		{"text and a call", []toolcall.Delta{say("Hi"), part(0, "c", "f", ""), part(0, "", "", `{"a"`), part(0, "", "", `:1}`), finish},
			[]brief{ok(text, "", "Hi"), ok(toolCall, "f", `{"a":1}`)}},
		{"reasoning, text", []toolcall.Delta{think("hm"), say("so"), finish}, []brief{ok(reasoning, "", "hm"), ok(text, "", "so")}},
		{"two by index", []toolcall.Delta{part(0, "c", "f", ""), part(1, "d", "g", ""), part(0, "", "", "{}"), part(1, "", "", `{"b":2}`), finish},
			[]brief{ok(toolCall, "f", "{}"), ok(toolCall, "g", `{"b":2}`)}},
		{"two by id, index always 0", []toolcall.Delta{part(0, "c", "f", "{}"), part(0, "d", "g", "{}"), finish},
			[]brief{ok(toolCall, "f", "{}"), ok(toolCall, "g", "{}")}},
		{"two by id, not an index", []toolcall.Delta{part(none, "c", "f", `{"a":`), part(none, "c", "", `1}`), part(none, "d", "g", "{}"), finish},
			[]brief{ok(toolCall, "f", `{"a":1}`), ok(toolCall, "g", "{}")}},
		{"two whole with nothing to tell them apart", []toolcall.Delta{done(whole(part(none, "", "f", `{"a":1}`))), done(whole(part(none, "", "f", `{"a":1}`)))},
			[]brief{ok(toolCall, "f", `{"a":1}`), ok(toolCall, "f", `{"a":1}`)}},
		{"name repeated", []toolcall.Delta{part(0, "c", "f", `{"a"`), part(0, "c", "f", `:1}`), finish}, []brief{ok(toolCall, "f", `{"a":1}`)}},
		{"name late", []toolcall.Delta{part(0, "c", "", `{"a"`), part(0, "", "f", `:1}`), finish}, []brief{ok(toolCall, "f", `{"a":1}`)}},
		{"no arguments", []toolcall.Delta{part(0, "c", "f", ""), finish}, []brief{ok(toolCall, "f", "{}")}},
		{"null arguments", []toolcall.Delta{part(0, "c", "f", "null"), finish}, []brief{ok(toolCall, "f", "{}")}},
		{"done before the end of the stream", []toolcall.Delta{done(part(0, "c", "f", "{}")), say("x"), finish}, []brief{ok(toolCall, "f", "{}"), ok(text, "", "x")}},
		{"cut by the provider", []toolcall.Delta{part(0, "c", "f", `{"a":"b`), cut},
			[]brief{bad(toolCall, "f", `{"a":"b`, toolcall.Incomplete, toolcall.ReasonTruncated)}},
		{"stream ends inside", []toolcall.Delta{part(0, "c", "f", `{"a":"b`)},
			[]brief{bad(toolCall, "f", `{"a":"b`, toolcall.Incomplete, toolcall.ReasonEndOfStream)}},
		{"never any arguments, stream ends", []toolcall.Delta{part(0, "c", "f", "")},
			[]brief{bad(toolCall, "f", "", toolcall.Incomplete, toolcall.ReasonEndOfStream)}},
		{"not an object", []toolcall.Delta{part(0, "c", "f", "[1]"), finish},
			[]brief{bad(toolCall, "f", "", toolcall.Malformed, toolcall.ReasonNotAnObject)}},
		{"error inside", []toolcall.Delta{part(0, "c", "f", `{"a":`), failed},
			[]brief{bad(toolCall, "f", `{"a":`, toolcall.Rejected, toolcall.ReasonStreamError)}},
		{"file, escapes split", []toolcall.Delta{part(0, "c", "write_file", `{"path":"/a","content":"x\u00`), part(0, "", "", `e9\ud83d`), part(0, "", "", `\ude00\n\"}"}`), finish},
			[]brief{ok(toolcall.SegmentWriteFile, "write_file", "xé😀\n\"}")}},
		{"file, nested keys", []toolcall.Delta{part(0, "c", "write_file", `{"meta":{"path":"/bad","content":"bad"},"path":"/a","content":"x"}`), finish},
			[]brief{ok(toolCall, "write_file", `{"meta":{"path":"/bad","content":"bad"},"path":"/a","content":"x"}`)}},
		{"file, content first", []toolcall.Delta{part(0, "c", "write_file", `{"content":"x","path":"/a"}`), finish},
			[]brief{ok(toolcall.SegmentWriteFile, "write_file", "x")}},
		{"shell", []toolcall.Delta{part(0, "c", "run_bash", `{"command":"ls","background":true}`), finish}, []brief{ok(runBash, "run_bash", "ls")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := recordDeltas(parser.Options{}, tt.deltas)
			if err != nil {
				t.Fatal(err)
			}
			if err := checkDeltas(r); err != nil {
				t.Error(err)
			}
			got := briefly(t, r)
			for i := range got { // what a malformed call had let out is not pinned
				if got[i].Status == toolcall.Malformed {
					got[i].Payload = ""
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("segments (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFileDeltasStream checks that a file's decoded content streams while its JSON
// arrives.
func TestFileDeltasStream(t *testing.T) {
	p, err := parser.New(parser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for _, args := range []string{`{"path":"/a","content":"one `, `two`, ` three`} {
		for _, e := range p.FeedDelta(nil, toolcall.Delta{Kind: toolcall.DeltaToolCall, Name: "write_file", Text: args}) {
			got += e.Delta()
		}
	}
	if want := "one two three"; got != want {
		t.Errorf("got %q before the end, want %q", got, want)
	}
}
