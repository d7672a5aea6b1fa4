package gemini_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
)

// Signatures come through on the parts that they belong to: texts, thoughts and
// calls stay in their order, each with its own.
func TestSignaturesComeThrough(t *testing.T) {
	signed := 0
	for _, folder := range []string{"../../testdata/streams", "/work/shared/streams"} {
		files, err := filepath.Glob(filepath.Join(folder, "gemini-*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, ".expect.json") {
				continue
			}
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if _, err := format.TranslateStream(&out, bytes.NewReader(body), format.Gemini, format.Gemini, chat.Options{}); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			want, got := signatures(t, body), signatures(t, out.Bytes())
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
			signed += len(want)
		}
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
		case d.Kind == toolparse.DeltaExtra && !strings.HasPrefix(d.Name, "candidates[].content.parts[]"):
		case d.Kind == toolparse.DeltaSignature:
			list = append(list, before+" "+d.Name+" "+d.Text)
		case d.Kind != toolparse.DeltaToolCall:
			before = d.Kind.String() + d.Name
		case d.Name != "":
			before = "call of " + d.Name
		}
	}
	return list
}
