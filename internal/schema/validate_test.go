package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// report is what Validate says, as lines "path rule: message".
func report(s *Schema, doc string) []string {
	var lines []string
	problems, _ := s.Validate([]byte(doc))
	for _, p := range problems {
		lines = append(lines, p.Path+" "+p.Rule+": "+p.Message)
	}
	return lines
}

func TestValidate(t *testing.T) {
	const file = `{"type":"object","properties":{
		"path":{"type":"string","minLength":1,"maxLength":8},
		"mode":{"enum":["append","overwrite"]},
		"lines":{"type":"integer","minimum":1,"maximum":10},
		"tags":{"type":"array","items":{"type":"string"},"uniqueItems":true,"minItems":1,"maxItems":3}},
		"required":["path"],"additionalProperties":false}`
	const shapes = `{"properties":{
		"shape":{"oneOf":[
			{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
			{"type":"object","properties":{"kind":{"const":"box"},"w":{"type":"number"}},"required":["kind","w"]}]},
		"color":{"anyOf":[{"const":"red"},{"$ref":"#/$defs/named"},{"type":"null"},{"type":"integer"}]},
		"size":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]}},
		"$defs":{"named":{"enum":["green","blue"]}}}`
	tests := []struct {
		name, schema, doc string
		want              []string
	}{
		{"fits", file, `{"path":"a","mode":"append","lines":7.0,"tags":["a","b"]}`, nil},
		{"no schema", ``, `nonsense`, nil},
		{"no JSON", file, `{"path"`, []string{" json: the arguments are not valid JSON (at byte 7: unexpected EOF); send one JSON object"}},
		{"two values", file, `{} {}`, []string{" json: the arguments are not valid JSON (at byte 3: more than one value); send one JSON object"}},
		{"no object", file, `[]`, []string{" type: must be an object, but is an array; send an object: {...}"}},
		{"required", file, `{}`, []string{` required: the required parameter "path" is missing; add it, as a string`}},
		{"misnamed", file, `{"pth":"x","zz":1}`, []string{
			` required: the required parameter "path" is missing; add it, as a string (is it what you sent as "pth"?)`,
			`/pth additionalProperties: there is no parameter "pth"; did you mean "path"?`,
			`/zz additionalProperties: there is no parameter "zz", only "path", "mode", "lines", "tags"; leave it out`}},
		{"integer in quotes", file, `{"path":"a","lines":" 7 "}`, []string{`/lines type: must be an integer, but is the string " 7 "; send it without quotes: 7`}},
		{"fraction", file, `{"path":"a","lines":7.5}`, []string{"/lines type: must be an integer, but is the number 7.5; send a whole number"}},
		{"null", file, `{"path":"a","lines":null}`, []string{"/lines type: must be an integer, but is null; leave it out if it is optional"}},
		{"number for a string", file, `{"path":5}`, []string{`/path type: must be a string, but is the number 5; put it in quotes: "5"`}},
		{"array in a string", file, `{"path":"a","tags":"[\"x\"]"}`, []string{`/tags type: must be an array, but is the string "[\"x\"]"; send the array itself, not a string that holds it`}},
		{"all at once", file, `{"path":"","mode":"apend","lines":11,"tags":["a",1,"a","b"]}`, []string{
			"/path minLength: must have at least 1 character, but has 0",
			`/mode enum: must be one of "append", "overwrite", but is the string "apend"; did you mean "append"?`,
			"/lines maximum: must be at most 10, but is 11",
			"/tags maxItems: must have at most 3 elements, but has 4",
			"/tags/2 uniqueItems: repeats element 0, but all must differ; leave it out",
			`/tags/1 type: must be a string, but is the number 1; put it in quotes: "1"`}},
		{"length in runes", file, `{"path":"ääääääää"}`, nil},
		{"too long", file, `{"path":"äääääääää"}`, []string{"/path maxLength: must have at most 8 characters, but has 9"}},
		{"minItems", file, `{"path":"a","tags":[]}`, []string{"/tags minItems: must have at least 1 element, but has 0"}},
		{"last of two members", file, `{"path":5,"path":"a"}`, nil},

		{"exclusive bounds", `{"properties":{"a":{"exclusiveMinimum":0},"b":{"maximum":1,"exclusiveMaximum":true}}}`, `{"a":0,"b":1.0}`, []string{
			"/a exclusiveMinimum: must be greater than 0, but is 0", "/b exclusiveMaximum: must be less than 1, but is 1.0"}},
		{"bounds beyond doubles", `{"properties":{"a":{"maximum":9007199254740992}}}`, `{"a":9007199254740993}`, []string{
			"/a maximum: must be at most 9007199254740992, but is 9007199254740993"}},
		{"bounds as strings", `{"properties":{"a":{"type":"ARRAY","minItems":"1"}}}`, `{"a":[]}`, []string{
			"/a minItems: must have at least 1 element, but has 0"}},
		{"multipleOf", `{"properties":{"a":{"multipleOf":0.1},"b":{"multipleOf":5}}}`, `{"a":0.3,"b":7}`, []string{
			"/b multipleOf: must be a multiple of 5, but is the number 7"}},
		{"pattern", `{"properties":{"a":{"pattern":"^[a-z]+$"},"b":{"pattern":"^(?=x)"}}}`, `{"a":"A","b":"y"}`, []string{
			`/a pattern: must match the pattern ^[a-z]+$, but is the string "A"`,
			`/b pattern: must match the pattern ^(?=x), but is the string "y"`}},
		{"const", `{"properties":{"a":{"const":1},"b":{"const":{"x":[1]}}}}`, `{"a":1.0,"b":{"x":[2]}}`, []string{
			"/b const: must be {...}, but is an object"}},
		{"enum by value", `{"properties":{"a":{"enum":[{"x":1,"y":2},null]}}}`, `{"a":{"y":2,"x":1.0}}`, nil},
		{"unique by value", `{"properties":{"a":{"uniqueItems":true}}}`, `{"a":[1,1.0,"1",{"a":1,"b":2},{"b":2,"a":1}]}`, []string{
			"/a/1 uniqueItems: repeats element 0, but all must differ; leave it out", "/a/4 uniqueItems: repeats element 3, but all must differ; leave it out"}},
		{"nullable", `{"properties":{"a":{"type":"STRING","nullable":true,"enum":["x"]}}}`, `{"a":null}`, nil},
		{"type list", `{"properties":{"a":{"type":["integer","null"]}}}`, `{"a":true}`, []string{"/a type: must be an integer or null, but is true; send a number"}},
		{"false", `{"properties":{"a":false}}`, `{"a":1}`, []string{"/a false: no value is allowed here; leave it out"}},
		{"patternProperties", `{"patternProperties":{"^x-":{"type":"number"}},"additionalProperties":{"type":"string"}}`, `{"x-a":"1","y":2}`, []string{
			"/x-a type: must be a number, but is the string \"1\"; send it without quotes: 1", `/y type: must be a string, but is the number 2; put it in quotes: "2"`}},
		{"prefixItems", `{"properties":{"a":{"prefixItems":[{"type":"string"}],"items":{"type":"integer"}}}}`, `{"a":["x",1,"y"]}`, []string{
			`/a/2 type: must be an integer, but is the string "y"; send a number, without quotes`}},
		{"names in pointers", `{"properties":{"a/b~":{"type":"integer"}}}`, `{"a/b~":"x"}`, []string{`/a~1b~0 type: must be an integer, but is the string "x"; send a number, without quotes`}},
		{"nested object", `{"properties":{"o":{"type":"object","properties":{"k":{}},"required":["k"]}}}`, `{"o":{}}`, []string{
			`/o required: the required member "k" is missing; add it`}},
		{"allOf", `{"allOf":[{"required":["a"]},{"properties":{"a":{"type":"integer"}}}]}`, `{"a":"x"}`, []string{`/a type: must be an integer, but is the string "x"; send a number, without quotes`}},
		{"recursion", `{"$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}},"additionalProperties":false}},"$ref":"#/$defs/node"}`,
			`{"next":{"next":{"nxt":1}}}`, []string{`/next/next/nxt additionalProperties: there is no member "nxt"; did you mean "next"?`}},

		{"alternative, nearest", shapes, `{"shape":{"kind":"box","r":1}}`, []string{`/shape required: the required member "w" is missing; add it, as a number`}},
		{"alternative, wrong inside", shapes, `{"shape":{"kind":"circle","r":"x"}}`, []string{`/shape/r type: must be a number, but is the string "x"; send a number, without quotes`}},
		{"alternative, other kind", shapes, `{"shape":5}`, []string{"/shape oneOf: must be an object, but is the number 5; send an object: {...}"}},
		{"alternatives of constants", shapes, `{"color":"gren"}`, []string{
			`/color anyOf: must be one of "red", "green", "blue", or an integer or null, but is the string "gren"; did you mean "green"?`}},
		{"alternative out of range", shapes, `{"size":0}`, []string{"/size minimum: must be at least 1, but is 0"}},
		{"alternative fits", shapes, `{"shape":{"kind":"box","w":1},"color":null,"size":1}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, report(mustCompile(t, tt.schema), tt.doc)); diff != "" {
				t.Errorf("Validate(%s) (-want +got):\n%s", tt.doc, diff)
			}
		})
	}
}

func TestValidateLimits(t *testing.T) {
	t.Run("problems", func(t *testing.T) {
		s := mustCompile(t, `{"additionalProperties":{"type":"integer"}}`)
		var doc strings.Builder
		doc.WriteString(`{"a":1`)
		for i := range 100 {
			fmt.Fprintf(&doc, `,"x%d":"s"`, i)
		}
		doc.WriteString("}")
		if problems, _ := s.Validate([]byte(doc.String())); len(problems) != maxProblems {
			t.Errorf("%d problems, want %d", len(problems), maxProblems)
		}
	})
	t.Run("values", func(t *testing.T) {
		s := mustCompile(t, `{"properties":{"a":{"const":"x"}}}`)
		doc := fmt.Sprintf(`{"a":%q}`, strings.Repeat("y", 1<<20))
		if got := report(s, doc); len(got) != 1 || len(got[0]) > 500 {
			t.Errorf("report of %d bytes", len(got[0]))
		}
	})
	t.Run("depth", func(t *testing.T) {
		s := mustCompile(t, `{}`)
		doc := strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)
		if got, _ := s.Validate([]byte(doc)); len(got) != 1 || got[0].Rule != "json" {
			t.Errorf("got %v", got)
		}
	})
	t.Run("alternatives that multiply", func(t *testing.T) {
		// Every level has two ways to fail, each of which has two, and so on.
		var defs strings.Builder
		for i := range 100 {
			fmt.Fprintf(&defs, `"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
		}
		s := mustCompile(t, `{"$ref":"#/$defs/d0","$defs":{`+defs.String()+`"d100":{"required":["x"]}}}`)
		got, _ := s.Validate([]byte(`{}`))
		if len(got) == 0 || got[len(got)-1].Rule != "limit" {
			t.Errorf("got %v, want the limit", got)
		}
	})
}
