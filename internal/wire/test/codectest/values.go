package codectest

import (
	"bytes"
	stdcmp "cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
)

// ValueOf decodes JSON with exact numbers. Text that is not JSON stays text.
func ValueOf(raw []byte) any {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return string(raw)
	}
	return v
}

// JSON compares raw JSON by value.
var JSON = cmp.Comparer(func(a, b json.RawMessage) bool { return cmp.Equal(ValueOf(a), ValueOf(b)) })

// Grouped compares extras, ignoring the order of the objects that contain them: encoders write
// the extras of an inner object together with it.
var Grouped = cmp.Transformer("grouped", func(x chat.Extras) []chat.Extra {
	return slices.SortedStableFunc(slices.Values(x), func(a, b chat.Extra) int { return stdcmp.Compare(a.In, b.In) })
})

// Unordered compares extras in any order.
var Unordered = cmp.Transformer("unordered", func(x chat.Extras) map[string]string { return namesOf(x, true) })

// Unspelled compares extras in any order, without marks of spelling.
var Unspelled = cmp.Transformer("unspelled", func(x chat.Extras) map[string]string { return namesOf(x, false) })

func namesOf(x chat.Extras, spelling bool) map[string]string {
	m := map[string]string{}
	for _, e := range x {
		if !e.Spelling {
			m[e.Wire+" "+e.In+" "+e.Name] = string(e.Value)
		} else if spelling {
			m[e.Wire+" spells "+e.Name] = ""
		}
	}
	return m
}

// Flat flattens JSON into the values at its paths. It treats null like an absent member.
type Flat struct {
	// Member, if it is not nil, rewrites a member of an object.
	Member func(object map[string]any, name string, v any) (string, any)
	// Silent, if it is not nil, reports whether a value is a default, which may be absent.
	Silent func(path string, v any) bool
}

// Of flattens a body.
func (f Flat) Of(body []byte) map[string]any {
	leaves := map[string]any{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				if f.Member != nil {
					name, member = f.Member(v, name, member)
				}
				walk(path+"."+name, member)
			}
		case []any:
			for i, item := range v {
				walk(path+"["+strconv.Itoa(i)+"]", item)
			}
		case nil:
		default:
			if f.Silent == nil || !f.Silent(path, v) {
				leaves[path] = v
			}
		}
	}
	walk("", ValueOf(body))
	return leaves
}
