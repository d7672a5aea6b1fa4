package schema

import (
	"fmt"
	"slices"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// Shaper computes the shapes of a document's parts. Because references can multiply the
// work, a Shaper has a budget. It is not safe for concurrent use.
type Shaper struct {
	doc    *Document
	work   int
	joined map[[2]*value]*value
}

// Shaper returns a Shaper that reads at most work schemas.
func (d *Document) Shaper(work int) *Shaper {
	return &Shaper{doc: d, work: work, joined: map[[2]*value]*value{}}
}

// Shape returns the shape of the values that fit all of these schemas. To make a choice,
// pass its schema after the schema that contains it; the choices of the added schemas are
// then at the end of [Shape.Choices].
func (r *Shaper) Shape(parts ...*jsonvalue.Value) (*Shape, error) {
	s := &merger{shaper: r, Shape: AnyShape()}
	for _, part := range parts {
		if err := s.merge(part, 0); err != nil {
			return nil, err
		}
	}
	s.finish()
	return s.Shape, nil
}

// maxAlternatives limits the number of alternatives of one schema.
const maxAlternatives = 64

// Alternatives returns the shapes of a schema with every choice made, in all combinations
// that do not contradict themselves. If there are none, it returns a single shape with
// Never set. The error is [ErrTooLarge] if there are too many.
func (r *Shaper) Alternatives(v *jsonvalue.Value) ([]*Shape, error) {
	var list []*Shape
	var choose func(parts ...*value) error
	choose = func(parts ...*value) error {
		s, err := r.Shape(parts...)
		switch {
		case err != nil:
			return err
		case s.Never:
			return nil
		case len(s.Choices) < len(parts):
			if list = append(list, s); len(list) > maxAlternatives {
				return fmt.Errorf("%w: more than %d alternatives for one value", ErrTooLarge, maxAlternatives)
			}
			return nil
		}
		for _, choice := range s.Choices[len(parts)-1].List {
			if err := choose(append(slices.Clip(parts), choice)...); err != nil {
				return err
			}
		}
		return nil
	}
	if err := choose(v); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		never := AnyShape()
		never.Never = true
		return []*Shape{never}, nil
	}
	return list, nil
}

// Join returns the schema of the values that fit both a and b; either may be nil. For the
// same arguments it returns the same schema, so that recursion can be detected.
func (r *Shaper) Join(a, b *jsonvalue.Value) *jsonvalue.Value {
	switch {
	case a == nil, a == b, a.IsTrue(), b.IsFalse():
		return b
	case b == nil, b.IsTrue(), a.IsFalse():
		return a
	}
	key := [2]*value{a, b}
	if r.joined[key] == nil {
		if r.joined[key] = a; a.Raw == "" || a.Raw != b.Raw {
			r.joined[key] = combined("allOf", a, b)
		}
	}
	return r.joined[key]
}

// combined returns the schema with one keyword whose value is list.
func combined(keyword string, list ...*value) *value {
	return jsonvalue.NewObject().Set(keyword, jsonvalue.NewArray(list...))
}

// Flat returns a shape without choices that allows every object that the schema allows. It
// has each property of each alternative, with any of the schemas that the alternatives have
// for it, and requires only what all alternatives require. Flat returns false if the schema
// may describe something other than an object, or is too large.
func (r *Shaper) Flat(v *jsonvalue.Value) (*Shape, bool) {
	s, err := r.Shape(v)
	if err != nil || s.Never || s.circular || s.Types != nil && !slices.Contains(s.Types, "object") {
		return nil, false
	}
	m := merger{Shape: s, shaper: r}
	for _, choice := range s.Choices {
		props, required, ok := r.either(choice.List)
		if !ok {
			return nil, false
		}
		m.properties(props)
		m.require(required)
	}
	s.Choices = nil
	m.finish()
	return s, true
}

// either merges what alternatives say about an object.
func (r *Shaper) either(list []*value) (props []Property, required []string, ok bool) {
	at, requiredBy, n := map[string]int{}, map[string]int{}, 0
	var schemas [][]*value // the schemas of each of props
	for _, branch := range list {
		if types := typesOf(branch); len(types) == 1 && types[0] == "null" {
			continue
		}
		s, ok := r.Flat(branch)
		if !ok {
			return nil, nil, false
		}
		n++
		for _, p := range s.Properties {
			i, ok := at[p.Name]
			if !ok {
				i = len(props)
				at[p.Name], props, schemas = i, append(props, p), append(schemas, nil)
			}
			if !slices.ContainsFunc(schemas[i], func(o *value) bool { return jsonvalue.Equal(o, p.Schema) }) {
				schemas[i] = append(schemas[i], p.Schema)
			}
		}
		for _, name := range s.Required {
			if requiredBy[name]++; requiredBy[name] == 1 {
				required = append(required, name)
			}
		}
	}
	for i := range props {
		if len(schemas[i]) > 1 {
			props[i].Schema = combined("anyOf", schemas[i]...)
		}
	}
	required = slices.DeleteFunc(required, func(name string) bool { return requiredBy[name] < n })
	return props, required, n > 0
}
