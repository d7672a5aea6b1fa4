package dialect

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
)

// search looks for the markers of dialects in a text.
type search struct {
	text     string
	at       map[string]int // first offset of each marker; -1: absent
	template bool
}

// guesses returns a guess for each dialect with evidence.
func (s *search) guesses(dialects []*dialect.Dialect) []Guess {
	var guesses []Guess
	for _, d := range dialects {
		g := s.guess(d)
		if len(g.Evidence) == 0 && !s.template {
			g = guessBare(d, s.text)
		}
		if len(g.Evidence) > 0 {
			guesses = append(guesses, g)
		}
	}
	return guesses
}

// find returns the first offset of a marker, or -1. Blanks in the marker match any blanks.
func (s *search) find(marker string) int {
	at, known := s.at[marker]
	if !known {
		at = indexPattern(s.text, lex.NewPattern(marker))
		s.at[marker] = at
	}
	return at
}

// maxMarker exceeds the length of any marker in a text, with the blanks in it, in bytes.
const maxMarker = 1 << 10

// indexPattern returns the first offset of a pattern in a text, or -1.
func indexPattern(text string, p lex.Pattern) int {
	literal := p.Literal()
	if len(literal) == len(p) {
		return strings.Index(text, literal)
	}
	var m lex.Matcher
	set := lex.NewSet(p)
	for from := 0; ; {
		n := strings.Index(text[from:], literal)
		if n < 0 {
			return -1
		}
		from += n + len(literal)
		m.ResetAt(set, len(literal))
		if which, _ := m.Match(text[:min(len(text), from+maxMarker)], from); which == 0 {
			return from - len(literal)
		}
	}
}

// weighed is the combined evidence for one form.
type weighed struct {
	found, missing float64
	evidence       []Evidence
}

// oneMoreToken is the additional weight of a marker for each token after the first, so that
// it ranks before a shorter marker that it begins with.
const oneMoreToken = 0.1

// count weighs a marker. If only its tokens occur, it counts half.
func (w *weighed) count(s *search, marker string, cost float64, listed bool) (found bool) {
	if at := s.find(marker); at >= 0 {
		w.found += cost * tellsOf(marker) * (1 + oneMoreToken*float64(max(0, len(markerParts(marker))-1)))
		w.show(Evidence{strings.TrimSpace(marker), at}, listed)
		return true
	}
	parts := markerParts(marker)
	if len(parts) == 0 || slices.ContainsFunc(parts, func(p string) bool { return s.find(p) < 0 }) {
		w.missing += cost * tellsOf(marker)
		return false
	}
	for _, p := range parts {
		w.show(Evidence{p, s.find(p)}, listed)
	}
	w.found += cost * tellsOf(marker) / 2
	return true
}

func (w *weighed) show(e Evidence, listed bool) {
	if listed && !slices.Contains(w.evidence, e) {
		w.evidence = append(w.evidence, e)
	}
}

// guess weighs the markers of d that occur in the text. The best form counts.
func (s *search) guess(d *dialect.Dialect) Guess {
	g := Guess{Dialect: d, Name: d.Name}
	for k, f := range d.Forms() {
		needs, members := needsOf(&f), membersOf(&f)
		switch {
		case len(needs)+len(members) == 0, s.template && f.Frame.Bare:
			continue
		case s.template && isBareCall(&f) && !s.bareCall(&f):
			continue
		case len(needs) == 0 && s.find(s.first(members[0])) < 0:
			continue
		}
		var w weighed
		for i, m := range needs {
			if !w.count(s, m, 1, true) && i == 0 {
				break
			}
		}
		if len(needs) > 0 && len(w.evidence) == 0 {
			continue
		}
		for _, keys := range members {
			w.count(s, s.first(keys), 0.5, true)
		}
		for _, m := range hasOf(&f) {
			if !slices.Contains(needs, m) {
				w.count(s, m, 0.2, true)
			}
		}
		for _, m := range aroundOf(d) {
			if s.find(m) >= 0 {
				w.found += 0.4 * tellsOf(m)
			}
		}
		c := w.found / (w.found + 2*w.missing + 1)
		if k > 0 {
			c *= 0.9 // d reads this form, but does not write it
		} else {
			c *= 0.92 + 0.08*s.ownLayout(d)
		}
		if s.template && isBareCall(&f) {
			c *= 0.75
		}
		if c > g.Confidence {
			g.Confidence, g.Evidence, g.weight = c, w.evidence, c*(w.found-2*w.missing)
		}
	}
	return g
}

// isBareCall reports whether only its names distinguish a call from other JSON.
func isBareCall(f *dialect.Form) bool {
	return f.Head.Form == dialect.HeadEnvelope && f.Frame.Call.Open == "" && f.Frame.Section.Open == ""
}

// bareCall reports whether the text contains the name and, as the next member, the
// arguments of a call. A tool definition has other members in between.
func (s *search) bareCall(f *dialect.Form) bool {
	name := `"` + f.Head.Name[0] + `":`
	for _, rest := range strings.Split(s.text, name)[1:] {
		end := strings.Index(rest, `":`)
		if end < 0 {
			return false
		}
		if slices.Contains(f.Args.Keys[:1], rest[strings.LastIndexByte(rest[:end], '"')+1:end]) {
			return true
		}
	}
	return false
}

// layout returns which fraction of the layout of d's example occurs in the text, from 0 to
// 1.
func (s *search) layout(d *dialect.Dialect) float64 {
	var all, found int
	for _, piece := range examplePieces(d.Example) {
		all += len(piece)
		if _, known := s.at[unknown+piece]; !known {
			s.at[unknown+piece] = strings.Index(s.text, piece)
		}
		if s.at[unknown+piece] >= 0 {
			found += len(piece)
		}
	}
	if all == 0 {
		return 0
	}
	return float64(found) / float64(all)
}

// ownLayout is layout, but a row that varies another is no better for it than that row: where
// the markers are the same, blanks do not tell a rare model from a common one.
func (s *search) ownLayout(d *dialect.Dialect) float64 {
	layout := s.layout(d)
	for d = d.VariantOf(); d != nil; d = d.VariantOf() {
		layout = min(layout, s.layout(d))
	}
	return layout
}

// examplePieces returns the pieces of an example between its name, key and value.
func examplePieces(example string) []string {
	pieces := strings.Split(strings.NewReplacer(
		`{"city": "Oslo"}`, unknown, `{"city":"Oslo"}`, unknown, "get_weather", unknown, "city", unknown, "Oslo", unknown,
	).Replace(example), unknown)
	return slices.DeleteFunc(pieces, func(p string) bool { return len(p) < 3 })
}
