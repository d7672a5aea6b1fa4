package rules

import (
	"slices"
	"strings"
	"unicode"
)

// Without matches any text of the characters of set that contains none of the markers;
// with fold, in upper and lower case of ASCII letters. It writes the automaton that
// searches for all markers at once (Aho-Corasick) as rules, one for each prefix of a
// marker. The text may also contain other, if that is not nil; other must not contain
// a part of a marker.
func (r *Rules) Without(hint string, set Charset, markers []string, fold bool, other *Node) *Markless {
	if fold {
		markers = slices.Clone(markers)
		for i, m := range markers {
			markers[i] = strings.ToLower(m)
		}
	}
	if len(markers) == 0 {
		start := r.Add(hint, nil)
		m := &Markless{start: start, first: []step{{set, start}}, other: other}
		start.Body = m.from(m.first, nil)
		return m
	}
	a := newAutomaton(markers)
	rules := make([]*Rule, len(a.states))
	for i := range a.states {
		rules[i] = r.Add(hint, nil)
	}
	letters := followers(markers)
	text := &Markless{other: other}
	for i, state := range a.states {
		var steps []step
		var other Charset
		for _, c := range letters {
			next := a.longest(state + string(c))
			if next == 0 {
				continue
			}
			both := Chars(string(c))
			if fold && c < unicode.MaxASCII {
				both = Chars(string(c) + strings.ToUpper(string(c)))
			}
			other = append(other, both...)
			if next > 0 {
				steps = append(steps, step{both.And(set), rules[next]})
			}
		}
		steps = append([]step{{set.Without(other.normal()), rules[0]}}, steps...)
		if i == 0 {
			text.start, text.first = rules[0], steps
		}
		rules[i].Body = text.from(steps, nil)
	}
	return text
}

// Markless matches a text without markers.
type Markless struct {
	start *Rule
	first []step // the steps from start
	other *Node
}

// step is a character of a set, followed by a rule.
type step struct {
	set Charset
	to  *Rule
}

// Node matches the text.
func (m *Markless) Node() *Node { return Call(m.start) }

// after matches the text if it does not begin with a character of not.
func (m *Markless) after(not Charset) *Node { return m.from(m.first, not) }

func (m *Markless) from(steps []step, not Charset) *Node {
	var ways []*Node
	for _, s := range steps {
		if set := s.set.Without(not); len(set) > 0 {
			ways = append(ways, Seq(Char(set), Call(s.to)))
		}
	}
	if m.other != nil {
		ways = append(ways, Seq(m.other, Call(m.start)))
	}
	return Optional(Alt(ways...))
}

// automaton searches for markers.
type automaton struct {
	states  []string // prefixes of markers that contain no marker, the empty one first
	place   map[string]int
	markers map[string]bool
}

func newAutomaton(markers []string) *automaton {
	a := &automaton{states: []string{""}, place: map[string]int{"": 0}, markers: map[string]bool{}}
	for _, m := range markers {
		a.markers[m] = true
	}
	for _, m := range markers {
		for n := range m {
			p := m[:n]
			if _, known := a.place[p]; !known && a.longest(p) >= 0 {
				a.place[p] = len(a.states)
				a.states = append(a.states, p)
			}
		}
	}
	return a
}

// longest returns the state that is the longest suffix of s, or -1 if s ends with a
// marker.
func (a *automaton) longest(s string) int {
	best := -1
	for n := range s {
		if a.markers[s[n:]] {
			return -1
		}
		if at, ok := a.place[s[n:]]; ok && best < 0 {
			best = at
		}
	}
	return max(best, 0)
}

// followers returns the distinct characters of the markers.
func followers(markers []string) []rune {
	seen := map[rune]bool{}
	var list []rune
	for _, m := range markers {
		for _, c := range m {
			if !seen[c] {
				seen[c] = true
				list = append(list, c)
			}
		}
	}
	return list
}
