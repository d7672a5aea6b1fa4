package parser

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
)

// ReadDialect parses a dialect from JSON, in the form in which a [dialect.Dialect] is marshalled
// and "toolparse dialects --json" prints the built-in ones. Unknown fields, values of the
// wrong type and combinations that the parser cannot handle are errors that name the field.
func ReadDialect(data []byte) (*dialect.Dialect, error) {
	var read struct {
		dialect.Dialect
		Family string    `json:"family"` // printed for readers; it follows from the other fields
		Frame  fileFrame `json:"frame"`
		Args   fileArgs  `json:"args"`
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&read); err != nil {
		return nil, dialectJSONError(err, dec.InputOffset())
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("dialect: unexpected data after the object, at byte %d", dec.InputOffset())
	}
	d := &read.Dialect
	d.Frame, d.Args = read.Frame.Frame, read.Args.Args
	if err := read.Args.implied(d, read.Frame.Fold); err != nil {
		return nil, err
	}
	if err := checkName(d); err != nil {
		return nil, err
	}
	if err := validate(d); err != nil {
		return nil, err
	}
	if d.Native() && len(d.Reasoning) == 0 && len(d.Shorthands) == 0 && !hasChannels(d) {
		return nil, fmt.Errorf("dialect %q: head.form and args.form are missing: they define how a call's name (%s) and its arguments (%s) are written", d.Name, headForms, argsForms())
	}
	return d, nil
}

// fileFrame and fileArgs have the fields that files of earlier versions say, and that other
// fields say or imply now.
type (
	fileFrame struct {
		dialect.Frame
		Fold bool `json:"fold"`
	}
	fileArgs struct {
		dialect.Args
		Quoted  bool   `json:"quoted"`
		Wrapper string `json:"wrapper"`
		Tag     string `json:"tag"`
		Item    string `json:"item"`
	}
)

// implied sets what other fields say now, and returns an error if a file says anything else
// than what is implied.
func (a *fileArgs) implied(d *dialect.Dialect, fold bool) error {
	for _, field := range []struct{ name, value, implied string }{
		{"args.wrapper", a.Wrapper, dialect.WrapperTag}, {"args.tag", a.Tag, dialect.ArgTag}, {"args.item", a.Item, dialect.ItemTag},
	} {
		if field.value != "" && field.value != field.implied {
			return fmt.Errorf("dialect %q: %s can only be %q", d.Name, field.name, field.implied)
		}
	}
	if a.Quoted {
		d.Args.Quote = `"` // what args.quote says now
	}
	if fold && !d.Folds() {
		return fmt.Errorf("dialect %q: frame.fold needs args.form %q", d.Name, dialect.ArgsTags)
	}
	return nil
}

// dialectJSONError words an error of the decoder for the author of the file.
func dialectJSONError(err error, at int64) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field := strings.NewReplacer(".Frame.", ".", ".Args.", ".").Replace(wrong.Field) // the embedded fields of the file
		if field == "" {
			return fmt.Errorf("dialect: expected an object, got %s", wrong.Value)
		}
		return fmt.Errorf("dialect: %s cannot be %s, at byte %d", field, article(wrong.Value), wrong.Offset)
	}
	if broken, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("dialect: invalid JSON at byte %d: %w", broken.Offset, err)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("dialect: the JSON is truncated at byte %d", at)
	}
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("dialect: unknown field %s, at byte %d", field, at)
	}
	return fmt.Errorf("dialect: %w", err)
}

func article(kind string) string {
	if kind != "" && strings.IndexByte("aeiou", kind[0]) >= 0 {
		return "an " + kind
	}
	return "a " + kind
}

// reserved are names with a special meaning; see Named.
var reserved = []string{"auto", "json"}

func checkName(d *dialect.Dialect) error {
	for i, name := range append([]string{d.Name}, d.Aliases...) {
		field := "name"
		if i > 0 {
			field = fmt.Sprintf("aliases[%d]", i-1)
		}
		switch {
		case name == "":
			return fmt.Errorf("dialect: %s is empty", field)
		case name != strings.ToLower(strings.TrimSpace(name)):
			return fmt.Errorf("dialect %q: %s must be in lower case, without blanks at its ends", d.Name, field)
		case slices.Contains(reserved, name):
			return fmt.Errorf("dialect %q: %s is a reserved name", d.Name, field)
		}
	}
	return nil
}
