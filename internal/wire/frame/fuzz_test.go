package frame_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/wire/frame"
)

var seeds = []string{
	"", "data: {\"a\":1}\n\ndata: [DONE]\n\n", "\ufeffevent: x\r\ndata: {\r\ndata: }\r\n\r\n", "data: a\rdata: b\r\r",
	"data: {}\ndata: {}\nevent: e\ndata: {}", "{\"error\":1}\n[{}]\nid: 3\n: c\n\n", "data:\ndata\n\n",
	"{\"a\":[1,2.5e3,\"\\u00e9\"]}\r\n{}", "[{},\n{\"a\":[]}]", "[DONE]", "[", "12 true", "\ufeff", "\xef\xbb",
}

// fuzzSplits holds that a stream means the same however it is split.
func fuzzSplits(f *testing.F, framing frame.Framing) {
	for i, seed := range seeds {
		f.Add([]byte(seed), uint64(i))
	}
	f.Fuzz(func(t *testing.T, input []byte, seed uint64) {
		const limit = 64
		whole, wholeErr := split(framing, limit, input, always(len(input)))
		random := rand.New(rand.NewPCG(seed, 1))
		for _, size := range []func() int{always(1), func() int { return 1 + random.IntN(9) }} {
			pieces, err := split(framing, limit, input, size)
			if diff := cmp.Diff(whole, pieces, cmpopts.IgnoreUnexported(frame.Event{})); diff != "" {
				t.Fatalf("%q: whole and split differ (-whole +split):\n%s", input, diff)
			}
			if (err == nil) != (wholeErr == nil) || err != nil && err.Error() != wholeErr.Error() {
				t.Fatalf("%q: error %v whole, %v split", input, wholeErr, err)
			}
		}
	})
}

func FuzzSSE(f *testing.F)  { fuzzSplits(f, frame.SSE) }
func FuzzJSON(f *testing.F) { fuzzSplits(f, frame.JSON) }

// whatwg reads a whole stream the way the specification words it.
func whatwg(input string) []got {
	input = strings.TrimPrefix(input, "\ufeff")
	input = strings.ReplaceAll(strings.ReplaceAll(input, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(input, "\n")
	var events []got
	var name, data string
	for _, line := range lines[:len(lines)-1] { // a last line without its end is no line
		if line == "" {
			if data != "" {
				events = append(events, got{Name: name, Data: strings.TrimSuffix(data, "\n")})
			}
			name, data = "", ""
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			name = value
		case "data":
			data += value + "\n"
		}
	}
	return events
}

func TestSSEFollowsTheSpecification(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"\n", "\r", "\r\n", "\n\n", "data", "data:", "data: ", "event:", "event: e", ":", ": c", "id: 1", "x", "{", "[", " ", "\ufeff", "é", "a:b",
	})
	rapid.Check(t, func(t *rapid.T) {
		input := strings.Join(rapid.SliceOf(part).Draw(t, "parts"), "") + "\n\n"
		if strings.ContainsAny(input, "{[") {
			// Where a line begins with a bracket, ours is lenient.
			for _, line := range strings.FieldsFunc(strings.TrimPrefix(input, "\ufeff"), func(r rune) bool { return r == '\r' || r == '\n' }) {
				if line[0] == '{' || line[0] == '[' {
					t.Skip()
				}
			}
		}
		events, err := split(frame.SSE, 0, []byte(input), func() int { return rapid.IntRange(1, 9).Draw(t, "size") })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whatwg(input), short(events)); diff != "" {
			t.Fatalf("%q (-specification +ours):\n%s", input, diff)
		}
	})
}
