package grammar_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/grammar"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// telling are schemas that each test a feature of grammars.
var telling = map[string]string{
	"nothing":     `{"type":"object","properties":{}}`,
	"string":      `{"type":"object","properties":{"s":{"type":"string"}},"required":["s"]}`,
	"scalars":     `{"type":"object","properties":{"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},"z":{"type":"null"}},"required":["n","z"]}`,
	"bounds":      `{"type":"object","properties":{"i":{"type":"integer","minimum":-12,"maximum":1205},"n":{"type":"number","minimum":0,"maximum":1},"f":{"type":"number","minimum":-2,"exclusiveMaximum":3},"g":{"type":"number","maximum":-3}},"required":["i","n","f","g"]}`,
	"enums":       `{"type":"object","properties":{"e":{"enum":["red","light blue","1"],"type":"string"},"c":{"const":42},"m":{"type":["string","null"],"enum":["a",null]}},"required":["e","c"]}`,
	"optional":    `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{"type":"boolean"},"d":{"type":"number"}},"required":["c"]}`,
	"allOptional": `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{"type":"boolean"}}}`,
	"nested":      `{"type":"object","properties":{"o":{"type":"object","properties":{"k":{"type":"string"},"p":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}},"required":["p"]}},"required":["o"]}`,
	"lists":       `{"type":"object","properties":{"l":{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":3},"m":{"type":"array","items":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}}},"required":["l"]}`,
	"unions":      `{"type":"object","properties":{"u":{"anyOf":[{"type":"string"},{"type":"integer","minimum":3}]},"v":{"type":["boolean","null"]},"w":{"oneOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"type":"array","items":{"type":"number"}}]}},"required":["u","w"]}`,
	"circle":      `{"type":"object","properties":{"tree":{"$ref":"#/$defs/node"}},"required":["tree"],"$defs":{"node":{"type":"object","properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["v"]}}}`,
	"lengths":     `{"type":"object","properties":{"s":{"type":"string","minLength":2,"maxLength":5},"t":{"type":"string","maxLength":1},"u":{"type":"string","minLength":1}},"required":["s","u"]}`,
	"pattern":     `{"type":"object","properties":{"p":{"type":"string","pattern":"^[A-Z]{2}-\\d+$"}},"required":["p"]}`,
	"allOf":       `{"type":"object","properties":{"a":{"allOf":[{"type":"integer"},{"minimum":5},{"maximum":9}]}},"required":["a"]}`,
	"map":         `{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["m"]}`,
	"tuple":       `{"type":"object","properties":{"t":{"type":"array","prefixItems":[{"type":"integer"},{"type":"boolean"}],"items":false,"minItems":1}},"required":["t"]}`,
	"alternative": `{"type":"object","anyOf":[{"properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"b":{"type":"string","enum":["x","y"]}},"required":["b"]}]}`,
}

// writable returns the rows whose calls are text.
func writable() []*dialect.Dialect {
	var list []*dialect.Dialect
	for _, d := range dialect.All() {
		if d.Head.Form != "" {
			list = append(list, d)
		}
	}
	return list
}

// swept returns the rows for a test with every schema: all, or every fifth in short mode.
func swept() []*dialect.Dialect {
	all := writable()
	if !testing.Short() {
		return all
	}
	var some []*dialect.Dialect
	for i := 0; i < len(all); i += 5 {
		some = append(some, all[i])
	}
	return some
}

// said are the problems with rules that a grammar expresses. The number of declared members of
// an object is left to validation.
func said(problems []toolcall.Problem) []toolcall.Problem {
	return slices.DeleteFunc(slices.Clone(problems), func(p toolcall.Problem) bool {
		return p.Rule == "minProperties" || p.Rule == "maxProperties"
	})
}

// fits checks that a text consists of complete calls with valid arguments, as the parser reads
// it.
func fits(t rapid.TB, d *dialect.Dialect, tools []toolcall.ToolDefinition, text string) []toolcall.ToolInvocation {
	t.Helper()
	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{d}, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	events := p.Close(p.Feed(nil, text))
	a, err := adapter.New(adapter.Options{Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	var calls []toolcall.ToolInvocation
	for _, e := range events {
		if !e.Segment.IsCall() {
			if strings.TrimSpace(e.Delta()) != "" {
				t.Fatalf("%q is %s, in\n%s", e.Delta(), e.Segment, text)
			}
			continue
		}
		if inv, ok := a.Add(e); ok {
			calls = append(calls, inv)
		}
	}
	for _, c := range calls {
		if c.Status != toolcall.Complete || c.Unknown || len(said(c.Problems)) > 0 {
			t.Fatalf("%s(%s) is %s (%s) %v, in\n%s", c.Name, c.Arguments, c.Status, c.Reason, c.Problems, text)
		}
		for _, def := range tools {
			if def.Name != c.Name {
				continue
			}
			s, err := schema.Compile(def.Parameters)
			if err != nil {
				t.Fatal(err)
			}
			if problems, _ := s.Validate(c.Arguments); len(said(problems)) > 0 {
				t.Fatalf("%s(%s): %v, in\n%s", c.Name, c.Arguments, problems, text)
			}
		}
	}
	if len(calls) == 0 {
		t.Fatalf("no call in\n%s", text)
	}
	return calls
}

// samples returns the number of texts to take from one grammar.
const samples = 12

func random(seed uint64) func(int) int { return rand.New(rand.NewPCG(seed, 1)).IntN }

func define(name, parameters string) toolcall.ToolDefinition {
	return toolcall.ToolDefinition{Name: name, Parameters: json.RawMessage(parameters)}
}

// TestSamplesTelling samples every dialect's grammar for every telling schema.
func TestSamplesTelling(t *testing.T) {
	for _, d := range swept() {
		t.Run(d.Name, func(t *testing.T) {
			for name, parameters := range telling {
				if d.Name == "cwm" && name != "string" && name != "pattern" && name != "allOf" {
					continue // its calls are one text
				}
				if d.Name == "yaml_xml" && name == "map" {
					continue // YAML refuses a key that is there twice, which no grammar can
				}
				t.Run(name, func(t *testing.T) {
					tools := []toolcall.ToolDefinition{define("look_up", parameters)}
					if d.Name != "cwm" {
						tools = append(tools, define("other.tool", telling["allOptional"]))
					}
					out, _, err := grammar.Write(d, grammar.GBNF, grammar.Options{Tools: tools})
					if err != nil {
						t.Fatal(err)
					}
					s := newSampler(t, string(out))
					for seed := range uint64(samples) {
						fits(t, d, tools, s.sample(random(seed)))
					}
				})
			}
		})
	}
}

// TestSamplesRandom samples the grammars of random schemas, in every format that the
// dialect has.
func TestSamplesRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(writable()).Draw(t, "dialect")
		if d.Name == "cwm" {
			t.Skip("its calls are one text")
		}
		tools := []toolcall.ToolDefinition{define("look_up", anObject(t, d, 0)), define("b-2", anObject(t, d, 0))}
		if d.Args.Form == dialect.ArgsPython {
			tools[1].Name = "b2"
		}
		o := grammar.Options{Tools: tools, Single: rapid.Bool().Draw(t, "single")}
		if rapid.Bool().Draw(t, "one") {
			o.Choice = chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"look_up"}}
		}
		for _, f := range grammar.Formats() {
			out, _, err := grammar.Write(d, f, o)
			if lacking, ok := errors.AsType[*grammar.FormatError](err); ok {
				if slices.Contains(lacking.Has, f) {
					t.Fatal(err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			again, _, err := grammar.Write(d, f, o)
			if err != nil || string(again) != string(out) {
				t.Fatalf("%s is not the same again: %v", f, err)
			}
			intN := random(rapid.Uint64().Draw(t, "seed"))
			calls := fits(t, d, tools, sample(t, f, string(out), d.Written.Prompt, intN))
			if o.Single && len(calls) != 1 {
				t.Fatalf("%s: %d calls", f, len(calls))
			}
			for _, c := range calls {
				if o.Choice.Mode == chat.ChoiceOne && c.Name != "look_up" {
					t.Fatalf("%s: a call of %s", f, c.Name)
				}
			}
		}
	})
}

// anObject draws the schema of an object.
func anObject(t *rapid.T, d *dialect.Dialect, depth int) string {
	var props, required []string
	for i := range rapid.IntRange(0, 4).Draw(t, "members") {
		name := fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"p", "Key", "a_b"}).Draw(t, "name"), i)
		props = append(props, fmt.Sprintf("%q:%s", name, aSchema(t, d, depth+1)))
		if rapid.Bool().Draw(t, "required") {
			required = append(required, strconv.Quote(name))
		}
	}
	if depth > 0 && len(props) == 0 {
		return `{"type":"boolean"}`
	}
	return `{"type":"object","properties":{` + strings.Join(props, ",") + `},"required":[` + strings.Join(required, ",") + `],"additionalProperties":false}`
}

func aSchema(t *rapid.T, d *dialect.Dialect, depth int) string {
	kinds := []string{"string", "integer", "number", "boolean", "enum", "length", "range", "const", "nullable", "array", "object", "union"}
	if depth > 3 {
		kinds = kinds[:9]
	}
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
	case "enum":
		return rapid.SampledFrom([]string{
			`{"type":"string","enum":["red","light blue","x<y & \"z\""]}`, `{"enum":["a","b"]}`, `{"type":"integer","enum":[1,-2,30]}`,
		}).Draw(t, "enum")
	case "const":
		return `{"const":"fixed"}`
	case "length":
		least := rapid.IntRange(0, 4).Draw(t, "least")
		return fmt.Sprintf(`{"type":"string","minLength":%d,"maxLength":%d}`, least, least+rapid.IntRange(0, 5).Draw(t, "more"))
	case "range":
		least := rapid.IntRange(-3000, 3000).Draw(t, "least")
		kind := rapid.SampledFrom([]string{"integer", "number"}).Draw(t, "type")
		return fmt.Sprintf(`{"type":%q,"minimum":%d,"maximum":%d}`, kind, least, least+rapid.IntRange(0, 2000).Draw(t, "more"))
	case "nullable":
		return `{"type":["string","null"]}`
	case "array":
		least := rapid.IntRange(0, 2).Draw(t, "least")
		return fmt.Sprintf(`{"type":"array","items":%s,"minItems":%d,"maxItems":%d}`, aSchema(t, d, depth+1), least, least+rapid.IntRange(0, 3).Draw(t, "more"))
	case "object":
		return anObject(t, d, depth)
	case "union":
		return fmt.Sprintf(`{"anyOf":[%s,%s]}`, aSchema(t, d, depth+1), aSchema(t, d, depth+1))
	default:
		return fmt.Sprintf(`{"type":%q}`, kind)
	}
}

// sample returns a text that a format allows. A tag may begin with what follows the prompt of
// a message, because between two messages the model writes that itself.
func sample(t rapid.TB, f grammar.Format, out, prompt string, intN func(int) int) string {
	t.Helper()
	switch f {
	case grammar.GBNF:
		return newSampler(t, out).sample(intN)
	case grammar.JSONSchema:
		return sampleJSON(t, json.RawMessage(out), intN)
	}
	var tag struct {
		Type   string
		Format format
	}
	if err := json.Unmarshal([]byte(out), &tag); err != nil || tag.Type != "structural_tag" {
		t.Fatalf("%v in %s", err, out)
	}
	tag.Format.Tags = slices.DeleteFunc(tag.Format.Tags, func(f format) bool { // no calls
		return f.Content.Type == "const_string" || f.Content.Type == "regex"
	})
	for _, inner := range tag.Format.Tags {
		if !slices.ContainsFunc(tag.Format.Triggers, func(trigger string) bool { return trigger != "" && strings.HasPrefix(inner.Begin, trigger) }) {
			t.Fatalf("nothing triggers %q in %s", inner.Begin, out)
		}
	}
	tag.Format.prompt = prompt
	return tag.Format.sample(t, intN)
}

// format is a format of xgrammar's structural tags.
type format struct {
	Type, Begin, End, Separator, Grammar string
	Value, Pattern                       string
	Content                              *format
	Tags                                 []format
	Triggers                             []string
	JSONSchema                           json.RawMessage `json:"json_schema"`
	AtLeastOne                           bool            `json:"at_least_one"`
	StopAfterFirst                       bool            `json:"stop_after_first"`

	prompt string // that messages begin with
}

// lets reports whether f allows a text with this beginning.
func (f *format) lets(t rapid.TB, text string) bool {
	t.Helper()
	switch f.Type {
	case "json_schema": // the name precedes it
		return true
	case "grammar":
		return newSampler(t, f.Grammar).accepts(text)
	case "const_string":
		return strings.HasPrefix(text, f.Value)
	case "regex":
		return regexp.MustCompile("^" + f.Pattern).MatchString(text)
	case "tag":
		rest, ok := strings.CutPrefix(text, f.Begin)
		if !ok || f.Content.Type == "const_string" || f.Content.Type == "regex" {
			return ok && f.Content.lets(t, rest)
		}
		rest, ok = strings.CutSuffix(strings.TrimRight(rest, "\n"), strings.TrimRight(f.End, "\n"))
		return ok && f.Content.lets(t, rest)
	case "tags_with_separator", "triggered_tags":
		return slices.ContainsFunc(f.Tags, func(tag format) bool { return tag.lets(t, text) })
	}
	t.Fatalf("an unknown format %q", f.Type)
	return false
}

// TestUnknownTool checks that a structural tag is triggered before the name of a tool, so that
// no call of an undeclared tool can be written.
func TestUnknownTool(t *testing.T) {
	const parameters = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`
	for _, d := range writable() {
		t.Run(d.Name, func(t *testing.T) {
			known := []toolcall.ToolDefinition{define("look_up", parameters)}
			out, _, err := grammar.Write(d, grammar.StructuralTag, grammar.Options{Tools: known})
			if _, ok := errors.AsType[*grammar.FormatError](err); ok {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			var tag struct{ Format format }
			if err := json.Unmarshal([]byte(out), &tag); err != nil {
				t.Fatal(err)
			}
			for _, trigger := range tag.Format.Triggers {
				if strings.Contains(trigger, "look_up") {
					t.Errorf("the trigger %q contains a name", trigger)
				}
			}
			for _, name := range []string{"look_up", "nobody", "look", "look_up2"} {
				w, err := text.NewWriter(d, text.Options{Tools: []toolcall.ToolDefinition{define(name, parameters)}})
				if err != nil {
					t.Fatal(err)
				}
				out, err := w.Append(nil, text.Message{Calls: []toolcall.ToolInvocation{{Name: name, Arguments: json.RawMessage(`{"city":"Oslo"}`)}}})
				if err != nil {
					t.Fatal(err)
				}
				calls := []string{string(out)}
				if at := strings.Index(calls[0], ">\n"); at >= 0 { // a line feed that models leave out
					calls = append(calls, calls[0][:at+1]+calls[0][at+2:])
				}
				for _, head := range d.Written.Heads {
					_, args, _ := strings.Cut(calls[0], d.Head.End)
					calls = append(calls, strings.ReplaceAll(head, "{name}", name)+args)
				}
				for i, call := range calls {
					at := -1
					for _, trigger := range tag.Format.Triggers {
						if found := strings.Index(call, trigger); found >= 0 && (at < 0 || found < at) {
							at = found
						}
					}
					if at < 0 {
						t.Errorf("nothing triggers on %q", call)
						continue
					}
					lets := tag.Format.lets(t, call[at:])
					if want := name == "look_up"; lets != want && !(want && i == 1) {
						t.Errorf("%q is let through: %v", call, lets)
					}
				}
			}
		})
	}
}

// TestPrompt checks that, if the prompt contains the beginning of a call, calls continue from
// there in each of the ways of the models.
func TestPrompt(t *testing.T) {
	dialects, err := dialect.Named("openai", "")
	if err != nil {
		t.Fatal(err)
	}
	o := tool(`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`)
	out, _, err := grammar.Write(dialects[0], grammar.GBNF, o)
	if err != nil {
		t.Fatal(err)
	}
	s := newSampler(t, string(out))
	ways := []string{
		` to=functions.t<|channel|>commentary json<|message|>{"a": 1}<|call|>`,
		` to=functions.t<|channel|>commentary <|constrain|>json<|message|>{"a": 1}<|call|>`,
		`<|channel|>commentary to=functions.t <|constrain|>json<|message|>{"a": 1}<|call|>`,
	}
	for _, way := range ways {
		fits(t, dialects[0], o.Tools, way)
		for _, second := range ways {
			if text := way + "<|start|>assistant" + second; !s.accepts(way) || !s.accepts(text) {
				t.Errorf("it does not let through %s", text)
			}
		}
		if s.accepts("<|start|>assistant" + way) {
			t.Errorf("it begins with the prompt: %s", way)
		}
	}
}

func (f *format) sample(t rapid.TB, intN func(int) int) string {
	t.Helper()
	switch f.Type {
	case "json_schema":
		return sampleJSON(t, f.JSONSchema, intN)
	case "grammar":
		return newSampler(t, f.Grammar).sample(intN)
	case "tag":
		return f.Begin + f.Content.sample(t, intN) + f.End
	case "tags_with_separator", "triggered_tags":
		separator := f.Separator
		if f.Type == "triggered_tags" {
			separator = "\n"
		}
		text := f.Tags[intN(len(f.Tags))].sample(t, intN)
		for !f.StopAfterFirst && intN(2) == 0 {
			next := f.Tags[intN(len(f.Tags))].sample(t, intN)
			if f.Type == "triggered_tags" && !strings.HasPrefix(next, f.prompt) {
				if next[0] != '<' { // a word goes on behind a blank
					next = " " + next
				}
				next = f.prompt + next
			}
			text += separator + next
		}
		return text
	}
	t.Fatalf("an unknown format %q", f.Type)
	return ""
}

// sampleJSON samples a JSON Schema by the grammar of a call with that schema.
func sampleJSON(t rapid.TB, schema json.RawMessage, intN func(int) int) string {
	t.Helper()
	dialects, err := dialect.Named("functionary_v31", "")
	if err != nil {
		t.Fatal(err)
	}
	var defs struct {
		Defs json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &defs); err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
	if defs.Defs == nil {
		defs.Defs = json.RawMessage(`{}`)
	}
	whole := fmt.Sprintf(`{"type":"object","properties":{"v":%s},"required":["v"],"$defs":%s}`, schema, defs.Defs)
	out, _, err := grammar.Write(dialects[0], grammar.GBNF, grammar.Options{Tools: []toolcall.ToolDefinition{define("f", whole)}, Single: true})
	if err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
	text := newSampler(t, string(out)).sample(intN)
	return strings.TrimSuffix(strings.TrimPrefix(text, `<function=f>{"v": `), "}</function>")
}

// TestSchemaLists checks that the schema of a message allows several calls if the dialect
// reads a list of them.
func TestSchemaLists(t *testing.T) {
	lists := map[string]bool{}
	for _, d := range writable() {
		for _, single := range []bool{false, true} {
			out, _, err := grammar.Write(d, grammar.JSONSchema, grammar.Options{Tools: tool(`{"type":"object","properties":{}}`).Tools, Single: single})
			if err != nil {
				continue
			}
			several := strings.Contains(string(out), `"type":"array"`) && !strings.Contains(string(out), `"maxItems":1`)
			if single && several {
				t.Errorf("%s: more than one call: %s", d.Name, out)
			}
			if !single {
				lists[d.Name] = several
			}
		}
	}
	want := map[string]bool{
		"json-any": true, "json-openai": true, "json-gemini": true, "json-default": false, // it has no form with several
		"json_array": true, "json_generic": true, "llama3_json": true, "llama4_json": true, "xlam": true,
	}
	if diff := cmp.Diff(want, lists); diff != "" {
		t.Error(diff)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		name, dialect string
		format        grammar.Format
		o             grammar.Options
		want          string
	}{
		{"no tools", "hermes", grammar.GBNF, grammar.Options{}, "there are no tools"},
		{"no calls in text", "api_tool_call", grammar.GBNF, grammar.Options{}, "it has no calls in text"},
		{"no JSON alone", "hermes", grammar.JSONSchema, grammar.Options{}, "it has gbnf, structural-tag"},
		{"no marker", "pythonic", grammar.StructuralTag, grammar.Options{}, "it has gbnf"},
		{"no such format", "hermes", "ebnf", grammar.Options{}, "it has gbnf, structural-tag"},
		{"no call", "hermes", grammar.GBNF, grammar.Options{Choice: chat.ToolChoice{Mode: chat.ChoiceNone}}, "needs a tool to call"},
		{"a tool that there is not", "hermes", grammar.GBNF, grammar.Options{Choice: chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{"x"}}}, `tool "x"`},
		{"a tool twice", "hermes", grammar.GBNF, tool(`{}`, `{}`), "is declared twice"},
		{"no JSON", "hermes", grammar.GBNF, tool(`{`), "not valid JSON"},
		{"a circle", "hermes", grammar.GBNF, tool(`{"properties":{"a":{"$ref":"#/properties/a"}}}`), "at /properties/a: the schema refers only to itself"},
		{"nowhere", "xml", grammar.GBNF, tool(`{"properties":{"a":{"$ref":"#/x"}}}`), "at /properties/a/$ref: $ref points to nothing in the schema"},
		{"nothing finite", "hermes", grammar.GBNF, tool(`{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}`), "no finite arguments"},
		{"nothing finite in a tag", "xml", grammar.GBNF, tool(`{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}`), "no finite arguments"},
		{"no object", "hermes", grammar.GBNF, tool(`{"type":"string"}`), "at /type: arguments are an object"},
		{"a key that no tag can have", "morphxml", grammar.GBNF, tool(`{"properties":{"a b":{}},"required":["a b"]}`), `at /properties/a b: it is required, but the dialect cannot express it`},
		{"a key without a name", "hermes", grammar.GBNF, tool(`{"properties":{"":{"type":"string"}}}`), ""},
		{"a tag without a name", "morphxml", grammar.GBNF, tool(`{"properties":{"":{"type":"string"}}}`), ""},
		{"a tag that must be there without a name", "morphxml", grammar.GBNF, tool(`{"properties":{"":{"type":"string"}},"required":[""]}`), "at /properties/: it is required, but the dialect cannot express it"},
		{"a name with a blank", "hermes", grammar.GBNF, grammar.Options{Tools: []toolcall.ToolDefinition{define("two words", `{}`)}}, ""},
		{"a name that no prompt takes", "openai", grammar.GBNF, grammar.Options{Tools: []toolcall.ToolDefinition{define("two words", `{}`)}}, `tool "two words": name: openai cannot express it`},
		{"an enum that would end its value", "qwen3_coder", grammar.GBNF, tool(`{"properties":{"a":{"enum":["</parameter>"]}},"required":["a"]}`), "at /properties/a"},
		{"two texts", "cwm", grammar.GBNF, tool(`{"properties":{"a":{},"b":{}}}`), "text of one parameter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dialects, err := dialect.Named(tt.dialect, "")
			if err != nil {
				t.Fatal(err)
			}
			out, _, err := grammar.Write(dialects[0], tt.format, tt.o)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, beside %s", err, out)
			}
		})
	}
}

// TestLongChain checks that a long chain of references does not count as a cycle.
func TestLongChain(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, `"%d":{"$ref":"#/$defs/%d"},`, i, i+1)
	}
	o := tool(`{"type":"object","properties":{"a":{"$ref":"#/$defs/0"}},"required":["a"],"$defs":{` + b.String() + `"100":{"type":"integer"}}}`)
	dialects, err := dialect.Named("hermes", "")
	if err != nil {
		t.Fatal(err)
	}
	out, losses, err := grammar.Write(dialects[0], grammar.GBNF, o)
	if err != nil || len(losses) > 0 {
		t.Fatal(err, losses)
	}
	fits(t, dialects[0], o.Tools, newSampler(t, string(out)).sample(random(1)))
}

// TestReferences checks that references by anchor and identifier are followed like pointers.
func TestReferences(t *testing.T) {
	dialects, err := dialect.Named("hermes", "")
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for _, ref := range []string{"#/$defs/x", "#n", "https://example.com/t#n", "t#/$defs/x"} {
		o := tool(`{"$id":"https://example.com/t","properties":{"a":{"$ref":"` + ref + `"}},"required":["a"],"$defs":{"x":{"$anchor":"n","type":"integer"}}}`)
		out, losses, err := grammar.Write(dialects[0], grammar.GBNF, o)
		if err != nil || len(losses) > 0 {
			t.Fatal(ref, err, losses)
		}
		if first == "" {
			first = string(out)
		}
		if diff := cmp.Diff(first, string(out)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", ref, diff)
		}
	}
}

// TestLeftOut checks that an optional part that cannot be written is left out and reported,
// and that the rest stays.
func TestLeftOut(t *testing.T) {
	const fine = `{"type":"object","properties":{"ok":{"type":"integer"}},"required":["ok"]}`
	odd := func(parameters string) grammar.Options {
		return grammar.Options{Tools: []toolcall.ToolDefinition{define("odd", parameters), define("fine", fine)}}
	}
	inParameter := func(schema string) grammar.Options {
		return odd(`{"type":"object","properties":{"a":` + schema + `,"ok":{"type":"integer"}},"required":["ok"]}`)
	}
	const atA = `tool "odd" at /properties/a`
	for _, tt := range []struct {
		name, dialect string
		o             grammar.Options
		left, why     string
		calls         bool // the odd tool can still be called
	}{
		{"an enum of another type", "hermes", inParameter(`{"type":"integer","enum":["one","two"]}`), atA, "none of its values", true},
		{"the same in tags", "xml", inParameter(`{"type":"integer","enum":["one","two"]}`), atA, "no value that fits", true},
		{"the same in pairs", "qwen3_coder", inParameter(`{"type":"integer","enum":["one","two"]}`), atA, "no value that fits", true},
		{"an enum that would end its value", "qwen3_coder", inParameter(`{"enum":["</parameter>"]}`), atA, "no value that fits", true},
		{"nothing", "hermes", inParameter(`false`), atA, "nothing finite", true},
		{"two types at once", "glm45", inParameter(`{"allOf":[{"type":"string"},{"type":"integer"}]}`), atA, "no value that fits", true},
		{"a circle of what is required", "hermes", inParameter(`{"$ref":"#/$defs/c"},"z":{"type":"string"}},"$defs":{"c":{"type":"object","properties":{"c":{"$ref":"#/$defs/c"}},"required":["c"]}`), atA, "nothing finite", true},
		{"within a list", "hermes", inParameter(`{"type":"array","items":{"type":"object","properties":{"k":{"type":"null","enum":[1]}}}}`), `tool "odd" at /properties/a/items/properties/k`, "none of its values", true},
		{"required within an optional object", "pythonic", inParameter(`{"type":"object","properties":{"k":{"type":"null","enum":[1]}},"required":["k"]}`), atA, "none of its values", true},
		{"a name that no tag can have", "morphxml", odd(`{"properties":{"a b":{},"ok":{"type":"integer"}},"required":["ok"]}`), `tool "odd" at /properties/a b`, "", true},
		{"alternatives that multiply", "hermes", inParameter(`{"type":"string","allOf":[` + strings.Repeat(`{"anyOf":[{"minLength":1},{"minLength":2}]},`, 12) + `{}]}`), atA, "too large", true},
		{"references that go deep", "hermes", odd(nested(120)), `tool "odd" at ` + strings.Repeat("/properties/a", 101), "unfolds too deep", true},
		{"a required parameter", "hermes", odd(`{"type":"object","properties":{"a":{"type":"integer","enum":["one"]}},"required":["a"]}`), `tool "odd"`, "at /properties/a: the dialect can express none of its values", false},
		{"a tool of two texts", "cwm", grammar.Options{Tools: []toolcall.ToolDefinition{define("odd", `{"properties":{"a":{},"b":{}}}`), define("fine", fine)}}, `tool "odd"`, "text of one parameter", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dialects, err := dialect.Named(tt.dialect, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range grammar.Formats() {
				out, losses, err := grammar.Write(dialects[0], f, tt.o)
				if _, ok := errors.AsType[*grammar.FormatError](err); ok {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(losses, func(l chat.Loss) bool { return l.Field == tt.left && strings.Contains(l.Reason, tt.why) }) {
					t.Errorf("%s: losses %v, without %s", f, losses, tt.left)
				}
				called := map[string]bool{}
				for seed := range uint64(40) {
					for _, c := range fits(t, dialects[0], tt.o.Tools, sample(t, f, string(out), dialects[0].Written.Prompt, random(seed))) {
						called[c.Name] = true
					}
				}
				if !called["fine"] || called["odd"] != tt.calls {
					t.Errorf("%s: calls of %v", f, called)
				}
			}
		})
	}
}

func tool(schemas ...string) grammar.Options {
	var o grammar.Options
	for _, s := range schemas {
		o.Tools = append(o.Tools, define("t", s))
	}
	return o
}

// nested returns the schema of an object with n levels, by references.
func nested(n int) string {
	var b strings.Builder
	b.WriteString(`{"properties":{"a":{"$ref":"#/$defs/0"}},"$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"%d":{"properties":{"a":{"$ref":"#/$defs/%d"},"b":{"type":"array","items":{"$ref":"#/$defs/%d"}}}},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"%d":{"type":"string"}}}`, n)
	return b.String()
}
