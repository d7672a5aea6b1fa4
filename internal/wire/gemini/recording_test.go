package gemini_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

// Signatures come through on the parts that they belong to: texts, thoughts and
// calls stay in their order, each with its own.
func TestSignaturesComeThrough(t *testing.T) {
	signed := 0
	for _, r := range codectest.Recordings(t, "gemini-*") {
		out, _ := codectest.Translate(t, string(r.Body), format.Gemini, format.Gemini)
		want, got := signatures(t, r.Body), signatures(t, []byte(out))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.Name, diff)
		}
		signed += len(want)
	}
	if signed == 0 {
		t.Error("no recording has any")
	}
}

// signatures lists the signatures of a stream, each with what stands before it.
func signatures(t *testing.T, body []byte) []string {
	t.Helper()
	var list []string
	before := ""
	for d, err := range format.NewStream(bytes.NewReader(body), format.Options{Wire: format.Gemini}).Deltas() {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case d.Kind == toolcall.DeltaExtra && !strings.HasPrefix(d.Name, "candidates[].content.parts[]"):
		case d.Kind == toolcall.DeltaSignature:
			list = append(list, before+" "+d.Name+" "+d.Text)
		case d.Kind != toolcall.DeltaToolCall:
			before = d.Kind.String() + d.Name
		case d.Name != "":
			before = "call of " + d.Name
		}
	}
	return list
}
