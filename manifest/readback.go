package manifest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/format/text"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/manifest/internal/callid"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// parsed are the complete calls that the parser finds in a text, their arguments as
// JSON.
func (c *composer) parsed(text string) ([]toolcall.ToolInvocation, error) {
	p, err := parser.New(parser.Options{Dialects: []*parser.Dialect{c.dialect}, Tools: c.definitions()})
	if err != nil {
		return nil, err
	}
	var calls []toolcall.ToolInvocation
	var body strings.Builder
	for _, e := range p.Close(p.Feed(nil, text)) {
		if !e.Segment.IsCall() {
			continue
		}
		switch e.Type {
		case toolcall.SegmentStart:
			body.Reset()
			calls = append(calls, toolcall.ToolInvocation{ID: e.ID, Name: e.Name})
		case toolcall.SegmentContent:
			body.WriteString(e.Delta())
		case toolcall.SegmentEnd:
			last := &calls[len(calls)-1]
			if e.Status != toolcall.Complete {
				calls = calls[:len(calls)-1]
				continue
			}
			if e.Segment == toolcall.SegmentToolCall { // of others the content is no JSON
				last.Arguments = json.RawMessage(body.String())
			}
		}
	}
	return calls, nil
}

func (c *composer) definitions() []toolcall.ToolDefinition {
	defs := make([]toolcall.ToolDefinition, len(c.tools))
	for i, t := range c.tools {
		defs[i] = t.ToolDefinition
	}
	return defs
}

// check makes sure that a text is read as calls.
func (c *composer) check(text string, calls []toolcall.ToolInvocation) error {
	got, err := c.parsed(text)
	if err != nil {
		return err
	}
	if len(got) != len(calls) {
		return fmt.Errorf("the example would be read as %d calls, not %d", len(got), len(calls))
	}
	for i := range calls {
		if got[i].Name != calls[i].Name || got[i].Arguments != nil && !sameJSON(got[i].Arguments, calls[i].Arguments) {
			return fmt.Errorf("the example would be read as a call of %s with %s", got[i].Name, got[i].Arguments)
		}
	}
	return nil
}

func sameJSON(a, b json.RawMessage) bool {
	x, err := parseNode(a)
	if err != nil {
		return false
	}
	y, err := parseNode(b)
	return err == nil && jsonvalue.Equal(x, y)
}

// results shows how a result of this content comes back.
func (c *composer) results(content string) (string, error) {
	w, err := text.NewWriter(c.dialect, text.Options{})
	if err != nil {
		return "", err
	}
	out, err := w.AppendResults(nil, text.Result{
		Name: c.single[0].Name, CallID: callid.Shown(&c.dialect.Head, c.single[0].Name, "", 0), Content: content,
	})
	return string(out), err
}

// prefill is the beginning of a call that must be made: up to the name of the tool,
// and with it where there is only one to call.
func (c *composer) prefill() string {
	if !forced(c.opts.Choice) || !beginsAnswers(c.opts.Provider) {
		return ""
	}
	name := c.single[0].Name
	before, _, ok := strings.Cut(c.example, name)
	if !ok {
		return ""
	}
	if len(c.opts.Choice.Tools) == 1 {
		before += name
	}
	return strings.TrimRight(before, " \t\r\n")
}

// beginsAnswers reports whether a provider goes on with a message of the assistant
// that a request ends with. Where none is named, it is a server that completes text.
func beginsAnswers(provider string) bool {
	switch strings.ToLower(provider) {
	case "", "anthropic", "claude", "deepseek", "mistral", "ollama":
		return true
	}
	return false
}
