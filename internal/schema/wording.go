package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/near"
)

// Limits on how much foreign text a message contains.
const (
	maxQuoted  = 60 // runes of a value
	maxPattern = 200
	maxListed  = 20 // names or values
)

// describe describes a value: the string "x", the number 5, true, an object.
func describe(v *value) string {
	switch {
	case v.Kind == jsonvalue.Number:
		return "the number " + literal(v)
	case v.Kind == jsonvalue.String && v.Text == "":
		return "an empty string"
	case v.Kind == jsonvalue.String:
		return "the string " + literal(v)
	case v.Kind > jsonvalue.String:
		return v.Kind.Phrase()
	}
	return literal(v)
}

// literal returns a value as short JSON.
func literal(v *value) string {
	switch v.Kind {
	case jsonvalue.String:
		return quoted(v.Text)
	case jsonvalue.Object:
		return "{...}"
	case jsonvalue.Array:
		return "[...]"
	}
	return shorten(v.Text, maxQuoted)
}

// shorten cuts s to limit runes.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// quoted returns a text as JSON, shortened.
func quoted(s string) string { return jsonvalue.Quote(shorten(s, maxQuoted)) }

func wrongType(s *Schema, v *value) string {
	types := s.declared
	if s.nullable {
		types |= typeNull
	}
	return "must be " + types.String() + ", but is " + describe(v) + advice(types, v)
}

// advice says how to write v, or something similar, as one of the types.
func advice(types typeSet, v *value) string {
	numeric := types&(typeInteger|typeNumber) != 0
	text := lex.TrimBlanks(v.Text)
	switch {
	case v.Kind == jsonvalue.Null:
		return "; leave it out if it is optional"
	case v.Kind == jsonvalue.String && numeric && len(text) < maxQuoted && jsonvalue.IsNumber(text) && types.fits(typeOf(&value{Kind: jsonvalue.Number, Text: text})):
		return "; send it without quotes: " + text
	case v.Kind == jsonvalue.String && types&typeBoolean != 0:
		return "; send true or false, without quotes"
	case v.Kind == jsonvalue.String && types&(typeObject|typeArray) != 0 && types.mayBeContainer(text) && len(text) > 1:
		return "; send the " + strings.TrimPrefix(strings.TrimPrefix((types&(typeObject|typeArray)).String(), "an "), "a ") +
			" itself, not a string that holds it"
	case types&typeString != 0 && (v.Kind == jsonvalue.Number || v.Kind == jsonvalue.Bool) && len(v.Text) < maxQuoted:
		return "; put it in quotes: " + jsonvalue.Quote(v.Text)
	case types&typeArray != 0 && v.Kind != jsonvalue.Array:
		return "; send a list, with brackets: [...]"
	case types&typeObject != 0:
		return "; send an object: {...}"
	case v.Kind == jsonvalue.Number && numeric:
		return "; send a whole number"
	case numeric && v.Kind == jsonvalue.String:
		return "; send a number, without quotes"
	case numeric:
		return "; send a number"
	}
	return ""
}

func (e *enum) rule() string {
	if e.one {
		return "const"
	}
	return "enum"
}

func notInEnum(allowed []*value, v *value) string {
	return "must be " + oneOf(allowed, literal) + ", but is " + describe(v) + similar(allowed, v)
}

// similar suggests the string among allowed that is most similar to v.
func similar(allowed []*value, v *value) string {
	if v.Kind != jsonvalue.String {
		return ""
	}
	var names []string
	for _, a := range allowed[:min(len(allowed), maxNames)] {
		if a.Kind == jsonvalue.String {
			names = append(names, a.Text)
		}
	}
	return didYouMean(v.Text, names)
}

// oneOf words a choice: "a", or "one of a, b and 3 more".
func oneOf[T any](list []T, word func(T) string) string {
	if len(list) == 1 {
		return word(list[0])
	}
	return "one of " + enumerate(list, word)
}

func enumerate[T any](list []T, word func(T) string) string {
	var words []string
	for _, item := range list[:min(len(list), maxListed)] {
		words = append(words, word(item))
	}
	text := strings.Join(words, ", ")
	if more := len(list) - maxListed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func didYouMean(name string, among []string) string {
	names := near.Names(name, among, 1)
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + jsonvalue.Quote(names[0]) + "?"
}

func (b *bound) rule(exclusive, inclusive string) string {
	if b.exclusive {
		return exclusive
	}
	return inclusive
}

func outOfRange(b *bound, inclusive, exclusive string, v *value) string {
	return "must be " + b.rule(exclusive, inclusive) + " " + shorten(b.text, maxQuoted) + ", but is " + shorten(v.Text, maxQuoted)
}

func wrongLength(relation string, want int, what string, is int) string {
	return fmt.Sprintf("must have %s %s, but has %d", relation, counted(want, what), is)
}

// counted returns "1 element" or "2 elements".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// missing says that an object lacks a required member.
func (o *objectRules) missing(name string, v *value, noun string) string {
	message := "the required " + noun + " " + jsonvalue.Quote(name) + " is missing"
	if p := o.declared(name); p != nil && p.types != 0 {
		message += "; add it, as " + p.types.String()
	} else {
		message += "; add it"
	}
	var strange []string
	for _, other := range v.Keys {
		if o.declared(other) == nil {
			strange = append(strange, other)
		}
	}
	if found := near.Names(name, strange, 1); len(found) > 0 {
		message += " (is it what you sent as " + quoted(found[0]) + "?)"
	}
	return message
}

// unknown says that an object has a member that its schema does not allow.
func (o *objectRules) unknown(name string, noun string) string {
	message := "there is no " + noun + " " + quoted(name)
	if hint := didYouMean(name, o.names); hint != "" {
		return message + hint
	}
	if len(o.names) == 0 {
		return message + "; leave it out"
	}
	return message + ", only " + enumerate(o.names, jsonvalue.Quote) + "; leave it out"
}

// noun returns what to call the members of the current value: those of the arguments are
// parameters.
func (c *checker) noun() string { return nounAt(len(c.path)) }

// nounOfMember returns what to call the current member.
func (c *checker) nounOfMember() string { return nounAt(len(c.path) - 1) }

func nounAt(depth int) string {
	if depth == 0 {
		return "parameter"
	}
	return "member"
}

// noAlternative says that a value is of a different kind than every alternative.
func noAlternative(list []*Schema, v *value) string {
	var types typeSet
	var values []*value
	for _, s := range list {
		if e := s.enumeration(); e != nil {
			values = append(values, e.values...)
		} else {
			types |= s.types
		}
	}
	message := "must be "
	switch {
	case len(values) == 0:
		message += types.String()
	case types == 0:
		message += oneOf(values, literal)
	default:
		message += oneOf(values, literal) + ", or " + types.String()
	}
	message += ", but is " + describe(v)
	if hint := similar(values, v); hint != "" {
		return message + hint
	}
	return message + advice(types, v)
}

// enumeration returns the enum that s consists of, directly or through references.
func (s *Schema) enumeration() *enum {
	for s.enum == nil && len(s.all) == 1 && len(s.choices) == 0 {
		s = s.all[0]
	}
	return s.enum
}

// moreThanOne says that a value fits several alternatives although it must fit only one.
func moreThanOne(list []*Schema, which []int, v *value) string {
	message := "fits more than one of the " + strconv.Itoa(len(list)) + " alternatives, but must fit exactly one"
	var names []string
	for _, i := range which {
		o := list[i].object
		if o == nil || len(o.required) == 0 || !v.Is(jsonvalue.Object) {
			return message
		}
		for _, name := range o.required {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) < 2 {
		return message
	}
	return message + "; do not send " + enumerate(names, jsonvalue.Quote) + " together"
}

// ruledOut says that a value fits the schema under not.
func ruledOut(s *Schema, v *value, noun string) string {
	o, values := s.object, s.enumeration()
	switch {
	case values != nil:
		return "must not be " + oneOf(values.values, literal)
	case v.Is(jsonvalue.Object) && o != nil && len(o.required) == 1 && !o.declares && s.alone():
		return "must not have the " + noun + " " + jsonvalue.Quote(o.required[0]) + "; leave it out"
	case v.Is(jsonvalue.Object) && o != nil && len(o.required) > 1 && !o.declares && s.alone():
		return "must not have " + enumerate(o.required, jsonvalue.Quote) + " together; leave one out"
	case v.Is(jsonvalue.String) && s.text != nil && s.text.pattern != nil:
		return "must not match the pattern " + shorten(s.text.pattern.source, maxPattern) + ", but is " + describe(v)
	case s.declared != 0 && s.object == nil && s.array == nil && s.text == nil && s.number == nil && s.alone():
		return "must not be " + s.declared.String() + ", but is " + describe(v)
	}
	return "is ruled out by the tool (keyword not): " + describe(v) + "; send something else"
}

// wrongContent says that too few or too many elements fit the schema under contains.
func wrongContent(relation string, want int, s *Schema, is int) string {
	what := "the kind that the tool asks for"
	if e := s.enumeration(); e != nil {
		what = "the value " + oneOf(e.values, literal)
	} else if s.types != 0 {
		what = "the kind that the tool asks for (" + s.types.String() + ")"
	}
	return fmt.Sprintf("must have %s %s of %s, but has %d", relation, counted(want, "element"), what, is)
}

// unexpectedPart says that no schema allows a member or an element.
func (c *checker) unexpectedPart(v *value, i int) string {
	if v.Kind == jsonvalue.Array {
		return "there is no element " + strconv.Itoa(i) + " in such a list; leave it out"
	}
	return "there is no " + c.nounOfMember() + " " + quoted(v.Keys[i]) + " here; leave it out"
}

// uncheckedPattern says that a pattern was not checked.
func uncheckedPattern(p *pattern) string {
	return "the pattern " + shorten(p.source, maxPattern) + " could not be checked: " + p.why()
}

// AnswerProblem describes, for the model, what is wrong with an answer that must be a single
// JSON value that fits the schema. It returns "" if nothing is. A nil schema allows any value.
func (s *Schema) AnswerProblem(text string) string {
	if !json.Valid([]byte(text)) {
		return "The answer is not one JSON value and nothing else."
	}
	if s == nil {
		return ""
	}
	problems, _ := s.Validate([]byte(text))
	if len(problems) == 0 {
		return ""
	}
	words := "The answer does not fit its JSON Schema:"
	for _, one := range problems {
		words += "\n- " + one.Error()
	}
	return words
}
