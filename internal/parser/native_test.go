package parser

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/toolcall"
)

// outline renders each segment on a line: type, name, metadata, content, outcome. It fails the
// test if the events are out of order.
func outline(t testing.TB, events []toolcall.Event) []string {
	t.Helper()
	var order Order
	var lines []string
	at := map[string]int{}
	content := map[string]string{}
	for _, e := range events {
		if err := order.Check(e); err != nil {
			t.Fatalf("%v\n%+v", err, events)
		}
		switch e.Type {
		case toolcall.SegmentStart:
			at[e.ID] = len(lines)
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Segment, e.Name, e.Payload)))
		case toolcall.SegmentContent:
			content[e.ID] += e.Payload
		case toolcall.SegmentEnd:
			line := &lines[at[e.ID]]
			if *line += " ="; content[e.ID] != "" {
				*line += " " + content[e.ID]
			}
			if e.Status != toolcall.Complete {
				*line += fmt.Sprintf(" (%s: %s)", e.Status, e.Reason)
			}
			if e.Tolerances != 0 {
				*line += fmt.Sprintf(" [%s]", e.Tolerances)
			}
		}
	}
	if err := order.Close(); err != nil {
		t.Fatalf("%v\n%+v", err, events)
	}
	return lines
}

// Short names of deltas for the tables below.
func textDelta(s string) toolcall.Delta {
	return toolcall.Delta{Kind: toolcall.DeltaText, Text: s, Index: toolcall.NoIndex}
}
func reasoningDelta(s string) toolcall.Delta {
	return toolcall.Delta{Kind: toolcall.DeltaReasoning, Text: s, Index: toolcall.NoIndex}
}
func callDelta(index int, id, name, args string) toolcall.Delta {
	return toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: index, ID: id, Name: name, Text: args}
}
func wholeDelta(index int, id, name, args string) toolcall.Delta {
	d := callDelta(index, id, name, args)
	d.Whole, d.Done = true, true
	return d
}
func doneDelta(index int) toolcall.Delta {
	return toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: index, Done: true}
}
func finishDelta(reason string) toolcall.Delta {
	return toolcall.Delta{Kind: toolcall.DeltaFinish, Text: reason, Truncated: reason == "length"}
}

func TestNative(t *testing.T) {
	const none = toolcall.NoIndex
	stop := finishDelta("tool_calls")
	for _, tt := range []struct {
		name   string
		deltas []toolcall.Delta
		want   []string
	}{
		{"text, then two calls in a row",
			[]toolcall.Delta{textDelta("Hi"), callDelta(0, "a", "f", ""), callDelta(0, "", "", `{"x":`), callDelta(0, "", "", `1}`), callDelta(1, "b", "g", "{}"), stop},
			[]string{`text = Hi`, `tool_call f {"call_id":"a"} = {"x":1}`, `tool_call g {"call_id":"b"} = {}`}},
		{"two calls side by side",
			[]toolcall.Delta{callDelta(0, "a", "f", `{"x"`), callDelta(1, "b", "g", `{"y"`), callDelta(0, "", "", `:1}`), callDelta(1, "", "", `:2}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1}`, `tool_call g {"call_id":"b"} = {"y":2}`}},
		{"index always 0, ids differ",
			[]toolcall.Delta{callDelta(0, "a", "f", `{"x":1}`), callDelta(0, "b", "f", `{"x":2}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1}`, `tool_call f {"call_id":"b"} = {"x":2}`}},
		{"index always 0, no ids",
			[]toolcall.Delta{callDelta(0, "", "f", `{"x":1}`), callDelta(0, "", "f", `{"x":2}`), stop},
			[]string{`tool_call f = {"x":1}`, `tool_call f = {"x":2}`}},
		{"no index",
			[]toolcall.Delta{callDelta(none, "a", "f", ``), callDelta(none, "", "", `{"x":1}`), callDelta(none, "b", "g", `{"y"`), callDelta(none, "", "", `:2}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1}`, `tool_call g {"call_id":"b"} = {"y":2}`}},
		{"id and name in every fragment",
			[]toolcall.Delta{callDelta(0, "a", "f", `{"x"`), callDelta(0, "a", "f", `:1}`), callDelta(0, "a", "f", ``), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1}`}},
		{"the name in pieces",
			[]toolcall.Delta{callDelta(0, "a", "get_", ""), callDelta(0, "", "weather", ""), callDelta(0, "", "", "{}"), stop},
			[]string{`tool_call get_weather {"call_id":"a"} = {}`}},
		{"the id changes in every fragment",
			[]toolcall.Delta{callDelta(0, "a", "f", `{"x"`), callDelta(0, "b", "", `:1`), callDelta(0, "c", "", `}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1}`}},
		{"the name comes after arguments",
			[]toolcall.Delta{callDelta(0, "a", "", `{"x"`), callDelta(0, "", "f", `:1}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1}`}},
		{"no arguments",
			[]toolcall.Delta{callDelta(0, "a", "f", ""), stop},
			[]string{`tool_call f {"call_id":"a"} = {}`}},
		{"null arguments",
			[]toolcall.Delta{callDelta(0, "a", "f", "null"), stop},
			[]string{`tool_call f {"call_id":"a"} = {}`}},
		{"arguments encoded as a string once more",
			[]toolcall.Delta{callDelta(0, "a", "f", `"{\"x\":`), callDelta(0, "", "", `1}"`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1} [string_arguments]`}},
		{"an empty fragment after the end",
			[]toolcall.Delta{callDelta(0, "a", "f", "{}"), doneDelta(0), callDelta(0, "", "", ""), textDelta("ok"), stop},
			[]string{`tool_call f {"call_id":"a"} = {}`, `text = ok`}},
		{"arguments after the end of their call",
			[]toolcall.Delta{callDelta(0, "a", "f", "{}"), doneDelta(0), callDelta(0, "", "", `{"x":1}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {}`, `tool_call = {"x":1} (malformed: no_name)`}},
		{"an empty object before the arguments",
			[]toolcall.Delta{callDelta(0, "a", "f", "{}"), callDelta(0, "", "", `{"x"`), callDelta(0, "", "", `:1}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1} [duplicate_argument]`}},
		{"an empty object before whole arguments",
			[]toolcall.Delta{callDelta(0, "a", "f", "{}"), callDelta(0, "", "", "{} "), callDelta(0, "", "", "\n"), wholeDelta(0, "", "", `{"x":1}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1} [duplicate_argument]`}},
		{"an empty object, twice",
			[]toolcall.Delta{callDelta(0, "a", "f", "{}"), callDelta(0, "", "", "{}"), wholeDelta(0, "", "", "{}"), stop},
			[]string{`tool_call f {"call_id":"a"} = {}`}},
		{"an empty object, and something else",
			[]toolcall.Delta{callDelta(0, "a", "f", "{}"), callDelta(0, "", "", `x`), stop},
			[]string{`tool_call f {"call_id":"a"} = {} (malformed: invalid_json)`}},
		{"an empty object inside the arguments",
			[]toolcall.Delta{callDelta(0, "a", "f", `{"x":"`), callDelta(0, "a", "f", "{}"), callDelta(0, "a", "f", "{}"), callDelta(0, "a", "f", `"}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":"{}{}"}`}},
		{"empty objects before the arguments of calls that are interleaved",
			[]toolcall.Delta{
				callDelta(0, "a", "f", "{}"), callDelta(1, "b", "g", " {}"), callDelta(0, "", "", `{"x":1`), callDelta(1, "", "", `{"y":2}`), callDelta(0, "", "", `}`), stop,
			},
			[]string{`tool_call f {"call_id":"a"} = {"x":1} [duplicate_argument]`, `tool_call g {"call_id":"b"} = {"y":2} [duplicate_argument]`}},
		{"empty objects, which are all arguments",
			[]toolcall.Delta{callDelta(0, "a", "f", "{}"), callDelta(1, "b", "g", "{}"), callDelta(2, "c", "h", `{"x":1}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {}`, `tool_call g {"call_id":"b"} = {}`, `tool_call h {"call_id":"c"} = {"x":1}`}},
		{"an empty object before the name",
			[]toolcall.Delta{callDelta(0, "a", "", "{}"), callDelta(0, "", "f", `{"x":1}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1} [duplicate_argument]`}},
		{"an empty object and the arguments before the name",
			[]toolcall.Delta{callDelta(0, "a", "", "{}"), callDelta(0, "", "", `{"x":1}`), callDelta(0, "", "f", ""), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1} [duplicate_argument]`}},
		{"whole calls without an index",
			[]toolcall.Delta{wholeDelta(none, "", "f", `{"x":1}`), wholeDelta(none, "", "f", `{"x":2}`), stop},
			[]string{`tool_call f = {"x":1}`, `tool_call f = {"x":2}`}},
		{"whole arguments after their fragments",
			[]toolcall.Delta{callDelta(1, "a", "f", `{"x"`), wholeDelta(1, "", "", `{"x":1}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":1}`}},
		{"whole arguments in another spelling than their fragments",
			[]toolcall.Delta{callDelta(1, "a", "f", `{"x": 1,`), callDelta(1, "", "", `"y":"é"}`), wholeDelta(1, "", "", `{"y":"\u00e9","x":1.0}`), wholeDelta(1, "", "", `{"x":1,"y":"é"}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x": 1,"y":"é"}`}},
		{"whole arguments in another spelling, with another value",
			[]toolcall.Delta{callDelta(1, "a", "f", `{"x": 1}`), wholeDelta(1, "", "", `{"x":2}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x": 1} (malformed: arguments_differ)`}},
		{"whole arguments in another spelling than the beginning",
			[]toolcall.Delta{callDelta(1, "a", "f", `{"x": 1`), wholeDelta(1, "", "", `{"x":1}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x":  (malformed: arguments_differ)`}},
		{"whole arguments that differ from their fragments",
			[]toolcall.Delta{callDelta(1, "a", "f", `{"x"`), wholeDelta(1, "", "", `{"y":1}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x" (malformed: arguments_differ)`}},
		{"cut in the arguments",
			[]toolcall.Delta{callDelta(0, "a", "f", `{"x":"y`)},
			[]string{`tool_call f {"call_id":"a"} = {"x":"y (incomplete: end_of_stream)`}},
		{"cut in the arguments, says the provider",
			[]toolcall.Delta{callDelta(0, "a", "f", `{"x":"y`), finishDelta("length")},
			[]string{`tool_call f {"call_id":"a"} = {"x":"y (incomplete: truncated_by_provider)`}},
		{"cut before the arguments, says the provider",
			[]toolcall.Delta{callDelta(0, "a", "f", ``), finishDelta("length")},
			[]string{`tool_call f {"call_id":"a"} = (incomplete: truncated_by_provider)`}},
		{"cut after null, says the provider",
			[]toolcall.Delta{callDelta(0, "a", "f", "null"), finishDelta("length")},
			[]string{`tool_call f {"call_id":"a"} = (incomplete: truncated_by_provider)`}},
		{"cut after a restart, which the finish reason precedes",
			[]toolcall.Delta{callDelta(0, "a", "f", `{"x":`), stop, {Kind: toolcall.DeltaRestart}, callDelta(0, "b", "f", `{"x":1}`)},
			[]string{`tool_call f {"call_id":"a"} = {"x": (incomplete: end_of_stream)`, `tool_call f {"call_id":"b"} = {"x":1} [missing_closer]`}},
		{"cut after the arguments",
			[]toolcall.Delta{callDelta(0, "a", "f", `{"x":1}`)},
			[]string{`tool_call f {"call_id":"a"} = {"x":1} [missing_closer]`}},
		{"never a name",
			[]toolcall.Delta{callDelta(0, "a", "", `{"x":1}`), stop},
			[]string{`tool_call  {"call_id":"a"} = {"x":1} (malformed: no_name)`}},
		{"a name of blanks",
			[]toolcall.Delta{callDelta(0, "a", " \n", `{"x":1}`), stop},
			[]string{`tool_call  {"call_id":"a"} = {"x":1} (malformed: no_name)`}},
		{"a name of blanks, whole",
			[]toolcall.Delta{wholeDelta(0, "", " ", `{"x":1}`), stop},
			[]string{`tool_call = {"x":1} (malformed: no_name)`}},
		{"a name that begins with a blank piece",
			[]toolcall.Delta{callDelta(0, "a", " ", ""), callDelta(0, "", "f", ""), callDelta(0, "", "", `{}`), stop},
			[]string{`tool_call  f {"call_id":"a"} = {}`}},
		{"arguments that are no object",
			[]toolcall.Delta{callDelta(0, "a", "f", `[1]`), stop},
			[]string{`tool_call f {"call_id":"a"} = (malformed: arguments_not_an_object)`}},
		{"two objects",
			[]toolcall.Delta{callDelta(0, "a", "f", `{}{"x":1}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {} (malformed: invalid_json)`}},
		{"nearly JSON",
			[]toolcall.Delta{callDelta(0, "a", "f", `{'x': True,}`), stop},
			[]string{`tool_call f {"call_id":"a"} = {"x": true} [trailing_comma,single_quotes,python_literal]`}},
		{"a file, its path first",
			[]toolcall.Delta{callDelta(0, "a", "write_file", `{"path":"/a","content":"x\ny`), callDelta(0, "", "", `\u00e9"}`), stop},
			[]string{"write_file write_file {\"path\":\"/a\",\"call_id\":\"a\"} = x\nyé"}},
		{"a file, its path last",
			[]toolcall.Delta{callDelta(0, "a", "write_file", `{"content":"x","meta":{"path":"no"},`), callDelta(0, "", "", `"path":"/a"}`), stop},
			[]string{`tool_call write_file {"call_id":"a"} = {"content":"x","meta":{"path":"no"},"path":"/a"}`}},
		{"a file, its path after its content",
			[]toolcall.Delta{callDelta(0, "a", "write_file", `{"content":"x\n",`), callDelta(0, "", "", `"path":"/a","mode":1}`), stop},
			[]string{`write_file write_file {"path":"/a","call_id":"a"} = x` + "\n"}},
		{"a file without content",
			[]toolcall.Delta{callDelta(0, "a", "write_file", `{"path":"/a"}`), stop},
			[]string{`tool_call write_file {"call_id":"a"} = {"path":"/a"}`}},
		{"a command under another name",
			[]toolcall.Delta{callDelta(0, "a", "run_bash", `{"cmd":"ls"}`), stop},
			[]string{`tool_call run_bash {"call_id":"a"} = {"cmd":"ls"}`}},
		{"a file, cut",
			[]toolcall.Delta{callDelta(0, "a", "write_file", `{"path":"/a","content":"x`)},
			[]string{`write_file write_file {"path":"/a","call_id":"a"} = x (incomplete: end_of_stream)`}},
		{"a command",
			[]toolcall.Delta{callDelta(0, "a", "run_bash", `{"command":"ls","background":true}`), stop},
			[]string{`run_bash run_bash {"call_id":"a"} = ls`}},
		{"reasoning, text, reasoning, a call",
			[]toolcall.Delta{reasoningDelta("hm"), textDelta("a"), reasoningDelta("so"), callDelta(0, "a", "f", "{}"), stop},
			[]string{`reasoning = hm`, `text = a`, `reasoning = so`, `tool_call f {"call_id":"a"} = {}`}},
		{"reasoning, cut",
			[]toolcall.Delta{reasoningDelta("hm")},
			[]string{`reasoning = hm (incomplete: end_of_stream)`}},
		{"reasoning tags in text",
			[]toolcall.Delta{textDelta("<thi"), textDelta("nk>hm</think>a"), stop},
			[]string{`reasoning = hm`, `text = a`}},
		{"blanks between two calls",
			[]toolcall.Delta{callDelta(0, "a", "f", "{}"), textDelta(" "), callDelta(1, "b", "g", "{}"), stop},
			[]string{`tool_call f {"call_id":"a"} = {}`, `text =  `, `tool_call g {"call_id":"b"} = {}`}},
		{"another choice",
			[]toolcall.Delta{textDelta("a"), {Kind: toolcall.DeltaText, Choice: 1, Text: "b"}, stop},
			[]string{`text = a`}},
		{"a call without anything", []toolcall.Delta{callDelta(0, "", "", "")}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			var events []toolcall.Event
			for _, d := range tt.deltas {
				events = p.FeedDelta(events, d)
			}
			events = p.Close(events)
			if diff := cmp.Diff(tt.want, outline(t, events)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFailedAfterEmptyObject: an object without members is known to be all of the arguments
// only if the wire says that the call, or the answer, has ended.
func TestFailedAfterEmptyObject(t *testing.T) {
	const (
		whole = `tool_call f {"call_id":"a"} = {}`
		cut   = `tool_call f {"call_id":"a"} = (incomplete: end_of_stream)`
	)
	failure := toolcall.Delta{Kind: toolcall.DeltaError, Text: "overloaded"}
	for _, tt := range []struct {
		name   string
		deltas []toolcall.Delta
		failed error
		want   string
	}{
		{"cut", []toolcall.Delta{callDelta(0, "a", "f", "{}")}, io.ErrUnexpectedEOF, cut},
		{"ended without a reason", []toolcall.Delta{callDelta(0, "a", "f", "{}")}, nil, whole + " [missing_closer]"},
		{"cut after whole arguments", []toolcall.Delta{callDelta(0, "a", "f", "{}"), {Kind: toolcall.DeltaToolCall, Text: "{}", Whole: true}}, io.ErrUnexpectedEOF, whole + " [missing_closer]"},
		{"cut after other arguments", []toolcall.Delta{callDelta(0, "a", "f", `{"x":1}`)}, io.ErrUnexpectedEOF, strings.Replace(whole, "{}", `{"x":1}`, 1) + " [missing_closer]"},
		{"cut after the finish reason", []toolcall.Delta{callDelta(0, "a", "f", "{}"), finishDelta("stop")}, io.ErrUnexpectedEOF, whole},
		{"cut after the end of the call", []toolcall.Delta{callDelta(0, "a", "f", "{}"), doneDelta(0)}, io.ErrUnexpectedEOF, whole},
		{"an error of the provider", []toolcall.Delta{callDelta(0, "a", "f", "{}"), failure}, nil, strings.Replace(cut, "incomplete: end_of_stream", "rejected: stream_error", 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := func(yield func(toolcall.Delta, error) bool) {
				for _, d := range tt.deltas {
					if !yield(d, nil) {
						return
					}
				}
				if tt.failed != nil {
					yield(toolcall.Delta{}, tt.failed)
				}
			}
			var events []toolcall.Event
			var last error
			for e, err := range Events(source, Options{}) {
				if last = err; err == nil {
					events = append(events, e)
				}
			}
			if diff := cmp.Diff([]string{tt.want}, outline(t, events)); diff != "" || !errors.Is(last, tt.failed) {
				t.Errorf("%v, %s", last, diff)
			}
		})
	}
}
