package wireio

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// Type says what a value of a whole answer must be. Each wire declares that of its
// answers once, and whoever reads one, as deltas or as a chat.Response, gets
// the answer from [Reader.OpenAnswer]: without what is of another type, and so the two
// cannot differ in what they make of that.
//
// Null is as if a member were not there. What a Type does not name may be anything.
type Type struct {
	is func(rawjson.Value) error // nil takes anything

	item    *Type  // of the elements, if it is a list
	alone   string // JSON that an element stands in which is no list, as "[%]"
	members map[string]Type
	kind    func(rawjson.Value) string // of an object, by which
	kinds   map[string]Type            // its members differ; "" is every other kind
}

// The types without members.
var (
	Text  = Of(rawjson.String)
	Flag  = Of(rawjson.Bool)
	Count = Type{is: isCount}
	Index = Type{is: isCount}
	// Label is a text, or a number that stands for one, as in some ids.
	Label = Of(rawjson.String, rawjson.Number)
)

// Of is a type of any of these kinds.
func Of(kinds ...rawjson.Kind) Type { return Type{is: kindIs(kinds...)} }

// TypeFunc is a type by a test.
func TypeFunc(is func(rawjson.Value) error) Type { return Type{is: is} }

// Members is an object with members of these types.
func Members(members map[string]Type) Type {
	return Type{is: kindIs(rawjson.Object), members: members}
}

// List is a list of elements of a type.
func List(item Type) Type { return Type{is: kindIs(rawjson.Array), item: &item} }

// TextOrList is a text, or a list.
func TextOrList(item Type) Type {
	return Type{is: kindIs(rawjson.String, rawjson.Array), item: &item}
}

// ListOf is a list, or what stands for a list alone, of that kind. The answer has a
// list in its place: form, where it is "%".
func ListOf(item Type, alone rawjson.Kind, form string) Type {
	return Type{is: kindIs(rawjson.Array, alone), item: &item, alone: form}
}

// And is a type with a further test, for members whose value decides of the whole.
func (t Type) And(members map[string]Type) Type {
	is := t.is
	t.is = func(v rawjson.Value) error {
		if err := is(v); err != nil {
			return err
		}
		for key, m := range v.Fields() {
			if of, ok := members[string(key)]; ok && m.IsSet() {
				if err := of.wrong(m); err != nil {
					return fmt.Errorf("%s: %w", key, err)
				}
			}
		}
		return nil
	}
	return t
}

// ByType is an object whose members depend on its type, the word that kind returns of
// it; those of "" are for types that are not named. Each must have such a word.
func ByType(kind func(rawjson.Value) string, kinds map[string]Type) Type {
	return Type{is: func(v rawjson.Value) error {
		if err := kindIs(rawjson.Object)(v); err != nil {
			return err
		}
		if kind(v) == "" {
			return errNoType
		}
		return nil
	}, kind: kind, kinds: kinds}
}

// Kind returns the member "type" of an object.
func Kind(v rawjson.Value) string {
	if kind := v.Get("type"); kind.Kind == rawjson.String {
		return string(kind.Raw)
	}
	return ""
}

var errNoType = errors.New("its type is missing")

func kindIs(kinds ...rawjson.Kind) func(rawjson.Value) error {
	return func(v rawjson.Value) error {
		if slices.Contains(kinds, v.Kind) {
			return nil
		}
		want := kinds[0].String()
		for _, k := range kinds[1:] {
			want += " or " + k.String()
		}
		return fmt.Errorf("expected %s, got %v", want, v.Kind)
	}
}

func isCount(v rawjson.Value) error {
	if n, ok := v.Int(); !ok || n < 0 {
		return errors.New("expected a whole number of at least 0")
	}
	return nil
}

// Faults are the members, and the elements of lists, that are wrong and left out.
func (r *Reader) Faults() []chat.Loss { return r.faults }

// OpenAnswer returns the answer that an event holds without what is of another type than
// t says.
func (r *Reader) OpenAnswer(e frame.Event, v rawjson.Value, t *Type) rawjson.Value {
	c := cleaner{name: r.Spelling}
	if c.fits(v, *t) {
		return v
	}
	e.Data = c.append(make([]byte, 0, len(v.Raw)), v, t, "")
	r.faults = append(r.faults, c.faults...)
	clean, err := r.Open(e)
	if err != nil {
		return v // which it cannot be: what was JSON still is
	}
	return clean
}

// maxFaults bounds the faults that are reported of one answer.
const maxFaults = 100

// Fault notes that something is wrong at a place in the answer.
func (r *Reader) Fault(field string, err error) { r.faults = append(r.faults, fault(field, err)) }

// Tokens is [rawjson.Reader.Count] for the counts of a usage: one that is none is noted, and does
// not make the answer an error.
func (r *Reader) Tokens(v rawjson.Value, path ...string) int {
	if !v.IsSet() {
		return 0
	}
	if err := isCount(v); err != nil {
		var at strings.Builder // strings.Join would make the caller's path escape
		for _, p := range path {
			at.WriteString(p)
		}
		field := at.String()
		repeated := slices.ContainsFunc(r.faults, func(l chat.Loss) bool { return l.Field == field }) // as usages are
		if !repeated && len(r.faults) < maxFaults {
			r.Fault(field, err)
		}
		return 0
	}
	n, _ := v.Int()
	return n
}

// Note notes what else is to be said of the answer.
func (r *Reader) Note(l chat.Loss) { r.faults = append(r.faults, l) }

func fault(field string, err error) chat.Loss {
	return chat.Loss{Field: field, Reason: err.Error(), Action: "left out"}
}

type cleaner struct {
	name   func([]byte) string
	faults []chat.Loss
}

// wrong returns why a value may not stand where a type is wanted.
func (t *Type) wrong(v rawjson.Value) error {
	if t.is == nil {
		return nil
	}
	if err := t.is(v); err != nil || t.kind == nil {
		return err
	}
	of := t.ofKind(t.kind(v))
	return of.wrong(v)
}

// ofKind returns the type of objects of a kind.
func (t *Type) ofKind(kind string) Type {
	of, known := t.kinds[kind]
	if !known {
		of = t.kinds[""]
	}
	return of
}

// member returns the type of a member.
func (c *cleaner) member(t *Type, kind string, key []byte) (of Type, known bool) {
	if t.kind != nil {
		of = t.ofKind(kind)
		t = &of
	}
	if c.name != nil {
		of, known = t.members[c.name(key)]
		return of, known
	}
	of, known = t.members[string(key)]
	return of, known
}

func (t *Type) kindOf(v rawjson.Value) string {
	if t.kind == nil {
		return ""
	}
	return t.kind(v)
}

// fits reports whether a value is all of its type.
func (c *cleaner) fits(v rawjson.Value, t Type) bool {
	if t.wrong(v) != nil || t.alone != "" && v.Kind != rawjson.Array {
		return false
	}
	if t.members != nil || t.kind != nil {
		kind := t.kindOf(v)
		for key, m := range v.Fields() {
			if of, known := c.member(&t, kind, key); known && m.IsSet() && !c.fits(m, of) {
				return false
			}
		}
	}
	if t.item != nil {
		for item := range v.Items() {
			if !c.fits(item, *t.item) {
				return false
			}
		}
	}
	return true
}

// append appends a value with null in place of the members, and without the
// elements, that are of another type.
func (c *cleaner) append(dst []byte, v rawjson.Value, t *Type, path string) []byte {
	switch {
	case v.Kind != rawjson.Array && t.alone != "":
		before, after, _ := strings.Cut(t.alone, "%")
		return append(c.append(append(dst, before...), v, t.item, path), after...)
	case v.Kind == rawjson.Object && (t.members != nil || t.kind != nil):
		kind := t.kindOf(v)
		dst = append(dst, '{')
		for key, m := range v.Fields() {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(rawjson.AppendQuoted(dst, string(key)), ':')
			of, known := c.member(t, kind, key)
			switch field := join(path, key); {
			case !known || !m.IsSet():
				dst = append(dst, m.JSON()...)
			case c.isWrong(m, &of, field):
				dst = append(dst, "null"...)
			default:
				dst = c.append(dst, m, &of, field)
			}
		}
		return append(dst, '}')
	case v.Kind == rawjson.Array && t.item != nil:
		from := len(dst)
		dst = append(dst, '[')
		i := 0
		for item := range v.Items() {
			field := At(path, i)
			i++
			if c.isWrong(item, t.item, field) {
				continue
			}
			if len(dst) > from+1 {
				dst = append(dst, ',')
			}
			dst = c.append(dst, item, t.item, field)
		}
		return append(dst, ']')
	}
	return append(dst, v.JSON()...)
}

func (c *cleaner) isWrong(v rawjson.Value, t *Type, field string) bool {
	err := t.wrong(v)
	switch {
	case err == nil:
		return false
	case len(c.faults) < maxFaults:
		c.faults = append(c.faults, fault(field, err))
	case len(c.faults) == maxFaults:
		c.faults = append(c.faults, chat.Loss{Field: "the answer", Reason: "more of it is of a wrong type", Action: "left out"})
	}
	return true
}

func join(path string, key []byte) string {
	if path == "" {
		return string(key)
	}
	return path + "." + string(key)
}
