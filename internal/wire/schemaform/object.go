package schemaform

import (
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// AsObject returns a schema with an object at the root, which some wires require, and says
// what it changed: alternatives are merged into one object, and any other value becomes
// the argument "input".
func AsObject(root *jsonvalue.Value) (object *jsonvalue.Value, action string) {
	object = jsonvalue.NewObject().Set("type", jsonvalue.NewString("object"))
	alternatives := slices.ContainsFunc(rootAlternatives, root.Has)
	switch {
	case !alternatives && isText(root.Get("type"), "object"):
		return root, ""
	case !alternatives && !isSet(root.Get("type")): // arguments are an object anyway
		return copyMembers(object, root, "type"), ""
	}
	if flat, ok := schema.NewDocument(root).Shaper(maxRoot).Flat(root); ok {
		return merged(object, flat, root), "its alternatives are merged into one object"
	}
	input := copyMembers(jsonvalue.NewObject(), root, rootDefinitions...)
	object.Set("properties", jsonvalue.NewObject().Set("input", input)).Set("required", jsonvalue.NewArray(jsonvalue.NewString("input")))
	for _, name := range rootDefinitions { // references start at the root
		if root.Has(name) {
			object.Set(name, root.Get(name))
		}
	}
	return object, `wrapped: its value is the argument "input"`
}

// maxRoot limits the schemas below a root that are read to merge its alternatives.
const maxRoot = 200

var (
	rootAlternatives = []string{"$ref", "anyOf", "oneOf", "allOf"}
	rootDefinitions  = []string{"$defs", "definitions"}
)

// merged adds the members of a root with its alternatives merged.
func merged(object *jsonvalue.Value, flat *schema.Shape, root *jsonvalue.Value) *jsonvalue.Value {
	properties := jsonvalue.NewObject()
	for _, p := range flat.Properties {
		properties.Set(p.Name, p.Schema)
	}
	object.Set("properties", properties)
	if len(flat.Required) > 0 {
		required := jsonvalue.NewArray()
		for _, name := range flat.Required {
			required.List = append(required.List, jsonvalue.NewString(name))
		}
		object.Set("required", required)
	}
	if !isSet(root.Get("description")) && flat.Description != "" {
		object.Set("description", jsonvalue.NewString(flat.Description))
	}
	done := append([]string{"type", "properties", "required"}, rootAlternatives...)
	if own := root.Get("properties"); own == nil || len(own.Keys) < len(flat.Properties) { // it described only the root's own properties
		done = append(done, "additionalProperties", "unevaluatedProperties")
	}
	return copyMembers(object, root, done...)
}

// copyMembers adds the members of an object, except some, to another one.
func copyMembers(to, from *jsonvalue.Value, except ...string) *jsonvalue.Value {
	for i, name := range from.Keys {
		if !slices.Contains(except, name) {
			to.Set(name, from.List[i])
		}
	}
	return to
}
