package syntax

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Writing is the arguments of one call that are to be written.
type Writing struct {
	Args   *dialect.Args
	Values *jsonvalue.Value // an object
	Schema *schema.Schema   // of them
	JSON   jsonvalue.Layout // how the dialect's template lays out JSON
}

// Each writes the arguments one by one. Its error is an [*Unwritable].
func (w *Writing) Each(dst []byte, write func(dst []byte, i int, key string, v *jsonvalue.Value) ([]byte, error)) ([]byte, error) {
	for i, key := range w.Values.Keys {
		var err error
		if dst, err = write(dst, i, key, w.Values.List[i]); err != nil {
			return dst, &Unwritable{key, err}
		}
	}
	return dst, nil
}

// Unwritable is the error of an argument that cannot be written.
type Unwritable struct {
	Argument string // "" where it is not in one
	Reason   error
}

func (u *Unwritable) Error() string { return u.Reason.Error() }

// Reason says in words why something cannot be written.
type Reason string

func (r Reason) Error() string { return string(r) }

// Reasonf is a formatted [Reason].
func Reasonf(format string, args ...any) error { return Reason(fmt.Sprintf(format, args...)) }

// maxDepth is the deepest nesting that a parser reads by default.
const maxDepth = 127

// Decode reads JSON. A key that is there twice is refused: readers disagree about which
// counts.
func Decode(raw json.RawMessage) (*jsonvalue.Value, error) {
	v, err := jsonvalue.Options{MaxDepth: maxDepth, UniqueNames: true}.Parse(string(raw))
	switch {
	case errors.Is(err, jsonvalue.ErrTooDeep):
		return nil, Reasonf("it is nested deeper than %d levels", maxDepth)
	case errors.Is(err, jsonvalue.ErrTwice):
		return nil, Reason(errors.Unwrap(err).Error())
	case err != nil:
		return nil, Reason("the arguments are not valid JSON")
	case !utf8.ValidString(v.Raw):
		return nil, Reason("the arguments are not valid UTF-8")
	}
	return v, nil
}

// IsHalf reports whether a string, as it was written, holds half of a surrogate pair,
// which no text can.
func IsHalf(raw string) bool {
	return strings.Contains(raw, `\u`) && jsonvalue.HasLoneSurrogate(raw)
}

// HasHalf reports whether any string in v holds half of a surrogate pair.
func HasHalf(v *jsonvalue.Value) bool {
	if v.Kind == jsonvalue.String {
		return IsHalf(v.Raw)
	}
	for i, part := range v.List {
		if HasHalf(part) || v.Kind == jsonvalue.Object && IsHalf(v.RawKey(i)) {
			return true
		}
	}
	return false
}

// Same reports whether two values are equal as JSON, and more: numbers must have the
// same text, and strings the same halves of surrogate pairs. The order of members does
// not count.
func Same(v, w *jsonvalue.Value) bool {
	if v.Kind != w.Kind || len(v.List) != len(w.List) {
		return false
	}
	switch v.Kind {
	case jsonvalue.String:
		return v.Text == w.Text && IsHalf(v.Raw) == IsHalf(w.Raw)
	case jsonvalue.Array, jsonvalue.Object:
		for i, part := range v.List {
			other := w.List[i]
			if v.Kind == jsonvalue.Object && w.Keys[i] != v.Keys[i] {
				other = w.Get(v.Keys[i])
			}
			if other == nil || !Same(part, other) {
				return false
			}
		}
		return true
	}
	return v.Text == w.Text
}

// Plain is the text of a value as the dialects without types of their own write
// it: of a string the string, of anything else its JSON. It is an error where a
// reader that goes by the schema s would not take it for the same value.
func (w *Writing) Plain(v *jsonvalue.Value, s *schema.Schema) (string, error) {
	text := v.Text
	if v.Kind != jsonvalue.String {
		text = string(w.JSON.AppendAt(nil, v, 0))
	}
	switch {
	case HasHalf(v):
		return "", Reason("a string contains half of a surrogate pair, which text cannot express")
	case v.Kind != jsonvalue.String && s.Untyped():
		return "", Reasonf("without a schema, %s would be read as a string", article(v.Kind))
	}
	got, used := s.Convert(text)
	read, err := Decode(json.RawMessage(got))
	if err != nil || used != 0 || !Same(read, v) {
		return "", Reasonf("%s would be read as %s: %s", article(v.Kind), Clip(got), "the schema says so")
	}
	return text, nil
}

// article is a kind with its article.
func article(k jsonvalue.Kind) string {
	switch k {
	case jsonvalue.Null:
		return "null"
	case jsonvalue.Array, jsonvalue.Object:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// Clip shortens a text for a message.
func Clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// LosesTypes reports whether a container in nested tags would have a member whose type no
// schema tells: it would be read as a string. As JSON the container keeps its types. An
// object without declared members is JSON even where they are strings, so that models see
// one form.
func LosesTypes(v *jsonvalue.Value, s *schema.Schema) bool {
	for i, member := range v.List {
		of := s.Element(i)
		if v.Kind == jsonvalue.Object {
			of = s.Property(v.Keys[i])
		}
		if of.Untyped() {
			if member.Kind != jsonvalue.String || v.Kind == jsonvalue.Object && !s.Closed() {
				return true
			}
		} else if LosesTypes(member, of) {
			return true
		}
	}
	return false
}

// EscapeText writes the characters that mean something in a value as entities,
// line breaks at its ends and raw content markers among them.
func EscapeText(s string) string {
	if s == "" {
		return s
	}
	out := escapeMarkup.Replace(s)
	if strings.Contains(out, "_CONTENT__") {
		out = strings.ReplaceAll(out, "_CONTENT__", "&#95;CONTENT__")
	}
	body := strings.TrimLeft(out, lineBlanks)
	lead := escapeBlanks.Replace(out[:len(out)-len(body)])
	out = strings.TrimRight(body, lineBlanks)
	return lead + out + escapeBlanks.Replace(body[len(out):])
}

const lineBlanks = " \t\r\n"

var (
	escapeMarkup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	escapeBlanks = strings.NewReplacer("\n", "&#10;", "\r", "&#13;", " ", "&#32;", "\t", "&#9;")
)

// AppendAttribute writes an attribute of a tag.
func AppendAttribute(dst []byte, name, text string) []byte {
	dst = append(append(append(dst, ' '), name...), `="`...)
	return append(append(dst, escapeAttribute.Replace(text)...), '"')
}

var escapeAttribute = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// Text is the text of a value between its markers.
func (w *Writing) Text(v *jsonvalue.Value, s *schema.Schema) (string, error) {
	a := w.Args
	if a.Quoted {
		return string(w.JSON.AppendAt(nil, v, 0)), nil
	}
	text, err := w.Plain(v, s)
	switch {
	case err != nil:
		return text, err
	case v.Kind != jsonvalue.String:
		return w.python(text, v, s), nil
	case a.Entities:
		return EscapeText(text), nil
	}
	return w.layOut(text)
}

// python is a value as Python prints it, where the dialect writes it so and the schema
// reads the same of it, else its JSON.
func (w *Writing) python(json string, v *jsonvalue.Value, s *schema.Schema) string {
	if w.Args.Python == "" || w.Args.Python == dialect.PythonScalars && v.Kind >= jsonvalue.Array {
		return json
	}
	literal := string(v.AppendPython(nil, 0))
	got, used := s.Convert(literal)
	if read, err := Decode([]byte(got)); err != nil || used&^PythonForm != 0 || !Same(read, v) {
		return json
	}
	return literal
}

// PythonForm is what is tolerated of Python's literals, where a dialect does not write
// them itself.
const PythonForm = toolcall.PythonLiteral | toolcall.SingleQuotes

// layOut puts around a string what keeps its own blanks from being taken for the
// layout of the markup.
func (w *Writing) layOut(text string) (string, error) {
	a := w.Args
	switch a.Layout {
	case dialect.LayoutTrim:
		if strings.Trim(text, " \t\r\n") != text {
			return "", Reason("blanks at its ends would be lost")
		}
	case dialect.LayoutLines:
		before := a.KeyMark.Close
		if a.ValueMark.Open != "" {
			before = a.ValueMark.Open
		}
		if beginsLine(text) && !strings.HasSuffix(before, "\n") {
			text = "\n" + text
		}
		if endsLine(text) && !strings.HasPrefix(a.ValueMark.Close, "\n") {
			text += "\n"
		}
	}
	return text, nil
}

func beginsLine(s string) bool { return s != "" && (s[0] == '\n' || s[0] == '\r') }

// endsLine reports whether only blanks stand in the last line, which is not the
// first, or s ends in the middle of a line break.
func endsLine(s string) bool {
	s = strings.TrimRight(s, " \t")
	return s != "" && (s[len(s)-1] == '\n' || s[len(s)-1] == '\r')
}
