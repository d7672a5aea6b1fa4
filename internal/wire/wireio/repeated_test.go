package wireio

import (
	"strings"
	"testing"
)

func TestRepeated(t *testing.T) {
	for _, tt := range []struct {
		name, whole string
		pieces      []string
		want        string // what is passed on of the pieces
	}{
		{"nothing whole", "", []string{`{"a"`, `:1}`}, `{"a":1}`},
		{"only the beginning", `{"a"`, []string{`:1}`}, `:1}`},
		{"the same", `{"a":1}`, []string{`{"a`, `":1}`}, ""},
		{"with other blanks", `{"a":1}`, []string{`{"a": `, `1}`}, ""},
		{"an object without members", `{}`, []string{`{"a":`, `2}`}, `{"a":2}`},
		{"another value", `{"a":1}`, []string{`{"a":`, `2}`}, `{"a":2}`},
		{"cut", `{"a":1}`, []string{`{"a":`}, `{"a":`},
		{"too long", `{"a":1}`, []string{strings.Repeat(" ", 1000), strings.Repeat(" ", 1000), "x"}, strings.Repeat(" ", 2000) + "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r Repeated
			if first := r.Begin(tt.whole); first != tt.whole && tt.whole != "{}" {
				t.Errorf("of the start, %q is passed on, want %q", first, tt.whole)
			}
			got := ""
			for _, piece := range tt.pieces {
				got += r.Add(piece)
			}
			if got += r.End(); got != tt.want {
				t.Errorf("%q is passed on, want %q", got, tt.want)
			}
		})
	}
}
