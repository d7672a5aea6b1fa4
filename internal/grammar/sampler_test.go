package grammar_test

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// sampler reads a GBNF grammar and writes texts that a server with that grammar would allow.
type sampler struct {
	rules  map[string]*expr
	cost   map[string]int // of the shortest text of a rule, in steps
	intN   func(n int) int
	budget int // of steps; beyond it the shortest way is taken
}

type expr struct {
	op       byte // ", [, r, |, &, *
	text     string
	not      bool
	set      [][2]rune
	of       []*expr
	min, max int
}

// newSampler reads a grammar. It fails the test if llama.cpp would refuse the grammar.
func newSampler(t rapid.TB, grammar string) *sampler {
	t.Helper()
	s := &sampler{rules: map[string]*expr{}, cost: map[string]int{}}
	for line := range strings.Lines(grammar) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, body, ok := strings.Cut(line, " ::= ")
		if !ok || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || s.rules[name] != nil {
			t.Fatalf("no rule, or one with an odd name: %s", line)
		}
		r := &gbnfReader{in: body}
		s.rules[name] = r.alternatives()
		if r.bad || r.in != "" {
			t.Fatalf("at %q of %s", r.in, line)
		}
	}
	if s.rules["root"] == nil {
		t.Fatalf("no root:\n%s", grammar)
	}
	for name, body := range s.rules {
		body.each(func(e *expr) {
			if e.op == 'r' && s.rules[e.text] == nil {
				t.Fatalf("%s uses %s, which there is not", name, e.text)
			}
		})
	}
	for changed := true; changed; {
		changed = false
		for name, body := range s.rules {
			if c := s.least(body); c < s.leastOf(name) {
				s.cost[name], changed = c, true
			}
		}
	}
	for name := range s.rules {
		if s.leastOf(name) >= never {
			t.Fatalf("%s never ends:\n%s", name, grammar)
		}
	}
	return s
}

const never = 1 << 20

func (s *sampler) leastOf(name string) int {
	if c, ok := s.cost[name]; ok {
		return c
	}
	return never
}

func (s *sampler) least(e *expr) int {
	switch e.op {
	case '|':
		best := never
		for _, o := range e.of {
			best = min(best, s.least(o))
		}
		return best
	case '&':
		total := 0
		for _, o := range e.of {
			total = min(never, total+s.least(o))
		}
		return total
	case '*':
		return min(never, e.min*s.least(e.of[0]))
	case 'r':
		return min(never, 1+s.leastOf(e.text))
	}
	return 1
}

func (e *expr) each(do func(*expr)) {
	do(e)
	for _, o := range e.of {
		o.each(do)
	}
}

// sample writes one text.
func (s *sampler) sample(intN func(int) int) string {
	s.intN, s.budget = intN, 150
	var b strings.Builder
	s.write(&b, s.rules["root"])
	return b.String()
}

func (s *sampler) write(b *strings.Builder, e *expr) {
	s.budget--
	switch e.op {
	case '"':
		b.WriteString(e.text)
	case '[':
		b.WriteRune(s.char(e))
	case 'r':
		s.write(b, s.rules[e.text])
	case '|':
		pick := e.of[s.intN(len(e.of))]
		if s.budget < 0 {
			for _, o := range e.of {
				if s.least(o) < s.least(pick) {
					pick = o
				}
			}
		}
		s.write(b, pick)
	case '&':
		for _, o := range e.of {
			s.write(b, o)
		}
	case '*':
		n := e.min
		if most := e.max; s.budget > 0 && most != e.min {
			if most < 0 || most > e.min+6 {
				most = e.min + 6
			}
			n += s.intN(most - e.min + 1)
		}
		for range n {
			s.write(b, e.of[0])
		}
	}
}

// char picks a character, and special ones more often.
func (s *sampler) char(e *expr) rune {
	const telling = "aZ09 <>/\"'\\&{}[]()|=:,;.-_`#\n\t\ré｜▁😀"
	var could []rune
	for _, r := range telling {
		if e.has(r) {
			could = append(could, r)
		}
	}
	if !e.not && (len(could) == 0 || s.intN(3) == 0) {
		x := e.set[s.intN(len(e.set))]
		if r := x[0] + rune(s.intN(int(min(x[1]-x[0]+1, 1000)))); utf8.ValidRune(r) {
			return r
		}
	}
	if len(could) == 0 {
		for r := 'b'; ; r++ {
			if e.has(r) {
				return r
			}
		}
	}
	return could[s.intN(len(could))]
}

func (e *expr) has(r rune) bool {
	for _, x := range e.set {
		if x[0] <= r && r <= x[1] {
			return !e.not
		}
	}
	return e.not
}

type gbnfReader struct {
	in  string
	bad bool
}

func (r *gbnfReader) alternatives() *expr {
	e := &expr{op: '|'}
	for {
		e.of = append(e.of, r.sequence())
		rest, ok := strings.CutPrefix(r.in, " | ")
		if !ok {
			return e
		}
		r.in = rest
	}
}

func (r *gbnfReader) sequence() *expr {
	e := &expr{op: '&'}
	for {
		e.of = append(e.of, r.repeated())
		if r.bad || !strings.HasPrefix(r.in, " ") || strings.HasPrefix(r.in, " |") {
			return e
		}
		r.in = r.in[1:]
	}
}

func (r *gbnfReader) repeated() *expr {
	e := r.single()
	if r.in == "" {
		return e
	}
	rep := &expr{op: '*', of: []*expr{e}, max: -1}
	switch r.in[0] {
	case '?':
		rep.max = 1
	case '*':
	case '+':
		rep.min = 1
	case '{':
		inside, rest, _ := strings.Cut(r.in[1:], "}")
		low, high, two := strings.Cut(inside, ",")
		var err error
		if rep.min, err = strconv.Atoi(low); err != nil {
			r.bad = true
		}
		switch {
		case !two:
			rep.max = rep.min
		case high != "":
			if rep.max, err = strconv.Atoi(high); err != nil || rep.max < rep.min || rep.max > 1000 {
				r.bad = true
			}
		}
		r.in = " " + rest
	default:
		return e
	}
	r.in = r.in[1:]
	return rep
}

func (r *gbnfReader) single() *expr {
	if r.in == "" {
		r.bad = true
		return &expr{op: '&'}
	}
	switch r.in[0] {
	case '"':
		e := &expr{op: '"'}
		for r.in = r.in[1:]; r.in != "" && r.in[0] != '"'; {
			e.text += string(r.rune())
		}
		r.in = strings.TrimPrefix(r.in, `"`)
		return e
	case '[':
		e := &expr{op: '['}
		r.in, e.not = strings.CutPrefix(r.in[1:], "^")
		for r.in != "" && r.in[0] != ']' {
			x := [2]rune{r.rune()}
			x[1] = x[0]
			if rest, ok := strings.CutPrefix(r.in, "-"); ok {
				r.in = rest
				x[1] = r.rune()
			}
			e.set = append(e.set, x)
		}
		r.in = strings.TrimPrefix(r.in, "]")
		return e
	case '(':
		r.in = r.in[1:]
		e := r.alternatives()
		if !strings.HasPrefix(r.in, ")") {
			r.bad = true
		}
		r.in = strings.TrimPrefix(r.in, ")")
		return e
	}
	n := len(r.in) - len(strings.TrimLeft(r.in, "abcdefghijklmnopqrstuvwxyz0123456789-"))
	if n == 0 {
		r.bad = true
		return &expr{op: '&'}
	}
	e := &expr{op: 'r', text: r.in[:n]}
	r.in = r.in[n:]
	return e
}

// rune reads a character, with llama.cpp's escapes.
func (r *gbnfReader) rune() rune {
	c, n := utf8.DecodeRuneInString(r.in)
	r.in = r.in[n:]
	if c != '\\' || r.in == "" {
		return c
	}
	c, r.in = rune(r.in[0]), r.in[1:]
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case '"', '\\', '[', ']':
		return c
	case 'x', 'u', 'U':
		digits := map[rune]int{'x': 2, 'u': 4, 'U': 8}[c]
		var code rune
		if _, err := fmt.Sscanf(r.in[:digits], "%x", &code); err != nil {
			r.bad = true
		}
		r.in = r.in[digits:]
		return code
	}
	r.bad = true
	return c
}
