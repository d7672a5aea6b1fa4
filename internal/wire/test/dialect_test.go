// Package test contains the tests of the wires that need more than one package. This file
// tests the parser's output on the wires. It is not in package format, which does not know the
// parser.
package test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/reencode"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
)

// TestTextDialectAsAWire checks that calls of a text dialect become a provider's native calls, whose
// arguments arrive in pieces, and that a call that is cut off does not look complete.
func TestTextDialectAsAWire(t *testing.T) {
	dialect, err := dialect.Named("hermes", "")
	if err != nil {
		t.Fatal(err)
	}
	const open = "Hé. <tool_call>{\"name\":\"f\",\"arguments\":{\"city\":\"Os\\nlo é"
	for _, tt := range []struct {
		name, text string
		want       []segment
	}{
		{"whole", open + "\"}}</tool_call>", []segment{{toolcall.SegmentText, "", "Hé. ", toolcall.Complete}, {toolcall.SegmentToolCall, "f", `{"city":"Os\nlo é"}`, toolcall.Complete}}},
		{"cut", open, []segment{{toolcall.SegmentText, "", "Hé. ", toolcall.Complete}, {toolcall.SegmentToolCall, "f", `{"city":"Os\nlo é`, toolcall.Incomplete}}},
	} {
		for _, to := range format.Wires() {
			t.Run(tt.name+" to "+string(to), func(t *testing.T) {
				p, err := parser.New(parser.Options{Dialects: dialect})
				if err != nil {
					t.Fatal(err)
				}
				codec, err := all.CodecOf(to)
				if err != nil {
					t.Skip(err)
				}
				enc := codec.NewEncoder(wire.Options{})
				enc.SetMeta(chat.Meta{ID: "r", Model: "m", Created: 1})
				var adapter reencode.Deltas
				var out []byte
				var pieces int
				write := func(deltas []toolcall.Delta) {
					for _, d := range deltas {
						before := len(out)
						out = enc.Append(out, d)
						if d.Kind == toolcall.DeltaToolCall && len(out) > before {
							pieces++
						}
					}
				}
				feed := func(events []toolcall.Event) {
					for _, e := range events {
						write(adapter.Append(nil, e))
					}
				}
				for i := range len(tt.text) {
					feed(p.Feed(nil, tt.text[i:i+1]))
				}
				feed(p.Close(nil))
				write(adapter.Close(nil, toolcall.Delta{}))
				out = enc.Close(out)
				got, err := read(out, to)
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				want := tt.want
				if e, _ := features.Of(string(to), features.StreamedArguments); e.Outcome != features.Carried && tt.name == "cut" {
					want = want[:1] // wires with whole calls leave out a call that was cut off
					if len(enc.Losses()) == 0 {
						t.Error("a call is left out, and no loss says so")
					}
				}
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(segment{})); diff != "" {
					t.Errorf("(-want +got):\n%s%s", diff, out)
				}
				if to == format.OpenAI && pieces < 10 {
					t.Errorf("the arguments come in %d pieces:\n%s", pieces, out)
				}
			})
		}
	}
}

// segment is a segment of a provider's stream.
type segment struct {
	kind    toolcall.SegmentType
	name    string
	content string
	status  toolcall.Status
}

// read parses a provider's stream.
func read(body []byte, w format.Wire) ([]segment, error) {
	p, err := parser.New(parser.Options{})
	if err != nil {
		return nil, err
	}
	var events []toolcall.Event
	for d, err := range format.NewStream(bytes.NewReader(body), format.Options{Wire: w}).Deltas() {
		if err != nil {
			return nil, err
		}
		events = p.FeedDelta(events, d)
	}
	events = p.Close(events)
	var found []segment
	at := map[string]int{}
	for _, e := range events {
		switch e.Type {
		case toolcall.SegmentStart:
			at[e.ID] = len(found)
			found = append(found, segment{kind: e.Segment, name: e.Name})
		case toolcall.SegmentContent:
			found[at[e.ID]].content += e.Payload
		case toolcall.SegmentEnd:
			found[at[e.ID]].status = e.Status
		}
	}
	return found, nil
}
