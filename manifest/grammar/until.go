package grammar

import (
	"slices"
	"strings"
	"unicode"
)

// without is any text of the characters of set in which none of the markers stands,
// in any case of ASCII letters with fold. It is the automaton that looks for all of
// them at once, written as rules: a rule for each beginning of a marker that may
// have been written. other, if it is not nil, is more that may stand in the text, and
// is of no marker.
func (r *rules) without(hint string, set charset, markers []string, fold bool, other *node) *markless {
	if fold {
		markers = slices.Clone(markers)
		for i, m := range markers {
			markers[i] = strings.ToLower(m)
		}
	}
	if len(markers) == 0 {
		start := r.add(hint, nil)
		m := &markless{start: start, first: []step{{set, start}}, other: other}
		start.body = m.from(m.first, nil)
		return m
	}
	a := newAutomaton(markers)
	made := make([]*rule, len(a.states))
	for i := range a.states {
		made[i] = r.add(hint, nil)
	}
	letters := followers(markers)
	text := &markless{other: other}
	for i, state := range a.states {
		var steps []step
		var stray charset
		for _, c := range letters {
			next := a.longest(state + string(c))
			if next == 0 {
				continue
			}
			both := chars(string(c))
			if fold && c < unicode.MaxASCII {
				both = chars(string(c) + strings.ToUpper(string(c)))
			}
			stray = append(stray, both...)
			if next > 0 {
				steps = append(steps, step{both.and(set), made[next]})
			}
		}
		steps = append([]step{{set.without(stray.normal()), made[0]}}, steps...)
		if i == 0 {
			text.start, text.first = made[0], steps
		}
		made[i].body = text.from(steps, nil)
	}
	return text
}

// markless is a text without markers.
type markless struct {
	start *rule
	first []step // from there
	other *node
}

// step is a character of a set, and the rule of what follows it.
type step struct {
	set charset
	to  *rule
}

// node is the text.
func (m *markless) node() *node { return call(m.start) }

// after is the text, but that it begins with no character of not.
func (m *markless) after(not charset) *node { return m.from(m.first, not) }

func (m *markless) from(steps []step, not charset) *node {
	var ways []*node
	for _, s := range steps {
		if set := s.set.without(not); len(set) > 0 {
			ways = append(ways, seq(char(set), call(s.to)))
		}
	}
	if m.other != nil {
		ways = append(ways, seq(m.other, call(m.start)))
	}
	return optional(alt(ways...))
}

// automaton looks for markers.
type automaton struct {
	states  []string // the beginnings of markers that hold none, the empty one first
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

// longest is the state that is the longest ending of s, and -1 where a marker ends s.
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

// followers lists the characters of the markers: those that lead to a state, or to a
// marker's end.
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
