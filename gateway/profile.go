package gateway

import (
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
	var turns []chat.Message
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
	var out []chat.Message
	for _, m := range messages {
		if len(m.Parts) == 0 {
			continue
		}
		if last := len(out) - 1; last >= 0 && out[last].Role == m.Role && m.Role != chat.ToolRole && !out[last].HasCalls() {
			parts := append([]chat.Part(nil), out[last].Parts...)
			out[last].Parts = joinTexts(append(parts, m.Parts...), "\n\n")
			continue
		}
		between := "\n\n"
		if m.Role == chat.Assistant {
			between = ""
		}
		if m.Parts = joinTexts(m.Parts, between); m.HasCalls() && m.Parts[0].Kind != chat.PartText {
			m.Parts = append([]chat.Part{chat.TextPart("")}, m.Parts...) // some templates reject null
		}
		out = append(out, m)
	}
	return out
}

// joinTexts joins successive texts.
func joinTexts(parts []chat.Part, between string) []chat.Part {
	var out []chat.Part
	for _, p := range parts {
		if last := len(out) - 1; last >= 0 && p.Kind == chat.PartText && out[last].Kind == chat.PartText {
			out[last].Text += between + p.Text
			continue
		}
		if p.Kind == chat.PartText {
			p.Extras = nil // cache marks of the caller
		}
		out = append(out, p)
	}
	return out
}

// plainLimit makes the encoder write a limit under the name that all servers know.
var plainLimit = chat.Extra{Wire: string(format.OpenAI), Name: "max_tokens", Spelling: true}
