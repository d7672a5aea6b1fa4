package fuzz

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/toolcall"
	"pgregory.net/rapid"
)

// eachDialect runs a property as a subtest for every founding dialect.
func eachDialect(t *testing.T, property func(t *rapid.T, dialect string)) {
	for _, d := range streamgen.Dialects() {
		t.Run(d, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { property(t, d) })
		})
	}
}

// drawOptions varies what does not change the meaning of a clean stream.
func drawOptions(t *rapid.T, s streamgen.Stream) parser.Options {
	opts, err := streamOptions(s)
	if err != nil {
		t.Fatal(err)
	}
	opts.IDPrefix = rapid.SampledFrom([]string{"", "turn_3:"}).Draw(t, "prefix")
	opts.Strict = rapid.Bool().Draw(t, "strict")
	return opts
}

func TestCleanStreams(t *testing.T) {
	eachDialect(t, func(t *rapid.T, dialect string) {
		s := drawStream(t, dialect)
		opts := drawOptions(t, s)
		chunks := streamgen.Split(drawTape(t, "chunks", 40), s.Text)
		if err := invariants(opts, s.Text, chunks); err != nil {
			t.Fatalf("%v\n%s", err, s.Text)
		}
		r, err := record(opts, chunks)
		if err == nil {
			err = fulfils(r, s.Want)
		}
		if err != nil {
			t.Fatalf("%v\n%s\n%q", err, s.Text, s.Text)
		}
	})
}

// TestAuto checks that a stream is read right without being told its dialect.
// Streams that quote another dialect's call have no sure reading then, nor
// have bare calls in prose of which no tool is declared.
func TestAuto(t *testing.T) {
	eachDialect(t, func(t *rapid.T, dialect string) {
		s := drawStream(t, dialect)
		if strings.Contains(s.Text, "cut") || dialect == "api_tool_call" && strings.Contains(s.Text, "run_bash") {
			t.Skip("quotes a call")
		}
		if strings.Contains(s.Text, "```tool_call") {
			t.Skip("auto reads such a fence as the dialect whose own it is")
		}
		if strings.HasPrefix(dialect, "json") && s.Tools == nil {
			s.Tools = s.Callable
		}
		opts, err := optionsFor("auto")
		if err != nil {
			t.Fatal(err)
		}
		opts.Tools, opts.StartInReasoning = s.Tools, s.InReasoning
		chunks := streamgen.Split(drawTape(t, "chunks", 40), s.Text)
		r, err := record(opts, chunks)
		if err == nil {
			err = fulfils(r, s.Want)
		}
		if err == nil {
			err = invariants(opts, s.Text, chunks)
		}
		if err != nil {
			t.Fatalf("%v\n%s\n%q", err, s.Text, s.Text)
		}
	})
}

// TestLooseStreams checks that what a parser puts up with is found, and that
// a strict one runs none of it that needed a tolerance.
func TestLooseStreams(t *testing.T) {
	eachDialect(t, func(t *rapid.T, dialect string) {
		s, err := streamgen.NewLoose(drawTape(t, "stream", 400), dialect)
		if err != nil {
			t.Fatal(err)
		}
		opts := drawOptions(t, s)
		chunks := streamgen.Split(drawTape(t, "chunks", 40), s.Text)
		if err := invariants(opts, s.Text, chunks); err != nil {
			t.Fatalf("%v\n%s", err, s.Text)
		}
		r, err := record(opts, chunks)
		switch {
		case err != nil:
		case opts.Strict:
			err = refuses(r, s.Want)
		default:
			err = fulfilsLoosely(r, s.Want)
		}
		if err != nil {
			t.Fatalf("%v\n%s\n%q", err, s.Text, s.Text)
		}
	})
}

// refuses checks that a strict parser completes no call that needs a
// tolerance, and every other.
func refuses(r recording, want streamgen.Want) error {
	segs, err := segments(r.events())
	if err != nil {
		return err
	}
	var complete, wanted []string
	for _, c := range calls(segs) {
		if c.Status == toolcall.Complete {
			complete = append(complete, c.Name)
		}
	}
	for _, w := range want.Calls {
		if w.Loose {
			continue
		}
		wanted = append(wanted, w.Name)
	}
	if diff := cmp.Diff(wanted, complete); diff != "" {
		return fmt.Errorf("complete calls (-want +got):\n%s", diff)
	}
	return nil
}

func TestCleanStreamsArePrompt(t *testing.T) {
	eachDialect(t, func(t *rapid.T, dialect string) {
		s := drawStream(t, dialect)
		opts := drawOptions(t, s)
		if err := promptAll(opts, s.Text, s.Prompt); err != nil {
			t.Fatalf("%v\n%s", err, s.Text)
		}
		if err := endsPromptly(opts, s.Text, s.Ends); err != nil {
			t.Fatalf("%v\n%s", err, s.Text)
		}
		for _, at := range s.Prompt {
			if err := prompt(opts, s.Text, at); err != nil {
				t.Fatalf("%v\n%s", err, s.Text)
			}
		}
	})
}

func TestCutStreams(t *testing.T) {
	eachDialect(t, func(t *rapid.T, dialect string) {
		s := drawStream(t, dialect)
		opts := drawOptions(t, s)
		r, err := record(opts, []string{s.Text})
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			at := rapid.IntRange(0, len(s.Text)).Draw(t, "cut")
			if err := cutHonestly(r, at); err != nil {
				t.Fatalf("%v\n%s", err, s.Text)
			}
			if err := invariants(opts, s.Text[:at], streamgen.Split(drawTape(t, "chunks", 40), s.Text[:at])); err != nil {
				t.Fatalf("cut at %d: %v\n%q", at, err, s.Text[:at])
			}
		}
	})
}

func TestMutatedStreams(t *testing.T) {
	eachDialect(t, func(t *rapid.T, dialect string) {
		s := drawStream(t, dialect)
		text := streamgen.Mutate(drawTape(t, "mutation", 20), s.Text)
		opts := wildOptions(t, dialect, s.Tools)
		if err := invariants(opts, text, streamgen.Split(drawTape(t, "chunks", 40), text)); err != nil {
			t.Fatalf("%v\n%q", err, text)
		}
		r, err := record(opts, []string{text})
		if err == nil {
			err = cutHonestly(r, rapid.IntRange(0, len(text)).Draw(t, "cut"))
		}
		if err != nil {
			t.Fatalf("%v\n%q", err, text)
		}
	})
}

func TestSoup(t *testing.T) {
	for _, d := range append(streamgen.Dialects(), "auto") {
		t.Run(d, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := streamgen.Soup(drawTape(t, "soup", 60))
				opts := wildOptions(t, d, nil)
				if err := invariants(opts, text, streamgen.Split(drawTape(t, "chunks", 40), text)); err != nil {
					t.Fatalf("%v\n%q", err, text)
				}
			})
		})
	}
}

// wildOptions varies everything.
func wildOptions(t *rapid.T, dialect string, tools []toolcall.ToolDefinition) parser.Options {
	opts, err := optionsFor(dialect)
	if err != nil {
		t.Fatal(err)
	}
	if opts.Tools = tools; tools == nil && rapid.Bool().Draw(t, "tools") {
		opts.Tools = fuzzTools
	}
	bit := func(name string) bool { return rapid.Bool().Draw(t, name) }
	opts.Strict, opts.StartInReasoning = bit("strict"), bit("start in reasoning")
	opts.CallsInReasoning, opts.CallsInCode = bit("calls in reasoning"), bit("calls in code")
	if bit("limits") {
		opts.Limits = smallLimits
	}
	return opts
}

// smallLimits are small enough to be met by made-up streams.
var smallLimits = toolcall.Limits{CallBytes: 96, HeldBytes: 64, BlankBytes: 8, Depth: 3, Calls: 2}

// fuzzTools declares the names that markers call, with schemas that type them.
var fuzzTools = []toolcall.ToolDefinition{
	{Name: "t", Parameters: []byte(`{"type":"object","properties":{"k":{"type":"integer"},"a":{"type":["number","null"]},
		"o":{"type":"object","properties":{"k":{"type":"boolean"}}},"l":{"type":"array","items":{"type":"integer"}}}}`)},
	{Name: "u"},
	{Name: "write_file", Parameters: []byte(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}}}`)},
	{Name: "run_bash", Parameters: []byte(`{"type":"object","properties":{"command":{"type":"string"},"background":{"type":"boolean"}}}`)},
}

func TestRandomIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStream(t, "xml")
		opts := drawOptions(t, s)
		opts.RandomIDs = true
		r, err := record(opts, []string{s.Text})
		if err == nil {
			err = ids(r)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// TestUnknownTools checks that a bare syntax calls no undeclared tool. Of the
// others, the adapter makes no runnable call: see honest.
func TestUnknownTools(t *testing.T) {
	eachDialect(t, func(t *rapid.T, dialect string) {
		s := drawStream(t, dialect)
		opts := drawOptions(t, s)
		opts.Tools = []toolcall.ToolDefinition{{Name: "no_such_tool"}}
		r, err := record(opts, []string{s.Text})
		if err == nil {
			err = checkText(r)
		}
		if err != nil {
			t.Fatal(err)
		}
		segs, err := segments(r.events())
		if err != nil {
			t.Fatal(err)
		}
		if n := len(calls(segs)); n > 0 && strings.HasPrefix(dialect, "json") {
			t.Fatalf("%d calls of undeclared tools in a bare syntax\n%s", n, s.Text)
		}
	})
}

func TestNativeStreams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deltas, want := streamgen.NewDeltas(drawTape(t, "deltas", 300))
		r, err := recordDeltas(parser.Options{}, deltas)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkDeltas(r); err != nil {
			t.Fatalf("%v\n%+v", err, deltas)
		}
		if err := fulfils(r, want); err != nil {
			t.Fatalf("%v\n%+v", err, deltas)
		}
	})
}

// TestNativeRejected checks that a call which goes over a limit stays one segment: the
// fragments that its wire still sends begin no other.
func TestNativeRejected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deltas, want := streamgen.NewDeltas(drawTape(t, "deltas", 300))
		limits := toolcall.Limits{Depth: rapid.IntRange(1, 3).Draw(t, "depth"), CallBytes: rapid.IntRange(1, 40).Draw(t, "bytes")}
		r, err := recordDeltas(parser.Options{Limits: limits}, deltas)
		if err == nil {
			err = checkDeltas(r)
		}
		if err != nil {
			t.Fatalf("%v\n%+v", err, deltas)
		}
		segs, err := segments(r.events())
		if err != nil {
			t.Fatal(err)
		}
		var got, wanted []string
		for _, c := range calls(segs) {
			got = append(got, c.Name)
		}
		for _, c := range want.Calls {
			wanted = append(wanted, c.Name)
		}
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Fatalf("calls (-want +got):\n%s\n%+v", diff, deltas)
		}
	})
}

func TestNativeNonsense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deltas := streamgen.Deltas(drawTape(t, "deltas", 200))
		opts := parser.Options{Strict: rapid.Bool().Draw(t, "strict")}
		if rapid.Bool().Draw(t, "limits") {
			opts.Limits = smallLimits
		}
		if rapid.Bool().Draw(t, "tools") {
			opts.Tools = fuzzTools
		}
		r, err := recordDeltas(opts, deltas)
		if err == nil {
			err = checkDeltas(r)
		}
		if err != nil {
			t.Fatalf("%v\n%+v", err, deltas)
		}
	})
}
