package strictjson

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

var samples = []string{
	``, ` `, `{}`, ` { } `, `[]`, `[1,2]`, `{"a":1}`, `{"a":{"b":[null,true,false]}}`, `"x"`, `"\u00e9\n\""`, `"\ud83d"`,
	`0`, `-0`, `1.5`, `1e5`, `1E+5`, `1e-5`, `01`, `1.`, `.5`, `-`, `1e`, `1e+`, `--1`, `0x1`, `+1`, `1 2`, `nul`, `nulll`, `True`,
	`{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `[1,]`, `[,1]`, `{,}`, `{"a" 1}`, `{a:1}`, `{'a':1}`, `]`, `}`, `[}`, `{]`,
	"\"a\nb\"", "\"a\tb\"", `"\x"`, `"\u12"`, `"\u12g4"`, `{"a":1}}`, `[[[[]]]]`, "\xff", "\"\xff\"", "\"\x7f\"", `{"a":[1,{"b":"c"}],"d":-1.25e10}`,
	strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth),
	strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1),
	strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100),
}

func TestCheckAgreesWithEncodingJSON(t *testing.T) {
	var s Scanner
	for _, text := range samples {
		t.Run(brief(text), func(t *testing.T) {
			err := s.Check([]byte(text))
			if want := json.Valid([]byte(text)); (err == nil) != want {
				t.Errorf("Check(%q) = %v, json.Valid says %v", brief(text), err, want)
			}
		})
	}
}

func TestScanEndsAtTheLastByte(t *testing.T) {
	tests := []struct {
		text string
		want int // bytes of the first value, -1: not over
	}{
		{`{"a":1} {`, 7},
		{`[1][2]`, 3},
		{` "x"y`, 4},
		{`12,`, 2},
		{`12`, -1},
		{`true!`, 4},
		{`{"a":12}`, 8},
		{`{"a":"}"`, -1},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var s Scanner
			n, done, err := s.Scan([]byte(tt.text))
			if !done {
				n = -1
			}
			if err != nil || n != tt.want {
				t.Errorf("Scan = %d, %v, %v; want %d", n, done, err, tt.want)
			}
		})
	}
}

func TestErrorPlace(t *testing.T) {
	tests := []struct {
		text string
		at   int
		want string
	}{
		{`{"a":1,}`, 7, "a key"},
		{`{"a":}`, 5, "a value"},
		{"{\"a\":\"x\n\"}", 7, "the rest of a string"},
		{`{"a":1 "b"}`, 7, "a comma or the end of an object"},
		{`[1 2]`, 3, "a comma or the end of an array"},
		{`{} x`, 3, "the end"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var s Scanner
			err := s.Check([]byte(tt.text))
			bad, ok := errors.AsType[*Error](err)
			if !ok || bad.At != tt.at || bad.Want != tt.want {
				t.Errorf("Check = %+v, want place %d and %q", err, tt.at, tt.want)
			}
		})
	}
}

// FuzzCheck holds the scanner against encoding/json, whole and in two pieces.
func FuzzCheck(f *testing.F) {
	for _, text := range samples {
		if len(text) < 1000 {
			f.Add([]byte(text), 1)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		var s Scanner
		want := json.Valid(data)
		if got := s.Check(data) == nil; got != want {
			t.Fatalf("Check(%q) = %v, json.Valid says %v", data, got, want)
		}
		if cut < 0 || cut > len(data) {
			return
		}
		s.Reset()
		n1, done1, err1 := s.Scan(data)
		whole1 := s.Whole()
		s.Reset()
		n2, done2, err2 := s.Scan(data[:cut])
		if !done2 && err2 == nil {
			var n int
			n, done2, err2 = s.Scan(data[cut:])
			n2 += n
		}
		if n1 != n2 || done1 != done2 || (err1 == nil) != (err2 == nil) || whole1 != s.Whole() {
			t.Fatalf("%q cut at %d: %d %v %v, whole %d %v %v", data, cut, n2, done2, err2, n1, done1, err1)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	data := []byte(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1773932885,"model":"some/model","choices":[{"index":0,"delta":{"content":" hello world","role":"assistant"},"finish_reason":null}],"system_fingerprint":"fp_99052e9f23"}`)
	var s Scanner
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if s.Check(data) != nil {
			b.Fatal("invalid")
		}
	}
}

func brief(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
