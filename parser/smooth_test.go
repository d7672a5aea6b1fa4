package parser

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse"
)

// smoothTexts visit every context that has a smooth way.
var smoothTexts = []struct{ name, dialect, text string }{
	{"text", "xml", strings.Repeat("Some prose, with a < b and [c].\n\n", 8)},
	{"reasoning", "xml", "<think>" + strings.Repeat("so, if a < b\n", 8) + "</think>\nHence."},
	{"inline code", "xml", "See `<tool name=\"x\"/>, which is only quoted` here, and `so\non`."},
	{"fence", "xml", "```sh\n" + strings.Repeat("echo '<tool name=\"x\"/>'\n", 4) + "```\nDone.\n~~~\n`\n~~~\n"},
	{"argument", "xml", `<tool name="x"><arguments><arg name="k">` + strings.Repeat("a line & \"more\"\n", 8) + `</arg></arguments></tool> end`},
	{"file", "xml", `<write_file path="a">` + "\n" + strings.Repeat("if a < b {\n\treturn\n}\r\n", 8) + `</write_file> end`},
	{"raw markers", "xml", `<write_file path="a">__START_CONTENT__` + strings.Repeat("</write_file> __x__ ", 4) + `__END_CONTENT__</write_file>`},
	{"sentinel", "sentinel", `[[SEG_START {"type":"run_bash"}]]` + strings.Repeat("[[ -f x ]] && echo \"y\"\n", 8) + `[[SEG_END]]`},
	{"JSON", "json", `Now: {"name":"x","arguments":{"k":"` + strings.Repeat(`a \"line\"\n`, 8) + `","n":[1, 2]}} end`},
}

// TestSmooth holds the smooth way against the long one: event by event, since a
// chunk makes the same events on either.
func TestSmooth(t *testing.T) {
	for _, tt := range smoothTexts {
		t.Run(tt.name, func(t *testing.T) {
			dialects, err := Named(tt.dialect, "openai")
			if err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(1, 5), rapid.IntRange(6, 100)), 1, 20).Draw(t, "sizes")
				smooth, open := feedBy(t, dialects, tt.text, sizes, false)
				long, _ := feedBy(t, dialects, tt.text, sizes, true)
				if diff := cmp.Diff(long, smooth); diff != "" {
					t.Fatalf("with the smooth way open to %d chunks (-long +smooth):\n%s", open, diff)
				}
			})
			if _, open := feedBy(t, dialects, tt.text, []int{4}, false); open == 0 {
				t.Error("the smooth way was open to no chunk of 4 bytes")
			}
		})
	}
}

// feedBy feeds text in chunks of these sizes, over and over, and counts those
// that found the smooth way open; with long, all are made to go the long way.
func feedBy(t rapid.TB, dialects []*Dialect, text string, sizes []int, long bool) (events []toolparse.Event, open int) {
	t.Helper()
	p, err := New(Options{Dialects: dialects})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; text != ""; i++ {
		n := min(sizes[i%len(sizes)], len(text))
		if long {
			p.smooth = smooth{}
		}
		if p.smooth.grammar != nil {
			open++
		}
		events = p.Feed(events, text[:n])
		text = text[n:]
	}
	return p.Close(events), open
}

// TestSmoothLimit: a call may not grow over its limit on the smooth way.
func TestSmoothLimit(t *testing.T) {
	p, err := New(Options{Dialects: []*Dialect{xmlTags}, Limits: Limits{CallBytes: 200}})
	if err != nil {
		t.Fatal(err)
	}
	pieces := []string{`<run_bash>`}
	for range 100 {
		pieces = append(pieces, "echo")
	}
	lines := segments(p, pieces...)
	if len(lines) == 0 || !strings.Contains(lines[0], " rejected call_too_large ") {
		t.Errorf("got %q", lines)
	}
}
