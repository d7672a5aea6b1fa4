package grammar

import (
	"regexp/syntax"
	"strings"
)

// pattern translates a regular expression into a grammar expression. unit matches one
// character of a set as the surrounding syntax writes it, or is impossible if it cannot
// write any. ok is false if a grammar cannot express the pattern.
func pattern(expr string, unit func(charset) *node) (n *node, ok bool) {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil || parsed.MaxCap() > 20 {
		return nil, false
	}
	of := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpConcat {
		of = parsed.Sub
	}
	any := many(unit(anyChar))
	before, after := any, any
	if len(of) > 0 && of[0].Op == syntax.OpBeginText {
		of, before = of[1:], nothing
	}
	if last := len(of) - 1; last >= 0 && of[last].Op == syntax.OpEndText {
		of, after = of[:last], nothing
	}
	p := patternReader{unit: unit}
	body := p.all(of)
	return seq(before, body, after), !p.failed && !impossible(body)
}

// maxPattern bounds the number of parts of a pattern.
const maxPattern = 2000

type patternReader struct {
	unit   func(charset) *node
	parts  int
	failed bool
}

func (p *patternReader) all(of []*syntax.Regexp) *node {
	nodes := make([]*node, len(of))
	for i, o := range of {
		nodes[i] = p.read(o)
		if impossible(nodes[i]) {
			return alt()
		}
	}
	return seq(nodes...)
}

func (p *patternReader) read(r *syntax.Regexp) *node {
	if p.parts++; p.parts > maxPattern {
		p.failed = true
		return nothing
	}
	switch r.Op {
	case syntax.OpEmptyMatch:
		return nothing
	case syntax.OpLiteral:
		var nodes []*node
		for _, c := range r.Rune {
			set := chars(string(c))
			if r.Flags&syntax.FoldCase != 0 {
				set = set.with(chars(strings.ToLower(string(c)) + strings.ToUpper(string(c))))
			}
			n := p.unit(set)
			if impossible(n) {
				return n
			}
			nodes = append(nodes, n)
		}
		return seq(nodes...)
	case syntax.OpCharClass:
		var set charset
		for i := 0; i+1 < len(r.Rune); i += 2 {
			set = append(set, [2]rune{r.Rune[i], r.Rune[i+1]})
		}
		return p.unit(set.normal())
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return p.unit(anyChar.without(chars("\n\r")))
	case syntax.OpCapture, syntax.OpConcat:
		return p.all(r.Sub)
	case syntax.OpAlternate:
		var ways []*node
		for _, o := range r.Sub {
			if n := p.read(o); !impossible(n) {
				ways = append(ways, n)
			}
		}
		return alt(ways...)
	case syntax.OpStar:
		return p.repeat(r, 0, -1)
	case syntax.OpPlus:
		return p.repeat(r, 1, -1)
	case syntax.OpQuest:
		return p.repeat(r, 0, 1)
	case syntax.OpRepeat:
		return p.repeat(r, r.Min, r.Max)
	}
	p.failed = true // an assertion inside
	return nothing
}

func (p *patternReader) repeat(r *syntax.Regexp, least, most int) *node {
	n := p.read(r.Sub[0])
	if impossible(n) {
		if least == 0 {
			return nothing
		}
		return n
	}
	return rep(n, least, most)
}
