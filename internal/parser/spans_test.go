package parser_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// TestSpans checks that the offsets of calls are in order, do not overlap, and match their
// bytes. The bytes of a call that is alone in its section, parsed by themselves, are that call
// again.
func TestSpans(t *testing.T) {
	cities := []string{"Oslo", "Tromsø", "Bodø"}
	for _, d := range dialect.All() {
		if d.Head.Form == "" {
			continue
		}
		w, err := text.NewWriter(d, text.Options{Tools: weather})
		if err != nil {
			t.Fatal(err)
		}
		for count := range len(cities) {
			message := text.Message{Text: "So."}
			for _, city := range cities[:count+1] {
				call := toolcall.ToolInvocation{Name: "get_weather", Arguments: json.RawMessage(`{"city":"` + city + `"}`)}
				message.Calls = append(message.Calls, call)
			}
			out, err := w.Append(nil, message)
			if err != nil {
				continue // its example calls another tool, or it writes no text
			}
			input := string(out)
			for _, asked := range []string{d.Name, "auto"} {
				got := read(t, input, parser.Options{Dialects: dialectsOf(t, asked), Tools: weather})
				if len(got.calls) != count+1 && asked == d.Name {
					t.Errorf("%s: %d calls in %q", d.Name, len(got.calls), input)
				}
				at := int64(0)
				for k, c := range got.calls {
					if c.Start < at || c.End <= c.Start || c.End > int64(len(input)) {
						t.Fatalf("%s in %s: span %d to %d after %d, of %d bytes", d.Name, asked, c.Start, c.End, at, len(input))
					}
					at = c.End
					span := input[c.Start:c.End]
					for other, city := range cities[:count+1] {
						if strings.Contains(span, city) != (other == k) && len(got.calls) == count+1 {
							t.Errorf("%s in %s: call %d is %q", d.Name, asked, k+1, span)
						}
					}
					if count > 0 {
						continue
					}
					alone := read(t, span, parser.Options{Dialects: dialectsOf(t, c.Dialect), Tools: weather})
					if len(alone.calls) != 1 || strings.TrimSpace(alone.text) != "" || alone.calls[0].Status != c.Status ||
						alone.calls[0].Name != c.Name || !sameJSON(alone.calls[0].Arguments, c.Arguments) {
						t.Errorf("%s in %s: %q alone is %+v, want %s", d.Name, asked, span, alone, c.Arguments)
					}
				}
			}
		}
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
