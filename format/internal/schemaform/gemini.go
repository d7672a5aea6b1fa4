package schemaform

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// ToGemini writes the schema of a tool's parameters in Gemini's form: a part of
// OpenAPI's, in which types are single and in capitals, alternatives stand
// alone, there are no references, and enumerations are of strings. Nothing is
// returned for parameters without any properties, which the wire refuses.
func ToGemini(schema json.RawMessage) (json.RawMessage, []Change) {
	root, err := parse(schema)
	if err != nil || root.Kind != payload.Object {
		if root.IsTrue() {
			return nil, nil
		}
		return nil, []Change{{"", "left out: it is not the schema of an object"}}
	}
	c := newCompiler(root)
	g := geminiWriter{record: &c.record, budget: maxWritten}
	n := g.object(c.compile(root, ""))
	if len(n.properties) == 0 {
		if n.text() != "" {
			c.add("", "left out: the wire accepts no object without properties")
		}
		return nil, c.changes
	}
	g.node(n, "", false)
	return g.out.Out, c.changes
}

// geminiWriter writes nodes.
type geminiWriter struct {
	*record
	out    jsonout.Writer
	budget int
}

// object makes a root an object without alternatives, as parameters must be.
func (g *geminiWriter) object(n *node) *node {
	if kinds := n.types &^ isNull; kinds != 0 && kinds&isObject == 0 || !areObjects(n.anyOf) {
		g.add("", `wrapped: its value is the argument "input"`)
		return &node{types: isObject, properties: []property{{"input", n}}, required: []string{"input"}}
	}
	n.types = isObject
	if len(n.anyOf) > 0 {
		g.add(".anyOf", "its alternatives are merged into one object")
		merged := g.either(n.anyOf)
		n.anyOf = nil
		n.and(merged, "", g.record)
	}
	return n
}

func areObjects(branches []*node) bool {
	for _, b := range branches {
		if b.types&^isNull != 0 && b.types&isObject == 0 || !areObjects(b.anyOf) {
			return false
		}
	}
	return true
}

// either merges alternatives: each of their properties is there, and those are
// required that all of them require.
func (g *geminiWriter) either(branches []*node) *node {
	out := &node{types: isObject}
	at := map[string]int{}
	requiredBy := map[string]int{}
	count := 0
	for _, b := range branches {
		if b.types == isNull {
			continue
		}
		count++
		if len(b.anyOf) > 0 {
			merged := g.either(b.anyOf)
			b.anyOf = nil
			b.and(merged, "", g.record)
		}
		for _, p := range b.properties {
			i, ok := at[p.name]
			if !ok {
				at[p.name] = len(out.properties)
				out.properties = append(out.properties, property{p.name, &node{anyOf: []*node{p.schema}}})
				continue
			}
			s := out.properties[i].schema
			if !slices.ContainsFunc(s.anyOf, p.schema.equal) {
				s.anyOf = append(s.anyOf, p.schema)
			}
		}
		for _, name := range b.required {
			requiredBy[name]++
			if requiredBy[name] == 1 {
				out.required = append(out.required, name)
			}
		}
	}
	out.required = slices.DeleteFunc(out.required, func(name string) bool { return requiredBy[name] < count })
	return out
}

// node writes a schema.
func (g *geminiWriter) node(n *node, path string, nullable bool) {
	if g.budget--; g.budget < 0 || len(g.out.Out) > maxOutput {
		g.add(path, "left out: the schema is too large")
		g.out.Raw([]byte(`{"type":"STRING"}`))
		return
	}
	nullable = nullable || n.types&isNull != 0
	kinds := n.types &^ isNull
	switch {
	case len(n.anyOf) > 0:
		g.alternatives(n, path, nullable)
		return
	case n.types == isNull:
		n.note("Always null.")
		g.add(path+".type", "written as a string that may be null")
		kinds = isString
	case kinds == 0:
		if kinds = n.guess(); kinds == 0 {
			n.note("Any JSON value; an object or an array as JSON text.")
			g.add(path+".type", "missing: written as a string, a number or a boolean")
			kinds = isString | isNumber | isBoolean
		}
	}
	if kinds&(kinds-1) == 0 {
		g.plain(n, kinds, path, nullable)
		return
	}
	g.out.Object()
	g.out.Key("anyOf")
	g.out.Array()
	for i := range typeNames {
		if kind := types(1 << i); kinds&kind != 0 {
			g.plain(n, kind, path, nullable)
		}
	}
	g.out.EndArray()
	g.out.EndObject()
}

// guess returns the type that the keywords of a schema without one are about.
func (n *node) guess() types {
	switch {
	case n.hasEnum, n.member("pattern") != nil, n.member("minLength") != nil, n.member("maxLength") != nil:
		return isString
	case n.member("minimum") != nil, n.member("maximum") != nil:
		return isNumber
	case n.member("minItems") != nil, n.member("maxItems") != nil:
		return isArray
	}
	return 0
}

// alternatives writes anyOf, which must stand alone: what else the schema says
// goes into each of them.
func (g *geminiWriter) alternatives(n *node, path string, nullable bool) {
	branches := slices.DeleteFunc(slices.Clone(n.anyOf), func(b *node) bool { return b.types == isNull && !b.hasEnum })
	nullable = nullable || len(branches) < len(n.anyOf)
	outer := *n
	outer.anyOf = nil
	outer.types &^= isNull
	for i, b := range branches {
		own := b.description
		b.description = outer.description
		b.and(outer.clone(), path, g.record)
		if own != "" && own != b.description {
			b.note(own)
		}
		branches[i] = b
	}
	switch len(branches) {
	case 0:
		g.node(&outer, path, nullable)
		return
	case 1:
		g.node(branches[0], path, nullable)
		return
	}
	g.out.Object()
	g.out.Key("anyOf")
	g.out.Array()
	for _, b := range branches {
		g.node(b, path+".anyOf", nullable)
	}
	g.out.EndArray()
	g.out.EndObject()
}

// plain writes a schema of one type.
func (g *geminiWriter) plain(n *node, kind types, path string, nullable bool) {
	g.format(n, kind, path)
	w := &g.out
	w.Object()
	w.Text("type", strings.ToUpper(kind.names()[0]))
	w.Text("title", n.title)
	w.Text("description", n.text())
	if nullable {
		w.Key("nullable")
		w.Bool(true)
	}
	switch kind {
	case isString:
		if n.hasEnum && len(n.enum) > 0 {
			w.Key("enum")
			w.Array()
			for _, s := range n.enum {
				w.String(s)
			}
			w.EndArray()
		}
	case isArray:
		w.Key("items")
		if n.items != nil {
			g.node(n.items.clone(), path+".items", false)
		} else {
			g.add(path+".items", "missing but required: written as strings")
			w.Raw([]byte(`{"type":"STRING"}`))
		}
	case isObject:
		g.properties(n, path)
	}
	for _, m := range n.members {
		if goesWith(m.name, kind) {
			w.Member(m.name, m.value)
		}
	}
	w.EndObject()
}

// format moves a format into the description that belonged to another type,
// with which this one was merged.
func (g *geminiWriter) format(n *node, kind types, path string) {
	raw := n.member("format")
	if raw == nil {
		return
	}
	if word := strings.Trim(string(raw), `"`); !fitsFormat(word, kind) {
		n.note("Format: " + word)
		n.members = slices.DeleteFunc(n.members, func(m member) bool { return m.name == "format" })
		g.add(path+".format", "moved into the description")
	}
}

func (g *geminiWriter) properties(n *node, path string) {
	if len(n.properties) > 0 {
		g.out.Key("properties")
		g.out.Object()
		for _, p := range n.properties {
			if !isGeminiName(p.name) {
				g.add(path+".properties."+p.name, oddName)
			}
			g.out.Key(p.name)
			g.node(p.schema.clone(), path+".properties."+p.name, false)
		}
		g.out.EndObject()
	}
	known := map[string]bool{}
	for _, p := range n.properties {
		known[p.name] = true
	}
	var required []string
	for _, name := range n.required {
		if !known[name] {
			g.add(path+".required", name+" is left out: no such property")
			continue
		}
		required = append(required, name)
	}
	if len(required) > 0 {
		g.out.Key("required")
		g.out.Array()
		for _, name := range required {
			g.out.String(name)
		}
		g.out.EndArray()
	}
}

// oddName is what is told of a property whose name the vendor does not document:
// the model's arguments would come back by another, so it is kept.
const oddName = "kept, but the server may refuse the name: it allows at most 64 letters, digits and _, and no digit first"

// isGeminiName reports whether a property is named as the vendor wants it.
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

// goesWith reports whether a keyword is about values of a type.
func goesWith(name string, kind types) bool {
	switch name {
	case "minLength", "maxLength", "pattern":
		return kind == isString
	case "minimum", "maximum":
		return kind == isNumber || kind == isInteger
	case "minItems", "maxItems":
		return kind == isArray
	case "minProperties", "maxProperties", "propertyOrdering":
		return kind == isObject
	}
	return true
}

// equal reports whether two schemas say the same, in the same order.
func (n *node) equal(o *node) bool {
	same := n.types == o.types && n.hasEnum == o.hasEnum && n.title == o.title && n.text() == o.text() &&
		slices.Equal(n.enum, o.enum) && slices.Equal(n.required, o.required) &&
		slices.EqualFunc(n.anyOf, o.anyOf, (*node).equal) && (n.items == nil) == (o.items == nil)
	same = same && slices.EqualFunc(n.members, o.members, func(a, b member) bool {
		return a.name == b.name && bytes.Equal(a.value, b.value)
	})
	same = same && slices.EqualFunc(n.properties, o.properties, func(a, b property) bool {
		return a.name == b.name && a.schema.equal(b.schema)
	})
	return same && (n.items == nil || n.items.equal(o.items))
}
