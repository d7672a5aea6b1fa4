package raw

import (
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// What reads up to the closer of a call alone, whatever stands before it. No row has
// these as its form of arguments: the parser picks them where a segment has content in
// their place, or where what is left of a call counts no more.
var (
	Content = untilCloser(keepAll)  // the content of a segment, as it is
	Rest    = untilCloser(dropText) // what stands behind arguments that are complete
	Broken  = untilCloser(dropAll)  // what is left of a call whose arguments are broken
)

func untilCloser(use use) syntax.Syntax {
	return syntax.Syntax{New: func(limits syntax.Limits) syntax.Machine { return &content{limits: limits, use: use} }}
}

// use is what becomes of what is read.
type use uint8

const (
	keepAll  use = iota
	dropText     // it is tolerated
	dropAll
)

// content reads up to the closer of a call, which ends it where it first stands. Where
// that is a tag, blanks and a > follow it. A file's content may stand between markers
// of its own, and then ends with the last of them before the closer.
type content struct {
	limits syntax.Limits
	use    use
	call   syntax.Call

	phase   contentPhase
	look    lex.Look
	lit     lex.Literal
	value   syntax.Value
	closer  string
	tag     string    // that the closer closes, where it is one
	markers [2]string // around the content
	marked  bool      // the content is between them
}

type contentPhase uint8

const (
	contentStart  contentPhase = iota // before the content: a marker may come
	contentText                       // in it
	contentEnding                     // in what may be the marker at its end
	contentGap                        // in blanks after it
	contentCloser                     // in what may be the closer
	contentAngle                      // after a closer that is a tag, up to its >
)

// BeginAhead is after the tag that the content stands in.
func (m *content) BeginAhead(f *syntax.Form, _ *schema.Schema, _ bool) {
	m.look.Reset()
	m.begin(f)
}

// ReadAhead reports [syntax.Differs] behind the closer, where that follows at once.
func (m *content) ReadAhead(in string, i int) (syntax.Verdict, int) {
	tok, i := m.look.Read(in, i)
	switch {
	case tok == lex.TokenMore:
		return syntax.Unsure, i
	case tok == lex.TokenClose && m.look.Is(m.tag):
		return syntax.Differs, i
	}
	return syntax.Begins, i
}

func (m *content) begin(f *syntax.Form) {
	m.closer, m.tag = f.Frame.Call.Close, ""
	if f.Head.Form == dialect.HeadAttribute {
		m.tag = strings.TrimPrefix(m.closer, "</")
	}
}

func (m *content) Begin(h syntax.Host, c syntax.Call, f *syntax.Form) {
	m.begin(f)
	m.call, m.phase, m.marked, m.lit = c, contentText, false, lex.Literal{}
	if m.use != keepAll {
		m.value.Reset(syntax.Drop, nil, nil, 0)
		return
	}
	m.value.Reset(syntax.Plain, c.Out(), nil, m.limits.Blanks)
	if !c.IsFile() {
		return
	}
	m.value.Lead, m.value.Trail = syntax.LeadOpen, c.IsCommand()
	if m.markers = c.Markers(); m.markers[0] != "" {
		m.phase = contentStart
	}
}

func (m *content) Read(h syntax.Host, in string, i int) int {
	switch m.phase {
	case contentStart:
		return m.readStart(h, in, i)
	case contentText:
		return m.readText(h, in, i)
	case contentGap:
		if i = lex.SkipBlanks(in, i); i < len(in) {
			m.phase, m.lit = contentCloser, lex.Literal{Text: m.closer, Fold: m.tag != ""}
		}
		return i
	case contentAngle:
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
		if in[i] != '>' {
			return m.Expire(h, in, i)
		}
		return m.ends(h, in, i+1)
	}
	return m.readEnd(h, in, i)
}

// readStart reads the blanks before the content, and the marker, if there is one.
func (m *content) readStart(h syntax.Host, in string, i int) int {
	if !h.Looking() {
		h.Look(i)
	}
	if m.lit.N == 0 {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
		m.lit = lex.Literal{Text: m.markers[0]}
	}
	next, done, ok := m.lit.Match(in, i)
	switch {
	case !ok:
		return m.Expire(h, in, next)
	case done:
		h.Decide()
		m.phase, m.marked = contentText, true
		m.value.Trail = false
	}
	return next
}

// readText reads content up to what may be the end.
func (m *content) readText(h syntax.Host, in string, i int) int {
	n := i + lex.IndexPrefix(in[i:], m.stop())
	if m.use == dropText && lex.SkipBlanks(in[:n], i) < n {
		m.call.Tolerate(toolcall.TextBetween)
	}
	if m.value.Add(in, i, n); n == len(in) {
		return n
	}
	h.Look(n)
	m.phase, m.lit = contentCloser, lex.Literal{Text: m.closer, Fold: m.tag != ""}
	if m.marked {
		m.phase, m.lit = contentEnding, lex.Literal{Text: m.markers[1]}
	}
	return n
}

// stop is what the content ends with.
func (m *content) stop() string {
	if m.marked {
		return m.markers[1]
	}
	return m.closer
}

// readEnd reads what may be the marker at the end, or the closer.
func (m *content) readEnd(h syntax.Host, in string, i int) int {
	next, done, ok := m.lit.Match(in, i)
	switch {
	case !ok:
		return m.Expire(h, in, next)
	case !done:
	case m.phase == contentEnding:
		m.phase = contentGap
	case m.tag != "":
		m.phase = contentAngle
	default:
		return m.ends(h, in, next)
	}
	return next
}

// ends is after the closer.
func (m *content) ends(h syntax.Host, in string, i int) int {
	m.value.End()
	h.ContentEnds(h.From())
	return h.Close(in, i, h.At(i), toolcall.Complete, toolcall.ReasonNone)
}

// Expire makes what was looked at content, from its second byte on to be read again.
func (m *content) Expire(h syntax.Host, in string, i int) int {
	start := m.phase == contentStart
	m.phase, m.lit = contentText, lex.Literal{}
	if start {
		return h.Rewind(in, i, h.From())
	}
	if m.use == dropText {
		m.call.Tolerate(toolcall.TextBetween)
	}
	stop, from := m.stop()[:1], h.From()+1
	m.value.AddText(stop)
	if h.IsHeld(from) {
		if rest := h.Pending(in, i, from); !strings.Contains(rest, stop) { // no need to read it again
			m.value.Add(rest, 0, len(rest))
			h.Decide()
			return i
		}
	}
	return h.Rewind(in, i, from)
}

// Finish reports that nothing was missing but the closer where no content was read.
func (m *content) Finish(syntax.Host) bool { return m.use != keepAll }

func (m *content) Steady() (syntax.Smooth, *syntax.Stops) {
	if m.phase != contentText {
		return 0, nil
	}
	return m.value.Steady(contentStops[m.stop()[0]])
}

// contentStops are the bytes that matter in content, by what its end begins with.
var contentStops = map[byte]*syntax.Stops{
	'<': syntax.NewStops("<", true), '[': syntax.NewStops("[", true), '_': syntax.NewStops("_", true),
}
