package parser

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// namedSearch looks for calls that auto does not read without tools, because their markers
// are words, or also occur in prose: only the name of their dialect selects it. It keeps
// the text from the first place where such a call, or a code fence around one, may begin,
// and parses it at the end.
type namedSearch struct {
	state  namedState
	text   []byte // in namedProse: only the end of the text
	offset int64  // stream offset of the first byte of text
}

type namedState uint8

const (
	namedFresh namedState = iota // only blanks so far
	namedProse                   // no word or fence so far
	namedLed                     // text is kept from a word or a fence on
	namedWhole                   // all text is kept: it may consist of a single call
)

const (
	maxNamedWord = 16 // no word is longer, in bytes
	fenceMark    = "```"
)

// namedDialects are the rows that auto does not read without tools, except those whose
// calls are only recognisable by the name of a tool: any element, or any word before a
// parenthesis, would be one.
type namedDialects struct {
	words []rareWord  // with which the calls of led begin
	led   []*Compiled // dialects whose calls begin with a word
	whole []*Compiled // dialects whose calls begin with another mark that also occurs in prose
}

// rareWord is a word to search for, by the byte of it that is rarest in prose.
type rareWord struct {
	text string
	rare byte
}

// index returns the offset of the word in s, or -1.
func (w rareWord) index(s []byte) int { return bytescan.Index(s, w.text, w.rare) }

// unreadNames returns these dialects, compiled once.
var unreadNames = sync.OnceValue(func() *namedDialects {
	n := new(namedDialects)
	auto, _ := Compile(Options{Dialects: dialect.Auto()}) // the dialects are the table's
	for _, d := range dialect.All() {
		if d.Head.Form == "" || d.Channels.Close != nil || hasCall(auto, d.Example) {
			continue
		}
		c, _ := Compile(Options{Dialects: []*dialect.Dialect{d}})
		if !hasCall(c, d.Example) {
			continue
		}
		form := compiledRows()[d].compiled()[0]
		opener := form.enter.Then(form.opener)
		if isBareMarker(opener) {
			continue
		}
		word, _, _ := strings.Cut(string(opener), "\x00")
		if !lex.IsName(word[0]) || len(word) > maxNamedWord {
			n.whole = append(n.whole, c)
			continue
		}
		n.led = append(n.led, c)
		if w := (rareWord{word, rarest(word).c}); !slices.Contains(n.words, w) {
			n.words = append(n.words, w)
		}
	}
	return n
})

// hasCall reports whether a text contains a call.
func hasCall(c *Compiled, text string) bool {
	p := c.New()
	return slices.ContainsFunc(p.Close(p.Feed(nil, text)), func(e toolcall.Event) bool { return e.Segment.IsCall() })
}

// add examines more text; offset is its stream offset.
func (n *namedSearch) add(s string, offset int64) {
	if len(n.text) == 0 {
		n.offset = offset
	}
	n.text = append(n.text, s...)
	if n.state == namedFresh {
		n.state = freshState(n.text)
	}
	if n.state == namedProse {
		n.search(max(0, len(n.text)-len(s)-maxNamedWord))
	}
}

// search looks for the first word or fence at or after byte i. It keeps the text from there
// on, and two bytes before it, which show its place in the line.
func (n *namedSearch) search(i int) {
	text := n.text[i:]
	at := bytescan.Index(text, fenceMark, fenceMark[0])
	for _, word := range unreadNames().words {
		if k := word.index(text); k >= 0 && (at < 0 || k < at) {
			at = k
		}
	}
	drop := len(n.text) - maxNamedWord - 2
	if at >= 0 {
		n.state, drop = namedLed, i+at-2
	}
	if drop <= 0 {
		return
	}
	n.text = append(n.text[:0], n.text[drop:]...)
	n.offset += int64(drop)
	if n.state == namedLed {
		n.text[0] = 'x' // stands for all the text before
	}
}

// freshState returns the state after the text of a segment so far.
func freshState(text []byte) namedState {
	rest := bytes.TrimLeft(text, " \t\r\n")
	if len(rest) == 0 {
		return namedFresh
	}
	if rest[0] == '<' {
		return namedWhole
	}
	return namedProse
}

// searchNamed looks for a call in the kept part of a segment of text.
func (u *Unread) searchNamed() {
	n := &u.byName
	switch {
	case n.state == namedWhole:
		for _, c := range unreadNames().whole {
			if u.isWhole(c, string(n.text)) && u.parseKept(c) {
				return
			}
		}
	case n.state != namedLed:
		return
	}
	for _, word := range unreadNames().words {
		if word.index(n.text) < 0 {
			continue
		}
		for _, c := range unreadNames().led {
			if u.parseKept(c) {
				return
			}
		}
		return
	}
}

// parseKept parses the kept text in the dialect of c, and reports whether it found a complete
// call.
func (u *Unread) parseKept(c *Compiled) bool {
	before := len(u.notes)
	u.p, u.base, u.calls = c.New(), u.byName.offset, u.calls[:0]
	u.watch(u.p.Feed(u.events[:0], string(u.byName.text)))
	u.watch(u.p.Close(u.events[:0]))
	u.p = nil
	for i := before; i < len(u.notes); i++ {
		u.notes[i].Rule = ruleByName
	}
	return len(u.notes) > before
}

// isWhole reports whether a text consists of exactly one complete call in the dialect of c.
func (u *Unread) isWhole(c *Compiled, text string) bool {
	p, calls := c.New(), 0
	for _, e := range p.Close(p.Feed(nil, text)) {
		switch {
		case !e.Segment.IsCall():
			if lex.TrimBlanks(e.Raw) != "" {
				return false
			}
		case e.Type == toolcall.SegmentStart:
			calls++
		case e.Type == toolcall.SegmentEnd && (e.Status != toolcall.Complete):
			return false
		}
	}
	return calls == 1
}
