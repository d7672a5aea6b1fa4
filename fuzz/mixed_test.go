package fuzz

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/toolcall"
)

// mix is a stream with the markup of several dialects, read with random options and
// dialects.
type mix struct {
	opts   parser.Options
	pieces []string // of the text
}

// drawMix generates a mix.
func drawMix(src streamgen.Source) mix {
	rows := dialect.All()
	row := func() *dialect.Dialect { return rows[src.IntN(len(rows))] }
	written := []*dialect.Dialect{row(), row()}
	m := mix{opts: drawParser(src)}
	switch src.IntN(4) {
	case 0:
		m.opts.Dialects, _ = dialect.Named("auto", "") // is always there
	case 1:
		m.opts.Dialects = written[:1]
	case 2:
		m.opts.Dialects = slices.Clone(written)
	case 3:
		m.opts.Dialects = append(slices.Clone(written), row(), row())
	}
	if src.IntN(4) == 1 { // in another dialect than the text is
		written[1] = row()
	}
	for range src.IntN(16) {
		d := written[src.IntN(2)]
		from := soupPieces(d)
		if src.IntN(2) == 1 {
			from = ownPieces(d)
		}
		piece := from[src.IntN(len(from))]
		if src.IntN(8) == 1 { // much depends on whether a call went before
			piece = d.Example
		}
		m.pieces = append(m.pieces, piece)
	}
	return m
}

// drawParser generates the options of a parser, except its dialects.
func drawParser(src streamgen.Source) parser.Options {
	on := func(n int) bool { return src.IntN(n) == 1 }
	opts := parser.Options{
		StartInReasoning: on(3), CallsInReasoning: on(3), CallsInCode: on(3), Recover: on(4), Strict: on(4), RandomIDs: on(8),
	}
	opts.Tools = [][]toolcall.ToolDefinition{nil, weather, fuzzTools, slices.Concat(weather, fuzzTools), {}}[src.IntN(5)]
	opts.IDPrefix = []string{"", "turn_3:"}[src.IntN(2)]
	if on(3) {
		opts.Limits = smallLimits
	}
	if on(3) {
		opts.Limits.BlankBytes = 1 + src.IntN(12)
	}
	if on(4) {
		opts.Notes = new([]toolcall.Note)
	}
	return opts
}

// checkMixedText checks that every invariant holds of the mix as text.
func checkMixedText(src streamgen.Source, m mix) error {
	text := strings.Join(m.pieces, "")
	if err := invariants(m.opts, text, streamgen.Split(src, text)); err != nil {
		return err
	}
	if err := invariants(m.opts, text, streamgen.Every(1, text)); err != nil {
		return err
	}
	return invariants(m.opts, text, m.pieces)
}

// checkMixedDeltas checks them of the mix as a provider's stream, with reasoning,
// native calls and what else a wire has between the pieces of the text.
func checkMixedDeltas(src streamgen.Source, m mix) error {
	var whole, cut []toolcall.Delta
	for _, piece := range m.pieces {
		kind := []toolcall.DeltaKind{toolcall.DeltaText, toolcall.DeltaText, toolcall.DeltaReasoning, toolcall.DeltaRefusal}[src.IntN(4)]
		whole = append(whole, toolcall.Delta{Kind: kind, Text: piece})
		for _, part := range streamgen.Split(src, piece) {
			cut = append(cut, toolcall.Delta{Kind: kind, Text: part})
		}
		if src.IntN(3) == 1 {
			between := streamgen.Deltas(src)
			whole, cut = append(whole, between...), append(cut, between...)
		}
	}
	one, err := checkedDeltas(m.opts, whole)
	if err != nil {
		return err
	}
	other, err := checkedDeltas(m.opts, cut)
	if err != nil || m.opts.RandomIDs {
		return err
	}
	if diff := cmp.Diff(one, other); diff != "" {
		return fmt.Errorf("other segments (-whole +cut):\n%s\n%+v", diff, cut)
	}
	return nil
}

// checkedDeltas returns the segments of a provider's stream, which keeps the invariants.
func checkedDeltas(opts parser.Options, deltas []toolcall.Delta) ([]segment, error) {
	r, err := recordDeltas(opts, deltas)
	if err == nil {
		err = checkDeltas(r)
	}
	if err == nil {
		err = losslessDeltas(r, deltas)
	}
	if err != nil {
		return nil, fmt.Errorf("%w\n%+v", err, deltas)
	}
	return segments(r.events())
}

// losslessDeltas checks invariant 1 for a provider's stream: the raws are its text,
// its reasoning and its refusals, one after the other.
func losslessDeltas(r recording, deltas []toolcall.Delta) error {
	var in, out strings.Builder
	for _, d := range deltas {
		switch d.Kind {
		case toolcall.DeltaText, toolcall.DeltaReasoning, toolcall.DeltaRefusal:
			if d.Choice == r.opts.Choice {
				in.WriteString(d.Text)
			}
		}
	}
	for _, e := range r.events() {
		out.WriteString(e.Raw)
	}
	if diff := cmp.Diff(in.String(), out.String()); diff != "" {
		return fmt.Errorf("raw differs from the text (-text +raw):\n%s", diff)
	}
	return nil
}

// check checks the mix as text and as deltas. The seed decides how it is cut.
func (m mix) check(seed uint64) error {
	err := checkMixedText(random(seed), m)
	if err == nil {
		err = checkMixedDeltas(random(seed), m)
	}
	return err
}

// shrink leaves out pieces and options for as long as the check fails.
func (m mix) shrink(seed uint64) mix {
	fails := func(smaller mix) bool {
		failed := smaller.check(seed) != nil
		if failed {
			m = smaller
		}
		return failed
	}
	for again := true; again; {
		again = false
		for i := range m.pieces {
			if smaller := (mix{m.opts, slices.Delete(slices.Clone(m.pieces), i, i+1)}); fails(smaller) {
				again = true
				break
			}
		}
	}
	for _, drop := range []func(*parser.Options){
		func(o *parser.Options) { o.StartInReasoning = false }, func(o *parser.Options) { o.CallsInReasoning = false },
		func(o *parser.Options) { o.CallsInCode = false }, func(o *parser.Options) { o.Recover = false },
		func(o *parser.Options) { o.Strict = false }, func(o *parser.Options) { o.RandomIDs = false },
		func(o *parser.Options) { o.Tools = nil }, func(o *parser.Options) { o.IDPrefix = "" },
		func(o *parser.Options) { o.Limits = toolcall.Limits{} }, func(o *parser.Options) { o.Notes = nil },
		func(o *parser.Options) { o.Dialects = o.Dialects[:1] }, func(o *parser.Options) { o.Dialects = o.Dialects[1:] },
	} {
		smaller := m
		if drop(&smaller.opts); len(smaller.opts.Dialects) > 0 {
			fails(smaller)
		}
	}
	return m
}

// describe is the mix for people.
func (m mix) describe() string {
	names := make([]string, len(m.opts.Dialects))
	for i, d := range m.opts.Dialects {
		names[i] = d.Name
	}
	shown := m.opts
	shown.Dialects, shown.Tools = nil, nil
	return fmt.Sprintf("pieces %q\n%d dialects: %.200s; %d tools; %+v", m.pieces, len(names), strings.Join(names, " "), len(m.opts.Tools), shown)
}

// random is a source that is uniform, as drawn bytes are not.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// checkMixed checks the mix of a seed.
func checkMixed(t interface{ Fatalf(string, ...any) }, seed uint64) {
	m := drawMix(random(seed))
	if m.check(seed) != nil {
		m = m.shrink(seed)
		t.Fatalf("%v\n%s", m.check(seed), m.describe())
	}
}

// TestMixed checks the invariants for mixed markup of several dialects, read in any of
// them and with any options.
func TestMixed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkMixed(t, rapid.Uint64Range(0, math.MaxUint64).Draw(t, "seed"))
	})
}

// TestOthersHeaders: where the stream began in reasoning and a call in it has told the
// dialect, the headers of another dialect's messages mean nothing.
func TestOthersHeaders(t *testing.T) {
	auto, err := dialect.Named("auto", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range sweep() {
		for _, c := range dialect.All() {
			if len(c.Channels.Open) == 0 {
				continue
			}
			text := d.Example + strings.Join(ownPieces(c), "") + d.Example
			for i, set := range [][]*dialect.Dialect{auto, {d, c}, {c, d}} {
				opts := parser.Options{Dialects: set, StartInReasoning: true, CallsInReasoning: i != 1}
				if err := invariants(opts, text, streamgen.Every(7, text)); err != nil {
					t.Fatalf("%s, then %s: %v", d.Name, c.Name, err)
				}
			}
		}
	}
}

// FuzzMixed makes a mix of its bytes, and of a text of the fuzzer's own.
func FuzzMixed(f *testing.F) {
	for i, d := range dialect.All() {
		f.Add([]byte{byte(i), byte(3 * i), byte(7 * i), 1, 2, 3, 5, 8}, d.Example)
	}
	f.Fuzz(func(t *testing.T, tape []byte, text string) {
		if len(tape)+len(text) > 1<<13 {
			t.Skip("too long to cut up")
		}
		m := drawMix(streamgen.NewTape(tape))
		m.pieces = append(m.pieces, text)
		if err := m.check(uint64(len(text))); err != nil {
			t.Fatalf("%v\n%s", err, m.describe())
		}
	})
}
