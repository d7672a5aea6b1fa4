package manifest

import (
	"iter"
	"slices"
	"strconv"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// objects are those of the required members and the optional one that is asked for,
// and then others: with all members, with one more, with no more than must be. One that
// would be empty gets a member, unless it is all arguments.
func (g *sampler) objects(to *goal, s *shape) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		more := func(fill bool, optional ...int) bool {
			return yield(candidate{build: func() (*node, error) { return g.object(to, s, fill, optional) }})
		}
		if !more(!to.root, to.optional) {
			return
		}
		var all []int
		for i := range s.optional() {
			all = append(all, i)
		}
		if !more(true, all...) {
			return
		}
		for _, i := range all[:min(len(all), 4)] {
			if !more(true, i) {
				return
			}
		}
		more(false)
	}
}

// optional counts the declared members that may be left out.
func (s *shape) optional() int {
	n := 0
	for _, p := range s.props {
		if !p.required {
			n++
		}
	}
	return n
}

// object makes an object of the required members, the optional ones of these numbers,
// and what these need.
func (g *sampler) object(to *goal, s *shape, fill bool, optional []int) (*node, error) {
	b := objectBuilder{sampler: g, to: to, shape: s, n: jsonvalue.NewObject()}
	b.need(s.required...)
	var free []property
	seen := 0
	for _, p := range s.props {
		if p.required {
			continue
		}
		if slices.Contains(optional, seen) {
			b.want = append(b.want, p.name)
		} else {
			free = append(free, p)
		}
		seen++
	}
	if err := b.declared(); err != nil {
		return nil, err
	}
	least := countOf(s.bounds["minProperties"], 0)
	if least > maxElements {
		return nil, &sampleError{to.path, errTooMany}
	}
	if fill {
		least = max(least, 1)
	}
	for _, p := range free {
		if len(b.n.Keys) >= least {
			break
		}
		if err := b.member(p.name); err == nil {
			if err := b.more(s.with[p.name]...); err != nil {
				return nil, err
			}
		}
	}
	if len(b.n.Keys) < least && (s.extra != nil || len(s.props) == 0 || len(s.matching) > 0 || s.bounds["minProperties"] != nil) {
		for _, name := range g.names(s, least) {
			if len(b.n.Keys) < least {
				_ = b.member(name) // the object is judged without it, too
			}
		}
	}
	return written(b.n), nil
}

// objectBuilder puts an object together.
type objectBuilder struct {
	*sampler
	to    *goal
	shape *shape
	n     *node

	needed []string // members that must be, and those they need
	want   []string // members that may be
}

// need adds members that must be, and those they need.
func (b *objectBuilder) need(names ...string) {
	for i := 0; i < len(names); i++ {
		if !slices.Contains(b.needed, names[i]) {
			b.needed = append(b.needed, names[i])
			names = append(slices.Clip(names), b.shape.with[names[i]]...)
		}
	}
}

// declared makes the members that are needed and wanted: the declared ones in their
// order, then the others.
func (b *objectBuilder) declared() error {
	for _, name := range b.want {
		b.need(b.shape.with[name]...)
	}
	for _, p := range b.shape.props {
		must := slices.Contains(b.needed, p.name)
		if !must && !slices.Contains(b.want, p.name) {
			continue
		}
		if err := b.member(p.name); err != nil && must {
			return err
		}
	}
	return b.more(b.needed...)
}

// more makes the members of these names that are not there yet.
func (b *objectBuilder) more(names ...string) error {
	b.need(names...)
	for _, name := range b.needed {
		if b.n.Has(name) {
			continue
		}
		if err := b.member(name); err != nil {
			return err
		}
	}
	return nil
}

// member makes one member.
func (b *objectBuilder) member(name string) error {
	if b.n.Has(name) {
		return nil
	}
	v, err := b.value(b.memberSchema(b.shape, name), name, b.to.path+"/"+jsonvalue.EscapePointer(name))
	if err != nil {
		return err
	}
	b.n.Set(name, v)
	return nil
}

// memberSchema is what a member must fit: by its name, by patterns of it, or else as
// any other.
func (g *sampler) memberSchema(s *shape, name string) *node {
	var own *node
	if s.known[name] {
		own = s.props[s.at[name]].schema
	}
	for _, p := range s.matching {
		if match, known := schema.MatchPattern(p.name, name); match || !known {
			own = g.doc.join(own, p.schema)
		}
	}
	if own == nil {
		own = s.extra
	}
	if own == nil {
		own = anything
	}
	return own
}

// names are names for members that no keyword names, as patterns ask for them.
func (g *sampler) names(s *shape, least int) []string {
	var names []string
	for turn := range least {
		for _, p := range s.matching {
			if name, ok := matching(p.name, turn, 1); ok {
				names = append(names, name)
			}
		}
	}
	for turn := range least {
		if s.names == nil {
			name := "key"
			if turn > 0 {
				name += "_" + strconv.Itoa(turn+1)
			}
			names = append(names, name)
			continue
		}
		maker := *g
		maker.turn = turn
		if v, err := maker.value(g.doc.join(s.names, nameSchema), "key", ""); err == nil {
			names = append(names, v.Text)
		}
	}
	return names
}

// nameSchema is what every name fits.
var nameSchema = written(jsonvalue.NewObject().Set("type", jsonvalue.NewString("string")))
