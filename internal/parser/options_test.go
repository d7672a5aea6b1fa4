package parser

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/toolcall"
)

func TestLimitsDefaults(t *testing.T) {
	standard := toolcall.Limits{CallBytes: 64 << 20, HeldBytes: 4 << 20, BlankBytes: 64 << 10, Depth: 128, Calls: 10_000}
	deeper := standard
	deeper.Depth = 7
	all := toolcall.Limits{CallBytes: 1, HeldBytes: 2, BlankBytes: 3, Depth: 4, Calls: 5}
	for _, tt := range []struct {
		name        string
		given, want toolcall.Limits
	}{
		{"zero", toolcall.Limits{}, standard},
		{"negative", toolcall.Limits{CallBytes: -1, HeldBytes: -1, BlankBytes: -1, Depth: -1, Calls: -1}, standard},
		{"one set", toolcall.Limits{Depth: 7}, deeper},
		{"all set", all, all},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, withDefaults(tt.given)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNewErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		schema string
		want   []string // in the error's text
	}{
		{"no JSON", `{"type":`, []string{`tool 1 ("broken")`, "parameters"}},
		{"no schema", `"string"`, []string{`tool 1 ("broken")`, "parameters"}},
		{"an error inside a schema", `{"properties":{"a":{"type":5}}}`, []string{`tool 1 ("broken")`, "/properties/a/type"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := New(Options{Tools: []toolcall.ToolDefinition{{Name: "good"}, {Name: "broken", Parameters: []byte(tt.schema)}}})
			if p != nil || err == nil {
				t.Fatalf("%v, %v", p, err)
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not name %q", err, part)
				}
			}
		})
	}
}

func TestNewDefaults(t *testing.T) {
	p, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`reasoning content "hm" complete raw ["<think>" "hm" "</think>"]`,
		`text content "<tool name=\"x\"/>{}" complete raw ["" "<tool name=\"x\"/>{}" ""]`,
	}
	if diff := cmp.Diff(want, segments(p, `<think>hm</think><tool name="x"/>{}`)); diff != "" {
		t.Error(diff)
	}
}
