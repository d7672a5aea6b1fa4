package strictjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/strictjson"
)

// It is what json.Compact makes, and nothing where that fails.
func TestAppendCompact(t *testing.T) {
	pieces := []string{`{`, `}`, `[`, `]`, `,`, `:`, `"a"`, `"\\"`, `"x\" y"`, `" \\\" "`, `1`, `true`, " ", "\n\t", `"`, `\`}
	rapid.Check(t, func(t *rapid.T) {
		doc := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "")
		if rapid.Bool().Draw(t, "valid") {
			doc = `{"k \" ": [` + doc + ` ] , "l":" \\"}`
		}
		got, ok := strictjson.AppendCompact([]byte("x"), []byte(doc))
		want := bytes.NewBufferString("x")
		if valid := json.Compact(want, []byte(doc)) == nil; ok != valid || string(got) != want.String() {
			t.Fatalf("%s: %s, %v, want %s, %v", doc, got[1:], ok, want.String()[1:], valid)
		}
	})
}
