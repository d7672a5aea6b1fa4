package parser

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// TestPrefillExamples checks that the calls are the same wherever the prompt ends and the
// model begins, and that the raw bytes are those that the model wrote.
func TestPrefillExamples(t *testing.T) {
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			whole := prefilledCalls(t, d, "", d.Example)
			for n := range len(d.Example) + 1 {
				for _, size := range []int{1, len(d.Example)} {
					if diff := cmp.Diff(whole, prefilledCalls(t, d, d.Example[:n], d.Example[n:], size)); diff != "" {
						t.Fatalf("after %q in pieces of %d:\n%s", d.Example[:n], size, diff)
					}
				}
			}
		})
	}
}

// prefilledCalls returns the calls in a text after a prefill: name, arguments, status and
// tolerances. It checks the order of the events, and that the raw bytes are the text.
func prefilledCalls(t *testing.T, d *dialect.Dialect, before, text string, size ...int) (calls []string) {
	t.Helper()
	p, err := New(Options{Dialects: []*dialect.Dialect{d}, Prefill: before})
	if err != nil {
		t.Fatal(err)
	}
	var events []toolcall.Event
	for rest := text; rest != ""; {
		n := len(rest)
		if size != nil {
			n = min(n, size[0])
		}
		events, rest = p.Feed(events, rest[:n]), rest[n:]
	}
	var order Order
	var raw, call strings.Builder
	for _, e := range p.Close(events) {
		if err := order.Check(e); err != nil {
			t.Fatalf("after %q: %v", before, err)
		}
		raw.WriteString(e.Raw)
		if !e.Segment.IsCall() {
			continue
		}
		switch e.Type {
		case toolcall.SegmentStart:
			call.Reset()
			call.WriteString(e.Name + " ")
		case toolcall.SegmentContent:
			call.WriteString(e.Delta())
		case toolcall.SegmentEnd:
			calls = append(calls, call.String()+" "+e.Status.String()+" "+e.Tolerances.String())
		}
	}
	if raw.String() != text {
		t.Fatalf("after %q: the raw bytes are %q, want %q", before, raw.String(), text)
	}
	return calls
}

// TestPrefill checks what the parser emits of a prefill.
func TestPrefill(t *testing.T) {
	for _, tt := range []struct {
		name          string
		dialect       string
		prefill, text string
		want          []string
	}{
		{"reasoning", "qwen3_coder", "<think>\n", "hm</think>so", []string{
			`reasoning content "hm" complete raw ["" "hm" "</think>"]`, `text content "so" complete raw ["" "so" ""]`,
		}},
		{"reasoning that has ended", "qwen3_coder", "<think>\n\n</think>\n\n", "so", []string{`text content "so" complete raw ["" "so" ""]`}},
		{"reasoning with a beginning", "qwen3_coder", "<think>\nFirst,", " then</think>", []string{`reasoning content " then" complete raw ["" " then" "</think>"]`}},
		{"reasoning that ends at once", "qwen3_coder", "<think>", "</think>so", []string{
			`reasoning content "" complete raw ["" "" "</think>"]`, `text content "so" complete raw ["" "so" ""]`,
		}},
		{"text", "hermes", "Sure", ", here", []string{`text content ", here" complete raw ["" ", here" ""]`}},
		{"text alone", "hermes", "Sure", "", nil},
		{"half of what looks like a marker", "hermes", "a <tool", "s b", []string{`text content "s b" complete raw ["" "s b" ""]`}},
		{"half of a marker", "hermes", "a <tool", `_call>{"name":"f","arguments":{}}</tool_call>`, []string{
			`tool_call f content "{}" complete raw ["_call>{\"name\":\"f\",\"arguments\":" "{}}" "</tool_call>"]`,
		}},
		{"a forced call", "hermes", "<tool_call>\n{\"name\": \"f\", \"arguments\": ", "{\"a\": 1}}\n</tool_call>", []string{
			`tool_call f content "{\"a\": 1}" complete raw ["" "{\"a\": 1}}" "\n</tool_call>"]`,
		}},
		{"a forced name", "hermes", `<tool_call>` + "\n" + `{"name": "`, `f", "arguments": {}}` + "\n</tool_call>", []string{
			`tool_call f content "{}" complete raw ["f\", \"arguments\": " "{}}" "\n</tool_call>"]`,
		}},
		{"a header of harmony", "openai", "<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>", `{"a":1}<|call|>`, []string{
			`tool_call f content "{\"a\":1}" complete raw ["" "{\"a\":1}" "<|call|>"]`,
		}},
		{"half of one", "openai", "<|start|>assistant<|channel|>", "analysis<|message|>hm<|end|>", []string{
			`reasoning content "hm" complete raw ["analysis<|message|>" "hm" "<|end|>"]`,
		}},
		{"two messages of text are one", "openai", "<|channel|>final<|message|>a<|end|>", "<|start|>assistant<|channel|>final<|message|>b", []string{
			`text content "\nb" complete raw ["<|start|>assistant<|channel|>final<|message|>" "b" ""]`,
		}},
		{"functionary's marker", "functionary_v32", ">>>", "f\n{\"a\": 1}", []string{`tool_call f content "{\"a\": 1}" complete raw ["f\n" "{\"a\": 1}" ""]`}},
		{"functionary's text", "functionary_v32", ">>>", "all\nHi", []string{`text content "Hi" complete raw ["all\n" "Hi" ""]`}},
		{"inside a value", "qwen3_coder", "<tool_call>\n<function=f>\n<parameter=a>\none", " two\n</parameter>\n</function>\n</tool_call>", []string{
			`tool_call f content "{\"a\":\"one two\"}" complete raw ["" " two\n</parameter>\n" "</function>\n</tool_call>"]`,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, pieces := range [][]string{{tt.text}, strings.Split(tt.text, "")} {
				dialects, err := dialect.Named(tt.dialect, "")
				if err != nil {
					t.Fatal(err)
				}
				p, err := New(Options{Dialects: dialects, Prefill: tt.prefill})
				if err != nil {
					t.Fatal(err)
				}
				got := segments(p, pieces...)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("in %d pieces: %s", len(pieces), diff)
				}
			}
		})
	}
}

// TestPrefillDeltas checks prefills on a wire, also with other deltas than text.
func TestPrefillDeltas(t *testing.T) {
	p, err := New(Options{Dialects: []*dialect.Dialect{row("hermes")}, Prefill: "<tool_call>\n{\"name\": \"f\", "})
	if err != nil {
		t.Fatal(err)
	}
	var events []toolcall.Event
	for _, d := range []toolcall.Delta{
		{Kind: toolcall.DeltaText, Text: `"arguments": `}, {Kind: toolcall.DeltaText, Text: "{}}\n</tool_call>"}, {Kind: toolcall.DeltaReasoning, Text: "hm"},
	} {
		events = p.FeedDelta(events, d)
	}
	var got []string
	for _, e := range p.Close(events) {
		got = append(got, e.Type.String()+" "+string(e.Segment)+" "+e.Name+e.Payload)
	}
	want := []string{"SEGMENT_START tool_call f", "SEGMENT_CONTENT tool_call {}", "SEGMENT_END tool_call ", "SEGMENT_START reasoning ", "SEGMENT_CONTENT reasoning hm", "SEGMENT_END reasoning "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPrompted checks that, with Prompted, the answer continues after the text with which the
// row says that prompts end: inside reasoning, or in a call.
func TestPrompted(t *testing.T) {
	prompts := 0
	for _, d := range dialect.All() {
		if opening(d) == "" {
			continue
		}
		prompts++
		t.Run(d.Name, func(t *testing.T) {
			in, want := "hm", toolcall.SegmentReasoning
			if rest, ok := strings.CutPrefix(d.Example, opening(d)); ok {
				in, want = rest, toolcall.SegmentToolCall
			}
			p, err := New(Options{Dialects: []*dialect.Dialect{d}, Prompted: true})
			if err != nil {
				t.Fatal(err)
			}
			raw := ""
			var first toolcall.Event
			for _, e := range p.Close(p.Feed(nil, in)) {
				if raw += e.Raw; first == (toolcall.Event{}) {
					first = e
				}
			}
			if first.Segment != want || raw != in {
				t.Errorf("%q begins with %v, and its raw bytes are %q", in, first.Segment, raw)
			}
		})
	}
	if prompts < 20 {
		t.Errorf("only %d rows say what the prompt begins", prompts)
	}
}
