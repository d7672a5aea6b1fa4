package toolparse

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPartialObject(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{``, `{}`},
		{`{`, `{}`},
		{` {"a`, `{}`},
		{`{"a":`, `{}`},
		{`{"a":"`, `{"a":""}`},
		{`{"a":"x\`, `{"a":"x"}`},
		{`{"a":"x\u00`, `{"a":"x"}`},
		{`{"a":"x\ud83d`, `{"a":"x"}`},
		{`{"a":"x\ud83d\ude00`, `{"a":"x\ud83d\ude00"}`},
		{`{"a":"é`[:7], `{"a":""}`},
		{`{"a":12`, `{}`},
		{`{"a":12,`, `{"a":12}`},
		{`{"a":12 `, `{"a":12}`},
		{`{"a":tru`, `{}`},
		{`{"a":true}`, `{"a":true}`},
		{`{"a":[1,{"b":"c`, `{"a":[1,{"b":"c"}]}`},
		{`{"a":[1,{"b":"c"},`, `{"a":[1,{"b":"c"}]}`},
		{`{"a":{"b":1},"c`, `{"a":{"b":1}}`},
		{`{"a":{}} {"b":1}`, `{"a":{}}`},
		{`[1,2`, `{}`},
		{`{"a":]`, `{}`},
		{`no`, `{}`},
	} {
		var p progress
		p.object.Add(tt.text)
		if got := string(p.arguments()); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// Of any object, cut anywhere and in any pieces, the part so far is an object
// whose members are a beginning of those of the whole.
func TestPartialObjectIsABeginning(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) any { return anyValue(t, 3) })
	rapid.Check(t, func(t *rapid.T) {
		whole := map[string]any{}
		for range rapid.IntRange(0, 4).Draw(t, "members") {
			whole[rapid.String().Draw(t, "key")] = value.Draw(t, "value")
		}
		text, err := json.Marshal(whole)
		if err != nil {
			t.Skip("a string that is no text")
		}
		json.Unmarshal(text, &whole) // as it is read back
		var p progress
		for len(text) > 0 {
			n := rapid.IntRange(1, min(9, len(text))).Draw(t, "piece")
			p.object.Add(string(text[:n]))
			text = text[n:]
			var part map[string]any
			if err := json.Unmarshal(p.arguments(), &part); err != nil {
				t.Fatalf("%s: %v", p.arguments(), err)
			}
			if !begins(part, whole) {
				t.Fatalf("%s is no beginning of the whole", p.arguments())
			}
			if len(text) == 0 && !begins(whole, part) {
				t.Fatalf("%s is not the whole", p.arguments())
			}
		}
	})
}

func anyValue(t *rapid.T, depth int) any {
	switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case kind == 4 && depth > 0:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			list = append(list, anyValue(t, depth-1))
		}
		return list
	case kind == 5 && depth > 0:
		object := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			object[rapid.String().Draw(t, "key")] = anyValue(t, depth-1)
		}
		return object
	case kind == 0:
		return nil
	case kind == 1:
		return rapid.Bool().Draw(t, "bool")
	case kind == 2:
		return rapid.Float64Range(-1e9, 1e9).Draw(t, "number")
	}
	return rapid.String().Draw(t, "text")
}

// begins reports whether part is a beginning of whole.
func begins(part, whole any) bool {
	switch part := part.(type) {
	case map[string]any:
		object, ok := whole.(map[string]any)
		for key, v := range part {
			w, there := object[key]
			ok = ok && there && begins(v, w)
		}
		return ok
	case []any:
		list, ok := whole.([]any)
		if !ok || len(part) > len(list) {
			return false
		}
		for i, v := range part {
			ok = ok && begins(v, list[i])
		}
		return ok
	case string:
		text, ok := whole.(string)
		return ok && strings.HasPrefix(text, part)
	}
	return part == whole
}
