package yaml

import (
	"regexp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/rules"
)

// grammar matches arguments that are one line each.
func grammar(w *rules.Writer, t *rules.Tool, s *rules.Shape) *rules.Node {
	return w.InOrder(w.EachMember(t, w.Nameable(t, s, ""), "", func(p rules.Property, at string) *rules.Node {
		key := p.Name
		if !rules.IsWord(key) || !isPlain(key) {
			key = jsonvalue.NewString(key).String()
		}
		return rules.Seq(rules.Text(key+": "), value(w, t, p.Schema, at), rules.Text("\n"))
	}))
}

// value matches the value of an argument: JSON, or a string without quotes.
func value(w *rules.Writer, t *rules.Tool, schema *jsonvalue.Value, at string) *rules.Node {
	ways := []*rules.Node{w.Value(t, schema, w.JSON, at)}
	list := w.Shapes(t, schema, at)
	// If the schema allows only strings, a word such as "null" is read as a string too.
	sure := !slices.ContainsFunc(list, func(s *rules.Shape) bool { return !slices.Equal(s.Kinds(), []string{"string"}) })
	for i := range list {
		s := list[i]
		kinds := s.Kinds()
		switch {
		case s.Never:
		case s.HasEnum:
			for _, v := range s.Enum {
				if v.Kind == jsonvalue.String && s.Allows(v) && isPlain(v.Text) {
					ways = append(ways, rules.Text(v.Text))
				}
			}
		case kinds == nil || slices.Contains(kinds, "string"):
			ways = append(ways, plainYAML(s, sure))
		}
	}
	return rules.Alt(ways...)
}

// The characters of a string without quotes: its first, its last, and those between.
var (
	yamlFirst = rules.Charset{{'A', 'Z'}, {'a', 'z'}, {0x80, 0xd7ff}, {0xe000, 0x10ffff}}.Without(rules.Chars(notPlain))
	yamlLast  = yamlFirst.With(rules.Digit).With(rules.Chars(plainPunctuation))
	yamlInner = yamlLast.With(rules.Chars(" "))
)

// plainYAML matches a string without quotes. Unless sure says that the schema allows
// only strings, it excludes words that mean another value.
func plainYAML(s *rules.Shape, sure bool) *rules.Node {
	if rules.FirstPattern(s) != "" {
		if !sure {
			return rules.Alt()
		}
		n, ok := rules.Pattern(rules.FirstPattern(s), func(set rules.Charset) *rules.Node { return rules.Char(set.And(yamlLast.Without(rules.Chars(",()")))) })
		if empty, err := regexp.MatchString(rules.FirstPattern(s), ""); !ok || empty || err != nil { // an empty string needs quotes
			return rules.Alt()
		}
		return n
	}
	least, most := rules.Counted(s.Length)
	if most == 0 {
		return rules.Alt()
	}
	var words []string
	if !sure {
		words = valueWords
	}
	return yamlAfter("", words, least, most)
}

// yamlAfter matches what may follow the text prefix (in lower case), so that the whole
// is none of the words.
func yamlAfter(prefix string, words []string, least, most int) *rules.Node {
	n := len(prefix)
	set := yamlInner
	if n == 0 {
		set = yamlFirst
	}
	if most >= 0 && n >= most {
		set = nil
	}
	var ways []*rules.Node
	var other rules.Charset
	for c := 'a'; c <= 'z' && len(set) > 0; c++ {
		next := prefix + string(c)
		if slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, next) }) {
			both := rules.Chars(string(c) + strings.ToUpper(string(c)))
			other = other.With(both)
			ways = append(ways, rules.Seq(rules.Char(both), yamlAfter(next, words, least, most)))
		}
	}
	rest := most
	if most >= 0 {
		rest = most - n - 1
	}
	ways = append(ways,
		rules.Seq(rules.Char(set.Without(other).And(yamlLast)), yamlRest(max(0, least-n-1), rest)),
		rules.Seq(rules.Char(set.Without(other).And(rules.Chars(" "))), yamlRest(max(1, least-n-1), rest)))
	if n >= max(least, 1) && !slices.Contains(words, prefix) {
		ways = append(ways, rules.Nothing)
	}
	return rules.Alt(ways...)
}

// yamlRest matches the end of a string without quotes, of least to most characters.
func yamlRest(least, most int) *rules.Node {
	if most == 0 && least > 0 {
		return rules.Alt()
	}
	inner := -1
	if most > 0 {
		inner = most - 1
	}
	n := rules.Seq(rules.Repeat(rules.Char(yamlInner), max(0, least-1), inner), rules.Char(yamlLast))
	switch {
	case most == 0:
		return rules.Nothing
	case least == 0:
		return rules.Optional(n)
	}
	return n
}
