package raw

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// These read up to the closer of a call, whatever precedes it. No row names them as its
// form of arguments: the parser uses them where a segment has content instead of arguments,
// and to skip the rest of a call.
var (
	Content = untilCloser(keepAll)  // the content of a segment, kept as it is
	Rest    = untilCloser(dropText) // text after complete arguments, tolerated
	Broken  = untilCloser(dropAll)  // the rest of a call whose arguments are broken
)

func untilCloser(use use) syntax.Syntax {
	return syntax.Syntax{New: func(limits syntax.Limits) syntax.Machine { return &content{limits: limits, use: use} }}
}

// use says what happens to the text before the closer.
type use uint8

const (
	keepAll  use = iota // it is the content
	dropText            // it is dropped, with a tolerance
	dropAll             // it is dropped
)

// content reads up to the first occurrence of a call's closer. If that is a tag, optional
// blanks and a > follow it. A file's content may be enclosed in markers of its own; it then
// ends at the last such marker before the closer.
type content struct {
	limits syntax.Limits
	use    use
	call   syntax.Call

	phase   contentPhase
	look    lex.Look
	lit     lex.Literal
	value   syntax.Value
	closer  string
	tag     string    // name of the closing tag, if the closer is one
	markers [2]string // that may enclose the content
	marked  bool      // the content is between markers
}

type contentPhase uint8

const (
	contentStart  contentPhase = iota // before the content, where a marker may occur
	contentText                       // in the content
	contentEnding                     // in a possible end marker
	contentGap                        // in blanks after the end marker
	contentCloser                     // in a possible closer
	contentAngle                      // between a closing tag's name and its >
)

// BeginLookahead starts after the head.
func (m *content) BeginLookahead(f *syntax.Form, _ *schema.Schema, _ bool) {
	m.look.Reset()
	m.begin(f)
	m.lit = lex.Literal{Text: m.closer}
}

// ReadLookahead returns [syntax.Differs] if the closer follows directly.
func (m *content) ReadLookahead(in string, i int) (syntax.Verdict, int) {
	if m.tag == "" {
		if m.lit.N == 0 {
			i = lex.SkipBlanks(in, i)
		}
		next, done, ok := m.lit.Match(in, i)
		switch {
		case !ok:
			return syntax.Begins, next
		case done:
			return syntax.Differs, next
		}
		return syntax.Unsure, next
	}
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

// readStart reads the blanks before the content and the start marker, if any.
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

// readText reads content up to a possible end.
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

// stop returns the marker or closer that the content ends with.
func (m *content) stop() string {
	if m.marked {
		return m.markers[1]
	}
	return m.closer
}

// readEnd reads a possible end marker or closer.
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

// ends ends the call after its closer.
func (m *content) ends(h syntax.Host, in string, i int) int {
	m.value.End()
	h.ContentEnds(h.From())
	return h.Close(in, i, h.At(i), toolcall.Complete, toolcall.ReasonNone)
}

// Expire makes the first pending byte content.
func (m *content) Expire(h syntax.Host, in string, i int) int {
	start := m.phase == contentStart
	m.phase, m.lit = contentText, lex.Literal{}
	if start {
		return h.Rewind(in, i, h.From())
	}
	if m.use == dropText {
		m.call.Tolerate(toolcall.TextBetween)
	}
	return syntax.NotMarkup(h, in, i, m.stop()[:1], m.value.Add)
}

// Finish reports whether only the closer was missing, which is so if the text is dropped.
func (m *content) Finish(syntax.Host) bool { return m.use != keepAll }

func (m *content) PassThrough() (syntax.PassAs, *syntax.Stops) {
	if m.phase != contentText {
		return 0, nil
	}
	return m.value.PassThrough(contentStops[m.stop()[0]])
}

// contentStops maps the first byte of the closer to the stops inside content.
var contentStops = map[byte]*syntax.Stops{
	'<': syntax.NewStops("<", true), '[': syntax.NewStops("[", true), '_': syntax.NewStops("_", true),
}
