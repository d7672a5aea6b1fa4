package schema

import (
	"encoding/json"
	"errors"
	"fmt"
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
	return CheckValue(doc)
}

// CheckValue is Check for a schema that has been parsed.
func CheckValue(doc *jsonvalue.Value) error {
	if doc.Is(jsonvalue.Null) {
		return nil
	}
	return locate(doc, checkSchema(doc))
}

func checkSchema(v *value) error {
	switch v.Kind {
	case jsonvalue.Bool:
		return nil
	case jsonvalue.Object:
	default:
		return &fault{v, ErrNotASchema}
	}
	for i, keyword := range v.Keys {
		if v.List[i].Is(jsonvalue.Null) { // generators write unset keywords as null
			continue
		}
		if err := checkKeyword(keyword, v.List[i]); err != nil {
			return err
		}
	}
	return checkBounds(v)
}

// checkKeyword checks the value of a keyword. Unknown keywords may have any value.
func checkKeyword(keyword string, v *value) error {
	switch keyword {
	case "not", "if", "then", "else", "contains", "propertyNames", "additionalItems", "additionalProperties",
		"unevaluatedItems", "unevaluatedProperties":
		return checkSchema(v)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return checkSchemas(v)
	case "properties", "dependentSchemas", "$defs", "definitions":
		return checkMembers(v, "schemas", checkSchema)
	case "patternProperties":
		return checkPatternMembers(v)
	case "items":
		if v.Kind != jsonvalue.Array {
			return checkSchema(v)
		}
		return checkEach(v.List, checkSchema) // before draft 2020
	case "type":
		return checkType(v)
	case "enum":
		return checkEnum(v)
	case "required":
		if v.Kind == jsonvalue.Bool { // draft 3, at each property
			return nil
		}
		return checkNames(v)
	case "dependentRequired":
		return checkMembers(v, "lists of names", checkNames)
	case "dependencies":
		return checkMembers(v, "schemas or lists of names", checkDependency)
	case "minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties":
		return checkCount(v)
	case "minimum", "maximum":
		return checkNumber(v)
	case "multipleOf":
		return checkStep(v)
	case "exclusiveMinimum", "exclusiveMaximum":
		if v.Kind == jsonvalue.Bool { // draft 4
			return nil
		}
		return checkNumber(v)
	case "pattern":
		if v.Kind != jsonvalue.String {
			return wrongKind(v, "a string")
		}
		return checkPattern(v.Text, v)
	case "uniqueItems", "nullable":
		return checkKind(v, jsonvalue.Bool)
	case "$ref", "format", "title", "description":
		return checkKind(v, jsonvalue.String)
	case "examples":
		return checkKind(v, jsonvalue.Array)
	}
	return nil
}

func checkSchemas(v *value) error {
	if v.Kind != jsonvalue.Array || len(v.List) == 0 {
		return wrong(v, "a list of schemas")
	}
	return checkEach(v.List, checkSchema)
}

func checkEach(list []*value, check func(v *value) error) error {
	for _, v := range list {
		if err := check(v); err != nil {
			return err
		}
	}
	return nil
}

// checkMembers checks each member of an object.
func checkMembers(v *value, what string, check func(v *value) error) error {
	if v.Kind != jsonvalue.Object {
		return wrong(v, "an object of "+what)
	}
	return checkEach(v.List, check)
}

func checkPatternMembers(v *value) error {
	i := 0
	return checkMembers(v, "schemas", func(member *value) error {
		i++
		if err := checkPattern(v.Keys[i-1], member); err != nil {
			return err
		}
		return checkSchema(member)
	})
}

func checkDependency(v *value) error {
	if v.Kind == jsonvalue.Array {
		return checkNames(v)
	}
	return checkSchema(v)
}

func checkNames(v *value) error {
	if v.Kind != jsonvalue.Array {
		return wrong(v, "a list of names")
	}
	for _, name := range v.List {
		if name.Kind != jsonvalue.String {
			return wrong(name, "a name")
		}
	}
	return nil
}

func checkType(v *value) error {
	names := namesUnder(v)
	if len(names) == 0 {
		return wrong(v, "a name or a list of names")
	}
	for _, name := range names {
		if name.Kind != jsonvalue.String {
			return wrong(name, "a name or a list of names")
		}
		word := strings.ToLower(name.Text)
		if word != "any" && word != "type_unspecified" && typeNamed(word) == 0 {
			return &fault{name, unknownType(name.Text)}
		}
	}
	return nil
}

// unknownType is ErrType with the unknown name.
func unknownType(word string) error {
	hint := didYouMean(strings.ToLower(shorten(word, maxQuoted)), typeNames[:])
	if hint == "" {
		hint = ", only " + enumerate(typeNames[:], func(name string) string { return name })
	}
	return fmt.Errorf("%w: %s%s", ErrType, quoted(word), hint)
}

func checkEnum(v *value) error {
	switch {
	case v.Kind != jsonvalue.Array:
		return wrong(v, "a list")
	case len(v.List) == 0:
		return &fault{v, fmt.Errorf("%w: the list must not be empty", ErrUnsatisfiable)}
	}
	return nil
}

func checkKind(v *value, kind jsonvalue.Kind) error {
	if v.Kind != kind {
		return wrongKind(v, typeOfKind[kind].String())
	}
	return nil
}

// wrongKind is wrong with the value that the keyword has.
func wrongKind(v *value, want string) error { return wrong(v, want+", not "+literal(v)) }

// checkNumber also accepts a number in quotes, as Gemini's protobuf JSON writes it.
func checkNumber(v *value) error {
	if v.Kind != jsonvalue.Number && v.Kind != jsonvalue.String || !jsonvalue.IsNumber(v.Text) {
		return wrongKind(v, "a number")
	}
	return nil
}

func checkStep(v *value) error {
	if err := checkNumber(v); err != nil {
		return err
	}
	if jsonvalue.ParseDecimal(v.Text).Sign() <= 0 {
		return &fault{v, fmt.Errorf("%w: it must be greater than 0, not %s", ErrValue, literal(v))}
	}
	return nil
}

func checkCount(v *value) error {
	if err := checkNumber(v); err != nil {
		return err
	}
	if d := jsonvalue.ParseDecimal(v.Text); d.Sign() < 0 || !d.IsInteger() {
		return &fault{v, fmt.Errorf("%w: it must be a whole number, 0 or more, not %s", ErrValue, literal(v))}
	}
	return nil
}

// checkPattern checks a pattern that is at, or is the name of, a part of the schema.
func checkPattern(source string, at *value) error {
	if err := patternFault(source); err != nil {
		return &fault{at, err}
	}
	return nil
}

// checkBounds rejects lower bounds that exceed the upper ones.
func checkBounds(v *value) error {
	low, high := readBound(v, "minimum", "exclusiveMinimum", -1), readBound(v, "maximum", "exclusiveMaximum", +1)
	if low != nil && high != nil {
		order := low.Compare(high.Decimal)
		if order > 0 || order == 0 && (low.exclusive || high.exclusive) {
			return contradiction(v, low.rule("exclusiveMinimum", "minimum"), low.text, high.rule("exclusiveMaximum", "maximum"), high.text)
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
			return contradiction(v, "min"+what, least.Text, "max"+what, most.Text)
		}
	}
	return nil
}

// contradiction returns the fault of two keywords of v that no value can satisfy together.
func contradiction(v *value, lowest, low, highest, high string) error {
	return &fault{v.Get(lowest), fmt.Errorf("%w: %s %s and %s %s", ErrUnsatisfiable,
		lowest, shorten(low, maxQuoted), highest, shorten(high, maxQuoted))}
}
