package schema

import (
	"fmt"
	"iter"
	"net/url"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// reference is a $ref whose target has not been compiled yet.
type reference struct {
	from    *Schema
	at      *value // the keyword's value
	home    *resource
	dynamic bool
}

// dynamicReference is a $dynamicRef. It leads to target or, if that is a $dynamicAnchor, to
// the outermost anchor of the same name among the resources that validation has passed
// through.
type dynamicReference struct {
	target *Schema
	anchor string // "" if the target is not a $dynamicAnchor
}

// resource is a schema with an identifier of its own, or the whole document.
type resource struct {
	base    *url.URL
	root    *value
	anchors map[string]*value
	dynamic map[string]*Schema // by $dynamicAnchor

	dynamicAnchors map[string]*value
}

// index finds the parts of a document by their identifiers. A document without identifiers
// needs none, because all its references are JSON pointers.
type index struct {
	root  *resource
	byURI map[string]*resource
	homes map[*value]*resource // the resource of each schema
}

// rootURI identifies a document that has no identifier.
var rootURI = &url.URL{Scheme: "schema", Path: "/"}

// mentions reports whether a document may contain one of these words. Escapes may hide one.
func mentions(root *value, words ...string) bool {
	for _, word := range words {
		if strings.Contains(root.Raw, word) {
			return true
		}
	}
	return strings.Contains(root.Raw, `\u`)
}

// indexed returns the index, and builds it on first use if the document has identifiers.
func (d *Document) indexed() *index {
	if d.index == nil {
		x := &index{root: &resource{base: rootURI, root: d.root}}
		if mentions(d.root, `$id"`, `$anchor"`, `$dynamicAnchor"`) {
			x.homes, x.byURI = map[*value]*resource{}, map[string]*resource{}
			x.root = x.resource(rootURI, d.root)
			x.walk(d.root, x.root)
		}
		d.index = x
	}
	return d.index
}

func (x *index) resource(base *url.URL, root *value) *resource {
	r := &resource{base, root, map[string]*value{}, map[string]*Schema{}, map[string]*value{}}
	x.byURI[base.String()] = r
	return r
}

// walk records the identifiers of a schema and of all schemas inside it.
func (x *index) walk(v *value, home *resource) {
	if v.Kind != jsonvalue.Object {
		return
	}
	if id := v.Get("$id"); id.Is(jsonvalue.String) {
		if name, ok := strings.CutPrefix(id.Text, "#"); ok { // an anchor of draft 7
			home.anchors[name] = v
		} else if to, err := url.Parse(id.Text); err == nil {
			base := home.base.ResolveReference(to)
			base.Fragment = ""
			if v == home.root { // the document's own identifier replaces rootURI
				home.base = base
				x.byURI[base.String()] = home
			} else {
				home = x.resource(base, v)
			}
		}
	}
	x.homes[v] = home
	if name := v.Get("$anchor"); name.Is(jsonvalue.String) {
		home.anchors[name.Text] = v
	}
	if name := v.Get("$dynamicAnchor"); name.Is(jsonvalue.String) {
		home.anchors[name.Text], home.dynamicAnchors[name.Text] = v, v
	}
	for i, keyword := range v.Keys {
		for _, sub := range Subschemas(keyword, v.List[i]) {
			x.walk(sub, home)
		}
	}
}

// Subschemas yields the schemas under a keyword with their name or index below it. If the
// value of the keyword is itself a schema, its name is "".
func Subschemas(keyword string, k *jsonvalue.Value) iter.Seq2[string, *jsonvalue.Value] {
	return func(yield func(string, *value) bool) {
		switch keyword {
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
			if k.Kind != jsonvalue.Object {
				return
			}
		case "allOf", "anyOf", "oneOf", "prefixItems":
			if k.Kind != jsonvalue.Array {
				return
			}
		case "items", "additionalItems", "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties",
			"unevaluatedItems", "unevaluatedProperties":
			if k.Kind != jsonvalue.Array {
				yield("", k)
				return
			}
		default:
			return
		}
		for i, sub := range k.List {
			if !yield(k.PartName(i), sub) {
				return
			}
		}
	}
}

// MapSubschemas returns the value of a keyword with each schema under it replaced by the
// result of to.
func MapSubschemas(keyword string, k *jsonvalue.Value, to func(name string, sub *jsonvalue.Value) *jsonvalue.Value) *jsonvalue.Value {
	var list []*jsonvalue.Value
	for name, sub := range Subschemas(keyword, k) {
		if sub == k {
			return to(name, sub)
		}
		list = append(list, to(name, sub))
	}
	switch {
	case list == nil:
		return k
	case k.Kind == jsonvalue.Array:
		return jsonvalue.NewArray(list...)
	}
	out := jsonvalue.NewObject()
	for i, name := range k.Keys {
		out.Set(name, list[i])
	}
	return out
}

// homeOf returns the resource of a part that was not reached through a reference.
func (d *Document) homeOf(v *value) *resource {
	if d.done == nil {
		return nil
	}
	return d.home(v, d.indexed().root)
}

// follow finds and compiles the target of a reference.
func (d *Document) follow(r reference) error {
	target, home, anchor := d.find(r.at.Text, r.home)
	if target == nil {
		return &fault{r.at, fmt.Errorf("%w: %q", ErrReference, r.at.Text)}
	}
	s, err := d.compile(target, home)
	if err != nil {
		return err
	}
	if !r.dynamic {
		r.from.all = append(r.from.all, s)
		return nil
	}
	r.from.rare().dynamic = &dynamicReference{target: s}
	if home.dynamicAnchors[anchor] == target {
		r.from.more.dynamic.anchor = anchor
		return d.compileDynamic(anchor)
	}
	return nil
}

// compileDynamic compiles all targets that a $dynamicRef with this anchor may have.
func (d *Document) compileDynamic(anchor string) error {
	for _, r := range d.index.byURI {
		v := r.dynamicAnchors[anchor]
		if v == nil || r.dynamic[anchor] != nil {
			continue
		}
		s, err := d.compile(v, r)
		if err != nil {
			return err
		}
		r.dynamic[anchor] = s
	}
	return nil
}

// find returns the target of a reference inside home, the resource of the target, and the
// name of the anchor that led to it, if any. It searches only the document: it never reads
// a file or contacts a host.
func (d *Document) find(ref string, home *resource) (target *value, in *resource, anchor string) {
	uri, fragment, _ := strings.Cut(ref, "#")
	if uri != "" {
		to, err := url.Parse(uri)
		if err != nil {
			return nil, nil, ""
		}
		to = home.base.ResolveReference(to)
		if home = d.index.byURI[to.String()]; home == nil {
			return nil, nil, ""
		}
	}
	if decoded, err := url.PathUnescape(fragment); err == nil { // a malformed one stays
		fragment = decoded
	}
	if fragment != "" && fragment[0] != '/' {
		return home.anchors[fragment], d.home(home.anchors[fragment], home), fragment
	}
	if target, in = d.walkTo(home, fragment); target == nil && uri == "" {
		// Schemas with identifiers often contain pointers that start at the root anyway.
		target, in = d.walkTo(d.index.root, fragment)
	}
	return target, in, ""
}

// walkTo follows a JSON pointer from the root of a resource.
func (d *Document) walkTo(in *resource, pointer string) (*value, *resource) {
	target := in.root
	for i, name := range strings.Split(pointer, "/") {
		if i == 0 {
			continue // before the first slash
		}
		if target = target.Step(jsonvalue.UnescapePointer(name)); target == nil {
			return nil, nil
		}
		in = d.home(target, in)
	}
	return target, in
}

// home returns the resource of a schema if it has its own, and the enclosing one otherwise.
func (d *Document) home(v *value, around *resource) *resource {
	if d.index != nil && d.index.homes[v] != nil {
		return d.index.homes[v]
	}
	return around
}

// Target returns the part of the document that the $ref of a schema leads to. It returns
// nil if there is no $ref or no such part.
func (d *Document) Target(v *jsonvalue.Value) *jsonvalue.Value {
	ref := v.Get("$ref")
	if !ref.Is(jsonvalue.String) || d.done == nil {
		return nil
	}
	target, _, _ := d.find(ref.Text, d.homeOf(v))
	return target
}
