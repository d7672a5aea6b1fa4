package conform

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// TestCRLF checks that a text with CRLF for each line feed, as in logs from Windows, has the
// same calls. Values may keep the CR.
func TestCRLF(t *testing.T) {
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			sameWithCRLF(t, d, Vector{ID: "example", Input: d.Example})
			f, err := os.Open(filepath.Join("../../testdata/conformance", d.Name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for v, err := range Vectors(f) {
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(v.Input, "\r") {
					sameWithCRLF(t, d, v)
				}
			}
		})
	}
}

var withoutCR = strings.NewReplacer("\r", "", `\r`, "")

// sameWithCRLF compares the calls of a vector with those of its text with CRLF.
func sameWithCRLF(t *testing.T, d *dialect.Dialect, v Vector) {
	t.Helper()
	parse := func(input string) (calls []Call) {
		v.Input = input
		r, err := v.reader([]*dialect.Dialect{d})
		if err != nil {
			t.Fatal(err)
		}
		out, err := r.parse([]string{input})
		if err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		for _, c := range out.calls {
			if c.Status == toolcall.Complete {
				calls = append(calls, Call{c.Name, []byte(withoutCR.Replace(string(c.Arguments)))})
			}
		}
		return calls
	}
	want := parse(v.Input)
	crlf := strings.ReplaceAll(v.Input, "\n", "\r\n")
	if diff := cmp.Diff(want, parse(crlf)); diff != "" {
		t.Errorf("%s: %q (-LF +CRLF):\n%s", v.ID, crlf, diff)
	}
}
