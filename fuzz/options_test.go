package fuzz

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// brief is a segment in one line.
type brief struct {
	Type    toolcall.SegmentType
	Name    string
	Payload string
	Status  toolcall.Status
	Reason  toolcall.Reason
}

func briefly(t *testing.T, r recording) []brief {
	t.Helper()
	segs, err := segments(r.events())
	if err != nil {
		t.Fatal(err)
	}
	var out []brief
	for _, s := range segs {
		out = append(out, brief{s.Type, s.Name, s.Payload, s.Status, s.Reason})
	}
	return out
}

const (
	text      = toolcall.SegmentText
	reasoning = toolcall.SegmentReasoning
	toolCall  = toolcall.SegmentToolCall
	runBash   = toolcall.SegmentRunBash
)

func ok(t toolcall.SegmentType, name, payload string) brief {
	return brief{t, name, payload, toolcall.Complete, toolcall.ReasonNone}
}

func bad(t toolcall.SegmentType, name, payload string, s toolcall.Status, r toolcall.Reason) brief {
	return brief{t, name, payload, s, r}
}

// TestOptions pins what each option of the parser changes, by example.
func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		name    string
		dialect string
		set     func(*parser.Options)
		input   string
		want    []brief
	}{
		{"calls in inline code", "xml", func(o *parser.Options) { o.CallsInCode = true }, "a `<tool name=\"x\"/>` b",
			[]brief{ok(text, "", "a `"), ok(toolCall, "x", "{}"), ok(text, "", "` b")}},
		{"calls in a fence", "sentinel", func(o *parser.Options) { o.CallsInCode = true }, "```\n[[SEG_START {\"type\":\"run_bash\"}]]ls[[SEG_END]]\n```\n",
			[]brief{ok(text, "", "```\n"), ok(runBash, "run_bash", "ls"), ok(text, "", "\n```\n")}},
		{"calls in reasoning", "xml", func(o *parser.Options) { o.CallsInReasoning = true }, "<think>a<tool name=\"x\"/>b</think>c",
			[]brief{ok(reasoning, "", "a"), ok(toolCall, "x", "{}"), ok(reasoning, "", "b"), ok(text, "", "c")}},
		{"start in reasoning", "json-gemini", func(o *parser.Options) { o.StartInReasoning = true }, `a</think>{"name":"x","args":{}}`,
			[]brief{ok(reasoning, "", "a"), ok(toolCall, "x", "{}")}},
		{"strict, clean", "xml", func(o *parser.Options) { o.Strict = true }, `<tool name="x"></tool>`,
			[]brief{ok(toolCall, "x", "{}")}},
		{"strict, no wrapper", "xml", func(o *parser.Options) { o.Strict = true }, `<tool name="x"><arg name="k">v</arg></tool>`,
			[]brief{bad(toolCall, "x", "", toolcall.Malformed, toolcall.ReasonToleranceForbidden)}},
		{"strict, missing closer", "json-openai", func(o *parser.Options) { o.Strict = true }, `{"name":"x","arguments":{}`,
			[]brief{bad(toolCall, "x", "{}", toolcall.Malformed, toolcall.ReasonToleranceForbidden)}},
		{"choice", "api_tool_call", func(o *parser.Options) { o.Choice = 1 }, "a", []brief{ok(text, "", "a")}},
		{"no dialect", "api_tool_call", func(o *parser.Options) { o.Dialects = nil }, `<tool name="x"/> {"name":"x","arguments":{}}`,
			[]brief{ok(text, "", `<tool name="x"/> {"name":"x","arguments":{}}`)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opts, err := optionsFor(tt.dialect)
			if err != nil {
				t.Fatal(err)
			}
			tt.set(&opts)
			checkEverywhere(t, tt.input, func(chunks ...string) error { return invariants(opts, tt.input, chunks) })
			r, err := record(opts, []string{tt.input})
			if err != nil {
				t.Fatal(err)
			}
			got := briefly(t, r)
			if len(got) == len(tt.want) {
				for i := range got { // what a malformed call had let out is not pinned
					if got[i].Status == toolcall.Malformed {
						got[i].Payload = tt.want[i].Payload
					}
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("segments (-want +got):\n%s", diff)
			}
		})
	}
}
