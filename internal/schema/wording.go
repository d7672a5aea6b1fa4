package schema

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/near"
)

// How much of what is not ours goes into a message.
const (
	maxQuoted  = 60 // runes of a value
	maxPattern = 200
	maxListed  = 20 // names or values
)

// describe words a value: the string "x", the number 5, true, an object.
func describe(v *value) string {
	switch v.kind {
	case typeNull:
		return "null"
	case typeBoolean:
		return v.text
	case typeNumber:
		return "the number " + shorten(v.text, maxQuoted)
	case typeString:
		if v.text == "" {
			return "an empty string"
		}
		return "the string " + quote(shorten(v.text, maxQuoted))
	case typeObject:
		return "an object"
	}
	return "an array"
}

// literal words a value as JSON, as far as it is short.
func literal(v *value) string {
	switch v.kind {
	case typeNull:
		return "null"
	case typeString:
		return quote(shorten(v.text, maxQuoted))
	case typeObject:
		return "{...}"
	case typeArray:
		return "[...]"
	}
	return shorten(v.text, maxQuoted)
}

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

func wrongType(s *Schema, v *value) string {
	types := s.declared
	if s.nullable {
		types |= typeNull
	}
	return "must be " + types.String() + ", but is " + describe(v) + advice(types, v)
}

// advice says how to write v, or something like it, as one of the types.
func advice(types typeSet, v *value) string {
	numeric := types&(typeInteger|typeNumber) != 0
	text := strings.Trim(v.text, blanks)
	switch {
	case v.kind == typeNull:
		return "; leave it out if it is optional"
	case v.kind == typeString && numeric && len(text) < maxQuoted && isNumber(text) && types.fits((&value{kind: typeNumber, text: text}).is()):
		return "; send it without quotes: " + text
	case v.kind == typeString && types&typeBoolean != 0:
		return "; send true or false, without quotes"
	case v.kind == typeString && types&(typeObject|typeArray) != 0 && types.mayBeContainer(text) && len(text) > 1:
		return "; send the " + strings.TrimPrefix(strings.TrimPrefix((types&(typeObject|typeArray)).String(), "an "), "a ") +
			" itself, not a string that holds it"
	case types&typeString != 0 && (v.kind == typeNumber || v.kind == typeBoolean) && len(v.text) < maxQuoted:
		return "; put it in quotes: " + quote(v.text)
	case types&typeArray != 0 && v.kind != typeArray:
		return "; send a list, with brackets: [...]"
	case types&typeObject != 0:
		return "; send an object: {...}"
	case v.kind == typeNumber && numeric:
		return "; send a whole number"
	case numeric && v.kind == typeString:
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
	return "must be " + oneOf(allowed, literal) + ", but is " + describe(v) + meant(allowed, v)
}

// meant hints at the string among allowed that is nearest to v.
func meant(allowed []*value, v *value) string {
	if v.kind != typeString {
		return ""
	}
	var names []string
	for _, a := range allowed[:min(len(allowed), maxNames)] {
		if a.kind == typeString {
			names = append(names, a.text)
		}
	}
	return didYouMean(v.text, names)
}

// oneOf words a choice: a, or one of a, b and 3 more.
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
	return "; did you mean " + quote(names[0]) + "?"
}

func (b *bound) rule(exclusive, inclusive string) string {
	if b.exclusive {
		return exclusive
	}
	return inclusive
}

func outOfRange(b *bound, inclusive, exclusive string, v *value) string {
	return "must be " + b.rule(exclusive, inclusive) + " " + shorten(b.text, maxQuoted) + ", but is " + shorten(v.text, maxQuoted)
}

func wrongLength(relation string, want int, what string, is int) string {
	plural := "s"
	if want == 1 {
		plural = ""
	}
	return fmt.Sprintf("must have %s %d %s%s, but has %d", relation, want, what, plural, is)
}

// missing words that an object lacks a required member.
func (o *objectRules) missing(name string, v *value, at *spot) string {
	message := "the required " + noun(at) + " " + quote(name) + " is missing"
	if p := o.properties[name]; p != nil && p.types != 0 {
		message += "; add it, as " + p.types.String()
	} else {
		message += "; add it"
	}
	var strange []string
	for _, other := range v.names {
		if o.properties[other] == nil {
			strange = append(strange, other)
		}
	}
	if found := near.Names(name, strange, 1); len(found) > 0 {
		message += " (is it what you sent as " + quote(shorten(found[0], maxQuoted)) + "?)"
	}
	return message
}

// unknown words that an object has a member which its schema does not allow.
func (o *objectRules) unknown(name string, at *spot) string {
	message := "there is no " + noun(at) + " " + quote(shorten(name, maxQuoted))
	if hint := didYouMean(name, o.names); hint != "" {
		return message + hint
	}
	if len(o.names) == 0 {
		return message + "; leave it out"
	}
	return message + ", only " + enumerate(o.names, quote) + "; leave it out"
}

// noun is what a member is called: those of the arguments are parameters.
func noun(at *spot) string {
	if at == nil {
		return "parameter"
	}
	return "member"
}

// noAlternative words that a value is of another kind than each alternative.
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
	if hint := meant(values, v); hint != "" {
		return message + hint
	}
	return message + advice(types, v)
}

// enumeration is the enum that is all that s says, be it through references.
func (s *Schema) enumeration() *enum {
	for s.enum == nil && len(s.all) == 1 && len(s.choices) == 0 {
		s = s.all[0]
	}
	return s.enum
}
