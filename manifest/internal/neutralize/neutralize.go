// Package defang breaks markup in untrusted text before it gets into a prompt: in the
// results of tools, and in their descriptions.
//
// It breaks every marker of the dialect, and everything that the parser would read as a
// call or as reasoning, or would still be waiting for at the end of the text: half a call
// at the end of one text and the other half at the beginning of the next make a call. A
// text that leaves the parser as it found it can stand next to any other text.
//
// What is broken gets a backslash behind its first character, <\tool_call>: no dialect
// has a marker with a backslash there, nor is it a special token to a tokenizer any
// more; and unlike a zero-width character it can be seen, by people and models who know
// a backslash as an escape and can take it out again. Before a quote or another
// backslash a blank follows it, since it must not be their escape. In JSON a character
// code takes its place, which leaves the value what it was. Nothing else changes;
// characters that only look like those of a marker stay.
package defang

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Options say what counts as markup beside the markers of a dialect.
type Options struct {
	// Tools are those that may be called; without any, every name counts.
	Tools []toolcall.ToolDefinition
	// Auto: calls of every dialect that a stream may turn out to be written in count.
	Auto bool
	// Also are further markers, as they are written.
	Also []string
}

// Rules say what is markup. They hold what was compiled of a dialect and its tools, and
// are safe for concurrent use.
type Rules struct {
	markers *markers
	tools   bool // there are some
	parsers []func() (*parser.Compiled, error)
}

// NewRules returns the rules for a dialect that the parser accepts.
func NewRules(d *dialect.Dialect, o Options) *Rules {
	r := &Rules{markers: markersOf(d, o.Tools), tools: len(o.Tools) > 0}
	for _, marker := range o.Also {
		r.markers.insert(marker)
	}
	own := sync.OnceValues(func() (*parser.Compiled, error) {
		return parser.Compile(parser.Options{Dialects: []*dialect.Dialect{d}, Tools: o.Tools, CallsInCode: true})
	})
	r.parsers = append(r.parsers, own)
	if !o.Auto {
		return r
	}
	names := []string{"auto"}
	if len(o.Tools) == 0 { // once a call was bare JSON, so is every object that looks like one
		names = append(names, "json")
	}
	for _, name := range names {
		if dialects, err := dialect.Named(name, ""); err == nil { // the table has it
			r.parsers = append(r.parsers, sync.OnceValues(func() (*parser.Compiled, error) {
				compiled, err := own()
				if err != nil {
					return nil, err
				}
				return compiled.WithDialects(dialects...)
			}))
		}
	}
	return r
}

// Breaker breaks markup. It keeps its parsers from one text to the next, and is not
// safe for concurrent use.
type Breaker struct {
	markers *markers
	readers []*reader
}

// NewBreaker returns a breaker for some texts.
func (r *Rules) NewBreaker() *Breaker {
	b := &Breaker{markers: r.markers}
	for _, compiled := range r.parsers {
		b.readers = append(b.readers, &reader{compiled: compiled, tools: r.tools})
	}
	return b
}

// New returns a breaker for a dialect that the parser accepts.
func New(d *dialect.Dialect, o Options) *Breaker { return NewRules(d, o).NewBreaker() }

// Place is where a text will stand.
type Place struct {
	Before, After string // next to it, as far as that is known
	Quoted        bool   // it is written as a JSON string
}

// maxPasses bounds how often a text is parsed before everything that could begin
// markup is broken in it. A call in a list in an envelope takes one pass for each.
const maxPasses = 8

// Text breaks the markup in s.
func (b *Breaker) Text(s string, at Place) string {
	return b.Calls(insert(s, b.markers.find(s)), at)
}

// Calls is Text without the markers that alone are nothing to the parser: for texts
// that hold some of their own.
func (b *Breaker) Calls(s string, at Place) string {
	for range maxPasses {
		cuts := b.cuts(s, at)
		if len(cuts) == 0 {
			return s
		}
		s = insert(s, cuts)
	}
	if s = Everywhere(s); len(b.cuts(s, at)) == 0 {
		return s
	}
	return withheld
}

// withheld stands for a text that cannot be made harmless. None is known.
const withheld = "(This text is left out: it would be read as markup.)"

// cuts are the offsets in s, in order, at which markup begins that the parsers read.
func (b *Breaker) cuts(s string, at Place) []int {
	shown := s
	if at.Quoted {
		shown = string(jsonvalue.AppendQuoted(nil, s))
		at.Before, at.After = at.Before+`"`, `"`+at.After
		shown = shown[1 : len(shown)-1]
	}
	var cuts []int
	for _, r := range b.readers {
		cuts = append(cuts, r.find(shown, at)...)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if at.Quoted {
		return unquoted(s, cuts)
	}
	return cuts
}

// unquoted are the places in s of offsets in its JSON string.
func unquoted(s string, offsets []int) []int {
	var cuts []int
	var one []byte
	end := 0 // in the JSON string, of what was read of s
	for at := 0; at < len(s) && len(offsets) > 0; {
		_, n := utf8.DecodeRuneInString(s[at:])
		one = jsonvalue.AppendQuoted(one[:0], s[at:at+n])
		end += len(one) - len(`""`)
		if offsets[0] < end {
			cuts = append(cuts, at)
			for len(offsets) > 0 && offsets[0] < end {
				offsets = offsets[1:]
			}
		}
		at += n
	}
	return cuts
}

// breaker is what is put into a marker, behind its first character.
const breaker = `\`

// insert breaks s at the cuts.
func insert(s string, cuts []int) string {
	if len(cuts) == 0 {
		return s
	}
	var b strings.Builder
	from := 0
	for _, at := range cuts {
		_, n := utf8.DecodeRuneInString(s[at:])
		b.WriteString(s[from : at+n])
		b.WriteString(breaker)
		if from = at + n; from < len(s) && strings.IndexByte(`"'\`, s[from]) >= 0 {
			b.WriteByte(' ')
		}
	}
	b.WriteString(s[from:])
	return b.String()
}

// Everywhere breaks s wherever markup could begin.
func Everywhere(s string) string { return insert(s, beginnings(s)) }

// beginnings are the offsets at which markup could begin.
func beginnings(s string) []int {
	var cuts []int
	for at := range len(s) {
		if strings.IndexByte("<{[(`", s[at]) >= 0 && !strings.HasPrefix(s[at+1:], breaker) {
			cuts = append(cuts, at)
		}
	}
	return cuts
}
