package conform

import (
	"encoding/json"
	"testing"
)

func TestEqual(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[true,null,"x"]}`, ` { "b" : [ true, null, "x" ], "a" : 1 } `, true},
		{`{"a":1}`, `{"a":1,"b":1}`, false},
		{`{"a":1}`, `{"b":1}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1,1]`, false},
		{`"1"`, `1`, false},
		{`null`, `false`, false},
		{`"é"`, `"\u00e9"`, true},
		{`1`, `1.0`, true},
		{`100`, `1e2`, true},
		{`0.001`, `1E-3`, true},
		{`0`, `-0.0`, true},
		{`-5`, `5`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`0.1`, `0.1000000000000000000001`, false},
		{`1e400`, `10e399`, true},
		{`1e99999999999`, `1e99999999999`, true},
		{`1e99999999999`, `1e99999999998`, false},
	}
	for _, tt := range tests {
		t.Run(tt.a+" and "+tt.b, func(t *testing.T) {
			if got := sameValue(tt.a, tt.b); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if got := sameValue(tt.b, tt.a); got != tt.want {
				t.Errorf("swapped: got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestDecodeTakesOneValue(t *testing.T) {
	for _, text := range []string{``, `{} {}`, `{}]`, `{"a":1`, `nul`, `01`} {
		if v, ok := decode(text); ok {
			t.Errorf("%q: got the value %v, want none", text, v)
		}
	}
}

func TestSqueeze(t *testing.T) {
	tests := []struct{ in, want string }{
		{" { \"a b\" :\t1,\r\n\"c\" : \"x \\\" y\" } ", `{"a b":1,"c":"x \" y"}`},
		{`{"a": " cut`, `{"a":" cut`},
		{`{"a": "x\\" , "b"`, `{"a":"x\\","b"`},
		{"", ""},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			if got := squeeze(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRenderKeepsMarkupAndNumbers(t *testing.T) {
	v, _ := decode(`{"b":1.50,"a":"<x>&"}`)
	if got, want := render(v), `{"a":"<x>&","b":1.50}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !json.Valid([]byte(render(v))) {
		t.Error("not JSON")
	}
}
