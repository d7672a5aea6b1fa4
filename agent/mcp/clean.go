package mcp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/printable"
)

// Limits for the descriptions of tools.
const (
	maxTools       = 1000
	maxName        = 256       // bytes of a tool's name
	maxDescription = 4 << 10   // bytes
	maxSchema      = 256 << 10 // bytes
)

// clean removes characters that a model reads but a person cannot see: control,
// formatting, tag and private characters, and selectors. It cuts the text to a number of
// bytes.
func clean(text string, most int) string {
	text = strings.Map(func(c rune) rune {
		switch {
		case c == '\n', c == '\t', c == '\u200c', c == '\u200d': // words and emoji contain joiners
			return c
		case unicode.IsControl(c), unicode.Is(unicode.Cf, c), unicode.Is(unicode.Co, c), unicode.Is(unicode.Variation_Selector, c), c == utf8.RuneError:
			return -1
		}
		return c
	}, text)
	return printable.Short(text, most)
}

// cleanSchema returns an object schema with its descriptions cleaned. It keeps the order
// of members and the digits of numbers.
func cleanSchema(v *jsonvalue.Value) *jsonvalue.Value {
	switch v.Kind {
	case jsonvalue.Array:
		list := make([]*jsonvalue.Value, len(v.List))
		for i, element := range v.List {
			list[i] = cleanSchema(element)
		}
		return jsonvalue.NewArray(list...)
	case jsonvalue.Object:
		object := jsonvalue.NewObject()
		for i, name := range v.Keys {
			member := v.List[i]
			if member.Is(jsonvalue.String) && (name == "description" || name == "title" || name == "$comment") {
				member = jsonvalue.NewString(clean(member.Text, maxDescription))
			}
			object.Set(name, cleanSchema(member))
		}
		return object
	}
	return v
}
