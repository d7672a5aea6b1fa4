// Package neutralize breaks markup in untrusted text before it gets into a prompt: in the
// results of tools, and in their descriptions.
//
// It breaks every marker of the dialect, and everything that the parser would read as a
// call or as reasoning, or would still hold at the end of the text: half a call at the end
// of one text and the other half at the beginning of the next make a call. A text that
// leaves the parser in its initial state is safe next to any other text.
//
// To break markup, the package inserts a backslash after its first character:
// <\tool_call>. No dialect has a marker with a backslash there, and to a tokenizer it is
// no special token any more. Unlike a zero-width character, the backslash is visible, and
// people and models know it as an escape. If a quote or another backslash follows, a blank
// separates the two. In JSON a character code is used instead, so that the value stays the
// same. Nothing else changes; characters that only look like those of a marker stay.
package neutralize

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Options say what counts as markup besides the markers of a dialect.
type Options struct {
	// Tools are the tools that may be called. If there are none, every name counts.
	Tools []toolcall.ToolDefinition
	// Schemas are the parameters of Tools, as in the parser's options.
	Schemas map[string]*schema.Schema
	// Auto: calls in every dialect of dialect.Auto count.
	Auto bool
	// Also lists further markers, as written.
	Also []string
}

// Rules say what is markup, for a dialect and its tools. They are safe for concurrent use.
type Rules struct {
	markers *markers
	tools   bool // there are tools
	parsers []func() (*parser.Compiled, error)
}

// NewRules returns the rules for a dialect that the parser accepts.
func NewRules(d *dialect.Dialect, o Options) *Rules {
	r := &Rules{markers: markersOf(d, o.Tools), tools: len(o.Tools) > 0}
	for _, marker := range o.Also {
		r.markers.insert(marker)
	}
	compile := sync.OnceValues(func() (*parser.Compiled, error) {
		return parser.Compile(parser.Options{Dialects: []*dialect.Dialect{d}, Tools: o.Tools, Schemas: o.Schemas, CallsInCode: true})
	})
	r.parsers = append(r.parsers, compile)
	if !o.Auto {
		return r
	}
	names := []string{"auto"}
	if len(o.Tools) == 0 { // after a call in bare JSON, every object that looks like one counts
		names = append(names, "json")
	}
	for _, name := range names {
		if dialects, err := dialect.Named(name, ""); err == nil { // the table has these names
			r.parsers = append(r.parsers, sync.OnceValues(func() (*parser.Compiled, error) {
				compiled, err := compile()
				if err != nil {
					return nil, err
				}
				return compiled.WithDialects(dialects...)
			}))
		}
	}
	return r
}

// Neutralizer breaks markup. It keeps its parsers from one text to the next, and is not
// safe for concurrent use.
type Neutralizer struct {
	markers *markers
	readers []*reader
}

// New returns a neutralizer that follows the rules.
func (r *Rules) New() *Neutralizer {
	b := &Neutralizer{markers: r.markers}
	for _, compiled := range r.parsers {
		b.readers = append(b.readers, &reader{compiled: compiled, tools: r.tools})
	}
	return b
}

// New returns a neutralizer for a dialect that the parser accepts.
func New(d *dialect.Dialect, o Options) *Neutralizer { return NewRules(d, o).New() }

// Place describes the surroundings of a text in the prompt.
type Place struct {
	Before, After string // the text next to it, as far as it is known
	Quoted        bool   // the text is written as a JSON string
	Nested        bool   // with Quoted: or as it is
}

// maxPasses bounds how often a text is parsed. Afterwards everything in it that could begin
// markup is broken. A call in a list in an envelope takes one pass for each of the three.
const maxPasses = 8

// Text breaks the markup in s.
func (b *Neutralizer) Text(s string, at Place) string {
	return b.Calls(insert(s, b.markers.find(s)), at)
}

// Calls is Text for a text that contains markers of its own: it breaks only what the parser
// would read as something other than text.
func (b *Neutralizer) Calls(s string, at Place) string {
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

// withheld replaces a text that cannot be made harmless. No such text is known.
const withheld = "(This text is left out: it would be read as markup.)"

// cuts returns the offsets in s, in order, at which the parsers find markup.
func (b *Neutralizer) cuts(s string, at Place) []int {
	if at.Nested {
		at.Nested = false
		quoted := b.cuts(s, at)
		at.Quoted = false
		cuts := append(quoted, b.cuts(s, at)...)
		slices.Sort(cuts)
		return slices.Compact(cuts)
	}
	text := s
	if at.Quoted {
		text = string(jsonvalue.AppendQuoted(nil, s))
		at.Before, at.After = at.Before+`"`, `"`+at.After
		text = text[1 : len(text)-1]
	}
	var cuts []int
	for _, r := range b.readers {
		cuts = append(cuts, r.find(text, at)...)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if at.Quoted {
		return unquoted(s, cuts)
	}
	return cuts
}

// unquoted converts offsets in the JSON string of s to offsets in s.
func unquoted(s string, offsets []int) []int {
	var cuts []int
	var one []byte
	end := 0 // offset in the JSON string
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

// breaker is inserted into a marker, after its first character.
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

// beginnings returns the offsets at which markup could begin.
func beginnings(s string) []int {
	var cuts []int
	for at := range len(s) {
		if strings.IndexByte("<{[(`", s[at]) >= 0 && !strings.HasPrefix(s[at+1:], breaker) {
			cuts = append(cuts, at)
		}
	}
	return cuts
}
