package parser

// tagsMarker reads the blanks before a file's content, and the raw start
// marker, if it is there.
func (p *Parser) tagsMarker(in string, i int) int {
	t := &p.tags
	markers := p.call.contentMarkers()
	if markers[0] == "" {
		t.phase, p.deadline = tagsValue, 0
		return p.rewind(in, i, t.start)
	}
	if t.ending.n == 0 {
		if i = skipBlanks(in, i); i == len(in) {
			return i
		}
		t.ending = literal{text: markers[0]}
	}
	next, done, ok := t.ending.match(in, i)
	switch {
	case !ok:
		t.ending = literal{}
		return p.lookFails(in, next)
	case done:
		t.ending = literal{}
		t.phase, t.marked, p.deadline = tagsRaw, true, 0
		p.body.value.lead, p.body.value.trail = leadOpen, false
	}
	return next
}

// tagsRaw reads content between raw markers.
func (p *Parser) tagsRaw(in string, i int) int {
	t, v := &p.tags, &p.body.value
	marker := p.call.contentMarkers()[1]
	n := indexPrefix(in[i:], marker)
	v.add(in, i, i+n)
	if i += n; i < len(in) {
		p.lookCloser(i)
		t.phase, t.ending = tagsRawEnd, literal{text: marker}
	}
	return i
}

// tagsRawEnd reads what may be the raw end marker. It is one if the value's
// closer follows.
func (p *Parser) tagsRawEnd(in string, i int) int {
	t := &p.tags
	next, done, ok := t.ending.match(in, i)
	if !ok {
		return p.lookFails(in, next)
	}
	if done {
		t.ending = literal{}
		p.body.look.reset()
		t.phase = tagsCloser
	}
	return next
}
