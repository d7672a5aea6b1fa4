package gateway

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
)

// billing is the beginning of a text that Claude Code puts before its system prompt. It
// differs in every request, so that no server could use its prompt cache.
const billing = "x-anthropic-billing-header:"

// oneSystem returns messages with one system message, at the beginning, as chat templates
// require. Later system messages become user messages in the same place, so that the
// beginning of the prompt stays the same while the conversation grows.
func oneSystem(messages []chat.Message) []chat.Message {
	var system []chat.Part
	turns := make([]chat.Message, 0, len(messages))
	for _, m := range messages {
		m.Parts = withoutBilling(m.Parts)
		if m.Role != chat.System && m.Role != chat.Developer {
			turns = append(turns, m)
			continue
		}
		if len(turns) == 0 {
			system = append(system, m.Parts...)
		} else if len(m.Parts) > 0 {
			turns = append(turns, chat.Message{Role: chat.User, Parts: m.Parts})
		}
	}
	if len(system) == 0 {
		return turns
	}
	return append([]chat.Message{{Role: chat.System, Parts: joinTexts(system, "\n\n")}}, turns...)
}

func withoutBilling(parts []chat.Part) []chat.Part {
	if len(parts) == 0 || parts[0].Kind != chat.PartText || !strings.HasPrefix(parts[0].Text, billing) {
		return parts
	}
	_, rest, more := strings.Cut(parts[0].Text, "\n")
	if !more {
		return parts[1:]
	}
	first := parts[0]
	first.Text = strings.TrimLeft(rest, "\n")
	return append([]chat.Part{first}, parts[1:]...)
}

// alternate joins successive messages of one role, and the texts of each message, because
// some templates reject either.
func alternate(messages []chat.Message) []chat.Message {
	messages = slices.DeleteFunc(slices.Clone(messages), func(m chat.Message) bool { return len(m.Parts) == 0 })
	out := make([]chat.Message, 0, len(messages))
	for len(messages) > 0 {
		m, n := messages[0], 1
		for more := !m.HasCalls() && m.Role != chat.ToolRole; more && n < len(messages) && messages[n].Role == m.Role; n++ {
			more = !messages[n].HasCalls() // which end a turn
		}
		between := "\n\n"
		if m.Role == chat.Assistant {
			between = ""
		}
		if m.Parts = joinTexts(m.Parts, between); m.HasCalls() && m.Parts[0].Kind != chat.PartText {
			m.Parts = append([]chat.Part{chat.TextPart("")}, m.Parts...) // some templates reject null
		}
		if n > 1 {
			for _, next := range messages[1:n] {
				m.Parts = append(m.Parts, next.Parts...)
			}
			m.Parts = joinTexts(m.Parts, "\n\n")
		}
		out = append(out, m)
		messages = messages[n:]
	}
	return out
}

// joinTexts joins successive texts. What is appended to the list that it returns does not
// change the argument.
func joinTexts(parts []chat.Part, between string) []chat.Part {
	if len(parts) == 1 && parts[0].Extras == nil {
		return slices.Clip(parts)
	}
	var out []chat.Part
	for len(parts) > 0 {
		n := 0
		for n < len(parts) && parts[n].Kind == chat.PartText {
			n++
		}
		p := parts[0]
		if n > 0 {
			p.Extras = nil // marks of the caller's cache
		}
		if n > 1 {
			texts := make([]string, n)
			for i := range texts {
				texts[i] = parts[i].Text
			}
			p.Text = strings.Join(texts, between)
		}
		out = append(out, p)
		parts = parts[max(n, 1):]
	}
	return out
}

// plainLimit makes the encoder write a limit under the name that all servers know.
var plainLimit = chat.Extra{Wire: string(format.OpenAI), Name: "max_tokens", Spelling: true}
