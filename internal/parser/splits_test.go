package parser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// eventsOf returns the events of a whole text that is fed in pieces of n bytes.
func eventsOf(p *Parser, text string, n int) []toolcall.Event {
	var events []toolcall.Event
	for text != "" {
		k := min(n, len(text))
		events, text = p.Feed(events, text[:k]), text[k:]
	}
	return p.Close(events)
}

// joined renders events with the contents of each segment joined, so that the split of the
// input does not show.
func joined(t *testing.T, dialectName, in string, n int) []string {
	t.Helper()
	dialects, err := dialect.Named(dialectName, "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(Options{Dialects: dialects})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range eventsOf(p, in, n) {
		if last := len(lines) - 1; e.Type == toolcall.SegmentContent && strings.HasPrefix(lines[last], "content "+e.ID) {
			lines[last] += e.Payload
			continue
		}
		switch e.Type {
		case toolcall.SegmentContent:
			lines = append(lines, "content "+e.ID+" "+e.Payload)
		default:
			lines = append(lines, fmt.Sprintf("%s %s %s %s %q %q %v %v %v", e.Type, e.ID, e.Segment, e.Name, e.Payload, e.Raw, e.Status, e.Reason, e.Tolerances))
		}
	}
	return lines
}

// TestSplits covers inputs that once gave different events in different pieces.
func TestSplits(t *testing.T) {
	file := `{"name":"write_file","arguments":{"content":"x","path":"/a","mode":644},"id":"q"}`
	for _, tt := range []struct{ name, dialect, in string }{
		{"metadata after path and content", "xml", `<tool name="write_file"><arguments><arg name="path">/a</arg><arg name="content">x</arg><arg name="mode">644</arg></arguments></tool>`},
		{"metadata and id after path and content", "json-openai", file},
		{"reasoning after a missing closer", "xml", "<tool name=\"t\">{\"a\":1}\n<think>y</think>z"},
		{"a value cut after <", "xml", `<tool name="t"><arguments><arg name="p">a <i`},
		{"a value cut in </<", "xml", `<tool name="t"><arguments><arg name="p"></<t`},
		{"markup after the arguments", "xml", `<tool name="t"><arguments></arguments><>/tool>`},
		{"the end of a broken word", "json-gemini", `{"name":"f","args":{"p":trx}}`},
		{"one brace too many in a string", "json-default", `{"tool":{"function":"t","parameters":"{}}"}}`},
		{"a long key of escapes", "json-openai", `{"name":"f","arguments":{"` + strings.Repeat(`\n`, 5000) + `aaaa": 1}}`},
		{"an unknown escape in a string around arguments", "json-openai", `{"name":"0","arguments":"{A\0`},
		{"a key without quotes after a comma", "json-openai", `{"name":"f", x:1, "arguments":{}} end`},
		{"a comment after the first brace", "json-openai", `{/* c */"name":"f","arguments":{}}`},
		{"a comment after the first bracket", "json_array", `[/* c */{"name":"f","parameters":{}}]`},
		{"a comment in a list", "json_array", `[{"name":"f","parameters":{}},// no more`},
		{"one marker inside another", "auto", `[ [[SEG_START {"type":"run_bash"}]]ls[[SEG_END]]`},
		{"text like a closer after arguments in a header", "sentinel", `[[SEG_START {"type":"tool","name":"f","arguments":{}}]][[[SEG_END]]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			whole := joined(t, tt.dialect, tt.in, len(tt.in))
			for n := 1; n < 12; n++ {
				if diff := cmp.Diff(whole, joined(t, tt.dialect, tt.in, n)); diff != "" {
					t.Errorf("in pieces of %d bytes (-whole +pieces):\n%s", n, diff)
				}
			}
		})
	}
}
