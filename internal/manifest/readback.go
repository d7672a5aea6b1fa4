package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/collect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/toolcall"
)

// parsed returns the complete calls that the parser finds in a text.
func (c *composer) parsed(text string) []*collect.Call {
	p := c.parser.New()
	calls := collect.All(p.Close(p.Feed(nil, text))).Calls
	return slices.DeleteFunc(calls, func(c *collect.Call) bool { return c.End.Status != toolcall.Complete })
}

// check reports an error unless the parser reads these calls in a text.
func (c *composer) check(text string, calls []toolcall.ToolInvocation) error {
	got := c.parsed(text)
	if len(got) != len(calls) {
		return fmt.Errorf("the example would be read as %d calls, not %d", len(got), len(calls))
	}
	for i := range calls {
		if name, args := got[i].Start.Name, got[i].Arguments(); name != calls[i].Name || !sameJSON(args, calls[i].Arguments) {
			return fmt.Errorf("the example would be read as a call of %s with %s", name, args)
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

// prefill returns the beginning of a required call, up to the name of the tool, or including
// the name if only one tool may be called.
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

// beginsAnswers reports whether a provider continues a message of the assistant at the end of
// a request. Servers without a provider's name complete text.
func beginsAnswers(provider string) bool {
	switch strings.ToLower(provider) {
	case "", "anthropic", "claude", "deepseek", "mistral", "ollama":
		return true
	}
	return false
}
