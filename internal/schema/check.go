package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// The reasons why [Check] rejects a schema that [Compile] accepts.
var (
	ErrType          = errors.New("unknown type")
	ErrValue         = errors.New("invalid value for the keyword")
	ErrUnsatisfiable = errors.New("no value can fit")
)

// Check rejects a schema that JSON Schema (draft 2020-12) does not allow, or whose bounds
// contradict each other. It is meant for those who declare tools. [Compile], which is meant
// for those who read calls, ignores what makes no sense.
//
// Check accepts the variants of other drafts, OpenAPI and Gemini, as Compile reads them:
// type names in capitals, keywords that are null, numbers in quotes. It also accepts
// patterns that only ECMAScript has. The error is an *[Error]. The time is linear in the
// schema.
func Check(raw json.RawMessage) error {
	if isBlank(raw) {
		return nil
	}
	doc, err := jsonvalue.Parse(raw)
	if err != nil {
		return &Error{Err: err}
	}
	if doc.Is(jsonvalue.Null) {
		return nil
	}
	return checkSchema(doc, nil)
}

// rule checks the value of a keyword at a place in the schema.
type rule func(v *value, at *place) error

// ruleOf returns the rule of a keyword, or nil if any value is allowed.
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
		return ofKind(jsonvalue.Bool)
	case "$ref", "format", "title", "description":
		return ofKind(jsonvalue.String)
	case "examples":
		return ofKind(jsonvalue.Array)
	}
	return nil
}

func checkSchema(v *value, at *place) error {
	switch v.Kind {
	case jsonvalue.Bool:
		return nil
	case jsonvalue.Object:
	default:
		return at.fail(ErrNotASchema)
	}
	for i, keyword := range v.Keys {
		check, member := ruleOf(keyword), v.List[i]
		if check == nil || member.Is(jsonvalue.Null) { // generators write unset keywords as null
			continue
		}
		if err := check(member, at.member(keyword)); err != nil {
			return err
		}
	}
	return checkBounds(v, at)
}

func checkSchemas(v *value, at *place) error {
	if v.Kind != jsonvalue.Array || len(v.List) == 0 {
		return at.fail(fmt.Errorf("%w: want a list of schemas", ErrKeyword))
	}
	for i, elem := range v.List {
		if err := checkSchema(elem, at.member(strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

func checkItems(v *value, at *place) error {
	switch {
	case v.Kind != jsonvalue.Array:
		return checkSchema(v, at)
	case len(v.List) == 0:
		return nil
	}
	return checkSchemas(v, at) // before draft 2020
}

// eachMember calls check for each member of an object.
func eachMember(v *value, at *place, what string, check func(name string, v *value, at *place) error) error {
	if v.Kind != jsonvalue.Object {
		return at.fail(fmt.Errorf("%w: want an object of %s", ErrKeyword, what))
	}
	for i, name := range v.Keys {
		if err := check(name, v.List[i], at.member(name)); err != nil {
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
		if v.Kind == jsonvalue.Array {
			return checkNames(v, at)
		}
		return checkSchema(v, at)
	})
}

func checkNames(v *value, at *place) error {
	if v.Kind != jsonvalue.Array {
		return at.fail(fmt.Errorf("%w: want a list of names", ErrKeyword))
	}
	for i, name := range v.List {
		if name.Kind != jsonvalue.String {
			return at.member(strconv.Itoa(i)).fail(fmt.Errorf("%w: want a name", ErrKeyword))
		}
	}
	return nil
}

func checkRequired(v *value, at *place) error {
	if v.Kind == jsonvalue.Bool { // draft 3, at each property
		return nil
	}
	return checkNames(v, at)
}

func checkType(v *value, at *place) error {
	if v.Kind != jsonvalue.Array {
		return checkTypeName(v, at)
	}
	if len(v.List) == 0 {
		return at.fail(fmt.Errorf("%w: want a name or a list of names", ErrKeyword))
	}
	for i, name := range v.List {
		if err := checkTypeName(name, at.member(strconv.Itoa(i))); err != nil {
			return err
		}
	}
	return nil
}

func checkTypeName(v *value, at *place) error {
	if v.Kind != jsonvalue.String {
		return at.fail(fmt.Errorf("%w: want a name or a list of names", ErrKeyword))
	}
	switch strings.ToLower(v.Text) {
	case "any", "type_unspecified":
		return nil
	}
	if typeNamed(v.Text) == 0 {
		return at.fail(&typeError{v.Text})
	}
	return nil
}

// typeError is ErrType with the unknown name.
type typeError struct{ word string }

func (e *typeError) Error() string {
	word := shorten(e.word, maxQuoted)
	message := fmt.Sprintf("%v: %s", ErrType, jsonvalue.Quote(word))
	if hint := didYouMean(strings.ToLower(word), typeNames[:]); hint != "" {
		return message + hint
	}
	return message + ", only " + enumerate(typeNames[:], func(name string) string { return name })
}

func (e *typeError) Unwrap() error { return ErrType }

func checkEnum(v *value, at *place) error {
	switch {
	case v.Kind != jsonvalue.Array:
		return at.fail(fmt.Errorf("%w: want a list", ErrKeyword))
	case len(v.List) == 0:
		return at.fail(fmt.Errorf("%w: the list must not be empty", ErrUnsatisfiable))
	}
	return nil
}

func ofKind(kind jsonvalue.Kind) rule {
	return func(v *value, at *place) error {
		if v.Kind != kind {
			return at.fail(fmt.Errorf("%w: want %s, not %s", ErrKeyword, typeOfKind[kind], literal(v)))
		}
		return nil
	}
}

// checkNumber also accepts a number in quotes, as Gemini's protobuf JSON writes it.
func checkNumber(v *value, at *place) error {
	if v.Kind != jsonvalue.Number && v.Kind != jsonvalue.String || !jsonvalue.IsNumber(v.Text) {
		return at.fail(fmt.Errorf("%w: want a number, not %s", ErrKeyword, literal(v)))
	}
	return nil
}

func checkExclusive(v *value, at *place) error {
	if v.Kind == jsonvalue.Bool { // draft 4
		return nil
	}
	return checkNumber(v, at)
}

func checkStep(v *value, at *place) error {
	if err := checkNumber(v, at); err != nil {
		return err
	}
	if jsonvalue.ParseDecimal(v.Text).Sign() <= 0 {
		return at.fail(fmt.Errorf("%w: it must be greater than 0, not %s", ErrValue, literal(v)))
	}
	return nil
}

func checkCount(v *value, at *place) error {
	if err := checkNumber(v, at); err != nil {
		return err
	}
	if d := jsonvalue.ParseDecimal(v.Text); d.Sign() < 0 || !d.IsInteger() {
		return at.fail(fmt.Errorf("%w: it must be a whole number, 0 or more, not %s", ErrValue, literal(v)))
	}
	return nil
}

func checkPattern(v *value, at *place) error {
	if v.Kind != jsonvalue.String {
		return at.fail(fmt.Errorf("%w: want a string, not %s", ErrKeyword, literal(v)))
	}
	if err := patternFault(v.Text); err != nil {
		return at.fail(err)
	}
	return nil
}

// checkBounds rejects lower bounds that exceed the upper ones.
func checkBounds(v *value, at *place) error {
	low, high := readBound(v, "minimum", "exclusiveMinimum", -1), readBound(v, "maximum", "exclusiveMaximum", +1)
	if low != nil && high != nil {
		order := low.Compare(high.Decimal)
		if order > 0 || order == 0 && (low.exclusive || high.exclusive) {
			lowest, highest := low.rule("exclusiveMinimum", "minimum"), high.rule("exclusiveMaximum", "maximum")
			return at.member(lowest).fail(fmt.Errorf("%w: %s %s and %s %s", ErrUnsatisfiable,
				lowest, shorten(low.text, maxQuoted), highest, shorten(high.text, maxQuoted)))
		}
	}
	counted := []string{"Length", "Items", "Properties"}
	if contains := v.Get("contains"); contains != nil && contains.Kind != jsonvalue.Null {
		counted = append(counted, "Contains")
	}
	for _, what := range counted {
		least, most := v.Get("min"+what), v.Get("max"+what)
		low, some := least.Decimal()
		high, limited := most.Decimal()
		if some && limited && low.Compare(high) > 0 {
			return at.member("min" + what).fail(fmt.Errorf("%w: min%s %s and max%s %s", ErrUnsatisfiable,
				what, shorten(least.Text, maxQuoted), what, shorten(most.Text, maxQuoted)))
		}
	}
	return nil
}
