package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// layout returns the layout of JSON in the dialect's template.
func (w *Writer) layout() jsonvalue.Layout {
	switch {
	case w.d.Written.Compact:
		return jsonvalue.Compact
	case w.d.Written.Indent > 0:
		return jsonvalue.Indented(w.d.Written.Indent)
	}
	return jsonvalue.Spaced
}

// appendEnvelope writes a call as a JSON object with the name.
func (w *Writer) appendEnvelope(dst []byte, c *call) ([]byte, error) {
	s, whole := w.layout(), w.d.EnvelopeForm()
	for rest := whole; rest != ""; {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			return append(dst, rest...), nil
		}
		dst, rest = append(dst, rest[:at]...), rest[at:]
		slot := ""
		for _, slot = range []string{"{name}", "{id}", "{args}", "{"} {
			if strings.HasPrefix(rest, slot) {
				break
			}
		}
		before := whole[:len(whole)-len(rest)]
		switch rest = rest[len(slot):]; slot {
		case "{name}":
			dst = jsonvalue.AppendQuoted(dst, c.name)
		case "{id}":
			dst = jsonvalue.AppendQuoted(dst, w.ownID(c))
		case "{args}":
			dst = s.AppendAt(dst, c.args, s.Depth(w.d.Written.List.Open+before))
		default:
			dst = append(dst, slot...)
		}
	}
	return dst, nil
}

// ownID returns the call's id or, for dialects that require one, its index in the message
// or its number in the conversation.
func (w *Writer) ownID(c *call) string {
	if w.d.Written.Numbered {
		return strconv.Itoa(c.number)
	}
	if c.id != "" {
		return c.id
	}
	return strconv.Itoa(c.place)
}

// appendHeader writes a JSON header with the name, followed by the arguments. The frame
// writes the call's closer.
func (w *Writer) appendHeader(dst []byte, c *call) []byte {
	head, s := &w.d.Head, w.layout()
	dst = fmt.Appendf(dst, ` {"type"%s"tool"%s"%s"%s`, s.Colon, s.Comma, head.Name[0], s.Colon)
	dst = append(append(jsonvalue.AppendQuoted(dst, c.name), '}'), head.End...)
	return s.AppendAt(dst, c.args, 0)
}
