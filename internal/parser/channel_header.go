package parser

import (
	"bytes"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// heading is what the parser knows about the header of a message. Its stages follow each
// other:
//
//	[headingFirst] -> headingWords <-> headingMark -> [headingGap | headingBody] -> the message
type heading struct {
	headingState
	match lex.Matcher
	word  []byte
}

// headingState is a heading without its memory.
type headingState struct {
	form    *channelForm
	opened  bool   // it began with a token rather than with the stream or after a message
	later   bool   // it began after a message, so that its first token is missing
	try     int    // index of the opening being tried, if it began with the stream
	marks   int    // tokens so far
	inner   bool   // a token of Within has occurred
	words   int    // words since the last token
	strange int    // how many of them are unknown
	blank   bool   // a blank has occurred since the last token
	known   bool   // a word has shown that this is a header
	doubt   bool   // a word before that is unknown
	kind    string // the word that says what the message is
	to      string // the recipient
	author  string
	body    int64 // stream offset after the header
}

// reset restores the initial state and keeps the memory.
func (h *heading) reset() {
	h.headingState = headingState{}
	h.word = h.word[:0]
}

const (
	maxHeading = 1 << 10 // maximum length of a header, in bytes
	maxMarks   = 4       // maximum number of tokens in a header
	maxWords   = 3       // maximum number of words between two tokens
)

// beginHeading begins a header after its first token.
func (p *Parser) beginHeading(e *entry, in string, i int) int {
	h := &p.heading
	h.reset()
	h.form, h.opened = e.channels, true
	h.inner = slices.Contains(h.form.Within, e.marker)
	p.stage = headingWords{}
	p.deadline = min(p.deadline, p.cand+maxHeading)
	for k, m := range h.form.marks.Patterns[len(h.form.Within):] {
		if string(m) == e.marker {
			return p.headerRead(in, i, k)
		}
	}
	return i
}

// beginOpened begins the header that the stream may begin inside of, as opening number n of
// the grammar: the prompt ended with the first tokens of the header.
func (p *Parser) beginOpened(n int) {
	h := &p.heading
	h.reset()
	h.form, h.try = p.outside.openings[n], n
	p.stage = headingFirst{}
}

// expectHeader begins the header that may follow the end of a message: its first token may be
// missing, as at the beginning of the stream.
func (p *Parser) expectHeader() {
	if p.outside.channels != nil && len(p.outside.openings) > 0 {
		p.beginOpened(0)
		p.heading.later = true
	}
}

// inHeading is a stage in the header of a message.
type inHeading struct{ candidate }

func (inHeading) expire(p *Parser, in string, i int) int { return p.headingFails(in, i) }

func (inHeading) note(p *Parser, n *toolcall.Note) bool {
	n.Dialect = p.heading.form.dialect.Name
	setRule(n, ruleHeading)
	return true
}

// headingFirst is the stage before the first byte, if that need not begin a token.
type headingFirst struct{ inHeading }

func (headingFirst) read(p *Parser, in string, i int) int {
	p.look(i, maxHeading)
	p.stage = headingWords{}
	return p.stage.read(p, in, i)
}

func (headingFirst) end(p *Parser) bool { // nothing has come
	p.stage = inText{}
	return true
}

// headingWords is the stage between tokens.
type headingWords struct{ inHeading }

func (headingWords) read(p *Parser, in string, i int) int {
	h := &p.heading
	for ; i < len(in); i++ {
		switch c := in[i]; {
		case lex.IsBlank(c):
			if !h.endWord(p.recent().String(h.word)) {
				return p.headingFails(in, i)
			}
			h.blank = true
		case h.form.stops[c]:
			if !h.endWord(p.recent().String(h.word)) {
				return p.headingFails(in, i)
			}
			p.stage = headingMark{}
			h.match.Reset(h.form.marks)
			return i
		case c < ' ', len(h.word) > lex.MaxName+len(h.form.To):
			return p.headingFails(in, i)
		default:
			n := i + 1
			if h.opened { // with what follows in the word
				for end := min(len(in), i+lex.MaxName-len(h.word)); n < end && in[n] > ' ' && !h.form.stops[in[n]]; {
					n++
				}
			}
			h.word = append(h.word, in[i:n]...)
			i = n - 1
			if !h.opened && h.marks == 0 && !h.mayBegin() {
				return p.headingFails(in, i)
			}
		}
	}
	return i
}

func (headingWords) end(p *Parser) bool {
	return p.headingEnds(p.heading.opened || p.heading.marks > 0)
}

// headingMark is the stage in a possible token.
type headingMark struct{ inHeading }

func (headingMark) read(p *Parser, in string, i int) int {
	h := &p.heading
	which, next := h.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.headingFails(in, next)
	}
	if n := which - len(h.form.Within); n >= 0 {
		return p.headerRead(in, next, n)
	}
	if h.marks++; h.marks > maxMarks {
		return p.headingFails(in, next)
	}
	p.stage, h.words, h.strange, h.blank, h.inner = headingWords{}, 0, 0, false, true
	return next
}

func (headingMark) end(p *Parser) bool { return p.headingEnds(true) }

// headingGap is the stage after the last token, at the blank that is its layout.
type headingGap struct{ inHeading }

func (headingGap) read(p *Parser, in string, i int) int {
	if in[i] == ' ' {
		i++
	}
	return p.messageBegins(in, i)
}

func (headingGap) end(p *Parser) bool {
	p.messageBegins("", 0)
	return true
}

// mayBegin reports whether the current word may belong to a header without its first token:
// it is a recipient or a known word.
func (h *heading) mayBegin() bool {
	to := h.form.To
	return len(h.word) >= len(to) && string(h.word[:len(to)]) == to || hasPrefix(to, h.word) || h.form.begins(h.word)
}

// begins reports whether a known word begins with text.
func (c *channelForm) begins(text []byte) bool {
	for _, list := range [...][]string{c.Roles, c.Reasoning, c.Text} {
		for _, known := range list {
			if hasPrefix(known, text) {
				return true
			}
		}
	}
	return false
}

func hasPrefix(s string, prefix []byte) bool {
	return len(s) >= len(prefix) && s[:len(prefix)] == string(prefix)
}

// endWord ends the current word, and reports whether the header may contain it here. An
// empty word is allowed anywhere.
func (h *heading) endWord(word string) bool {
	if word == "" {
		return true
	}
	h.word = h.word[:0]
	if h.words++; h.words > maxWords {
		return false
	}
	c := h.form
	if to, ok := strings.CutPrefix(word, c.To); ok && c.To != "" {
		h.known, h.to = true, to
		return to != ""
	}
	kind := c.isKind(word)
	switch {
	case kind, slices.Contains(c.Roles, word), c.isFunction(word):
		if h.known = true; kind {
			h.kind = word
		}
		return true
	case len(c.Roles) == 0 && h.opened && h.marks == 0 && !h.blank && h.words == 1:
		h.known, h.author = true, word
		return true
	}
	h.strange++
	if !h.known { // a garbled channel, if a recipient follows
		h.doubt = true
		return h.inner && h.strange == 1
	}
	return h.strange == 1 || h.strange == 2 && h.to != "" && h.inner
}

// isFunction reports whether word names a tool in the namespace of declared tools.
func (c *channelForm) isFunction(word string) bool {
	return c.addressed && c.calls[0].Head.Prefix != "" && strings.HasPrefix(word, c.calls[0].Head.Prefix)
}

// headerRead runs after the token that ends the header.
func (p *Parser) headerRead(in string, i, message int) int {
	h := &p.heading
	found := p.outside.dialect != nil && !h.form.dialect.foreign
	if h.doubt && !h.known {
		return p.headingFails(in, i)
	}
	if !found && len(h.form.Within) > 0 && !h.inner { // other dialects write such headers, too
		return p.headingFails(in, i)
	}
	if m := strings.TrimSpace(h.form.Message[message]); h.form.isKind(m) {
		h.kind = m
	}
	if h.form.gaps[message] {
		p.stage = headingGap{}
		return i
	}
	return p.messageBegins(in, i)
}

// headingFails makes the bytes text, because they are not a header.
func (p *Parser) headingFails(in string, i int) int {
	if p.heading.opened {
		return p.reject(in, i)
	}
	p.stage = inText{}
	if n := p.heading.try + 1; n < len(p.outside.openings) {
		p.beginOpened(n)
	}
	return p.rewind(in, i, p.cand)
}

// headingEnds decides about a header at the end of the stream. A header that has said only
// what kind of message follows is not text; one that names a tool is. marked means that it has
// a token.
func (p *Parser) headingEnds(marked bool) bool {
	h := &p.heading
	if h.to != "" && h.form.addressed && h.form.isTool(h.to) && marked {
		h.body = p.at(0) // a call that was cut off before its arguments
		p.addressedCall("", 0)
		return true
	}
	if h.doubt && !h.known || !marked || h.form.isTool(h.to) || h.form.dialect.foreign || !h.mayGoOn() {
		p.headingFails("", 0)
		return true
	}
	p.messageOver("")
	if p.open.kind != "" {
		p.endOpen(toolcall.Complete, toolcall.ReasonNone, p.take("", 0))
	}
	p.noiseEnd = p.at(0)
	p.stage, p.deadline = inText{}, 0
	return true
}

// mayGoOn reports whether the current word may become a known word.
func (h *heading) mayGoOn() bool {
	word := h.word
	if to, ok := bytes.CutPrefix(word, []byte(h.form.To)); ok && h.form.To != "" {
		word = to
	}
	return hasPrefix(h.form.To, word) || h.form.begins(word)
}
