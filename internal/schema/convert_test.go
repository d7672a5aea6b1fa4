package schema

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/toolcall"
)

func mustCompile(t testing.TB, text string) *Schema {
	t.Helper()
	s, err := Compile(json.RawMessage(text))
	if err != nil {
		t.Fatalf("Compile(%s): %v", text, err)
	}
	return s
}

func TestConvert(t *testing.T) {
	const (
		integer = `{"type":"integer"}`
		number  = `{"type":"number"}`
		boolean = `{"type":"boolean"}`
		object  = `{"type":"object"}`
		array   = `{"type":"array"}`
	)
	long := strings.Repeat("1", maxScalar+1)
	tests := []struct {
		name, schema, text, want string
		used                     toolcall.Tolerances
	}{
		{"no schema", ``, `5`, `"5"`, 0},
		{"true", `true`, `5`, `"5"`, 0},
		{"anything", `{}`, `5`, `"5"`, 0},
		{"only a description", `{"description":"n"}`, `null`, `"null"`, 0},
		{"unknown type", `{"type":"any"}`, `5`, `"5"`, 0},
		{"string", `{"type":"string"}`, " null\n", `" null\n"`, 0},
		{"string escapes", `{"type":"string"}`, "a\"\\/\x01\x7f\u2028<&", `"a\"\\/\u0001` + "\x7f\u2028" + `<&"`, 0},
		{"string, invalid UTF-8", `{"type":"string"}`, "a\xe2\x82b\xff", `"a` + "\uFFFD\uFFFD" + `b` + "\uFFFD" + `"`, 0},

		{"integer", integer, " 42\n", `42`, 0},
		{"integer beyond 2^53", integer, "9007199254740993", `9007199254740993`, 0},
		{"integer with fraction of zeros", integer, "7.0", `7.0`, 0},
		{"integer with exponent", integer, "12.5e1", `12.5e1`, 0},
		{"negative zero", integer, "-0", `-0`, 0},
		{"integer gets fraction", integer, "7.5", `"7.5"`, toolcall.UnconvertedValue},
		{"integer with leading zeros", integer, "018956", `18956`, toolcall.CoercedType},
		{"integer of zeros", integer, "-000", `-0`, toolcall.CoercedType},
		{"integer with plus", integer, "+7", `7`, toolcall.CoercedType},
		{"integer with two signs", integer, "+-7", `"+-7"`, toolcall.UnconvertedValue},
		{"integer or string with leading zero", `{"type":["integer","string"]}`, "007", `"007"`, 0},
		{"number without whole part", number, "-.5", `-0.5`, toolcall.CoercedType},
		{"number that ends with its point", number, "5.", `5`, toolcall.CoercedType},
		{"number with leading zeros", number, "00.50e+3", `0.50e+3`, toolcall.CoercedType},
		{"number of a point", number, ".", `"."`, toolcall.UnconvertedValue},
		{"integer gets word", integer, "seven", `"seven"`, toolcall.UnconvertedValue},
		{"integer gets nothing", integer, "", `""`, toolcall.UnconvertedValue},
		{"integer too long", integer, long, `"` + long + `"`, toolcall.UnconvertedValue},
		{"integer at the limit", integer, long[1:], long[1:], 0},
		{"Gemini type", `{"type":"INTEGER"}`, "7", `7`, 0},
		{"alias", `{"type":"uint32"}`, "7", `7`, 0},
		{"number", number, "-1.50e+3", `-1.50e+3`, 0},
		{"number not finite", number, "NaN", `"NaN"`, toolcall.UnconvertedValue},
		{"number out of range of doubles", number, "1e999", `1e999`, 0},
		{"boolean", boolean, "TRUE", `true`, 0},
		{"boolean 0", boolean, " 0 ", `false`, 0},
		{"boolean 1", boolean, "1", `true`, 0},
		{"boolean yes", boolean, "yes", `"yes"`, toolcall.UnconvertedValue},
		{"boolean folds ASCII only", boolean, "fal\u017fe", "\"fal\u017fe\"", toolcall.UnconvertedValue},
		{"null", `{"type":"null"}`, "null", `null`, 0},
		{"null of Python", `{"type":["integer","null"]}`, "None", `null`, toolcall.PythonLiteral},

		{"object", object, ` {"a": [1, 2]} `, `{"a": [1, 2]}`, 0},
		{"object repaired", object, `{'a': True,}`, `{"a": true}`, toolcall.SingleQuotes | toolcall.PythonLiteral | toolcall.TrailingComma},
		{"object without closer", object, `{"a": [1]`, `{"a": [1]}`, toolcall.MissingCloser},
		{"object cut after a digit", object, `{"a": 1`, `"{\"a\": 1"`, toolcall.UnconvertedValue},
		{"object cut in a string", object, `{"a": "b`, `"{\"a\": \"b"`, toolcall.UnconvertedValue},
		{"object and more", object, `{"a":1} x`, `"{\"a\":1} x"`, toolcall.UnconvertedValue},
		{"object gets array", object, `[1]`, `"[1]"`, toolcall.UnconvertedValue},
		{"object gets nothing", object, "\n ", `{}`, 0},
		{"object implied", `{"properties":{"a":{}}}`, `{"a":1}`, `{"a":1}`, 0},
		{"object in UTF-8", object, "{\"a\":\"\xff\"}", "{\"a\":\"\uFFFD\"}", 0},
		{"object too deep", object, strings.Repeat(`{"a":`, 129) + "1" + strings.Repeat("}", 129),
			jsonvalue.Quote(strings.Repeat(`{"a":`, 129) + "1" + strings.Repeat("}", 129)), toolcall.UnconvertedValue},
		{"array", array, `["a",1]`, `["a",1]`, 0},
		{"array gets nothing", array, ``, `[]`, 0},
		{"array implied", `{"items":{"type":"integer"}}`, `[1]`, `[1]`, 0},
		{"array or string gets nothing", `{"type":["array","string"]}`, ``, `""`, 0},
		{"array with its quotes escaped", array, `[{\"a\": \"b \\\\n\"}]`, `[{"a": "b \\n"}]`, toolcall.StringArguments},
		{"object with its quotes escaped", object, `{\"a\":\n1}`, "{\"a\":\n1}", toolcall.StringArguments},
		{"object or string with its quotes escaped", `{"type":["object","string"]}`, `{\"a\":1}`, `"{\\\"a\\\":1}"`, 0},
		{"object with one quote escaped", object, `{\"a":1}`, `"{\\\"a\":1}"`, toolcall.UnconvertedValue},
		{"array of bare words", array, `[a, b]`, `"[a, b]"`, toolcall.UnconvertedValue},

		{"several: null first", `{"type":["string","null"]}`, "null", `null`, 0},
		{"several: null among strings is exact", `{"type":["string","null"]}`, "None", `"None"`, 0},
		{"several: integer", `{"type":["string","integer"]}`, "5", `5`, 0},
		{"several: number", `{"type":["boolean","number"]}`, "1", `1`, 0},
		{"several: string", `{"type":["string","object"]}`, "7", `"7"`, 0},
		{"several: object", `{"type":["string","object"]}`, `{"a":1}`, `{"a":1}`, 0},
		{"several: no object after all", `{"type":["string","object"]}`, `{a`, `"{a"`, 0},
		{"nullable", `{"type":"STRING","nullable":true}`, "null", `null`, 0},
		{"nullable alone", `{"nullable":true}`, "null", `"null"`, 0},
		{"anyOf", `{"anyOf":[{"type":"integer"},{"type":"null"}]}`, "null", `null`, 0},
		{"anyOf with anything", `{"anyOf":[{"type":"integer"},{}]}`, "x", `"x"`, 0},
		{"oneOf", `{"oneOf":[{"type":"number"}]}`, "2.5", `2.5`, 0},
		{"anyOf narrows", `{"type":["integer","string"],"anyOf":[{"type":"string"}]}`, "5", `"5"`, 0},
		{"anyOf that restricts no type", `{"type":"integer","anyOf":[{"minimum":1},{"maximum":-1}]}`, "5", `5`, 0},
		{"allOf", `{"allOf":[{"type":"integer"},{"minimum":3}]}`, "5", `5`, 0},
		{"allOf meets", `{"allOf":[{"type":["string","number"]},{"type":["integer","boolean"]}]}`, "5", `5`, 0},
		{"ref", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"integer"}}}`, "5", `5`, 0},
		{"old ref", `{"$ref":"#/definitions/n~1m%20x","definitions":{"n/m x":{"type":"integer"}}}`, "5", `5`, 0},

		{"enum of integers", `{"enum":[1,2]}`, "2", `2`, 0},
		{"enum of integers, none", `{"enum":[1,2]}`, "3", `3`, 0},
		{"enum of strings", `{"enum":["1","2"]}`, "1", `"1"`, 0},
		{"mixed enum, string", `{"enum":["auto",1]}`, "auto", `"auto"`, 0},
		{"mixed enum, number", `{"enum":["auto",1]}`, "1.0", `1.0`, 0},
		{"mixed enum, digits as string", `{"enum":["7",true]}`, "7", `"7"`, 0},
		{"mixed enum, both", `{"enum":["1",1]}`, "1", `1`, 0},
		{"mixed enum, boolean", `{"enum":["x",false]}`, "False", `false`, 0},
		{"mixed enum, null", `{"enum":["x",null]}`, "null", `null`, 0},
		{"typed enum", `{"type":"string","enum":["1"]}`, "1", `"1"`, 0},
		{"digits in an enum of a number", `{"type":["string","integer"],"enum":["1",2]}`, "1", `"1"`, 0},
		{"const", `{"const":1}`, "1", `1`, 0},
		{"const null", `{"const":null}`, "null", `null`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := mustCompile(t, tt.schema)
			got, used := s.Convert(tt.text)
			if got != tt.want || used != tt.used {
				t.Errorf("Convert(%.60q) = %.100s (%v), want %.100s (%v)", tt.text, got, used, tt.want, tt.used)
			}
			if !json.Valid([]byte(got)) {
				t.Errorf("%q is no JSON", got)
			}
		})
	}
}

// TestMayConvertOfNumbers checks all short texts of the bytes that numbers contain.
func TestMayConvertOfNumbers(t *testing.T) {
	for _, kind := range []string{`"integer"`, `"number"`, `["number","string"]`} {
		s := mustCompile(t, `{"type":`+kind+`}`)
		var walk func(text string)
		walk = func(text string) {
			if checkConvert(t, s, text); len(text) < 5 {
				for _, c := range "+-.05eE " {
					walk(text + string(c))
				}
			}
		}
		walk("")
	}
}
