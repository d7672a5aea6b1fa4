package parser_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

func TestYAML(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"plain", "a: x\nb: 1\n", `f {"a":"x","b":1} complete`},
		{"numbers", "a: 1.50\nb: +7\nc: -.5\nd: 0x1f\ne: 1_000\nf: 12e03\ng: 007\n", `f {"a":1.50,"b":7,"c":-0.5,"d":31,"e":"1_000","f":12e03,"g":7} complete`},
		{"text that looks like a number", "a: .inf\nb: -\nc: 1.2.3\nd: 0xZ\ne: '1'\n", `f {"a":".inf","b":"-","c":"1.2.3","d":"0xZ","e":"1"} complete`},
		{"words", "a: true\nb: No\nc: NULL\nd: tRue\n", `f {"a":true,"b":"No","c":null,"d":"tRue"} complete`},
		{"nothing", "a:\nb: # c\n", `f {"a":null,"b":null} complete`},
		{"value in the next line", "a:\n  x\nb:\n  \"y\"\n", `f {"a":"x","b":"y"} complete`},
		{"list as deep as its key", "a:\n- 1\n- b: 2\n  c:\n  - 3\n", `f {"a":[1,{"b":2,"c":[3]}]} complete`},
		{"flow over lines", "a: [\n  1, # one\n  {b: c},\n]\nd: 1\n", `f {"a":[1,{"b":"c"}],"d":1} complete`},
		{"indented keys", "  a: 1\n  b: |\n    x\n", `f {"a":1,"b":"x\n"} complete`},
		{"a block with an invalid header", "a: | x\nb: >=1\n", `f {"a":"| x","b":">=1"} complete`},
		{"anchors are text", "a: &x 1\nb: *x\nc: !!str 1\n", `f {"a":"&x 1","b":"*x","c":"!!str 1"} complete`},
		{"document marks", "---\na: 1\n...\n", `f {"a":1} complete`},
		{"escapes", `a: "\x41\u00e9\U0001F600\e\q"` + "\n", `f {"a":"Aé😀\u001b\\q"} complete invalid_escape`},
		{"a key that is quoted", "\"a b\": 1\n'c': 2\n", `f {"a b":1,"c":2} complete`},
		{"same key", "a: 1\na: 2\n", `f {"a":1} complete duplicate_argument`},
		{"no indentation", "a: |\nx y\nb: 1\n", `f {"a":"x y\n","b":1} complete`},
		{"text that is no YAML", "a:   x\n  y\nz w\n", `f {"a":"  x\n  y\nz w\n"} complete text_between_arguments`},
		{"quote in a quoted line", "a: \"x\" y\"\n", `f {"a":"x\" y"} complete invalid_escape`},
		{"text after a quote", "a: \"x\" y\nb: 1\n", `f {"a":"x\" y malformed invalid_escape`},
		{"broken list", "a: [1\nb: 2\n", `f {"a": malformed`},
		{"same key inside", "a:\n  b: 1\n  b: 2\n", `f {"a": malformed`},
		{"JSON", "{\"a\": [1], \"b\": \"x\"}\n", `f {"a":[1],"b":"x"} complete json_body`},
		{"braces", "{a: x y, b: [1]}\n", `f {"a":"x y","b":[1]} complete json_body`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(callsIn(t, named(t, "yaml_xml"), "<f>\n"+tt.body+"</f>"), "|")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestYAMLTypes checks that the schema decides what lines and absent values become.
func TestYAMLTypes(t *testing.T) {
	for _, tt := range []struct{ name, properties, body, want string }{
		{"a list for strings", `"a":{"type":"string"},"b":{"type":"string"}`, "a:\n    - x: 1\n\n      y\n  - z\nb: w\n", `{"a":"  - x: 1\n\n    y\n- z","b":"w"}`},
		{"absent values", `"a":{"type":["string","integer"]},"b":{"type":["string","null"]},"c":{"type":"object"}`, "a:\nb:\nc:\n", `{"a":"","b":null,"c":{}}`},
		{"absent values inside", `"o":{"properties":{"a":{"type":["string","integer"]},"b":{"type":["string","null"]}}}`, "o:\n  a:\n  b:\n", `{"o":{"a":"","b":null}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tools := []toolcall.ToolDefinition{{Name: "f", Parameters: []byte(`{"type":"object","properties":{` + tt.properties + `}}`)}}
			p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{named(t, "yaml_xml")}, Tools: tools})
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, e := range p.Close(p.Feed(nil, "<f>\n"+tt.body+"</f>")) {
				got.WriteString(e.Delta())
			}
			if got.String() != tt.want {
				t.Errorf("got %s, want %s", got.String(), tt.want)
			}
		})
	}
}

// TestYAMLIsNoTag checks that a tag that no arguments follow is text.
func TestYAMLIsNoTag(t *testing.T) {
	for _, body := range []string{"", "\n", "text\n</f>", "\n- a\n</f>", "\n# a: 1\n", "\n[a: 1]\n</f>", "\na:b\n</f>", "<a>1</a></f>", "\n--\na: 1\n</f>"} {
		if calls := callsIn(t, named(t, "yaml_xml"), "<f>"+body); calls != nil {
			t.Errorf("%q: %q", body, calls)
		}
	}
}
