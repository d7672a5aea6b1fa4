package format_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/toolcall"
)

// FuzzStream checks that any input is read without a panic, means the same in any pieces
// and, if it is text, comes out unchanged.
func FuzzStream(f *testing.F) {
	for i, tt := range sniffed {
		f.Add([]byte(tt.input), uint64(i))
	}
	for i, r := range recordings(f, ownRecordings) {
		f.Add(r.body, uint64(i))
	}
	f.Fuzz(func(t *testing.T, body []byte, seed uint64) {
		opts := format.Options{MaxEventBytes: 1 << 16}
		var stream format.Stream
		stream.ResetWhole(body, opts)
		whole, wholeErr := collectStream(&stream)
		got, err := collect(pieces(body, 40, seed), opts)
		if diff := cmp.Diff(message(wholeErr), message(err)); diff != "" {
			t.Errorf("error (-whole +pieces):\n%s", diff)
		}
		wire, _ := format.NewStream(bytes.NewReader(body), opts).Wire()
		if wire == format.Text {
			if text := joined(got); text != string(body) {
				t.Errorf("text %q comes out as %q", body, text)
			}
			return
		}
		if diff := cmp.Diff(whole, got); diff != "" {
			t.Errorf("(-whole +pieces):\n%s", diff)
		}
	})
}

func joined(deltas []toolcall.Delta) string {
	var b strings.Builder
	for _, d := range deltas {
		b.WriteString(d.Text)
	}
	return b.String()
}
