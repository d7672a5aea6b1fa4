package rules

import (
	"regexp/syntax"
	"strings"
)

// Pattern translates a regular expression into a grammar expression. unit matches one
// character of a set as the surrounding syntax writes it, or is impossible if it cannot
// write any. ok is false if a grammar cannot express the pattern.
func Pattern(expr string, unit func(Charset) *Node) (n *Node, ok bool) {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil || parsed.MaxCap() > 20 {
		return nil, false
	}
	of := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpConcat {
		of = parsed.Sub
	}
	any := Many(unit(AnyChar))
	before, after := any, any
	if len(of) > 0 && of[0].Op == syntax.OpBeginText {
		of, before = of[1:], Nothing
	}
	if last := len(of) - 1; last >= 0 && of[last].Op == syntax.OpEndText {
		of, after = of[:last], Nothing
	}
	p := patternReader{unit: unit}
	body := p.all(of)
	return Seq(before, body, after), !p.failed && !impossible(body)
}

// maxPattern bounds the number of parts of a pattern and of its characters.
const maxPattern = 2000

type patternReader struct {
	unit   func(Charset) *Node
	parts  int
	failed bool
}

func (p *patternReader) all(of []*syntax.Regexp) *Node {
	nodes := make([]*Node, len(of))
	for i, o := range of {
		nodes[i] = p.read(o)
		if impossible(nodes[i]) {
			return Alt()
		}
	}
	return Seq(nodes...)
}

func (p *patternReader) read(r *syntax.Regexp) *Node {
	if p.parts += 1 + len(r.Rune); p.parts > maxPattern {
		p.failed = true
		return Nothing
	}
	switch r.Op {
	case syntax.OpEmptyMatch:
		return Nothing
	case syntax.OpLiteral:
		var nodes []*Node
		for _, c := range r.Rune {
			set := Chars(string(c))
			if r.Flags&syntax.FoldCase != 0 {
				set = set.With(Chars(strings.ToLower(string(c)) + strings.ToUpper(string(c))))
			}
			n := p.unit(set)
			if impossible(n) {
				return n
			}
			nodes = append(nodes, n)
		}
		return Seq(nodes...)
	case syntax.OpCharClass:
		var set Charset
		for i := 0; i+1 < len(r.Rune); i += 2 {
			set = append(set, [2]rune{r.Rune[i], r.Rune[i+1]})
		}
		return p.unit(set.normal())
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return p.unit(AnyChar.Without(Chars("\n\r")))
	case syntax.OpCapture, syntax.OpConcat:
		return p.all(r.Sub)
	case syntax.OpAlternate:
		var ways []*Node
		for _, o := range r.Sub {
			if n := p.read(o); !impossible(n) {
				ways = append(ways, n)
			}
		}
		return Alt(ways...)
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
	return Nothing
}

func (p *patternReader) repeat(r *syntax.Regexp, least, most int) *Node {
	n := p.read(r.Sub[0])
	if impossible(n) {
		if least == 0 {
			return Nothing
		}
		return n
	}
	return Repeat(n, least, most)
}
