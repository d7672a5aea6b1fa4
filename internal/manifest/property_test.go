package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// anySchema draws the schema of a parameter.
func anySchema(t *rapid.T, depth int) map[string]any {
	kinds := []string{"string", "integer", "number", "boolean", "enum", "union", "nullable", "pattern", "bounded", "any", "date"}
	if depth > 0 {
		kinds = append(kinds, "object", "array", "array", "object", "ref")
	}
	s := map[string]any{}
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
	case "enum":
		s["enum"] = rapid.SampledFrom([][]any{{"a", "b"}, {1, 2}, {"x y", "<z>", "&"}, {true}, {"1", "2"}, {nil, "a"}}).Draw(t, "enum")
	case "union":
		s["anyOf"] = []any{anySchema(t, depth-1), anySchema(t, depth-1)}
	case "nullable":
		s["type"] = []string{rapid.SampledFrom([]string{"string", "integer", "boolean"}).Draw(t, "type"), "null"}
	case "pattern":
		s["type"], s["pattern"] = "string", rapid.SampledFrom([]string{"^[a-z]{3,5}$", `^\d{4}-\d{2}$`, "^(left|right)+$", "[A-Z]"}).Draw(t, "pattern")
	case "bounded":
		low := rapid.IntRange(-50, 50).Draw(t, "low")
		s["type"], s["minimum"], s["maximum"] = "integer", low, low+rapid.IntRange(0, 9).Draw(t, "range")
	case "date":
		s["type"], s["format"] = "string", "date"
	case "any":
	case "ref":
		s["$ref"] = "#/$defs/shared"
	case "object":
		for key, v := range anyObject(t, depth-1) {
			s[key] = v
		}
	case "array":
		s["type"], s["items"] = "array", anySchema(t, depth-1)
		if rapid.Bool().Draw(t, "least") {
			s["minItems"] = rapid.IntRange(0, 3).Draw(t, "minItems")
		}
	default:
		s["type"] = kind
	}
	return s
}

func anyObject(t *rapid.T, depth int) map[string]any {
	props, required := map[string]any{}, []string{}
	for i := range rapid.IntRange(0, 4).Draw(t, "properties") {
		name := fmt.Sprintf("%s_%d", rapid.SampledFrom([]string{"path", "city", "from", "max", "x"}).Draw(t, "name"), i)
		props[name] = anySchema(t, depth)
		if rapid.Bool().Draw(t, "required") {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": props, "required": required}
}

// anyTool draws a tool.
func anyTool(t *rapid.T, name string) toolcall.ToolDefinition {
	s := anyObject(t, 3)
	s["$defs"] = map[string]any{"shared": map[string]any{
		"type": "object", "properties": map[string]any{
			"id": map[string]any{"type": "integer"}, "below": map[string]any{"$ref": "#/$defs/shared"},
		}, "required": []string{"id"},
	}}
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return toolcall.ToolDefinition{Name: name, Description: "Do it.", Parameters: raw}
}

// read returns the calls that the parser finds in a text.
func read(t interface{ Fatal(...any) }, d *dialect.Dialect, tools []toolcall.ToolDefinition, text string) (names []string, args []string) {
	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{d}, Tools: tools, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range p.Close(p.Feed(nil, text)) {
		switch {
		case !e.Segment.IsCall():
		case e.Type == toolcall.SegmentStart:
			names, args = append(names, e.Name), append(args, "")
		case e.Type == toolcall.SegmentContent:
			args[len(args)-1] += e.Delta()
		case e.Status != toolcall.Complete:
			t.Fatal("not complete", e, text)
		}
	}
	return names, args
}

// TestExamples checks that in every dialect the parser reads the examples of a manifest, and
// that they fit the schema and contain all required parameters and an optional one.
func TestExamples(t *testing.T) {
	var dialects []*dialect.Dialect
	for _, d := range dialect.All() {
		if d.Head.Form != "" {
			dialects = append(dialects, d)
		}
	}
	const each = 8 // every tool is tried in one dialect of so many
	shown := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		defs := []toolcall.ToolDefinition{anyTool(t, "do_it"), anyTool(t, "do_that")}
		compact := rapid.Bool().Draw(t, "compact")
		for i := rapid.IntRange(0, each-1).Draw(t, "first"); i < len(dialects); i += each {
			if examples(t, dialects[i], defs, compact) {
				shown[dialects[i].Name]++
			}
		}
	})
	for _, d := range dialects {
		if testing.Short() { // too few draws for all dialects
			break
		}
		if shown[d.Name] == 0 && d.Name != "cwm" { // which has calls with one parameter alone
			t.Errorf("%s: no manifest could be made", d.Name)
		}
	}
}

// examples checks the manifest of two tools. It returns false if the dialect can write no call
// of either.
func examples(t *rapid.T, d *dialect.Dialect, defs []toolcall.ToolDefinition, compact bool) bool {
	tools, err := newTools(defs)
	if err != nil {
		t.Fatal(err)
	}
	c := composerOf(t, d, tools, &Options{Style: teach(compact)})
	text, err := c.compose()
	if err != nil {
		if len(c.uncallable) == len(tools) && d.Args.Form != dialect.ArgsJSON {
			return false
		}
		t.Fatalf("%s: %v", d.Name, err)
	}
	for _, calls := range [][]toolcall.ToolInvocation{c.single, c.double} {
		written, err := c.write(calls)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, strings.TrimSuffix(written, "\n")) {
			t.Fatalf("%s: the manifest lacks %q", d.Name, written)
		}
		names, args := read(t, d, defs, written)
		if len(names) != len(calls) {
			t.Fatalf("%s: %d calls are read, not %d: %s", d.Name, len(names), len(calls), written)
		}
		for i, call := range calls {
			if names[i] != call.Name || !sameJSON(json.RawMessage(args[i]), call.Arguments) {
				t.Fatalf("%s: %s with %s is read as %s with %s", d.Name, call.Name, call.Arguments, names[i], args[i])
			}
			def := defs[0]
			if call.Name == "do_that" {
				def = defs[1]
			}
			if tools[slices.IndexFunc(defs, func(d toolcall.ToolDefinition) bool { return d.Name == call.Name })].loose {
				continue // it has a placeholder, which need not fit
			}
			s, err := schema.Compile(def.Parameters)
			if err != nil {
				t.Fatal(err)
			}
			if problems, _ := s.Validate(json.RawMessage(args[i])); len(problems) > 0 {
				t.Fatal(problems[0].Message, args[i])
			}
			if err := oracle(def.Parameters, json.RawMessage(args[i])); err != nil {
				t.Fatal(err, args[i])
			}
		}
	}
	for _, tool := range tools {
		optionalShown(t, d, tool)
	}
	return true
}

// optionalShown checks that the full example of a tool has an optional parameter, if a value
// of one can be written.
func optionalShown(t *rapid.T, d *dialect.Dialect, tool *tool) {
	if d.Args.Form != dialect.ArgsJSON {
		return
	}
	s, err := tool.root()
	if err != nil {
		t.Fatal(err)
	}
	args, err := parseNode(tool.full.Arguments)
	if err != nil {
		t.Fatal(err)
	}
	want := min(len(s.Properties), len(s.Required)+1)
	if n := len(args.Keys); n == want-1 && strings.Contains(string(tool.Parameters), "(left|right)") {
		return // no text is known to match
	}
	if len(args.Keys) != want {
		t.Fatalf("%s: %d parameters, want %d: %s", d.Name, len(args.Keys), want, tool.full.Arguments)
	}
}
