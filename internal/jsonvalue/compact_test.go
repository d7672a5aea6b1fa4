package jsonvalue_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// Of valid JSON it is what json.Compact makes; of anything else it is something.
func TestAppendCompact(t *testing.T) {
	pieces := []string{`{`, `}`, `[`, `]`, `,`, `:`, `"a"`, `"\\"`, `"x\" y"`, `" \\\" "`, `1`, `true`, " ", "\n\t", `"`, `\`}
	rapid.Check(t, func(t *rapid.T) {
		doc := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "")
		if rapid.Bool().Draw(t, "valid") {
			doc = `{"k \" ": [` + doc + ` ] , "l":" \\"}`
		}
		got := jsonvalue.AppendCompact([]byte("x"), []byte(doc))
		var want bytes.Buffer
		if json.Compact(&want, []byte(doc)) == nil && string(got) != "x"+want.String() {
			t.Fatalf("%s: %s, want %s", doc, got[1:], want.String())
		}
	})
}
