package schemaform

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// ToGemini converts the schema of a tool's parameters to Gemini's form, a part of
// OpenAPI's: single types in capitals, alternatives without other keywords, no
// references, and enums of strings. It returns nothing for parameters without properties,
// which the wire rejects.
func ToGemini(raw json.RawMessage) (json.RawMessage, []Change) {
	root, err := jsonvalue.Options{MaxDepth: maxDepth}.Parse(string(raw))
	if err != nil || !root.Is(jsonvalue.Object) {
		if root.IsTrue() {
			return nil, nil
		}
		return nil, []Change{{"", "left out: it is not the schema of an object"}}
	}
	g := geminiWriter{shaper: schema.NewDocument(root).Shaper(maxSchemas), budget: maxWritten}
	s, err := g.shaper.Shape(root)
	if err != nil {
		return nil, []Change{{"", "left out: the schema is too large"}}
	}
	alternatives := len(s.Choices) > 0
	flat, ok := g.shaper.Flat(root)
	switch {
	case !ok && len(s.Choices) == 0 && (s.Types == nil || slices.Contains(s.Types, "object")): // it contradicts or contains itself
		flat = s
	case !ok:
		g.add("", `wrapped: its value is the argument "input"`)
		g.out.Object()
		g.out.Text("type", "OBJECT")
		g.out.KeyObject("properties")
		g.out.Key("input")
		g.schema("", false, root)
		g.out.EndObject()
		g.out.Strings("required", []string{"input"})
		g.out.EndObject()
		return g.out.Out, g.changes
	}
	n := g.read(flat, "")
	n.types = isObject
	if alternatives {
		g.add(".anyOf", "its alternatives are merged into one object")
	}
	if !slices.ContainsFunc(flat.Properties, isPossible) {
		if n.text() != "" {
			g.add("", "left out: the wire accepts no object without properties")
		}
		return nil, g.changes
	}
	g.open = append(g.open, root)
	g.plain(n, isObject, "", false)
	return g.out.Out, g.changes
}

// geminiWriter writes schemas by their shapes.
type geminiWriter struct {
	record
	shaper *schema.Shaper
	out    jsonout.Writer
	budget int
	open   []*jsonvalue.Value // the schemas around the current one, because references may lead to them
	depth  int
}

// node is a shape in terms of the target.
type node struct {
	*schema.Shape
	types    types
	enum     []string
	notes    []string // what has no other place
	min, max string   // "" for none
	format   string
}

// note adds a text to the description, unless it is already there.
func (n *node) note(text string) {
	if text != n.Description && !slices.Contains(n.notes, text) {
		n.notes = append(n.notes, text)
	}
}

// noteValue notes a keyword with the beginning of its value.
func (n *node) noteValue(name string, values ...*jsonvalue.Value) {
	var text []byte
	for i, v := range values {
		if i > 0 {
			text = append(text, ", "...)
		}
		if text = jsonvalue.Compact.Append(text, v); len(text) > maxNote {
			text = append(bytes.ToValidUTF8(text[:maxNote], nil), "..."...)
			break
		}
	}
	n.note(name + ": " + string(text))
}

// text returns the description with its notes.
func (n *node) text() string {
	lines := n.notes
	if n.Description != "" {
		lines = append([]string{n.Description}, lines...)
	}
	return strings.Join(lines, "\n")
}

// schema writes a schema for the values that fit all of these: one schema, and the
// choices made in it.
func (g *geminiWriter) schema(path string, nullable bool, parts ...*jsonvalue.Value) {
	g.depth++
	defer func() { g.depth-- }()
	var s *schema.Shape
	err := schema.ErrTooLarge
	if g.budget--; g.budget >= 0 && g.depth <= maxNesting && len(g.out.Out) <= maxOutput {
		s, err = g.shaper.Shape(parts...)
	}
	if err != nil {
		g.add(path, "left out: the schema is too large")
		g.out.Raw([]byte(`{"type":"STRING"}`))
		return
	}
	for _, ref := range s.Refs {
		if ref.Target != nil && slices.Contains(g.open, ref.Target) {
			g.circle(s, ref.Text, path)
			return
		}
	}
	around := len(g.open)
	defer func() { g.open = g.open[:around] }()
	for _, ref := range s.Refs {
		g.open = append(g.open, ref.Target)
	}
	n := g.read(s, path)
	nullable = nullable || n.types&isNull != 0
	if count := len(parts) - 1; count < len(s.Choices) {
		g.choice(s.Choices[count], path, nullable, parts)
		return
	}
	g.node(n, path, nullable)
}

// circle writes a schema that contains itself.
func (g *geminiWriter) circle(s *schema.Shape, ref, path string) {
	g.add(path+".$ref", "not followed: it refers to itself")
	kind := "object"
	if kinds := s.Kinds(); len(kinds) > 0 && kinds[0] != "array" && kinds[0] != "null" {
		kind = kinds[0]
	}
	g.out.Object()
	g.out.Text("type", strings.ToUpper(kind))
	g.out.Text("description", "As "+ref[strings.LastIndexByte(ref, '/')+1:]+" around it.")
	g.out.EndObject()
}

// choice writes alternatives, which must have no other keywords: each alternative
// includes what else the schema says.
func (g *geminiWriter) choice(c schema.Choice, path string, nullable bool, parts []*jsonvalue.Value) {
	path += "." + c.Keyword
	if c.Keyword == "oneOf" {
		g.add(path, "written as anyOf")
	}
	var branches []*jsonvalue.Value
	for _, branch := range c.List {
		s, err := g.shaper.Shape(branch)
		switch {
		case branch.IsFalse():
		case err == nil && slices.Equal(s.Types, []string{"null"}) && !s.HasEnum:
			nullable = true
		case len(branches) == maxBranches:
			g.add(path, "the alternatives over the limit are left out")
		default:
			branches = append(branches, branch)
		}
	}
	switch len(branches) {
	case 0:
		g.schema(path, nullable, append(slices.Clip(parts), anything)...)
		return
	case 1:
		g.schema(path, nullable, append(slices.Clip(parts), branches[0])...)
		return
	}
	g.out.Object()
	g.out.KeyArray("anyOf")
	for i, branch := range branches {
		g.schema(path+"["+strconv.Itoa(i)+"]", nullable, append(slices.Clip(parts), branch)...)
	}
	g.out.EndArray()
	g.out.EndObject()
}

// anything is a schema without restrictions.
var anything = jsonvalue.NewObject()

// node writes a shape without choices. Several types become alternatives.
func (g *geminiWriter) node(n *node, path string, nullable bool) {
	kinds := n.types &^ isNull
	switch {
	case n.types == isNull:
		n.note("Always null.")
		g.add(path+".type", "written as a string that may be null")
		kinds = isString
	case kinds == 0:
		n.note("Any JSON value; an object or an array as JSON text.")
		g.add(path+".type", "missing: written as a string, a number or a boolean")
		kinds = isString | isNumber | isBoolean
	}
	if kinds&(kinds-1) == 0 {
		g.plain(n, kinds, path, nullable)
		return
	}
	g.out.Object()
	g.out.KeyArray("anyOf")
	for i := range typeNames {
		if kind := types(1 << i); kinds&kind != 0 {
			g.plain(n, kind, path, nullable)
		}
	}
	g.out.EndArray()
	g.out.EndObject()
}

// plain writes a schema of one type.
func (g *geminiWriter) plain(n *node, kind types, path string, nullable bool) {
	format := n.format
	if !fitsFormat(format, kind) && format != "" {
		n.note("Format: " + format)
		g.add(path+".format", "moved into the description")
		format = ""
	}
	w := &g.out
	w.Object()
	w.Text("type", strings.ToUpper(kind.names()[0]))
	w.Text("title", n.Title)
	w.Text("description", n.text())
	if nullable {
		w.KeyBool("nullable", true)
	}
	count := func(what string, l schema.Lengths) {
		if l.Min > 0 {
			w.Member("min"+what, strconv.AppendInt(nil, int64(l.Min), 10))
		}
		if l.Max != schema.NoLimit {
			w.Member("max"+what, strconv.AppendInt(nil, int64(l.Max), 10))
		}
	}
	switch kind {
	case isString:
		if len(n.enum) > 0 {
			w.Strings("enum", n.enum)
		}
		count("Length", n.Length)
		if len(n.Patterns) > 0 {
			w.KeyString("pattern", n.Patterns[0])
		}
	case isNumber, isInteger:
		if n.min != "" {
			w.Member("minimum", []byte(n.min))
		}
		if n.max != "" {
			w.Member("maximum", []byte(n.max))
		}
	case isArray:
		w.Key("items")
		g.items(n, path)
		count("Items", n.ItemCount)
	case isObject:
		g.properties(n, path)
		count("Properties", n.MemberCount)
	}
	w.Text("format", format)
	seen := map[string]bool{}
	for _, k := range n.Keywords {
		keep := k.Name == "default" || k.Name == "example" || k.Name == "propertyOrdering" && kind == isObject
		if keep && !seen[k.Name] {
			seen[k.Name] = true
			w.Member(k.Name, jsonvalue.Compact.Append(nil, k.Value))
		}
	}
	w.EndObject()
}

// items writes the schema of the elements, which the wire requires of each list.
func (g *geminiWriter) items(n *node, path string) {
	switch {
	case n.Items.Is(jsonvalue.Object), n.Items.IsTrue():
		g.schema(path+".items", false, n.Items)
	case len(n.PrefixItems) > 0:
		g.schema(path+".items", false, jsonvalue.NewObject().Set("anyOf", jsonvalue.NewArray(n.PrefixItems...)))
	default:
		g.add(path+".items", "missing but required: written as strings")
		g.out.Raw([]byte(`{"type":"STRING"}`))
	}
}

// isPossible reports whether a property may exist.
func isPossible(p schema.Property) bool { return !p.Schema.IsFalse() }

func (g *geminiWriter) properties(n *node, path string) {
	known := map[string]bool{}
	if slices.ContainsFunc(n.Properties, isPossible) {
		g.out.KeyObject("properties")
		for _, p := range n.Properties {
			at := path + ".properties." + p.Name
			if !isPossible(p) {
				g.add(at, "left out: no value fits it")
				continue
			}
			if !isGeminiName(p.Name) {
				g.add(at, oddName)
			}
			known[p.Name] = true
			g.out.Key(p.Name)
			g.schema(at, false, p.Schema)
		}
		g.out.EndObject()
	}
	var required []string
	for _, name := range n.Required {
		if !known[name] {
			g.add(path+".required", name+" is left out: no such property")
			continue
		}
		required = append(required, name)
	}
	if len(required) > 0 {
		g.out.Strings("required", required)
	}
}

// read converts a shape to terms of the target. What the target cannot express becomes
// part of the description.
func (g *geminiWriter) read(s *schema.Shape, path string) *node {
	n := &node{Shape: s}
	for _, ref := range s.Refs {
		switch {
		case ref.Circular:
			g.add(path+".$ref", "not followed: it refers to itself")
		case ref.Target == nil:
			g.add(path+".$ref", "left out: "+ref.Text+" points to nothing")
		default:
			g.add(path+".$ref", "written out")
		}
	}
	for _, name := range s.Kinds() {
		n.types |= typeOf(name)
	}
	if n.types&isNumber != 0 {
		n.types &^= isInteger // included in numbers
	}
	listed := "enum"
	for _, k := range s.Keywords {
		if k.Name == "const" {
			listed = "const"
			g.add(path+".const", "written as an enumeration of one")
		}
		g.keyword(n, k, path)
	}
	if s.Never && !s.HasEnum {
		g.add(path, "two of its parts contradict each other: the first one counts")
	}
	if s.HasEnum {
		g.enumerate(n, path+"."+listed)
	}
	if s.Nullable && n.types != 0 { // also next to an enum without null
		n.types |= isNull
	}
	n.min, n.max = g.bound(n, s.Min, "exclusiveMinimum", "minimum", 1, path), g.bound(n, s.Max, "exclusiveMaximum", "maximum", -1, path)
	if n.format = s.Format; n.types&(n.types-1) == 0 && n.format != "" && !fitsFormat(n.format, n.types&^isNull) {
		n.note("Format: " + n.format)
		g.add(path+".format", "moved into the description")
		n.format = ""
	}
	return n
}

// keyword handles a keyword that is in no shape, or has no place in the target.
func (g *geminiWriter) keyword(n *node, k schema.Keyword, path string) {
	path += "." + k.Name
	switch k.Name {
	case "type", "title", "const", "enum", "nullable", "anyOf", "oneOf", "$ref", "properties", "required", "minItems", "maxItems", "minProperties",
		"maxProperties", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "pattern", "default",
		"propertyOrdering", "example", "format", "$defs", "definitions":
	case "description":
		if k.Value.Is(jsonvalue.String) && k.Value.Text != "" {
			n.note(k.Value.Text)
		}
	case "allOf":
		if k.Value.Raw != "" { // written by the author
			g.add(path, "merged")
		}
	case "items":
		if k.Value.Is(jsonvalue.Array) { // the old form of a tuple
			n.noteValue(k.Name, k.Value)
			g.add(path, "moved into the description")
		}
	case "additionalProperties":
		switch {
		case k.Value.IsFalse():
			g.add(path, "left out")
		case k.Value.Is(jsonvalue.Object) && len(k.Value.List) > 0:
			n.noteValue("Other members", k.Value)
			g.add(path, "moved into the description")
		}
	case "examples":
		n.noteValue("Examples", k.Value)
		g.add(path, "moved into the description")
	case "prefixItems", "not", "if", "then", "else", "multipleOf", "uniqueItems", "propertyNames", "patternProperties", "contains",
		"minContains", "maxContains", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedItems",
		"additionalItems", "contentEncoding", "contentMediaType", "contentSchema":
		if k.Value.IsFalse() {
			g.add(path, "left out")
			break
		}
		n.noteValue(k.Name, k.Value)
		g.add(path, "moved into the description")
	default:
		g.add(path, "left out")
	}
}

// enumerate takes the listed values. An enum contains only strings.
func (g *geminiWriter) enumerate(n *node, path string) {
	var found types
	for _, v := range n.Enum {
		kind := typeOf(schema.TypeOf(v))
		found |= kind
		switch {
		case kind != isString:
		case v.Text == "":
			g.add(path, "the empty one is left out")
		default:
			n.enum = append(n.enum, v.Text)
		}
	}
	if n.types == 0 {
		n.types = found
	} else if found&isNull == 0 {
		n.types &^= isNull
	}
	if found&^(isString|isNull) != 0 {
		n.enum = nil
		n.noteValue("One of", n.Enum...)
		g.add(path, "moved into the description: an enumeration has strings only")
	}
}

// bound returns the text of a limit. An exclusive limit becomes the next whole number for
// integers, and otherwise a note.
func (g *geminiWriter) bound(n *node, l *schema.Limit, exclusive, inclusive string, step int64, path string) string {
	if l == nil {
		return ""
	}
	r := l.Rat
	if l.Open {
		if n.types&^isNull != isInteger || !r.IsInt() {
			n.note(exclusive + ": " + decimal(r))
			g.add(path+"."+exclusive, "moved into the description")
			return ""
		}
		r = new(big.Rat).Add(r, big.NewRat(step, 1))
		g.add(path+"."+exclusive, "written as "+inclusive)
	}
	return decimal(r)
}

func decimal(r *big.Rat) string {
	digits, _ := r.FloatPrec()
	return r.FloatString(digits)
}

// fitsFormat reports whether the target knows a format for a type.
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

// oddName returns a note about a property whose name the vendor does not document. The
// name stays, because the model's arguments would otherwise have another one.
const oddName = "kept, but the server may refuse the name: it allows at most 64 letters, digits and _, and no digit first"

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
