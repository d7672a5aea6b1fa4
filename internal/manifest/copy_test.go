package manifest_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/grammar"
	"github.com/toolparse/toolparse/internal/history"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/toolcall"
)

// TestRenamedCopy checks that a row that was written to a file and renamed gets the same
// manifest, grammars and history: only the columns distinguish dialects.
func TestRenamedCopy(t *testing.T) {
	data, err := os.ReadFile("../../testdata/tools/telling.json")
	if err != nil {
		t.Fatal(err)
	}
	defs, err := toolfile.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range dialect.All() {
		if testing.Short() && i%5 != 0 {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			row, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			row = bytes.Replace(row, []byte(`"name":"`+d.Name+`"`), []byte(`"name":"my-copy"`), 1)
			c, err := parser.ReadDialect(row)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(everyText(t, defs, d), everyText(t, defs, c)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// everyText returns everything that is written for models of a dialect, and errors as such.
func everyText(t *testing.T, defs []toolcall.ToolDefinition, d *dialect.Dialect) map[string]string {
	t.Helper()
	texts := map[string]string{}
	put := func(name, text string, err error) {
		if err != nil {
			text = "none"
		}
		texts[name] = text
	}
	for name, style := range map[string]manifest.Style{"manifest": manifest.StyleAuto, "compact": manifest.StyleCompact} {
		m, err := manifest.New(defs, manifest.Options{Dialect: d, Style: style})
		if err != nil {
			t.Fatal(err)
		}
		put(name, m.Text(), nil)
	}
	for _, f := range grammar.Formats() {
		out, _, err := grammar.Write(d, f, grammar.Options{Tools: defs})
		put(string(f), string(out), err)
	}
	r, err := history.New(d, history.Options{Tools: defs})
	if err != nil {
		put("history", "", err)
		return texts
	}
	messages, _ := r.Render([]chat.Message{
		{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("a", "get_weather", `{"city":"Oslo"}`)}},
		{Role: chat.ToolRole, Parts: []chat.Part{chat.ResultPart("a", chat.TextPart("mild"))}},
	})
	rendered, err := json.Marshal(messages)
	if err != nil {
		t.Fatal(err)
	}
	put("history", string(rendered), nil)
	return texts
}
