package conform

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/toolcall"
)

func said(segments ...segment) outcome { return outcome{segments: segments} }

func run(of toolcall.SegmentType, content string) segment {
	return segment{start: toolcall.Event{Type: toolcall.SegmentStart, Segment: of}, content: content}
}

func call(name, args string, status toolcall.Status) toolcall.ToolInvocation {
	return toolcall.ToolInvocation{Name: name, Arguments: json.RawMessage(args), Status: status}
}

func TestCheckText(t *testing.T) {
	text := func(s string) *string { return &s }
	got := said(run(toolcall.SegmentText, " a\n"), run(toolcall.SegmentReasoning, "why"), run(toolcall.SegmentText, "\t b "))
	tests := []struct {
		name   string
		expect Expectation
		mode   TextMode
		want   []Mismatch
	}{
		{"collapsed", Expectation{Text: text("a b"), Reasoning: text(" why")}, Collapsed, nil},
		{"null is unasserted", Expectation{}, Collapsed, nil},
		{"unasserted", Expectation{Text: text("x"), Reasoning: text("y")}, Unasserted, nil},
		{"different", Expectation{Text: text("ab"), Reasoning: text("")}, Collapsed,
			[]Mismatch{{"text", `"ab"`, `"a b"`}, {"reasoning", `""`, `"why"`}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := Vector{Expect: tt.expect, Compare: Comparison{tt.mode, tt.mode, ArgsJSON}}
			if diff := cmp.Diff(tt.want, v.check(got)); diff != "" {
				t.Errorf("mismatches (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckCalls(t *testing.T) {
	const (
		complete, incomplete, malformed = toolcall.Complete, toolcall.Incomplete, toolcall.Malformed
	)
	tests := []struct {
		name  string
		calls string // JSON
		cut   bool
		mode  ArgsMode
		got   []toolcall.ToolInvocation
		want  []Mismatch
	}{
		{"none", `[]`, false, ArgsJSON, nil, nil},
		{"same", `[{"name":"f","arguments":{"a":1.0}}]`, false, ArgsJSON, []toolcall.ToolInvocation{call("f", `{ "a":1}`, complete)}, nil},
		{"missing", `[{"name":"f","arguments":{}},{"name":"g","arguments":{}}]`, false, ArgsJSON,
			[]toolcall.ToolInvocation{call("f", `{}`, complete)}, []Mismatch{{"calls", "[f, g]", "[f]"}}},
		{"one too many", `[]`, false, ArgsJSON, []toolcall.ToolInvocation{call("f", `{}`, complete)}, []Mismatch{{"calls", "[]", "[f]"}}},
		{"other value", `[{"name":"f","arguments":{"a":1}}]`, false, ArgsJSON, []toolcall.ToolInvocation{call("f", `{"a":"1"}`, complete)},
			[]Mismatch{{"call 1 (f): arguments", `{"a":1}`, `{"a":"1"}`}}},
		{"not complete", `[{"name":"f","arguments":{"a":1}}]`, false, ArgsJSON, []toolcall.ToolInvocation{call("f", `{"a":1}`, malformed)},
			[]Mismatch{{"call 1 (f): status", "complete", "malformed"}}},
		{"broken", `[{"name":"f","arguments":{"a":1}}]`, false, ArgsJSON, []toolcall.ToolInvocation{call("f", `{"a":1`, malformed)},
			[]Mismatch{{"call 1 (f): status", "complete", "malformed"}, {"call 1 (f): arguments", `{"a":1}`, `{"a":1  (not JSON)`}}},
		{"cut, closed where it stops", `[{"name":"f","arguments":{"a":"x"}}]`, true, ArgsJSON, []toolcall.ToolInvocation{call("f", `{"a":"x`, incomplete)}, nil},
		{"cut, but said to be complete", `[{"name":"f","arguments":{"a":1}}]`, true, ArgsJSON, []toolcall.ToolInvocation{call("f", `{"a":1}`, complete)},
			[]Mismatch{{"call 1 (f): status", "incomplete", "complete"}}},
		{"only the last is cut", `[{"name":"f","arguments":{}},{"name":"g","arguments":{}}]`, true, ArgsJSON,
			[]toolcall.ToolInvocation{call("f", `{}`, incomplete), call("g", ``, incomplete)},
			[]Mismatch{{"call 1 (f): status", "complete", "incomplete"}}},
		{"raw", `[{"name":"f","arguments":"{\"a\": 1"}]`, false, ArgsJSON, []toolcall.ToolInvocation{call("f", `{"a":1`, malformed)}, nil},
		{"raw, by value", `[{"name":"f","arguments":"{\"a\": 1"}]`, false, ArgsJSON, []toolcall.ToolInvocation{call("f", `{"a":1.0}`, complete)}, nil},
		{"raw, other", `[{"name":"f","arguments":"{\"a\": 1"}]`, false, ArgsJSON, []toolcall.ToolInvocation{call("f", `{"a":2`, malformed)},
			[]Mismatch{{"call 1 (f): raw arguments", `{"a": 1`, `{"a":2`}}},
		{"raw, but incomplete", `[{"name":"f","arguments":"{"}]`, false, ArgsJSON, []toolcall.ToolInvocation{call("f", `{`, incomplete)},
			[]Mismatch{{"call 1 (f): status", "complete or malformed", "incomplete"}}},
		{"prefix", `[{"name":"f","arguments":"{\"a\": \"x y"}]`, true, ArgsPrefix, []toolcall.ToolInvocation{call("f", `{"a":"x y z`, incomplete)}, nil},
		{"prefix the other way", `[{"name":"f","arguments":"{\"a\": \"x y"}]`, true, ArgsPrefix, []toolcall.ToolInvocation{call("f", `{"a":`, incomplete)}, nil},
		{"no prefix", `[{"name":"f","arguments":"{\"a\": \"x y"}]`, true, ArgsPrefix, []toolcall.ToolInvocation{call("f", `{"a":"xy`, incomplete)},
			[]Mismatch{{"call 1 (f): raw arguments, as a prefix", `{"a":"x y`, `{"a":"xy`}}},
		{"prefix mode, object", `[{"name":"f","arguments":{"a":1}}]`, false, ArgsPrefix, []toolcall.ToolInvocation{call("f", `{"a":2}`, complete)},
			[]Mismatch{{"call 1 (f): arguments", `{"a":1}`, `{"a":2}`}}},
		{"name only", `[{"name":"f","arguments":{"a":1}}]`, false, ArgsNameOnly, []toolcall.ToolInvocation{call("f", `[`, malformed)}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := Vector{Expect: Expectation{Incomplete: tt.cut}, Compare: Comparison{Args: tt.mode}}
			if err := json.Unmarshal([]byte(tt.calls), &v.Expect.Calls); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, v.check(outcome{calls: tt.got})); diff != "" {
				t.Errorf("mismatches (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffer(t *testing.T) {
	whole := outcome{
		segments: []segment{run(toolcall.SegmentText, "a")},
		calls:    []toolcall.ToolInvocation{call("f", `{}`, toolcall.Complete)},
	}
	tests := []struct {
		name  string
		other outcome
		want  string // the field that differs
	}{
		{"same", outcome{whole.segments, whole.calls}, ""},
		{"content", outcome{[]segment{run(toolcall.SegmentText, "b")}, whole.calls}, "segment 1"},
		{"one more segment", outcome{append(whole.segments, run(toolcall.SegmentText, "")), whole.calls}, "number of segments"},
		{"arguments", outcome{whole.segments, []toolcall.ToolInvocation{call("f", `{ }`, toolcall.Complete)}}, "calls"},
		{"no call", outcome{whole.segments, nil}, "calls"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, differs := differ(whole, tt.other)
			if m.Field != tt.want || differs != (tt.want != "") {
				t.Errorf("got %q, %v; want %q", m.Field, differs, tt.want)
			}
		})
	}
}
