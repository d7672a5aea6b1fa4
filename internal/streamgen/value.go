package streamgen

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A value is a string, json.Number, bool, nil, []any or object.
type object []member

type member struct {
	key   string
	value any
}

// kind is the type of a parameter.
type kind int

const (
	kindString kind = iota
	kindStrings
	kindRecord // an object of a string and, where declared, an integer
	kindRecords
	kindInteger
	kindNumber
	kindBoolean
	kindMaybe // an integer or null
	kindCount
)

var schemas = [kindCount]string{
	kindString:  `{"type":"string"}`,
	kindStrings: `{"type":"array","items":{"type":"string"}}`,
	kindRecord:  `{"type":"object","properties":{"label":{"type":"string"},"size":{"type":"integer"}}}`,
	kindRecords: `{"type":"array","items":{"type":"object","properties":{"label":{"type":"string"},"size":{"type":"integer"}}}}`,
	kindInteger: `{"type":"integer"}`,
	kindNumber:  `{"type":"number"}`,
	kindBoolean: `{"type":"boolean"}`,
	kindMaybe:   `{"type":["integer","null"]}`,
}

// newValue generates a value of a kind. typed says that the reader knows the kind;
// otherwise all leaves are strings.
func newValue(src Source, k kind, typed bool) any {
	if !typed && k >= kindInteger {
		return newString(src)
	}
	switch k {
	case kindStrings:
		list := make([]any, 1+src.IntN(3))
		for i := range list {
			list[i] = newString(src)
		}
		return list
	case kindRecord:
		return newRecord(src, typed)
	case kindRecords:
		list := make([]any, 1+src.IntN(2))
		for i := range list {
			list[i] = newRecord(src, typed)
		}
		return list
	case kindInteger:
		return json.Number(pick(src, "0", "7", "-3", "42", "9007199254740993", "123456789012345678901234567890"))
	case kindNumber:
		return json.Number(pick(src, "0", "1.5", "-0.25", "6.02e23", "1E-7", "3"))
	case kindBoolean:
		return pick(src, true, false)
	case kindMaybe:
		return pick[any](src, json.Number("5"), nil)
	}
	return newString(src)
}

func newRecord(src Source, typed bool) object {
	o := object{{"label", newString(src)}}
	if src.IntN(2) == 1 {
		o = append(o, member{"size", newValue(src, kindInteger, typed)})
	}
	return o
}

// tricky holds parts of string values that are markup somewhere.
var tricky = []string{
	" ", "\n", "  ", "\t", "<", ">", "&", "\"", "'", "\\", "{", "}", "[", "]", "/", ",", ":", "`", "#", "%", "*",
	"&amp;", "&lt;", "<b>", "</b>", "<!--", "]]>", "]]", "[[", "\\n", "\\\"", "\"}", "```", "{{", "}}", "null", "-1",
	"</arg>", "</tool>", "</arguments>", "<arg name=\"x\">", "<item>", "</item>", "<tool name=\"cut\">", "</run_bash>",
	"[[SEG_END]", "[[SEG_START", "<think>", "</think>", "\"arguments\":", "{\"name\":\"cut\",\"args\":{}}", "\x7f", "\u2028", "é",
	"\x01", "\r\n",
}

// newString generates a string of up to some dozens of characters.
func newString(src Source) string {
	var b strings.Builder
	for i, n := 0, src.IntN(7); i < n; i++ {
		if src.IntN(2) == 0 {
			b.WriteString(pick(src, words...))
		} else {
			b.WriteString(pick(src, tricky...))
		}
	}
	return b.String()
}

// encode returns a value as compact JSON.
func encode(v any) string {
	var b strings.Builder
	jsonStyle{}.write(&b, v)
	return b.String()
}

// jsonStyle is a way of writing JSON.
type jsonStyle struct {
	comma, colon string // blanks after each
	inner        string // blanks inside brackets
	escape       bool   // escape characters that need no escape

	// Errors of models that parsers tolerate.
	trailing bool // a comma after the last member or element
	single   bool // strings in single quotes
	python   bool // True, False, None
	bare     bool // keys without quotes
	control  bool // raw newlines in strings
}

func newJSONStyle(src Source) jsonStyle {
	return pick(src,
		jsonStyle{},
		jsonStyle{comma: " ", colon: " "},
		jsonStyle{comma: "\n  ", colon: " ", inner: "\n  "},
		jsonStyle{comma: "\r\n\t", colon: "\t", inner: " ", escape: true},
		jsonStyle{escape: true},
	)
}

// newLooseStyle returns a style that is not quite JSON.
func newLooseStyle(src Source) jsonStyle {
	return pick(src,
		jsonStyle{trailing: true},
		jsonStyle{comma: " ", single: true},
		jsonStyle{colon: " ", python: true},
		jsonStyle{bare: true, comma: "\n"},
		jsonStyle{control: true},
		jsonStyle{trailing: true, single: true, python: true, control: true},
	)
}

func (s jsonStyle) write(b *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		b.WriteString(s.literal("null", "None"))
	case bool:
		if v {
			b.WriteString(s.literal("true", "True"))
		} else {
			b.WriteString(s.literal("false", "False"))
		}
	case json.Number:
		b.WriteString(v.String())
	case string:
		s.writeString(b, v)
	case []any:
		b.WriteString("[" + s.inner)
		for i, e := range v {
			if i > 0 {
				b.WriteString("," + s.comma)
			}
			s.write(b, e)
		}
		s.trail(b, len(v))
		b.WriteString(s.inner + "]")
	case object:
		b.WriteString("{" + s.inner)
		for i, m := range v {
			if i > 0 {
				b.WriteString("," + s.comma)
			}
			if s.bare && isName(m.key) {
				b.WriteString(m.key)
			} else {
				s.writeString(b, m.key)
			}
			b.WriteString(":" + s.colon)
			s.write(b, m.value)
		}
		s.trail(b, len(v))
		b.WriteString(s.inner + "}")
	}
}

func (s jsonStyle) literal(json, python string) string {
	if s.python {
		return python
	}
	return json
}

func (s jsonStyle) trail(b *strings.Builder, n int) {
	if s.trailing && n > 0 {
		b.WriteByte(',')
	}
}

// isName reports whether s is a word of letters, digits and underscores, which can be
// written without quotes.
func isName(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	return s != "" && strings.IndexByte(letters, s[0]) >= 0 && strings.Trim(s, letters+"0123456789") == ""
}

func (s jsonStyle) writeString(b *strings.Builder, v string) {
	quote := '"'
	if s.single {
		quote = '\''
	}
	b.WriteRune(quote)
	for _, r := range v {
		switch {
		case r == quote || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n' && s.control:
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < 0x20, s.escape && (r == 'é' || r == '<' || r == 0x2028):
			fmt.Fprintf(b, `\u%04X`, r)
		case s.escape && r == '/':
			b.WriteString(`\/`)
		case s.escape && r > 0xffff:
			fmt.Fprintf(b, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteRune(quote)
}
