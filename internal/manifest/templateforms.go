package manifest

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// declared returns the parameters in the schema of a tool.
func (t *tool) declared() *node {
	if p := t.doc.root.Get("properties"); p.Is(jsonvalue.Object) {
		return p
	}
	return jsonvalue.NewObject()
}

// requires reports whether a schema lists a member as required.
func requires(schema *node, name string) bool {
	return slices.ContainsFunc(schema.Get("required").Elements(), func(n *node) bool { return n.Text == name })
}

// tags writes a tool with a tag for each keyword, on a line of its own.
func (l layout) tags(t *tool, _ int) (string, error) {
	var b strings.Builder
	b.WriteString("<function>\n<name>" + t.Name + "</name>")
	if about := strings.TrimSpace(t.Description); about != "" {
		b.WriteString("\n<description>" + about + "</description>")
	}
	b.WriteString("\n<parameters>")
	params := t.declared()
	for i, schema := range params.List {
		b.WriteString("\n<parameter>\n<name>" + params.Keys[i] + "</name>")
		for _, key := range []string{"type", "description"} {
			if v := schema.Get(key); v != nil {
				b.WriteString("\n<" + key + ">" + strings.TrimSpace(printed(v)) + "</" + key + ">")
			}
		}
		l.keywords(&b, schema, "name", "type", "description")
		b.WriteString("\n</parameter>")
	}
	l.keywords(&b, t.doc.root, "type", "properties")
	b.WriteString("\n</parameters>\n</function>")
	return b.String(), nil
}

// keywords writes a tag for each keyword of a schema, except but.
func (l layout) keywords(b *strings.Builder, schema *node, but ...string) {
	for i, key := range schema.Keys {
		if !slices.Contains(but, key) {
			b.WriteString("\n<" + key + ">" + l.words(schema.List[i]) + "</" + key + ">")
		}
	}
}

// words returns a value between tags: lists and objects as JSON, others as Python prints them.
func (l layout) words(n *node) string {
	if n.Kind == jsonvalue.Object || n.Kind == jsonvalue.Array {
		return l.json(n)
	}
	return printed(n)
}

// printed returns a value as Python prints it: a string without quotes, others as literals.
func printed(n *node) string {
	if n.Kind == jsonvalue.String {
		return n.Text
	}
	return string(n.AppendPython(nil, 0))
}

// typeScript writes a tool as a type of functions.
func (l layout) typeScript(t *tool, _ int) (string, error) {
	var b strings.Builder
	if l.Types == dialect.TypesDetailed {
		l.details(&b, jsonvalue.NewString(t.Description), jsonvalue.NewObject(), "")
	} else if t.Description != "" {
		b.WriteString("// " + oneLine(t.Description) + "\n")
	}
	b.WriteString("type " + t.Name + " = (")
	if params := t.declared(); len(params.List) > 0 {
		b.WriteString("_: {\n")
		depth := 1
		if l.Flush {
			depth = 0
		}
		l.members(&b, t.doc.root, depth)
		b.WriteString("}")
	}
	b.WriteString(") => any;")
	return b.String(), nil
}

// members writes the members of an object, each on its line.
func (l layout) members(b *strings.Builder, schema *node, depth int) {
	indent := strings.Repeat(" ", l.Indent*depth)
	properties := schema.Get("properties")
	for i, member := range properties.List {
		if about := member.Get("description"); l.Types == dialect.TypesDetailed {
			l.details(b, about, member, indent)
		} else if about.Is(jsonvalue.String) && about.Text != "" {
			text := oneLine(about.Text)
			if l.Stop && !strings.HasSuffix(text, ".") {
				text += "."
			}
			b.WriteString(indent + "// " + text + "\n")
		}
		b.WriteString(indent + properties.Keys[i])
		if !requires(schema, properties.Keys[i]) {
			b.WriteByte('?')
		}
		b.WriteString(": " + l.typeOf(member, depth))
		if !l.Open || i < len(properties.List)-1 {
			b.WriteByte(',')
		}
		if value := member.Get("default"); value != nil && l.Types == dialect.TypesDetailed {
			b.WriteString(" // default: " + l.detail(value))
		}
		b.WriteByte('\n')
	}
}

// alternative returns one of several types, or the type of elements.
func (l layout) alternative(kind string) string {
	if l.Types == dialect.TypesDetailed {
		return "(" + kind + ")"
	}
	return kind
}

// limits are the keywords that detailed comments contain.
var limits = []string{
	"format", "maxItems", "maximum", "minItems", "minimum", "pattern", "minLength", "maxLength", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"uniqueItems", "minProperties", "maxProperties",
}

// details writes a description and the limits of a schema as comments, a line each.
func (l layout) details(b *strings.Builder, about, schema *node, indent string) {
	if about.Is(jsonvalue.String) {
		for line := range strings.Lines(about.Text) {
			if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
				b.WriteString(indent + "// " + line + "\n")
			}
		}
	}
	for i, key := range schema.Keys {
		if slices.Contains(limits, key) && !schema.List[i].Is(jsonvalue.Null) {
			b.WriteString(indent + "// " + key + ": " + l.detail(schema.List[i]) + "\n")
		}
	}
}

// detail returns a value for a comment, on one line.
func (l layout) detail(n *node) string {
	if n.Kind == jsonvalue.String {
		return `"` + oneLine(n.Text) + `"`
	}
	return printed(n)
}

// typeOf returns the type of a schema.
func (l layout) typeOf(schema *node, depth int) string {
	var union []string
	for _, v := range schema.Get("enum").Elements() {
		union = append(union, l.json(v))
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		for _, choice := range schema.Get(key).Elements() {
			union = append(union, l.alternative(l.typeOf(choice, depth)))
		}
	}
	kind := schema.Get("type")
	for _, k := range kind.Elements() {
		if k.Is(jsonvalue.String) && l.Types != dialect.TypesAny {
			union = append(union, l.alternative(k.Text)) // several types keep their names
		}
	}
	if len(union) > 0 {
		return strings.Join(union, " | ")
	}
	if !kind.Is(jsonvalue.String) {
		return "any"
	}
	return l.named(schema, kind.Text, depth)
}

// named returns the type of a schema that names one type.
func (l layout) named(schema *node, kind string, depth int) string {
	switch kind {
	case "integer":
		if l.Types == dialect.TypesDetailed {
			return kind
		}
		return "number"
	case "array":
		if items := schema.Get("items"); items.Is(jsonvalue.Object) {
			return l.alternative(l.typeOf(items, depth)) + "[]"
		}
		if l.Types == dialect.TypesDetailed {
			return "Array<any>"
		}
		return "any[]"
	case "object":
		if !schema.Get("properties").Is(jsonvalue.Object) {
			return kind
		}
		var b strings.Builder
		b.WriteString("{\n")
		l.members(&b, schema, depth+1)
		return b.String() + strings.Repeat(" ", l.Indent*depth) + "}"
	}
	return kind
}

// literals writes schemas in the literals of Gemma's arguments. quote encloses strings.
type literals struct{ quote string }

func (g literals) text(s string) string { return g.quote + s + g.quote }

func (g literals) list(n *node) string {
	var parts []string
	for _, v := range n.Elements() {
		parts = append(parts, g.value(v))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// value returns a value that is not a schema.
func (g literals) value(n *node) string {
	switch n.Kind {
	case jsonvalue.String:
		return g.text(n.Text)
	case jsonvalue.Array:
		return g.list(n)
	case jsonvalue.Object:
		var parts []string
		for i, v := range n.List {
			parts = append(parts, g.text(n.Keys[i])+":"+g.value(v))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return n.Raw
}

// declaration writes a tool with its schema, whose members are ordered by name.
func (g literals) declaration(t *tool, _ int) (string, error) {
	out := t.Name + "{description:" + g.text(t.Description)
	if root := t.doc.root; len(t.Parameters) > 0 && root.Is(jsonvalue.Object) {
		parts := g.members(root.Sorted(jsonvalue.InAnyCase), true)
		out += ",parameters:{" + strings.Join(append(parts, "type:"+g.text("OBJECT")), ",") + "}"
	}
	return out + "}", nil
}

// members returns what a schema says about the members of an object. whole says that it is the
// schema of all arguments, where no properties are none.
func (g literals) members(s *node, whole bool) (parts []string) {
	if p := s.Get("properties"); p.Is(jsonvalue.Object) && !(whole && len(p.List) == 0) {
		parts = append(parts, "properties:"+g.properties(p))
	}
	if required := s.Get("required"); len(required.Elements()) > 0 {
		parts = append(parts, "required:"+g.list(required))
	}
	return parts
}

func (g literals) properties(n *node) string {
	var parts []string
	for i, schema := range n.List {
		parts = append(parts, n.Keys[i]+":"+g.property(schema))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// property returns the schema of a parameter: its description, the keywords of its type, and
// the type.
func (g literals) property(s *node) string {
	var parts []string
	if about := s.Get("description"); about.Is(jsonvalue.String) && about.Text != "" {
		parts = append(parts, "description:"+g.text(about.Text))
	}
	kind := s.Get("type")
	if kind.Is(jsonvalue.String) {
		switch enum := s.Get("enum"); {
		case kind.Text == "string" && len(enum.Elements()) > 0:
			parts = append(parts, "enum:"+g.list(enum))
		case kind.Text == "array" && s.Get("items").Is(jsonvalue.Object):
			parts = append(parts, "items:"+g.items(s.Get("items")))
		}
	}
	if s.Get("nullable").IsTrue() {
		parts = append(parts, "nullable:true")
	}
	if kind.Is(jsonvalue.String) && kind.Text == "object" {
		parts = append(parts, g.members(s, false)...)
	}
	if kind.Is(jsonvalue.String) || kind.Is(jsonvalue.Array) {
		parts = append(parts, "type:"+g.text(strings.ToUpper(printed(kind)))) // several as Python prints them
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// kind returns a type, or several, in capitals.
func (g literals) kind(n *node) string {
	if n.Is(jsonvalue.String) {
		return g.text(strings.ToUpper(n.Text))
	}
	var parts []string
	for _, v := range n.Elements() {
		parts = append(parts, g.kind(v))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// items returns the schema of a list's elements.
func (g literals) items(s *node) string {
	var parts []string
	for i, v := range s.List {
		text := ""
		switch key := s.Keys[i]; {
		case key == "properties" && v.Is(jsonvalue.Object):
			text = g.properties(v)
		case key == "type":
			text = g.kind(v)
		default:
			text = g.value(v)
		}
		parts = append(parts, s.Keys[i]+":"+text)
	}
	return "{" + strings.Join(parts, ",") + "}"
}
