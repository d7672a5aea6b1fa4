package syntax

import (
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Writer writes the arguments of a call member by member: into one JSON object, or, for a
// file tool, the content as it is and all other parameters into the metadata.
//
// For each member, machines call Open, then Value or Write, then Close.
type Writer struct {
	Call    Call
	Key     string          // of the open member
	Out     *jsonstream.Out // receives the open member's JSON; nil discards it
	Content bool            // the open member is the content of a file tool

	out     *jsonstream.Out // of the call
	schema  *schema.Schema  // of all arguments
	names   Names
	members int
	meta    bool           // the open member is a file tool's parameter other than the content
	aside   jsonstream.Out // collects values that do not go to out: metadata, or members whose name comes later
	recent  lex.Recent
}

// Begin starts the arguments of c.
func (w *Writer) Begin(c Call) {
	w.names.Reset()
	w.aside.Reset()
	w.Call, w.Key, w.Out, w.Content = c, "", nil, false
	w.out, w.schema, w.members, w.meta = c.Out(), c.Schema(), 0, false
}

// Name returns text as a string. It allocates once for a name that calls repeat.
func (w *Writer) Name(text []byte) string { return w.recent.String(text) }

// Schema returns the schema of all arguments.
func (w *Writer) Schema() *schema.Schema { return w.schema }

// Members returns how many members have been written as JSON. HasMember reports whether a
// member called name has been opened.
func (w *Writer) Members() int               { return w.members }
func (w *Writer) HasMember(name string) bool { return w.names.Has(name) }

// Open begins a member. If the name has occurred before, the member is discarded: the first
// one wins.
func (w *Writer) Open(key string) {
	w.Key, w.Content, w.meta, w.Out = key, false, false, nil
	w.Call.BeginArgument(key)
	switch {
	case !w.names.Add(key):
		w.Call.Tolerate(toolcall.DuplicateArgument)
	case w.Call.IsFile():
		w.meta, w.Out = true, &w.aside
	default:
		w.Out = w.out
		if w.members++; w.members == 1 {
			w.Out.AddKey('{', key)
		} else {
			w.Out.AddKey(',', key)
		}
	}
}

// OpenAside begins a value that does not belong to a member yet. CloseAside ends it, and
// returns its JSON.
func (w *Writer) OpenAside()         { w.Out, w.Content, w.meta = &w.aside, false, false }
func (w *Writer) CloseAside() string { w.Out = nil; return w.aside.Take() }

// Skip begins a member that is discarded.
func (w *Writer) Skip() {
	w.Call.Tolerate(toolcall.DuplicateArgument)
	w.Out, w.Content, w.meta = nil, false, false
}

// All writes all members at once, from a JSON object. No member may have been written
// before.
func (w *Writer) All(object string) {
	if inner := lex.TrimBlanks(object[1 : len(object)-1]); inner != "" {
		w.out.Add("{" + inner)
		w.members++
	}
}

// BeginText says that the value of the open member is a text, and must be called before
// any of it is written. It decides where a file tool's content goes.
func (w *Writer) BeginText() {
	if w.Out == w.out && w.out != nil {
		w.Content = w.Call.BeginText(w.Key)
	}
}

// Close ends the open member. Its value has been written.
func (w *Writer) Close() {
	switch {
	case w.meta:
		w.Call.SetMeta(w.Key, w.aside.Take())
	case w.Out == w.out && !w.Content:
		w.Call.EndArgument(w.Key)
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
	w.Key = "" // it and the names may be parts of the input
	w.names.Reset()
}

// EndBefore ends the arguments before the pending bytes, and returns where to continue after
// in[i].
func (w *Writer) EndBefore(h Host, in string, i int) int {
	w.End()
	to := h.From()
	h.End(to)
	return h.Rewind(in, i, to)
}

// Write appends JSON to the open member.
func (w *Writer) Write(json string) {
	if w.Out != nil {
		w.Out.Add(json)
	}
}

// Text writes in[a:b] as part of the open member's value, which is a text and, unless it is a
// file tool's content, between quotes that the caller has written.
func (w *Writer) Text(in string, a, b int) {
	switch {
	case w.Out == nil:
	case w.Content: // it streams without escaping
		w.Out.Pass(in, a, b)
	default:
		w.Out.AddEscaped(in, a, b)
	}
}

// Direct reports whether the open member's text goes directly to the call's output.
func (w *Writer) Direct() bool { return w.Out != nil && w.Out == w.out }

// Whole writes in[a:b] as the text of the open member's value, with schema s, and returns what was
// tolerated. For a text that is all there and has no layout, it does what Value, Value.Add and
// Value.End do.
func (w *Writer) Whole(s *schema.Schema, in string, a, b int) (used toolcall.Tolerances) {
	isText := s.IsText()
	if isText {
		w.BeginText()
	}
	switch {
	case w.Out == nil:
		return 0
	case w.Content:
		w.Out.Pass(in, a, b)
		return 0
	case !isText:
		if json, used, ok := s.ConvertTyped(in[a:b]); ok {
			w.Out.Add(json)
			return used
		}
		if !s.AllowsString() {
			used = toolcall.UnconvertedValue
		}
	}
	w.Out.AddByte('"')
	w.Out.AddEscaped(in, a, b)
	w.Out.AddByte('"')
	return used
}

// Value prepares v for the text of the open member's value, with schema s. v holds back at
// most limit bytes of blanks that may be layout.
func (w *Writer) Value(v *Value, s *schema.Schema, layout dialect.Layout, limit int) {
	isText := s.IsText()
	if isText {
		w.BeginText()
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
	case isText:
		v.BeginString()
	}
}
