package schema

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestValidateKeywords words what breaks the keywords that tools have less often.
func TestValidateKeywords(t *testing.T) {
	for _, test := range []struct {
		schema, doc string
		want        []string
	}{
		{`{"not":{"required":["rm"]}}`, `{"rm":1}`, []string{` not: must not have the parameter "rm"; leave it out`}},
		{`{"not":{"required":["a","b"]}}`, `{"a":1,"b":2}`, []string{` not: must not have "a", "b" together; leave one out`}},
		{`{"not":{"required":["a","b"]}}`, `{"a":1}`, nil},
		{`{"properties":{"p":{"not":{"enum":["/","/etc"]}}}}`, `{"p":"/etc"}`, []string{`/p not: must not be one of "/", "/etc"`}},
		{`{"properties":{"p":{"not":{"pattern":"^/etc"}}}}`, `{"p":"/etc/x"}`, []string{`/p not: must not match the pattern ^/etc, but is the string "/etc/x"`}},
		{`{"properties":{"p":{"not":{"type":"null"}}}}`, `{"p":null}`, []string{`/p not: must not be null, but is null`}},
		{`{"properties":{"p":{"not":{"minimum":3}}}}`, `{"p":3}`, []string{`/p not: is ruled out by the tool (keyword not): the number 3; send something else`}},
		{`{"minProperties":2}`, `{"a":1}`, []string{" minProperties: must have at least 2 parameters, but has 1"}},
		{`{"properties":{"o":{"maxProperties":1}}}`, `{"o":{"a":1,"b":2}}`, []string{"/o maxProperties: must have at most 1 member, but has 2"}},
		{`{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":1,"b":2}`, []string{
			` oneOf: fits more than one of the 2 alternatives, but must fit exactly one; do not send "a", "b" together`}},
		{`{"properties":{"n":{"oneOf":[{"type":"integer"},{"minimum":5},{"type":"string"}]}}}`, `{"n":7}`, []string{
			`/n oneOf: fits more than one of the 3 alternatives, but must fit exactly one`}},
		{`{"dependentRequired":{"a":["b","c"]}}`, `{"a":1,"c":2}`, []string{` dependentRequired: the parameter "b" is missing, which "a" needs beside it; add it`}},
		{`{"dependencies":{"a":["b"]}}`, `{"a":1}`, []string{` dependentRequired: the parameter "b" is missing, which "a" needs beside it; add it`}},
		{`{"dependentSchemas":{"a":{"properties":{"b":{"type":"string"}}}}}`, `{"a":1,"b":2}`, []string{`/b type: must be a string, but is the number 2; put it in quotes: "2"`}},
		{`{"if":{"properties":{"k":{"const":"x"}}},"then":{"required":["v"]},"else":{"required":["w"]}}`, `{"k":"x"}`, []string{
			` required: the required parameter "v" is missing; add it`}},
		{`{"if":{"properties":{"k":{"const":"x"}}},"then":{"required":["v"]},"else":{"required":["w"]}}`, `{"k":"y"}`, []string{
			` required: the required parameter "w" is missing; add it`}},
		{`{"propertyNames":{"pattern":"^[a-z]+$"}}`, `{"a":1,"B":2}`, []string{`/B propertyNames: this name is not allowed: it must match the pattern ^[a-z]+$, but is the string "B"`}},
		{`{"propertyNames":false}`, `{"a":1}`, []string{`/a propertyNames: this name is not allowed`}},
		{`{"properties":{"l":{"contains":{"type":"integer"}}}}`, `{"l":["a"]}`, []string{
			"/l contains: must have at least 1 element of the kind that the tool asks for (an integer), but has 0"}},
		{`{"properties":{"l":{"contains":{"const":"x"},"minContains":2,"maxContains":3}}}`, `{"l":["x"]}`, []string{
			`/l minContains: must have at least 2 elements of the value "x", but has 1`}},
		{`{"properties":{"l":{"contains":{"minimum":5},"maxContains":1}}}`, `{"l":[5,6,1]}`, []string{
			"/l maxContains: must have at most 1 element of the kind that the tool asks for, but has 2"}},
		{`{"unevaluatedProperties":false,"allOf":[{"properties":{"a":{}}}]}`, `{"a":1,"b":2}`, []string{`/b unevaluatedProperties: there is no parameter "b" here; leave it out`}},
		{`{"unevaluatedProperties":{"type":"integer"},"properties":{"a":{}}}`, `{"a":"x","b":"y"}`, []string{
			`/b type: must be an integer, but is the string "y"; send a number, without quotes`}},
		{`{"properties":{"l":{"prefixItems":[{}],"unevaluatedItems":false}}}`, `{"l":[1,2]}`, []string{`/l/1 unevaluatedItems: there is no element 1 in such a list; leave it out`}},
		{`{"const":{"a":1},"enum":[{"a":2}]}`, `{"a":1}`, []string{" enum: must be {...}, but is an object"}},
		{`{"properties":{"n":{"multipleOf":0.01}}}`, `{"n":0.07}`, nil},
		{`{"properties":{"n":{"multipleOf":7}}}`, `{"n":1e400}`, []string{"/n multipleOf: must be a multiple of 7, but is the number 1e400"}},
		{`{"properties":{"p":{"pattern":"^(?!/etc).*$"}}}`, `{"p":"/etc/passwd"}`, []string{`/p pattern: must match the pattern ^(?!/etc).*$, but is the string "/etc/passwd"`}},
		{`{"patternProperties":{"^(?!x-)":{"type":"integer"}}}`, `{"x-a":"b","y":"z"}`, []string{`/y type: must be an integer, but is the string "z"; send a number, without quotes`}},

		{`{"properties":{"a":{"$ref":"#addr"}},"$defs":{"x":{"$anchor":"addr","type":"string"}}}`, `{"a":5}`, []string{`/a type: must be a string, but is the number 5; put it in quotes: "5"`}},
		{`{"$id":"https://example.com/tool","properties":{"a":{"$ref":"https://example.com/place"},"b":{"$ref":"place#/$defs/lat"}},
			"$defs":{"p":{"$id":"/place","type":"object","required":["lat"],"$defs":{"lat":{"type":"number"}}}}}`, `{"a":{},"b":"n"}`, []string{
			`/a required: the required member "lat" is missing; add it`, `/b type: must be a number, but is the string "n"; send a number, without quotes`}},
		{`{"properties":{"a":{"$ref":"#/$defs/p"}},"$defs":{"p":{"$id":"p","properties":{"x":{"$ref":"#/$defs/s"}}},"s":{"type":"string"}}}`, `{"a":{"x":1}}`, []string{
			`/a/x type: must be a string, but is the number 1; put it in quotes: "1"`}},
		{`{"properties":{"a":{"$ref":"#n"}},"definitions":{"n":{"$id":"#n","type":"null"}}}`, `{"a":1}`, []string{`/a type: must be null, but is the number 1`}},
		{`{"$dynamicAnchor":"node","properties":{"next":{"$dynamicRef":"#node"}},"additionalProperties":false}`, `{"next":{"x":1}}`, []string{
			`/next/x additionalProperties: there is no member "x", only "next"; leave it out`}},
	} {
		if diff := cmp.Diff(test.want, report(mustCompile(t, test.schema), test.doc)); diff != "" {
			t.Errorf("%s with %s (-want +got):\n%s", test.schema, test.doc, diff)
		}
	}
}

// TestVerdict holds the validator to what the keywords mean where validators differ, or
// in other drafts.
func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		schema, doc string
		want        bool
	}{
		{`{"type":"integer"}`, `1.0`, true},
		{`{"type":"dict"}`, `{}`, true},
		{`{"type":"STRING","nullable":true}`, `null`, true},
		{`{"enum":[1.0,"a"]}`, `1`, true},
		{`{"const":{"a":1,"b":2}}`, `{"b":2,"a":1e0}`, true},
		{`{"const":9007199254740993}`, `9007199254740992`, false},
		{`{"multipleOf":0.1}`, `0.3`, true},
		{`{"minimum":5,"exclusiveMinimum":true}`, `5`, false},
		{`{"minimum":1}`, `1e99999`, true},
		{`{"maximum":1}`, `1e99999999999`, false},
		{`{"maxLength":2}`, `"äö"`, true},
		{`{"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`, false},
		{`{"minContains":0,"contains":{"type":"string"}}`, `[]`, true},
		{`{"minContains":2}`, `[]`, true},
		{`{"unevaluatedProperties":false,"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"properties":{"b":true}}}`, `{"a":1,"b":2}`, true},
		{`{"unevaluatedItems":false,"prefixItems":[true],"contains":{"const":7}}`, `[1,7]`, true},
		{`{"then":{"required":["a"]},"else":{"required":["b"]}}`, `{}`, true},
		{`{"enum":[[1,2],{"a":null}]}`, `{"a":null}`, true},
		{`{"uniqueItems":true}`, `[1,true,"1",[1],{"a":1},null,0,false]`, true},
	} {
		if got := report(mustCompile(t, test.schema), test.doc); (len(got) == 0) != test.want {
			t.Errorf("%s with %s: %v", test.schema, test.doc, got)
		}
	}
}

// TestUnchecked: what hangs on a pattern that cannot be checked is told, and only that.
func TestUnchecked(t *testing.T) {
	const twin = `{"pattern":"^(a)\\1$"}`
	for schema, want := range map[string]string{
		twin:                   "unchecked",
		`{"not":` + twin + `}`: "unchecked",
		`{"anyOf":[` + twin + `,{"minLength":1}]}`:                          "",
		`{"oneOf":[` + twin + `,{"minLength":1}]}`:                          "unchecked",
		`{"allOf":[` + twin + `,{"minLength":2}]}`:                          "minLength unchecked",
		`{"oneOf":[` + twin + `,{"minLength":1},{"maxLength":3}]}`:          "oneOf",
		`{"if":` + twin + `,"then":{"maxLength":3},"else":{"minLength":1}}`: "",
		`{"if":` + twin + `,"then":{"minLength":3},"else":{"minLength":2}}`: "minLength unchecked",
		`{"if":` + twin + `,"then":{"minLength":3}}`:                        "unchecked",
		`{"enum":["b"],"pattern":"(a)\\1"}`:                                 "enum",
		`{"minLength":1,"pattern":"a{100000}"}`:                             "unchecked",
	} {
		problems, unchecked := mustCompile(t, schema).Validate([]byte(`"a"`))
		var got []string
		for _, p := range problems {
			got = append(got, p.Rule)
		}
		if len(unchecked) > 0 {
			got = append(got, "unchecked")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: problems %v, unchecked %v, want %q", schema, problems, unchecked, want)
		}
	}
	for schema, want := range map[string]bool{
		`{"patternProperties":{"(a)\\1":{"type":"integer"}},"additionalProperties":false}`:                       true,
		`{"patternProperties":{"(a)\\1":{"type":"integer"}}}`:                                                    false,
		`{"patternProperties":{"(a)\\1":{"type":"string"}}}`:                                                     true,
		`{"properties":{"a":{}},"patternProperties":{"(a)\\1":{"type":"integer"}},"additionalProperties":false}`: false,
	} {
		if problems, unchecked := mustCompile(t, schema).Validate([]byte(`{"a":1}`)); len(problems) > 0 || (len(unchecked) > 0) != want {
			t.Errorf("%s: %v, %v", schema, problems, unchecked)
		}
	}
}

// TestValidateHostile: schemas that multiply, or lead to themselves, are given up soon,
// with an outcome that says so, and overflow no stack.
func TestValidateHostile(t *testing.T) {
	doubling := func(n int, part, last string) string {
		var defs strings.Builder
		for i := range n {
			next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
			fmt.Fprintf(&defs, `"d%d":%s,`, i, strings.ReplaceAll(part, "NEXT", next))
		}
		return fmt.Sprintf(`{"$ref":"#/$defs/d0","$defs":{%s"d%d":%s}}`, defs.String(), n, last)
	}
	for _, schema := range []string{
		doubling(26, `{"allOf":[NEXT,NEXT]}`, `{"type":"object"}`),
		doubling(60, `{"not":{"anyOf":[NEXT,NEXT]}}`, `{"not":{}}`),
		doubling(60, `{"oneOf":[NEXT,{"not":NEXT}]}`, `{"required":["x"]}`),
		doubling(60, `{"if":NEXT,"then":NEXT,"else":NEXT}`, `{"required":["x"]}`),
		doubling(60, `{"anyOf":[NEXT,NEXT],"unevaluatedProperties":false}`, `{"required":["x"]}`),
		`{"not":{"$ref":"#"}}`, `{"if":{"$ref":"#"},"then":{"$ref":"#"}}`, `{"dependentSchemas":{"a":{"$ref":"#"}}}`,
		`{"$dynamicAnchor":"a","$dynamicRef":"#a"}`,
	} {
		s := mustCompile(t, schema)
		from := time.Now()
		problems, _ := s.Validate([]byte(`{"a":1}`))
		if len(problems) == 0 || problems[len(problems)-1].Rule != "limit" {
			t.Errorf("%.80s: %v, want the limit", schema, problems)
		}
		if took := time.Since(from); took > 10*time.Second {
			t.Errorf("%.80s: took %v", schema, took)
		}
	}
	deep := mustCompile(t, doubling(4000, `{"allOf":[NEXT],"minProperties":1}`, `{"required":["x"]}`))
	if got := report(deep, `{"a":1}`); len(got) != 1 || !strings.HasPrefix(got[0], " required:") {
		t.Errorf("a deep chain: %v", got)
	}
	nested := mustCompile(t, doubling(4000, `{"allOf":[NEXT],"properties":{"a":{"$ref":"#"}}}`, `{}`))
	if got := report(nested, strings.Repeat(`{"a":`, 200)+"1"+strings.Repeat("}", 200)); len(got) != 1 {
		t.Errorf("a deep chain at each level: %v", got)
	}
}
