package syntax

import (
	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Writer writes the arguments of a call, member by member, to where they
// belong: into one JSON object, or, for a file tool, its content as it is and
// its other parameters into the metadata.
type Writer struct {
	Call    Call
	Key     string          // of the open member
	Out     *jsonstream.Out // where the open member's JSON goes; nil: nowhere
	Content bool            // the open member is the content of a file tool

	out     *jsonstream.Out // the call's
	schema  *schema.Schema  // of all arguments
	names   Names
	members int
	meta    bool // the open member is another parameter of a file tool
	aside   jsonstream.Out
	recent  lex.Recent
}

// Begin begins the arguments of c.
func (w *Writer) Begin(c Call) {
	w.names.Reset()
	w.aside.Reset()
	w.Call, w.Key, w.Out, w.Content = c, "", nil, false
	w.out, w.schema, w.members, w.meta = c.Out(), c.Schema(), 0, false
}

// Name returns text as a string. It allocates once for a name that calls repeat.
func (w *Writer) Name(text []byte) string { return w.recent.String(text) }

// Schema is that of all arguments.
func (w *Writer) Schema() *schema.Schema { return w.schema }

// Members is how many members have been written as JSON. Has reports whether there
// was one of that name.
func (w *Writer) Members() int         { return w.members }
func (w *Writer) Has(name string) bool { return w.names.Has(name) }

// Open begins a member, and returns the schema of its value. A member of a name
// that was there already goes nowhere.
func (w *Writer) Open(key string) *schema.Schema {
	w.Key, w.Content, w.meta, w.Out = key, false, false, nil
	w.Call.Meets(key)
	switch {
	case !w.names.Add(key):
		w.Call.Tolerate(toolcall.DuplicateArgument)
	case w.Call.IsFile():
		w.meta, w.Out = true, &w.aside
	default:
		w.Out = w.out
		w.separate()
		EscapeInto(w.Out, key, 0, len(key))
		w.Out.Add(`":`)
	}
	return w.schema.Property(key)
}

// separate writes what stands before the name of one more member.
func (w *Writer) separate() {
	if w.members++; w.members == 1 {
		w.out.Add(`{"`)
	} else {
		w.out.Add(`,"`)
	}
}

// OpenAside begins a value that is no member of its own yet. CloseAside ends it, and
// returns its JSON.
func (w *Writer) OpenAside()         { w.Out, w.Content, w.meta = &w.aside, false, false }
func (w *Writer) CloseAside() string { w.Out = nil; return w.aside.Take() }

// Skip begins a member that goes nowhere.
func (w *Writer) Skip() {
	w.Call.Tolerate(toolcall.DuplicateArgument)
	w.Out, w.Content, w.meta = nil, false, false
}

// All writes all members at once: object is the JSON object that holds them. None
// may have been written before it.
func (w *Writer) All(object string) {
	if inner := lex.TrimBlanks(object[1 : len(object)-1]); inner != "" {
		w.out.Add("{" + inner)
		w.members++
	}
}

// BeginsText begins a text as the value of the open member, of which nothing has
// been written yet. It decides where a file tool's content goes.
func (w *Writer) BeginsText() {
	if w.Out == w.out && w.out != nil {
		w.Content = w.Call.TextBegins(w.Key)
	}
}

// Close ends the open member, whose value has been written.
func (w *Writer) Close() {
	switch {
	case w.meta:
		w.Call.SetMeta(w.Key, w.aside.Take())
	case w.Out == w.out && !w.Content:
		w.Call.Has(w.Key)
	}
	w.Out, w.Content, w.meta = nil, false, false
}

// End ends the arguments.
func (w *Writer) End() {
	switch {
	case w.Call.IsFile():
	case w.members == 0:
		w.out.Add("{}")
	default:
		w.out.AddByte('}')
	}
}

// Write writes JSON to the open member.
func (w *Writer) Write(json string) {
	if w.Out != nil {
		w.Out.Add(json)
	}
}

// Steady reports whether the open member's text goes to the call's output as it is.
func (w *Writer) Steady() bool { return w.Out != nil && w.Out == w.out }

// Value readies v to take in the text of the open member's value, which is typed by
// s. Of blanks that may be layout it holds no more than limit.
func (w *Writer) Value(v *Value, s *schema.Schema, layout dialect.Layout, limit int) {
	if !s.MayConvert("") {
		w.BeginsText()
	}
	v.Reset(Typed, w.Out, s, limit)
	switch layout {
	case dialect.LayoutLines:
		v.Lead, v.Trail, v.block = LeadOpen, true, true
	case dialect.LayoutEdge:
		v.Lead, v.Trail, v.edge = LeadOpen, true, true
	case dialect.LayoutTrim:
		v.Lead, v.Trail, v.trim = leadBlanks, true, true
	}
	switch {
	case w.Out == nil:
		v.Sink = Drop
	case w.Content:
		v.Sink = Plain
	case !s.MayConvert(""):
		v.BeginString()
	}
}
