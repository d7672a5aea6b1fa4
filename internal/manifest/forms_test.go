package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// facts are schemas of a parameter, with the text that must be shown of each.
var facts = []struct {
	schema string
	want   []string
}{
	{`{"type":"string","description":"about 1","minLength":101,"maxLength":102}`, []string{"about 1", "minLength", "101", "maxLength", "102"}},
	{`{"type":"string","pattern":"^pat1$","default":"dflt1"}`, []string{"pattern", "^pat1$", "default", "dflt1"}},
	{`{"type":"string","format":"date-time"}`, []string{"format", "date-time"}},
	{`{"type":"integer","minimum":103,"maximum":104,"default":103}`, []string{"minimum", "103", "maximum", "104", "default"}},
	{`{"type":"number","exclusiveMinimum":0.5,"exclusiveMaximum":105,"multipleOf":0.25}`, []string{"exclusiveMinimum", "0.5", "exclusiveMaximum", "105", "multipleOf", "0.25"}},
	{`{"type":"array","items":{"type":"string","description":"about 2","maxLength":106},"minItems":1,"maxItems":107,"uniqueItems":true}`,
		[]string{"about 2", "106", "minItems", "maxItems", "107", "uniqueItems"}},
	{`{"type":"array","prefixItems":[{"type":"integer","minimum":108},{"type":"boolean"}],"items":{"type":"string"}}`, []string{"108", "boolean", "string"}},
	{`{"type":"object","properties":{"in":{"type":"object","properties":{"low":{"type":"integer","description":"about 3","maximum":109,"default":7}}}}}`,
		[]string{"low", "about 3", "109", "default", "7"}},
	{`{"anyOf":[{"type":"integer","minimum":110},{"type":"object","properties":{"k":{"type":"string","description":"about 4"}}}]}`, []string{"110", "about 4"}},
	{`{"type":"object","properties":{"b":{"type":"string"},"c":{"type":"string"}},"anyOf":[{"required":["b"]},{"required":["c"]}]}`, []string{"anyOf"}},
	{`{"allOf":[{"$ref":"#/$defs/short"},{"description":"about 5"}]}`, []string{"about 5", "maxLength", "111"}},
	{`{"type":"object","additionalProperties":{"type":"integer","maximum":112},"minProperties":1}`, []string{"112", "minProperties"}},
	{`{"type":"object","properties":{"b":{"type":"string"}},"required":["b"],"additionalProperties":{"type":"integer","maximum":113}}`, []string{"113"}},
	{`{"type":"object","properties":{"b":{"type":"string"}},"dependentRequired":{"b":["c"]}}`, []string{"dependentRequired"}},
	{`{"type":"object","required":["undeclared"]}`, []string{"undeclared"}},
	{`{"type":"object","patternProperties":{"^x-":{"type":"integer"}}}`, []string{"patternProperties", "^x-"}},
	{`{"type":"string","not":{"const":"bad1"}}`, []string{"not", "bad1"}},
	{`{"enum":["a,b","c"]}`, []string{`"a,b"`, `"c"`}},
	{`{"enum":[1,"1",null,true]}`, []string{`1`, `"1"`, "null", "true"}},
}

// TestNothingDropped checks that every form shows everything in the schema of a parameter,
// except that the compact one leaves out descriptions of members.
func TestNothingDropped(t *testing.T) {
	escaped := strings.NewReplacer("&quot;", `"`, "&lt;", "<", "&gt;", ">", "&amp;", "&", `\"`, `"`, `\\`, `\`)
	forms := map[string]schemaForm{"signature": signatureForm}
	for _, d := range dialect.All() {
		forms[d.Name] = styleOf(d, false).schema
	}
	for _, tt := range facts {
		for _, place := range []string{
			`{"type":"object","properties":{"p":%s}%s}`,
			`{"type":"object","properties":{"p":{"type":"object","properties":{"q":%s}}}%s}`,
			`{"type":"object","properties":{"p":{"type":"array","items":%s}}%s}`,
		} {
			parameters := fmt.Sprintf(place, tt.schema, `,"$defs":{"short":{"type":"string","maxLength":111}}`)
			tools, err := newTools([]toolcall.ToolDefinition{{Name: "f", Parameters: []byte(parameters)}})
			if err != nil {
				t.Fatal(err)
			}
			for name, form := range forms {
				text, err := form(tools[0], 1)
				if err != nil {
					t.Fatal(err)
				}
				for _, want := range tt.want {
					if name == "signature" && strings.HasPrefix(want, "about") {
						continue
					}
					if !strings.Contains(escaped.Replace(text), want) {
						t.Errorf("%s: no %s of %s in\n%s", name, want, parameters, text)
					}
				}
			}
		}
	}
}

// TestTogether checks the same for what a schema says about all arguments together.
func TestTogether(t *testing.T) {
	tools, err := newTools([]toolcall.ToolDefinition{{Name: "f", Parameters: []byte(
		`{"type":"object","description":"about all","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}],"minProperties":1,"additionalProperties":{"type":"integer","maximum":99}}`)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dialect.All() {
		text, err := styleOf(d, false).schema(tools[0], 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"about all", "anyOf", "minProperties", "99"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in\n%s", d.Name, want, text)
			}
		}
	}
}

func TestTypeText(t *testing.T) {
	for _, tt := range []struct{ schema, want string }{
		{`{}`, `any`},
		{`{"type":["string","null"]}`, `string|null`},
		{`{"const":"x y"}`, `"x y"`},
		{`{"type":"array","items":{"enum":["a","b"]}}`, `("a"|"b")[]`},
		{`{"type":"array","items":{"type":"integer","minimum":1}}`, `(integer (minimum 1))[]`},
		{`{"type":"array","prefixItems":[{"type":"integer"},{"type":"boolean"}]}`, `[integer, boolean]`},
		{`{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"string"}}`, `[integer, ...string[]]`},
		{`{"type":"array","prefixItems":[{"type":"integer"}],"items":false}`, `[integer] (items false)`},
		{`{"type":"object","properties":{"a b":{"type":"string"},"größe":{}},"required":["größe"]}`, `{"a b"?: string, größe: any}`},
		{`{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"integer"}}`, `{a?: any, [key]: integer}`},
		{`{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}],"default":5}`, `integer (minimum 0)|null (default 5)`},
		{`{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":5}}`, `((integer|null) (default 5))[]`},
		{`{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{a?: {a?: ...}}`},
		{`{"type":"string","default":"null"}`, `string (default "null")`},
		{`{"type":"string","odd <key>":1}`, `string (also "odd <key>": 1)`},
	} {
		root, err := parseNode([]byte(tt.schema))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := documentOf(root).fullType(root, inFull); got != tt.want || err != nil {
			t.Errorf("%s\nis  %s %v\nnot %s", tt.schema, got, err, tt.want)
		}
	}
}

// TestTypeTextBound checks that the text of a type is bounded although references multiply.
func TestTypeTextBound(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/0","$defs":{`)
	for i := range 30 {
		fmt.Fprintf(&b, `"%d":{"properties":{"a":{"$ref":"#/$defs/%[2]d"},"b":{"$ref":"#/$defs/%[2]d"}}},`, i, i+1)
	}
	b.WriteString(`"30":{}}}`)
	root, err := parseNode([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := documentOf(root).fullType(root, inFull); err == nil {
		t.Error("it was written")
	}
}
