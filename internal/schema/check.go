package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Why [Check] refuses a schema that [Compile] reads.
var (
	ErrType          = errors.New("there is no such type")
	ErrValue         = errors.New("the keyword cannot have this value")
	ErrUnsatisfiable = errors.New("no value can fit")
)

// Check refuses a schema that JSON Schema (draft 2020-12) does not allow, or whose
// own bounds rule each other out. It is for those who declare tools: [Compile], for
// those who read calls of them, passes over what makes no sense.
//
// What other drafts, OpenAPI and Gemini write otherwise is allowed, as Compile reads
// it: names of types in capitals, keywords that are null, numbers in quotes. So are
// patterns that only ECMAScript has. The error is an *[Error]. It costs time linear in
// the schema.
func Check(raw json.RawMessage) error {
	if isBlank(raw) {
		return nil
	}
	doc, err := parse(raw)
	if err != nil {
		return &Error{Err: err}
	}
	if doc.kind == typeNull {
		return nil
	}
	return checkSchema(doc, nil)
}

// rule checks the value of a keyword.
type rule func(v *value, at *place) error

// ruleOf is the rule of a keyword, and nil where its value may be anything.
func ruleOf(keyword string) rule {
	switch keyword {
	case "not", "if", "then", "else", "contains", "propertyNames", "additionalItems", "additionalProperties",
		"unevaluatedItems", "unevaluatedProperties":
		return checkSchema
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return checkSchemas
	case "properties", "dependentSchemas", "$defs", "definitions":
		return checkMembers
	case "patternProperties":
		return checkPatternMembers
	case "items":
		return checkItems
	case "type":
		return checkType
	case "enum":
		return checkEnum
	case "required":
		return checkRequired
	case "dependentRequired":
		return checkDependents
	case "dependencies":
		return checkDependencies
	case "minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties":
		return checkCount
	case "minimum", "maximum":
		return checkNumber
	case "multipleOf":
		return checkStep
	case "exclusiveMinimum", "exclusiveMaximum":
		return checkExclusive
	case "pattern":
		return checkPattern
	case "uniqueItems", "nullable":
		return ofKind(typeBoolean)
	case "$ref", "format", "title", "description":
		return ofKind(typeString)
	case "examples":
		return ofKind(typeArray)
	}
	return nil
}

func checkSchema(v *value, at *place) error {
	switch v.kind {
	case typeBoolean:
		return nil
	case typeObject:
	default:
		return at.fail(ErrNotASchema)
	}
	for _, keyword := range v.names {
		check, member := ruleOf(keyword), v.get(keyword)
		if check == nil || member == nil {
			continue
		}
		if err := check(member, at.member(keyword)); err != nil {
			return err
		}
	}
	return checkBounds(v, at)
}

func checkSchemas(v *value, at *place) error {
	if v.kind != typeArray || len(v.elems) == 0 {
		return at.fail(fmt.Errorf("%w: want a list of schemas", ErrKeyword))
	}
	for i, elem := range v.elems {
		if err := checkSchema(elem, at.member(strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

func checkItems(v *value, at *place) error {
	switch {
	case v.kind != typeArray:
		return checkSchema(v, at)
	case len(v.elems) == 0:
		return nil
	}
	return checkSchemas(v, at) // before draft 2020
}

// eachMember checks the members of an object.
func eachMember(v *value, at *place, what string, check func(name string, v *value, at *place) error) error {
	if v.kind != typeObject {
		return at.fail(fmt.Errorf("%w: want an object of %s", ErrKeyword, what))
	}
	for _, name := range v.names {
		if err := check(name, v.members[name], at.member(name)); err != nil {
			return err
		}
	}
	return nil
}

func checkMembers(v *value, at *place) error {
	return eachMember(v, at, "schemas", func(_ string, v *value, at *place) error { return checkSchema(v, at) })
}

func checkPatternMembers(v *value, at *place) error {
	return eachMember(v, at, "schemas", func(pattern string, v *value, at *place) error {
		if err := patternFault(pattern); err != nil {
			return at.fail(err)
		}
		return checkSchema(v, at)
	})
}

func checkDependents(v *value, at *place) error {
	return eachMember(v, at, "lists of names", func(_ string, v *value, at *place) error { return checkNames(v, at) })
}

func checkDependencies(v *value, at *place) error {
	return eachMember(v, at, "schemas or lists of names", func(_ string, v *value, at *place) error {
		if v.kind == typeArray {
			return checkNames(v, at)
		}
		return checkSchema(v, at)
	})
}

func checkNames(v *value, at *place) error {
	if v.kind != typeArray {
		return at.fail(fmt.Errorf("%w: want a list of names", ErrKeyword))
	}
	for i, name := range v.elems {
		if name.kind != typeString {
			return at.member(strconv.Itoa(i)).fail(fmt.Errorf("%w: want a name", ErrKeyword))
		}
	}
	return nil
}

func checkRequired(v *value, at *place) error {
	if v.kind == typeBoolean { // draft 3, at each property
		return nil
	}
	return checkNames(v, at)
}

func checkType(v *value, at *place) error {
	if v.kind != typeArray {
		return checkTypeName(v, at)
	}
	if len(v.elems) == 0 {
		return at.fail(fmt.Errorf("%w: want a name or a list of names", ErrKeyword))
	}
	for i, name := range v.elems {
		if err := checkTypeName(name, at.member(strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

func checkTypeName(v *value, at *place) error {
	if v.kind != typeString {
		return at.fail(fmt.Errorf("%w: want a name or a list of names", ErrKeyword))
	}
	switch strings.ToLower(v.text) {
	case "any", "type_unspecified":
		return nil
	}
	if typeNamed(v.text) == 0 {
		return at.fail(&typeError{v.text})
	}
	return nil
}

// typeError is ErrType with the word.
type typeError struct{ word string }

func (e *typeError) Error() string {
	word := shorten(e.word, maxQuoted)
	message := fmt.Sprintf("%v: %s", ErrType, quote(word))
	if hint := didYouMean(strings.ToLower(word), typeNames[:]); hint != "" {
		return message + hint
	}
	return message + ", only " + enumerate(typeNames[:], func(name string) string { return name })
}

func (e *typeError) Unwrap() error { return ErrType }

func checkEnum(v *value, at *place) error {
	switch {
	case v.kind != typeArray:
		return at.fail(fmt.Errorf("%w: want a list", ErrKeyword))
	case len(v.elems) == 0:
		return at.fail(fmt.Errorf("%w: the list is empty", ErrUnsatisfiable))
	}
	return nil
}

func ofKind(kind typeSet) rule {
	return func(v *value, at *place) error {
		if v.kind != kind {
			return at.fail(fmt.Errorf("%w: want %s, not %s", ErrKeyword, kind, literal(v)))
		}
		return nil
	}
}

// checkNumber lets a number stand in quotes, as in Gemini's protobuf JSON.
func checkNumber(v *value, at *place) error {
	if v.kind != typeNumber && v.kind != typeString || !isNumber(v.text) {
		return at.fail(fmt.Errorf("%w: want a number, not %s", ErrKeyword, literal(v)))
	}
	return nil
}

func checkExclusive(v *value, at *place) error {
	if v.kind == typeBoolean { // draft 4
		return nil
	}
	return checkNumber(v, at)
}

func checkStep(v *value, at *place) error {
	if err := checkNumber(v, at); err != nil {
		return err
	}
	if parseDecimal(v.text).sign() <= 0 {
		return at.fail(fmt.Errorf("%w: it must be greater than 0, not %s", ErrValue, literal(v)))
	}
	return nil
}

func checkCount(v *value, at *place) error {
	if err := checkNumber(v, at); err != nil {
		return err
	}
	if d := parseDecimal(v.text); d.negative || !d.integral() {
		return at.fail(fmt.Errorf("%w: it must be a whole number, 0 or more, not %s", ErrValue, literal(v)))
	}
	return nil
}

func checkPattern(v *value, at *place) error {
	if v.kind != typeString {
		return at.fail(fmt.Errorf("%w: want a string, not %s", ErrKeyword, literal(v)))
	}
	if err := patternFault(v.text); err != nil {
		return at.fail(err)
	}
	return nil
}

// checkBounds refuses lower bounds above the upper ones.
func checkBounds(v *value, at *place) error {
	low, high := readBound(v, "minimum", "exclusiveMinimum", -1), readBound(v, "maximum", "exclusiveMaximum", +1)
	if low != nil && high != nil {
		order := low.compare(high.decimal)
		if order > 0 || order == 0 && (low.exclusive || high.exclusive) {
			lowest, highest := low.rule("exclusiveMinimum", "minimum"), high.rule("exclusiveMaximum", "maximum")
			return at.member(lowest).fail(fmt.Errorf("%w: %s %s and %s %s", ErrUnsatisfiable,
				lowest, shorten(low.text, maxQuoted), highest, shorten(high.text, maxQuoted)))
		}
	}
	counted := []string{"Length", "Items", "Properties"}
	if v.get("contains") != nil {
		counted = append(counted, "Contains")
	}
	for _, what := range counted {
		low, some := v.number("min" + what)
		high, limited := v.number("max" + what)
		if some && limited && parseDecimal(low).compare(parseDecimal(high)) > 0 {
			return at.member("min" + what).fail(fmt.Errorf("%w: min%s %s and max%s %s", ErrUnsatisfiable,
				what, shorten(low, maxQuoted), what, shorten(high, maxQuoted)))
		}
	}
	return nil
}
