package view_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/view"
)

// drawn is the page of a text in a dialect.
func drawn(t *testing.T, text string, tools ...toolparse.ToolDefinition) (*view.Picture, string) {
	t.Helper()
	kit, err := toolparse.New(toolparse.Options{Dialect: "hermes", Wire: toolparse.Text, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	stream, err := kit.Open(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p := &view.Picture{Title: "a <title>"}
	for e, err := range stream.Events() {
		if err != nil {
			t.Fatal(err)
		}
		p.Add(e, "now")
	}
	p.AddNotes(stream.Notes())
	var page bytes.Buffer
	if err := p.Page(&page); err != nil {
		t.Fatal(err)
	}
	return p, page.String()
}

// TestPieces: the pieces are the text, byte for byte, each under its segment; what is
// broken is marked, and no markup of the text is the page's.
func TestPieces(t *testing.T) {
	const text = "<think>Hm.</think>On <i>it</i>.\n<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": 1,}}\n</tool_call><tool_call>{\"name\": \"add\", \"arguments\": {\"a\""
	p, page := drawn(t, text, toolparse.ToolDefinition{Name: "add", Parameters: []byte(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`)})
	var all, kinds []string
	for _, piece := range p.Pieces {
		kind := piece.Kind
		if piece.Broken {
			kind += " broken"
		}
		all, kinds = append(all, piece.Text()), append(kinds, kind)
	}
	if got := strings.Join(all, ""); got != text {
		t.Errorf("the pieces are %q", got)
	}
	if got := strings.Join(kinds, ", "); got != "reasoning, text, call, call broken" {
		t.Errorf("the segments are %s", got)
	}
	for _, want := range []string{"a &lt;title&gt;", "On &lt;i&gt;it&lt;/i&gt;.", "trailing_comma", "incomplete: end_of_stream", `class="piece call broken"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if p.Calls[0].Good || len(p.Calls[0].Problems) != 1 || !strings.Contains(page, `class="bad">complete`) {
		t.Errorf("a call that breaks its schema: %+v", p.Calls[0])
	}
	for _, never := range []string{"<i>", "<script", "http:", "https:", "src=", "@import", "url("} {
		if strings.Contains(page, never) {
			t.Errorf("the page has %q", never)
		}
	}
}

// TestBounds: a picture of much stays small, and says what it lacks.
func TestBounds(t *testing.T) {
	var p view.Picture
	event := toolparse.StreamEvent{Event: toolparse.Event{Type: toolparse.SegmentContent, Segment: toolparse.SegmentText, ID: "seg_1"}}
	event.Raw = strings.Repeat("x", 1<<10)
	event.Payload = event.Raw
	for range 3000 {
		p.Add(event, "now")
	}
	p.AddBody("big", strings.Repeat("y", 1<<20))
	var page bytes.Buffer
	if err := p.Page(&page); err != nil {
		t.Fatal(err)
	}
	if p.Left.Bytes != 3000<<10-1<<20 || p.Left.Events != 2000 || page.Len() > 2<<20 {
		t.Errorf("%d bytes, left out %+v", page.Len(), p.Left)
	}
	for _, want := range []string{"2023424 more bytes are not shown", "2000 more events are not shown", "786432 more bytes"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	p.Restart("Answer 1")
	if len(p.Pieces) > 0 || len(p.Events) > 0 || p.Left != (view.Left{}) || len(p.Bodies) != 2 {
		t.Errorf("after a restart: %d pieces, %d events, %d bodies", len(p.Pieces), len(p.Events), len(p.Bodies))
	}
}

// TestBoundedCalls: the arguments of many large calls are cut, and each call is there.
func TestBoundedCalls(t *testing.T) {
	var p view.Picture
	arguments := []byte(`{"a":"` + strings.Repeat("x", 200<<10) + `"}`)
	for range 100 {
		p.Add(toolparse.StreamEvent{Call: &toolparse.ToolInvocation{Name: "add", Arguments: arguments}}, "now")
	}
	sum := 0
	for _, call := range p.Calls {
		sum += len(call.Arguments)
	}
	if last := p.Calls[99].Arguments; len(p.Calls) != 100 || sum > 5<<20 || last != "... 204808 more bytes" {
		t.Errorf("%d calls with %d bytes, the last %.100q", len(p.Calls), sum, last)
	}
}
