package parser

import "github.com/toolparse/toolparse/internal/jsonstream"

// textList follows a JSON array that begins the message and was text so far, because none
// of its elements was a call. Later elements may still be calls, although an object in
// prose would not be one.
type textList struct {
	on      bool
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
	l := &p.list
	l.scanner.Reset()
	l.scanner.MaxDepth, l.scanner.Quiet = p.opts.Limits.Depth, true
	l.on, l.to = true, p.at(i)
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
		if i = next; kind == jsonstream.More && !l.scanner.Done() {
			return
		}
		l.on = kind != jsonstream.Invalid && !l.scanner.Done()
	}
}

// inJSONText reports whether the candidate is an object after a comma of the followed
// array.
func (p *Parser) inJSONText(in string) bool {
	if !p.followsList() {
		return false
	}
	p.scanList(in, p.cand)
	l := &p.list
	return l.on && l.to == p.cand && l.scanner.Depth() == 1 && l.scanner.Between() && l.scanner.AfterComma()
}
