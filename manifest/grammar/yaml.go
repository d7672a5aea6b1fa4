package grammar

import (
	"regexp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/plainyaml"
)

// yamlArgs matches arguments that are one line each.
func (w *writer) yamlArgs(t *tool, s *shape) *node {
	l := w.cached("yaml", func() *language { return jsonIn(w.d) })
	return w.inOrder(w.eachMember(t, w.nameable(t, s, ""), "", func(p property, at string) *node {
		key := p.Name
		if !isWord(key) || !plainyaml.Is(key) {
			key = text(key).String()
		}
		return seq(lit(key+": "), w.yamlValue(t, p.Schema, l, at), lit("\n"))
	}))
}

// yamlValue matches the value of an argument: JSON, or a string without quotes.
func (w *writer) yamlValue(t *tool, schema *jnode, l *language, at string) *node {
	ways := []*node{w.value(t, schema, l, at)}
	list := w.shapes(t, schema, at)
	// If the schema allows only strings, a word such as "null" is read as a string too.
	sure := !slices.ContainsFunc(list, func(s *shape) bool { return !slices.Equal(s.Kinds(), []string{"string"}) })
	for i := range list {
		s := list[i]
		kinds := s.Kinds()
		switch {
		case s.Never:
		case s.HasEnum:
			for _, v := range s.Enum {
				if v.Kind == jsonvalue.String && s.Allows(v) && plainyaml.Is(v.Text) {
					ways = append(ways, lit(v.Text))
				}
			}
		case kinds == nil || slices.Contains(kinds, "string"):
			ways = append(ways, plainYAML(s, sure))
		}
	}
	return alt(ways...)
}

// The characters of a string without quotes: its first, its last, and those between.
var (
	yamlFirst = charset{{'A', 'Z'}, {'a', 'z'}, {0x80, 0xd7ff}, {0xe000, 0x10ffff}}.without(chars(plainyaml.Excluded))
	yamlLast  = yamlFirst.with(digit).with(chars(plainyaml.Punctuation))
	yamlInner = yamlLast.with(chars(" "))
)

// plainYAML matches a string without quotes. Unless sure says that the schema allows
// only strings, it excludes words that mean another value.
func plainYAML(s *shape, sure bool) *node {
	if firstPattern(s) != "" {
		if !sure {
			return alt()
		}
		n, ok := pattern(firstPattern(s), func(set charset) *node { return char(set.and(yamlLast.without(chars(",()")))) })
		if empty, err := regexp.MatchString(firstPattern(s), ""); !ok || empty || err != nil { // an empty string needs quotes
			return alt()
		}
		return n
	}
	least, most := counted(s.Length)
	if most == 0 {
		return alt()
	}
	var words []string
	if !sure {
		words = plainyaml.Words()
	}
	return yamlAfter("", words, least, most)
}

// yamlAfter matches what may follow the text begun (in lower case), so that the whole
// is none of the words.
func yamlAfter(begun string, words []string, least, most int) *node {
	n := len(begun)
	set := yamlInner
	if n == 0 {
		set = yamlFirst
	}
	if most >= 0 && n >= most {
		set = nil
	}
	var ways []*node
	var stray charset
	for c := 'a'; c <= 'z' && len(set) > 0; c++ {
		next := begun + string(c)
		if slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, next) }) {
			both := chars(string(c) + strings.ToUpper(string(c)))
			stray = stray.with(both)
			ways = append(ways, seq(char(both), yamlAfter(next, words, least, most)))
		}
	}
	rest := most
	if most >= 0 {
		rest = most - n - 1
	}
	ways = append(ways,
		seq(char(set.without(stray).and(yamlLast)), yamlRest(max(0, least-n-1), rest)),
		seq(char(set.without(stray).and(chars(" "))), yamlRest(max(1, least-n-1), rest)))
	if n >= max(least, 1) && !slices.Contains(words, begun) {
		ways = append(ways, nothing)
	}
	return alt(ways...)
}

// yamlRest matches the end of a string without quotes, of least to most characters.
func yamlRest(least, most int) *node {
	if most == 0 && least > 0 {
		return alt()
	}
	inner := -1
	if most > 0 {
		inner = most - 1
	}
	n := seq(rep(char(yamlInner), max(0, least-1), inner), char(yamlLast))
	switch {
	case most == 0:
		return nothing
	case least == 0:
		return optional(n)
	}
	return n
}
