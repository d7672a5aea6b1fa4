package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
)

// History limits the length of a conversation. The zero value keeps everything.
//
// It always keeps the system prompt, the user's first message, which is the task, and, if
// they fit, the messages since the user's last one. It keeps or drops a call together
// with its results. When it drops messages, it makes room for several turns, so that the
// provider's prompt cache stays valid most of the time.
type History struct {
	MaxTokens int // the oldest turns above it are dropped; 0 means no limit
	// Turns is a sliding window: all but the last Turns are dropped. 0 means no window.
	Turns int
	// Estimate counts the tokens of a text; nil counts four bytes as one token.
	Estimate func(text string) int
	// Summarize returns the text that replaces dropped messages. If it is nil or fails, they
	// are dropped without a summary.
	Summarize func(ctx context.Context, dropped []chat.Message) (string, error)
}

// Tokens estimates the number of tokens of messages and tools.
func (h History) Tokens(system string, messages []chat.Message, tools []toolparse.ToolDefinition) int {
	n := h.count(system)
	for _, m := range messages {
		n += perMessage + h.parts(m.Parts)
	}
	for _, t := range tools {
		n += h.count(t.Name) + h.count(t.Description) + h.count(string(t.Parameters))
	}
	return n
}

func (h History) count(text string) int {
	if h.Estimate != nil {
		return h.Estimate(text)
	}
	return (len(text) + 3) / 4
}

// Estimates for the markup around a message, and for an image or a file.
const (
	perMessage = 4
	perMedia   = 1000
)

func (h History) parts(parts []chat.Part) int {
	n := 0
	for _, p := range parts {
		n += h.count(p.Text) + h.count(p.Signature) + h.count(p.Redacted)
		if p.Call != nil {
			n += h.count(p.Call.Name) + h.count(p.Call.Arguments)
		}
		if p.Media != nil {
			n += perMedia
		}
		if p.Result != nil {
			n += h.parts(p.Result.Parts)
		}
	}
	return n
}

// apply shortens the messages of a session.
func (h History) apply(ctx context.Context, s *Session, system string, tools *toolbox) error {
	if h.MaxTokens == 0 && h.Turns == 0 {
		return nil
	}
	turns := turnsOf(s.Messages)
	if len(turns) < 2 {
		return nil
	}
	task, rest := turns[0], turns[1:]
	size := func(turn []chat.Message) int { return h.Tokens("", turn, nil) }
	total := h.Tokens(system, s.Messages, tools.Definitions())
	drop := 0
	if h.Turns > 0 {
		for ; drop < len(rest)-h.Turns; drop++ {
			total -= size(rest[drop])
		}
	}
	if h.MaxTokens > 0 && total > h.MaxTokens {
		for room := h.MaxTokens * 3 / 4; total > room && drop < len(rest)-1; drop++ {
			total -= size(rest[drop])
		}
	}
	if drop == 0 {
		return nil
	}
	kept, dropped := slices.Clone(task), slices.Concat(rest[:drop]...)
	if h.Summarize != nil {
		text, err := h.Summarize(ctx, dropped)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			kept = append(kept, toolparse.User(fmt.Sprintf("Summary of the conversation so far:\n%s", text)))
		}
	}
	s.Messages = append(kept, slices.Concat(rest[drop:]...)...)
	s.Dropped += len(dropped)
	return nil
}

// turnsOf splits messages into turns, without separating a call from its results. The
// first part ends before the user's first message.
func turnsOf(messages []chat.Message) [][]chat.Message {
	var turns [][]chat.Message
	began, spoken := 0, false
	for i, m := range messages {
		if m.Role == chat.ToolRole || i == began {
			spoken = spoken || m.Role == chat.User
			continue
		}
		if len(turns) == 0 && !spoken {
			spoken = m.Role == chat.User
			continue
		}
		turns = append(turns, messages[began:i:i])
		began = i
	}
	if began < len(messages) {
		turns = append(turns, messages[began:])
	}
	return turns
}
