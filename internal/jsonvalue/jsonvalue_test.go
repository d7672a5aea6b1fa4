package jsonvalue

import (
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func parse(t testing.TB, doc string) *Value {
	t.Helper()
	v, err := Parse(doc)
	if err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	return v
}

func TestParse(t *testing.T) {
	v := parse(t, ` {"b" : [1.50, -0, true , null],"a\u00e9":"x\n\ud83d\ude00", "b2":{}, "a":[]} `)
	if diff := cmp.Diff([]string{"b", "aé", "b2", "a"}, v.Keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if got := v.RawKey(1) + v.RawKey(0); got != `"a\u00e9""b"` {
		t.Errorf("raw keys %s", got)
	}
	for pointer, want := range map[string]string{
		"": `{"b" : [1.50, -0, true , null],"a\u00e9":"x\n\ud83d\ude00", "b2":{}, "a":[]}`, "/b/0": "1.50", "/b/3": "null", "/aé": `"x\n\ud83d\ude00"`,
	} {
		part := at(v, pointer)
		if part == nil || part.Raw != want {
			t.Errorf("at %q: %+v", pointer, part)
			continue
		}
		if at, ok := v.PointerTo(part); !ok || at != pointer {
			t.Errorf("the pointer to what is at %q is %q, %v", pointer, at, ok)
		}
	}
	if got := v.Get("aé").Text; got != "x\n😀" {
		t.Errorf("text %q", got)
	}
	if got := v.String(); got != `{"b":[1.50,-0,true,null],"aé":"x\n😀","b2":{},"a":[]}` {
		t.Errorf("compact %s", got)
	}
	if got := string(Spaced.AppendWritten(nil, NewObject().Set("k", NewArray(v.Get("b"), NewString("y"))))); got != `{"k": [[1.50, -0, true , null], "y"]}` {
		t.Errorf("written %s", got)
	}
}

func TestParseErrors(t *testing.T) {
	for doc, want := range map[string]struct {
		offset int
		err    error
	}{
		``: {0, io.ErrUnexpectedEOF}, ` `: {1, io.ErrUnexpectedEOF}, `{"a"`: {4, io.ErrUnexpectedEOF}, `"a`: {2, io.ErrUnexpectedEOF}, `[1,`: {3, io.ErrUnexpectedEOF},
		`1 2`: {2, ErrTrailing}, `{} }`: {3, ErrTrailing}, `[1,]`: {3, nil}, `{"a":1,}`: {7, nil}, `{a:1}`: {1, nil}, `[1 2]`: {3, nil}, `01`: {1, ErrTrailing},
		`1.`: {2, io.ErrUnexpectedEOF}, `-x`: {1, nil}, `tru`: {3, io.ErrUnexpectedEOF}, `nul1`: {3, nil}, "\"a\nb\"": {2, nil}, `"\x"`: {2, nil},
		`"\u12g4"`: {5, nil}, `{"a" 1}`: {5, nil}, `'a'`: {0, nil}, `[`: {1, io.ErrUnexpectedEOF}, `]`: {0, nil},
		strings.Repeat("[", MaxDepth+1): {MaxDepth, ErrTooDeep}, strings.Repeat(`{"a":`, 1e6): {5 * MaxDepth, ErrTooDeep},
	} {
		_, err := Parse(doc)
		fault, ok := errors.AsType[*SyntaxError](err)
		if !ok || fault.Offset != want.offset || want.err != nil && !errors.Is(err, want.err) {
			t.Errorf("%.40q: %v, want byte %d, %v", doc, err, want.offset, want.err)
		}
	}
	if _, err := (Options{UniqueNames: true}).Parse(`{"a":1,"b":2,"\u0061":3}`); !errors.Is(err, ErrDuplicateKey) {
		t.Errorf("a name that is there twice: %v", err)
	}
	if v := parse(t, `{"a":1,"b":2,"\u0061":3}`); v.String() != `{"a":3,"b":2}` || v.Get("a").Start != 22 {
		t.Errorf("of two members %s is left", v)
	}
}

// jsonTexts are JSON and what is nearly JSON.
var jsonTexts = rapid.OneOf(
	rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{
		`{`, `}`, `[`, `]`, `,`, `:`, ` `, "\n", `"a"`, `"b\u00e9"`, `"\ud800"`, `"\ud83d\ude00"`, `1`, `-2.5e+3`, `0`, `true`, `false`, `null`, `\`, "\xff", "\x01", `"`,
	}), 0, 10), func(parts []string) string { return strings.Join(parts, "") }),
	rapid.Map(genAny(3), func(v any) string { b, _ := json.MarshalIndent(v, "", " "); return string(b) }),
)

func genAny(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 3+2*min(depth, 1)).Draw(t, "kind") {
		case 0:
			return rapid.Float64().Draw(t, "number")
		case 1:
			return rapid.String().Draw(t, "string")
		case 2:
			return rapid.Bool().Draw(t, "bool")
		case 3:
			return nil
		case 4:
			return rapid.SliceOfN(genAny(depth-1), 0, 3).Draw(t, "array")
		}
		return rapid.MapOfN(rapid.StringN(0, 3, -1), genAny(depth-1), 0, manyKeys+2).Draw(t, "object")
	})
}

// checkParse holds Parse against encoding/json: both take the same texts, and read
// them alike.
func checkParse(t interface{ Fatalf(string, ...any) }, doc string) {
	v, err := Parse(doc)
	if (err == nil) != json.Valid([]byte(doc)) && !errors.Is(err, ErrTooDeep) {
		t.Fatalf("Parse(%q): %v", doc, err)
	}
	if err != nil {
		return
	}
	var want any
	dec := json.NewDecoder(strings.NewReader(doc))
	dec.UseNumber()
	if err := dec.Decode(&want); err != nil {
		t.Fatalf("%q: %v", doc, err)
	}
	if diff := cmp.Diff(want, plain(v)); diff != "" {
		t.Fatalf("Parse(%q) (-want +got):\n%s", doc, diff)
	}
	again, err := Parse(v.String())
	if err != nil || !Equal(v, again) || v.Key() != again.Key() {
		t.Fatalf("%q, written as %s, is not the same: %v", doc, v, err)
	}
	if !slices.Equal(v.Keys, again.Keys) {
		t.Fatalf("the order of %q is lost", doc)
	}
	if v.Raw != strings.Trim(doc, " \t\r\n") || doc[v.Start:v.End()] != v.Raw {
		t.Fatalf("Raw of %q is %q", doc, v.Raw)
	}
}

func plain(v *Value) any {
	switch v.Kind {
	case Number:
		return json.Number(v.Text)
	case String:
		return v.Text
	case Bool:
		return v.IsTrue()
	case Array:
		list := []any{}
		for _, elem := range v.List {
			list = append(list, plain(elem))
		}
		return list
	case Object:
		members := map[string]any{}
		for i, key := range v.Keys {
			members[key] = plain(v.List[i])
		}
		return members
	}
	return nil
}

func TestParseAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkParse(t, jsonTexts.Draw(t, "text")) })
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"\ud800",{"b":null}],"a":0.10e+5}`, "\"\xff\"", `[[[`, `{"a":1,`, `-`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, doc string) { checkParse(t, doc) })
}

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0e0`, true}, {`9007199254740993`, `9007199254740992`, false}, {`0.1`, `0.1000000000000000001`, false}, {`-0`, `0`, true},
		{`1e1000000000`, `10e999999999`, true}, {`{"a":1,"b":[2]}`, `{"b":[2.0],"a":1}`, true}, {`{"a":1}`, `{"b":1}`, false},
		{`[1,2]`, `[2,1]`, false}, {`"\u00e9"`, `"é"`, true}, {`0`, `false`, false}, {`null`, `"null"`, false}, {`{}`, `[]`, false},
	} {
		a, b := parse(t, test.a), parse(t, test.b)
		if got := Equal(a, b); got != test.want || (a.Key() == b.Key()) != test.want {
			t.Errorf("%s and %s: equal %v, keys %s and %s", a, b, got, a.Key(), b.Key())
		}
	}
}

func TestEqualTexts(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`{"a": 1}`, `{"a":1}`, true}, {`{"b":2,"a":"é"}`, ` {"a":"\u00e9","b":2.0} `, true}, {`{"a":1}`, `{"a":2}`, false},
		{`{"a":`, `{"a":`, true}, {`{"a":`, `{"a": `, false}, {"", " ", false},
		{`{` + strings.Repeat(" ", 1000) + `}`, `{}`, true}, {`{` + strings.Repeat(" ", 2000) + `}`, `{}`, false}, {`{"a":{"b":1,"c":[2]}}`, `{"a":{"c":[2],"b":1e0}}`, true},
	} {
		for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			if got := EqualTexts(pair[0], pair[1]); got != test.want {
				t.Errorf("%.20q and %.20q: equal %v", pair[0], pair[1], got)
			}
		}
	}
}

// TestEscapeAnywhere: each byte is escaped alike wherever it stands among others.
func TestEscapeAnywhere(t *testing.T) {
	one := func(s string) string { return string(AppendEscaped(nil, s)) }
	for c := range 256 {
		for at := range 20 {
			for _, around := range []string{"abcdefghijklmnopqrst", strings.Repeat("\x7f", 20), strings.Repeat("\x20", 20), strings.Repeat("\"", 20), strings.Repeat("\x01é", 10)} {
				before, after := around[:at], around[at:]
				if !utf8.ValidString(before) || !utf8.ValidString(after) {
					continue
				}
				text := before + string([]byte{byte(c)}) + after
				want := ""
				for _, r := range text { // a byte that is no UTF-8 becomes U+FFFD
					want += one(string(r))
				}
				if got := one(text); got != want {
					t.Fatalf("%q: got %q, want %q", text, got, want)
				}
			}
		}
	}
}

func TestQuote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		var back string
		if err := json.Unmarshal([]byte(Quote(s)), &back); err != nil || back != s {
			t.Fatalf("Quote(%q) = %s: %v", s, Quote(s), err)
		}
	})
	if got := Quote("\x00\b\t\n\f\r\"\\/<é\xff\u2028"); got != `"\u0000\b\t\n\f\r\"\\/<é`+"\uFFFD\u2028"+`"` {
		t.Errorf("got %s", got)
	}
}

func TestPointer(t *testing.T) {
	v := parse(t, `{"a/b":{"~1":[5,6]},"":{"":7},"01":8}`)
	for pointer, want := range map[string]string{
		"/a~1b/~01/1": "6", "//": "7", "/01": "8", "/a~1b/~01/01": "", "/a~1b/~01/2": "", "/a~1b/~01/-": "", "/x": "", "x": "", "/01/0": "", "/a~1b/~01/+1": "",
	} {
		if got := at(v, pointer).String(); got != want {
			t.Errorf("at %q: %q, want %q", pointer, got, want)
		}
	}
	if got := JoinPointer("/x", "a/b", "~"); got != "/x/a~1b/~0" {
		t.Errorf("joined %q", got)
	}
}

func TestHasLoneSurrogate(t *testing.T) {
	for raw, want := range map[string]bool{
		`"\ud800"`: true, `"\udc00\ud800"`: true, `"\ud83d\ude00"`: false, `"\\ud800"`: false, `"\ufffd"`: false, `"\u00e9\ud83dx"`: true, `"a"`: false, `"\n\ud83d\ude00\ude00"`: true,
	} {
		if got := HasLoneSurrogate(raw); got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
}

func TestInteger(t *testing.T) {
	for text, want := range map[string]int{`5`: 5, `"5"`: 5, `5.0`: 5, `50e-1`: 5, `1e2`: 100, `-3`: -3, `1e99999999999`: 1 << 20, `0`: 0, `2e6`: 1 << 20} {
		if got, ok := parse(t, text).Integer(1 << 20); !ok || got != want {
			t.Errorf("%s: %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{`5.5`, `"x"`, `true`, `""`, `"0x5"`, `[5]`} {
		if got, ok := parse(t, text).Integer(1 << 20); ok {
			t.Errorf("%s: %d", text, got)
		}
	}
}

// numbers are JSON numbers of moderate exponents.
var numbers = rapid.StringMatching(`-?(0|[1-9][0-9]{0,6})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?`)

func TestDecimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := numbers.Draw(t, "x"), numbers.Draw(t, "y")
		a, b := ParseDecimal(x), ParseDecimal(y)
		ra, _ := new(big.Rat).SetString(x)
		rb, _ := new(big.Rat).SetString(y)
		if got, want := a.Compare(b), ra.Cmp(rb); got != want || (a == b) != (want == 0) {
			t.Errorf("Compare = %d, want %d", got, want)
		}
		if got, want := a.IsInteger(), ra.IsInt(); got != want {
			t.Errorf("IsInteger = %v, want %v", got, want)
		}
		if got, ok := a.Rat(); !ok || got.Cmp(ra) != 0 {
			t.Errorf("Rat = %v, %v", got, ok)
		}
		if rb.Sign() != 0 {
			want := new(big.Rat).Quo(ra, rb).IsInt()
			if got, known := a.IsMultipleOf(b); got != want || !known {
				t.Errorf("IsMultipleOf = %v, %v, want %v", got, known, want)
			}
		}
	})
}

func TestDecimalExtremes(t *testing.T) {
	const huge, tiny = "1e99999999999999999999", "1e-99999999999999999999"
	for _, test := range []struct {
		x, y string
		want int
	}{
		{huge, "5", 1}, {"-" + huge, "5", -1}, {tiny, "0", 1}, {tiny, "5", -1}, {"-0.0e9", "0", 0}, {huge, tiny, 1},
	} {
		if got := ParseDecimal(test.x).Compare(ParseDecimal(test.y)); got != test.want {
			t.Errorf("%s and %s: %d, want %d", test.x, test.y, got, test.want)
		}
	}
	for _, test := range []struct {
		x, y            string
		multiple, known bool
	}{
		{"1e308", "0.123456789", false, true}, {huge, "7", false, true}, {huge, "0.5", true, true}, {tiny, "2", false, true},
		{strings.Repeat("7", 20_000), "7", false, false}, {"0", huge, true, true},
	} {
		if got, known := ParseDecimal(test.x).IsMultipleOf(ParseDecimal(test.y)); got != test.multiple || known != test.known {
			t.Errorf("%.20s of %s: %v, %v", test.x, test.y, got, known)
		}
	}
	if _, ok := ParseDecimal(huge).Rat(); ok {
		t.Error("a huge number can be calculated with")
	}
	if !utf8.ValidString(parse(t, "\"\xff\"").Text) {
		t.Error("what is no UTF-8 stays")
	}
}

// at resolves a JSON pointer. It returns nil if the pointer leads nowhere.
func at(v *Value, pointer string) *Value {
	if pointer == "" {
		return v
	}
	if pointer[0] != '/' {
		return nil
	}
	for part := range strings.SplitSeq(pointer[1:], "/") {
		if v = v.Step(UnescapePointer(part)); v == nil {
			return nil
		}
	}
	return v
}
