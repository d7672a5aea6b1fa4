package reencode_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/callmeta"
	"github.com/toolparse/toolparse/internal/reencode"
	"github.com/toolparse/toolparse/toolcall"
)

func TestDeltas(t *testing.T) {
	const start, content, end = toolcall.SegmentStart, toolcall.SegmentContent, toolcall.SegmentEnd
	const text, call, finish = toolcall.DeltaText, toolcall.DeltaToolCall, toolcall.DeltaFinish
	type E = toolcall.Event
	type D = toolcall.Delta
	tests := []struct {
		name  string
		in    []E
		given D
		want  []D
	}{
		{
			"text, then a call in pieces",
			[]E{
				{Type: start, Segment: "text", ID: "s1"}, {Type: content, Segment: "text", ID: "s1", Payload: "a"}, {Type: end, Segment: "text", ID: "s1", Status: toolcall.Complete},
				{Type: start, Segment: "tool_call", ID: "s2", Name: "f"}, {Type: content, ID: "s2", Payload: `{"x":`}, {Type: content, ID: "s2", Payload: `1}`}, {Type: end, ID: "s2", Status: toolcall.Complete, Payload: `{"call_id":"c"}`},
			},
			D{},
			[]D{{Kind: text, Text: "a"}, {Kind: call, ID: "s2", Name: "f"}, {Kind: call, Text: `{"x":`}, {Kind: call, Text: "1"}, {Kind: call, Text: "}", Done: true}, {Kind: finish, Text: "stop"}},
		},
		{
			"a call without arguments",
			[]E{{Type: start, Segment: "tool_call", ID: "s2", Name: "f"}, {Type: end, ID: "s2", Status: toolcall.Complete}},
			D{Kind: finish, Text: "tool_calls", Choice: 3},
			[]D{{Kind: call, ID: "s2", Name: "f"}, {Kind: call, Text: "{}", Done: true}, {Kind: finish, Text: "tool_calls"}},
		},
		{
			"a call that was cut",
			[]E{{Type: start, Segment: "tool_call", ID: "s2", Name: "f"}, {Type: content, ID: "s2", Payload: `{"x":`}, {Type: end, ID: "s2", Status: toolcall.Incomplete}},
			D{},
			[]D{{Kind: call, ID: "s2", Name: "f"}, {Kind: call, Text: `{"x":`}, {Kind: finish, Text: "stop", Truncated: true}},
		},
		{
			"a call that looked whole and was not",
			[]E{
				{Type: start, Segment: "tool_call", ID: "s2", Name: "f"}, {Type: content, ID: "s2", Payload: `{"x":"}`}, {Type: content, ID: "s2", Payload: `}"}`},
				{Type: content, ID: "s2", Payload: " "}, {Type: end, ID: "s2", Status: toolcall.Malformed},
			},
			D{},
			[]D{{Kind: call, ID: "s2", Name: "f"}, {Kind: call, Text: `{"x":"`}, {Kind: call, Text: `}}"`}, {Kind: finish, Text: "stop", Truncated: true}},
		},
		{
			"a call without a name",
			[]E{{Type: start, Segment: "tool_call", ID: "s2"}, {Type: content, ID: "s2", Payload: `{}`}, {Type: end, ID: "s2", Status: toolcall.Malformed}},
			D{},
			[]D{{Kind: finish, Text: "stop", Truncated: true}},
		},
		{
			"a call that never ends",
			[]E{{Type: start, Segment: "tool_call", ID: "s2", Name: "f"}},
			D{},
			[]D{{Kind: call, ID: "s2", Name: "f"}, {Kind: finish, Text: "stop", Truncated: true}},
		},
		{
			"calls side by side",
			[]E{
				{Type: start, Segment: "tool_call", ID: "s1", Name: "f"}, {Type: start, Segment: "tool_call", ID: "s2", Name: "g"},
				{Type: content, ID: "s1", Payload: "{"}, {Type: content, ID: "s2", Payload: "{}"}, {Type: content, ID: "s1", Payload: "}"},
				{Type: end, ID: "s2", Status: toolcall.Complete}, {Type: end, ID: "s1", Status: toolcall.Complete},
			},
			D{},
			[]D{
				{Kind: call, ID: "s1", Name: "f"}, {Kind: call, Index: 1, ID: "s2", Name: "g"}, {Kind: call, Text: "{"}, {Kind: call, Index: 1, Text: "{"},
				{Kind: call, Index: 1, Text: "}", Done: true}, {Kind: call, Text: "}", Done: true}, {Kind: finish, Text: "stop"},
			},
		},
		{
			"a file, with a character in two pieces",
			[]E{
				{Type: start, Segment: "write_file", ID: "s1", Name: "write_file", Origin: callmeta.NewOrigin("", "content"), Payload: `{"path":"a\"b","unknown_tool":true}`},
				{Type: content, ID: "s1", Payload: "x\n\xc3"}, {Type: content, ID: "s1", Payload: "\xa9"},
				{Type: end, ID: "s1", Status: toolcall.Complete, Payload: `{"mode":"w","call_id":"c"}`},
			},
			D{},
			[]D{
				{Kind: call, ID: "s1", Name: "write_file", Text: `{"path":"a\"b","content":"`}, {Kind: call, Text: `x\n`}, {Kind: call, Text: "é"},
				{Kind: call, Text: `","mode":"w"}`, Done: true}, {Kind: finish, Text: "stop"},
			},
		},
		{
			"a command",
			[]E{{Type: start, Segment: "run_bash", ID: "s1", Origin: callmeta.NewOrigin("", "command")}, {Type: content, ID: "s1", Payload: `ls "a"`}, {Type: end, ID: "s1", Status: toolcall.Complete}},
			D{},
			[]D{{Kind: call, ID: "s1", Name: "run_bash", Text: `{"command":"`}, {Kind: call, Text: `ls \"a\"`}, {Kind: call, Text: `"}`, Done: true}, {Kind: finish, Text: "stop"}},
		},
		{
			"the provider's own ids, once each",
			[]E{
				{Type: start, Segment: "tool_call", ID: "s1", Name: "f", Payload: `{"call_id":"c"}`}, {Type: end, ID: "s1", Status: toolcall.Complete},
				{Type: start, Segment: "tool_call", ID: "s2", Name: "f", Payload: `{"call_id":"c"}`}, {Type: end, ID: "s2", Status: toolcall.Complete},
			},
			D{},
			[]D{{Kind: call, ID: "c", Name: "f"}, {Kind: call, Text: "{}", Done: true}, {Kind: call, Index: 1, ID: "s2", Name: "f"}, {Kind: call, Index: 1, Text: "{}", Done: true}, {Kind: finish, Text: "stop"}},
		},
		{
			"a duplicate",
			[]E{
				{Type: start, Segment: "tool_call", ID: "s1", Name: "f"}, {Type: end, ID: "s1", Status: toolcall.Complete},
				{Type: start, Segment: "tool_call", ID: "s2", Name: "f", Raw: "<"}, {Type: content, ID: "s2", Payload: "{}"}, {Type: end, ID: "s2", Status: toolcall.Rejected, Reason: toolcall.ReasonDuplicate},
			},
			D{},
			[]D{{Kind: call, ID: "s1", Name: "f"}, {Kind: call, Text: "{}", Done: true}, {Kind: finish, Text: "stop"}},
		},
		{
			"what might have been a duplicate",
			[]E{
				{Type: start, Segment: "tool_call", ID: "s1", Name: "f"}, {Type: start, Segment: "tool_call", ID: "s2", Name: "f", Raw: "<"},
				{Type: start, Segment: "tool_call", ID: "s3", Name: "g"}, {Type: end, ID: "s3", Status: toolcall.Complete}, {Type: end, ID: "s1", Status: toolcall.Complete},
				{Type: content, ID: "s2", Payload: `{"a":1}`}, {Type: end, ID: "s2", Status: toolcall.Complete},
			},
			D{},
			[]D{
				{Kind: call, ID: "s1", Name: "f"}, {Kind: call, Index: 1, ID: "s3", Name: "g"}, {Kind: call, Index: 1, Text: "{}", Done: true}, {Kind: call, Text: "{}", Done: true},
				{Kind: call, Index: 2, ID: "s2", Name: "f"}, {Kind: call, Index: 2, Text: `{"a":1`}, {Kind: call, Index: 2, Text: "}", Done: true}, {Kind: finish, Text: "stop"},
			},
		},
		{
			"text that ends in half a character",
			[]E{{Type: start, Segment: "text", ID: "s1"}, {Type: content, Segment: "text", ID: "s1", Payload: "a\xf0\x9f"}, {Type: end, Segment: "text", ID: "s1"}},
			D{},
			[]D{{Kind: text, Text: "a"}, {Kind: text, Text: "\xf0\x9f"}, {Kind: finish, Text: "stop"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var x reencode.Deltas
			var got []D
			for _, e := range tt.in {
				got = x.Append(got, e)
			}
			got = x.Close(got, tt.given)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			args, done := map[int]string{}, map[int]bool{}
			for _, d := range got {
				if d.Kind == call {
					args[d.Index] += d.Text
					done[d.Index] = d.Done
				}
			}
			for i, text := range args {
				if done[i] && !json.Valid([]byte(text)) {
					t.Errorf("call %d is done with %s", i, text)
				}
			}
		})
	}
}

func TestDeltasLosses(t *testing.T) {
	var x reencode.Deltas
	call := func(id, raw, callID string, how toolcall.Event) {
		how.Type, how.ID = toolcall.SegmentEnd, id
		for _, e := range []toolcall.Event{{Type: toolcall.SegmentStart, Segment: "tool_call", ID: id, Name: "f", Raw: raw, Payload: `{"call_id":"` + callID + `"}`}, how} {
			x.Append(nil, e)
		}
	}
	complete := toolcall.Event{Status: toolcall.Complete}
	call("s1", "<", "", complete)
	call("s2", "", "a", toolcall.Event{Status: toolcall.Rejected, Reason: toolcall.ReasonDuplicate})
	call("s3", "", "b", complete)
	call("s4", "", "b", complete)
	var got []string
	for _, l := range x.Losses() {
		got = append(got, l.String())
	}
	want := []string{
		"stream.calls.f.id: the call repeats an earlier one, in text or native; a is left out",
		"stream.calls.f.id: another call has the same id; b is written s4",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDeltasPass(t *testing.T) {
	var x reencode.Deltas
	signature := toolcall.Delta{Kind: toolcall.DeltaSignature, Name: toolcall.SignsCall, Index: 7, Text: "s"}
	failure := toolcall.Delta{Kind: toolcall.DeltaError, Text: "no"}
	var got []toolcall.Delta
	for _, d := range []toolcall.Delta{signature, {Kind: toolcall.DeltaText, Text: "a"}, {Kind: toolcall.DeltaExtra, Index: toolcall.NoIndex, Name: "x", Text: "1"}} {
		got = x.Pass(got, d)
	}
	got = x.Append(got, toolcall.Event{Type: toolcall.SegmentStart, Segment: "tool_call", ID: "s1", Name: "f"})
	for _, d := range []toolcall.Delta{signature, failure, failure} {
		got = x.Pass(got, d)
	}
	got = x.Close(got, toolcall.Delta{})
	first, second := signature, signature
	first.Index, second.Index = toolcall.NoIndex, 0
	want := []toolcall.Delta{
		first, {Kind: toolcall.DeltaExtra, Index: toolcall.NoIndex, Name: "x", Text: "1"},
		{Kind: toolcall.DeltaToolCall, ID: "s1", Name: "f"}, second, failure,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
