package anthropic

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/frame"
	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// schema writes the schema of a tool. The wire wants an object at the root, and
// says so by type; it takes no alternatives there.
func (w *writing) schema(raw json.RawMessage, field string) {
	var r payload.Reader
	root, err := r.Open(frame.Event{Data: raw})
	switch {
	case err != nil:
		w.Log.Add(carry.ToolSchema, field, "left out: it is not valid JSON")
		root = payload.Value{}
	case root.Kind == payload.Bool && !root.IsTrue():
		w.Log.Add(carry.ToolSchema, field, "left out: no arguments fit it")
	}
	if root.Kind != payload.Object {
		w.Raw([]byte(`{"type":"object"}`))
		return
	}
	var kind payload.Value
	plain := true
	for key, member := range root.Fields() {
		switch string(key) {
		case "type":
			kind = member
		case "$ref", "anyOf", "oneOf", "allOf":
			plain = false
		}
	}
	switch {
	case plain && kind.Is("object"):
		w.Raw(raw)
		return
	case plain && !kind.IsSet(): // the arguments of a call are an object anyway
		w.Object()
		w.Text("type", "object")
		w.without(root, "type")
		w.EndObject()
		return
	}
	f := flattener{root: root, budget: maxSchemas}
	if flat, ok := f.flatten(root, 0); ok {
		w.Log.Add(carry.ToolSchema, field, "its alternatives are merged into one object")
		w.flat(flat, root)
		return
	}
	w.Log.Add(carry.ToolSchema, field, "wrapped: its value is the argument \"input\"")
	w.Object()
	w.Text("type", "object")
	w.Key("properties")
	w.Object()
	w.Key("input")
	w.Object()
	w.without(root, "$defs", "definitions")
	w.EndObject()
	w.EndObject()
	w.Key("required")
	w.Raw([]byte(`["input"]`))
	for key, member := range root.Fields() { // references start from the root
		if name := string(key); name == "$defs" || name == "definitions" {
			w.Member(name, member.JSON())
		}
	}
	w.EndObject()
}

// without writes the members of an object but for some.
func (w *writing) without(v payload.Value, names ...string) {
	for key, member := range v.Fields() {
		if !slices.Contains(names, string(key)) {
			w.Member(string(key), member.JSON())
		}
	}
}

// flat writes a root that was flattened.
func (w *writing) flat(f flat, root payload.Value) {
	w.Object()
	w.Text("type", "object")
	w.Key("properties")
	w.Object()
	for _, p := range f.properties {
		w.Member(p.name, p.schema())
	}
	w.EndObject()
	if len(f.required) > 0 {
		w.Key("required")
		w.Array()
		for _, name := range f.required {
			w.String(name)
		}
		w.EndArray()
	}
	if f.description != nil && !root.Get("description").IsSet() {
		w.Member("description", f.description)
	}
	done := []string{"type", "properties", "required", "$ref", "anyOf", "oneOf", "allOf"}
	own := 0
	for range root.Get("properties").Fields() {
		own++
	}
	if own < len(f.properties) { // it was said of the root's own alone
		done = append(done, "additionalProperties", "unevaluatedProperties")
	}
	w.without(root, done...)
	w.EndObject()
}

const (
	maxSchemas = 200 // that are looked at below a root
	maxNesting = 32
)

// flat is an object's schema without alternatives.
type flat struct {
	properties  []property
	required    []string
	description json.RawMessage
}

// property is a parameter, with the schemas that the parts of the root have
// for it.
type property struct {
	name string
	any  []json.RawMessage // one of them
	all  []json.RawMessage // and these
}

func (p property) schema() json.RawMessage {
	all := p.all
	if len(p.any) > 0 {
		all = append([]json.RawMessage{combined("anyOf", p.any)}, all...)
	}
	return combined("allOf", all)
}

// combined returns the schema that stands for several.
func combined(how string, schemas []json.RawMessage) json.RawMessage {
	var different []json.RawMessage
	for _, s := range schemas {
		if !slices.ContainsFunc(different, func(d json.RawMessage) bool { return bytes.Equal(d, s) }) {
			different = append(different, s)
		}
	}
	if len(different) == 1 {
		return different[0]
	}
	var w jsonout.Writer
	w.Object()
	w.Key(how)
	w.Array()
	for _, s := range different {
		w.Raw(s)
	}
	w.EndArray()
	w.EndObject()
	return w.Out
}

// flattener flattens a root.
type flattener struct {
	root   payload.Value
	budget int
}

// flatten returns a schema without alternatives that allows all that v allows,
// if v is of an object.
func (f *flattener) flatten(v payload.Value, depth int) (flat, bool) {
	if f.budget--; f.budget < 0 || depth > maxNesting || v.Kind != payload.Object {
		return flat{}, false
	}
	var out flat
	var all, choices []payload.Value
	for key, member := range v.Fields() {
		switch string(key) {
		case "type":
			if !allowsObject(member) {
				return flat{}, false
			}
		case "properties":
			for name, schema := range member.Fields() {
				out.properties = append(out.properties, property{name: string(name), all: []json.RawMessage{schema.JSON()}})
			}
		case "required":
			for name := range member.Items() {
				out.required = append(out.required, stringOf(name))
			}
		case "description":
			out.description = member.JSON()
		case "$ref":
			target, ok := f.resolve(member)
			if !ok {
				return flat{}, false
			}
			all = append(all, target)
		case "allOf":
			for branch := range member.Items() {
				all = append(all, branch)
			}
		case "anyOf", "oneOf":
			choices = append(choices, member)
		}
	}
	for _, branch := range all {
		part, ok := f.flatten(branch, depth+1)
		if !ok {
			return flat{}, false
		}
		out.and(part)
	}
	for _, choice := range choices {
		part, ok := f.either(choice, depth+1)
		if !ok {
			return flat{}, false
		}
		out.and(part)
	}
	return out, true
}

// either flattens alternatives: each of their properties is there, and those
// are required that all of them require.
func (f *flattener) either(choice payload.Value, depth int) (flat, bool) {
	var out flat
	at := map[string]int{}
	requiredBy := map[string]int{}
	branches := 0
	for branch := range choice.Items() {
		if branch.Get("type").Is("null") {
			continue
		}
		part, ok := f.flatten(branch, depth)
		if !ok {
			return flat{}, false
		}
		branches++
		for _, p := range part.properties {
			i, ok := at[p.name]
			if !ok {
				i = len(out.properties)
				at[p.name] = i
				out.properties = append(out.properties, property{name: p.name})
			}
			out.properties[i].any = append(out.properties[i].any, p.schema())
		}
		slices.Sort(part.required)
		for _, name := range slices.Compact(part.required) {
			requiredBy[name]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(requiredBy)) {
		if requiredBy[name] == branches {
			out.required = append(out.required, name)
		}
	}
	return out, branches > 0
}

// and adds what another part of the same schema says.
func (f *flat) and(part flat) {
	at := map[string]int{}
	for i, p := range f.properties {
		at[p.name] = i
	}
	for _, p := range part.properties {
		if i, ok := at[p.name]; ok {
			f.properties[i].all = append(f.properties[i].all, p.schema())
		} else {
			f.properties = append(f.properties, p)
		}
	}
	known := map[string]bool{}
	for _, name := range f.required {
		known[name] = true
	}
	for _, name := range part.required {
		if !known[name] {
			known[name] = true
			f.required = append(f.required, name)
		}
	}
	if f.description == nil {
		f.description = part.description
	}
}

// resolve follows a reference into the root.
func (f *flattener) resolve(ref payload.Value) (payload.Value, bool) {
	path, ok := strings.CutPrefix(stringOf(ref), "#/")
	if !ok {
		return payload.Value{}, false
	}
	v := f.root
	for step := range strings.SplitSeq(path, "/") {
		v = v.Get(strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	return v, v.Kind == payload.Object
}

// allowsObject reports whether a type is that of objects, among others or not.
func allowsObject(kind payload.Value) bool {
	for k := range kind.Items() {
		if k.Is("object") {
			return true
		}
	}
	return kind.Is("object") || !kind.IsSet()
}

func stringOf(v payload.Value) string {
	var t payload.Texts
	return t.Whole(v)
}
