package grammar

import (
	"slices"
	"strings"
	"unicode"
)

// without matches any text of the characters of set that contains none of the markers;
// with fold, in upper and lower case of ASCII letters. It writes the automaton that
// searches for all markers at once (Aho-Corasick) as rules, one for each prefix of a
// marker. The text may also contain other, if that is not nil; other must not contain
// a part of a marker.
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

// markless matches a text without markers.
type markless struct {
	start *rule
	first []step // the steps from start
	other *node
}

// step is a character of a set, followed by a rule.
type step struct {
	set charset
	to  *rule
}

// node matches the text.
func (m *markless) node() *node { return call(m.start) }

// after matches the text if it does not begin with a character of not.
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
