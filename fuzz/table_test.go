package fuzz

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/toolcall"
)

// weather is the tool of the table's examples.
var weather = []toolcall.ToolDefinition{{Name: "get_weather", Parameters: []byte(
	`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"},"opts":{"type":"object"},"list":{"type":"array","items":{"type":"number"}}}}`)}}

// soupPieces are what a text in a dialect is cooked of: its own markup, the openers
// of others, and what stands around.
func soupPieces(d *dialect.Dialect) []string {
	return append(ownPieces(d),
		"get_weather", "undeclared", "city", "Oslo",
		" ", "\n", "\r\n", ",", ":", "{", "}", "[", "]", "(", ")", "=", `"`, "'", `\`, "<", "</", ">", "|", "`", "```", "~~~\n",
		"null", "true", "-1.5e3", "é", "世", "\xff", "\ufeff", "\u00a0", "\u202f", "/*", "*/", "</think>", "<think>", `{"name":"get_weather","arguments":{"city":"Oslo"}}`,
	)
}

// ownPieces are a dialect's own markers, whole and in pieces, its headers, and an
// example.
func ownPieces(d *dialect.Dialect) []string {
	pieces := []string{d.Example, d.Example[:len(d.Example)/2], d.Example[len(d.Example)/2:]}
	marker := func(list ...string) {
		for _, m := range list {
			if m != "" {
				pieces = append(pieces, m, m[:len(m)/2])
			}
		}
	}
	for _, f := range append([]dialect.Form{{Frame: d.Frame, Head: d.Head, Args: d.Args}}, d.Also...) {
		marker(f.Frame.Section.Open, f.Frame.Section.Close, f.Frame.Call.Open, f.Frame.Call.Close, f.Frame.Separators,
			f.Head.End, f.Head.ID, f.Head.Prefix, f.Args.KeyMark.Open, f.Args.KeyMark.Close, f.Args.TypeMark.Open,
			f.Args.TypeMark.Close, f.Args.ValueMark.Open, f.Args.ValueMark.Close)
		marker(f.Frame.Closers...)
		if f.Args.Form == dialect.ArgsJSON && f.Head.Array && len(f.Head.Name) > 0 && len(f.Args.Keys) > 0 { // lists whose strings break
			call := `{"` + f.Head.Name[0] + `":"get_weather","` + f.Args.Keys[0] + `":{"city":"Oslo`
			pieces = append(pieces, "["+call, `":y"}},`+call, `"}},`+call+`"}}]`)
		}
	}
	for _, r := range d.Reasoning {
		marker(r.Open, r.Close)
	}
	marker(d.Noise...)
	c := &d.Channels
	marker(c.Open...)
	marker(c.Within...)
	marker(c.Message...)
	marker(c.Close...)
	for _, open := range c.Open {
		for _, end := range c.Message {
			pieces = append(pieces, open+end)
			for _, word := range slices.Concat(c.Reasoning, c.Text, c.Calls, []string{c.To + "get_weather"}) {
				pieces = append(pieces, open+word+end, open+strings.Join(c.Within, word)+word+end)
			}
		}
	}
	return pieces
}

// TestTable checks the invariants for random pieces of each dialect's markup, in any
// chunks and with any options.
func TestTable(t *testing.T) {
	auto, err := dialect.Named("auto", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			pieces := soupPieces(d)
			rapid.Check(t, func(t *rapid.T) {
				parts := rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 14).Draw(t, "parts")
				text := strings.Join(parts, "")
				opts := parser.Options{Dialects: []*dialect.Dialect{d}}
				switch rapid.IntRange(0, 7).Draw(t, "dialects") {
				case 0:
					opts.Dialects = auto
				case 1:
					opts.Recover = true
				}
				if rapid.Bool().Draw(t, "tools") {
					opts.Tools = weather
				}
				opts.Strict = rapid.IntRange(0, 5).Draw(t, "strict") == 5
				opts.StartInReasoning = rapid.IntRange(0, 5).Draw(t, "start") == 5
				opts.CallsInReasoning = rapid.IntRange(0, 5).Draw(t, "calls in reasoning") == 5
				opts.CallsInCode = rapid.IntRange(0, 5).Draw(t, "calls in code") == 5
				if rapid.IntRange(0, 5).Draw(t, "limits") == 5 {
					opts.Limits = smallLimits
				}
				if err := invariants(opts, text, streamgen.Split(drawTape(t, "chunks", 60), text)); err != nil {
					t.Fatalf("%v\ntext %q", err, text)
				}
			})
		})
	}
}

// TestGaps leaves out any part of a dialect's call, and puts anything after it. The
// parser must not panic, and must read the same however the text is cut. So every
// member, bracket and quote that code expects is missing once.
func TestGaps(t *testing.T) {
	for _, d := range sweep() {
		t.Run(d.Name, func(t *testing.T) {
			opts := parser.Options{Dialects: []*dialect.Dialect{d}}
			tails := []string{"", "A", "\"", "]", d.Example}
			for from := 0; from < len(d.Example); from += stride() {
				for to := from; to < len(d.Example); to += 1 + (to-from)/4 {
					text := d.Example[:from] + d.Example[to:] + tails[(from+to)%len(tails)]
					one, err := record(opts, []string{text})
					if err == nil {
						err = chunkBlind(one, []string{text[:from], text[from:]})
					}
					if err != nil {
						t.Fatalf("%v\ntext %q", err, text)
					}
				}
			}
		})
	}
}

// sweep lists the dialects that a test of every cut or pair goes through: all, and a
// few in short mode, which the race detector makes ten times slower.
func sweep() []*dialect.Dialect {
	rows := dialect.All()
	if !testing.Short() {
		return rows
	}
	var some []*dialect.Dialect
	for i := 0; i < len(rows); i += 9 {
		some = append(some, rows[i])
	}
	return some
}

// FuzzTable takes a dialect of the table by its number.
func FuzzTable(f *testing.F) {
	for i, d := range dialect.All() {
		for _, text := range []string{d.Example, "Let me look.\n" + d.Example + "\n" + d.Example, d.Example[:len(d.Example)/2]} {
			f.Add(text, uint8(i), uint8(i%3)<<4, []byte{1, 2, 3, byte(i), 5, 8})
		}
	}
	dialects := slices.Clone(dialect.All())
	f.Fuzz(func(t *testing.T, text string, i, bits uint8, tape []byte) {
		fuzzText(t, dialects[int(i)%len(dialects)].Name, text, bits, tape)
	})
}
