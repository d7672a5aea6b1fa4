package parser

import (
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// argWriter writes the arguments of a call, member by member, to where they
// belong: into one JSON object, or, for a file tool, its content as it is and
// its other parameters into the metadata.
type argWriter struct {
	call    *call
	count   int
	names   nameSet
	key     string
	out     *jsonstream.Out // where the open member's JSON goes; nil: nowhere
	content bool            // the open member is the content of a file tool
	meta    bool            // the open member is another parameter of one
	member  jsonstream.Out
}

// begin begins the arguments of c.
func (w *argWriter) begin(c *call) {
	w.names.reset()
	w.member.Reset()
	*w = argWriter{call: c, names: w.names, member: w.member}
}

// open begins a member, and returns the schema of its value. A member of a name
// that was there already goes nowhere.
func (w *argWriter) open(key string) *schema.Schema {
	c := w.call
	w.key, w.content, w.meta, w.out = key, false, false, nil
	c.meets(key)
	property := c.schema.Property(key)
	switch {
	case !w.names.add(key):
		c.tolerances |= toolcall.DuplicateArgument
	case c.file != nil:
		w.meta, w.out = true, &w.member
	default:
		w.out = &c.out
		if w.count == 0 {
			w.out.Add(`{"`)
		} else {
			w.out.Add(`,"`)
		}
		escapeInto(w.out, key, 0, len(key))
		w.out.Add(`":`)
		w.count++
	}
	return property
}

// beginsText begins a text as the value of the open member, of which nothing has been
// written yet. It decides where a file tool's content goes.
func (w *argWriter) beginsText() {
	if c := w.call; w.out == &c.out && c.may.tool != nil && w.key == c.may.tool.Content {
		w.content = c.textBegins()
	}
}

// close ends the open member, whose value has been written.
func (w *argWriter) close() {
	switch {
	case w.meta:
		w.call.setMeta(w.key, w.member.Take())
	case w.out == &w.call.out && !w.content:
		w.call.hasArgument(w.key)
	}
	w.out, w.content, w.meta = nil, false, false
}

// end ends the arguments.
func (w *argWriter) end() {
	switch {
	case w.call.file != nil:
	case w.count == 0:
		w.call.out.Add("{}")
	default:
		w.call.out.AddByte('}')
	}
}

// steady reports whether the open member's text goes to the call's output as it is.
func (w *argWriter) steady() bool { return w.out != nil && w.out == &w.call.out }

// valueOf readies v to take in the text of the open member's value, which is
// typed by s.
func (w *argWriter) valueOf(v *value, s *schema.Schema, layout Layout, limit int) {
	if !s.MayConvert("") {
		w.beginsText()
	}
	*v = value{sink: sinkTyped, schema: s, out: w.out, limit: limit, text: v.text[:0], kept: v.kept[:0], scan: v.scan}
	switch layout {
	case LayoutLines:
		v.lead, v.trail, v.block = leadOpen, true, true
	case layoutEdge:
		v.lead, v.trail, v.edge = leadOpen, true, true
	case LayoutTrim:
		v.lead, v.trail, v.trim = leadBlanks, true, true
	}
	switch {
	case w.out == nil:
		v.sink = sinkDrop
		return
	case w.content:
		v.sink = sinkPlain
		return
	}
	if !s.MayConvert("") {
		v.beginString()
	}
}
