package schemaform

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format/frame"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// compiler makes nodes of schemas.
type compiler struct {
	record
	texts  payload.Texts
	root   payload.Value
	named  map[string]payload.Value // what references lead to
	open   []string                 // the references that are being followed
	budget int                      // schemas
	bytes  int                      // of schemas
	walks  int
	depth  int
}

// parse reads a text as JSON.
func parse(text []byte) (payload.Value, error) {
	var r payload.Reader
	return r.Open(frame.Event{Data: text})
}

func newCompiler(root payload.Value) *compiler {
	return &compiler{root: root, named: map[string]payload.Value{}, budget: maxSchemas, bytes: maxBytes, walks: maxWalks}
}

// compile makes the node of a schema at a path.
func (c *compiler) compile(v payload.Value, path string) *node {
	n := new(node)
	c.depth++
	defer func() { c.depth-- }()
	c.budget--
	c.bytes -= len(v.Raw)
	if c.budget < 0 || c.bytes < 0 || c.depth > maxNesting {
		c.add(path, "left out: the schema is too large")
		return n
	}
	if v.Kind == payload.Bool {
		return n
	}
	var parts partsOf
	for key, member := range v.Fields() {
		c.keyword(n, &parts, string(key), member, path)
	}
	c.finish(n, &parts, path)
	return n
}

// partsOf are the keywords of a schema that depend on others.
type partsOf struct {
	ref, constant, enum, nullable         payload.Value
	anyOf, oneOf, allOf                   payload.Value
	exclusiveMin, exclusiveMax, prefix    payload.Value
	additional, format, examples, example payload.Value
	properties, items                     payload.Value
}

// keyword takes one keyword.
func (c *compiler) keyword(n *node, p *partsOf, name string, v payload.Value, path string) {
	switch name {
	case "type":
		n.types = c.typesOf(v)
	case "title":
		n.title = c.texts.Whole(v)
	case "description":
		n.description = c.texts.Whole(v)
	case "$ref":
		p.ref = v
	case "const":
		p.constant = v
	case "enum":
		p.enum = v
	case "nullable":
		p.nullable = v
	case "anyOf":
		p.anyOf = v
	case "oneOf":
		p.oneOf = v
	case "allOf":
		p.allOf = v
	case "exclusiveMinimum":
		p.exclusiveMin = v
	case "exclusiveMaximum":
		p.exclusiveMax = v
	case "prefixItems":
		p.prefix = v
	case "additionalProperties":
		p.additional = v
	case "format":
		p.format = v
	case "examples":
		p.examples = v
	case "example":
		p.example = v
	case "properties":
		p.properties = v
	case "items":
		p.items = v
	case "required":
		var names []string
		for item := range v.Items() {
			names = append(names, c.texts.Whole(item))
		}
		n.required = union(nil, names)
	case "minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength", "minimum", "maximum":
		if v.Kind == payload.Number || v.Kind == payload.String && isDigits(v.Raw) {
			n.set(name, json.RawMessage(v.Raw))
		}
	case "pattern", "default", "propertyOrdering":
		n.set(name, v.JSON())
	case "$defs", "definitions": // references lead there
	default:
		c.noPlace(n, name, v, path)
	}
}

// noPlace deals with a keyword that the target does not have. What says
// something of the values becomes part of the description.
func (c *compiler) noPlace(n *node, name string, v payload.Value, path string) {
	switch name {
	case "not", "if", "then", "else", "multipleOf", "uniqueItems", "propertyNames", "patternProperties", "contains",
		"minContains", "maxContains", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedItems",
		"additionalItems", "contentEncoding", "contentMediaType", "contentSchema":
		if v.Kind == payload.Bool && !v.IsTrue() {
			break
		}
		n.noteValue(name, v.JSON())
		c.add(path+"."+name, "moved into the description")
		return
	}
	c.add(path+"."+name, "left out")
}

func (c *compiler) typesOf(v payload.Value) types {
	set := typeOf(c.texts.Whole(v))
	for item := range v.Items() {
		set |= typeOf(c.texts.Whole(item))
	}
	if set&isNumber != 0 {
		set &^= isInteger // which are numbers
	}
	return set
}

// finish puts together what depends on several keywords.
func (c *compiler) finish(n *node, p *partsOf, path string) {
	c.structure(n, p, path)
	c.values(n, p, path)
	if p.nullable.IsTrue() && n.types != 0 { // also beside an enumeration without null
		n.types |= isNull
	}
	c.bounds(n, p, path)
	c.format(n, p.format, path)
	if p.example.Kind != payload.Absent {
		n.set("example", p.example.JSON())
	}
	if p.examples.IsSet() {
		n.noteValue("Examples", p.examples.JSON())
		c.add(path+".examples", "moved into the description")
	}
	c.combine(n, p, path)
	if p.nullable.IsTrue() && n.types == 0 {
		for _, branch := range n.anyOf {
			if branch.types != 0 {
				branch.types |= isNull
			}
		}
	}
}

// structure takes what is inside of objects and arrays.
func (c *compiler) structure(n *node, p *partsOf, path string) {
	at := map[string]int{}
	for key, schema := range p.properties.Fields() {
		name := string(key)
		at1 := path + ".properties." + name
		if schema.Kind == payload.Bool && !schema.IsTrue() {
			c.add(at1, "left out: no value fits it")
			continue
		}
		child := c.compile(schema, at1)
		if i, ok := at[name]; ok {
			n.properties[i].schema = child
			continue
		}
		at[name] = len(n.properties)
		n.properties = append(n.properties, property{name, child})
	}
	prefix := "prefixItems"
	if p.items.Kind == payload.Array { // the old way to say it
		p.prefix, p.items, prefix = p.items, payload.Value{}, "items"
	}
	if p.items.Kind == payload.Object || p.items.IsTrue() {
		n.items = c.compile(p.items, path+".items")
	}
	if p.prefix.Kind == payload.Array {
		n.noteValue(prefix, p.prefix.JSON())
		c.add(path+"."+prefix, "moved into the description")
		if n.items == nil {
			n.items = new(node)
			for item := range p.prefix.Items() {
				n.items.anyOf = c.branch(n.items.anyOf, item, path+"."+prefix)
			}
		}
	}
	switch {
	case p.additional.Kind == payload.Bool && !p.additional.IsTrue():
		c.add(path+".additionalProperties", "left out")
	case p.additional.Kind == payload.Object && !isEmpty(p.additional):
		n.noteValue("Other members", p.additional.JSON())
		c.add(path+".additionalProperties", "moved into the description")
	case p.additional.IsSet(): // which goes without saying
	}
	if n.types == 0 {
		switch {
		case len(n.properties) > 0 || p.properties.IsSet() || p.additional.IsSet():
			n.types = isObject
		case n.items != nil:
			n.types = isArray
		}
	}
}

func isEmpty(v payload.Value) bool {
	for range v.Fields() {
		return false
	}
	return true
}

// values takes const and enum. An enumeration has strings only.
func (c *compiler) values(n *node, p *partsOf, path string) {
	if p.constant.Kind != payload.Absent {
		c.add(path+".const", "written as an enumeration of one")
		c.enumerate(n, []payload.Value{p.constant}, path+".const")
	}
	if p.enum.Kind == payload.Array {
		var list []payload.Value
		for item := range p.enum.Items() {
			list = append(list, item)
		}
		c.enumerate(n, list, path+".enum")
	}
}

func (c *compiler) enumerate(n *node, list []payload.Value, path string) {
	var found types
	var words []string
	for _, v := range list {
		found |= kindOf(v)
		if s := c.texts.Whole(v); s != "" {
			words = append(words, s)
		} else if v.Kind == payload.String {
			c.add(path, "the empty one is left out")
		}
	}
	if n.types == 0 {
		n.types = found
	} else if found&isNull == 0 {
		n.types &^= isNull
	}
	if others := found &^ (isString | isNull); others != 0 {
		var texts []byte
		for i, v := range list {
			if i > 0 {
				texts = append(texts, ", "...)
			}
			texts = append(texts, v.JSON()...)
		}
		n.noteValue("One of", texts)
		c.add(path, "moved into the description: an enumeration has strings only")
		return
	}
	if len(words) == 0 {
		return
	}
	if n.hasEnum {
		words = inBoth(words, n.enum)
	}
	n.enum, n.hasEnum = words, true
}

func kindOf(v payload.Value) types {
	switch v.Kind {
	case payload.String:
		return isString
	case payload.Number:
		if isDigits(v.Raw) {
			return isInteger
		}
		return isNumber
	case payload.Bool:
		return isBoolean
	case payload.Object:
		return isObject
	case payload.Array:
		return isArray
	}
	return isNull
}

// bounds takes those that exclude their limit. Of whole numbers there is a next
// one.
func (c *compiler) bounds(n *node, p *partsOf, path string) {
	for _, b := range [...]struct {
		name, as string
		v        payload.Value
		step     int64
	}{{"exclusiveMinimum", "minimum", p.exclusiveMin, 1}, {"exclusiveMaximum", "maximum", p.exclusiveMax, -1}} {
		limit, err := strconv.ParseInt(string(b.v.Raw), 10, 52)
		switch {
		case !b.v.IsSet():
		case b.v.Kind == payload.Number && err == nil && n.types&^isNull == isInteger:
			text := json.RawMessage(strconv.AppendInt(nil, limit+b.step, 10))
			if was := n.member(b.as); was == nil || stricter(b.as, text, was) {
				n.set(b.as, text)
			}
			c.add(path+"."+b.name, "written as "+b.as)
		default:
			n.noteValue(b.name, b.v.JSON())
			c.add(path+"."+b.name, "moved into the description")
		}
	}
}

// format takes the formats that the target knows.
func (c *compiler) format(n *node, v payload.Value, path string) {
	if v.Kind != payload.String {
		return
	}
	word := c.texts.Whole(v)
	if fitsFormat(word, n.types&^isNull) {
		n.set("format", v.JSON())
		return
	}
	n.note("Format: " + word)
	c.add(path+".format", "moved into the description")
}

// fitsFormat reports whether the target knows a format of a type.
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

// combine takes what says the same thing by other schemas.
func (c *compiler) combine(n *node, p *partsOf, path string) {
	if p.ref.Kind == payload.String {
		n.and(c.follow(c.texts.Whole(p.ref), path), path, &c.record)
	}
	if p.allOf.Kind == payload.Array {
		c.add(path+".allOf", "merged")
		for item := range p.allOf.Items() {
			n.and(c.compile(item, path+".allOf"), path, &c.record)
		}
	}
	if p.oneOf.Kind == payload.Array {
		c.add(path+".oneOf", "written as anyOf")
		var branches []*node
		for item := range p.oneOf.Items() {
			branches = c.branch(branches, item, path+".oneOf")
		}
		n.and(&node{anyOf: branches}, path, &c.record)
	}
	if p.anyOf.Kind == payload.Array {
		var branches []*node
		for item := range p.anyOf.Items() {
			branches = c.branch(branches, item, path+".anyOf")
		}
		n.and(&node{anyOf: branches}, path, &c.record)
	}
}

// branch appends an alternative.
func (c *compiler) branch(branches []*node, v payload.Value, path string) []*node {
	switch {
	case v.Kind == payload.Bool && !v.IsTrue():
		return branches
	case len(branches) == maxBranches:
		c.add(path, "the alternatives over the limit are left out")
		return branches
	}
	return append(branches, c.compile(v, path+"["+strconv.Itoa(len(branches))+"]"))
}

// follow makes the node of what a reference leads to.
func (c *compiler) follow(ref, path string) *node {
	v, ok := c.resolve(ref)
	switch {
	case !ok:
		c.add(path+".$ref", "left out: "+ref+" points to nothing")
		return new(node)
	case slices.Contains(c.open, ref):
		c.add(path+".$ref", "not followed: it refers to itself")
		n := &node{types: c.typesOf(v.Get("type"))}
		if n.types == 0 {
			n.types = isObject
		}
		n.note("As " + ref[strings.LastIndexByte(ref, '/')+1:] + " around it.")
		return n
	}
	c.open = append(c.open, ref)
	n := c.compile(v, path)
	c.open = c.open[:len(c.open)-1]
	c.add(path+".$ref", "written out")
	return n
}

// resolve finds what a reference leads to, in the schema itself.
func (c *compiler) resolve(ref string) (payload.Value, bool) {
	if v, ok := c.named[ref]; ok {
		return v, v.Kind != payload.Absent
	}
	if len(c.named) == 0 {
		c.remember("$defs")
		c.remember("definitions")
		if v, ok := c.named[ref]; ok {
			return v, true
		}
	}
	v := c.root
	if ref != "#" {
		pointer, ok := strings.CutPrefix(ref, "#/")
		if c.walks--; !ok || c.walks < 0 {
			return payload.Value{}, false
		}
		if plain, err := url.PathUnescape(pointer); err == nil {
			pointer = plain
		}
		for step := range strings.SplitSeq(pointer, "/") {
			v = v.Get(strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
		}
	}
	ok := v.Kind == payload.Object || v.Kind == payload.Bool
	if !ok {
		v = payload.Value{}
	}
	c.named[ref] = v
	return v, ok
}

// remember notes the definitions under a keyword, which nearly all references
// lead to.
func (c *compiler) remember(keyword string) {
	for key, v := range c.root.Get(keyword).Fields() {
		if len(c.named) < maxNamed && (v.Kind == payload.Object || v.Kind == payload.Bool) {
			c.named["#/"+keyword+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(string(key))] = v
		}
	}
}

func isDigits(raw []byte) bool {
	for i, b := range raw {
		if (b < '0' || b > '9') && (b != '-' || i > 0 || len(raw) == 1) {
			return false
		}
	}
	return len(raw) > 0
}

func floatOf(raw json.RawMessage) (float64, bool) {
	f, err := strconv.ParseFloat(string(raw), 64)
	return f, err == nil
}
