package grammar_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/manifest"
	"github.com/toolparse/toolparse/manifest/grammar"
	"github.com/toolparse/toolparse/parser"
)

// severalWords stand between the example of one call and that of two.
var severalWords = regexp.MustCompile(`\n\n(?:For several calls, write |Several, |More, )(?:one after another|(?:them )?in one list):\n`)

// shown are the examples of a manifest: the texts between its sentences.
func shown(t rapid.TB, text string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "To call a tool")
	if !ok {
		t.Fatalf("no example in\n%s", text)
	}
	_, rest, _ = strings.Cut(rest, ":\n")
	between := severalWords.FindStringIndex(rest)
	if between == nil {
		t.Fatalf("no two examples in\n%s", text)
	}
	one, rest := rest[:between[0]], rest[between[1]:]
	two, _, found := strings.Cut(rest, "\n\nText may stand ")
	if !found {
		t.Fatalf("no two examples in\n%s", text)
	}
	return []string{one, two}
}

// letsThrough holds the grammar of a manifest's tools to its examples.
func letsThrough(t rapid.TB, d *parser.Dialect, tools []toolparse.ToolDefinition) {
	t.Helper()
	m, err := manifest.New(manifest.Of(tools...), manifest.Options{Dialect: d})
	if err != nil || len(m.Uncallable()) > 0 {
		return // a grammar has to have all tools
	}
	out, err := grammar.Write(d, grammar.GBNF, grammar.Options{Tools: tools})
	if err != nil {
		t.Fatalf("%s: there is a manifest, but no grammar: %v\n%s", d.Name, err, m.Text())
	}
	s := newSampler(t, string(out))
	for _, example := range shown(t, m.Text()) {
		if !s.accepts(example) {
			t.Fatalf("%s: it does not let through\n%s\n%s", d.Name, example, out)
		}
	}
}

// odd are schemas of parameters whose examples ask something of a grammar.
var odd = []string{
	`{"type":"string","pattern":"^[a-z]+-[0-9]{2}$"}`, `{"type":"string","pattern":"^\\d{4}-\\d{2}$"}`, `{"type":"string","format":"date-time"}`,
	`{"type":"string","minLength":12}`, `{"type":"string","maxLength":4}`, `{"type":["string","null"],"minLength":3,"maxLength":8}`,
	`{"type":"number","minimum":0.5,"maximum":0.75}`, `{"type":"number","exclusiveMinimum":0,"maximum":0.01}`, `{"type":"number","minimum":-0.25,"exclusiveMaximum":0}`,
	`{"type":"integer","minimum":9007199254740993}`, `{"type":"integer","default":12345678901234567890}`,
	`{"type":"array","items":{"type":"string"},"examples":[["Berlin","END_ARG","<b> & </b>"]]}`, `{"type":"array","items":{"enum":["Berlin","x<y & \"z\"","a_b"]}}`,
	`{"type":"array","prefixItems":[{"type":"integer"},{"type":"boolean"}]}`, `{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"},"minItems":3}`,
	`{"type":"object","additionalProperties":{"type":"integer"},"minProperties":1}`, `{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}}`,
	`{"type":"object","properties":{"größe":{"type":"number"},"a":{"type":"string"}},"required":["größe"]}`,
	`{"type":"object","properties":{"k":{"type":"string","enum":["yes","no"]}},"required":["k","undeclared"]}`,
	`{"enum":["yes","No","null","1","true","a: b","#x","- y"]}`, `{"enum":[1,"1",null,true]}`, `{"const":{"a":["<x>",1]}}`, `{"type":"string","default":"yes"}`,
	`{"anyOf":[{"type":"integer","minimum":5},{"type":"string","enum":["auto"]},{"type":"null"}]}`, `{"type":["array","string"],"items":{"type":"integer"}}`, `{}`,
}

// TestExamplesRandom: what a manifest shows is let through by the grammar of the same
// tools.
func TestExamplesRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(writable()).Draw(t, "dialect")
		tools := []toolparse.ToolDefinition{define("look_up", anObject(t, d, 0)), define("b2", oddObject(t))}
		letsThrough(t, d, tools)
	})
}

// TestSamplesOdd: what the grammars of odd schemas write is read.
func TestSamplesOdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(writable()).Draw(t, "dialect")
		if d.Name == "cwm" {
			t.Skip("its calls are one text")
		}
		tools := []toolparse.ToolDefinition{define("look_up", oddObject(t))}
		if d.Name == "yaml_xml" && strings.Contains(string(tools[0].Parameters), "additionalProperties") {
			t.Skip("YAML refuses a key that is there twice, which no grammar can")
		}
		out, err := grammar.Write(d, grammar.GBNF, grammar.Options{Tools: tools})
		if err != nil {
			t.Skip(err)
		}
		fits(t, d, tools, newSampler(t, string(out)).sample(random(rapid.Uint64().Draw(t, "seed"))))
	})
}

// oddObject makes up the schema of an object of odd members.
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

// TestExamplesTelling: so it is for telling schemas.
func TestExamplesTelling(t *testing.T) {
	for _, d := range writable() {
		t.Run(d.Name, func(t *testing.T) {
			for name, parameters := range telling {
				t.Run(name, func(t *testing.T) {
					letsThrough(t, d, []toolparse.ToolDefinition{define("look_up", parameters)})
				})
			}
		})
	}
}
