package syntax

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Writing is the arguments of one call that is to be written.
type Writing struct {
	Args   *dialect.Args
	Values *jsonvalue.Value // an object
	Schema *schema.Schema   // of Values
	JSON   jsonvalue.Layout // how the dialect's template lays out JSON
}

// Each calls write for each argument in order. Its error is an [*Unwritable].
func (w *Writing) Each(dst []byte, write func(dst []byte, i int, key string, v *jsonvalue.Value) ([]byte, error)) ([]byte, error) {
	for i, key := range w.Values.Keys {
		var err error
		if dst, err = write(dst, i, key, w.Values.List[i]); err != nil {
			return dst, &Unwritable{key, err}
		}
	}
	return dst, nil
}

// Unwritable is the error for an argument that a syntax cannot express.
type Unwritable struct {
	Argument string // "" if the reason concerns the whole call
	Reason   error
}

func (u *Unwritable) Error() string { return u.Reason.Error() }

// Reason is an error text that says why something cannot be written.
type Reason string

func (r Reason) Error() string { return string(r) }

// Reasonf returns a formatted [Reason].
func Reasonf(format string, args ...any) error { return Reason(fmt.Sprintf(format, args...)) }

// maxDepth is the default nesting limit of the parser, which must read what is written.
const maxDepth = 127

// Decode parses JSON. It rejects repeated keys, because readers disagree about which one
// counts.
func Decode(raw json.RawMessage) (*jsonvalue.Value, error) {
	v, err := jsonvalue.Options{MaxDepth: maxDepth, UniqueNames: true}.Parse(string(raw))
	switch {
	case errors.Is(err, jsonvalue.ErrTooDeep):
		return nil, Reasonf("it is nested deeper than %d levels", maxDepth)
	case errors.Is(err, jsonvalue.ErrDuplicateKey):
		return nil, Reason(errors.Unwrap(err).Error())
	case err != nil:
		return nil, Reason("the arguments are not valid JSON")
	case !utf8.ValidString(v.Raw):
		return nil, Reason("the arguments are not valid UTF-8")
	}
	return v, nil
}

// IsHalf reports whether a string, as written in JSON, contains half of a surrogate pair,
// which no UTF-8 text can express.
func IsHalf(raw string) bool {
	return strings.Contains(raw, `\u`) && jsonvalue.HasLoneSurrogate(raw)
}

// HasHalf reports whether any string in v contains half of a surrogate pair.
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

// Same is a stricter form of JSON equality: numbers must have the same text, and strings
// must agree on whether they contain half a surrogate pair. The order of members is
// ignored.
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

// Plain returns the text of a value for dialects without types of their own: a string as it
// is, anything else as JSON. It returns an error if a reader with schema s would read that
// text as another value.
func (w *Writing) Plain(v *jsonvalue.Value, s *schema.Schema) (string, error) {
	text := v.Text
	if v.Kind != jsonvalue.String {
		text = string(w.JSON.AppendAt(nil, v, 0))
	}
	switch {
	case HasHalf(v):
		return "", Reason("a string contains half of a surrogate pair, which text cannot express")
	case v.Kind != jsonvalue.String && s.Untyped():
		return "", Reasonf("without a schema, %s would be read as a string", v.Kind.Phrase())
	}
	got, used := s.Convert(text)
	read, err := Decode(json.RawMessage(got))
	if err != nil || used != 0 || !Same(read, v) {
		return "", Reasonf("%s would be read as %s: %s", v.Kind.Phrase(), Clip(got), "the schema says so")
	}
	return text, nil
}

// Clip shortens a text for a message.
func Clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// LosesTypes reports whether a container, written as nested tags, would have a member whose
// type no schema gives, so that a reader would take it for a string. Such a container is
// written as JSON. An object without declared members is written as JSON even if all its
// members are strings, so that models see a single form.
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

// EscapeText replaces characters that would be read as markup or layout by entities: also
// line breaks and blanks at both ends, and raw content markers.
func EscapeText(s string) string {
	if s == "" {
		return s
	}
	out := lex.EscapeText(s)
	if strings.Contains(out, "_CONTENT__") {
		out = strings.ReplaceAll(out, "_CONTENT__", "&#95;CONTENT__")
	}
	body := strings.TrimLeft(out, lineBlanks)
	lead := escapeBlanks.Replace(out[:len(out)-len(body)])
	out = strings.TrimRight(body, lineBlanks)
	return lead + out + escapeBlanks.Replace(body[len(out):])
}

const lineBlanks = " \t\r\n"

var escapeBlanks = strings.NewReplacer("\n", "&#10;", "\r", "&#13;", " ", "&#32;", "\t", "&#9;")

// AppendAttribute appends an attribute of a tag, preceded by a space.
func AppendAttribute(dst []byte, name, text string) []byte {
	dst = append(append(append(dst, ' '), name...), `="`...)
	return append(append(dst, lex.EscapeAttribute(text)...), '"')
}

// Text returns the text of a value between its markers.
func (w *Writing) Text(v *jsonvalue.Value, s *schema.Schema) (string, error) {
	a := w.Args
	if a.QuotesStrings() {
		return string(w.JSON.AppendAt(nil, v, 0)), nil
	}
	text, err := w.Plain(v, s)
	switch {
	case err != nil:
		return text, err
	case v.Kind != jsonvalue.String:
		return w.python(text, v, s), nil
	case a.Entities && a.CDATA && lex.InCDATA(text):
		return lex.CDATAOpen + text + lex.CDATAClose, nil
	case a.Entities:
		return EscapeText(text), nil
	}
	return w.layOut(text)
}

// python returns a value as Python prints it, if the dialect writes it so and a reader with
// the schema gets the same value, and its JSON otherwise.
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

// PythonForm holds the tolerances that reading Python literals causes in dialects that do not
// write them.
const PythonForm = toolcall.PythonLiteral | toolcall.SingleQuotes

// layOut adds the newlines that keep a reader from taking blanks of the text for layout,
// and returns an error if no layout can keep them.
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

// endsLine reports whether s ends with a line break that only spaces and tabs follow.
func endsLine(s string) bool {
	s = strings.TrimRight(s, " \t")
	return s != "" && (s[len(s)-1] == '\n' || s[len(s)-1] == '\r')
}
