package mcp

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// However the output of a server is split, its messages are inspected and passed on,
// whole and in order, and other lines are not.
func TestMessageLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var out strings.Builder
		var messages, others []string
		line := rapid.OneOf(
			rapid.Map(rapid.StringMatching(`[a-z"\\]{0,20}`), func(s string) string { return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q}`, s) }),
			rapid.Just(`[{"jsonrpc":"2.0"}]`),
			rapid.SampledFrom([]string{"", " ", "log", "{", "[]", "[1]", "null", `{"jsonrpc":"1.0"}`, `{"jsonrpc":2}`, `"jsonrpc"`, "\x00\xff", strings.Repeat("x", 100_000)}),
		)
		for _, text := range rapid.SliceOf(line).Draw(t, "lines") {
			switch {
			case strings.Contains(text, `"jsonrpc":"2.0"`):
				messages = append(messages, text)
			case strings.TrimSpace(text) != "":
				others = append(others, text)
			}
			out.WriteString(text + rapid.SampledFrom([]string{"\n", "\r\n", "\n\n"}).Draw(t, "end"))
		}
		whole := out.String()
		if rapid.Bool().Draw(t, "cut") { // the last line may lack its end
			whole = strings.TrimRight(whole, "\r\n")
		}
		var from io.Reader = strings.NewReader(whole)
		if rapid.Bool().Draw(t, "half") {
			from = iotest.HalfReader(from)
		}
		var looked, skipped []string
		lines := newMessageLines(from, func(m []byte) { looked = append(looked, strings.TrimRight(string(m), "\r\n")) },
			func(l []byte) { skipped = append(skipped, strings.TrimRight(string(l), "\r\n")) })
		text, err := io.ReadAll(lines)
		if err != nil {
			t.Fatal(err)
		}
		var passed []string
		for l := range strings.Lines(string(text)) {
			passed = append(passed, strings.TrimSuffix(l, "\n"))
		}
		if diff := cmp.Diff(messages, passed) + cmp.Diff(messages, looked) + cmp.Diff(others, skipped); diff != "" {
			t.Fatal(diff)
		}
	})
}

// The schemas in events and bodies are found, however these are split.
func TestTappedBody(t *testing.T) {
	const message = `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"z":1.0,"a":2}}]}}`
	for name, test := range map[string]struct {
		text   string
		events bool
	}{
		"a body": {strings.Replace(message, ",", ",\n", 1), false},
		"events": {"event: message\ndata: " + message + "\n\n", true},
	} {
		for _, one := range []bool{true, false} {
			tap := newWiretap(func() {})
			var from io.Reader = strings.NewReader(test.text)
			if one {
				from = iotest.OneByteReader(from)
			}
			text, err := io.ReadAll(&tappedBody{ReadCloser: io.NopCloser(from), look: tap.look, events: test.events})
			if err != nil || string(text) != test.text {
				t.Errorf("%s: %q, %v", name, text, err)
			}
			if got := string(tap.schema("a")); got != `{"z":1.0,"a":2}` {
				t.Errorf("%s: the schema is %q", name, got)
			}
		}
	}
}

// Invisible characters are removed, also in schemas.
func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain\n\ttext":              "plain\n\ttext",
		"a\u200b\u202eb\u00adc":      "abc",
		"tag\U000e0041\U000e007f":    "tag",
		"selector\ufe0f\U000e0100":   "selector",
		"private\ue000":              "private",
		"\x1b[31mred\x07\u0085":      "[31mred",
		"bad\xffbytes":               "badbytes",
		"نمی\u200cخواهم":             "نمی\u200cخواهم",
		strings.Repeat("é", 40):      strings.Repeat("é", 25) + "...",
		strings.Repeat("x", 50):      strings.Repeat("x", 50),
		strings.Repeat("\u200b", 99): "",
	} {
		if got := clean(text, 51); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestWiretapBounded: a server that lists other tools again and again fills no memory.
func TestWiretapBounded(t *testing.T) {
	w := newWiretap(nil)
	long := strings.Repeat("x", maxSchema-40)
	for i := range 600 {
		w.look(fmt.Appendf(nil, `{"result":{"tools":[{"name":"t%d","inputSchema":{"type":"object","description":"%s"}},{"name":"huge","inputSchema":{"d":"%[2]s%[2]s"}}]}}`, i, long))
		if w.schema(fmt.Sprint("t", i)) == nil || w.schema("huge") != nil {
			t.Fatalf("after %d lists: it is not the last one that is known", i)
		}
	}
	sum := 0
	for i := range 600 {
		sum += len(w.schema(fmt.Sprint("t", i)))
	}
	if sum > maxSchemas || sum < maxSchemas/2 {
		t.Errorf("%d bytes of schemas are kept", sum)
	}
}
