// Package unknown keeps the members of a wire's objects that the canonical chat
// does not know, and puts them back.
package unknown

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// Keeper collects the extras of one object. Its zero value lacks the wire.
type Keeper struct {
	Wire string
	// Skips reports members that a reader of all members need not keep; nil is for none.
	Skips  func(key []byte, v rawjson.Value) bool
	Extras chat.Extras
}

// Keep keeps a member of the object itself, or, with in, of one inside of it.
func (k *Keeper) Keep(in string, key []byte, v rawjson.Value) {
	k.Extras = append(k.Extras, chat.Extra{Wire: k.Wire, In: in, Name: string(key), Value: v.JSON()})
}

// KeepSet is Keep for a member of which null says as much as its absence.
func (k *Keeper) KeepSet(in string, key []byte, v rawjson.Value) {
	if v.IsSet() {
		k.Keep(in, key, v)
	}
}

// Spell notes that the wire used a name for what the canonical chat holds.
func (k *Keeper) Spell(name string) {
	k.Extras = append(k.Extras, chat.Extra{Wire: k.Wire, Name: name, Spelling: true})
}

// Rest keeps those members of an inner object whose names are not known.
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

// Replace puts an extra in place of the one of its name, or behind the others unless
// there are most of them already.
func Replace(list *chat.Extras, x chat.Extra, most int) (ok bool) {
	for i, old := range *list {
		if old.Name == x.Name && old.In == x.In && old.Spelling == x.Spelling {
			(*list)[i] = x
			return true
		}
	}
	if len(*list) >= most {
		return false
	}
	*list = append(*list, x)
	return true
}

// Write writes the members that stand in in, into the object that is open.
func Write(w *jsonout.Writer, extras chat.Extras, wire, in string) {
	for i := range extras {
		if x := &extras[i]; x.In == in && x.Wire == wire && !x.Spelling {
			w.Member(x.Name, x.Value)
		}
	}
}

// Has reports whether there are members in in or below it.
func Has(extras chat.Extras, wire, in string) bool {
	for i := range extras {
		x := &extras[i]
		if x.Wire == wire && !x.Spelling && (x.In == in || strings.HasPrefix(x.In, in) && x.In[len(in)] == '.') {
			return true
		}
	}
	return false
}
