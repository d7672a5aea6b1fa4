package parser_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

var weather = []toolcall.ToolDefinition{{
	Name: "get_weather", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`),
}}

// segment is the result of the events of one segment.
type segment struct {
	ID, Name, Content, Raw string
	Type                   toolcall.SegmentType
	Status                 toolcall.Status
	Reason                 toolcall.Reason
	Dialect                string
}

// segmentsOf parses deltas.
func segmentsOf(t rapid.TB, opts parser.Options, deltas ...toolcall.Delta) (list []segment, raw string) {
	p, err := parser.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	var events []toolcall.Event
	for _, d := range deltas {
		events = p.FeedDelta(events, d)
	}
	at := map[string]int{}
	for _, e := range p.Close(events) {
		raw += e.Raw
		if e.Type == toolcall.SegmentStart {
			at[e.ID] = len(list)
			list = append(list, segment{ID: e.ID, Name: e.Name, Type: e.Segment, Dialect: e.Dialect()})
		}
		s := &list[at[e.ID]]
		s.Raw += e.Raw
		switch e.Type {
		case toolcall.SegmentContent:
			s.Content += e.Payload
		case toolcall.SegmentEnd:
			s.Status, s.Reason = e.Status, e.Reason
		}
	}
	return list, raw
}

func dialectsOf(t rapid.TB, name string) []*dialect.Dialect {
	list, err := dialect.Named(name, "")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func thought(text string) toolcall.Delta {
	return toolcall.Delta{Kind: toolcall.DeltaReasoning, Text: text}
}

var finished = toolcall.Delta{Kind: toolcall.DeltaFinish, Name: "stop"}

// TestCallsInWireReasoning checks that, if calls in reasoning count, they also count in
// reasoning that a wire separates, and that the reasoning continues around them.
func TestCallsInWireReasoning(t *testing.T) {
	const call = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>"
	around := []segment{
		{ID: "seg_1", Type: toolcall.SegmentReasoning, Content: "Hm. ", Raw: "Hm. ", Status: toolcall.Complete},
		{ID: "seg_2", Type: toolcall.SegmentToolCall, Name: "get_weather", Content: `{"city": "Oslo"}`, Raw: call, Status: toolcall.Complete, Dialect: "hermes"},
		{ID: "seg_3", Type: toolcall.SegmentReasoning, Content: " So.", Raw: " So.", Status: toolcall.Complete},
		{ID: "seg_4", Type: toolcall.SegmentText, Content: "Done.", Raw: "Done.", Status: toolcall.Complete},
	}
	none := []segment{
		{ID: "seg_1", Type: toolcall.SegmentReasoning, Content: "Hm. " + call + " So.", Raw: "Hm. " + call + " So.", Status: toolcall.Complete},
		{ID: "seg_2", Type: toolcall.SegmentText, Content: "Done.", Raw: "Done.", Status: toolcall.Complete},
	}
	for name, c := range map[string]struct {
		opts parser.Options
		want []segment
	}{
		"asked for":               {parser.Options{Dialects: dialectsOf(t, "hermes"), CallsInReasoning: true}, around},
		"in auto":                 {parser.Options{Dialects: dialectsOf(t, "auto"), CallsInReasoning: true}, around},
		"in auto, declared":       {parser.Options{Dialects: dialectsOf(t, "auto"), CallsInReasoning: true, Tools: weather}, around},
		"recovered":               {parser.Options{Recover: true, Tools: weather}, around},
		"recovered beside it":     {parser.Options{Dialects: dialectsOf(t, "hermes"), Recover: true, Tools: weather}, around},
		"recovered beside xml":    {parser.Options{Dialects: dialectsOf(t, "xml"), Recover: true, Tools: weather}, around},
		"recovered in auto":       {parser.Options{Dialects: dialectsOf(t, "auto"), Recover: true, Tools: weather}, around},
		"by default":              {parser.Options{}, none},
		"by default in hermes":    {parser.Options{Dialects: dialectsOf(t, "hermes")}, none},
		"by default in auto":      {parser.Options{Dialects: dialectsOf(t, "auto")}, none},
		"in another dialect":      {parser.Options{Dialects: dialectsOf(t, "mistral"), CallsInReasoning: true}, none},
		"of a tool not declared":  {parser.Options{Recover: true, Tools: []toolcall.ToolDefinition{{Name: "other"}}}, none},
		"no dialect for the text": {parser.Options{CallsInReasoning: true}, around},
		"none, by its name":       {parser.Options{Dialects: dialectsOf(t, "api_tool_call"), CallsInReasoning: true}, around},
	} {
		t.Run(name, func(t *testing.T) {
			for _, cut := range []int{1, 2, 7, 1000} {
				var deltas []toolcall.Delta
				for text := "Hm. " + call + " So."; text != ""; {
					n := min(cut, len(text))
					deltas, text = append(deltas, thought(text[:n])), text[n:]
				}
				got, _ := segmentsOf(t, c.opts, append(deltas, toolcall.Delta{Kind: toolcall.DeltaText, Text: "Done."}, finished)...)
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Fatalf("in pieces of %d (-want +got):\n%s", cut, diff)
				}
			}
		})
	}
}

// TestWireReasoningEnds checks that a call is incomplete if the reasoning ends inside it,
// whatever comes next, and that nothing of it is lost.
func TestWireReasoningEnds(t *testing.T) {
	opts := parser.Options{Dialects: dialectsOf(t, "hermes"), CallsInReasoning: true}
	for name, next := range map[string][]toolcall.Delta{
		"text":          {{Kind: toolcall.DeltaText, Text: "x"}, finished},
		"a native call": {{Kind: toolcall.DeltaToolCall, ID: "c", Name: "f", Text: "{}", Whole: true, Done: true}, finished},
		"the end":       {finished},
		"a refusal":     {{Kind: toolcall.DeltaRefusal, Text: "no"}, finished},
		"nothing":       nil,
	} {
		got, raw := segmentsOf(t, opts, append([]toolcall.Delta{thought("a <tool_call>\n{\"name\": \"f\", \"arguments\": {\"x\": \"y")}, next...)...)
		if len(got) < 2 || got[0].Raw != "a " || got[1].Status != toolcall.Incomplete || !strings.HasPrefix(raw, "a <tool_call>\n{\"name\": \"f\", \"arguments\": {\"x\": \"y") {
			t.Errorf("%s: %+v", name, got)
		}
		if name == "text" && got[len(got)-1].Content != "x" {
			t.Errorf("the text after it is %+v", got)
		}
	}
}

// TestWireReasoningTwins checks that a call counts once if it is in the reasoning and also
// comes natively, in either order.
func TestWireReasoningTwins(t *testing.T) {
	native := toolcall.Delta{Kind: toolcall.DeltaToolCall, ID: "c", Name: "get_weather", Text: `{"city":"Oslo"}`, Whole: true, Done: true}
	text := thought("<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>")
	for _, opts := range []parser.Options{
		{Dialects: dialectsOf(t, "hermes"), CallsInReasoning: true},
		{Recover: true, Tools: weather},
	} {
		for _, deltas := range [][]toolcall.Delta{{text, native, finished}, {native, text, finished}} {
			got, _ := segmentsOf(t, opts, deltas...)
			if len(got) != 2 || got[0].Status != toolcall.Complete || got[1].Reason != toolcall.ReasonDuplicate {
				t.Errorf("%+v", got)
			}
		}
	}
}

// TestReasoningBeforeCalls checks that in auto a call ends open reasoning if it does so in its
// own dialect.
func TestReasoningBeforeCalls(t *testing.T) {
	for _, d := range dialectsOf(t, "auto") {
		if d.Channels.Close != nil {
			continue // its reasoning is a message of its own
		}
		input := "<think>Let me look. " + d.Example
		for _, calls := range []bool{false, true} {
			opts := parser.Options{Dialects: []*dialect.Dialect{d}, Tools: weather, CallsInReasoning: calls}
			want := read(t, input, opts)
			opts.Dialects = dialectsOf(t, "auto")
			got := read(t, input, opts)
			if why := want.differs(got); why != "" && want.reasoning != "" && (calls || d.CallsEndReasoning) && len(want.calls) == 1 && autoReadsNot(d.Name, "form 0", weather) == "" {
				t.Errorf("%s, calls in reasoning %t: %s", d.Name, calls, why)
			}
		}
	}
}

// TestWireReasoningSplits checks that any text in reasoning gives the same segments, without
// any loss, however it is cut.
func TestWireReasoningSplits(t *testing.T) {
	auto := dialectsOf(t, "auto")
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			d := auto[rapid.IntRange(0, len(auto)-1).Draw(t, "dialect")]
			part := d.Example
			text.WriteString(part[rapid.IntRange(0, len(part)/2).Draw(t, "from"):rapid.IntRange(len(part)/2, len(part)).Draw(t, "to")])
			text.WriteString(rapid.SampledFrom([]string{"", "\n", " hm ", "</think>", "<think>", "`"}).Draw(t, "between"))
		}
		opts := parser.Options{CallsInReasoning: rapid.Bool().Draw(t, "calls"), Recover: rapid.Bool().Draw(t, "recover")}
		opts.Dialects = dialectsOf(t, rapid.SampledFrom([]string{"auto", "hermes", "qwen3_coder", "api_tool_call", "openai"}).Draw(t, "asked"))
		if opts.Recover || rapid.Bool().Draw(t, "tools") {
			opts.Tools = weather
		}
		last := []toolcall.Delta{{Kind: toolcall.DeltaText, Text: "ok"}, finished}
		want, raw := segmentsOf(t, opts, append([]toolcall.Delta{thought(text.String())}, last...)...)
		if raw != text.String()+"ok" {
			t.Fatalf("raw is %q, want %q", raw, text.String()+"ok")
		}
		var pieces []toolcall.Delta
		for rest := text.String(); rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			pieces, rest = append(pieces, thought(rest[:n])), rest[n:]
		}
		got, _ := segmentsOf(t, opts, append(pieces, last...)...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%q", diff, fmt.Sprint(pieces))
		}
	})
}

// TestFenceAfterWireReasoning checks that a fence at the beginning of the text after reasoning
// begins a line: the wire's reasoning is not part of the text's line.
func TestFenceAfterWireReasoning(t *testing.T) {
	dialects, err := dialect.Named("auto", "")
	if err != nil {
		t.Fatal(err)
	}
	const fenced = "```json\n{\"name\": \"f\", \"arguments\": {}}\n```"
	for _, tt := range []struct {
		before string // text before the reasoning
		want   int
	}{{"", 1}, {"so: ", 0}} {
		p, err := parser.New(parser.Options{Dialects: dialects})
		if err != nil {
			t.Fatal(err)
		}
		var events []toolcall.Event
		for _, d := range []toolcall.Delta{
			{Kind: toolcall.DeltaText, Text: tt.before}, {Kind: toolcall.DeltaReasoning, Text: "hm"}, {Kind: toolcall.DeltaText, Text: fenced},
		} {
			events = p.FeedDelta(events, d)
		}
		calls := 0
		for _, e := range p.Close(events) {
			if e.Type == toolcall.SegmentStart && e.Segment.IsCall() {
				calls++
			}
		}
		if calls != tt.want {
			t.Errorf("after %q: %d calls, want %d", tt.before, calls, tt.want)
		}
	}
}
