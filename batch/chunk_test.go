package batch_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/batch"
)

// pieces reads an input in pieces of at most the given sizes, one after the other, and then whole.
type pieces struct {
	in    io.Reader
	sizes []int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.sizes) == 0 {
		return p.in.Read(b)
	}
	size := min(p.sizes[0], len(b))
	p.sizes = p.sizes[1:]
	return p.in.Read(b[:size])
}

// Each line that is not blank becomes one result with its number, however the input arrives.
func TestLines(t *testing.T) {
	const most = 300
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.SampledFrom([]string{"", " ", "\t\r", "1", `{"completion": "a"}`, `{"completion": "a"}` + "\r", "\r\r"}),
			rapid.Map(rapid.IntRange(most-30, most+2), func(n int) string {
				return fmt.Sprintf(`{"completion": %q}`, strings.Repeat("x", n-18))
			}),
			rapid.Map(rapid.IntRange(most, 400_000), func(n int) string { return strings.Repeat("y", n) }),
		)
		lines := rapid.SliceOfN(text, 0, 30).Draw(t, "lines")
		if rapid.Bool().Draw(t, "many") {
			lines = append(lines, strings.Split(strings.Repeat("2\n", 600), "\n")...)
		}
		input := strings.Join(lines, "\n")
		skip := rapid.IntRange(0, 3).Draw(t, "skip")

		var want []string
		for i, line := range lines {
			length := len(strings.TrimRight(line, "\r"))
			switch line = strings.TrimSpace(line); {
			case line == "" && length <= most:
			case skip > len(want):
				want = append(want, "")
			case length > most:
				want = append(want, fmt.Sprintf(`{"line":%d,"error":"the record has more than %d bytes`, i+1, most))
			default:
				want = append(want, fmt.Sprintf(`{"line":%d,`, i+1))
			}
		}

		b := skipping(t, newBatch(t, batch.Options{MaxRecordBytes: most, Workers: 2}), dir, skip)
		var out bytes.Buffer
		in := &pieces{strings.NewReader(input), rapid.SliceOfN(rapid.IntRange(0, 50), 0, 90).Draw(t, "sizes")}
		_, err := b.Run(context.Background(), &out, in)
		if len(want) < skip {
			if err == nil || !strings.Contains(err.Error(), "belongs to another input") {
				t.Fatalf("error %v, want that the output has too many results", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		got := strings.SplitAfter(out.String(), "\n")
		got, want = got[:len(got)-1], want[skip:]
		if len(got) != len(want) {
			t.Fatalf("%d results of %d records", len(got), len(want))
		}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Fatalf("result %d is %s, want %s", i, got[i], want[i])
			}
		}
	})
}
