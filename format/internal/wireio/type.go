package wireio

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// Type describes the required type of a value in a whole answer. Each wire declares the
// Type of its answers once. Both readers of an answer, as deltas and as a chat.Response,
// get it from [Reader.OpenAnswer], without the values of another type, so that they
// cannot disagree.
//
// Null means the same as absence. Members that a Type does not name may be anything.
type Type struct {
	of    []rawjson.Kind            // the kinds of its values; nil means any
	is    func(rawjson.Value) error // what else they must be; nil means anything
	needs map[string]Type           // members whose type decides about the whole value

	item    *Type  // type of the elements of a list
	alone   string // JSON that replaces a value that should be a list, as "[%]"
	members []member
	kind    func(rawjson.Value) string // kind of an object,
	kinds   map[string]*Type           // which determines the members; "" is any other kind
}

// member is a member of an object, whose type is known.
type member struct {
	name string
	of   Type
}

// Types without members.
var (
	Text  = Of(rawjson.String)
	Flag  = Of(rawjson.Bool)
	Count = Type{is: isCount}
	Index = Count
	Time  = Type{is: func(v rawjson.Value) error {
		if _, ok := timeOf(v); !ok {
			return errTime
		}
		return nil
	}}
	// Label is a text, or a number instead of one, as in some ids.
	Label = Of(rawjson.String, rawjson.Number)
)

// Of returns a type of any of these kinds.
func Of(kinds ...rawjson.Kind) Type { return Type{of: kinds} }

// Members returns a type of objects with these types of members.
func Members(members map[string]Type) Type {
	t := Of(rawjson.Object)
	t.members = make([]member, 0, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		t.members = append(t.members, member{name, members[name]})
	}
	return t
}

// memberOf returns the type of the member with a name, or nil if it may be anything.
func memberOf[Name string | []byte](t *Type, name Name) *Type {
	if t != nil {
		for i := range t.members {
			if t.members[i].name == string(name) {
				return &t.members[i].of
			}
		}
	}
	return nil
}

// List returns a type of lists.
func List(item Type) Type { return listOf(item, "", rawjson.Array) }

func listOf(item Type, alone string, kinds ...rawjson.Kind) Type {
	t := Of(kinds...)
	t.item, t.alone = &item, alone
	return t
}

// TextOrList returns a type of texts and lists.
func TextOrList(item Type) Type {
	return listOf(item, "", rawjson.String, rawjson.Array)
}

// ListOf returns a type of lists, and of values of kind alone that stand for a list. The
// answer gets a list instead: form, with the value for "%".
func ListOf(item Type, alone rawjson.Kind, form string) Type {
	return listOf(item, form, rawjson.Array, alone)
}

// And returns t with further members, whose type decides about the whole value.
func (t Type) And(members map[string]Type) Type {
	t.needs = members
	return t
}

// ByType returns a type of objects whose members depend on their kind; kinds[""] is for
// other kinds. kind must return a word.
func ByType(kind func(rawjson.Value) string, kinds map[string]Type) Type {
	of := make(map[string]*Type, len(kinds))
	for name, t := range kinds {
		of[name] = &t
	}
	return Type{of: []rawjson.Kind{rawjson.Object}, kind: kind, kinds: of}
}

// Kind returns the member "type" of an object.
func Kind(v rawjson.Value) string {
	if kind := v.Get("type"); kind.Kind == rawjson.String {
		return string(kind.Raw)
	}
	return ""
}

var errNoType = errors.New("its type is missing")

// maxCount is the largest count. It prevents the overflow of sums, such as the usage of a run.
const maxCount = math.MaxInt >> 8

func isCount(v rawjson.Value) error {
	if n, ok := v.Int(); !ok || n < 0 || n > maxCount {
		return errors.New("expected a whole number of at least 0")
	}
	return nil
}

// Faults returns the members and elements that were left out because of their type.
func (r *Reader) Faults() []chat.Loss { return r.faults }

// OpenAnswer returns the answer in an event without the values that do not conform to t.
func (r *Reader) OpenAnswer(e frame.Event, v rawjson.Value, t *Type) rawjson.Value {
	c := cleaner{name: r.Spelling}
	if c.fits(v, t) {
		return v
	}
	e.Data = c.append(make([]byte, 0, len(v.Raw)), v, t, "")
	r.faults = append(r.faults, c.faults...)
	clean, err := r.Open(e)
	if err != nil {
		return v // cannot happen: it was valid JSON
	}
	return clean
}

// maxFaults limits the faults that are reported for one answer.
const maxFaults = 100

// Fault records that something is wrong at a place in the answer.
func (r *Reader) Fault(field string, err error) { r.faults = append(r.faults, fault(field, err)) }

// Tokens is [rawjson.Reader.Count] for the counts of a usage. Another value is a fault of the
// answer, not an error.
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

// Note records a remark about the answer, once.
func (r *Reader) Note(l chat.Loss) {
	if !slices.Contains(r.faults, l) {
		r.faults = append(r.faults, l)
	}
}

func fault(field string, err error) chat.Loss {
	return chat.Loss{Field: field, Reason: err.Error(), Action: "left out"}
}

type cleaner struct {
	name   func([]byte) string
	faults []chat.Loss
}

// wrong returns why a value does not have a type, or nil.
func (t *Type) wrong(v rawjson.Value) error {
	if t.of != nil && !slices.Contains(t.of, v.Kind) {
		return t.mismatch(v)
	}
	if t.is != nil {
		return t.is(v)
	}
	if t.needs != nil {
		for key, m := range v.Fields() {
			if of, ok := t.needs[string(key)]; ok && m.IsSet() {
				if err := of.wrong(m); err != nil {
					return fmt.Errorf("%s: %w", key, err)
				}
			}
		}
	}
	if t.kind == nil {
		return nil
	}
	kind := t.kind(v)
	if kind == "" {
		return errNoType
	}
	if of := t.ofKind(kind); of != nil {
		return of.wrong(v)
	}
	return nil
}

// mismatch returns the error for a value of another kind.
func (t *Type) mismatch(v rawjson.Value) error {
	want := t.of[0].Phrase()
	for _, k := range t.of[1:] {
		want += " or " + k.Phrase()
	}
	return fmt.Errorf("expected %s, got %s", want, v.Kind.Phrase())
}

// ofKind returns the type of objects of a kind, or nil if they may be anything.
func (t *Type) ofKind(kind string) *Type {
	if of, known := t.kinds[kind]; known {
		return of
	}
	return t.kinds[""]
}

// member returns the type of a member, or nil if it may be anything.
func (c *cleaner) member(t *Type, kind string, key []byte) *Type {
	if t.kind != nil {
		t = t.ofKind(kind)
	}
	if c.name != nil {
		return memberOf(t, c.name(key))
	}
	return memberOf(t, key)
}

func (t *Type) kindOf(v rawjson.Value) string {
	if t.kind == nil {
		return ""
	}
	return t.kind(v)
}

// fits reports whether a value conforms to a type completely.
func (c *cleaner) fits(v rawjson.Value, t *Type) bool {
	if t.wrong(v) != nil || t.alone != "" && v.Kind != rawjson.Array {
		return false
	}
	if t.members != nil || t.kind != nil {
		kind := t.kindOf(v)
		for key, m := range v.Fields() {
			if of := c.member(t, kind, key); of != nil && m.IsSet() && !c.fits(m, of) {
				return false
			}
		}
	}
	if t.item != nil {
		for item := range v.Items() {
			if !c.fits(item, t.item) {
				return false
			}
		}
	}
	return true
}

// append appends a value without the members and elements of another type; members become
// null.
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
			of := c.member(t, kind, key)
			switch field := join(path, key); {
			case of == nil || !m.IsSet():
				dst = append(dst, m.JSON()...)
			case c.isWrong(m, of, field):
				dst = append(dst, "null"...)
			default:
				dst = c.append(dst, m, of, field)
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
