package schema

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// typeSet is a set of JSON types.
type typeSet uint8

// The types, in the order in which Convert tries them.
const (
	typeNull typeSet = 1 << iota
	typeInteger
	typeNumber
	typeBoolean
	typeObject
	typeArray
	typeString
)

var (
	typeNames   = [...]string{"null", "integer", "number", "boolean", "object", "array", "string"}
	typePhrases = [...]string{"null", "an integer", "a number", "a boolean", "an object", "an array", "a string"}
)

var typeOfKind = [...]typeSet{
	jsonvalue.Null: typeNull, jsonvalue.Bool: typeBoolean, jsonvalue.Number: typeNumber,
	jsonvalue.String: typeString, jsonvalue.Array: typeArray, jsonvalue.Object: typeObject,
}

// typeOf returns the type of a value, distinguishing whole numbers.
func typeOf(v *value) typeSet {
	if v.Kind == jsonvalue.Number && jsonvalue.ParseDecimal(v.Text).IsInteger() {
		return typeInteger
	}
	return typeOfKind[v.Kind]
}

// typeAliases maps the names that schemas use for types, in lower case.
var typeAliases = map[string]typeSet{
	"null": typeNull, "none": typeNull,
	"integer": typeInteger, "int": typeInteger, "int8": typeInteger, "int16": typeInteger, "int32": typeInteger,
	"int64": typeInteger, "uint": typeInteger, "uint8": typeInteger, "uint16": typeInteger, "uint32": typeInteger,
	"uint64": typeInteger, "long": typeInteger, "short": typeInteger,
	"number": typeNumber, "float": typeNumber, "float32": typeNumber, "float64": typeNumber, "double": typeNumber,
	"boolean": typeBoolean, "bool": typeBoolean,
	"object": typeObject, "dict": typeObject, "map": typeObject,
	"array": typeArray, "list": typeArray, "tuple": typeArray,
	"string": typeString, "str": typeString,
}

// typeNamed returns the type with this name, or 0 for a name without meaning, such as "any"
// or "TYPE_UNSPECIFIED".
func typeNamed(name string) typeSet { return typeAliases[strings.ToLower(name)] }

// namesUnder returns the names under the keyword type: a single one, or those in a list.
func namesUnder(k *value) []*value {
	if k.Is(jsonvalue.Array) {
		return k.List
	}
	return []*value{k}
}

// typeName returns the JSON Schema name of a type, given any of its names, or "" for a name
// without meaning.
func typeName(word string) string {
	for i, name := range typeNames {
		if typeNamed(word) == 1<<i {
			return name
		}
	}
	return ""
}

// meet returns what two restrictions allow together; 0 stands for no restriction. If they
// contradict each other, the first one wins.
func (t typeSet) meet(u typeSet) typeSet {
	if t == 0 {
		return u
	}
	if u == 0 {
		return t
	}
	both := t & u
	if t.fits(typeInteger) && u.fits(typeInteger) {
		both |= typeInteger
	}
	if both == 0 {
		return t
	}
	return both
}

// fits reports whether t allows a value of the single type u.
func (t typeSet) fits(u typeSet) bool {
	return t&u != 0 || u == typeInteger && t&typeNumber != 0
}

// String describes the set in English: "an integer, a string or null".
func (t typeSet) String() string {
	var words []string
	for i, phrase := range typePhrases {
		if t&(1<<i) != 0 {
			words = append(words, phrase)
		}
	}
	if t&typeNull != 0 {
		words = append(words[1:], words[0])
	}
	return orList(words)
}

// orList joins words as "a, b or c".
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
