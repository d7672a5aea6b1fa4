package fuzz

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/toolcall"
)

// TestLimitsKeepCharacters checks that no limit on a call's bytes cuts a character in two:
// what goes with the call and what is text after it are whole characters.
func TestLimitsKeepCharacters(t *testing.T) {
	for _, d := range sweep() {
		text := strings.ReplaceAll(d.Example, "Oslo", "東京と大阪、ÅØ😀") + "後のテキスト"
		for limit := 1; limit < len(text); limit++ {
			opts := parser.Options{Dialects: []*dialect.Dialect{d}, Limits: toolcall.Limits{CallBytes: limit}}
			for _, chunks := range [][]string{{text}, streamgen.Every(1, text), streamgen.Every(7, text)} {
				r, err := record(opts, chunks)
				if err != nil {
					t.Fatal(err)
				}
				segs, err := segments(r.events())
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range segs {
					if !utf8.ValidString(s.Payload) || !utf8.ValidString(s.Raw) {
						t.Fatalf("%s, limit %d, chunks of %d: a %s of %q, raw %q", d.Name, limit, len(chunks[0]), s.Type, s.Payload, s.Raw)
					}
				}
			}
		}
	}
}

// TestBlankLimit checks that blanks of about the length that may be held back mean the
// same at every split, wherever they stand in two calls.
func TestBlankLimit(t *testing.T) {
	const limit = 8
	for _, d := range sweep() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			whole := d.Example + "\n" + d.Example
			for _, opts := range []parser.Options{{}, {Tools: weather}} {
				opts.Dialects, opts.Limits.BlankBytes = []*dialect.Dialect{d}, limit
				for at := 0; at <= len(whole); at++ {
					if at > 0 && at < len(whole) && isWord(whole[at-1]) && isWord(whole[at]) {
						continue
					}
					for n := 2 * (limit - 1); n < 2*(limit+2); n++ {
						blanks := strings.Repeat("\n", n/2)
						if n%2 == 1 {
							blanks = "\n" + strings.Repeat(" ", n/2-1)
						}
						text := whole[:at] + blanks + whole[at:]
						r, err := record(opts, []string{text})
						if err == nil {
							err = chunkBlind(r, streamgen.Every(1, text))
						}
						if err != nil {
							t.Fatalf("%q at %d, %d tools: %v\n%q", blanks, at, len(opts.Tools), err, text)
						}
					}
				}
			}
		})
	}
}

// isWord reports whether no token ends at c.
func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}

// TestLimits goes over every limit in every family of syntax: the segment is
// rejected with the limit's reason, or was never more than text, what is held
// stays small, and the stream goes on.
func TestLimits(t *testing.T) {
	long := strings.Repeat("x", 4000)
	deep := func(open, closer string) string { return strings.Repeat(open, 40) + "1" + strings.Repeat(closer, 40) }
	xml := func(value string) string {
		return `<tool name="t"><arguments><arg name="k">` + value + `</arg></arguments></tool>`
	}
	gemini := func(value string) string { return `{"name":"t","args":{"k":` + value + `}}` }
	body := func(value string) string {
		return `[[SEG_START {"type":"tool","tool_name":"t"}]]{"k":` + value + `}[[SEG_END]]`
	}
	size := toolcall.Limits{CallBytes: 500, HeldBytes: 200, BlankBytes: 50}
	nest := toolcall.Limits{Depth: 10}
	count := toolcall.Limits{Calls: 3}
	for _, tt := range []struct {
		name    string
		dialect string
		limits  toolcall.Limits
		input   string
		reason  toolcall.Reason // of one rejected segment at least; 0: none need be
		calls   int             // complete ones
	}{
		{"xml value", "xml", size, xml(long), toolcall.ReasonCallTooLarge, 0},
		{"xml shorthand", "xml", size, "<run_bash>" + long + "</run_bash>", toolcall.ReasonCallTooLarge, 0},
		{"xml file without a path", "xml", size, `<tool name="write_file"><arguments><arg name="content">` + long + `</arg></arguments></tool>`, toolcall.ReasonCallTooLarge, 0},
		{"xml blanks", "xml", size, `<tool name="t">` + strings.Repeat(" ", 4000) + `</tool>`, 0, 0},
		{"xml tag", "xml", size, `<tool name="` + long + `"/>`, 0, 0},
		{"xml depth", "xml", nest, xml(deep(`<item>`, `</item>`)), toolcall.ReasonTooDeep, 0},
		{"xml calls", "xml", count, strings.Repeat(`<tool name="t"/>`, 5), toolcall.ReasonTooManyCalls, 3},
		{"json value", "json-gemini", size, gemini(`"` + long + `"`), toolcall.ReasonCallTooLarge, 0},
		{"json name", "json-gemini", size, `{"name":"` + long + `","args":{}}`, 0, 0},
		{"json arguments first", "json-gemini", size, `{"args":{"k":"` + long + `"},"name":"t"}`, 0, 0},
		{"json blanks", "json-gemini", size, `{` + strings.Repeat(" ", 4000) + `"name":"t","args":{}}`, 0, 0},
		{"json depth", "json-gemini", nest, gemini(deep(`[`, `]`)), toolcall.ReasonTooDeep, 0},
		{"json number", "json-gemini", toolcall.Limits{}, gemini(strings.Repeat("7", 70_000)), toolcall.ReasonTooMuchHeld, 0},
		{"json key", "json-gemini", toolcall.Limits{}, gemini(`{"` + strings.Repeat("k", 5000) + `":1}`), toolcall.ReasonTooMuchHeld, 0},
		{"json calls", "json-gemini", count, strings.Repeat(`{"name":"t","args":{}}`, 5), toolcall.ReasonTooManyCalls, 3},
		{"json list", "json-openai", count, `{"tool_calls":[` + strings.Repeat(`{"name":"t","arguments":{}},`, 5) + `{"name":"t","arguments":{}}]}`, toolcall.ReasonTooManyCalls, 3},
		{"sentinel body", "sentinel", size, `[[SEG_START {"type":"run_bash"}]]` + long + `[[SEG_END]]`, toolcall.ReasonCallTooLarge, 0},
		{"sentinel JSON body", "sentinel", size, body(`"` + long + `"`), toolcall.ReasonCallTooLarge, 0},
		{"sentinel header", "sentinel", size, `[[SEG_START {"type":"run_bash","x":"` + long + `"}]]ls[[SEG_END]]`, 0, 0},
		{"sentinel depth", "sentinel", nest, body(deep(`[`, `]`)), toolcall.ReasonTooDeep, 0},
		{"sentinel calls", "sentinel", count, strings.Repeat(`[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]]`, 5), toolcall.ReasonTooManyCalls, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opts, err := optionsFor(tt.dialect)
			if err != nil {
				t.Fatal(err)
			}
			opts.Limits = tt.limits
			input := tt.input + "\nafter"
			for _, chunks := range [][]string{{input}, streamgen.Every(1, input), streamgen.Every(7, input)} {
				if err := invariants(opts, input, chunks); err != nil {
					t.Fatalf("%.600s", err)
				}
			}
			r, err := record(opts, []string{input})
			if err != nil {
				t.Fatal(err)
			}
			segs, err := segments(r.events())
			if err != nil {
				t.Fatal(err)
			}
			rejected, complete := 0, 0
			for _, s := range segs {
				switch {
				case s.Status == toolcall.Rejected && s.Reason == tt.reason:
					rejected++
				case s.Type.IsCall() && s.Status == toolcall.Complete:
					complete++
				}
			}
			if tt.reason != 0 && rejected == 0 {
				t.Errorf("nothing is rejected with %s: %.400v", tt.reason, segs)
			}
			if complete != tt.calls {
				t.Errorf("%d complete calls, want %d: %.400v", complete, tt.calls, segs)
			}
		})
	}
}
