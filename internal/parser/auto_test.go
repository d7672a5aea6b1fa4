package parser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// TestAuto checks that auto reads the example of every dialect, too: after prose if its tool
// is declared, and at the beginning of the message if not.
func TestAuto(t *testing.T) {
	auto, err := dialect.Named("auto", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, tools := range [][]toolcall.ToolDefinition{{{
		Name: "get_weather", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`),
	}}, nil} {
		for _, d := range auto {
			if d.CallsInReasoning || d.Name == "muse" { // its headers are also those of harmony
				continue // auto finds the reasoning first, so that calls in it are reasoning
			}
			if tools == nil && compiledRows()[d].compiled()[0].bare && d.Args.Form != dialect.ArgsPython {
				continue // nothing marks a call
			}
			t.Run(fmt.Sprintf("%s/%d", d.Name, len(tools)), func(t *testing.T) {
				p, err := New(Options{Dialects: auto, Tools: tools})
				if err != nil {
					t.Fatal(err)
				}
				text := d.Example
				if tools != nil {
					text = "Let me look.\n" + text
				}
				got := outline(t, p.Close(p.Feed(nil, text)))
				calls := 0
				for _, line := range got {
					if strings.HasPrefix(line, "tool_call get_weather") && strings.Contains(line, "Oslo") {
						calls++
					}
				}
				if calls != 1 {
					t.Errorf("got %q", got)
				}
			})
		}
	}
}

func BenchmarkNewAuto(b *testing.B) {
	auto, err := dialect.Named("auto", "")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(Options{Dialects: auto}); err != nil {
			b.Fatal(err)
		}
	}
}

// A fence after a call is no closer of another dialect's section.
func TestAutoFenceAfterCall(t *testing.T) {
	auto, err := dialect.Named("auto", "")
	if err != nil {
		t.Fatal(err)
	}
	const bare, marked = `{"name": "f", "arguments": {"a": 1}}`, `<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>`
	for _, test := range []struct {
		text  string
		calls int
		want  string // the text beside the calls, without blanks around it
	}{
		{bare + "\n```json\n" + bare + "\n```\n", 2, ""},
		{bare + "\n```\nx\n```", 1, "```\nx\n```"},
		{marked + "\n```go\nx\n```\n" + marked, 2, "```go\nx\n```"},
		{marked + "\n```\nx", 1, "```\nx"},
	} {
		p, err := New(Options{Dialects: auto})
		if err != nil {
			t.Fatal(err)
		}
		calls, text := 0, ""
		for _, e := range p.Close(p.Feed(nil, test.text)) {
			switch {
			case e.Segment == toolcall.SegmentText:
				text += e.Delta()
			case e.Status == toolcall.Complete:
				calls++
			}
		}
		if calls != test.calls || strings.TrimSpace(text) != test.want {
			t.Errorf("%q: %d calls beside %q", test.text, calls, text)
		}
	}
}
