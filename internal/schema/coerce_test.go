package schema

import (
	"testing"

	"github.com/toolparse/toolparse/toolcall"
)

func TestCoerce(t *testing.T) {
	const tool = `{"properties":{
		"s":{"type":"string"}, "i":{"type":"integer"}, "n":{"type":["number","null"]}, "b":{"type":"boolean"},
		"list":{"type":"array","items":{"type":"integer"}}, "any":{"type":"array"}, "x":{},
		"o":{"type":"object","properties":{"i":{"type":"integer"}}},
		"os":{"type":"array","items":{"type":"object","properties":{"i":{"type":"integer"}}}},
		"pair":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]},
		"deep":{"$ref":"#/$defs/deep"}},
		"$defs":{"deep":{"type":"array","items":{"$ref":"#/$defs/deep"}}}}`
	const coerced = toolcall.CoercedType
	tests := []struct {
		name, doc, want string
		used            toolcall.Tolerances
	}{
		{"nothing to do", ` { "s" : "5", "i":5, "x":"7" } `, ` { "s" : "5", "i":5, "x":"7" } `, 0},
		{"no JSON", `{"i":"5"`, `{"i":"5"`, 0},
		{"string to integer", `{ "i" : "9007199254740993" , "s":""}`, `{ "i" : 9007199254740993 , "s":""}`, coerced},
		{"string with blanks", `{"i":" 5\n"}`, `{"i":5}`, coerced},
		{"string that is no integer", `{"i":"5.5"}`, `{"i":"5.5"}`, 0},
		{"number is no integer", `{"i":5.5}`, `{"i":5.5}`, 0},
		{"string to number", `{"n":"-1e3"}`, `{"n":-1e3}`, coerced},
		{"string to null", `{"n":"null"}`, `{"n":null}`, coerced},
		{"string to boolean", `{"b":"True"}`, `{"b":true}`, coerced},
		{"digit is no boolean", `{"b":"1"}`, `{"b":"1"}`, 0},
		{"number is no boolean", `{"b":1}`, `{"b":1}`, 0},
		{"number to string", `{"s":1.50}`, `{"s":"1.50"}`, coerced},
		{"boolean to string", `{"s":true}`, `{"s":"true"}`, coerced},
		{"null stays", `{"s":null,"list":null}`, `{"s":null,"list":null}`, 0},
		{"object stays", `{"s":{"a":1}}`, `{"s":{"a":1}}`, 0},
		{"string to object", `{"o":"{\"i\":\"5\"}"}`, `{"o":{"i":5}}`, coerced},
		{"string to object, mended", `{"o":"{'i':5}"}`, `{"o":{"i":5}}`, coerced | toolcall.SingleQuotes},
		{"string to array", `{"list":"[1, \"2\"]"}`, `{"list":[1, 2]}`, coerced},
		{"empty string stays", `{"list":"","o":""}`, `{"list":"","o":""}`, 0},
		{"scalar to array", `{"list":5}`, `{"list":[5]}`, coerced},
		{"string to array of integers", `{"list":"5"}`, `{"list":[5]}`, coerced},
		{"word to array of integers", `{"list":"five"}`, `{"list":"five"}`, 0},
		{"word to array of anything", `{"any":"five"}`, `{"any":["five"]}`, coerced},
		{"object to array", `{"os":{"i":"5"}}`, `{"os":[{"i":5}]}`, coerced},
		{"by place", `{"pair":[1,"2","3"]}`, `{"pair":["1",2,"3"]}`, coerced},
		{"arrays without end", `{"deep":"5"}`, `{"deep":"5"}`, 0},
		{"arrays without end in a string", `{"deep":"[[]]"}`, `{"deep":[[]]}`, coerced},
		{"a member twice", `{"i":"1","b":"true","i":"2"}`, `{"i":"1","b":true,"i":2}`, coerced},
	}
	s := mustCompile(t, tool)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, used := s.Coerce([]byte(tt.doc))
			if string(got) != tt.want || used != tt.used {
				t.Errorf("Coerce(%s) = %s (%v), want %s (%v)", tt.doc, got, used, tt.want, tt.used)
			}
		})
	}
}
