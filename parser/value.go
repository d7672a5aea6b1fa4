package parser

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// value takes in the text of one value, run by run, drops the newlines that
// are layout, and writes it where it belongs: as a JSON string that streams,
// as another JSON type once it is whole, or as it is.
type value struct {
	sink   sink
	out    *jsonstream.Out
	schema *schema.Schema
	begun  bool   // sinkTyped: the opening quote is out, the value is a string
	whole  bool   // sinkTyped: it may be an object or array, which does not stream
	text   []byte // sinkTyped: the value so far, until it begins as a string

	skip  string // blanks of the marker before it, as far as they have not come
	lead  leadState
	trail bool   // a newline before the closer, with blanks after it, is layout
	trim  bool   // all blanks before the closer are
	edge  bool   // only a newline right before the closer is
	block bool   // more than that is only where a newline stands at the beginning, too
	kept  []byte // such a newline, with blanks, that may be it
	limit int    // of kept, in bytes

	none bool // None may be null, whatever else the value may be

	quote quoteState
	scan  *jsonstream.Scanner // of a quoted string
}

// maxUndecided is more than the bytes by which a schema tells what a value may
// become.
const maxUndecided = 8 << 10

// sink is what becomes of a value.
type sink uint8

const (
	sinkDrop  sink = iota // nothing
	sinkPlain             // its text, as it is
	sinkTyped             // JSON of the type that its schema wants
)

// leadState is how much of a newline after the opening tag has been seen.
type leadState uint8

const (
	leadNone   leadState = iota // past it
	leadOpen                    // at the very beginning
	leadReturn                  // after a CR
	leadBlanks                  // in blanks, all of which are layout
)

// add takes in[a:b], which may be empty, as the next run of the value's text.
func (v *value) add(in string, a, b int) {
	for v.skip != "" && a < b {
		if in[a] != v.skip[0] {
			v.skip = ""
			break
		}
		v.skip = v.skip[1:]
		a++
	}
	for v.lead != leadNone && a < b {
		switch {
		case v.lead == leadBlanks && isBlank(in[a]):
			a++
		case in[a] == '\n':
			v.lead = leadNone
			a++
		case in[a] == '\r' && v.lead == leadOpen:
			v.lead = leadReturn
			a++
		default:
			if v.lead == leadReturn {
				v.put("\r", 0, 1)
			}
			v.lead, v.edge = leadNone, v.edge || v.block
		}
	}
	if !v.trail {
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
	if len(v.kept) > 0 {
		if a = v.keep(in, a, b); a == b {
			return
		}
	}
	n := b
	if !v.edge || in[b-1] != ' ' && in[b-1] != '\t' {
		n = layoutAt(in, a, b)
	}
	v.put(in, a, n)
	v.kept = append(v.kept, in[n:b]...)
	if len(v.kept) > v.limit {
		v.release()
	}
}

// addTrimmed is add where blanks before the closer are layout. A run of them that is
// longer than the limit is content piece by piece, however it is cut.
func (v *value) addTrimmed(in string, a, b int) {
	n := b
	for n > a && isBlank(in[n-1]) {
		n--
	}
	if n > a {
		if len(v.kept) > 0 {
			v.release()
		}
		v.put(in, a, n)
	}
	for room := v.limit + 1 - len(v.kept); b-n >= room; room = v.limit + 1 {
		v.kept = append(v.kept, in[n:n+room]...)
		v.release()
		n += room
	}
	v.kept = append(v.kept, in[n:b]...)
}

// layoutAt is the offset of a newline, with nothing but blanks behind it, at
// the end of in[a:b]: b where there is none.
func layoutAt(in string, a, b int) int {
	n := b
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

// keep reads on after a newline that may be layout.
func (v *value) keep(in string, a, b int) int {
	if string(v.kept) == "\r" {
		if in[a] != '\n' {
			v.release()
			return a
		}
		v.kept = append(v.kept, '\n')
		a++
	}
	k := a
	for k < b && (in[k] == ' ' || in[k] == '\t') && !v.edge {
		k++
	}
	v.kept = append(v.kept, in[a:k]...)
	if k < b || len(v.kept) > v.limit {
		v.release()
	}
	return k
}

// What is kept of nearly all lines is a part of one of these, and costs no memory.
const (
	indent = "\n                                        "
	tabs   = "\n\t\t\t\t\t\t\t\t\t\t"
)

// release makes what was kept content.
func (v *value) release() {
	text := ""
	switch n := len(v.kept); {
	case n <= len(indent) && string(v.kept) == indent[:n]:
		text = indent[:n]
	case n <= len(tabs) && string(v.kept) == tabs[:n]:
		text = tabs[:n]
	default:
		text = string(v.kept)
	}
	v.kept = v.kept[:0]
	v.put(text, 0, len(text))
}

// addText is add for text that is no part of the input and no layout.
func (v *value) addText(text string) {
	if v.lead == leadReturn {
		v.put("\r", 0, 1)
	}
	v.lead = leadNone
	if len(v.kept) > 0 {
		v.release()
	}
	v.put(text, 0, len(text))
}

// put writes in[a:b] to the sink, without the quotes around it.
func (v *value) put(in string, a, b int) {
	if a < b && v.quote != quoteNone {
		a = v.unquote(in, a, b)
	}
	v.write(in, a, b)
}

// write writes in[a:b] to the sink.
func (v *value) write(in string, a, b int) {
	if a >= b {
		return
	}
	switch v.sink {
	case sinkPlain:
		v.out.Pass(in, a, b)
	case sinkTyped:
		if v.begun {
			escapeInto(v.out, in, a, b)
			return
		}
		v.text = append(v.text, in[a:b]...)
		switch {
		case v.whole:
		case !v.schema.MayConvert(string(v.text)) && !(v.none && strings.HasPrefix("None", trimBlanks(string(v.text)))):
			v.beginString()
		case len(v.text) > maxUndecided:
			v.whole = true // that it may convert holds for good
		}
	}
}

// beginString decides that the value is a string, which streams from now on.
func (v *value) beginString() {
	v.begun = true
	v.out.AddByte('"')
	text := string(v.text)
	escapeInto(v.out, text, 0, len(text))
	v.out.Spill()
	v.text = v.text[:0]
}

// end ends the value at its closer, and returns what was tolerated.
func (v *value) end() toolcall.Tolerances {
	if v.lead == leadReturn {
		v.put("\r", 0, 1)
	}
	if string(v.kept) == "\r" && !v.trim {
		v.release()
	}
	used := v.endQuote()
	switch {
	case v.sink != sinkTyped:
		return used
	case !v.begun:
		json, more := v.schema.Convert(string(v.text))
		v.out.Add(json)
		return used | more
	}
	v.out.AddByte('"')
	if !v.schema.AllowsString() {
		used |= toolcall.UnconvertedValue
	}
	return used
}

// escapeInto passes in[a:b] as content of a JSON string.
func escapeInto(out *jsonstream.Out, in string, a, b int) {
	for a < b {
		n := jsonstream.PlainLen(in[a:b])
		out.Pass(in, a, a+n)
		if a += n; a < b {
			out.Add(jsonstream.Escape(in[a]))
			a++
		}
	}
}
