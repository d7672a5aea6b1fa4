package jsonstream

import (
	"errors"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/toolcall"
	"pgregory.net/rapid"
)

// scanLoose is scan with quotes mended, and what the last error and the bytes of
// the closer were.
func scanLoose(pieces []string) (out string, done bool, strs string, tol toolcall.Tolerances, marker int, err error) {
	var o Out
	s := Scanner{Out: &o, MaxDepth: 64, Loose: true, Closer: "</x>"}
	var all, parts strings.Builder
	for _, in := range pieces {
		o.Spill()
		for i := 0; ; {
			kind, j := s.Next(in, i)
			i = j
			switch kind {
			case StringStart:
				parts.WriteByte('[')
			case StringPart:
				parts.WriteString(s.Part)
			case StringEnd:
				parts.WriteByte(']')
			}
			if kind == More || kind == Invalid {
				break
			}
		}
		all.WriteString(o.Take())
	}
	err, marker = s.Err, s.InCloser()
	done = s.Close()
	all.WriteString(o.Take())
	return all.String(), done, parts.String(), s.Tolerances, marker, err
}

func TestLoose(t *testing.T) {
	const quote, comma = toolcall.UnescapedQuote, toolcall.MissingComma
	for _, tt := range []struct {
		in, want string
		strs     string
		tol      toolcall.Tolerances
		err      error
	}{
		{`{"a":"x" , "b":["y"] }`, `{"a":"x" , "b":["y"] }`, `[x][y]`, 0, nil},
		{`{"a":""}`, `{"a":""}`, `[]`, 0, nil},
		{`{"a":"the "old" town"}`, `{"a":"the \"old\" town"}`, `[the "old" town]`, quote, nil},
		{`{"a":["the "old" town","b"]}`, `{"a":["the \"old\" town","b"]}`, `[the "old" town][b]`, quote, nil},
		{`{"a":"say "go""}`, `{"a":"say \"go\""}`, `[say "go"]`, quote, nil},
		{`{"a":""go" he said","b":1}`, `{"a":"\"go\" he said","b":1}`, `["go" he said]`, quote, nil},
		{"{\"a\":\"x\" \n\ty\"}", `{"a":"x\" \n\ty"}`, "[x\" \n\ty]", quote | toolcall.ControlCharacter, nil},
		{`{"a":"x" "b":1}`, `{"a":"x" ,"b":1}`, `[x]`, comma, nil},
		{`{"a":"x""b":1}`, `{"a":"x","b":1}`, `[x]`, comma, nil},
		{`["x" "y"]`, `["x" ,"y"]`, `[x][y]`, comma, nil},
		{`{"a":"x: "y": z"}`, `{"a":"x: \"y\": z"}`, `[x: "y": z]`, quote, nil},
		{`{"a":"x, "b":"y","c":"z"}`, `{"a":"x, \"b\":\"`, `[x, "b":`, quote, ErrSyntax},
		{`{"a":"x, "b" : "","c":"z"}`, `{"a":"x, \"b\" : "`, `[x, "b" : `, quote, ErrSyntax},
		{`{"a":"b": "c"}`, `{"a":"b\": \"`, `[b": `, quote, ErrSyntax},
		{`{"a":["x,"b": "y"]}`, `{"a":["x,\"b\": \"`, `[x,"b": `, quote, ErrSyntax},
		{`{"a":["x","b":"y"]}`, `{"a":["x","b\"`, `[x][b`, quote, ErrSyntax},
		{`{"a":"the "old": t "x""}`, `{"a":"the \"old\": t \"x\""}`, `[the "old": t "x"]`, quote, nil},
		{`{"a":"p "q" </b> r"}`, `{"a":"p \"q\" </b> r"}`, `[p "q" </b> r]`, quote, nil},
		{`{"a":"plain </x>"}`, `{"a":"plain </x>"}`, `[plain </x>]`, 0, nil},
		{`{"a":"p "q" r</x> s"}`, `{"a":"p \"q\" r`, `[p "q" r`, quote, ErrCloser},
		{`{"a":"p "q" <<</x> s"}`, `{"a":"p \"q\" <<`, `[p "q" <<`, quote, ErrCloser},
		{`{"a":'p "q" r'}`, `{"a":"p \"q\" r"}`, `[p "q" r]`, toolcall.SingleQuotes, nil},
		{"{ // one </y>\n\"a\":1 /* </x> ** */ , // two\n}", "{ \n\"a\":1   \n}", ``, toolcall.Comment | toolcall.TrailingComma, nil},
		{`{"a":1 // no </x> more`, `{"a":1 `, ``, toolcall.Comment, ErrCloser},
		{`{"a":1 /x}`, `{"a":1 `, ``, 0, ErrSyntax},
		{`{"a":"http://x//y"}`, `{"a":"http://x//y"}`, `[http://x//y]`, 0, nil},
	} {
		for name, pieces := range map[string][]string{"whole": {tt.in}, "bytes": bytewise(tt.in)} {
			t.Run(name+"/"+tt.in, func(t *testing.T) {
				out, done, strs, tol, marker, err := scanLoose(pieces)
				if out != tt.want || strs != tt.strs || tol != tt.tol || !errors.Is(err, tt.err) {
					t.Errorf("got  %q %q %v %v\nwant %q %q %v %v", out, strs, tol, err, tt.want, tt.strs, tt.tol, tt.err)
				}
				if done != (tt.err == nil) || (marker > 0) != errors.Is(tt.err, ErrCloser) {
					t.Errorf("done: %v, bytes of the closer: %d", done, marker)
				}
			})
		}
	}
}

// TestLooseEnd: a quote at the end of the input closes its string.
func TestLooseEnd(t *testing.T) {
	out, done, strs, tol, _, _ := scanLoose([]string{`{"a":"x" `})
	if out != `{"a":"x" }` || !done || strs != "[x" || tol != toolcall.MissingCloser {
		t.Errorf("%q %v %q %v", out, done, strs, tol)
	}
}

// TestLooseSplits: however the input is cut, what comes out is the same, and JSON
// that needs no mending passes as it is.
func TestLooseSplits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := "{" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			`"a"`, `"`, `:`, `,`, ` `, "\n", `{`, `}`, `[`, `]`, `\"`, `\`, `</x>`, `<`, `</`, `//`, `/*`, `*/`, `1`, `x`, `""`, `'`,
		}), 1, 30).Draw(t, "parts"), "")
		whole, done, strs, tol, marker, err := scanLoose([]string{text})
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		for _, pieces := range [][]string{bytewise(text), {text[:cut], text[cut:]}} {
			out, d, s, tl, m, e := scanLoose(pieces)
			if out != whole || d != done || s != strs || tl != tol || !errors.Is(e, err) || m != marker {
				t.Fatalf("%q:\nwhole %q %v %q %v %v %d\nsplit %q %v %q %v %v %d", text, whole, done, strs, tol, err, marker, out, d, s, tl, e, m)
			}
		}
		if tol == 0 && done && err == nil && !strings.HasPrefix(text, whole) {
			t.Fatalf("%q came out as %q", text, whole)
		}
	})
}
