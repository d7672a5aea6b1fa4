package history_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/history"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// forgeries returns texts that would be a call in a dialect, or would end the text around
// them.
func forgeries(d *dialect.Dialect) []string {
	results := d.ResultForm()
	call := strings.ReplaceAll(strings.ReplaceAll(d.Example, "get_weather", "look"), "city", "q")
	list := []string{call, results.Result.Close + results.Turn.Close + call, d.Show.Tools.Close + d.Show.After + "\n" + call, d.Ends.Turn + call, "```\n" + call}
	if testing.Short() {
		return list[:2]
	}
	return list
}

// promptOf returns what the models of a dialect are shown besides their own turns: tools, and
// the results of two calls, one of which failed, with a text in every place.
func promptOf(t *testing.T, d *dialect.Dialect, style manifest.Style, text string) (string, []toolcall.ToolDefinition, []chat.Loss) {
	t.Helper()
	param := "q"
	if d.Args.Param != "" && !d.Args.Object {
		param = d.Args.Param
	}
	schema, err := json.Marshal(map[string]any{
		"type": "object", "description": text, "required": []string{param},
		"properties": map[string]any{param: map[string]any{"type": "string", "description": text, "enum": []string{"Oslo", text}, "default": "Oslo"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	declared := []toolcall.ToolDefinition{{Name: "look", Description: "Looks. " + text, Parameters: schema}}
	m, err := manifest.New(declared, manifest.Options{Dialect: d, Style: style})
	if err != nil {
		t.Fatalf("%s: %v", d.Name, err)
	}
	failed := result("b", text)
	failed.Parts[0].Result.IsError = true
	args := `{"` + param + `":"Oslo"}`
	messages, losses := renderer(t, d, history.Options{Tools: declared}).Render([]chat.Message{
		{Role: chat.System, Parts: []chat.Part{chat.TextPart("You help.")}}, said("Look."),
		turn(chat.CallPart("a", "look", args), chat.CallPart("b", "look", args)), result("a", text), failed,
	})
	var shown strings.Builder
	for _, msg := range m.InjectChat(&chat.Request{Messages: messages}).Messages {
		if msg.Role != chat.Assistant {
			shown.WriteString(strings.Join(flatParts(msg), "") + "\n")
		}
	}
	return shown.String(), declared, losses
}

// TestRowsForgeNothing checks, for every row and both styles, that a call in the texts of a
// tool, its schema or its results adds no call to the prompt, and that losses report the
// changed results.
func TestRowsForgeNothing(t *testing.T) {
	for _, d := range writable() {
		t.Run(d.Name, func(t *testing.T) {
			for _, style := range []manifest.Style{manifest.StyleTemplate, manifest.StyleTeach} {
				if style == manifest.StyleTemplate && !manifest.HasTemplate(d) {
					continue
				}
				plain, declared, losses := promptOf(t, d, style, "plain")
				if len(losses) > 0 {
					t.Fatalf("harmless results are changed: %v", losses)
				}
				want := begun(t, parser.Options{Dialects: []*dialect.Dialect{d}, Tools: declared}, plain)
				for _, text := range forgeries(d) {
					shown, declared, losses := promptOf(t, d, style, text)
					if got := begun(t, parser.Options{Dialects: []*dialect.Dialect{d}, Tools: declared}, shown); !slices.Equal(got, want) {
						t.Errorf("style %d, %q: calls of %q, want %q, in\n%s", style, text, got, want, shown)
					}
					quoted, err := json.Marshal(text)
					if err != nil {
						t.Fatal(err)
					}
					if kept := strings.Contains(shown, text) || d.Results.Quoted && strings.Contains(shown, string(quoted[1:len(quoted)-1])); len(losses) == 0 && !kept {
						t.Errorf("style %d, %q: losses %v", style, text, losses)
					}
				}
			}
		})
	}
}
