package dialect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Guess is a dialect that a text may use.
type Guess struct {
	Dialect    *Dialect
	Confidence float64 // from 0 to 1
	Calls      int     // complete calls that the dialect's parser finds in the text
	Evidence   []Evidence

	weight float64 // the weight of its markers, which still differs where the confidence saturates
}

// Evidence is a piece of the dialect's markup that occurs in the text.
type Evidence struct {
	Marker string `json:"marker"`
	Offset int    `json:"offset"` // of its first occurrence, in bytes
}

const (
	maxGuesses  = 5       // that Detect returns
	maxCounted  = 8       // dialects whose parser is tried
	maxDetected = 1 << 20 // bytes of the text that are examined
)

// Detect guesses which dialects a text may use, the most likely first. The text is a
// model's reply, or the Jinja source of a chat template. Every guess has evidence, and for
// a template weak guesses are omitted. Dialects with the same surface are equally likely,
// and follow the order of the table. Detect examines the first MiB, each byte once for
// every marker of the table.
func Detect(text string) []Guess {
	text = text[:min(len(text), maxDetected)]
	byConfidence := func(a, b Guess) int { return cmp.Compare(b.Confidence, a.Confidence) }
	least := 0.01
	var guesses []Guess
	if isTemplate(text) {
		least = leastOfTemplate
		r := render(text)
		s := search{text: r.out.String(), at: map[string]int{}, template: true}
		guesses = s.guesses(dialect.All()[len(dialect.Founding()):]) // no model's template teaches the founding ones
		for _, g := range guesses {
			for i := range g.Evidence {
				g.Evidence[i].Offset = r.source(g.Evidence[i].Offset)
			}
		}
		slices.SortStableFunc(guesses, func(a, b Guess) int { return cmp.Compare(b.weight, a.weight) })
		for i := 1; i < len(guesses); i++ {
			guesses[i].Confidence = min(guesses[i].Confidence, guesses[i-1].Confidence)
		}
	} else {
		s := search{text: text, at: map[string]int{}}
		guesses = s.guesses(dialect.All())
		slices.SortStableFunc(guesses, byConfidence)
		guesses = tryGuesses(guesses, text)
		slices.SortStableFunc(guesses, byConfidence)
	}
	guesses = slices.DeleteFunc(guesses, func(g Guess) bool { return g.Confidence < least })
	return guesses[:min(len(guesses), maxGuesses)]
}

// leastOfTemplate is the lowest confidence of a guess about a template. Weaker evidence may
// be a word in its prose.
const leastOfTemplate = 0.5

// bareConfidence is the confidence in a dialect without markers in which calls were found,
// before its parser has been tried: any tag, or any word before a bracket, may look like a
// call.
const bareConfidence = 0.05

// guessBare looks for calls of a dialect without markers.
func guessBare(d *dialect.Dialect, text string) Guess {
	g := Guess{Dialect: d}
	if !isUnmarked(d) {
		return g
	}
	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{d}})
	if err != nil {
		return g
	}
	offset := 0
	for _, e := range p.Close(p.Feed(nil, text)) {
		if e.Type == toolcall.SegmentStart && e.Segment.IsCall() {
			g.Confidence = bareConfidence
			g.Evidence = append(g.Evidence, Evidence{strings.TrimSpace(e.Raw), offset + len(e.Raw) - len(strings.TrimLeft(e.Raw, " \t\r\n"))})
			break
		}
		offset += len(e.Raw)
	}
	return g
}

// tryGuesses parses the text with the most likely dialects. Complete calls without
// tolerances raise the confidence, and their absence lowers it.
func tryGuesses(guesses []Guess, text string) []Guess {
	tried := 0
	for i := range guesses {
		g := &guesses[i]
		bare := g.Confidence == bareConfidence
		if !bare {
			if tried++; tried > maxCounted {
				continue
			}
		}
		clean, calls := countCalls(g.Dialect, text)
		g.Calls = calls
		switch {
		case clean > 0 && bare: // limited, because there is no other evidence
			g.Confidence = 0.4
		case clean > 0:
			g.Confidence = (g.Confidence + 3) / 4
		case calls > 0:
			g.Confidence = (g.Confidence + 1) / 2
		default:
			g.Confidence /= 4
		}
	}
	return guesses
}

// countCalls returns the number of complete calls in a text, and how many of them are
// clean.
func countCalls(d *dialect.Dialect, text string) (clean, calls int) {
	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{d}})
	if err != nil {
		return 0, 0
	}
	for _, e := range p.Close(p.Feed(nil, text)) {
		if e.Type == toolcall.SegmentEnd && e.Segment.IsCall() && e.Status == toolcall.Complete {
			calls++
			if e.Tolerances == 0 {
				clean++
			}
		}
	}
	return clean, calls
}
