package manifest

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/toolparse/toolparse/internal/toolset"
	"github.com/toolparse/toolparse/toolcall"
)

// Infer returns the definition of a tool whose arguments are the fields of the struct T, named by
// their json tags. A field without omitempty, omitzero or default is required. A model omits
// an optional field rather than setting it to null. Further tags:
//
//	jsonschema:"where it is"    the description
//	enum:"first,last"           the values that it may have
//	default:"first"             its value if it is omitted
//	minimum:"1" maximum:"300"   the bounds of a number
//
// The error names the type or the field that cannot be a parameter.
func Infer[T any](name, description string) (toolcall.ToolDefinition, error) {
	schema, err := schemaOf[T]()
	if err != nil {
		return toolcall.ToolDefinition{}, fmt.Errorf("tool %q: schema: %w", name, err)
	}
	t := toolcall.ToolDefinition{Name: name, Description: description, Parameters: schema}
	_, err = toolset.Read([]toolcall.ToolDefinition{t})
	return t, err
}

// schemaOf returns the schema of the fields of T.
func schemaOf[T any]() (json.RawMessage, error) {
	t := reflect.TypeFor[T]()
	known := ownForms{}
	if err := known.addFields(t); err != nil {
		return nil, err
	}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		return nil, err
	}
	if err := readTags(t, s); err != nil {
		return nil, err
	}
	switch {
	case slices.Contains(s.Types, "object"): // a pointer may be null, but the arguments may not
		s.Type, s.Types = "object", nil
	case s.Type != "" && s.Type != "object", len(s.Types) > 0:
		return nil, fmt.Errorf("its parameters must be the fields of a struct, because arguments have names; got %s", reflect.TypeFor[T]())
	}
	return json.Marshal(s)
}

// ownForms maps types that are not written in JSON as their kind is to the schemas of what
// encoding/json accepts for them. A nil schema marks a type that has been visited.
type ownForms map[reflect.Type]*jsonschema.Schema

// anyType lists the types of a value that may be anything. A schema without types would not
// accept more than null behind a pointer.
var anyType = []string{"null", "boolean", "number", "string", "array", "object"}

// standardForms are types of the standard library whose methods do not tell their form.
var standardForms = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[time.Time]():       {Type: "string"},
	reflect.TypeFor[slog.Level]():      {Type: "string"},
	reflect.TypeFor[json.RawMessage](): {Types: anyType},
	reflect.TypeFor[json.Number]():     {Type: "number"},
	reflect.TypeFor[big.Int]():         {Type: "integer"},
}

// add adds the forms of t and of the types in it.
func (o ownForms) add(t reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		return o.add(t.Elem())
	}
	if _, done := o[t]; done {
		return nil
	}
	form, standard := standardForms[t]
	implements := reflect.PointerTo(t).Implements
	switch {
	case standard:
	case implements(reflect.TypeFor[json.Unmarshaler]()):
		form = &jsonschema.Schema{Types: anyType}
	case implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		form = &jsonschema.Schema{Type: "string"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		form = &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
	default:
		o[t] = nil
		if err := o.addFields(t); err != nil {
			return err
		}
		if t.Kind() == reflect.Map && isInteger(t.Key().Kind()) {
			values, err := jsonschema.ForType(t.Elem(), &jsonschema.ForOptions{TypeSchemas: o})
			if err != nil {
				return err
			}
			form = &jsonschema.Schema{Type: "object", AdditionalProperties: values, PropertyNames: &jsonschema.Schema{Pattern: "^-?[0-9]+$"}}
		}
	}
	o[t] = form
	return nil
}

func isInteger(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

// addFields adds the forms of the types in t.
func (o ownForms) addFields(t reflect.Type) error {
	switch t.Kind() {
	case reflect.Pointer:
		return o.addFields(t.Elem())
	case reflect.Slice, reflect.Array, reflect.Map:
		return o.add(t.Elem())
	case reflect.Struct:
		for field := range t.Fields() {
			if !field.IsExported() && !field.Anonymous || field.Tag.Get("json") == "-" {
				continue
			}
			if err := o.add(field.Type); err != nil {
				return fmt.Errorf("field %s: %w", field.Name, err)
			}
		}
	}
	return nil
}

// readTags adds the tags of fields to the schema of their type.
func readTags(t reflect.Type, s *jsonschema.Schema) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s != nil && slices.Equal(s.Types, anyType) {
		s.Types = nil
	}
	switch {
	case s == nil:
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		return readTags(t.Elem(), s.Items)
	case t.Kind() == reflect.Map:
		return readTags(t.Elem(), s.AdditionalProperties)
	case t.Kind() == reflect.Struct:
		for _, field := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" {
				name = field.Name
			}
			property := s.Properties[name]
			if property == nil || !field.IsExported() {
				continue
			}
			if slices.Contains(strings.Split(options, ","), "string") {
				if err := asString(property); err != nil {
					return fmt.Errorf("field %s: %w", field.Name, err)
				}
			}
			if err := readFieldTags(field.Tag, name, s, property); err != nil {
				return fmt.Errorf("field %s: %w", field.Name, err)
			}
			if err := readTags(field.Type, property); err != nil {
				return err
			}
			if len(property.Types) == 2 && property.Types[0] == "null" && (field.Type.Kind() == reflect.Slice || !slices.Contains(s.Required, name)) {
				property.Type, property.Types = property.Types[1], nil
			}
		}
	}
	return nil
}

// asString makes a schema that of a field with the option string of encoding/json, which puts
// numbers and booleans in quotes.
func asString(s *jsonschema.Schema) error {
	types := []string{s.Type}
	if s.Type == "" {
		types = s.Types
	}
	for i, name := range types {
		switch name {
		case "integer", "number", "boolean":
			types[i] = "string"
		case "string":
			return errors.New(`the option "string" of its json tag would quote a string twice`)
		}
	}
	if s.Minimum, s.Maximum = nil, nil; s.Type != "" {
		s.Type = types[0]
	}
	return nil
}

// readFieldTags adds the tags of one field to its schema s. of is the schema of its struct.
func readFieldTags(tag reflect.StructTag, name string, of, s *jsonschema.Schema) error {
	if text, ok := tag.Lookup("enum"); ok {
		for word := range strings.SplitSeq(text, ",") {
			value, err := tagValue(word, s)
			if err != nil {
				return err
			}
			s.Enum = append(s.Enum, value)
		}
	}
	if text, ok := tag.Lookup("default"); ok {
		value, err := tagValue(text, s)
		if err != nil {
			return err
		}
		s.Default = value
		of.Required = slices.DeleteFunc(of.Required, func(required string) bool { return required == name })
	}
	for key, to := range map[string]**float64{"minimum": &s.Minimum, "maximum": &s.Maximum} {
		if text, ok := tag.Lookup(key); ok {
			number, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return fmt.Errorf("the tag %s:%q is not a number", key, text)
			}
			*to = &number
		}
	}
	return nil
}

// tagValue returns the JSON of a value in a tag, which is the text of a string, or JSON.
func tagValue(text string, s *jsonschema.Schema) (json.RawMessage, error) {
	if s.Type == "string" || slices.Contains(s.Types, "string") {
		return json.Marshal(text)
	}
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("the value %q in a tag is not JSON", text)
	}
	return json.RawMessage(text), nil
}
