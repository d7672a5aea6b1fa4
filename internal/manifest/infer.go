package manifest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

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
	s, err := jsonschema.For[T](nil)
	if err != nil {
		return nil, err
	}
	if err := readTags(reflect.TypeFor[T](), s); err != nil {
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

// readTags adds the tags of fields to the schema of their type.
func readTags(t reflect.Type, s *jsonschema.Schema) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case s == nil:
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		return readTags(t.Elem(), s.Items)
	case t.Kind() == reflect.Map:
		return readTags(t.Elem(), s.AdditionalProperties)
	case t.Kind() == reflect.Struct:
		for _, field := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" {
				name = field.Name
			}
			property := s.Properties[name]
			if property == nil || !field.IsExported() {
				continue
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
