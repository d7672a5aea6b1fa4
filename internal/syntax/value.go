package syntax

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Value receives the text of one argument in runs, drops the newlines that are layout, and
// writes the rest to its sink: as plain text, as a JSON string that streams, or, once the
// value is complete, as another JSON type.
type Value struct {
	Sink   Sink
	Out    *jsonstream.Out
	Schema *schema.Schema
	Begun  bool // Typed: the value is a string, and its opening quote has been written
	Whole  bool // Typed: it may be an object or an array, which does not stream

	piece  string // Typed: the value so far, before it begins as a string, if it came in one piece
	pieces []byte // otherwise

	Skip         string // trailing blanks of the marker before the value that have not arrived yet
	Lead         Lead   // layout at the beginning
	Trail        bool   // a newline before the closer, with blanks after it, is layout
	trim         bool   // all blanks before the closer are
	edge         bool   // only a newline directly before the closer is
	onlyUnclosed bool   // it is layout only if the value's own closer is missing
	block        bool   // edge, unless a newline begins the value
	layout       []byte // bytes that are layout if the closer follows, and content otherwise
	Limit        int    // maximum length of layout, in bytes

	None bool // the text None may be null, whatever the schema allows

	quote quoteState
	scan  *jsonstream.Scanner // of a quoted string
}

// Reset prepares v for another value, without layout. limit bounds the blanks that v holds
// back, in bytes. v keeps its memory.
func (v *Value) Reset(sink Sink, out *jsonstream.Out, s *schema.Schema, limit int) {
	pieces, layout, scan := v.pieces[:0], v.layout[:0], v.scan
	*v = Value{} // in place: a literal with fields would be built elsewhere and copied
	v.Sink, v.Out, v.Schema, v.Limit = sink, out, s, limit
	v.pieces, v.layout, v.scan = pieces, layout, scan
}

// maxUndecided exceeds the number of bytes after which a schema rules out no further type,
// so that a longer undecided value stays undecided to its end.
const maxUndecided = 8 << 10

// Sink is the destination of a value.
type Sink uint8

const (
	Drop  Sink = iota // discards the value
	Plain             // the text as it is
	Typed             // JSON of the type that the schema wants
)

// Lead is the state of the layout at the beginning of a value.
type Lead uint8

const (
	LeadNone   Lead = iota // past it
	LeadOpen               // at the first byte
	leadReturn             // after a CR
	leadBlanks             // in leading blanks, all of which are layout
)

// Add takes in[a:b], which may be empty, as the next run of the value's text.
func (v *Value) Add(in string, a, b int) {
	a = v.skipLead(in, a, b)
	if !v.Trail {
		v.put(in, a, b)
		return
	}
	if a == b {
		return
	}
	if v.trim {
		v.addTrimmed(in, a, b)
		return
	}
	if len(v.layout) > 0 {
		if a = v.keep(in, a, b); a == b {
			return
		}
	}
	n := v.layoutAt(in, a, b)
	if v.put(in, a, n); n == b {
		return
	}
	if v.layout = append(v.layout, in[n:b]...); len(v.layout) > v.Limit {
		v.release()
	}
}

// AddLast is Add and End in one step, for the last run of the value's text. A value that comes
// in one run, as most do, is converted without the states that a stream needs.
func (v *Value) AddLast(in string, a, b int) toolcall.Tolerances {
	n := b
	if a = v.skipLead(in, a, b); v.Trail && !v.onlyUnclosed && a < b {
		n = v.layoutAt(in, a, b)
	}
	if v.quote != quoteNone || v.Lead == leadReturn || in[n:b] == "\r" || b-n > v.Limit || !v.isNew() {
		v.Add(in, a, b)
		return v.End()
	}
	if v.Sink == Plain {
		v.Out.Pass(in, a, n)
	} else if v.Begun {
		v.Out.AddEscaped(in, a, n)
	}
	return v.finish(in[a:n])
}

// isNew reports whether nothing of the value waits to be written.
func (v *Value) isNew() bool { return v.piece == "" && len(v.pieces) == 0 && len(v.layout) == 0 }

// skipLead returns the offset in in[a:b] after the layout at the beginning of the value.
func (v *Value) skipLead(in string, a, b int) int {
	for v.Skip != "" && a < b {
		if in[a] != v.Skip[0] {
			v.Skip = ""
			break
		}
		v.Skip = v.Skip[1:]
		a++
	}
	for v.Lead != LeadNone && a < b {
		switch {
		case v.Lead == leadBlanks && lex.IsBlank(in[a]):
			a++
		case in[a] == '\n':
			v.Lead = LeadNone
			a++
		case in[a] == '\r' && v.Lead == LeadOpen:
			v.Lead = leadReturn
			a++
		default:
			if v.Lead == leadReturn {
				v.put("\r", 0, 1)
			}
			v.Lead, v.edge = LeadNone, v.edge || v.block
		}
	}
	return a
}

// addTrimmed is Add for a value whose trailing blanks are layout. A run of blanks longer
// than the limit is content. It is released in pieces of fixed size, so that the result
// does not depend on how the run is cut.
func (v *Value) addTrimmed(in string, a, b int) {
	n := v.layoutAt(in, a, b)
	if n > a {
		if len(v.layout) > 0 {
			v.release()
		}
		v.put(in, a, n)
	}
	for room := v.Limit + 1 - len(v.layout); b-n >= room; room = v.Limit + 1 {
		v.layout = append(v.layout, in[n:n+room]...)
		v.release()
		n += room
	}
	v.layout = append(v.layout, in[n:b]...)
}

// layoutAt returns the offset of what may be layout at the end of in[a:b]: all blanks, or a newline
// that only spaces and tabs follow; or b.
func (v *Value) layoutAt(in string, a, b int) int {
	n := b
	switch {
	case v.trim:
		for n > a && lex.IsBlank(in[n-1]) {
			n--
		}
		return n
	case v.edge && (in[n-1] == ' ' || in[n-1] == '\t'):
		return n
	}
	for n > a && (in[n-1] == ' ' || in[n-1] == '\t') {
		n--
	}
	switch {
	case n > a && in[n-1] == '\n':
		if n--; n > a && in[n-1] == '\r' {
			n--
		}
		return n
	case n == b && n > a && in[n-1] == '\r':
		return n - 1
	}
	return b
}

// keep continues after a newline that may be layout, and returns the offset up to which the
// bytes belong to it.
func (v *Value) keep(in string, a, b int) int {
	if string(v.layout) == "\r" {
		if in[a] != '\n' {
			v.release()
			return a
		}
		v.layout = append(v.layout, '\n')
		a++
	}
	k := a
	for k < b && (in[k] == ' ' || in[k] == '\t') && !v.edge {
		k++
	}
	v.layout = append(v.layout, in[a:k]...)
	if k < b || len(v.layout) > v.Limit {
		v.release()
	}
	return k
}

// Nearly all indentation is a prefix of one of these strings, so that release does not
// allocate.
const (
	indent = "\n                                        "
	tabs   = "\n\t\t\t\t\t\t\t\t\t\t"
)

// release makes the kept bytes content.
func (v *Value) release() {
	text := ""
	switch n := len(v.layout); {
	case n <= len(indent) && string(v.layout) == indent[:n]:
		text = indent[:n]
	case n <= len(tabs) && string(v.layout) == tabs[:n]:
		text = tabs[:n]
	default:
		text = string(v.layout)
	}
	v.layout = v.layout[:0]
	v.put(text, 0, len(text))
}

// AddText adds text that is neither part of the input nor layout, such as a decoded entity.
func (v *Value) AddText(text string) {
	if v.Lead == leadReturn {
		v.put("\r", 0, 1)
	}
	v.Lead = LeadNone
	if len(v.layout) > 0 {
		v.release()
	}
	v.put(text, 0, len(text))
}

// put writes in[a:b] to the sink, without the quotes of a JSON string.
func (v *Value) put(in string, a, b int) {
	if a < b && v.quote != quoteNone {
		a = v.unquote(in, a, b)
	}
	v.write(in, a, b)
}

// write writes in[a:b] to the sink.
func (v *Value) write(in string, a, b int) {
	if a >= b {
		return
	}
	switch v.Sink {
	case Plain:
		v.Out.Pass(in, a, b)
	case Typed:
		if v.Begun {
			v.Out.AddEscaped(in, a, b)
			return
		}
		if len(v.pieces) == 0 && v.piece == "" {
			v.piece = in[a:b]
		} else {
			v.pieces = append(append(v.pieces, v.piece...), in[a:b]...)
			v.piece = ""
		}
		switch {
		case v.Whole:
		case !v.Schema.MayConvert(v.Text()) && !(v.None && strings.HasPrefix("None", lex.TrimBlanks(v.Text()))):
			v.BeginString()
		case len(v.piece)+len(v.pieces) > maxUndecided:
			v.Whole = true // MayConvert will not become false any more
		}
	}
}

// Text returns the value so far, before it begins as a string. It copies nothing if the value
// came in one piece.
func (v *Value) Text() string {
	if len(v.pieces) == 0 {
		return v.piece
	}
	return string(v.pieces)
}

// SetText replaces the value so far.
func (v *Value) SetText(text string) { v.piece, v.pieces = text, v.pieces[:0] }

// BeginString decides that the value is a string. It streams from now on.
func (v *Value) BeginString() {
	v.Begun = true
	v.Out.AddByte('"')
	if text := v.Text(); text != "" {
		v.Out.AddEscaped(text, 0, len(text))
		v.Out.Spill()
		v.SetText("")
	}
}

// MayLackCloser makes a newline before the end of the value content if the value's own
// closer follows, and layout if that is missing.
func (v *Value) MayLackCloser() { v.Trail, v.onlyUnclosed = true, true }

// LacksCloser says, before End, that the value's own closer is missing.
func (v *Value) LacksCloser() { v.onlyUnclosed = false }

// End ends the value and returns what was tolerated.
func (v *Value) End() toolcall.Tolerances {
	if v.Lead == leadReturn {
		v.put("\r", 0, 1)
	}
	if len(v.layout) > 0 && (v.onlyUnclosed || string(v.layout) == "\r" && !v.trim) {
		v.release()
	}
	return v.endQuote() | v.finish(v.Text())
}

// finish ends the value. text is all of it, unless it has been written before as a string.
func (v *Value) finish(text string) toolcall.Tolerances {
	if v.Sink != Typed {
		return 0
	}
	if !v.Begun {
		if json, used, ok := v.Schema.ConvertTyped(text); ok {
			v.Out.Add(json)
			return used
		}
		v.Out.AddByte('"')
		v.Out.AddEscaped(text, 0, len(text))
	}
	v.Out.AddByte('"')
	if !v.Schema.AllowsString() {
		return toolcall.UnconvertedValue
	}
	return 0
}

// Undecided reports whether the value may still become something other than a string.
func (v *Value) Undecided() bool { return v.Sink == Typed && !v.Begun }

// IsScalar reports whether the value must be a number, a boolean or null, in which no markup
// can be content.
func (v *Value) IsScalar() bool {
	if v.Sink != Typed || v.Schema.AllowsString() {
		return false
	}
	object, array := v.Schema.AllowsContainer()
	return !object && !array
}

// PassThrough says how chunks without the given stops are passed on; see [Machine].
func (v *Value) PassThrough(stops *Stops) (PassAs, *Stops) {
	switch {
	case v.Lead != LeadNone || len(v.layout) > 0 || v.quote != quoteNone || v.trim:
	case v.Sink == Plain:
		return PassPlain, stops
	case v.Sink == Typed && v.Begun:
		return PassString, stops
	}
	return 0, nil
}

// TextParam returns the parameter that receives a text in place of all arguments: Args.Param,
// unless the tool declares another one and only that.
func TextParam(a *dialect.Args, s *schema.Schema) string {
	if only, ok := s.Only(); ok && !s.Declares(a.Param) {
		return only
	}
	return a.Param
}
