package conform

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/toolcall"
)

func TestVectors(t *testing.T) {
	const in = `
{"id":"a","dialect":"xml","tier":"core","tools":[{"type":"function","function":{"name":"f"}}],"start":"reasoning","input":"x","expect":{"text":null,"reasoning":"r","calls":[{"name":"f","arguments":{"n":1.0}}],"incomplete":true},"compare":{"text":"unasserted","reasoning":"collapsed","args":"prefix"}}

{"id":"b","dialect":"json","tier":"policy","tools":null,"chunks":["x","y"],"expect":{"text":"xy"},"odd":"ignored"}`
	text, reasoning := "xy", "r"
	want := []Vector{
		{
			ID: "a", Dialect: "xml", Tier: "core", Tools: []Tool{{"function", toolcall.ToolDefinition{Name: "f"}}}, Start: "reasoning", Input: "x",
			Expect:  Expectation{Reasoning: &reasoning, Calls: &[]Call{{"f", []byte(`{"n":1.0}`)}}, Incomplete: true},
			Compare: Comparison{Unasserted, Collapsed, ArgsPrefix},
		},
		{
			ID: "b", Dialect: "json", Tier: "policy", Input: "xy", Chunks: []string{"x", "y"},
			Expect: Expectation{Text: &text}, Compare: Comparison{Collapsed, Collapsed, ArgsJSON},
		},
	}
	var got []Vector
	for v, err := range Vectors(iotest.OneByteReader(strings.NewReader(in))) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, v)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("vectors (-want +got):\n%s", diff)
	}
}

func TestVectorsErrors(t *testing.T) {
	const good = `{"id":"a","dialect":"xml","input":"","expect":{}}` + "\n"
	tests := []struct{ name, line, want string }{
		{"broken", `{"id":`, "line 2: unexpected end of JSON input"},
		{"wrong type", `{"id":"b","input":3}`, "line 2 (b): json: cannot unmarshal number into Go struct field .input of type string"},
		{"no id", `{}`, "line 2: id: expected a name for the vector, got nothing"},
		{"no dialect", `{"id":"b"}`, "line 2 (b): dialect: expected a dialect's name, got nothing"},
		{"no expectation", `{"id":"b","dialect":"xml"}`, "line 2 (b): expect: expected an object, got nothing"},
		{"unknown start", `{"id":"b","dialect":"xml","expect":{},"start":"text"}`, `line 2 (b): start: expected "reasoning", got "text"`},
		{"no input", `{"id":"b","dialect":"xml","expect":{}}`, "line 2 (b): expected either input or chunks"},
		{"input and chunks", `{"id":"b","dialect":"xml","expect":{},"input":"","chunks":[]}`, "line 2 (b): expected either input or chunks"},
		{"tools", `{"id":"b","dialect":"xml","expect":{},"input":"","tools":[{"name":1}]}`, "line 2 (b): tools: $[0].name: expected a string, got a number"},
		{"text mode", `{"id":"b","dialect":"xml","expect":{},"input":"","compare":{"reasoning":"exact"}}`,
			`line 2 (b): compare.reasoning: expected "collapsed" or "unasserted", got "exact"`},
		{"args mode", `{"id":"b","dialect":"xml","expect":{},"input":"","compare":{"args":"exact"}}`,
			`line 2 (b): compare.args: expected "json", "prefix" or "name-only", got "exact"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := 0
			for _, err := range Vectors(strings.NewReader(good + tt.line + "\n" + good)) {
				if n++; n != 2 && err == nil {
					continue
				}
				var bad *LineError
				if !errors.As(err, &bad) {
					t.Fatalf("got error %v, want a *LineError", err)
				}
				if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
					t.Errorf("error (-want +got):\n%s", diff)
				}
			}
			if n != 3 {
				t.Errorf("got %d steps, want a vector, the error, and the next vector", n)
			}
		})
	}
	t.Run("reader", func(t *testing.T) {
		for _, err := range Vectors(iotest.ErrReader(io.ErrClosedPipe)) {
			if !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("got error %v, want the reader's", err)
			}
		}
	})
}
