package parser

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// Unread finds complete calls in what a parser has left as text or reasoning, because they
// are in a dialect that is not being read, or at a place where calls do not count. It also
// finds text that seems to be the rest of the previous call. Give it each event of a
// stream, and call Notes at the end. It examines the first MiB of text. Prose costs only
// the search for markers.
type Unread struct {
	compiled *Compiled // of the stream's parser
	p        *Parser   // parses the current text or reasoning; nil until a marker occurs
	kind     toolcall.SegmentType
	started  bool // non-blank text came before p
	line     bool // the text so far ends with a line break
	offset   int64
	base     int64 // offset of the first byte that p received
	left     int
	jump     jumper
	events   []toolcall.Event
	calls    []unreadCall // open or complete calls
	tools    syntax.Names // that the answer calls
	notes    []toolcall.Note
	byName   namedSearch // for calls without declared tools
	rest     cutScan     // the text after a call of bare JSON
}

// cutScan examines the text directly after a call without an end marker. Such a call
// ends with its last brace. If that brace was inside a string whose quotes are not escaped,
// the rest of the string follows, and ends with the real braces.
type cutScan struct {
	call    toolcall.Note // the current call
	last    byte          // last byte of the call, before its closing brackets
	started bool          // a non-blank byte has occurred
	left    int           // bytes still to examine; 0: none
	quoted  bool          // a quote has occurred
	depth   int           // open braces
}

// maxCutScan limits the text after a call that is examined, up to the end of its line.
const maxCutScan = 256

// inCall examines more of a call.
func (r *cutScan) inCall(raw string) {
	for i := len(raw) - 1; i >= 0; i-- {
		if c := raw[i]; c != '}' && c != ']' && !lex.IsBlank(c) {
			r.last = c
			return
		}
	}
}

// add examines text, and reports whether it ends what seems to be the rest of a string.
func (r *cutScan) add(text string) bool {
	for i := range min(len(text), r.left) {
		r.left--
		r.call.End++
		c := text[i]
		if !r.started && strings.IndexByte(",]}", c) >= 0 { // more of the JSON that contains the call
			r.left = 0
			return false
		}
		r.started = r.started || !lex.IsBlank(c)
		switch c {
		case '\n':
			r.left = 0
			return false
		case '"':
			r.quoted = true
		case '{':
			r.depth++
		case '}':
			r.depth--
		}
		if r.quoted && r.depth < 0 {
			r.left = 0
			return true
		}
	}
	return false
}

// unreadCall is a call that p found.
type unreadCall struct {
	note toolcall.Note
	id   string
	sure bool // there is more than a name between markers, as prose mentions them
}

// Reset prepares u for a stream that a parser of c reads, as if it were new. It keeps
// memory.
func (u *Unread) Reset(c *Compiled) {
	text := u.byName.text[:0]
	if cap(text) > maxKeptText {
		text = nil
	}
	tools := u.tools
	tools.Reset()
	*u = Unread{} // and then its fields, which takes half the time of a new value with all of them
	u.compiled, u.left, u.tools, u.byName.text = c, maxSearched, tools, text
}

// maxSearched limits the text in which an Unread looks for calls, in bytes.
const maxSearched = 1 << 20

// maxKeptText limits the memory of text that is kept for another stream, in bytes.
const maxKeptText = 16 << 10

// compileUnread compiles the parser that finds calls in what a parser with opts leaves.
func compileUnread(opts Options, declared tools) *Compiled {
	opts.Dialects, opts.Notes, opts.Strict, opts.StartInReasoning, opts.Prompted = dialect.Auto(), nil, false, false, false
	opts.Recover = len(opts.Tools) > 0
	c, _ := compileWith(opts, declared) // the dialects are the table's, so this cannot fail
	return c
}

// Add examines the next event of the stream.
func (u *Unread) Add(e toolcall.Event) {
	if e.Segment.IsCall() && e.Type != toolcall.SegmentStart {
		u.rest.inCall(e.Raw)
	}
	switch {
	case e.Type == toolcall.SegmentStart && e.Segment.IsCall():
		u.end()
		u.started = true
		u.tools.Add(e.Name)
		u.rest = cutScan{call: toolcall.Note{Kind: toolcall.NoteCut, Offset: u.offset, Dialect: e.Dialect(), Tool: e.Name}}
		u.rest.inCall(e.Raw)
	case e.Type == toolcall.SegmentEnd && e.Segment.IsCall():
		if e.Status == toolcall.Complete && u.rest.last == '"' && (e.Raw == "" || strings.HasSuffix(e.Raw, "}")) {
			u.rest.left, u.rest.call.End = maxCutScan, u.offset+int64(len(e.Raw))
		}
	case e.Type == toolcall.SegmentStart && e.Segment != u.kind:
		u.end()
		u.kind = e.Segment
	case e.Type == toolcall.SegmentContent && e.Segment == u.kind && e.Segment != toolcall.SegmentRefusal:
		if u.rest.left > 0 && u.rest.add(e.Payload) {
			u.notes = append(u.notes, u.rest.call)
		}
		u.text(e.Payload)
	}
	u.offset += int64(len(e.Raw))
}

// text examines more of the current segment.
func (u *Unread) text(s string) {
	s = s[:min(len(s), u.left)]
	u.left -= len(s)
	if s == "" {
		return
	}
	if u.kind == toolcall.SegmentText && len(u.compiled.opts.Tools) == 0 && u.tools.Empty() {
		u.byName.add(s, u.offset)
	}
	if u.p == nil {
		u.jump.grammar = nil
		if u.jump.find(autoGrammar(), s, 0) == len(s) && len(u.compiled.opts.Tools) == 0 {
			u.started = u.started || lex.SkipBlanks(s, 0) < len(s)
			u.line = s[len(s)-1] == '\n'
			return
		}
		u.begin()
	}
	u.watch(u.p.Feed(u.events[:0], s))
}

// begin begins to parse, after text without markers.
func (u *Unread) begin() {
	u.p, u.base = u.compiled.unread().New(), u.offset
	before := ""
	if u.started { // stands for the text before
		before = "x"
	}
	if u.started && u.line {
		before += "\n"
	}
	u.base -= int64(len(before))
	u.watch(u.p.Feed(u.events[:0], before))
}

// watch looks for calls among the events of p.
func (u *Unread) watch(events []toolcall.Event) {
	u.events = events
	for i := range events {
		e := &events[i]
		at := u.base
		u.base += int64(len(e.Raw))
		if !e.Segment.IsCall() {
			continue
		}
		if e.Type == toolcall.SegmentStart {
			u.calls = append(u.calls, unreadCall{note: toolcall.Note{Offset: at, Dialect: e.Dialect(), Tool: e.Name}, id: e.ID})
		}
		k := slices.IndexFunc(u.calls, func(c unreadCall) bool { return c.id == e.ID })
		if k < 0 {
			continue
		}
		c := &u.calls[k]
		if e.Type == toolcall.SegmentStart && isQuoted(e) {
			u.calls = slices.Delete(u.calls, k, k+1)
			continue
		}
		c.sure = c.sure || strings.Contains(e.Raw, "{") || u.p.tools.declares(c.note.Tool) ||
			e.Type == toolcall.SegmentContent && (e.Segment != toolcall.SegmentToolCall || strings.Contains(e.Payload, `"`))
		if e.Type == toolcall.SegmentEnd {
			if c.sure && e.Status == toolcall.Complete {
				c.note.End = u.base
				u.found(c)
			}
			u.calls = slices.Delete(u.calls, k, k+1)
		}
	}
}

// isQuoted reports whether a call is inside a code fence that does not belong to its
// dialect. It may be a call, but documents also show calls that way.
func isQuoted(e *toolcall.Event) bool {
	const fence = "```"
	d := compiledRow(e.Dialect())
	return strings.HasPrefix(lex.TrimBlanks(e.Raw), fence) && (d == nil || !strings.HasPrefix(d.Example, fence))
}

// found records a complete call.
func (u *Unread) found(c *unreadCall) {
	n := c.note
	n.Kind = toolcall.NoteUnread
	if u.kind == toolcall.SegmentReasoning {
		n.Kind = toolcall.NoteReasoning
	} else if asked := u.compiled.opts.Dialects; len(asked) == 1 && asked[0].Name == n.Dialect {
		return
	}
	same := func(other toolcall.Note) bool { return other.Kind == n.Kind }
	if !slices.ContainsFunc(u.notes, same) {
		u.notes = append(u.notes, n)
	}
}

// end ends the current text or reasoning.
func (u *Unread) end() {
	if u.p != nil {
		u.watch(u.p.Close(u.events[:0]))
	}
	if len(u.notes) == 0 && u.tools.Empty() {
		u.searchNamed()
	}
	u.p, u.kind, u.calls = nil, "", u.calls[:0]
	u.byName.state, u.byName.text = namedFresh, u.byName.text[:0]
}

// Notes ends the stream. It returns notes for the first complete call in its text, the
// first one in its reasoning, and calls that seem to be cut off. It omits a call in
// reasoning if the answer also calls the same tool, because that was a plan.
func (u *Unread) Notes() []toolcall.Note {
	u.end()
	return slices.DeleteFunc(slices.Clone(u.notes), func(n toolcall.Note) bool { return n.Kind == toolcall.NoteReasoning && u.tools.Has(n.Tool) })
}
