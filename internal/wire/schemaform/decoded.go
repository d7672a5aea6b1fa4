package schemaform

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// ToDecoded rewrites a schema by Anthropic's rules for strict tools and for answers in
// JSON, whose decoder supports a part of JSON Schema and refuses the rest: objects have
// additionalProperties false, and other keywords become part of the description. A schema
// that already conforms is returned unchanged. If ok is false, the schema cannot conform,
// and the only change says why. It takes time linear in the schema.
func ToDecoded(raw json.RawMessage) (decoded json.RawMessage, changes []Change, ok bool) {
	root, err := parse(raw)
	if err != nil || !root.Is(jsonvalue.Object) {
		return raw, []Change{{"", "the root is not an object"}}, false
	}
	d := decodedWriter{root: root, refs: map[string]bool{"#": true}}
	d.follow(root, "")
	return d.result(raw, d.schema(root, "", 0))
}

// decodedWriter rewrites one schema.
type decodedWriter struct {
	judged
	root *jsonvalue.Value
	refs map[string]bool // references that were met; true while they are followed
}

// follow finds references that lead out of the schema, or back to where they are.
func (d *decodedWriter) follow(v *jsonvalue.Value, path string) {
	if !v.Is(jsonvalue.Object) || d.bad != nil {
		return
	}
	for i, key := range v.Keys {
		if k := v.List[i]; key != "$ref" || !k.Is(jsonvalue.String) {
			for name, sub := range schema.Subschemas(key, k) {
				d.follow(sub, below(path, key, name, k))
			}
		} else {
			d.reference(k.Text, path+".$ref")
		}
	}
}

func (d *decodedWriter) reference(to, path string) {
	open, met := d.refs[to]
	at := d.root
	if pointer, here := strings.CutPrefix(to, "#/"); here && !met {
		for part := range strings.SplitSeq(pointer, "/") {
			at = at.Step(jsonvalue.UnescapePointer(part))
		}
	} else if !met {
		at = nil
	}
	switch {
	case open:
		d.fail(path, "the schema is recursive")
	case met:
	case at == nil:
		d.fail(path, "a reference that leads to no part of the schema")
	case len(d.refs) >= maxSchemas:
		d.fail(path, "it has too many references")
	default:
		d.refs[to] = true
		d.follow(at, strings.ReplaceAll(to[1:], "/", "."))
		d.refs[to] = false
	}
}

// schema rewrites a schema.
func (d *decodedWriter) schema(v *jsonvalue.Value, path string, depth int) *jsonvalue.Value {
	switch {
	case !v.Is(jsonvalue.Object):
		d.fail(path, "a value of any type is not supported")
	case depth > maxNesting:
		d.fail(path, "it is nested too deep")
	}
	if d.bad != nil {
		return v
	}
	out := jsonvalue.NewObject()
	var notes []string
	for i, name := range v.Keys {
		k := v.List[i]
		switch {
		case name == "additionalProperties": // see close
		case name == "oneOf", schemasUnder[name]:
			as := name
			if name == "oneOf" {
				d.add(path+".oneOf", "written as anyOf")
				as = "anyOf"
			}
			out.Set(as, schema.MapSubschemas(name, k, func(name string, sub *jsonvalue.Value) *jsonvalue.Value {
				return d.schema(sub, below(path, as, name, k), depth+1)
			}))
		case isDecoded(name, k):
			out.Set(name, k)
		case strings.HasPrefix(name, "$"):
			d.add(path+"."+name, "left out")
		default:
			d.add(path+"."+name, "part of the description")
			notes = append(notes, noteOf(name, k))
		}
	}
	if slices.ContainsFunc(kinds(v), isKind("object")) || v.Get("properties").Is(jsonvalue.Object) {
		d.close(out, v, path)
	}
	describe(out, notes)
	return out
}

// describe adds notes to the description of a schema.
func describe(v *jsonvalue.Value, notes []string) {
	if len(notes) == 0 {
		return
	}
	if about := v.Get("description"); about.Is(jsonvalue.String) && about.Text != "" {
		notes = append([]string{about.Text}, notes...)
	}
	v.Set("description", jsonvalue.NewString(strings.Join(notes, "\n")))
}

// close adds the keyword that closes an object.
func (d *decodedWriter) close(out, v *jsonvalue.Value, path string) {
	switch additional, properties := v.Get("additionalProperties"), v.Get("properties"); {
	case additional.IsFalse():
		out.Set("additionalProperties", additional)
	case additional.Is(jsonvalue.Object) && len(additional.Keys) > 0, !isSet(properties):
		d.fail(path, "an object with any properties is not supported")
	default:
		d.add(path+".additionalProperties", "false")
		out.Set("additionalProperties", jsonvalue.NewBool(false))
	}
}

// schemasUnder are the supported keywords with schemas in them, besides oneOf, which is
// another word for anyOf here.
var schemasUnder = map[string]bool{"properties": true, "items": true, "anyOf": true, "allOf": true, "$defs": true, "definitions": true}

// decodedFormats are the supported formats of strings.
var decodedFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}

// beyondDecoder finds what patterns of the decoder do not have: lookaround, word boundaries
// and references to groups.
var beyondDecoder = regexp.MustCompile(`\(\?[^:]|\\[bB1-9]`)

// isDecoded reports whether the decoder supports a keyword with this value.
func isDecoded(name string, k *jsonvalue.Value) bool {
	switch name {
	case "type", "title", "description", "default", "required", "$ref", "const":
		return true
	case "enum":
		return !slices.ContainsFunc(k.Elements(), func(v *jsonvalue.Value) bool { return v.Is(jsonvalue.Object) || v.Is(jsonvalue.Array) })
	case "format":
		return k.Is(jsonvalue.String) && slices.Contains(decodedFormats, k.Text)
	case "minItems":
		return k.Raw == "0" || k.Raw == "1"
	case "pattern":
		return k.Is(jsonvalue.String) && !beyondDecoder.MatchString(k.Text)
	}
	return false
}

// noteOf returns a keyword with the beginning of its value.
func noteOf(name string, k *jsonvalue.Value) string {
	text := jsonvalue.Compact.Append(nil, k)
	if len(text) > maxNote {
		text = append(bytes.ToValidUTF8(text[:maxNote], nil), "..."...)
	}
	return name + ": " + string(text)
}
