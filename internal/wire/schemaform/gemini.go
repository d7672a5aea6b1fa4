package schemaform

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// ToGemini converts the schema of a tool's parameters for Gemini. own reports whether it is
// in the vendor's own form, a part of OpenAPI's, which every server of the wire reads: if
// that expresses the whole schema. Otherwise it is the part of JSON Schema that the
// vendor documents, and other keywords become part of the description. It returns nothing
// for parameters without properties, which the wire rejects. It takes time linear in the
// schema.
func ToGemini(raw json.RawMessage) (converted json.RawMessage, own bool, changes []Change) {
	root, err := parse(raw)
	if err != nil || !root.Is(jsonvalue.Object) {
		if root.IsTrue() {
			return nil, false, nil
		}
		return nil, false, []Change{{"", "left out: it is not the schema of an object"}}
	}
	var g geminiWriter
	root, done := AsObject(root)
	if done != "" {
		g.add("", done)
	}
	properties := root.Get("properties")
	if !properties.Is(jsonvalue.Object) || !slices.ContainsFunc(properties.List, func(v *jsonvalue.Value) bool { return !v.IsFalse() }) {
		if isSet(root.Get("description")) || root.Get("additionalProperties").Is(jsonvalue.Object) {
			g.add("", "left out: the wire accepts no object without properties")
		}
		return nil, false, g.changes
	}
	v, own := ownGemini(root)
	if !own {
		g.root, g.moved, g.names = root, jsonvalue.NewObject(), map[string]string{}
		v = g.json()
	}
	g.oddNames(root, "")
	return jsonvalue.Compact.AppendWritten(nil, v), own, g.changes
}

// ownGemini converts a schema to Gemini's own form: single types in capitals, null as a
// flag, alternatives without other keywords, no references, and enums of strings. ok is
// false if the form cannot express the schema.
func ownGemini(v *jsonvalue.Value) (out *jsonvalue.Value, ok bool) {
	if !v.Is(jsonvalue.Object) {
		return nil, false
	}
	out, ok = jsonvalue.NewObject(), true
	nested := func(name string, k *jsonvalue.Value) *jsonvalue.Value {
		return schema.MapSubschemas(name, k, func(_ string, sub *jsonvalue.Value) *jsonvalue.Value {
			converted, fits := ownGemini(sub)
			ok = ok && fits
			return converted
		})
	}
	if branches := v.Get("anyOf"); branches.Is(jsonvalue.Array) {
		out.Set("anyOf", nested("anyOf", branches))
		return out, ok && len(v.Keys) == 1 && len(branches.List) > 1
	}
	named := kinds(v)
	named = slices.DeleteFunc(slices.Clone(named), isKind("null"))
	if len(named) != 1 || !named[0].Is(jsonvalue.String) {
		return nil, false
	}
	kind := typeOf(named[0].Text)
	if kind == 0 || kind == isNull || kind == isArray && !v.Has("items") {
		return nil, false
	}
	for i, name := range v.Keys {
		k := v.List[i]
		switch name {
		case "type":
			out.Set(name, jsonvalue.NewString(strings.ToUpper(named[0].Text)))
			if len(kinds(v)) > 1 {
				out.Set("nullable", jsonvalue.NewBool(true))
			}
		case "items", "properties":
			ok = ok && k.Is(jsonvalue.Object)
			out.Set(name, nested(name, k))
		case "enum":
			k = jsonvalue.NewArray(slices.DeleteFunc(slices.Clone(k.Elements()), func(v *jsonvalue.Value) bool { return v.Kind == jsonvalue.Null })...)
			ok = ok && kind == isString && len(k.List) > 0
			fallthrough
		default:
			ok = ok && fitsGemini(name, k, kind, v)
			out.Set(name, k)
		}
		if !ok {
			return nil, false
		}
	}
	return out, ok
}

// fitsGemini reports whether Gemini's own form has a keyword with this value in a schema.
func fitsGemini(name string, k *jsonvalue.Value, kind types, of *jsonvalue.Value) bool {
	switch name {
	case "title", "description", "pattern":
		return k.Is(jsonvalue.String)
	case "minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength", "minimum", "maximum":
		return k.Is(jsonvalue.Number)
	case "enum":
		return !slices.ContainsFunc(k.List, func(v *jsonvalue.Value) bool { return !v.Is(jsonvalue.String) || v.Text == "" })
	case "required":
		properties := of.Get("properties")
		return k.Is(jsonvalue.Array) && !slices.ContainsFunc(k.List, func(v *jsonvalue.Value) bool { return !v.Is(jsonvalue.String) || !properties.Has(v.Text) })
	case "format":
		return k.Is(jsonvalue.String) && fitsFormat(k.Text, kind)
	case "nullable":
		return k.Is(jsonvalue.Bool)
	case "default", "example", "propertyOrdering":
		return true
	}
	return false
}

// fitsFormat reports whether Gemini's own form has a format for a type.
func fitsFormat(word string, kind types) bool {
	switch word {
	case "date-time":
		return kind == isString
	case "enum":
		return kind == isString || kind == isInteger
	case "int32", "int64":
		return kind == isInteger
	case "float", "double":
		return kind == isNumber
	}
	return false
}

// geminiKeywords are the keywords that Gemini documents for JSON Schema, besides
// references; true for those with schemas in them. It rejects requests with others.
var geminiKeywords = map[string]bool{
	"$id": false, "$anchor": false, "$schema": false, "type": false, "format": false, "title": false, "description": false, "enum": false, "required": false,
	"minItems": false, "maxItems": false, "minimum": false, "maximum": false, "propertyOrdering": false, "default": false, "example": false,
	"anyOf": true, "oneOf": true, "prefixItems": true, "items": true, "additionalProperties": true, "properties": true, "$defs": true,
}

// geminiWriter rewrites a schema to that part of JSON Schema.
type geminiWriter struct {
	record
	root  *jsonvalue.Value
	moved *jsonvalue.Value  // the definitions that are copied from other places
	names map[string]string // of these, by the references to them
	queue []string          // such references whose definitions are not written yet
}

// maxMoved limits the definitions that are copied, each of which may be as large as the schema.
const maxMoved = 64

// json rewrites the root.
func (g *geminiWriter) json() *jsonvalue.Value {
	out := g.schema(g.root, "")
	for len(g.queue) > 0 {
		to := g.queue[0]
		g.queue = g.queue[1:]
		target := copyMembers(jsonvalue.NewObject(), g.root, rootDefinitions...) // for "#"
		if pointer, inside := strings.CutPrefix(to, "#/"); inside {
			target = g.root
			for part := range strings.SplitSeq(pointer, "/") {
				target = target.Step(jsonvalue.UnescapePointer(part))
			}
		}
		if target == nil {
			g.add(".$defs", to+" points to nothing")
			target = jsonvalue.NewObject()
		}
		g.moved.Set(g.names[to], g.schema(target, ".$defs."+g.names[to]))
	}
	if defs := out.Get("$defs"); len(g.moved.Keys) > 0 {
		if defs.Is(jsonvalue.Object) {
			g.moved = copyMembers(g.moved, defs)
		}
		out.Set("$defs", g.moved)
	}
	return out
}

// schema rewrites a schema.
func (g *geminiWriter) schema(v *jsonvalue.Value, path string) *jsonvalue.Value {
	if !v.Is(jsonvalue.Object) {
		return v // true or false
	}
	out := jsonvalue.NewObject()
	var notes []string
	for i, name := range v.Keys {
		k, at := v.List[i], path+"."+name
		_, known := geminiKeywords[name]
		switch {
		case name == "$ref" && k.Is(jsonvalue.String) && strings.HasPrefix(k.Text, "#"):
			if to, ok := g.reference(k.Text); ok {
				out.Set(name, jsonvalue.NewString(to))
			} else {
				g.add(at, "left out: there are too many references")
			}
		case name == "const" && (k.Is(jsonvalue.String) || k.Is(jsonvalue.Number)):
			out.Set("enum", jsonvalue.NewArray(k))
		case name == "allOf" && !v.Has("anyOf"): // less strict, unless there is only one
			g.add(at, "written as anyOf")
			out.Set("anyOf", g.nested(name, k, path))
		case known && (name != "items" || !k.Is(jsonvalue.Array)):
			out.Set(name, g.nested(name, k, path))
		case name == "definitions": // those that are referred to are moved
		case strings.HasPrefix(name, "$"):
			g.add(at, "left out")
		default:
			g.add(at, "part of the description")
			notes = append(notes, noteOf(name, k))
		}
	}
	describe(out, notes)
	return out
}

// nested rewrites the schemas under a keyword.
func (g *geminiWriter) nested(name string, k *jsonvalue.Value, path string) *jsonvalue.Value {
	if !geminiKeywords[name] && name != "allOf" {
		return k
	}
	return schema.MapSubschemas(name, k, func(part string, sub *jsonvalue.Value) *jsonvalue.Value {
		return g.schema(sub, below(path, name, part, k))
	})
}

// reference returns the reference to a definition that Gemini accepts: one in $defs, where
// what is elsewhere is copied. ok is false if there are too many.
func (g *geminiWriter) reference(to string) (string, bool) {
	defs := g.root.Get("$defs")
	if name, ok := strings.CutPrefix(to, "#/$defs/"); ok && defs.Has(jsonvalue.UnescapePointer(name)) {
		return to, true
	}
	name, known := g.names[to]
	if !known {
		if len(g.names) == maxMoved {
			return "", false
		}
		name = strings.TrimPrefix(to, "#/definitions/")
		for n := 0; !isGeminiName(name) || defs.Has(name) || g.moved.Has(name); n++ {
			name = "def" + strconv.Itoa(n)
		}
		g.names[to] = name
		g.moved.Set(name, null)
		g.queue = append(g.queue, to)
	}
	return "#/$defs/" + name, true
}

// oddName is the note about a property whose name the vendor does not document. The
// name stays, because the model's arguments would otherwise have another one.
const oddName = "kept, but the server may refuse the name: it allows at most 64 letters, digits and _, and no digit first"

// oddNames notes such properties.
func (g *geminiWriter) oddNames(v *jsonvalue.Value, path string) {
	if !v.Is(jsonvalue.Object) {
		return
	}
	for i, keyword := range v.Keys {
		for name, sub := range schema.Subschemas(keyword, v.List[i]) {
			at := below(path, keyword, name, v.List[i])
			if keyword == "properties" && !isGeminiName(name) {
				g.add(at, oddName)
			}
			g.oddNames(sub, at)
		}
	}
}

// isGeminiName reports whether a property's name conforms to the vendor's rules.
func isGeminiName(name string) bool {
	if name == "" || len(name) > 64 || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	for i := range len(name) {
		if c := name[i]; c != '_' && !(c >= '0' && c <= '9') && !(c|0x20 >= 'a' && c|0x20 <= 'z') {
			return false
		}
	}
	return true
}
