package manifest

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// sampler makes values that fit a schema: it makes candidates, in a fixed order, and
// takes the first that its judge lets through. All that it makes depends on nothing
// but the schema and its fields.
type sampler struct {
	doc   *document
	judge *schema.Judge
	turn  int // values of the next turn differ, where the schema lets them

	open map[*node]bool // the schemas around the value
	left int            // bytes that it may still make
}

// maxSample bounds the arguments of an example, in bytes.
const maxSample = 16 << 10

var (
	errNoEnd    = errors.New("the schema requires itself inside itself, so no finite value fits")
	errNoSample = errors.New("found no value that fits the schema" + giveOne)
	errTooLong  = errors.New("an example of it would be too large")
	errTooMany  = errors.New("it requires more parts than an example shows" + giveOne)
)

const giveOne = ": give one in its examples, or a call in Definition.Examples"

// sampleError tells where in the arguments no value could be made.
type sampleError struct {
	path string // JSON pointer into the arguments
	err  error
}

func (e *sampleError) Error() string { return fmt.Sprintf("at %q: %v", e.path, e.err) }
func (e *sampleError) Unwrap() error { return e.err }

// uncheckedError is errNoSample where a pattern is in the way.
type uncheckedError struct{ pattern string }

func (e *uncheckedError) Error() string {
	return fmt.Sprintf("the pattern %q cannot be checked, so no value is known to fit%s", e.pattern, giveOne)
}
func (e *uncheckedError) Unwrap() error { return errNoSample }

// goal is a value that is to be made.
type goal struct {
	schema *node
	name   string // of the parameter, or of what it is in
	path   string

	root     bool // it is the arguments
	optional int  // of the root: the number of the optional parameter, or -1

	other []*node // values that it must differ from
}

// arguments makes the arguments of a call: every required parameter, and the optional
// one of this number, or none for -1.
func (d *document) arguments(turn, optional int) (*node, error) {
	d.work = maxWork
	g := &sampler{doc: d, judge: d.compiled.Judge(), turn: turn, open: map[*node]bool{d.root: true}, left: maxSample}
	return g.choose(&goal{schema: d.root, root: true, optional: optional}, d.root)
}

// value makes a value of a schema. name is that of the parameter, or what is next to
// it.
func (g *sampler) value(n *node, name, path string) (*node, error) {
	return g.reach(&goal{schema: n, name: name, path: path, optional: -1})
}

func (g *sampler) reach(to *goal) (*node, error) {
	if g.open[to.schema] {
		return nil, &sampleError{to.path, errNoEnd}
	}
	g.open[to.schema] = true
	defer delete(g.open, to.schema)
	return g.choose(to, to.schema)
}

// choose makes a value of a schema, with the first of its choices that works. The
// parts are the schema and the choices that were made.
func (g *sampler) choose(to *goal, parts ...*node) (*node, error) {
	s, err := g.doc.with(parts...)
	if err != nil {
		return nil, &sampleError{to.path, err}
	}
	if len(s.enum) > 0 || len(s.groups) < len(parts) {
		return g.first(to, g.candidates(to, s))
	}
	var first error
	for _, choice := range inOrder(s, s.groups[len(parts)-1]) {
		made, err := g.entered(choice, to.path, func() (*node, error) {
			return g.choose(to, append(slices.Clip(parts), choice)...)
		})
		if err == nil || errors.Is(err, errTooLarge) {
			return made, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// inOrder puts choices behind the others that show little: what may only be null and,
// unless it is of members, that a condition does not matter.
func inOrder(s *shape, choices []*node) []*node {
	object := s.kind() == "object"
	var first, last []*node
	for _, c := range choices {
		if c == anything && !object || slices.Equal(typesOf(c), []string{"null"}) {
			last = append(last, c)
		} else {
			first = append(first, c)
		}
	}
	return append(first, last...)
}

// entered makes a value while the schema that a reference leads to counts as one that
// the value is in.
func (g *sampler) entered(n *node, path string, build func() (*node, error)) (*node, error) {
	to := g.doc.target(n)
	if to == nil {
		return build()
	}
	if g.open[to] {
		return nil, &sampleError{path, errNoEnd}
	}
	g.open[to] = true
	defer delete(g.open, to)
	return build()
}

// candidate makes a value that may fit.
type candidate struct {
	given bool // by the schema, which vouches for it where it cannot be checked
	build func() (*node, error)
}

// first is the first candidate that fits.
func (g *sampler) first(to *goal, candidates iter.Seq[candidate]) (*node, error) {
	var first error
	left := g.left
	for c := range candidates {
		g.left = left
		v, err := c.build()
		if err == nil {
			if err = g.fit(to, v, c.given); err == nil {
				return v, nil
			}
			err = &sampleError{to.path, err}
		}
		if errors.Is(err, errTooLarge) {
			return nil, err
		}
		if first == nil || isPlain(first) && !isPlain(err) { // which says more
			first = err
		}
	}
	if first == nil {
		first = &sampleError{to.path, errNoSample}
	}
	return nil, first
}

// isPlain reports whether an error says of no more than that nothing fits.
func isPlain(err error) bool {
	_, unchecked := errors.AsType[*uncheckedError](err)
	return errors.Is(err, errNoSample) && !unchecked
}

// fit reports what is wrong with a value.
func (g *sampler) fit(to *goal, v *node, given bool) error {
	if g.left -= len(v.Raw); g.left < 0 {
		return errTooLong
	}
	if slices.ContainsFunc(to.other, func(o *node) bool { return jsonvalue.Equal(o, v) }) {
		return errNoSample
	}
	fits, unchecked, err := g.judge.Fits(to.schema, v)
	switch {
	case err != nil:
		return errTooLarge
	case fits:
		return nil
	case len(unchecked) > 0 && given:
		g.judge.Vouch()
		return nil
	case len(unchecked) > 0:
		return &uncheckedError{unchecked[0]}
	}
	return errNoSample
}

// candidates are the values of a shape whose choices were made, each made when its
// turn comes.
func (g *sampler) candidates(to *goal, s *shape) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		done := false
		offer := func(given bool, list ...*node) {
			for _, v := range list {
				done = done || !yield(candidate{given, func() (*node, error) { return v, nil }})
			}
		}
		if len(s.enum) > 0 {
			from := g.turn % len(s.enum)
			offer(true, s.enum[from:]...)
			offer(true, s.enum[:from]...)
			return
		}
		if telling := s.telling(); g.turn < len(telling) && !s.allowsContainer() && !to.root {
			offer(true, telling[g.turn:]...)
		}
		hints := sync.OnceValue(func() hints { return g.doc.hints(to.schema) })
		kinds := s.kinds()
		if to.root { // arguments are an object, whatever the schema leaves open
			kinds = []string{"object"}
		}
		for _, kind := range kinds {
			if done {
				return
			}
			switch kind {
			case "object", "array":
				list := g.objects
				if kind == "array" {
					list = g.arrays
				}
				for c := range list(to, s) {
					done = done || !yield(c)
				}
			case "integer", "number":
				for v := range s.numbers(kind, g.turn, hints) {
					if offer(false, v); done {
						break
					}
				}
			case "boolean":
				offer(false, jsonvalue.NewBool(g.turn%2 == 0), jsonvalue.NewBool(g.turn%2 != 0))
			case "null":
				offer(false, &node{Kind: jsonvalue.Null, Text: "null", Raw: "null"})
			case "string":
				for text := range s.texts(to.name, g.turn, hints) {
					if offer(false, jsonvalue.NewString(text)); done {
						break
					}
				}
			}
		}
		if !done {
			offer(true, s.samples...)
			offer(false, hints().values...)
		}
	}
}

// telling are the samples that a schema gives of a scalar.
func (s *shape) telling() []*node {
	var list []*node
	for _, v := range s.samples {
		if !v.Is(jsonvalue.Null) && len(v.Raw) <= 100 && s.allowsKind(v) && !(v.Is(jsonvalue.String) && v.Text == "") {
			list = append(list, v)
		}
	}
	return list
}

// kind is the type of value that a sample is made of.
func (s *shape) kind() string {
	for _, t := range s.types {
		if t != "null" {
			return t
		}
	}
	switch {
	case len(s.types) > 0:
		return "null"
	case len(s.props) > 0 || len(s.required) > 0 || len(s.matching) > 0 || s.names != nil || s.bounds["minProperties"] != nil:
		return "object"
	case s.items != nil || len(s.tuple) > 0 || s.contains != nil || s.unique || s.bounds["minItems"] != nil:
		return "array"
	case s.bounds["minimum"] != nil || s.bounds["maximum"] != nil || s.bounds["multipleOf"] != nil:
		return "number"
	}
	return "string"
}

// kinds are the types of which samples are made, in turn: without a type, all.
func (s *shape) kinds() []string {
	kinds := []string{s.kind()}
	others := s.types
	if len(others) == 0 {
		others = []string{"string", "integer", "number", "boolean", "object", "array", "null"}
	}
	for _, t := range others {
		if t != "null" && t != kinds[0] {
			kinds = append(kinds, t)
		}
	}
	if slices.Contains(others, "null") && kinds[0] != "null" {
		kinds = append(kinds, "null")
	}
	return kinds
}

func (s *shape) allowsContainer() bool { k := s.kind(); return k == "object" || k == "array" }

// allowsKind reports whether a sample's type is one of the shape's.
func (s *shape) allowsKind(v *node) bool {
	return !v.Is(jsonvalue.Null) && (len(s.types) == 0 || slices.ContainsFunc(s.types, func(t string) bool { return hasType(v, t) }))
}
