package manifest

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
)

// Placeholder marks where in a system prompt [Manifest.Inject] puts the manifest.
const Placeholder = "{{tools}}"

// Inject returns a system prompt with the manifest at the first placeholder, or else at the
// place in the template, which is mostly the end. A prompt that already contains the manifest
// stays as it is. An empty manifest only removes placeholders. For templates that show the
// tools in a message of the user, or in a message of their own, use [Manifest.InjectChat].
func (m *Manifest) Inject(system string) string { return m.inject(system, m.Text()) }

// inject puts a manifest as a whole text into a system prompt.
func (m *Manifest) inject(system, whole string) string {
	text := strings.TrimSuffix(whole, "\n")
	switch {
	case text == "":
		return strings.ReplaceAll(system, Placeholder, "")
	case strings.Contains(system, text):
		return system
	}
	if before, after, ok := strings.Cut(system, Placeholder); ok {
		return before + text + strings.ReplaceAll(after, Placeholder, "")
	}
	if strings.TrimSpace(system) == "" {
		return whole
	}
	place, gap := m.place()
	if place == dialect.ShowBefore || place == dialect.ShowFirst {
		return whole + gap + system
	}
	return strings.TrimRight(system, "\r\n") + gap + whole
}

// place returns the place of the manifest, and the text between it and its neighbour.
func (m *Manifest) place() (dialect.ShowPlace, string) {
	if !m.opts.templated() {
		return "", "\n\n"
	}
	show := m.dialect.ShowForm()
	if show.Place == dialect.ShowFirst || show.Place == dialect.ShowSecond {
		return show.Place, "\n\n" // for a system prompt, where it has no message of its own
	}
	return show.Place, show.Gap
}

// InjectChat returns a copy of a request that does not use the provider's native tool
// calling. It puts the manifest into the system message, and adds one if there is none. It
// removes the tools, the tool choice and the switch for parallel calls, and adds as many stop
// sequences as providers accept. The text that the template has after the conversation
// becomes a system message at the end. Tools that the provider runs itself stay. If the
// manifest is empty, InjectChat returns r itself.
func (m *Manifest) InjectChat(r *chat.Request) *chat.Request {
	if m.text == "" {
		return r
	}
	out := *r
	out.Messages = m.closed(m.injected(r.Messages))
	out.Tools = nil
	for _, t := range r.Tools {
		if t.Hosted {
			out.Tools = append(out.Tools, t)
		}
	}
	out.ToolChoice, out.ParallelCalls = chat.ToolChoice{}, chat.Unset
	out.Stop = slices.Clone(r.Stop)
	for _, s := range m.stop {
		if len(out.Stop) < maxStops && !slices.Contains(out.Stop, s) {
			out.Stop = append(out.Stop, s)
		}
	}
	return &out
}

// closed appends a message with the text that the template has after the conversation.
func (m *Manifest) closed(messages []chat.Message) []chat.Message {
	if m.closing == "" {
		return messages
	}
	message := chat.Message{Role: chat.System, Parts: []chat.Part{chat.TextPart(m.closing)}}
	if last := len(messages) - 1; isSystem(messages[last]) && len(messages[last].Parts) == 1 && messages[last].Parts[0].Text == m.closing {
		return messages
	}
	return append(slices.Clip(messages), message)
}

func isSystem(msg chat.Message) bool { return msg.Role == chat.System || msg.Role == chat.Developer }

// isUser reports whether a message has content of the user.
func isUser(msg chat.Message) bool { return msg.Role == chat.User && len(msg.Parts) > 0 }

// hasPlaceholder reports whether a message is a system message with a placeholder.
func hasPlaceholder(msg chat.Message) bool {
	return isSystem(msg) && indexOf(msg.Parts, Placeholder) >= 0
}

// isIn reports whether a message contains the manifest: a system message or, if the template
// shows the tools there, one of the user.
func (m *Manifest) isIn(msg chat.Message) bool {
	place, _ := m.place()
	inUser := place == dialect.ShowFirstUser || place == dialect.ShowLastUser
	return (isSystem(msg) || isUser(msg) && inUser) && indexOf(msg.Parts, strings.TrimSuffix(m.text, "\n")) >= 0
}

// indexOf returns the index of the first text that contains another one, or -1.
func indexOf(parts []chat.Part, text string) int {
	return slices.IndexFunc(parts, func(p chat.Part) bool { return p.Kind == chat.PartText && strings.Contains(p.Text, text) })
}

// injected is injectMessages. It remembers the system prompt, where that alone determines
// what becomes of it.
func (m *Manifest) injected(messages []chat.Message) []chat.Message {
	at := slices.IndexFunc(messages, isSystem)
	place, _ := m.place()
	if at < 0 || place != "" && place != dialect.ShowBefore ||
		len(messages[at].Parts) != 1 || messages[at].Parts[0].Kind != chat.PartText || !m.opts.Texts.Keeps(len(messages[at].Parts[0].Text)) || slices.ContainsFunc(messages[at+1:], isSystem) {
		return m.injectMessages(messages)
	}
	list := slices.Clone(messages)
	part := messages[at].Parts[0]
	part.Text = m.opts.Texts.Made(m.maker, []byte(part.Text), func() (any, int) {
		text := m.injectParts([]chat.Part{part})[0].Text
		return text, len(text)
	}).(string)
	list[at].Parts = []chat.Part{part}
	return list
}

// injectMessages puts the manifest into the message that contains it, or else at the place
// in the template, or into the first system message.
func (m *Manifest) injectMessages(messages []chat.Message) []chat.Message {
	at := slices.IndexFunc(messages, m.isIn)
	if at < 0 && !slices.ContainsFunc(messages, hasPlaceholder) {
		if placed := m.placed(messages); placed != nil {
			return placed
		}
	}
	if at < 0 {
		at = slices.IndexFunc(messages, isSystem)
	}
	if at < 0 {
		system := chat.Message{Role: chat.System, Parts: []chat.Part{chat.TextPart(m.inject("", m.text))}}
		return append([]chat.Message{system}, messages...)
	}
	list := slices.Clone(messages)
	list[at].Parts = m.injectParts(list[at].Parts)
	return list
}

// placed puts the manifest into a message of its own, or of the user, if the template has it
// there. Otherwise it returns nil.
func (m *Manifest) placed(messages []chat.Message) []chat.Message {
	place, gap := m.place()
	switch place {
	case dialect.ShowFirst, dialect.ShowSecond:
		at := 0
		if place == dialect.ShowSecond {
			at = slices.IndexFunc(messages, isSystem) + 1
		}
		section := chat.Message{Role: chat.System, Parts: []chat.Part{chat.TextPart(m.text)}}
		return slices.Insert(slices.Clone(messages), at, section)
	case dialect.ShowFirstUser, dialect.ShowLastUser:
		at := slices.IndexFunc(messages, isUser)
		if at < 0 {
			return nil
		}
		for i := range messages {
			if place == dialect.ShowLastUser && isUser(messages[i]) {
				at = i
			}
		}
		list := slices.Clone(messages)
		parts := slices.Clone(list[at].Parts)
		if parts[0].Kind == chat.PartText {
			parts[0].Text = m.text + gap + parts[0].Text
		} else {
			parts = slices.Insert(parts, 0, chat.TextPart(m.text+gap))
		}
		list[at].Parts = parts
		return list
	}
	return nil
}

// injectParts puts the manifest into the part that contains it, or else into the one with a
// placeholder, or else into the last text.
func (m *Manifest) injectParts(parts []chat.Part) []chat.Part {
	parts = slices.Clone(parts)
	at := indexOf(parts, strings.TrimSuffix(m.text, "\n"))
	if at < 0 {
		at = indexOf(parts, Placeholder)
	}
	for i := len(parts) - 1; at < 0 && i >= 0; i-- {
		if parts[i].Kind == chat.PartText {
			at = i
		}
	}
	if at < 0 {
		return append(parts, chat.TextPart(m.inject("", m.text)))
	}
	parts[at].Text = m.inject(parts[at].Text, m.text)
	return parts
}
