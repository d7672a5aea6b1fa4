package parser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
)

// TestControlBytes checks that the parser reads all control bytes alike, at any place of any
// markup, and loses none: also NUL and those that compiled markers use as classes.
func TestControlBytes(t *testing.T) {
	const plain = "\x04"
	step := 1
	if testing.Short() {
		step = 5
	}
	for _, d := range dialect.All() {
		p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{d}})
		if err != nil {
			t.Fatal(err)
		}
		events := func(text string) string { // byte by byte
			p.Reset()
			var b, raw strings.Builder
			for k := range len(text) {
				for _, e := range p.Feed(nil, text[k:k+1]) {
					raw.WriteString(e.Raw)
					fmt.Fprintln(&b, e.Type, e.Segment, e.Name, e.Payload)
				}
			}
			for _, e := range p.Close(nil) {
				raw.WriteString(e.Raw)
				fmt.Fprintln(&b, e.Type, e.Segment, e.Name, e.Payload, e.Status, e.Reason, e.Tolerances)
			}
			if raw.String() != text {
				t.Errorf("%s: %q comes back as %q", d.Name, text, raw.String())
			}
			return b.String()
		}
		for at := 0; at <= len(d.Example); at += step {
			with := func(c string) string { return d.Example[:at] + c + d.Example[at:] }
			want := events(with(plain))
			for _, c := range []string{"\x00", "\x01", "\x02", "\x03"} {
				got := strings.NewReplacer(c, plain, fmt.Sprintf(`\u%04x`, c[0]), `\u0004`).Replace(events(with(c)))
				if got != want {
					t.Fatalf("%s: %q is read as\n%s\nbut with %q\n%s", d.Name, with(c), got, plain, want)
				}
			}
		}
	}
}
