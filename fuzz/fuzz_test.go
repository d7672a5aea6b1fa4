package fuzz

import (
	"testing"

	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
)

// Bits of the options that a fuzz target takes as one number.
const (
	bitStrict = 1 << iota
	bitStartInReasoning
	bitCallsInReasoning
	bitCallsInCode
	bitTools
	bitLimits
	bitPrefix
)

func fuzzOptions(t *testing.T, dialect string, bits uint8) parser.Options {
	opts, err := optionsFor(dialect)
	if err != nil {
		t.Fatal(err)
	}
	on := func(bit uint8) bool { return bits&bit != 0 }
	opts.Strict, opts.StartInReasoning = on(bitStrict), on(bitStartInReasoning)
	opts.CallsInReasoning, opts.CallsInCode = on(bitCallsInReasoning), on(bitCallsInCode)
	if on(bitTools) {
		opts.Tools = fuzzTools
	}
	if on(bitLimits) {
		opts.Limits = smallLimits
	}
	if on(bitPrefix) {
		opts.IDPrefix = "p:"
	}
	return opts
}

// fuzzText is the body of the targets for text: the tape decides how the text
// is cut into chunks and where it is cut short.
func fuzzText(t *testing.T, dialect, text string, bits uint8, tape []byte) {
	if len(text) > 1<<14 {
		t.Skip("too long to cut up")
	}
	opts := fuzzOptions(t, dialect, bits)
	src := streamgen.NewTape(tape)
	at := src.IntN(len(text) + 1)
	if err := invariants(opts, text, streamgen.Split(src, text)); err != nil {
		t.Fatal(err)
	}
	r, err := record(opts, []string{text})
	if err == nil {
		err = cutHonestly(r, at)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// seed adds the conformance vectors of the dialects, plain and in one cut.
func seed(f *testing.F, add func(text string, bits uint8, tape []byte), dialects ...string) {
	for _, d := range dialects {
		for _, v := range loadVectors(f, d) {
			var bits uint8
			if v.Start == "reasoning" {
				bits |= bitStartInReasoning
			}
			add(v.text(), bits, nil)
			add(v.text(), bits|bitTools|bitStrict, []byte{9, 1})
		}
	}
	for _, h := range streamgen.Hostiles() {
		add(h.Text(96), 0, []byte{7, 3, 1, 2})
		add(h.Text(200), bitLimits, []byte{7, 2})
	}
}

func FuzzXML(f *testing.F) {
	seed(f, func(text string, bits uint8, tape []byte) { f.Add(text, bits, tape) }, "xml")
	f.Fuzz(func(t *testing.T, text string, bits uint8, tape []byte) { fuzzText(t, "xml", text, bits, tape) })
}

func FuzzJSON(f *testing.F) {
	profiles := []string{"json-openai", "json-gemini", "json-default"}
	for i, p := range profiles {
		seed(f, func(text string, bits uint8, tape []byte) { f.Add(text, uint8(i), bits, tape) }, p)
	}
	f.Fuzz(func(t *testing.T, text string, profile, bits uint8, tape []byte) {
		fuzzText(t, profiles[int(profile)%len(profiles)], text, bits, tape)
	})
}

func FuzzSentinel(f *testing.F) {
	seed(f, func(text string, bits uint8, tape []byte) { f.Add(text, bits, tape) }, "sentinel")
	f.Fuzz(func(t *testing.T, text string, bits uint8, tape []byte) { fuzzText(t, "sentinel", text, bits, tape) })
}

func FuzzAuto(f *testing.F) {
	seed(f, func(text string, bits uint8, tape []byte) { f.Add(text, bits, tape) }, streamgen.Dialects()...)
	f.Fuzz(func(t *testing.T, text string, bits uint8, tape []byte) { fuzzText(t, "auto", text, bits, tape) })
}

// FuzzNative reads sequences of deltas from its bytes. Well-formed streams must give
// their calls; all sequences must keep the invariants.
func FuzzNative(f *testing.F) {
	for i := range byte(60) {
		f.Add([]byte{i, 3 * i, 7 * i, 1, 2, i, 5, 2, 9, i, 4, 4, 8, i}, i%4)
	}
	f.Fuzz(func(t *testing.T, tape []byte, bits uint8) {
		opts := fuzzOptions(t, "api_tool_call", bits)
		nonsense := streamgen.Deltas(streamgen.NewTape(tape))
		r, err := recordDeltas(opts, nonsense)
		if err == nil {
			err = checkDeltas(r)
		}
		if err != nil {
			t.Fatalf("%v\n%+v", err, nonsense)
		}
		deltas, want := streamgen.NewDeltas(streamgen.NewTape(tape))
		if r, err = recordDeltas(parser.Options{}, deltas); err == nil {
			err = checkDeltas(r)
		}
		if err == nil {
			err = fulfils(r, want)
		}
		if err != nil {
			t.Fatalf("%v\n%+v", err, deltas)
		}
	})
}
