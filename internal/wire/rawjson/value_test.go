package rawjson

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/wire/frame"
)

func open(t *testing.T, data string) Value {
	t.Helper()
	v, err := new(Reader).Open(frame.Event{Number: 1, Data: []byte(data)})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestFields(t *testing.T) {
	type field struct {
		Key  string
		Kind Kind
		Raw  string
	}
	tests := []struct {
		name, data string
		want       []field
	}{
		{"every kind", ` {"s":"a\"b","n":-1.50e3,"o":{"x":[1]},"a":[ ],"t":true,"f":false,"z":null} `, []field{
			{"s", String, `a\"b`},
			{"n", Number, "-1.50e3"},
			{"o", Object, `{"x":[1]}`},
			{"a", Array, "[ ]"},
			{"t", Bool, "true"},
			{"f", Bool, "false"},
			{"z", Null, "null"},
		}},
		{"escaped key", `{"\u0061\n":1}`, []field{{"a\n", Number, "1"}}},
		{"equal keys", `{"a":1,"a":2}`, []field{{"a", Number, "1"}, {"a", Number, "2"}}},
		{"half a pair in a key", `{"a":1,"\ud83d":2,"b":"x","c":{}}`, []field{
			{"a", Number, "1"}, {"\ufffd", Number, "2"}, {"b", String, "x"}, {"c", Object, "{}"},
		}},
		{"empty", `{}`, nil},
		{"no object", `[1]`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []field
			for key, v := range open(t, tt.data).Fields() {
				got = append(got, field{string(key), v.Kind, string(v.Raw)})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestItems(t *testing.T) {
	var got []string
	for v := range open(t, `[1, "a", [2], {"b":3}, null]`).Items() {
		got = append(got, string(v.Raw))
	}
	if diff := cmp.Diff([]string{"1", "a", "[2]", `{"b":3}`, "null"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPlaces(t *testing.T) {
	data := ` {"s": "x\"y", "n": 12 , "a" : [ 1, "zz", {"deep":[true]} ], "o":{"k":"v"}} `
	var check func(v Value)
	check = func(v Value) {
		if got := data[v.At : v.At+len(v.Raw)]; got != string(v.Raw) {
			t.Errorf("%q is said to be at %d, where %q is", v.Raw, v.At, got)
		}
		for _, member := range v.Fields() {
			check(member)
		}
		for item := range v.Items() {
			check(item)
		}
	}
	check(open(t, data))
}

func TestGet(t *testing.T) {
	v := open(t, `{"a":1,"A":2,"a":3}`)
	if got := v.Get("a"); string(got.Raw) != "3" {
		t.Errorf("Get takes %s, want the last of equal keys", got.Raw)
	}
	if got := v.Get("b"); got.Kind != Absent {
		t.Errorf("Get of a key that is not there is %v", got.Kind)
	}
}

func TestReaderErrors(t *testing.T) {
	tests := []struct {
		name, data string
		offset     int64
		want       string
	}{
		{"broken", `{"a":1,}`, 107, `event 3, byte 107: invalid JSON: expected a key, got '}'`},
		{"cut", `{"a":`, 105, `event 3, byte 105: invalid JSON: it is truncated inside a value`},
		{"wrong kind", `{"b":[1], "a": "x"}`, 116, `event 3, byte 116: a: expected an object, got a string`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r Reader
			v, err := r.Open(frame.Event{Number: 3, Offset: 100, Data: []byte(tt.data)})
			if err == nil {
				r.Object(v.Get("a"), "a")
				r.Array(v.Get("a"), "b") // only the first error counts
				err = r.Err()
			}
			bad, ok := errors.AsType[*frame.SyntaxError](err)
			if !ok || bad.Offset != tt.offset || bad.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
	for _, tt := range []struct {
		data string
		n    int
		ok   bool
		want string
	}{
		{`{}`, 0, false, ""},
		{`{"a":null}`, 0, false, ""},
		{`{"a":"2"}`, 2, true, ""},
		{`{"a":-1}`, 0, false, "event 1, byte 5: a: not an index: expected a whole number of at least 0"},
		{`{"a":"x"}`, 0, false, "event 1, byte 6: a: not an index: expected a whole number of at least 0"},
		{`{"a":1.5}`, 0, false, "event 1, byte 5: a: not an index: expected a whole number of at least 0"},
	} {
		t.Run("index in "+tt.data, func(t *testing.T) {
			var r Reader
			v, _ := r.Open(frame.Event{Number: 1, Data: []byte(tt.data)})
			n, ok := r.Index(v.Get("a"), "a")
			if err := r.Err(); n != tt.n || ok != tt.ok || tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != tt.want) {
				t.Errorf("%d, %v, error %v", n, ok, err)
			}
		})
	}
	t.Run("booleans", func(t *testing.T) {
		var r Reader
		v, _ := r.Open(frame.Event{Number: 1, Data: []byte(`{"t":true,"f":false,"s":"true"}`)})
		if !r.Bool(v.Get("t"), "t") || r.Bool(v.Get("f"), "f") || r.Bool(v.Get("none"), "none") || r.Err() != nil {
			t.Error(r.Err())
		}
		if r.Bool(v.Get("s"), "s") || r.Err() == nil {
			t.Error("a string counts as a boolean")
		}
	})
	t.Run("null and absence are no error", func(t *testing.T) {
		var r Reader
		v, _ := r.Open(frame.Event{Data: []byte(`{"a":null}`)})
		r.Object(v.Get("a"), "a")
		r.String(v.Get("b"), "b")
		if err := r.Err(); err != nil {
			t.Error(err)
		}
	})
}

// A value that a caller makes has members, too. One that is not JSON has some, within its
// bytes.
func TestMadeValues(t *testing.T) {
	for _, tt := range []struct {
		kind Kind
		raw  string
		want []string
	}{
		{Object, `{"a":{"b":[1]},"c":"x\"y"}`, []string{`{"b":[1]}`, `[1]`, "1", `x\"y`}},
		{Array, `["{",[],{}]`, []string{"{", "[]", "{}"}},
		{Array, ``, nil},
		{Object, `{"a`, []string{""}},
		{Object, `{"a":[{"b":"c`, []string{`[{"b":"c`, `{"b":"c`, "c"}},
		{Array, `[}]{"a":1}`, nil},
	} {
		var got []string
		var add func(v Value)
		add = func(v Value) {
			for _, m := range v.Fields() {
				got = append(got, string(m.Raw))
				add(m)
			}
			for item := range v.Items() {
				got = append(got, string(item.Raw))
				add(item)
			}
		}
		add(Value{Kind: tt.kind, Raw: []byte(tt.raw), At: 7})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.raw, diff)
		}
	}
}
