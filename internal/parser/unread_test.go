package parser_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// unread returns the notes on what a parser leaves unread of deltas.
func unread(t *testing.T, opts parser.Options, deltas ...toolcall.Delta) ([]toolcall.Note, int) {
	t.Helper()
	c, err := parser.Compile(opts)
	if err != nil {
		t.Fatal(err)
	}
	p, u := c.New(), c.NewUnread()
	var events []toolcall.Event
	for _, d := range deltas {
		events = p.FeedDelta(events, d)
	}
	calls := 0
	for _, e := range p.Close(events) {
		u.Add(e)
		if e.Type == toolcall.SegmentEnd && e.Segment.IsCall() {
			calls++
		}
	}
	return u.Notes(), calls
}

// pieces returns deltas of n bytes each.
func pieces(kind toolcall.DeltaKind, text string, n int) (list []toolcall.Delta) {
	for text != "" {
		n = min(n, len(text))
		list, text = append(list, toolcall.Delta{Kind: kind, Text: text[:n]}), text[n:]
	}
	return list
}

// TestUnread gives the example of each row to a parser of another dialect that does not read
// it, and checks that a note names a dialect that does.
func TestUnread(t *testing.T) {
	for _, d := range dialect.All() {
		if d.Head.Form == "" || d.Channels.Close != nil || d.CallsInReasoning { // its example is a message, or inside reasoning
			continue
		}
		for _, tools := range [][]toolcall.ToolDefinition{nil, weather} {
			for _, asked := range []string{"auto", "api_tool_call", "xml", "sentinel", "json-openai", "hermes", "qwen3_coder", "mistral", "react", "cline", "openai"} {
				opts := parser.Options{Dialects: dialectsOf(t, asked), Tools: tools}
				if tools == nil && strings.HasPrefix(strings.TrimPrefix(d.Example, "<"), "get_weather") {
					continue // only the name of a tool marks it
				}
				if r := read(t, d.Example, opts); len(r.calls) > 0 || r.reasoning != "" {
					continue
				}
				notes, _ := unread(t, opts, pieces(toolcall.DeltaText, d.Example, 5)...)
				if len(notes) != 1 || notes[0].Kind != toolcall.NoteUnread || notes[0].Tool != "get_weather" {
					t.Errorf("%s read as %s, %d tools: %+v", d.Name, asked, len(tools), notes)
					continue
				}
				opts.Dialects = dialectsOf(t, notes[0].Dialect)
				if got := read(t, d.Example, opts); len(got.calls) == 0 || got.calls[0].Start != notes[0].Offset {
					t.Errorf("%s read as %s, %d tools: %+v, but there it is %+v", d.Name, asked, len(tools), notes, got)
				}
			}
		}
	}
}

// TestUnreadReasoning checks the same for a call in reasoning, unless the answer makes the
// call, too.
func TestUnreadReasoning(t *testing.T) {
	const call = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>"
	opts := parser.Options{Dialects: dialectsOf(t, "hermes")}
	think := append(pieces(toolcall.DeltaReasoning, "I might write "+call+" now.", 3), finished)
	if notes, calls := unread(t, opts, think...); calls != 0 || len(notes) != 1 ||
		notes[0] != (toolcall.Note{Kind: toolcall.NoteReasoning, Offset: 14, End: 93, Dialect: "hermes", Tool: "get_weather"}) {
		t.Errorf("%+v", notes)
	}
	if notes, _ := unread(t, opts, pieces(toolcall.DeltaText, "<think>"+call+"</think>", 3)...); len(notes) != 1 || notes[0].Offset != 7 {
		t.Errorf("%+v", notes)
	}
	if notes, calls := unread(t, opts, append(think[:len(think)-1:len(think)-1], pieces(toolcall.DeltaText, call, 9)...)...); calls != 1 || len(notes) != 0 {
		t.Errorf("a plan is noted: %+v", notes)
	}
	opts.CallsInReasoning = true
	if notes, calls := unread(t, opts, think...); calls != 1 || len(notes) != 0 {
		t.Errorf("%d calls, and notes: %+v", calls, notes)
	}
}

// TestUnreadCut checks that a bare call ends with its last brace, at once, even if that brace
// is in a string whose quotes lack a backslash, and that a note reports what follows.
func TestUnreadCut(t *testing.T) {
	for _, tt := range []struct {
		dialect, text string
		cut           bool
	}{
		{"llama3_json", `{"name":"f","arguments":{"a":"He said "}}" here"}}`, true},
		{"llama3_json", `{"name":"f","arguments":{"a":"He said "}} here"}}`, true},
		{"json", `{"name":"f","arguments":{"a":"x"}}", "b": {"c": "y"}}} and more`, true},
		{"llama3_json", `{"name":"f","arguments":{"a":"x"}} He said "{}" and "{ }".`, false},
		{"llama3_json", `{"name":"f","arguments":{"a":"x"}}` + "\n" + `" here"}}`, false},
		{"hermes", `<tool_call>{"name":"f","arguments":{"a":"x"}}</tool_call>" here"}}`, false},
		{"json", `{"name":"f","arguments":{"a":1}} "here"}`, false},
	} {
		for _, n := range []int{1, 7, len(tt.text)} {
			notes, calls := unread(t, parser.Options{Dialects: dialectsOf(t, tt.dialect)}, pieces(toolcall.DeltaText, tt.text, n)...)
			cut := len(notes) == 1 && notes[0].Kind == toolcall.NoteCut && notes[0].Tool == "f" &&
				notes[0].Offset == 0 && strings.HasPrefix(tt.text[notes[0].End-1:], "}")
			if calls != 1 || cut != tt.cut || len(notes) > 1 {
				t.Errorf("%s: %s: %d calls, notes %+v", tt.dialect, tt.text, calls, notes)
			}
		}
	}
}

// TestUnreadMentions checks that there is no note for prose that mentions markup, for calls
// quoted in code, or for any text of the benchmarks or of the project's own documents.
func TestUnreadMentions(t *testing.T) {
	texts := []string{
		"Put the object between <tool_call> and </tool_call>, one each.",
		"Write `<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>` so:\n```\n<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>\n```\n",
		"{\"name\": \"a\", \"version\": \"1.0\"}", "[1, 2] and [see](there) or [x(y=1)]", "<function=", "<|tool_calls_section_begin|>",
		"Action: look here.\nAction Input: none of it", "The Action: f\nAction Input: {}", "It writes `functools[{\"name\": \"f\", \"arguments\": {}}]`.",
		"```\nAction: f\nAction Input: {}\n```", "<p>\n<b>x</b>\n</p>", "Call <f>\n<x>1</x>\n</f>", "f(x=1) does it", "print(\"hello\")", "Note (x=1)",
		"<config>\n{\"a\":1}\n</config>", "<config>\na: 1\n</config>", "<result>\n<name>x</name>\n</result>", "get_weather(city=\"Oslo\")",
		"<tools>\n{\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":\"x\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}}\n</tools>",
		"<tool_call>{\"name\":\"\",\"arguments\":{}}</tool_call>", "<tool_call>{\"name\":\" \",\"arguments\":{}}</tool_call>",
		"Then [TOOL_CALLS] comes, and f(x) is called: {\"a\": 1}.", "a <b>c</b> <br/> <tool name=\"x\"/>",
	}
	for _, pattern := range []string{"../../ARCHITECTURE.md", "../../CONTRIBUTING.md", "../../docs/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
	}
	for _, text := range texts {
		for _, kind := range []toolcall.DeltaKind{toolcall.DeltaText, toolcall.DeltaReasoning} {
			notes, _ := unread(t, parser.Options{}, pieces(kind, text, 50)...)
			if len(notes) != 0 {
				at := notes[0].Offset
				t.Errorf("%+v: %q", notes, text[at:min(int(at)+80, len(text))])
			}
		}
	}
}

// TestUnreadAllocatesNothing checks that prose costs no allocation.
func TestUnreadAllocatesNothing(t *testing.T) {
	c, err := parser.Compile(parser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, u := c.New(), c.NewUnread()
	text := strings.Repeat("Nothing to be found here, whatever it says.\n", 8)
	events := make([]toolcall.Event, 0, 8)
	look := func() {
		events = p.Feed(events[:0], text)
		for _, e := range events {
			u.Add(e)
		}
	}
	look()
	if n := testing.AllocsPerRun(100, look); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
