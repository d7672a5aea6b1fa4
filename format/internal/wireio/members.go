package wireio

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
)

// Places for members of a type, in [Reader.Each]. A value of another type becomes the
// error of the body; null and absence are no value.
type (
	ObjectMember *rawjson.Value
	ListMember   *rawjson.Value
	TextMember   *rawjson.Value
	NameMember   *string // a text that is likely to come again
)

// Each reads an object that stands at a path. Known are names of members, each with the
// place of its value behind it, as the attributes of package slog:
//
//	nil                       the member says nothing
//	*string, *bool            a text, a flag
//	*int                      a count of tokens, as of [Reader.Tokens]
//	*chat.Switch              a flag that may be left open
//	*json.Number              a number as it is written; other values go to rest
//	*json.RawMessage          an object, as it stands
//	ObjectMember              an object; likewise ListMember, TextMember
//	NameMember                a text that is likely to come again
//	*rawjson.Value            a value of any type
//	func(rawjson.Value)       what reads the value; also with the name as it is spelled
//
// The others go to rest, unless that is nil. Members are read in their order, so that the
// first error is that of the first place.
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
				*into = chat.SwitchOf(on)
			}
		case *json.Number:
			if *into = ""; member.Kind == rawjson.Number {
				*into = json.Number(member.Raw)
			} else if member.IsSet() && rest != nil {
				rest(key, member)
			}
		case *json.RawMessage:
			if r.Object(member, path, dot, name).IsSet() {
				*into = member.JSON()
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
		}
	}
}

// Members is Each, and keeps the others as members of in, but those that the keeper skips.
// A nil keep keeps none.
func (r *Reader) Members(v rawjson.Value, path string, keep *unknown.Keeper, in string, known ...any) {
	r.Each(v, path, func(key []byte, member rawjson.Value) {
		if keep != nil && (keep.Skip == nil || !keep.Skip(key, member)) {
			keep.Keep(in, key, member)
		}
	}, known...)
}

// Others is Members of an object itself, and returns what is kept.
func (r *Reader) Others(v rawjson.Value, path string, known ...any) chat.Extras {
	keep := r.Keeper()
	r.Members(v, path, &keep, "", known...)
	return keep.Extras
}

// find returns the place of a name among those that are known, or -1.
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
