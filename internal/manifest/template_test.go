package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/internal/toolset"
	"github.com/toolparse/toolparse/toolcall"
)

// templateCases are the tools, calls and results that clients/templates/compare.py renders
// with the models' own chat templates.
type templateCases struct {
	Tools map[string]json.RawMessage
	Calls map[string][]struct {
		Name      string
		Arguments json.RawMessage
	}
	Results         map[string][]string
	Text, Reasoning string
}

const templateFiles = "../../testdata/templates/"

// TestTemplateParts compares what is written in each dialect with parts.json, which compare.py
// has compared with the output of the templates.
func TestTemplateParts(t *testing.T) {
	data, err := os.ReadFile(templateFiles + "cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases templateCases
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	parts := map[string]map[string]any{}
	for _, d := range dialect.All() {
		if d.Head.Form != "" {
			parts[d.Name] = cases.parts(t, d)
		}
	}
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(parts); err != nil {
		t.Fatal(err)
	}
	file := templateFiles + "parts.json"
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s: if this is meant, run go test ./manifest -run %s -update, and compare.py\n%s", file, t.Name(), diff)
	}
}

// parts returns what is written in a dialect for each case: one text, or several that need not
// follow each other. It leaves out what the dialect cannot write.
func (cases *templateCases) parts(t *testing.T, d *dialect.Dialect) map[string]any {
	t.Helper()
	parts := map[string]any{}
	var all []toolcall.ToolDefinition
	for name, list := range cases.Tools {
		defs, err := toolfile.Parse(list)
		if err != nil {
			t.Fatal(err)
		}
		tools, err := newTools(defs)
		if err != nil {
			t.Fatal(err)
		}
		c := composerOf(t, d, tools, &Options{Dialect: d})
		shown, err := c.toolTexts()
		if err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		s := c.style()
		parts[name] = s.open + shown + s.close
		if name == "two" && HasTemplate(d) {
			parts["place"] = inPlace(d.Show.Place, s.open+shown+s.close)
		}
		if name != "one" { // whose tool the others have, too
			all = append(all, definitions(c.tools)...)
		}
	}
	if ends := d.Ends.Turn; ends != "" && !d.Frame.Bare { // between a call and its result
		parts["end"] = []string{"Troms", ends, cases.Results["result"][0][:len("12")]}
	}
	w, err := text.NewWriter(d, text.Options{Tools: all})
	if err != nil {
		t.Fatal(err)
	}
	turn := func(part string, m text.Message) {
		out, err := w.Append(nil, m)
		if failed := (*text.Error)(nil); errors.As(err, &failed) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		parts[part] = string(out)
	}
	for part := range cases.Calls {
		turn(part, text.Message{Calls: cases.calls(d, part)})
	}
	turn("turn", text.Message{Calls: cases.calls(d, "call"), Turn: true})
	turn("text", text.Message{Text: cases.Text, Calls: cases.calls(d, "call"), Turn: true})
	turn("reasoning", text.Message{Reasoning: cases.Reasoning, Calls: cases.calls(d, "call"), Turn: true})
	for part, contents := range cases.Results {
		var results []text.Result
		calls := cases.calls(d, map[bool]string{false: "call", true: "calls"}[len(contents) > 1])
		for i, content := range contents {
			id := calls[i].CallID
			if d.Written.Numbered {
				id = strconv.Itoa(i)
			}
			id = toolset.ResultID(&d.Head, calls[i].Name, id, i)
			results = append(results, text.Result{Name: calls[i].Name, CallID: id, Content: content})
		}
		turns := [][]text.Result{results}
		if d.Results.Alone {
			turns = slices.Collect(slices.Chunk(results, 1))
		}
		var texts []string
		for _, turn := range turns {
			out, err := w.AppendResults(nil, turn...)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(out))
		}
		parts[part] = texts
	}
	return parts
}

// calls returns the calls of a part, with the ids that compare.py assigns.
func (cases *templateCases) calls(d *dialect.Dialect, part string) []toolcall.ToolInvocation {
	var list []toolcall.ToolInvocation
	for i, c := range cases.Calls[part] {
		id := "call0000" + strconv.Itoa(i)
		if d.Head.Index != "" {
			id = d.Head.Prefix + c.Name + d.Head.Index + strconv.Itoa(i)
		}
		list = append(list, toolcall.ToolInvocation{Name: c.Name, CallID: id, Arguments: c.Arguments})
	}
	return list
}

// inPlace returns a section among the texts of the system and of the user, in order.
func inPlace(place dialect.ShowPlace, section string) []string {
	if place == dialect.ShowBefore || place == dialect.ShowFirst {
		return []string{section, "SYS", "U1"}
	}
	return []string{"SYS", section, "U1"}
}
