// Package unknown keeps the members of a wire's objects that the canonical chat does not
// know, and writes them back.
package unknown

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Keeper collects the extras of one object. Set its Wire before use.
type Keeper struct {
	Wire string
	// Skip reports members that [Keeper] need not keep; it may be nil.
	Skip   func(key []byte, v rawjson.Value) bool
	Extras chat.Extras
}

// Keep keeps a member of the object itself or, with in, of an inner object.
func (k *Keeper) Keep(in string, key []byte, v rawjson.Value) {
	k.Extras = append(k.Extras, chat.Extra{Wire: k.Wire, In: in, Name: string(key), Value: v.JSON()})
}

// KeepSet is Keep for a member whose null means the same as its absence.
func (k *Keeper) KeepSet(in string, key []byte, v rawjson.Value) {
	if v.IsSet() {
		k.Keep(in, key, v)
	}
}

// NoteName records which name the wire used for a field of the canonical chat.
func (k *Keeper) NoteName(name string) {
	k.Extras = append(k.Extras, chat.Extra{Wire: k.Wire, Name: name, Spelling: true})
}

// Rest keeps the members of an inner object, except the known ones.
func (k *Keeper) Rest(in string, object rawjson.Value, known ...string) {
	for key, v := range object.Fields() {
		if !IsOneOf(known, key) {
			k.Keep(in, key, v)
		}
	}
}

// IsOneOf reports whether a key is one of the known names.
func IsOneOf(known []string, key []byte) bool {
	for _, name := range known {
		if name == string(key) {
			return true
		}
	}
	return false
}

// Write writes the extras of the object in into the open object.
func Write(w *jsonout.Writer, extras chat.Extras, wire, in string) {
	for i := range extras {
		if x := &extras[i]; x.In == in && x.Wire == wire && !x.Spelling {
			w.Member(x.Name, x.Value)
		}
	}
}

// Has reports whether there are extras of the object in, or below it.
func Has(extras chat.Extras, wire, in string) bool {
	for i := range extras {
		x := &extras[i]
		if x.Wire == wire && !x.Spelling && (x.In == in || strings.HasPrefix(x.In, in) && x.In[len(in)] == '.') {
			return true
		}
	}
	return false
}

// Members are extras that wait, in the encoder of a stream, for the object that they
// belong to. The zero value is empty.
type Members []Member

// Member is a member of an object. Value is JSON.
type Member struct{ Name, Value string }

// maxMembers limits the members that wait for one object.
const maxMembers = 64

// Add adds a member, unless one with this name or too many are waiting.
func (m *Members) Add(name, value string) (ok bool) { return m.put(name, value, maxMembers, false) }

// Replace adds a member, or replaces the one with this name, unless too many are waiting.
func (m *Members) Replace(name, value string) (ok bool) { return m.put(name, value, maxMembers, true) }

func (m *Members) put(name, value string, most int, replace bool) (ok bool) {
	// A spelling is no value of the member.
	isSame := func(x Member) bool { return x.Name == name && (x.Value == "null") == (value == "null") }
	at := slices.IndexFunc(*m, isSame)
	switch {
	case at >= 0 && replace:
		(*m)[at].Value = value
	case at >= 0 || len(*m) >= most:
		return false
	default:
		*m = append(*m, Member{name, value})
	}
	return true
}

// Has reports whether a member with this name is waiting.
func (m Members) Has(name string) bool { return m.find(name) >= 0 }

// Get returns the value of the waiting member with this name, or "".
func (m Members) Get(name string) string {
	if at := m.find(name); at >= 0 {
		return m[at].Value
	}
	return ""
}

func (m Members) find(name string) int {
	return slices.IndexFunc(m, func(x Member) bool { return x.Name == name })
}

// AppendTo appends the members on one line to an open object at the end of dst. With an
// empty dst, they begin without a comma.
func (m Members) AppendTo(dst []byte) []byte {
	for _, x := range m {
		if n := len(dst); n > 0 && dst[n-1] != '{' {
			dst = append(dst, ',')
		}
		dst = rawjson.AppendQuoted(dst, x.Name)
		dst = append(dst, ':')
		dst = jsonout.AppendLine(dst, x.Value)
	}
	return dst
}
