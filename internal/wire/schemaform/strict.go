package schemaform

import (
	"encoding/json"
	"slices"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// ToStrict rewrites a schema by OpenAI's rules for strict tools: objects have
// additionalProperties false, and all of their properties are required; optional ones may
// be null instead. A schema that already conforms is returned unchanged. If ok is false,
// the schema cannot conform, and the only change says why.
func ToStrict(raw json.RawMessage) (strict json.RawMessage, changes []Change, ok bool) {
	root, err := parse(raw)
	if err != nil || !isText(root.Get("type"), "object") || isSet(root.Get("anyOf")) {
		return raw, []Change{{"", "the root is not an object"}}, false
	}
	s := strictWriter{}
	return s.result(raw, s.schema(root, "", 0))
}

// judged records the changes of a schema, or why it cannot conform.
type judged struct {
	record
	bad *Change
}

func (j *judged) fail(path, why string) {
	if j.bad == nil {
		j.bad = &Change{path, why}
	}
}

// result returns the rewritten schema, or the original if nothing changed or it cannot
// conform.
func (j *judged) result(raw json.RawMessage, rewritten *jsonvalue.Value) (json.RawMessage, []Change, bool) {
	switch {
	case j.bad != nil:
		return raw, []Change{*j.bad}, false
	case len(j.changes) == 0:
		return raw, nil, true
	}
	return jsonvalue.Compact.AppendWritten(nil, rewritten), j.changes, true
}

// strictWriter rewrites one schema.
type strictWriter struct{ judged }

func isText(v *jsonvalue.Value, text string) bool { return v.Is(jsonvalue.String) && v.Text == text }

// kinds returns the types that a schema names.
func kinds(v *jsonvalue.Value) []*jsonvalue.Value {
	if kind := v.Get("type"); kind.Is(jsonvalue.String) {
		return []*jsonvalue.Value{kind}
	}
	return v.Get("type").Elements()
}

func isKind(name string) func(*jsonvalue.Value) bool {
	return func(v *jsonvalue.Value) bool { return isText(v, name) }
}

// schema rewrites a schema.
func (s *strictWriter) schema(v *jsonvalue.Value, path string, depth int) *jsonvalue.Value {
	switch {
	case !v.Is(jsonvalue.Object):
		s.fail(path, "a schema with references cannot be strict")
	case depth > maxNesting:
		s.fail(path, "it is nested too deep")
	case !slices.ContainsFunc(v.Keys, saysSomething):
		s.fail(path, "a value of any type cannot be strict")
	}
	if s.bad != nil {
		return v
	}
	out := jsonvalue.NewObject()
	for i, name := range v.Keys {
		s.keyword(out, name, v.List[i], v, path, depth)
	}
	if slices.ContainsFunc(kinds(v), isKind("object")) || v.Get("properties").Is(jsonvalue.Object) {
		s.close(out, v, path)
	}
	return out
}

// saysSomething reports whether a keyword is kept.
func saysSomething(keyword string) bool {
	return keyword != "additionalProperties" && keyword != "required" && keyword != "default"
}

// keyword adds a rewritten keyword.
func (s *strictWriter) keyword(out *jsonvalue.Value, name string, k, of *jsonvalue.Value, path string, depth int) {
	at := path + "." + name
	as, optional := name, func(string) bool { return false }
	switch name {
	case "additionalProperties", "required": // see close
		return
	case "default":
		s.add(at, "left out")
		return
	case "properties":
		required := of.Get("required").Elements()
		optional = func(name string) bool { return !slices.ContainsFunc(required, isKind(name)) }
	case "oneOf":
		s.add(at, "written as anyOf")
		as = "anyOf"
	case "anyOf", "items", "$defs", "definitions":
	case "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties", "prefixItems":
		s.fail(at, "strict tools do not support the keyword")
		return
	default:
		out.Set(name, k)
		return
	}
	out.Set(as, schema.MapSubschemas(name, k, func(name string, sub *jsonvalue.Value) *jsonvalue.Value {
		at := below(path, as, name, k)
		if optional(name) {
			s.add(at, "made required and nullable")
			return s.orNull(sub, at, depth+1)
		}
		return s.schema(sub, at, depth+1)
	}))
}

// close adds the keywords that close an object.
func (s *strictWriter) close(out, v *jsonvalue.Value, path string) {
	additional := v.Get("additionalProperties")
	switch {
	case additional.Is(jsonvalue.Object) && len(additional.Keys) > 0:
		s.fail(path+".additionalProperties", "additional properties cannot be strict")
		return
	case !additional.IsFalse():
		s.add(path+".additionalProperties", "false")
	}
	required := jsonvalue.NewArray()
	if properties := v.Get("properties"); properties.Is(jsonvalue.Object) {
		for _, name := range properties.Keys {
			required.List = append(required.List, jsonvalue.NewString(name))
		}
	}
	out.Set("additionalProperties", jsonvalue.NewBool(false)).Set("required", required)
	if !isSet(v.Get("properties")) {
		s.add(path+".properties", "none")
		out.Set("properties", jsonvalue.NewObject())
	}
}

// null is the value, and typeNull its schema.
var (
	null     = &jsonvalue.Value{Kind: jsonvalue.Null, Text: "null", Raw: "null"}
	typeNull = jsonvalue.NewObject().Set("type", jsonvalue.NewString("null"))
)

// orNull rewrites a schema so that it also allows null.
func (s *strictWriter) orNull(v *jsonvalue.Value, path string, depth int) *jsonvalue.Value {
	types := kinds(v)
	switch {
	case !isSet(v.Get("type")) || v.Has("const"):
		return jsonvalue.NewObject().Set("anyOf", jsonvalue.NewArray(s.schema(v, path, depth), typeNull))
	case slices.ContainsFunc(types, isKind("null")):
		return s.schema(v, path, depth)
	}
	nullable := jsonvalue.NewObject()
	for i, name := range v.Keys {
		member := v.List[i]
		switch name {
		case "type":
			member = jsonvalue.NewArray(slices.Concat(types, []*jsonvalue.Value{jsonvalue.NewString("null")})...)
		case "enum":
			member = jsonvalue.NewArray(slices.Concat(member.Elements(), []*jsonvalue.Value{null})...)
		}
		nullable.Set(name, member)
	}
	return s.schema(nullable, path, depth)
}

// WithItems returns a schema in which every list with prefixItems also has items, as
// OpenAI requires: any of the prefix's. The result is less strict about the order of
// elements. With all, other lists without items get items of any kind.
func WithItems(raw json.RawMessage, all bool) (json.RawMessage, []Change) {
	if bytescan.Index(raw, `"prefixItems"`, 'x') < 0 && !(all && bytescan.Index(raw, `"array"`, 'y') >= 0) {
		return raw, nil
	}
	root, err := parse(raw)
	if err != nil {
		return raw, nil
	}
	var r record
	added := false
	root = r.withItems(root, "", func(list *jsonvalue.Value) {
		if all {
			list.Set("items", jsonvalue.NewObject())
			added = true
		}
	})
	if len(r.changes) == 0 && !added {
		return raw, nil
	}
	return jsonvalue.Compact.AppendWritten(nil, root), r.changes
}

// withItems calls bare with each list without any items, which have no meaning to lose.
func (r *record) withItems(v *jsonvalue.Value, path string, bare func(list *jsonvalue.Value)) *jsonvalue.Value {
	if !v.Is(jsonvalue.Object) {
		return v
	}
	out := jsonvalue.NewObject()
	for i, key := range v.Keys {
		out.Set(key, schema.MapSubschemas(key, v.List[i], func(name string, sub *jsonvalue.Value) *jsonvalue.Value {
			return r.withItems(sub, below(path, key, name, v.List[i]), bare)
		}))
	}
	switch prefix := out.Get("prefixItems"); {
	case isSet(out.Get("items")):
	case prefix.Is(jsonvalue.Array):
		out.Set("items", jsonvalue.NewObject().Set("anyOf", prefix))
		r.add(path+".prefixItems", "items is any of them")
	case slices.ContainsFunc(kinds(out), isKind("array")):
		bare(out)
	}
	return out
}

// below returns the path of a schema with a name under a keyword.
func below(path, keyword, name string, of *jsonvalue.Value) string {
	if path += "." + keyword; of.Is(jsonvalue.Object) && name != "" {
		path += "." + name
	}
	return path
}

// isSet reports whether a member exists and is not null.
func isSet(v *jsonvalue.Value) bool { return v != nil && v.Kind != jsonvalue.Null }
