package dialect_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/dialect"
)

func TestNamed(t *testing.T) {
	for _, tt := range []struct {
		name, provider string
		want           []string
	}{
		{"xml", "", []string{"xml"}},
		{"sentinel", "openai", []string{"sentinel"}},
		{" XML\n", "", []string{"xml"}},
		{"native", "", []string{"api_tool_call"}},
		{"Think_Only", "", []string{"api_tool_call"}},
		{"json_openai", "", []string{"json-openai"}},
		{"json-gemini", "openai", []string{"json-gemini"}},
		{"json", "", []string{"json-any"}},
		{"json", "openai", []string{"json-openai"}},
		{"json", "responses", []string{"json-openai"}},
		{"json", "mistral", []string{"json-openai"}},
		{"json", "deepseek", []string{"json-openai"}},
		{"json", "xai", []string{"json-openai"}},
		{"JSON", "Grok", []string{"json-openai"}},
		{"json", "gemini", []string{"json-gemini"}},
		{"json", "Google", []string{"json-gemini"}},
		{"json", "anthropic", []string{"json-default"}},
		{"json", "ollama", []string{"json-default"}},
	} {
		t.Run(tt.name+"/"+tt.provider, func(t *testing.T) {
			dialects, err := dialect.Named(tt.name, tt.provider)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range dialects {
				got = append(got, d.Name)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNamedAuto checks that the founding strategies come first, followed by all dialects with
// markers.
func TestNamedAuto(t *testing.T) {
	dialects, err := dialect.Named("AUTO", "gemini")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range dialects {
		names = append(names, d.Name)
	}
	if want := []string{"xml", "sentinel", "json-any"}; !slices.Equal(names[:3], want) {
		t.Errorf("the first are %q, want %q", names[:3], want)
	}
	for _, name := range []string{"hermes", "qwen3_coder", "mistral", "pythonic", "openai", "gemma4"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not among them", name)
		}
	}
}

func TestNamedUnknown(t *testing.T) {
	for _, tt := range []struct{ name, begins string }{
		{"jsn", `unknown dialect "jsn"; did you mean json`},
		{"XLM", `unknown dialect "XLM"; did you mean xml`},
		{"sentinels", `unknown dialect "sentinels"; did you mean sentinel`},
		{"json openia", `unknown dialect "json openia"; did you mean json-openai, `},
		{"utter nonsense", `unknown dialect "utter nonsense"; dialect.All lists all`},
		{"", `unknown dialect ""; dialect.All lists all`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dialects, err := dialect.Named(tt.name, "openai")
			unknown, ok := errors.AsType[*dialect.UnknownError](err)
			if dialects != nil || !ok || unknown.Name != tt.name {
				t.Fatalf("%v, %#v", dialects, err)
			}
			if !strings.HasPrefix(err.Error(), tt.begins) {
				t.Errorf("%q does not begin with %q", err, tt.begins)
			}
		})
	}
}
