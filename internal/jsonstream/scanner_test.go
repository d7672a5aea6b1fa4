package jsonstream

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/toolcall"
	"pgregory.net/rapid"
)

// scan reads the pieces and returns what was copied, whether the value is
// complete, and the strings that were handed out, each in brackets.
func scan(pieces []string) (out string, done bool, strs string, tol toolcall.Tolerances) {
	var o Out
	s := Scanner{Out: &o, MaxDepth: 64}
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
			case Key:
				parts.WriteString("<" + string(s.Text()) + ">")
			}
			if kind == More || kind == Invalid {
				break
			}
		}
		all.WriteString(o.Take())
	}
	done = s.Close()
	all.WriteString(o.Take())
	return all.String(), done, parts.String(), s.Tolerances
}

// scanSilent is scan for a caller that uses only the output; silent suppresses tokens.
func scanSilent(pieces []string, loose, silent bool) (out string, done, members bool, tol toolcall.Tolerances) {
	var o Out
	s := Scanner{Out: &o, MaxDepth: 3, Quiet: true, Silent: silent, Loose: loose}
	var all strings.Builder
	for _, in := range pieces {
		if silent && (s.InPlainString() || s.InPlainEscape()) {
			if before, content, ok := s.PassRun(in); ok {
				all.WriteString(before + content)
				continue
			}
		}
		for i, kind := 0, Key; kind != More && kind != Invalid; {
			kind, i = s.Next(in, i)
		}
		all.WriteString(o.Take())
	}
	done = s.Close()
	return all.String() + o.Take(), done, s.HasMembers(), s.Tolerances
}

func bytewise(s string) []string { return strings.Split(s, "") }

func TestMend(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		done     bool
		strs     string
		tol      toolcall.Tolerances
	}{
		{`{"a":1}`, `{"a":1}`, true, `<a>`, 0},
		{` {"a" : [1, -2.5e+3 , "x\u00e9\ud83d\ude00\n"] } `, ` {"a" : [1, -2.5e+3 , "x\u00e9\ud83d\ude00\n"] }`, true, "<a>[xé😀\n]", 0},
		{`{"a":1,}`, `{"a":1}`, true, `<a>`, toolcall.TrailingComma},
		{`{"a":[1, ] , }`, `{"a":[1 ]  }`, true, `<a>`, toolcall.TrailingComma},
		{`{'a':'it"s\'x'}`, `{"a":"it\"s'x"}`, true, `<a>[it"s'x]`, toolcall.SingleQuotes},
		{`{"a":True,"b":None}`, `{"a":true,"b":null}`, true, `<a><b>`, toolcall.PythonLiteral},
		{`{"a":NaN,"b":-Infinity}`, `{"a":"NaN","b":"-Infinity"}`, true, `<a><b>`, toolcall.NonFiniteNumber},
		{"{\"a\":\"x\ny\x01\"}", `{"a":"x\ny\u0001"}`, true, "<a>[x\ny\x01]", toolcall.ControlCharacter},
		{`{"a":"\q\u12x"}`, `{"a":"\\q\\u12x"}`, true, `<a>[\q\u12x]`, toolcall.InvalidEscape},
		{`{"a":"it\'s"}`, `{"a":"it's"}`, true, `<a>[it's]`, toolcall.InvalidEscape},
		{`{"a":"\ud83dx\ude00\ud83d\n"}`, `{"a":"\ud83dx\ude00\ud83d\n"}`, true, "<a>[\ufffdx\ufffd\ufffd\n]", 0},
		{`{a:1 "b":2 c_1:[1 2]}`, `{"a":1 ,"b":2 ,"c_1":[1 ,2]}`, true, `<a><b><c_1>`, toolcall.UnquotedKey | toolcall.MissingComma},
		{`{"a":[1,{"b":2}}`, `{"a":[1,{"b":2}]}`, true, `<a><b>`, toolcall.MissingCloser},
		{`{"a":[1,{"b":2`, `{"a":[1,{"b":`, false, `<a><b>`, 0},
		{`{"a":[1,{"b":"2"`, `{"a":[1,{"b":"2"}]}`, true, `<a><b>[2]`, toolcall.MissingCloser},
		{`{"a":"cut`, `{"a":"cut`, false, `<a>[cut`, 0},
		{`{"a":tru`, `{"a":`, false, `<a>`, 0},
		{`{"a":01}`, `{"a":0`, false, `<a>`, 0},
		{`{"a" 1}`, `{"a" `, false, `<a>`, 0},
		{`{,}`, `{`, false, ``, 0},
		{`{"a":1,,"b":2}`, `{"a":1`, false, `<a>`, 0},
		{`]`, ``, false, ``, 0},
		{`12`, `12`, true, ``, 0},
	} {
		for name, pieces := range map[string][]string{"whole": {tt.in}, "bytes": bytewise(tt.in)} {
			t.Run(name+"/"+tt.in, func(t *testing.T) {
				out, done, strs, tol := scan(pieces)
				if out != tt.want || done != tt.done || strs != tt.strs || tol != tt.tol {
					t.Errorf("got  %q %v %q %v\nwant %q %v %q %v", out, done, strs, tol, tt.want, tt.done, tt.strs, tt.tol)
				}
				if done && !json.Valid([]byte(out)) {
					t.Errorf("%q is no JSON", out)
				}
			})
		}
	}
}

// TestPieces holds the package's promise: valid input passes unchanged, and
// pieces make no difference, whatever the input.
func TestPieces(t *testing.T) {
	soup := rapid.SampledFrom([]string{`{`, `}`, `[`, `]`, `,`, `:`, `"`, `'`, `\`, `\u`, `d83d`, `"a"`, `"a":`, ` `, "\n", `1`, `-`, `true`, `None`, `x`, `é`, `1.5e3`, `\n`, "null", `"k": [`, `{"k":{"`})
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOfN(soup, 0, 30).Draw(t, "soup"), "")
		if rapid.Bool().Draw(t, "object") {
			in = `{"k":[` + in
		}
		var pieces []string
		for rest := in; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		out1, done1, strs1, tol1 := scan([]string{in})
		out2, done2, strs2, tol2 := scan(pieces)
		if out1 != out2 || done1 != done2 || strs1 != strs2 || tol1 != tol2 {
			t.Fatalf("%q in pieces %q:\n%q %v %q %v\n%q %v %q %v", in, pieces, out1, done1, strs1, tol1, out2, done2, strs2, tol2)
		}
		loose := rapid.Bool().Draw(t, "loose")
		out1s, done1s, members1, tol1s := scanSilent(pieces, loose, false)
		for _, cut := range [][]string{{in}, pieces} {
			if out, done, members, tol := scanSilent(cut, loose, true); out != out1s || done != done1s || members != members1 || tol != tol1s {
				t.Fatalf("%q silently:\n%q %v %v %v\n%q %v %v %v", cut, out, done, members, tol, out1s, done1s, members1, tol1s)
			}
		}
		if done1 && !json.Valid([]byte(out1)) {
			t.Fatalf("%q became %q, which is no JSON", in, out1)
		}
		if json.Valid([]byte(in)) && (!done1 || strings.TrimSpace(in) != strings.TrimSpace(out1) || tol1 != 0) {
			t.Fatalf("valid %q became %q, %v", in, out1, tol1)
		}
	})
}

// TestWordsCostNothing holds a scanner that has its memory to no allocation,
// however its words are cut.
func TestWordsCostNothing(t *testing.T) {
	pieces := bytewise(`[-1.5,20,true,null,3e9,False]`)
	var o Out
	s := Scanner{Out: &o}
	allocs := testing.AllocsPerRun(100, func() {
		s.Reset()
		o.Reset()
		for _, in := range pieces {
			o.Spill()
			for i, kind := 0, Key; kind != More && kind != Invalid; {
				kind, i = s.Next(in, i)
			}
		}
		if !s.Done() {
			t.Fatal("the list has not ended")
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations for words, want none", allocs)
	}
}
