package grammar_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/grammar"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/toolcall"
)

// severalWords separate the example of one call from that of two.
var severalWords = regexp.MustCompile(`\n\nTo make several calls, write (?:one after another|them in one list):\n`)

// shown returns the examples of a manifest: the texts between its sentences.
func shown(t rapid.TB, text string) []string {
	t.Helper()
	before, rest, ok := strings.Cut(text, "\nTo call a tool")
	if !ok {
		t.Fatalf("no example in\n%s", text)
	}
	var examples []string
	for _, own := range strings.Split(before, "\nExample, ")[1:] { // of single tools
		_, own, _ = strings.Cut(own, ":\n")
		examples = append(examples, strings.TrimSuffix(own, "\n"))
	}
	_, rest, _ = strings.Cut(rest, ":\n")
	between := severalWords.FindStringIndex(rest)
	if between == nil {
		t.Fatalf("no two examples in\n%s", text)
	}
	one, rest := rest[:between[0]], rest[between[1]:]
	two, _, found := strings.Cut(rest, "\n\nUse only the tools ")
	if !found {
		t.Fatalf("no two examples in\n%s", text)
	}
	return append(examples, one, two)
}

// letsThrough checks that the grammar of a manifest's tools matches its examples.
func letsThrough(t rapid.TB, d *dialect.Dialect, tools []toolcall.ToolDefinition) {
	t.Helper()
	m, err := manifest.New(tools, manifest.Options{Dialect: d, Style: manifest.StyleTeach})
	if err != nil {
		return
	}
	out, _, err := grammar.Write(d, grammar.GBNF, grammar.Options{Tools: tools})
	if err != nil {
		t.Fatalf("%s: there is a manifest, but no grammar: %v\n%s", d.Name, err, m.Text())
	}
	s := newSampler(t, string(out))
	for _, example := range shown(t, m.Text()) {
		if strings.Contains(example, "...") { // a placeholder, where no value is known to match a pattern
			continue
		}
		if !s.accepts(strings.TrimPrefix(example, d.Written.Prompt)) {
			t.Fatalf("%s: it does not let through\n%s\n%s", d.Name, example, out)
		}
	}
}

// odd are schemas of parameters whose examples are hard for a grammar.
var odd = []string{
	`{"type":"string","pattern":"^[a-z]+-[0-9]{2}$"}`, `{"type":"string","pattern":"^\\d{4}-\\d{2}$"}`, `{"type":"string","format":"date-time"}`,
	`{"type":"string","minLength":12}`, `{"type":"string","maxLength":4}`, `{"type":["string","null"],"minLength":3,"maxLength":8}`,
	`{"type":"number","minimum":0,"exclusiveMaximum":1}`, `{"type":"number","exclusiveMinimum":-2,"maximum":-1}`,
	`{"type":"integer","minimum":9007199254740993}`, `{"type":"integer","default":12345678901234567890}`,
	`{"type":"array","items":{"type":"string"},"examples":[["Berlin","END_ARG","<b> & </b>"]]}`, `{"type":"array","items":{"enum":["Berlin","x<y & \"z\"","a_b"]}}`,
	`{"type":"array","prefixItems":[{"type":"integer"},{"type":"boolean"}]}`, `{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"},"minItems":3}`,
	`{"type":"object","additionalProperties":{"type":"integer"},"minProperties":1}`, `{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}}`,
	`{"type":"object","properties":{"größe":{"type":"number"},"a":{"type":"string"}},"required":["größe"]}`,
	`{"type":"object","properties":{"k":{"type":"string","enum":["yes","no"]}},"required":["k","undeclared"]}`,
	`{"enum":["yes","No","null","1","true","a: b","#x","- y"]}`, `{"enum":[1,"1",null,true]}`, `{"const":{"a":["<x>",1]}}`, `{"type":"string","default":"yes"}`,
	`{"anyOf":[{"type":"integer","minimum":5},{"type":"string","enum":["auto"]},{"type":"null"}]}`, `{"type":["array","string"],"items":{"type":"integer"}}`, `{}`,
}

// TestExamplesRandom checks that a grammar matches the examples of a manifest of the same
// tools.
func TestExamplesRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(writable()).Draw(t, "dialect")
		tools := []toolcall.ToolDefinition{define("look_up", anObject(t, d, 0)), define("b2", oddObject(t))}
		letsThrough(t, d, tools)
	})
}

// impossible are schemas of parameters that no value fits, or parts of which contradict each
// other.
var impossible = []string{
	`{"type":"integer","enum":["low","high"]}`, `{"type":"string","enum":[1,2]}`, `{"type":"boolean","enum":["yes","no"]}`, `{"type":"string","enum":["a",1]}`,
	`{"type":"array","enum":["a"],"items":{"type":"string"}}`, `false`, `{"enum":[]}`, `{"type":"string","minLength":5,"maxLength":2}`,
	`{"type":"integer","minimum":5,"maximum":4}`, `{"allOf":[{"type":"string"},{"type":"integer"}]}`, `{"type":"array","items":false,"minItems":1}`,
	`{"type":"object","properties":{"k":{"type":"null","enum":[0]}},"required":["k"]}`, `{"anyOf":[{"type":"integer","enum":["x"]},{"type":"boolean"}]}`,
	`{"enum":["x","</parameter>","</arg_value>","</arg>","<|\"|>"]}`, `{"type":"string","pattern":"(?!a)b"}`,
}

// files are file and shell tools: the built-in ones, those of MCP's filesystem server, and
// others of the same names. File tools require a path and a command that are not blank, in
// addition to their schemas.
var files = []string{
	`write_file {"type":"object","properties":{"path":{"type":"string","pattern":"^[a-z]+$"},"content":{"type":"string"}},"required":["path","content"]}`,
	`write_file {"type":"object","properties":{"file_path":{"type":"string"},"contents":{"type":"string"},"mode":{"type":"integer"}},"required":["file_path","contents"]}`,
	`edit_file {"type":"object","properties":{"path":{"type":"string","pattern":"^[a-z]+$"},"patch":{"type":"string"}},"required":["path","patch"]}`,
	`edit_file {"type":"object","properties":{"path":{"type":"string","pattern":"^[a-z]+$"},"edits":{"type":"array","items":{"type":"object","properties":{"oldText":{"type":"string"},"newText":{"type":"string"}},"required":["oldText","newText"]}},"dryRun":{"type":"boolean"}},"required":["path","edits"]}`,
	`run_bash {"type":"object","properties":{"command":{"type":"string","pattern":"^[a-z]+$"},"background":{"type":"boolean"},"timeout_seconds":{"type":"integer"}},"required":["command"]}`,
	`run_bash {"type":"object","properties":{"cmd":{"type":"string"}},"required":["cmd"]}`,
}

// TestAnyTools checks that every list of tools that a manifest accepts has a grammar, which
// matches the examples of the manifest.
func TestAnyTools(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(writable()).Draw(t, "dialect")
		var tools []toolcall.ToolDefinition
		for i := range rapid.IntRange(1, 3).Draw(t, "tools") {
			if rapid.Bool().Draw(t, "file tool") {
				name, parameters, _ := strings.Cut(rapid.SampledFrom(files).Draw(t, "file"), " ")
				if !slices.ContainsFunc(tools, func(o toolcall.ToolDefinition) bool { return o.Name == name }) {
					tools = append(tools, define(name, parameters))
				}
				continue
			}
			schemas := append([]string{rapid.SampledFrom(odd).Draw(t, "odd")}, rapid.SliceOfN(rapid.SampledFrom(impossible), 0, 2).Draw(t, "impossible")...)
			var props, required []string
			for j, s := range schemas {
				props = append(props, fmt.Sprintf(`"p%d":%s`, j, s))
				if rapid.IntRange(0, 3).Draw(t, "required") == 0 {
					required = append(required, fmt.Sprintf(`"p%d"`, j))
				}
			}
			tools = append(tools, define(fmt.Sprintf("look%d", i), `{"type":"object","properties":{`+strings.Join(props, ",")+`},"required":[`+strings.Join(required, ",")+`]}`))
		}
		letsThrough(t, d, tools)
	})
}

// TestFileTools checks that file and shell tools have a grammar in every dialect, and that the
// parser reads what it allows as their calls.
func TestFileTools(t *testing.T) {
	for _, d := range writable() {
		for _, list := range [][]int{{0, 2, 4}, {0, 3}, {1, 5}} {
			var tools []toolcall.ToolDefinition
			for _, i := range list {
				name, parameters, _ := strings.Cut(files[i], " ")
				tools = append(tools, define(name, parameters))
			}
			if d.Name == "cwm" && list[0] == 0 && list[1] == 3 {
				continue // its calls are one text, and these tools have two parameters
			}
			out, _, err := grammar.Write(d, grammar.GBNF, grammar.Options{Tools: tools})
			if err != nil {
				t.Errorf("%s: %v", d.Name, err)
				continue
			}
			s := newSampler(t, string(out))
			for seed := range uint64(samples) {
				fits(t, d, tools, s.sample(random(seed)))
			}
		}
	}
}

// TestSamplesOdd checks that the parser reads what the grammars of odd schemas allow.
func TestSamplesOdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(writable()).Draw(t, "dialect")
		if d.Name == "cwm" {
			t.Skip("its calls are one text")
		}
		tools := []toolcall.ToolDefinition{define("look_up", oddObject(t))}
		if d.Name == "yaml_xml" && strings.Contains(string(tools[0].Parameters), "additionalProperties") {
			t.Skip("YAML refuses a key that is there twice, which no grammar can")
		}
		out, _, err := grammar.Write(d, grammar.GBNF, grammar.Options{Tools: tools})
		if err != nil {
			t.Skip(err)
		}
		fits(t, d, tools, newSampler(t, string(out)).sample(random(rapid.Uint64().Draw(t, "seed"))))
	})
}

// oddObject draws the schema of an object with odd members.
func oddObject(t *rapid.T) string {
	var props, required []string
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"city", "größe", "a-b", "from", "c.d", "x"}), 1, 3, rapid.ID).Draw(t, "names") {
		props = append(props, strconv.Quote(name)+":"+rapid.SampledFrom(odd).Draw(t, "schema"))
		if rapid.Bool().Draw(t, "required") {
			required = append(required, strconv.Quote(name))
		}
	}
	return `{"type":"object","properties":{` + strings.Join(props, ",") + `},"required":[` + strings.Join(required, ",") + `]}`
}

// TestExamplesIndented is TestExamplesRandom for lists and objects that are written over
// several lines.
func TestExamplesIndented(t *testing.T) {
	for _, d := range writable() {
		if d.Written.Indent == 0 {
			continue
		}
		for _, value := range []string{`{"const":{"a":["<x>",1],"b":{}}}`, `{"enum":[[[1],[]]]}`} {
			t.Run(d.Name+" "+value, func(t *testing.T) {
				letsThrough(t, d, []toolcall.ToolDefinition{define("look_up", `{"type":"object","properties":{"k":`+value+`},"required":["k"]}`)})
			})
		}
	}
}

// TestExamplesTelling is TestExamplesRandom for telling schemas.
func TestExamplesTelling(t *testing.T) {
	for _, d := range swept() {
		t.Run(d.Name, func(t *testing.T) {
			for name, parameters := range telling {
				t.Run(name, func(t *testing.T) {
					letsThrough(t, d, []toolcall.ToolDefinition{define("look_up", parameters)})
				})
			}
		})
	}
}
