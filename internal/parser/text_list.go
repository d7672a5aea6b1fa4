package parser

import "github.com/toolparse/toolparse/internal/jsonstream"

// textList follows JSON that was text so far: an array that begins the message, none of whose
// elements was a call, or a value that is no call. Later elements of the array may still be
// calls, although an object in prose would not be one. Inside the value the parser looks for no
// calls, up to where the JSON needs a repair: a string without an end would hide everything
// after it.
type textList struct {
	on      bool
	inert   bool  // it is such a value
	to      int64 // stream offset up to which the array has been read
	scanner jsonstream.Scanner
}

// followList starts to follow an array at in[i] if it begins the message, unless objects
// count as calls anywhere.
func (p *Parser) followList(in string, i int) {
	if i == len(in) || in[i] != '[' || p.countsAnywhere(p.outside.bare) || !p.pendingBlank(in, p.at(i)) {
		return
	}
	p.readsCalls()
	p.list.begin(p.at(i), p.opts.Limits.Depth)
}

// begin begins at a stream offset.
func (l *textList) begin(at int64, depth int) {
	l.scanner.Reset()
	l.scanner.MaxDepth, l.scanner.Quiet = depth, true
	l.on, l.inert, l.to = true, false, at
}

// followOther starts to follow the value that is no call, unless it is an element of a
// followed array.
func (p *Parser) followOther() {
	if !p.list.on {
		p.list.begin(p.envelope.begins, p.opts.Limits.Depth)
		p.list.inert = true
	}
}

// inOtherJSON reports whether the candidate is inside a followed value that is no call.
func (p *Parser) inOtherJSON(in string) bool {
	if !p.followsList() || !p.list.inert {
		return false
	}
	p.scanList(in, p.cand)
	l := &p.list
	return l.on && l.to == p.cand && l.scanner.Depth() > 0
}

// followsList reports whether an array is being followed.
func (p *Parser) followsList() bool { return p.callReader != nil && p.list.on }

// scanList reads the followed array up to the stream offset end.
func (p *Parser) scanList(in string, end int64) {
	if !p.followsList() || end <= p.list.to {
		return
	}
	l := &p.list
	if l.to < p.base() { // something other than text came between
		l.on = false
		return
	}
	text := p.pendingFrom(in, max(p.mark, int(end-p.off)), l.to)[:end-l.to]
	l.to = end
	for i := 0; l.on; {
		kind, next := l.scanner.Next(text, i)
		switch i = next; {
		case l.inert && l.scanner.Tolerances != 0:
			l.on = false
		case kind == jsonstream.More && !l.scanner.Done():
			return
		default:
			l.on = kind != jsonstream.Invalid && !l.scanner.Done()
		}
	}
}

// inJSONText reports whether the candidate is an object after a comma of the followed
// array.
func (p *Parser) inJSONText(in string) bool {
	if !p.followsList() || p.list.inert {
		return false
	}
	p.scanList(in, p.cand)
	l := &p.list
	return l.on && l.to == p.cand && l.scanner.Depth() == 1 && l.scanner.Between() && l.scanner.AfterComma()
}
