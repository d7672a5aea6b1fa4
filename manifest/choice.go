package manifest

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/near"
)

// applyChoice marks the tools that may be called.
func applyChoice(tools []*tool, choice chat.ToolChoice) error {
	byName := make(map[string]*tool, len(tools))
	var names []string
	for _, t := range tools {
		byName[t.Name] = t
		names = append(names, t.Name)
		t.callable = len(choice.Tools) == 0
	}
	if choice.Mode > chat.ChoiceOne {
		return fmt.Errorf("tool choice: unknown mode %d", choice.Mode)
	}
	if choice.Mode == chat.ChoiceOne && len(choice.Tools) != 1 {
		return fmt.Errorf("tool choice: expected the name of one tool, got %d: %q", len(choice.Tools), choice.Tools)
	}
	for _, name := range choice.Tools {
		t := byName[name]
		if t == nil {
			hint := ""
			if guess := near.Names(name, names, 1); len(guess) > 0 {
				hint = fmt.Sprintf("; did you mean %q?", guess[0])
			}
			return fmt.Errorf("tool choice: unknown tool %q%s", name, hint)
		}
		t.callable = true
	}
	return nil
}

// showsCalls reports whether calls of a tool are shown. Where no tool may be called, they
// are, for the model to know those in the conversation.
func (c *composer) showsCalls(t *tool) bool {
	return t.callable || c.opts.Choice.Mode == chat.ChoiceNone
}

// forced reports whether an answer must have a call.
func forced(choice chat.ToolChoice) bool {
	return choice.Mode == chat.ChoiceRequired || choice.Mode == chat.ChoiceOne
}

// chosen words what the tool choice asks for; none is the sentence where it leaves the
// model free.
func chosen(choice chat.ToolChoice, parallel chat.Switch, none string) string {
	var only string
	if parallel == chat.Off {
		only = "Make no more than one call in an answer.\n"
	}
	if len(choice.Tools) > 0 && choice.Mode != chat.ChoiceOne {
		only += "Of these tools, only these may be called now: " + strings.Join(choice.Tools, ", ") + ".\n"
	}
	switch choice.Mode {
	case chat.ChoiceNone:
		return "Call no tool in this answer: answer in text.\n"
	case chat.ChoiceRequired:
		return only + "This answer must hold at least one call.\n"
	case chat.ChoiceOne:
		return only + "This answer must call " + choice.Tools[0] + ", and no other tool.\n"
	}
	return only + none
}
