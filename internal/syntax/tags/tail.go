package tags

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// maxTailText limits, in bytes, the text between the arguments and the call's closer. If
// there is more text, or other markup, the closer is missing and the text is not part of
// the call.
const maxTailText = 256

// beginTail waits for the call's closer after the arguments.
func (m *machine) beginTail(h syntax.Host, in string, i int) int {
	looked := m.limits.Lookable(in, i)
	if closer := lex.SkipBlanks(looked, i); strings.HasPrefix(looked[closer:], m.plain.call) {
		i = closer + len(m.plain.call)
		return h.Close(in, i, h.At(i), toolcall.Complete, toolcall.ReasonNone)
	}
	m.phase, m.strayText = inTail, false
	m.look.Reset()
	h.Look(i)
	return i
}

// readTail reads what follows the arguments, up to the call's closer.
func (m *machine) readTail(h syntax.Host, in string, i int) int {
	tok, j := m.look.Read(in, i)
	switch tok {
	case lex.TokenMore:
		return j
	case lex.TokenComment:
		m.beginComment()
		return j
	case lex.TokenOther, lex.TokenBrace:
		if !m.strayText {
			m.strayText = true
			h.Until(j, maxTailText)
		}
		m.look.Reset()
		if n := strings.IndexByte(in[j:], '<'); n >= 0 {
			return j + n
		}
		return len(in)
	case lex.TokenClose:
		if m.look.Is(m.call) {
			if m.strayText {
				m.Call.Tolerate(toolcall.TextBetween)
			}
			return h.Close(in, j, h.At(j), toolcall.Complete, toolcall.ReasonNone)
		}
		if m.look.Is(m.frames[0].closer) { // the wrapper around a JSON body
			m.frames[0].closer = ""
			return m.beginTail(h, in, j)
		}
	}
	return m.lacksCloser(h, in, j)
}

// lacksCloser ends a call whose closer is missing. The bytes in its place are read again.
func (m *machine) lacksCloser(h syntax.Host, in string, i int) int {
	m.Call.Tolerate(toolcall.MissingCloser)
	return h.Close(in, i, h.From(), toolcall.Complete, toolcall.ReasonNone)
}

// isCut ends a call inside its arguments, because the next call begins with the pending bytes.
func (m *machine) isCut(h syntax.Host, in string, i int) int {
	for len(m.frames) > 1 {
		m.closeFrame()
	}
	m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
	m.End()
	h.ContentEnds(h.From())
	return m.lacksCloser(h, in, i)
}
