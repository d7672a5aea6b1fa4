package parser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// floodPieces returns the pieces that hostile texts in a dialect repeat: its markers and their
// beginnings, pieces of its example, and the beginnings of JSON, tags and code.
func floodPieces(d *dialect.Dialect) []string {
	pieces := []string{
		"{/*", "{//", "/*", "//", "{", "[", `{"`, `[{"`, `{"a":`, `{"name":`, `{"name":"get_weather",`, `{"name":"get_weather",/*`, `[{"name":"get_weather",/*`, `[{"name":"get_weather",//`, `{"arguments":{"a":`, `"`, "'", `\`,
		"(", "=", ":", ",", " ", "\n", "\n ", ".", ">", "<", "</", "<!--", "&", "`", "```", "\n```", "~~~\n", "a", "1", "get_weather", "e(",
		`<tool name="`, "<a", "<a ", "é", "\u00a0", `{"a":1,/*`,
	}
	add := func(marks ...string) {
		for _, m := range marks {
			p := string(lex.NewPattern(m))
			if p == "" {
				continue
			}
			for _, s := range []string{m, p, p[:len(p)-1], p[:(len(p)+1)/2], p[:1]} {
				if s != "" {
					pieces = append(pieces, s)
				}
			}
		}
	}
	for _, f := range append([]dialect.Form{{Frame: d.Frame, Head: d.Head, Args: d.Args}}, d.Also...) {
		add(f.Frame.Section.Open, f.Frame.Section.Close, f.Frame.Call.Open, f.Frame.Call.Close, f.Frame.Separators, f.Head.End, f.Head.ID, f.Head.Prefix)
		add(f.Args.KeyMark.Open, f.Args.KeyMark.Close, f.Args.TypeMark.Open, f.Args.TypeMark.Close, f.Args.ValueMark.Open, f.Args.ValueMark.Close)
		add(f.Frame.Closers...)
	}
	for _, r := range d.Reasoning {
		add(r.Open, r.Close)
	}
	add(d.Noise...)
	c := &d.Channels
	add(slices.Concat(c.Open, c.Within, c.Message, c.Close, []string{c.To})...)
	for n := 1; n <= 8; n++ { // of the example
		pieces = append(pieces, d.Example[:len(d.Example)*n/8], d.Example[len(d.Example)*(n-1)/8:])
	}
	slices.Sort(pieces)
	return slices.Compact(pieces)
}

// flood repeats a piece up to size bytes.
func flood(piece string, size int) string { return strings.Repeat(piece, max(1, size/len(piece))) }

// readings lists the ways in which a parser may read a text of a dialect.
var readings = []struct {
	name string
	opts func(d *dialect.Dialect) Options
}{
	{"alone", func(d *dialect.Dialect) Options { return Options{Dialects: []*dialect.Dialect{d}} }},
	{"tools", func(d *dialect.Dialect) Options { return Options{Dialects: []*dialect.Dialect{d}, Tools: floodTools} }},
	{"auto", func(*dialect.Dialect) Options { return Options{Dialects: dialect.Auto()} }},
	{"auto with tools", func(*dialect.Dialect) Options { return Options{Dialects: dialect.Auto(), Tools: floodTools} }},
	{"recover", func(d *dialect.Dialect) Options {
		return Options{Dialects: []*dialect.Dialect{d}, Tools: floodTools, Recover: true}
	}},
}

var floodTools = []toolcall.ToolDefinition{{Name: "get_weather", Parameters: []byte(`{"type":"object","properties":{"city":{"type":"string"}}}`)}, {Name: "e"}}

// fataler is a test of package testing or of rapid.
type fataler interface{ Fatal(args ...any) }

// work returns how many bytes a parser reads for a text after a head, counting those that it
// reads again or looks back at.
func work(t fataler, opts Options, head, text string) int {
	p, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	events := p.Feed(nil, head)
	before := p.work
	events = p.Feed(events[:0], text)
	p.Close(events[:0])
	return len(text) + int(p.work-before)
}

// maxWork is how many bytes a parser may read for each byte of a flood of one piece;
// maxDrawnWork is the same for a flood of random pieces.
const (
	maxWork      = 20
	maxDrawnWork = 30
)

// checkLinear checks that a flood of the piece costs at most so many bytes read for each of
// its bytes, and no more per byte if it is longer.
func checkLinear(t fataler, opts Options, head, piece string, small, large, most int) error {
	a, b := flood(piece, small), flood(piece, large)
	one, many := work(t, opts, head, a), work(t, opts, head, b)
	switch {
	case float64(many)/float64(len(b)) > 1.5*float64(one)/float64(len(a))+1:
		return fmt.Errorf("%q: %d bytes cost %d, %d cost %d", piece, len(a), one, len(b), many)
	case many > most*len(b):
		return fmt.Errorf("%q: %d bytes cost %d", piece, len(b), many)
	}
	return nil
}

// TestLinear searches for repetitions that are slow to read: of every piece of every dialect,
// alone and after a call, in every way of reading.
func TestLinear(t *testing.T) {
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			for _, r := range readings[:2] {
				for _, head := range []string{"", d.Example + "\n"} {
					for _, piece := range floodPieces(d) {
						if err := checkLinear(t, r.opts(d), head, piece, 1<<10, 8<<10, maxWork); err != nil {
							t.Errorf("%s, after %q: %v", r.name, head, err)
						}
					}
				}
			}
		})
	}
}

// allPieces returns the pieces of all dialects.
func allPieces() []string {
	var all []string
	for _, d := range dialect.All() {
		all = append(all, floodPieces(d)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestLinearAuto is TestLinear for auto.
func TestLinearAuto(t *testing.T) {
	for _, r := range readings[2:4] {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for _, piece := range allPieces() {
				if err := checkLinear(t, r.opts(nil), "Well.\n", piece, 1<<10, 8<<10, maxWork); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestLinearNotes is TestLinearAuto for JSON without members, where notes are wanted: no dialect
// takes it for a call, and so each bracket is not read once for each dialect.
func TestLinearNotes(t *testing.T) {
	for _, piece := range []string{"{", "[{", `{"`, `[{"`, `{"a"}`, "{a:"} {
		opts := Options{Dialects: dialect.Auto(), Notes: &[]toolcall.Note{}}
		if err := checkLinear(t, opts, "Well.\n", piece, 1<<10, 8<<10, maxWork); err != nil {
			t.Error(err)
		}
		if len(*opts.Notes) > 0 {
			t.Errorf("%q: %d notes", piece, len(*opts.Notes))
		}
	}
}

// TestLinearPairs searches longer for slow repetitions of two pieces.
func TestLinearPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(dialect.All()).Draw(t, "dialect")
		pieces := rapid.SampledFrom(floodPieces(d))
		piece := pieces.Draw(t, "first")
		if rapid.Bool().Draw(t, "pair") {
			piece += pieces.Draw(t, "second")
		}
		r := rapid.SampledFrom(readings).Draw(t, "reading")
		head := rapid.SampledFrom([]string{"", d.Example, d.Example + "\n"}).Draw(t, "head")
		if err := checkLinear(t, r.opts(d), head, piece, 8<<10, 128<<10, maxDrawnWork); err != nil {
			t.Fatalf("%s, %s, after %q: %v", d.Name, r.name, head, err)
		}
	})
}
