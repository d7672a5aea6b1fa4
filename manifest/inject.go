package manifest

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
)

// Placeholder marks the place of the manifest in a system prompt that has one for it.
const Placeholder = "{{tools}}"

// Inject returns a system prompt with the manifest in it: at its first placeholder, or
// else at its end. Where the prompt has a manifest already, of these tools or others,
// this one takes its place. Of an empty manifest there is nothing to see: the prompt
// loses its placeholders, and the manifest that it had.
func (m *Manifest) Inject(system string) string {
	text := strings.TrimSuffix(m.text, "\n")
	from, to, had := m.section(system)
	switch {
	case text == "":
		if had {
			system = withdrawn(system[:from], system[to:])
		}
		return strings.ReplaceAll(system, Placeholder, "")
	case strings.Contains(system, text):
		return system
	case had:
		return system[:from] + text + system[to:]
	}
	if before, after, ok := strings.Cut(system, Placeholder); ok {
		return before + text + strings.ReplaceAll(after, Placeholder, "")
	}
	if strings.TrimSpace(system) == "" {
		return m.text
	}
	return strings.TrimRight(system, "\r\n") + "\n\n" + m.text
}

// withdrawn is what stood before and after a manifest. With nothing after it, it was
// put at the end.
func withdrawn(before, after string) string {
	if strings.TrimSpace(after) == "" {
		return strings.TrimRight(before, "\r\n")
	}
	return before + after
}

// InjectChat returns a request that asks for the same as r without the provider's own
// tool calling: the manifest is in its system message, which is made where there is
// none, and the tools, their choice and the switch for parallel calls are gone. Tools
// that the provider runs itself stay. The stop sequences are added as far as there is
// room for them. r stays as it is; where the manifest is empty and r has none of before,
// it is what is returned.
func (m *Manifest) InjectChat(r *chat.Request) *chat.Request {
	if m.text == "" {
		return m.withdraw(r)
	}
	out := *r
	out.Messages = m.injectMessages(r.Messages)
	out.Tools = slices.DeleteFunc(slices.Clone(r.Tools), func(t chat.Tool) bool { return !t.Hosted })
	out.ToolChoice, out.ParallelCalls = chat.ToolChoice{}, chat.Unset
	out.Stop = slices.Clone(r.Stop)
	for _, s := range m.stop {
		if len(out.Stop) < maxStops && !slices.Contains(out.Stop, s) {
			out.Stop = append(out.Stop, s)
		}
	}
	return &out
}

// withdraw returns a request without the manifest that it had.
func (m *Manifest) withdraw(r *chat.Request) *chat.Request {
	if !slices.ContainsFunc(r.Messages, m.isIn) {
		return r
	}
	out := *r
	out.Messages = m.injectMessages(r.Messages)
	return &out
}

func isSystem(msg chat.Message) bool { return msg.Role == chat.System || msg.Role == chat.Developer }

// isIn reports whether a system message has a manifest.
func (m *Manifest) isIn(msg chat.Message) bool {
	return isSystem(msg) && slices.ContainsFunc(msg.Parts, m.isInPart)
}

func (m *Manifest) isInPart(p chat.Part) bool {
	_, _, had := m.section(p.Text)
	same := m.text != "" && strings.Contains(p.Text, strings.TrimSuffix(m.text, "\n"))
	return p.Kind == chat.PartText && (had || same)
}

// injectMessages puts the manifest into the system message that has one, or else into
// the first.
func (m *Manifest) injectMessages(messages []chat.Message) []chat.Message {
	at := slices.IndexFunc(messages, m.isIn)
	if at < 0 {
		at = slices.IndexFunc(messages, isSystem)
	}
	if at < 0 {
		system := chat.Message{Role: chat.System, Parts: []chat.Part{chat.TextPart(m.Inject(""))}}
		return append([]chat.Message{system}, messages...)
	}
	list := slices.Clone(messages)
	list[at].Parts = m.injectParts(list[at].Parts)
	return list
}

// injectParts puts the manifest into the part that has one, or else into the one with a
// placeholder, or else into the last text.
func (m *Manifest) injectParts(parts []chat.Part) []chat.Part {
	parts = slices.Clone(parts)
	at := slices.IndexFunc(parts, m.isInPart)
	if at < 0 {
		at = slices.IndexFunc(parts, func(p chat.Part) bool {
			return p.Kind == chat.PartText && strings.Contains(p.Text, Placeholder)
		})
	}
	for i := len(parts) - 1; at < 0 && i >= 0; i-- {
		if parts[i].Kind == chat.PartText {
			at = i
		}
	}
	if at < 0 {
		return append(parts, chat.TextPart(m.Inject("")))
	}
	parts[at].Text = m.Inject(parts[at].Text)
	return parts
}
