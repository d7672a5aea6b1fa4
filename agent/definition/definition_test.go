package definition

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestRead(t *testing.T) {
	tests := []struct {
		name, text string
		want       Definition
		prompt     string
	}{
		{"only a prompt", "You help.\n", Definition{}, "You help."},
		{
			"front matter",
			"---\nname: \"writer\"\ndescription: Writes: all of it\nprovider: ollama\nmodel: 'qwen3-coder'\ndialect: hermes\ntemperature: 0.2\nmax_tokens: 100\nmax_turns: 3\ncolor: blue\ntools: read_file, write_file\n---\nYou write.\n",
			Definition{
				Name: "writer", Description: "Writes: all of it", Provider: "ollama", Model: "qwen3-coder", Dialect: "hermes", Temperature: "0.2", MaxTokens: 100, MaxTurns: 3,
				Tools: []string{"read_file", "write_file"},
			}, "You write.",
		},
		{"tools in brackets", "---\r\ntools: [\"a\", b]\r\n---\r\nx", Definition{Tools: []string{"a", "b"}}, "x"},
		{"tools in lines", "---\ntools:\n  - a\n  - \"b\"\nhooks:\n  - c\n---\nx", Definition{Tools: []string{"a", "b"}}, "x"},
		{"no tools", "---\ntools: []\n---\nx", Definition{Tools: []string{}}, "x"},
		{"nothing in front", "---\n---\nx", Definition{}, "x"},
		{"nothing behind", "---\nname: a\n---", Definition{Name: "a"}, ""},
		{
			"a section", "# Writer\nYou write.\n## Tools Available\nThese:\n- `write_file`: writes\n* **search** finds\n+ read_file\n### More\n- ls\n## Rules\n- be brief\n",
			Definition{Tools: []string{"write_file", "search", "read_file", "ls"}}, "# Writer\nYou write.\n## Rules\n- be brief",
		},
		{"both", "---\ntools: a\n---\nx\n# tools available\n- a\n- b", Definition{Tools: []string{"a", "b"}}, "x"},
		{"a section in code", "```\n# Tools Available\n- a\n```", Definition{}, "```\n# Tools Available\n- a\n```"},
		{"a value", "Speak {{.language}}, {{ .language }}.", Definition{}, "Speak Norse, Norse."},
		{"no template", "{{range 9999999999}}x{{end}} {{ jinja }} {{.language", Definition{}, "{{range 9999999999}}x{{end}} {{ jinja }} {{.language"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Read(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&test.want, got, cmpopts.IgnoreUnexported(Definition{})); diff != "" {
				t.Error(diff)
			}
			prompt, err := got.System(map[string]string{"language": "Norse"})
			if err != nil || prompt != test.prompt {
				t.Errorf("%q, %v; want %q", prompt, err, test.prompt)
			}
		})
	}
}

func TestReadFails(t *testing.T) {
	for text, want := range map[string]string{
		"---\nname: a\n":                "no end",
		"---\ntemperature: warm\n---\n": "not a number",
		"---\ntemperature: NaN\n---\n":  "not a number",
		"---\nmax_turns: -1\n---\n":     "not a number",
		"{{.a}} {{.b}} {{.a}}":          "a value for a, b",
	} {
		d, err := Read(text)
		if err == nil {
			_, err = d.System(nil)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	d, err := Read("Speak {{.language}}.")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.System(map[string]string{}); err == nil {
		t.Error("a value is missing, and nobody says so")
	}
}
