package parser_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

func TestRawArgs(t *testing.T) {
	for _, tt := range []struct{ name, dialect, text, want string }{
		{"closer", "cwm", "<tool: function>\nf a b\n</tool>", `f {"command":"a b"} complete`},
		{"no closer before the next call", "cwm", "<tool: function>\nf a\n<tool: function>\ng b\n</tool>", `f {"command":"a"} complete missing_closer|g {"command":"b"} complete`},
		{"cut", "cwm", "<tool: function>\nf a", `f {"command":"a incomplete`},
		{"no text", "cwm", "<tool: function>\nf\n</tool>", `f {"command":""} complete`},
		{"to the end", "react", "Action: f\nAction Input: a b", `f {"input":"a b"} complete`},
		{"to the next line", "react", "Action: f\nAction Input: a\n\nObservation: b", `f {"input":"a"} complete`},
		{"object", "react", "Action: f\nAction Input:\n{\"a\": 1}\nObservation: b", `f {"a":1} complete`},
		{"cut object", "react", "Action: f\nAction Input: {\"a\": 1", `f {"a":  incomplete`},
		{"cut before the text", "react", "Action: f\nAction Input: ", `f incomplete`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(callsIn(t, named(t, tt.dialect), tt.text), "|")
			if diff := cmp.Diff(tt.want, strings.ReplaceAll(got, "f  ", "f ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTextStreams feeds a long string in pieces, and checks that each piece is emitted before
// the next.
func TestTextStreams(t *testing.T) {
	for _, tt := range []struct{ dialect, before, piece string }{
		{"gemma4", `<|tool_call>call:f{a:<|"|>`, "word } [x] "},
		{"gemma4", `<|tool_call>call:f{a:"`, "word, next "},
		{"gemma4", `<|tool_call>call:f{o:{l:[<|"|>`, "word "},
		{"gemma4", `<|tool_call>call:f{a:some`, " word"},
		{"functiongemma", `<start_function_call>call:f{a:<escape>`, "word "},
		{"yaml_xml", "<f>\na: |\n", "  word\n"},
		{"yaml_xml", "<f>\na: >\n", "  word\n\n"},
		{"yaml_xml", "<f>\na: \"", "word "},
		{"yaml_xml", "<f>\na: '", "word "},
		{"yaml_xml", "<f>\na: some", " word"},
		{"cwm", "<tool: function>\nf some", " word"},
		{"react", "Action: f\nAction Input: some", " word"},
		{"continue_codeblock", "```tool\nTOOL_NAME: f\nBEGIN_ARG: a\n", "word "},
	} {
		t.Run(tt.dialect, func(t *testing.T) {
			p, err := parser.New(parser.Options{
				Dialects: []*dialect.Dialect{named(t, tt.dialect)},
				Tools: []toolcall.ToolDefinition{{Name: "f", Parameters: json.RawMessage(
					`{"type":"object","properties":{"a":{"type":"string"},"o":{"type":"object"}}}`)}},
			})
			if err != nil {
				t.Fatal(err)
			}
			p.Feed(nil, tt.before)
			p.Feed(nil, tt.piece)
			for n := range 5 {
				got := ""
				for _, e := range p.Feed(nil, tt.piece) {
					got += e.Delta()
				}
				if !strings.Contains(got, "word") {
					t.Errorf("piece %d: %q", n, got)
				}
			}
		})
	}
}

// TestNestingIsBounded opens more containers than the limit allows.
func TestNestingIsBounded(t *testing.T) {
	for _, tt := range []struct{ dialect, before, unit, after string }{
		{"gemma4", "<|tool_call>call:f{a:", "[", "<tool_call|>"},
		{"gemma4", "<|tool_call>call:f{a:", "{b:", "<tool_call|>"},
		{"yaml_xml", "<f>\na: ", "[", "\n</f>"},
		{"yaml_xml", "<f>\na:\n", "- ", "1\n</f>"},
	} {
		for _, depth := range []int{3, 50} {
			p, err := parser.New(parser.Options{
				Dialects: []*dialect.Dialect{named(t, tt.dialect)}, Limits: toolcall.Limits{Depth: 10},
			})
			if err != nil {
				t.Fatal(err)
			}
			events := p.Close(p.Feed(nil, tt.before+strings.Repeat(tt.unit, depth)+tt.after))
			rejected := false
			for _, e := range events {
				rejected = rejected || e.Type == toolcall.SegmentEnd && e.Reason == toolcall.ReasonTooDeep
			}
			if rejected != (depth > 10) {
				t.Errorf("%s %q, %d deep: %v", tt.dialect, tt.unit, depth, rejected)
			}
		}
	}
}

// TestFencesStay checks that a fence without a call at its beginning is still a fence.
func TestFencesStay(t *testing.T) {
	const call = "```tool_call\n{\"name\": \"f\", \"arguments\": {}}\n```"
	for _, tt := range []struct {
		name, text string
		calls      int
	}{
		{"call", call, 1},
		{"after a fence", "```sh\nls\n```\n" + call, 1},
		{"in a longer fence", "````\n" + call + "\n````", 0},
		{"in a fence of tildes", "~~~\n" + call + "\n~~~", 0},
		{"in a line", "so " + call, 0},
		{"inline code before", "use `x` and ``y``\n" + call, 1},
		{"after a fence like it", "```tool_calls\nx\n```\n" + call, 1},
		{"in a fence like it", "```tool_calls\n" + strings.TrimSuffix(call, "```"), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if calls := callsIn(t, named(t, "tool_call_fence"), tt.text); len(calls) != tt.calls {
				t.Errorf("%q", calls)
			}
		})
	}
}
