package parser

import (
	"strings"

	"github.com/toolparse/toolparse"
)

func (p *Parser) nativeFor(d toolparse.Delta) *nativeCall {
	c := p.openNative(d)
	switch {
	case c == nil:
		if d.Name == "" && p.late(d) {
			return nil
		}
		return p.beginNative(d)
	case d.ID != "" && c.callID != "" && d.ID != c.callID && !(d.Name == "" && d.Index != toolparse.NoIndex && !c.complete()):
		// Another id at the same place is another call, unless a server
		// changes the ids of fragments.
		return p.beginNative(d)
	case d.ID == "" && d.Name != "" && c.label != "" && c.complete():
		return p.beginNative(d)
	case d.ID == "" && d.Name != c.label && p.tools != nil && p.tools.knows(d.Name) && p.tools.knows(c.label):
		return p.beginNative(d)
	}
	return c
}

func (p *Parser) openNative(d toolparse.Delta) *nativeCall {
	calls := p.native.calls
	for i := len(calls) - 1; i >= 0; i-- {
		c := calls[i]
		switch {
		case d.Index != toolparse.NoIndex && c.index != toolparse.NoIndex:
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

func (p *Parser) late(d toolparse.Delta) bool {
	if !d.Whole && skipBlanks(d.Text, 0) < len(d.Text) {
		return false
	}
	if d.ID != "" {
		return p.native.endedID[d.ID]
	}
	return p.native.endedIndex[d.Index] || !d.Whole
}

func (p *Parser) joinName(name, piece string) string {
	switch {
	case strings.HasPrefix(piece, name): // the first piece, the same again, or more of it
		return piece
	case p.tools != nil && p.tools.knows(name) && !p.tools.knows(name+piece):
		return name
	}
	return name + piece
}

func (p *Parser) settleName(c *nativeCall) {
	if c.name == "" && c.label != "" {
		p.nameNative(c, c.label)
	}
}

func (p *Parser) settleNames() {
	for _, c := range p.native.calls {
		p.settleName(c)
		if c.name != "" {
			p.flushNative(c)
		}
	}
}
