package grammar

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/rules"
)

// Strings that replace the slots of an envelope, so that it can be read as JSON.
const (
	slotName = "\x00name"
	slotID   = "\x00id"
	slotArgs = "\x00args"
	slotCall = "\x00call"
)

// jsonSchema returns the schema of the whole message. It allows several calls only if
// the dialect writes or reads them as one list.
func (w *writer) jsonSchema() ([]byte, error) {
	slots := strings.NewReplacer("{name}", quoted(slotName), "{id}", quoted(slotID), "{args}", quoted(slotArgs))
	envelope := slots.Replace(w.Dialect.EnvelopeForm())
	defs := object()
	var calls []*jsonvalue.Value
	for _, t := range w.Tools {
		template, err := jsonvalue.Parse(strings.ReplaceAll(envelope, quoted(slotName), quoted(t.Name)))
		if err != nil {
			return nil, &Error{Dialect: w.Dialect.Name, Tool: t.Name, Reason: "its envelope is not valid JSON: " + err.Error()}
		}
		defs.Set(t.Name, w.parameters(t, "#"+rules.Below("", "$defs", t.Name)))
		calls = append(calls, w.schemaOf(template, t, nil))
	}
	one := calls[0]
	if len(calls) > 1 {
		one = object().Set("anyOf", list(calls...))
	}
	whole := one
	if l := w.Dialect.Written.List; l.Open != "" {
		template, err := jsonvalue.Parse(l.Open + quoted(slotCall) + l.Close)
		if err != nil {
			return nil, &Error{Dialect: w.Dialect.Name, Reason: "its list of calls is not valid JSON: " + err.Error()}
		}
		whole = w.schemaOf(template, nil, one)
	} else if !w.o.Single && w.readsLists() {
		whole = object().Set("anyOf", list(one, w.schemaOf(list(), nil, one)))
	}
	return append(jsonvalue.Compact.Append(nil, whole.Set("$defs", defs)), '\n'), nil
}

func quoted(s string) string { return text(s).String() }

// schemaOf returns the schema of the values that fill the slots of a template.
func (w *writer) schemaOf(template *jsonvalue.Value, t *rules.Tool, calls *jsonvalue.Value) *jsonvalue.Value {
	switch template.Kind {
	case jsonvalue.Object:
		props, required := object(), list()
		for i, key := range template.Keys {
			props.Set(key, w.schemaOf(template.List[i], t, calls))
			required.List = append(required.List, text(key))
		}
		return object().Set("type", text("object")).Set("properties", props).Set("required", required).
			Set("additionalProperties", truth(false))
	case jsonvalue.Array:
		s := object().Set("type", text("array")).Set("items", calls).Set("minItems", count(1))
		if w.o.Single {
			s.Set("maxItems", count(1))
		}
		return s
	case jsonvalue.String:
		switch template.Text {
		case slotArgs:
			return object().Set("$ref", text("#"+rules.Below("", "$defs", t.Name)))
		case slotID:
			return object().Set("type", text("string")).Set("pattern", text("^[0-9]{1,3}$"))
		}
	}
	return object().Set("const", template)
}

// parameters returns the schema of a tool's arguments for the place root of the
// document. It always demands an object.
func (w *writer) parameters(t *rules.Tool, root string) *jsonvalue.Value {
	if t.Schema == nil || t.Schema.Kind != jsonvalue.Object {
		return object().Set("type", text("object"))
	}
	s := w.moved(t.Schema, root, false)
	if s == t.Schema { // never change the tool's own schema
		s = object()
	}
	if get(s, "type") == nil {
		s.Set("type", text("object"))
	}
	if get(s, "properties") == nil && get(s, "additionalProperties") == nil && get(s, "$ref") == nil && get(s, "anyOf") == nil &&
		get(s, "oneOf") == nil && get(s, "allOf") == nil && get(s, "patternProperties") == nil && get(s, "required") == nil {
		s.Set("properties", object()).Set("additionalProperties", truth(false))
	}
	return s
}

// moved returns a copy of a schema without the members that are left out, and with its
// references changed for the place root of the document. literal says that v is a
// value, not a schema.
func (w *writer) moved(v *jsonvalue.Value, root string, literal bool) *jsonvalue.Value {
	if len(v.List) == 0 {
		copied := *v
		return &copied
	}
	out := &jsonvalue.Value{Kind: v.Kind, Text: v.Text}
	for i, member := range v.List {
		if w.LeftOut[member] {
			continue
		}
		key := ""
		if v.Kind == jsonvalue.Object {
			key = v.Keys[i]
			out.Keys = append(out.Keys, key)
		}
		if rest, ok := strings.CutPrefix(member.Text, "#"); ok && key == "$ref" && member.Kind == jsonvalue.String && !literal {
			out.List = append(out.List, text(root+rest))
			continue
		}
		out.List = append(out.List, w.moved(member, root, literal || key == "const" || key == "enum" || key == "default" || key == "examples"))
	}
	return out
}
