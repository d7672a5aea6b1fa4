package wireio

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
)

// Destinations for members in [Reader.Each] that must have a type. A value of another
// type becomes the error of the body. Null and absence leave the destination unset.
type (
	ObjectMember *rawjson.Value
	ListMember   *rawjson.Value
	TextMember   *rawjson.Value
	NameMember   *string // a text that is likely to occur again
)

// UnlessNull is a destination for values that go to rest, except null.
func UnlessNull(rawjson.Value) bool { return false }

// Limit returns a destination for a positive whole number. Other values go to rest.
func Limit(limit *int) func(rawjson.Value) bool {
	return func(v rawjson.Value) bool {
		n, ok := v.Int()
		if ok = ok && n > 0 && v.Kind == rawjson.Number; ok {
			*limit = n
		}
		return ok
	}
}

// Each reads an object at a path. known alternates between names of members and
// destinations for their values, like the attributes of package slog:
//
//	nil                       ignored
//	*string, *bool            a text, a flag
//	*int                      a count of tokens, as by [Reader.Tokens]
//	*chat.Switch              a flag that may be unset
//	*json.Number              a number as written; other values go to rest
//	*json.RawMessage          an object, unchanged
//	ObjectMember              an object; likewise ListMember, TextMember
//	NameMember                a text that is likely to occur again
//	*rawjson.Value            a value of any type
//	func(rawjson.Value)       handles the value; may also take the name as written
//	func(rawjson.Value) bool  the same; if it returns false, a value goes to rest, but not null
//
// Each passes other members to rest, unless that is nil. It reads the members in order,
// so that the first error is that of the first place.
func (r *Reader) Each(v rawjson.Value, path string, rest func(key []byte, v rawjson.Value), known ...any) {
	dot := "."
	if path == "" {
		dot = ""
	}
	for key, member := range v.Fields() {
		at := r.find(known, key)
		if at < 0 {
			if rest != nil {
				rest(key, member)
			}
			continue
		}
		name, _ := known[at].(string)
		switch into := known[at+1].(type) {
		case nil:
		case *string:
			*into = r.Text(member, path, dot, name)
		case *bool:
			*into = r.Bool(member, path, dot, name)
		case *int:
			*into = r.Tokens(member, path, dot, name)
		case *chat.Switch:
			if on := r.Bool(member, path, dot, name); member.IsSet() {
				*into = wire.SwitchOf(on)
			}
		case *json.Number:
			if *into = ""; member.Kind == rawjson.Number {
				*into = json.Number(member.Raw)
			} else if member.IsSet() && rest != nil {
				rest(key, member)
			}
		case *json.RawMessage:
			if r.Object(member, path, dot, name).IsSet() {
				*into = r.Texts.Copy(member)
			}
		case ObjectMember:
			*into = r.Object(member, path, dot, name)
		case ListMember:
			*into = r.Array(member, path, dot, name)
		case TextMember:
			*into = r.String(member, path, dot, name)
		case NameMember:
			*into = r.Texts.Name(r.String(member, path, dot, name))
		case *rawjson.Value:
			*into = member
		case func(rawjson.Value):
			into(member)
		case func([]byte, rawjson.Value):
			into(key, member)
		case func(rawjson.Value) bool:
			if !into(member) && member.IsSet() && rest != nil {
				rest(key, member)
			}
		}
	}
}

// Members is Each, and keeps the other members as those of the object in, except those
// that the keeper skips. With a nil keep, it keeps none.
func (r *Reader) Members(v rawjson.Value, path string, keep *unknown.Keeper, in string, known ...any) {
	r.Each(v, path, func(key []byte, member rawjson.Value) {
		if keep != nil && (keep.Skip == nil || !keep.Skip(key, member)) {
			keep.Keep(in, key, member)
		}
	}, known...)
}

// Others is Members for members of the object itself, and returns what was kept.
func (r *Reader) Others(v rawjson.Value, path string, known ...any) chat.Extras {
	keep := r.Keeper()
	r.Members(v, path, &keep, "", known...)
	return keep.Extras
}

// find returns the index of a name in known, or -1.
func (r *Reader) find(known []any, key []byte) int {
	for i := 0; i < len(known); i += 2 {
		if name, _ := known[i].(string); name == string(key) {
			return i
		}
	}
	if r.Spelling != nil {
		if name := r.Spelling(key); name != string(key) {
			return r.find(known, []byte(name))
		}
	}
	return -1
}
