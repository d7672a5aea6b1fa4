package fuzz

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/parser"
	"pgregory.net/rapid"
)

// TestTextDeltas checks that text deltas are what Feed is for.
func TestTextDeltas(t *testing.T) {
	eachDialect(t, func(t *rapid.T, dialect string) {
		s := drawStream(t, dialect)
		opts, err := streamOptions(s)
		if err != nil {
			t.Fatal(err)
		}
		var deltas []toolparse.Delta
		for _, c := range streamgen.Split(drawTape(t, "chunks", 40), s.Text) {
			deltas = append(deltas, toolparse.Delta{Kind: toolparse.DeltaText, Text: c})
			// another candidate's deltas mean nothing
			deltas = append(deltas, toolparse.Delta{Kind: toolparse.DeltaText, Choice: 1, Text: "<tool name=\"other\"/>"})
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
	const none = toolparse.NoIndex
	say := func(s string) toolparse.Delta { return toolparse.Delta{Kind: toolparse.DeltaText, Text: s} }
	think := func(s string) toolparse.Delta { return toolparse.Delta{Kind: toolparse.DeltaReasoning, Text: s} }
	part := func(index int, id, name, args string) toolparse.Delta {
		return toolparse.Delta{Kind: toolparse.DeltaToolCall, Index: index, ID: id, Name: name, Text: args}
	}
	done := func(d toolparse.Delta) toolparse.Delta { d.Done = true; return d }
	whole := func(d toolparse.Delta) toolparse.Delta { d.Whole = true; return d }
	finish := toolparse.Delta{Kind: toolparse.DeltaFinish, Text: "tool_calls"}
	cut := toolparse.Delta{Kind: toolparse.DeltaFinish, Text: "length", Truncated: true}
	failed := toolparse.Delta{Kind: toolparse.DeltaError, Text: "overloaded", Name: "overloaded_error"}
	for _, tt := range []struct {
		name   string
		deltas []toolparse.Delta
		want   []brief
	}{
		{"text and a call", []toolparse.Delta{say("Hi"), part(0, "c", "f", ""), part(0, "", "", `{"a"`), part(0, "", "", `:1}`), finish},
			[]brief{ok(text, "", "Hi"), ok(toolCall, "f", `{"a":1}`)}},
		{"reasoning, text", []toolparse.Delta{think("hm"), say("so"), finish}, []brief{ok(reasoning, "", "hm"), ok(text, "", "so")}},
		{"two by index", []toolparse.Delta{part(0, "c", "f", ""), part(1, "d", "g", ""), part(0, "", "", "{}"), part(1, "", "", `{"b":2}`), finish},
			[]brief{ok(toolCall, "f", "{}"), ok(toolCall, "g", `{"b":2}`)}},
		{"two by id, index always 0", []toolparse.Delta{part(0, "c", "f", "{}"), part(0, "d", "g", "{}"), finish},
			[]brief{ok(toolCall, "f", "{}"), ok(toolCall, "g", "{}")}},
		{"two by id, no index", []toolparse.Delta{part(none, "c", "f", `{"a":`), part(none, "c", "", `1}`), part(none, "d", "g", "{}"), finish},
			[]brief{ok(toolCall, "f", `{"a":1}`), ok(toolCall, "g", "{}")}},
		{"two whole with nothing to tell them apart", []toolparse.Delta{done(whole(part(none, "", "f", `{"a":1}`))), done(whole(part(none, "", "f", `{"a":1}`)))},
			[]brief{ok(toolCall, "f", `{"a":1}`), ok(toolCall, "f", `{"a":1}`)}},
		{"name repeated", []toolparse.Delta{part(0, "c", "f", `{"a"`), part(0, "c", "f", `:1}`), finish}, []brief{ok(toolCall, "f", `{"a":1}`)}},
		{"name late", []toolparse.Delta{part(0, "c", "", `{"a"`), part(0, "", "f", `:1}`), finish}, []brief{ok(toolCall, "f", `{"a":1}`)}},
		{"no arguments", []toolparse.Delta{part(0, "c", "f", ""), finish}, []brief{ok(toolCall, "f", "{}")}},
		{"null arguments", []toolparse.Delta{part(0, "c", "f", "null"), finish}, []brief{ok(toolCall, "f", "{}")}},
		{"done before the end of the stream", []toolparse.Delta{done(part(0, "c", "f", "{}")), say("x"), finish}, []brief{ok(toolCall, "f", "{}"), ok(text, "", "x")}},
		{"cut by the provider", []toolparse.Delta{part(0, "c", "f", `{"a":"b`), cut},
			[]brief{bad(toolCall, "f", `{"a":"b`, toolparse.Incomplete, toolparse.ReasonTruncated)}},
		{"stream ends inside", []toolparse.Delta{part(0, "c", "f", `{"a":"b`)},
			[]brief{bad(toolCall, "f", `{"a":"b`, toolparse.Incomplete, toolparse.ReasonEndOfStream)}},
		{"never any arguments, stream ends", []toolparse.Delta{part(0, "c", "f", "")},
			[]brief{bad(toolCall, "f", "", toolparse.Incomplete, toolparse.ReasonEndOfStream)}},
		{"not an object", []toolparse.Delta{part(0, "c", "f", "[1]"), finish},
			[]brief{bad(toolCall, "f", "", toolparse.Malformed, toolparse.ReasonNotAnObject)}},
		{"error inside", []toolparse.Delta{part(0, "c", "f", `{"a":`), failed},
			[]brief{bad(toolCall, "f", `{"a":`, toolparse.Rejected, toolparse.ReasonStreamError)}},
		{"file, escapes split", []toolparse.Delta{part(0, "c", "write_file", `{"path":"/a","content":"x\u00`), part(0, "", "", `e9\ud83d`), part(0, "", "", `\ude00\n\"}"}`), finish},
			[]brief{ok(toolparse.SegmentWriteFile, "write_file", "xé😀\n\"}")}},
		{"file, nested keys", []toolparse.Delta{part(0, "c", "write_file", `{"meta":{"path":"/bad","content":"bad"},"path":"/a","content":"x"}`), finish},
			[]brief{ok(toolCall, "write_file", `{"meta":{"path":"/bad","content":"bad"},"path":"/a","content":"x"}`)}},
		{"file, content first", []toolparse.Delta{part(0, "c", "write_file", `{"content":"x","path":"/a"}`), finish},
			[]brief{ok(toolparse.SegmentWriteFile, "write_file", "x")}},
		{"shell", []toolparse.Delta{part(0, "c", "run_bash", `{"command":"ls","background":true}`), finish}, []brief{ok(runBash, "run_bash", "ls")}},
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
				if got[i].Status == toolparse.Malformed {
					got[i].Payload = ""
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("segments (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFileDeltasStream checks that a file's decoded content comes while its
// JSON arrives, not at the end.
func TestFileDeltasStream(t *testing.T) {
	p, err := parser.New(parser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for _, args := range []string{`{"path":"/a","content":"one `, `two`, ` three`} {
		for _, e := range p.FeedDelta(nil, toolparse.Delta{Kind: toolparse.DeltaToolCall, Name: "write_file", Text: args}) {
			got += e.Delta()
		}
	}
	if want := "one two three"; got != want {
		t.Errorf("got %q before the end, want %q", got, want)
	}
}
