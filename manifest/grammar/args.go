package grammar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/internal/syntax/all"
	"github.com/toolparse/toolparse/internal/syntax/gemma"
	"github.com/toolparse/toolparse/internal/syntax/nested"
	"github.com/toolparse/toolparse/internal/syntax/pairs"
	"github.com/toolparse/toolparse/internal/syntax/python"
	"github.com/toolparse/toolparse/internal/syntax/raw"
	"github.com/toolparse/toolparse/internal/syntax/tags"
	"github.com/toolparse/toolparse/internal/syntax/yaml"
)

// grammars maps each syntax of arguments to the function that writes its grammar. JSON
// has no entry. The parser and the writer select the syntax in the same way.
var grammars = map[*syntax.Syntax]func(*writer, *tool, *shape) *node{
	&gemma.Syntax:  (*writer).gemmaArgs,
	&nested.Syntax: (*writer).nestedArgs,
	&pairs.Syntax:  (*writer).pairArgs,
	&python.Syntax: (*writer).pythonArgs,
	&raw.Syntax:    (*writer).rawArgs,
	&tags.Syntax:   (*writer).tagArgs,
	&yaml.Syntax:   (*writer).yamlArgs,
}

// args matches the arguments of a call of t.
func (w *writer) args(t *tool) *node {
	list := w.arguments(t)
	if len(list) == 0 { // w.err says why
		return alt()
	}
	make := grammars[all.Of(&w.d.Args)]
	if make == nil {
		make = (*writer).jsonArgs
	}
	return w.alternatives(len(list), func(i int) *node { return make(w, t, list[i]) })
}

func (w *writer) jsonArgs(t *tool, s *shape) *node { return w.object(t, s, w.json, "") }

func (w *writer) gemmaArgs(t *tool, s *shape) *node {
	return w.object(t, s, w.cached("gemma", func() *language { return gemmaIn(w.d) }), "")
}

// cached returns the language with a name, and makes it on first use. Rules are shared
// by the identity of their language.
func (w *writer) cached(name string, make func() *language) *language {
	if w.languages[name] == nil {
		w.languages[name] = make()
	}
	return w.languages[name]
}

// inOrder matches members in their order, without a separator.
func (w *writer) inOrder(list []member) *node {
	nodes := make([]*node, len(list))
	for i, m := range list {
		if nodes[i] = m.node; !m.required {
			nodes[i] = optional(m.node)
		}
	}
	return seq(nodes...)
}

func (w *writer) pythonArgs(t *tool, s *shape) *node {
	l := w.cached("python", func() *language { return pythonIn(cmp.Or(w.d.Args.Quote, `"`)) })
	mark, comma := w.d.Args.KeyMark, "\n"
	if mark.Open == "" {
		mark.Close, comma = "=", l.comma
	}
	list := w.eachMember(t, w.nameable(t, s, ""), "", func(p property, at string) *node {
		return seq(lit(mark.Open+p.Name+mark.Close), w.value(t, p.Schema, l, at))
	})
	if len(list) == 0 {
		return nothing
	}
	body, mayBeEmpty := w.members(list, comma, hint(t, ""))
	if mayBeEmpty {
		body = optional(body)
	}
	return body
}

// around returns the markers of the frame that a value must not contain.
func (w *writer) around(t *tool) []string {
	f, a := &w.d.Frame, &w.d.Args
	list := []string{a.ValueMark.Close, a.KeyMark.Open, f.Call.Close, f.Section.Close}
	list = append(append(list, a.Closers...), f.Closers...)
	for i, m := range list {
		m = strings.ReplaceAll(m, "{name}", t.Name)
		if i > 1 && (strings.HasPrefix(strings.TrimSpace(m), "```") || strings.TrimSpace(m) == "]") {
			m = "" // too common in values
		}
		if m == "<" {
			m = ""
		}
		list[i] = m
	}
	return list
}

func (w *writer) pairArgs(t *tool, s *shape) *node {
	a := &w.d.Args
	p := w.newPlace(w.around(t)...)
	list := w.eachMember(t, w.nameable(t, s, ""), "", func(prop property, at string) *node {
		close := strings.ReplaceAll(a.ValueMark.Close, "{key}", prop.Name)
		if a.Quoted {
			return seq(pairHead(a, prop.Name, ""), w.value(t, prop.Schema, p.json, at), lit(close))
		}
		return alt(w.pairWays(prop.Name, close, w.textWays(t, prop.Schema, p, at, flat))...)
	})
	body := w.inOrder(list)
	if w.d.Written.Empty != "" && !slices.ContainsFunc(list, func(m member) bool { return m.required }) {
		body = seq(optional(lit(w.d.Written.Empty)), body)
	}
	return body
}

// pairWays returns the ways to write a key with its value, one for each type that the
// syntax states.
func (w *writer) pairWays(key, close string, values []way) []*node {
	a := &w.d.Args
	stated := func(kind string) string {
		if kind == "integer" {
			kind = "number"
		}
		return pairs.TypeName(a, kind)
	}
	var ways []*node
	var done []string
	for _, v := range values {
		kind := stated(v.kind)
		if slices.Contains(done, kind) {
			continue
		}
		done = append(done, kind)
		var same []*node
		for _, o := range values {
			if stated(o.kind) == kind {
				same = append(same, o.node)
			}
		}
		ways = append(ways, seq(pairHead(a, key, kind), alt(same...), lit(close)))
	}
	return ways
}

func pairHead(a *dialect.Args, key, kind string) *node {
	return lit(string(pairs.AppendHead(nil, a, key, kind)))
}

// nestedArgs matches arguments in tags that have the parameters' names.
func (w *writer) nestedArgs(t *tool, s *shape) *node {
	if w.place == nil {
		w.place = w.newPlace(w.tagNames()...)
	}
	return w.inOrder(w.nestedMembers(t, s, ""))
}

// tagNames returns the markers that a text must not contain if tags have the names of
// parameters: the tags of all tools and parameters, so that all values share one
// automaton.
func (w *writer) tagNames() []string {
	a := &w.d.Args
	names := []string{a.Item}
	var collect func(v *jnode)
	collect = func(v *jnode) {
		for i, member := range v.List {
			if v.Kind == jsonvalue.Object && v.Keys[i] == "properties" && member.Kind == jsonvalue.Object {
				names = append(names, member.Keys...)
			}
			collect(member)
		}
	}
	for _, t := range w.tools {
		names = append(names, t.Name)
		if t.schema != nil {
			collect(t.schema)
		}
	}
	markers := []string{w.d.Frame.Section.Close}
	if mark := strings.TrimSuffix(a.KeyMark.Open, "<"); mark != "" {
		return append(markers, mark) // every tag begins with it, those of the frame too
	}
	for _, name := range names {
		markers = append(markers, "</"+name+">", a.KeyMark.Open+name)
	}
	return markers
}

func (w *writer) nestedMembers(t *tool, s *shape, at string) []member {
	return w.eachMember(t, w.nameable(t, s, at), at, func(p property, at string) *node {
		return w.nestedTag(t, p.Name, p.Schema, at)
	})
}

// nestedTag matches a value in a tag with the given name.
func (w *writer) nestedTag(t *tool, name string, schema *jnode, at string) *node {
	return w.once(ruleKey{schema, "tag " + name}, t, at, func() *node { return w.nestedBody(t, name, schema, at) })
}

func (w *writer) nestedBody(t *tool, name string, schema *jnode, at string) *node {
	a := &w.d.Args
	// If the value may be a string too, tags without a mark inside it are text.
	list := w.shapes(t, schema, at)
	asText := a.KeyMark.Open == "<" && (mayBe(list, "string") || slices.ContainsFunc(list, listsText))
	value := w.textAlt(t, schema, w.place, at, func(s *shape, kind string) *node {
		if asText || kind == "object" && len(s.Properties) == 0 { // objects of any keys are JSON
			return nil
		}
		return w.inTags(t, s, kind, at,
			func(s *shape, at string) []member { return w.nestedMembers(t, s, at) },
			func(schema *jnode, at string) *node { return w.nestedTag(t, a.Item, schema, at) })
	})
	return seq(lit(a.KeyMark.Open+name+a.KeyMark.Close+a.ValueMark.Open), value, lit(strings.ReplaceAll(a.ValueMark.Close, "{key}", name)))
}

// inTags matches an object or a list that is written as tags inside a value. It returns
// nil for values that are not written like that.
func (w *writer) inTags(t *tool, s *shape, kind, at string, members func(*shape, string) []member, item func(*jnode, string) *node) *node {
	switch kind {
	case "object":
		list := members(s, at)
		if len(list) == 0 {
			return nil
		}
		body, mayBeEmpty := w.members(list, "", hint(t, at))
		if mayBeEmpty {
			return alt(body, lit("{}"))
		}
		return body
	case "array":
		if w.d.Args.Item == "" || s.Items == nil && len(s.PrefixItems) == 0 {
			return nil
		}
		full := *s
		empty := s.ItemCount.Min == 0
		if empty {
			full.ItemCount.Min = 1
		}
		body := w.elements(&full, "", func(schema *jnode, place string) *node { return item(schema, below(at, place)) })
		if empty {
			return alt(body, lit("[]"))
		}
		return body
	}
	return nil
}

// tagArgs matches arguments in tags that have the parameters' names as an attribute.
func (w *writer) tagArgs(t *tool, s *shape) *node {
	wrapper := w.d.Args.Wrapper
	body := w.inOrder(w.tagMembers(t, s, ""))
	if wrapper == "" {
		return body
	}
	return seq(lit("<"+wrapper+">"), body, lit("</"+wrapper+">"))
}

func (w *writer) tagMembers(t *tool, s *shape, at string) []member {
	a := &w.d.Args
	return w.eachMember(t, w.nameable(t, s, at), at, func(p property, at string) *node {
		return seq(lit("<"+a.Tag+" "+a.Key+`="`+lex.EscapeAttribute(p.Name)+`">`), w.tagged(t, p.Schema, at), lit("</"+a.Tag+">"))
	})
}

// tagged matches a value inside its tag.
func (w *writer) tagged(t *tool, schema *jnode, at string) *node {
	return w.once(ruleKey{schema, "tagged"}, t, at, func() *node { return w.taggedBody(t, schema, at) })
}

func (w *writer) taggedBody(t *tool, schema *jnode, at string) *node {
	a := &w.d.Args
	if w.place == nil {
		w.place = w.newPlace("</" + a.Tag)
	}
	return w.textAlt(t, schema, w.place, at, func(s *shape, kind string) *node {
		if kind == "object" && len(s.AllProperties()) == 0 {
			return w.tagMap(t, s, at)
		}
		return w.inTags(t, s, kind, at,
			func(s *shape, at string) []member { return w.tagMembers(t, s, at) },
			func(schema *jnode, at string) *node {
				return seq(lit("<"+a.Item+">"), w.tagged(t, schema, at), lit("</"+a.Item+">"))
			})
	})
}

// tagMap matches an object of any keys, as a tag for each member or as JSON.
func (w *writer) tagMap(t *tool, s *shape, at string) *node {
	a := &w.d.Args
	key := w.shared("key", func() *node {
		return rep(alt(char(anyChar.without(chars("\"<>&\r\n\t"))), lit("&amp;"), lit("&lt;"), lit("&gt;"), lit("&quot;")), 1, -1)
	})
	if len(s.PatternProperties) > 0 || s.AdditionalProperties == nil || s.AdditionalProperties.Kind == jsonvalue.Bool { // tags would lose the types of the members
		return nil
	}
	member := seq(lit("<"+a.Tag+" "+a.Key+`="`), key, lit(`">`), w.tagged(t, s.AdditionalProperties, below(at, "additionalProperties")), lit("</"+a.Tag+">"))
	least, most := counted(s.MemberCount)
	return alt(rep(member, max(least, 1), most), w.free(t, s, w.place.json, at))
}

// rawArgs matches the single argument of a syntax whose arguments are verbatim text.
func (w *writer) rawArgs(t *tool, s *shape) *node {
	if w.d.Args.Object {
		return w.jsonArgs(t, s)
	}
	param := w.d.Args.Param
	props := s.AllProperties()
	at := slices.IndexFunc(props, func(p property) bool { return p.Name == param })
	if at < 0 && len(props) == 1 {
		at = 0
	}
	for i, p := range props {
		if at < 0 || i != at && p.Required {
			return w.fail(t, "", "a call is the text of one parameter, but the tool has several")
		}
	}
	if len(props) == 0 {
		return w.fail(t, "", "a call is the text of one parameter, but the tool has none")
	}
	p := w.newPlace(w.around(t)...)
	return w.textAlt(t, props[at].Schema, p, below("", "properties", props[at].Name), flat)
}
