package parser

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// nativeFor finds the call that a fragment belongs to, or begins a new one. It returns nil
// for a fragment of a call that has ended.
func (p *Parser) nativeFor(d toolcall.Delta) *nativeCall {
	if p.isRest(d) {
		return nil
	}
	c := p.openNative(d)
	switch {
	case c == nil:
		if d.Name == "" && p.late(d) {
			return nil
		}
		return p.beginNative(d)
	case d.ID != "" && c.callID != "" && d.ID != c.callID && !(d.Name == "" && d.Index != toolcall.NoIndex && !c.complete()):
		// Another id at the same index is another call, unless a server changes the ids of
		// fragments.
		return p.beginNative(d)
	case d.ID == "" && d.Name != "" && c.label != "" && c.complete():
		return p.beginNative(d)
	case d.ID == "" && d.Name != c.label && p.tools != nil && p.tools.knows(d.Name) && p.tools.knows(c.label):
		return p.beginNative(d)
	}
	return c
}

// openNative returns the open call with the fragment's index or id. Without either, a
// fragment with a name begins a new call, and any other fragment continues the last one.
func (p *Parser) openNative(d toolcall.Delta) *nativeCall {
	calls := p.native.calls
	for i := len(calls) - 1; i >= 0; i-- {
		c := calls[i]
		switch {
		case d.Index != toolcall.NoIndex && c.index != toolcall.NoIndex:
			if c.index == d.Index {
				return c
			}
		case d.ID != "":
			if c.callID == d.ID {
				return c
			}
		case d.Name == "" || c.label == "" || d.Name == c.label && !c.text:
			return c
		}
	}
	return nil
}

// late reports whether a fragment without a name belongs to a call that has ended, and adds
// nothing to it: it is blank, or repeats the arguments.
func (p *Parser) late(d toolcall.Delta) bool {
	if !d.Whole && lex.SkipBlanks(d.Text, 0) < len(d.Text) {
		return false
	}
	if d.ID != "" {
		return p.native.endedID[d.ID] != nativeOpen
	}
	return p.native.endedIndex[d.Index] != nativeOpen || !d.Whole
}

// isRest reports whether a fragment belongs to a call that broke or was rejected before its
// wire ended it.
func (p *Parser) isRest(d toolcall.Delta) bool {
	n := &p.native
	end := nativeOpen
	switch {
	case d.ID != "":
		return n.endedID[d.ID] >= nativeBroken // whatever else it repeats
	case d.Index != toolcall.NoIndex:
		if c := p.openNative(d); c != nil {
			return false
		}
		end = n.endedIndex[d.Index]
	default:
		end = n.lastEnd
	}
	return end == nativeNamed || end == nativeBroken && d.Name == ""
}

// joinName adds a piece to a name. Servers send the name once, with every fragment, or in
// pieces.
func (p *Parser) joinName(name, piece string) string {
	switch {
	case strings.HasPrefix(piece, name): // the first piece, a repetition, or a longer prefix
		return piece
	case p.tools != nil && p.tools.knows(name) && !p.tools.knows(name+piece):
		return name
	}
	return name + piece
}

// settleName completes a call's name, because something else of the call has arrived.
func (p *Parser) settleName(c *nativeCall) {
	if c.name == "" && !isNameless(c.label) {
		p.nameNative(c, c.label)
	}
}

// settleNames starts the calls that only have a name so far, before something else begins.
func (p *Parser) settleNames() {
	for _, c := range p.native.calls {
		p.settleName(c)
		if c.name != "" {
			p.flushNative(c)
		}
	}
}
