package wireio

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// places are values of every type that a member may go to.
type places struct {
	Text, Name       string
	Flag             bool
	Count            int
	Switch           chat.Switch
	Number           json.Number
	Raw              json.RawMessage
	Object, List, Is string // as JSON
	Any, Spelled     string
}

// read reads members called after the fields of places.
func read(r *Reader, v rawjson.Value) (p places, rest []string) {
	var object, list, text, value rawjson.Value
	r.Each(v, "at", func(key []byte, v rawjson.Value) { rest = append(rest, string(key)+" "+string(v.JSON())) },
		"text", &p.Text, "name", NameMember(&p.Name), "flag", &p.Flag, "count", &p.Count, "switch", &p.Switch, "number", &p.Number, "raw", &p.Raw,
		"object", ObjectMember(&object), "list", ListMember(&list), "is", TextMember(&text), "silent", nil,
		"any", &value, "spelled", func(key []byte, v rawjson.Value) { p.Spelled = string(key) + " " + string(v.JSON()) },
		"twoWords", func(v rawjson.Value) { p.Spelled = "twoWords " + string(v.JSON()) })
	p.Object, p.List, p.Is, p.Any = string(object.JSON()), string(list.JSON()), string(text.JSON()), string(value.JSON())
	return p, rest
}

func TestEach(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       places
		rest       []string
	}{
		{"nothing", `{}`, places{}, nil},
		{
			"every place", `{"text":"a\n","name":"n","flag":true,"count":2,"switch":false,"number":1.50,"raw":{"a":1},"object":{"b":2},"list":[3],"is":"x","any":null,"spelled":7,"silent":[1]}`,
			places{
				Text: "a\n", Name: "n", Flag: true, Count: 2, Switch: chat.Off, Number: "1.50", Raw: json.RawMessage(`{"a":1}`),
				Object: `{"b":2}`, List: "[3]", Is: `"x"`, Any: "null", Spelled: "spelled 7",
			}, nil,
		},
		{"null is no value", `{"text":null,"flag":null,"count":null,"switch":null,"number":null,"raw":null,"object":null,"list":null,"is":null}`, places{}, nil},
		{"what is not known, in its order", `{"b":1,"text":"x","a":null}`, places{Text: "x"}, []string{"b 1", "a null"}},
		{"what is no number", `{"number":"hot"}`, places{}, []string{`number "hot"`}},
		{"the last of two counts", `{"text":"a","text":"b","text":null}`, places{}, nil},
		{"another case is another name", `{"Text":"a"}`, places{}, []string{`Text "a"`}},
		{"another spelling", `{"two_words":1,"two_word":2}`, places{Spelled: "twoWords 1"}, []string{"two_word 2"}},
	} {
		r := Reader{Spelling: func(key []byte) string { return strings.ReplaceAll(string(key), "two_w", "twoW") }}
		v, err := r.Body([]byte(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		got, rest := read(&r, v)
		if err := r.Failure(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, got) + cmp.Diff(tt.rest, rest); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// The error is that of the first member with a wrong type, with its place and its path.
func TestEachFails(t *testing.T) {
	for name, value := range map[string]string{
		"text": "1", "name": "{}", "flag": `"true"`, "switch": "0", "raw": "[]", "object": "[]", "list": "{}", "is": "true",
	} {
		r := Reader{}
		body := `{"x":null,"` + name + `":` + value + `,"text":[]}`
		v, err := r.Body([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		read(&r, v)
		bad, ok := errors.AsType[*frame.SyntaxError](r.Failure())
		at := len(`{"x":null,"`+name+`":`) + strings.Count(value[:1], `"`) // of a string, what is in its quotes
		if !ok || bad.Field != "at."+name || bad.Offset != int64(at) {
			t.Errorf("%s: %+v", body, bad)
		}
	}
}

// Reading members costs nothing but their texts.
func TestEachAllocates(t *testing.T) {
	r := Reader{}
	v, err := r.Body([]byte(`{"name":"n","count":2,"object":{"count":3},"list":[1],"more":1}`))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	if n := testing.AllocsPerRun(100, func() {
		var name string
		var count int
		var object, list rawjson.Value
		r.Each(v, "", func([]byte, rawjson.Value) { sum++ }, "name", NameMember(&name), "count", &count, "object", ObjectMember(&object), "list", ListMember(&list),
			"object", func(v rawjson.Value) { sum += count })
		r.Each(object, "object", nil, "count", &count)
		sum += count + len(name)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
