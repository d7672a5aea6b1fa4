package toolfile_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/toolcall"
)

// shapes are the ways in which tools are defined; %s stand for the name, the
// description as a member, and the schema.
var shapes = []string{
	`{"name":%[1]s,%[2]s"parameters":%[3]s}`,
	`{%[2]s"name":%[1]s,"parameters":%[3]s}`,
	`{"name":%[1]s,"parameters":%[3]s,%[2]s"strict":true}`,
	`{"type":"function","name":%[1]s,%[2]s"parameters":%[3]s}`,
	`{"type":"function","function":{"name":%[1]s,%[2]s"parameters":%[3]s}}`,
	`{"function":{"name":%[1]s,"parameters":%[3]s}}`,
	`{"name":%[1]s,%[2]s"input_schema":%[3]s}`,
	`{"name":%[1]s,%[2]s"inputSchema":%[3]s}`,
	`{"functionDeclarations":[{"name":%[1]s,%[2]s"parameters":%[3]s}]}`,
}

// TestDefinitionsAreNoCalls: tools as logs hold them are text in every dialect of
// JSON, and where the dialect is to be found out.
func TestDefinitionsAreNoCalls(t *testing.T) {
	list, err := os.ReadFile("../../testdata/tools/telling.json")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := toolfile.Parse(list)
	if err != nil {
		t.Fatal(err)
	}
	tools = append(tools, toolcall.ToolDefinition{Name: "now", Parameters: json.RawMessage(`{"type":"object"}`)},
		toolcall.ToolDefinition{Name: "ping", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)},
		toolcall.ToolDefinition{Name: "ref", Parameters: json.RawMessage(`{"properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{}}}`)},
		toolcall.ToolDefinition{Name: "any", Parameters: json.RawMessage(`{"type":["object","null"],"properties":{"a":{"type":"string"},"b":true}}`)})
	tools = slices.DeleteFunc(tools, func(tool toolcall.ToolDefinition) bool { return len(tool.Parameters) == 0 }) // {} is what a call has, too
	if len(tools) < 5 {
		t.Fatal("there are no tools to try")
	}
	names := []string{"auto"}
	for _, d := range dialect.All() {
		if d.Args.Form == dialect.ArgsJSON {
			names = append(names, d.Name)
		}
	}
	for _, name := range names {
		dialects, err := dialect.Named(name, "")
		if err != nil {
			t.Fatal(err)
		}
		anyTool, declared := reader(t, parser.Options{Dialects: dialects}), reader(t, parser.Options{Dialects: dialects, Tools: tools})
		for _, shape := range shapes {
			for _, described := range []bool{false, true} {
				var each []string
				for _, tool := range tools {
					description := ""
					if described {
						description = `"description":"d",`
					}
					quoted, _ := json.Marshal(tool.Name)
					each = append(each, fmt.Sprintf(shape, quoted, description, tool.Parameters))
				}
				for _, text := range append(each, strings.Join(each, "\n"), "["+strings.Join(each, ",")+"]", `{"tools":[`+strings.Join(each, ",")+`]}`) {
					for _, p := range []*parser.Parser{anyTool, declared} {
						if calls := callsIn(t, text, p); len(calls) > 0 {
							t.Errorf("%s, with tools declared: %t: %s\nis read as a call of %v", name, p == declared, text, calls)
						}
					}
				}
			}
		}
	}
}

// TestCallsLikeDefinitions: a call whose arguments look like a schema is one, where
// its tool has such parameters, or they are no schema after all.
func TestCallsLikeDefinitions(t *testing.T) {
	typed := []toolcall.ToolDefinition{{Name: "f", Parameters: json.RawMessage(`{"properties":{"type":{"type":"string"},"properties":{"type":"object"}}}`)}}
	for _, tt := range []struct {
		text  string
		tools []toolcall.ToolDefinition
	}{
		{`{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}`, typed},
		{`{"parameters":{"properties":{},"type":"object"},"name":"f"}`, typed},
		{`{"name":"f","parameters":{"type":"bug","properties":{"a":1}}}`, nil},
		{`{"name":"f","parameters":{"title":"x","description":"y"}}`, nil},
		{`{"name":"f","parameters":{"properties":{"a":1}}}`, nil},
		{`{"name":"f","arguments":{"type":"object","properties":{"a":{}}}}`, nil},
	} {
		dialects, err := dialect.Named("json-any", "")
		if err != nil {
			t.Fatal(err)
		}
		if calls := callsIn(t, tt.text, reader(t, parser.Options{Dialects: dialects, Tools: tt.tools})); len(calls) != 1 {
			t.Errorf("%s: calls of %v, want one of f", tt.text, calls)
		}
	}
}

func reader(t *testing.T, opts parser.Options) *parser.Parser {
	t.Helper()
	p, err := parser.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// callsIn parses text whole and in pieces, and names the tools that it calls.
func callsIn(t *testing.T, text string, p *parser.Parser) []string {
	t.Helper()
	var calls []string
	for _, size := range []int{len(text), 5} {
		p.Reset()
		var events []toolcall.Event
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			events, rest = p.Feed(events, rest[:n]), rest[n:]
		}
		found := calls
		calls = nil
		for _, e := range p.Close(events) {
			if e.Type == toolcall.SegmentStart && e.Segment.IsCall() {
				calls = append(calls, e.Name)
			}
		}
		if size == 5 && len(found) != len(calls) {
			t.Errorf("%s: %v whole, %v in pieces", text, found, calls)
		}
	}
	return calls
}
