package grammar

import "strings"

// The slots of an envelope while it is read as JSON.
const (
	slotName = "\x00name"
	slotID   = "\x00id"
	slotArgs = "\x00args"
	slotCall = "\x00call"
)

// jsonSchema writes the schema of the whole message. Several calls are one value where
// the dialect writes them as a list, or reads one; else there is one call.
func (w *writer) jsonSchema() ([]byte, error) {
	slots := strings.NewReplacer("{name}", quoted(slotName), "{id}", quoted(slotID), "{args}", quoted(slotArgs))
	envelope := slots.Replace(w.envelope())
	defs := object()
	var calls []*jnode
	for _, t := range w.tools {
		template, err := decode([]byte(strings.ReplaceAll(envelope, quoted(slotName), quoted(t.Name))))
		if err != nil {
			return nil, &Error{Dialect: w.d.Name, Tool: t.Name, Reason: "its envelope is no JSON: " + err.Error()}
		}
		defs.set(t.Name, w.parameters(t, "#"+below("", "$defs", t.Name)))
		calls = append(calls, w.schemaOf(template, t, nil))
	}
	one := calls[0]
	if len(calls) > 1 {
		one = object().set("anyOf", list(calls...))
	}
	whole := one
	if l := w.d.Written.List; l.Open != "" {
		template, err := decode([]byte(l.Open + quoted(slotCall) + l.Close))
		if err != nil {
			return nil, &Error{Dialect: w.d.Name, Reason: "its list of calls is no JSON: " + err.Error()}
		}
		whole = w.schemaOf(template, nil, one)
	} else if !w.o.Single && w.readsLists() {
		whole = object().set("anyOf", list(one, w.schemaOf(list(), nil, one)))
	}
	return append(whole.set("$defs", defs).appendTo(nil, ",", ":"), '\n'), nil
}

func quoted(s string) string { return text(s).String() }

// schemaOf is the schema of a value that is the template with its slots filled.
func (w *writer) schemaOf(template *jnode, t *tool, calls *jnode) *jnode {
	switch template.kind {
	case 'o':
		props, required := object(), list()
		for i, key := range template.keys {
			props.set(key, w.schemaOf(template.list[i], t, calls))
			required.list = append(required.list, text(key))
		}
		return object().set("type", text("object")).set("properties", props).set("required", required).
			set("additionalProperties", truth(false))
	case 'a':
		s := object().set("type", text("array")).set("items", calls).set("minItems", &jnode{kind: 'n', text: "1"})
		if w.o.Single {
			s.set("maxItems", &jnode{kind: 'n', text: "1"})
		}
		return s
	case 's':
		switch template.text {
		case slotArgs:
			return object().set("$ref", text("#"+below("", "$defs", t.Name)))
		case slotID:
			return object().set("type", text("string")).set("pattern", text("^[0-9]{1,3}$"))
		}
	}
	return object().set("const", template)
}

// parameters is the schema of a tool's arguments as it stands at root, where it is
// an object in any case.
func (w *writer) parameters(t *tool, root string) *jnode {
	if t.schema == nil || t.schema.kind != 'o' {
		return object().set("type", text("object"))
	}
	s := w.moved(t.schema, root, false)
	if s.get("type") == nil {
		s.set("type", text("object"))
	}
	if s.get("properties") == nil && s.get("additionalProperties") == nil && s.get("$ref") == nil && s.get("anyOf") == nil &&
		s.get("oneOf") == nil && s.get("allOf") == nil && s.get("patternProperties") == nil && s.get("required") == nil {
		s.set("properties", object()).set("additionalProperties", truth(false))
	}
	return s
}

// moved is a copy of a schema whose references lead into the document at root, without
// the members that are left out. literal: it is a value, not a schema.
func (w *writer) moved(v *jnode, root string, literal bool) *jnode {
	if len(v.list) == 0 {
		copied := *v
		return &copied
	}
	out := &jnode{kind: v.kind, text: v.text}
	for i, member := range v.list {
		if w.leftOut[member] {
			continue
		}
		key := ""
		if v.kind == 'o' {
			key = v.keys[i]
			out.keys = append(out.keys, key)
		}
		if rest, ok := strings.CutPrefix(member.text, "#"); ok && key == "$ref" && member.kind == 's' && !literal {
			out.list = append(out.list, text(root+rest))
			continue
		}
		out.list = append(out.list, w.moved(member, root, literal || key == "const" || key == "enum" || key == "default" || key == "examples"))
	}
	return out
}
