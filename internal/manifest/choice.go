package manifest

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
)

// showsCalls reports whether calls of a tool are shown. If no tool may be called, they are
// shown anyway, because the conversation may contain calls.
func (c *composer) showsCalls(t *tool) bool {
	return t.callable || c.opts.Choice.Mode == chat.ChoiceNone
}

// forced reports whether an answer must contain a call.
func forced(choice chat.ToolChoice) bool {
	return choice.Mode == chat.ChoiceRequired || choice.Mode == chat.ChoiceOne
}

// chosen returns the sentences of a tool choice. none is the sentence for a choice that does
// not require a call.
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
