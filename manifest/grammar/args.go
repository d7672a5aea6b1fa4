package grammar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
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

// grammars has what makes the grammar of arguments in a syntax. A row's columns pick
// the syntax, here as where it is read and written; JSON has none.
var grammars = map[*syntax.Syntax]func(*writer, *tool, *shape) *node{
	&gemma.Syntax:  (*writer).gemmaArgs,
	&nested.Syntax: (*writer).nestedArgs,
	&pairs.Syntax:  (*writer).pairArgs,
	&python.Syntax: (*writer).pythonArgs,
	&raw.Syntax:    (*writer).rawArgs,
	&tags.Syntax:   (*writer).tagArgs,
	&yaml.Syntax:   (*writer).yamlArgs,
}

// args are the arguments of a call of t.
func (w *writer) args(t *tool) *node {
	list := w.arguments(t)
	if len(list) == 0 { // an error is kept
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

// cached is a language that is made once, since rules are kept by it.
func (w *writer) cached(name string, make func() *language) *language {
	key := ruleKey{nil, "language " + name}
	if w.made[key] == nil {
		w.made[key] = &rule{body: &node{}}
		w.languages = append(w.languages, namedLanguage{name, make()})
	}
	i := slices.IndexFunc(w.languages, func(n namedLanguage) bool { return n.name == name })
	return w.languages[i].language
}

type namedLanguage struct {
	name string
	*language
}

// inOrder are members without a mark between them.
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

// around are the markers of the frame that a value must not hold.
func (w *writer) around(t *tool) []string {
	f, a := &w.d.Frame, &w.d.Args
	list := []string{a.ValueMark.Close, a.KeyMark.Open, f.Call.Close, f.Section.Close}
	list = append(append(list, a.Closers...), f.Closers...)
	for i, m := range list {
		m = strings.ReplaceAll(m, "{name}", t.Name)
		if i > 1 && (strings.HasPrefix(strings.TrimSpace(m), "```") || strings.TrimSpace(m) == "]") {
			m = "" // values are full of them
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
			return seq(w.pairHead(prop.Name, ""), w.value(t, prop.Schema, p.json, at), lit(close))
		}
		return alt(w.pairWays(prop.Name, close, w.textWays(t, prop.Schema, p, at, flat))...)
	})
	body := w.inOrder(list)
	if w.d.Written.Empty != "" && !slices.ContainsFunc(list, func(m member) bool { return m.required }) {
		body = seq(optional(lit(w.d.Written.Empty)), body)
	}
	return body
}

// pairWays are a key with its value, for each type of it that is told.
func (w *writer) pairWays(key, close string, values []way) []*node {
	told := func(kind string) string {
		switch {
		case w.d.Args.Type == "" && w.d.Args.TypeMark.Open == "":
			return ""
		case w.d.Args.Type != "string":
			if kind == "integer" {
				return "number"
			}
			return kind
		case kind == "string":
			return "true"
		}
		return "false"
	}
	var ways []*node
	var done []string
	for _, v := range values {
		kind := told(v.kind)
		if slices.Contains(done, kind) {
			continue
		}
		done = append(done, kind)
		var same []*node
		for _, o := range values {
			if told(o.kind) == kind {
				same = append(same, o.node)
			}
		}
		ways = append(ways, seq(w.pairHead(key, kind), alt(same...), lit(close)))
	}
	return ways
}

// pairHead is what stands before a value.
func (w *writer) pairHead(key, kind string) *node {
	a := &w.d.Args
	head := a.KeyMark.Open
	if a.Key == "" {
		head += key
	} else {
		head += " " + a.Key + `="` + key + `"`
		if a.Type != "" {
			head += " " + a.Type + `="` + kind + `"`
		}
	}
	head += a.KeyMark.Close
	if a.TypeMark.Open != "" {
		head += a.TypeMark.Open + kind + a.TypeMark.Close
	}
	return lit(head + a.ValueMark.Open)
}

// nestedArgs are arguments in tags that are named like them.
func (w *writer) nestedArgs(t *tool, s *shape) *node {
	if w.place == nil {
		w.place = w.newPlace(w.tagNames()...)
	}
	return w.inOrder(w.nestedMembers(t, s, ""))
}

// tagNames are the markers that a text must not hold where tags are named like
// parameters: the tags of all tools and parameters, so that one automaton serves all
// values.
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
		return append(markers, mark) // no tag counts without it, the frame's neither
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

// nestedTag is a value in a tag of that name.
func (w *writer) nestedTag(t *tool, name string, schema *jnode, at string) *node {
	key := ruleKey{schema, "tag " + name}
	if r := w.made[key]; r != nil {
		return call(r)
	}
	a := &w.d.Args
	r := w.add(hint(t, at), alt())
	w.made[key] = r
	if !w.enter(t, at) {
		return alt()
	}
	defer w.leave()
	close := strings.ReplaceAll(a.ValueMark.Close, "{key}", name)
	// Where it may be a string as well, a tag without a mark is text.
	list := w.shapes(t, schema, at)
	asText := a.KeyMark.Open == "<" && (mayBe(list, "string") || slices.ContainsFunc(list, listsText))
	value := w.textAlt(t, schema, w.place, at, func(s *shape, kind string) *node {
		if asText || kind == "object" && len(s.Properties) == 0 { // of any names, it is JSON
			return nil
		}
		return w.inTags(t, s, kind, at,
			func(s *shape, at string) []member { return w.nestedMembers(t, s, at) },
			func(schema *jnode, at string) *node { return w.nestedTag(t, a.Item, schema, at) })
	})
	r.body = seq(lit(a.KeyMark.Open+name+a.KeyMark.Close+a.ValueMark.Open), value, lit(close))
	w.keep(key)
	return call(r)
}

// inTags is an object or a list as tags within a value, and nil for what is not
// written so.
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
		if w.d.Args.Item == "" || s.Items == nil && len(s.Prefix) == 0 {
			return nil
		}
		full := *s
		empty := s.Count.Min == 0
		if empty {
			full.Count.Min = 1
		}
		body := w.elements(&full, "", func(schema *jnode, place string) *node { return item(schema, below(at, place)) })
		if empty {
			return alt(body, lit("[]"))
		}
		return body
	}
	return nil
}

// tagArgs are arguments in tags with their names as attributes.
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
		name := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(p.Name)
		return seq(lit("<"+a.Tag+" "+a.Key+`="`+name+`">`), w.tagged(t, p.Schema, at), lit("</"+a.Tag+">"))
	})
}

// tagged is a value inside its tag.
func (w *writer) tagged(t *tool, schema *jnode, at string) *node {
	key := ruleKey{schema, "tagged"}
	if r := w.made[key]; r != nil {
		return call(r)
	}
	r := w.add(hint(t, at), alt())
	w.made[key] = r
	if !w.enter(t, at) {
		return alt()
	}
	defer w.leave()
	a := &w.d.Args
	if w.place == nil {
		w.place = w.newPlace("</" + a.Tag)
	}
	r.body = w.textAlt(t, schema, w.place, at, func(s *shape, kind string) *node {
		if kind == "object" && len(s.AllProperties()) == 0 {
			return w.tagMap(t, s, at)
		}
		return w.inTags(t, s, kind, at,
			func(s *shape, at string) []member { return w.tagMembers(t, s, at) },
			func(schema *jnode, at string) *node {
				return seq(lit("<"+a.Item+">"), w.tagged(t, schema, at), lit("</"+a.Item+">"))
			})
	})
	w.keep(key)
	return call(r)
}

// tagMap is an object of any keys: a tag for each, or JSON.
func (w *writer) tagMap(t *tool, s *shape, at string) *node {
	a := &w.d.Args
	key := w.shared("key", func() *node {
		return rep(alt(char(anyChar.without(chars("\"<>&\r\n\t"))), lit("&amp;"), lit("&lt;"), lit("&gt;"), lit("&quot;")), 1, -1)
	})
	if len(s.Patterned) > 0 || s.Additional == nil || s.Additional.Kind == jsonvalue.Bool { // in tags the types of its members would be lost
		return nil
	}
	member := seq(lit("<"+a.Tag+" "+a.Key+`="`), key, lit(`">`), w.tagged(t, s.Additional, below(at, "additionalProperties")), lit("</"+a.Tag+">"))
	least, most := counted(s.Members)
	return alt(rep(member, max(least, 1), most), w.free(t, s, w.place.json, at))
}

// rawArgs are the one argument that is text as it is.
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
