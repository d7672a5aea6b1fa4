package parser_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// TestAutoReadsEveryForm checks that auto reads each form of each row, and each form without
// the opener of its section, as the parser does if the row is named: with the same arguments,
// and without markup left as text.
func TestAutoReadsEveryForm(t *testing.T) {
	auto, err := dialect.Named("auto", "")
	if err != nil {
		t.Fatal(err)
	}
	declared := []toolcall.ToolDefinition{{
		Name: "get_weather", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}}}`),
	}}
	for _, d := range auto {
		for sample, input := range formSamples(t, d, declared) {
			for _, tools := range [][]toolcall.ToolDefinition{nil, declared} {
				name := fmt.Sprintf("%s/%s/%d tools", d.Name, sample, len(tools))
				want := read(t, input, parser.Options{Dialects: []*dialect.Dialect{d}, Tools: tools})
				if want.text != "" || len(want.calls) != 1 || want.calls[0].Status != toolcall.Complete {
					continue // the row does not read it either
				}
				if why := autoReadsNot(d.Name, sample, tools); why != "" {
					continue
				}
				got := read(t, input, parser.Options{Dialects: auto, Tools: tools})
				if why := want.differs(got); why != "" {
					t.Errorf("%s: %s\n%q", name, why, input)
				}
			}
		}
	}
}

// autoReadsNot returns why auto reads a sample otherwise than the named dialect does, or "" if
// it must not.
func autoReadsNot(dialect, sample string, tools []toolcall.ToolDefinition) string {
	form, _, _ := strings.Cut(strings.TrimPrefix(sample, "form "), " ")
	switch dialect + "/" + form {
	case "gigachat3/2", "gigachat31/2", "gemma4/3":
		return "it begins with a word, of which prose is full"
	case "glm53_flash/0", "morphxml/0", "cline/0", "yaml_xml/0":
		if tools == nil {
			return "its markers are too short, or any tag's, to tell a call of an undeclared tool from prose"
		}
	case "beam/1":
		return "harmony, which writes the same, has its tools in the namespace functions"
	case "dots/0":
		if strings.HasSuffix(sample, "without section") {
			return "MiniMax M2 writes the same, with the line feeds as part of values"
		}
	case "hyperclovax_seed_think/0":
		return "GLM writes the same, and its strings may stand in quotes of their own"
	}
	return ""
}

// formSamples returns calls in each form of a row, whole and without the opener of their
// section.
func formSamples(t *testing.T, d *dialect.Dialect, tools []toolcall.ToolDefinition) map[string]string {
	samples := map[string]string{}
	forms := append([]dialect.Form{{Frame: d.Frame, Head: d.Head, Args: d.Args}}, d.Also...)
	for k, f := range forms {
		one := *d
		one.Frame, one.Head, one.Args, one.Also = f.Frame, f.Head, f.Args, nil
		one.Name = fmt.Sprintf("%s_%d", d.Name, k)
		w, err := text.NewWriter(&one, text.Options{Tools: tools, Unchecked: true})
		if err != nil {
			t.Logf("%s: form %d: %v", d.Name, k, err)
			continue
		}
		for what, args := range map[string]string{"line": `{"city":"*.md"}`, "lines": `{"city":"a\n  b"}`, "two": `{"city":"Oslo","days":2}`} {
			out, err := w.Append(nil, text.Message{Calls: []toolcall.ToolInvocation{{Name: "get_weather", CallID: "call_1", Arguments: json.RawMessage(args)}}})
			if err != nil {
				t.Logf("%s: form %d, %s: %v", d.Name, k, what, err)
				continue
			}
			name := fmt.Sprintf("form %d %s", k, what)
			samples[name] = string(out)
			if open := strings.TrimSpace(f.Frame.Section.Open); open != "" {
				if rest, ok := strings.CutPrefix(string(out), open); ok {
					samples[name+" without section"] = strings.TrimLeft(rest, " \n")
				}
			}
		}
	}
	return samples
}

// reading is the result of parsing a text.
type reading struct {
	text, reasoning string
	calls           []toolcall.ToolInvocation
}

func read(t *testing.T, input string, opts parser.Options) reading {
	t.Helper()
	return readChunks(t, input, 0, opts)
}

// readChunks is read in chunks of n bytes; 0 means whole.
func readChunks(t *testing.T, input string, n int, opts parser.Options) (r reading) {
	t.Helper()
	p, err := parser.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	calls, err := adapter.New(adapter.Options{Tools: opts.Tools})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		n = max(1, len(input))
	}
	var events []toolcall.Event
	for chunk := range slices.Chunk([]byte(input), n) {
		events = p.Feed(events, string(chunk))
	}
	for _, e := range p.Close(events) {
		if e.Type == toolcall.SegmentContent {
			switch e.Segment {
			case toolcall.SegmentText:
				r.text += e.Payload
			case toolcall.SegmentReasoning:
				r.reasoning += e.Payload
			}
		}
		if call, ended := calls.Add(e); ended {
			r.calls = append(r.calls, call)
		}
	}
	return r
}

// differs says how another reading differs, or returns "".
func (r reading) differs(other reading) string {
	if strings.TrimSpace(other.text) != strings.TrimSpace(r.text) {
		return fmt.Sprintf("text %q, want %q", other.text, r.text)
	}
	if len(other.calls) != len(r.calls) {
		return fmt.Sprintf("%d calls, want %d", len(other.calls), len(r.calls))
	}
	for i, c := range r.calls {
		o := other.calls[i]
		var want, got any
		json.Unmarshal(c.Arguments, &want)
		json.Unmarshal(o.Arguments, &got)
		if c.Name != o.Name || c.Status != o.Status || !reflect.DeepEqual(want, got) {
			return fmt.Sprintf("%s %s %s in %s, want %s %s %s", o.Name, o.Arguments, o.Status, o.Dialect, c.Name, c.Arguments, c.Status)
		}
	}
	return ""
}

// TestAutoNames checks which dialect auto names if several read a call: the one that writes it
// that way.
func TestAutoNames(t *testing.T) {
	auto, err := dialect.Named("auto", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"hermes", "kimi_k2", "qwen3_coder", "openhands", "seed_oss", "minimax_m2", "anthropic_invoke",
		"deepseek_v32", "deepseek_v4", "deepseek_v41", "glm45", "mistral", "openai",
	} {
		d, err := dialect.Named(name, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, d[0].Example, parser.Options{Dialects: auto}); len(got.calls) != 1 || got.calls[0].Dialect != name {
			t.Errorf("the example of %s is read as %+v", name, got)
		}
	}
	for text, want := range map[string]string{
		"<function=Glob>\n<parameter=pattern>\n*.md\n</parameter>\n</function>\n</tool_call>": "qwen3_coder",
		"<function=Glob>\n<parameter=pattern>*.md</parameter>\n</function>":                   "openhands",
		"<function=Glob>\n<parameter=pattern>*.md</parameter>\n</function>\n</tool_call>":     "openhands",
	} {
		for chunk := range 3 {
			got := readChunks(t, text, chunk, parser.Options{Dialects: auto})
			if len(got.calls) != 1 || got.calls[0].Dialect != want || string(got.calls[0].Arguments) != `{"pattern":"*.md"}` || got.text != "" {
				t.Errorf("%q is read as %+v, want a call in %s", text, got, want)
			}
		}
	}
}

// TestRecoverAddsToAny checks that Recover finds calls of declared tools in every other
// dialect, whatever dialect is requested.
func TestRecoverAddsToAny(t *testing.T) {
	for _, asked := range []string{"api_tool_call", "auto", "xml", "json", "hermes"} {
		for _, d := range dialect.All() {
			if d.Head.Form == "" || d.Channels.Close != nil {
				continue
			}
			example := read(t, d.Example, parser.Options{Dialects: []*dialect.Dialect{d}, Tools: weather})
			if len(example.calls) != 1 {
				t.Fatalf("%s: its example is %+v", d.Name, example)
			}
			got := read(t, "Let me look.\n"+d.Example, parser.Options{Dialects: dialectsOf(t, asked), Tools: weather, Recover: true})
			if len(got.calls) != 1 || got.calls[0].Status != toolcall.Complete {
				t.Errorf("%s beside %s: %+v", d.Name, asked, got)
			}
		}
	}
}

// TestSectionWithoutOpener checks that the closer of a section is not text if the parser reads
// a call although the section's opener is missing.
func TestSectionWithoutOpener(t *testing.T) {
	found := 0
	for _, d := range dialect.All() {
		section := d.Frame.Section
		call, ok := strings.CutPrefix(d.Example, strings.TrimSpace(section.Open))
		if !ok || section.Open == "" || !strings.HasSuffix(call, strings.TrimSpace(section.Close)) {
			continue
		}
		for _, n := range []int{1, 7, len(call)} {
			r := readChunks(t, call, n, parser.Options{Dialects: []*dialect.Dialect{d}, Tools: weather})
			if len(r.calls) == 0 {
				break
			}
			found++
			if strings.TrimSpace(r.text) != "" {
				t.Errorf("%s: %q: the text is %q", d.Name, call, r.text)
			}
		}
	}
	if found < 30 {
		t.Errorf("%d calls were found", found)
	}
}

// TestListsOfSomeCalls checks that, if neither the dialect nor the tools are known, the calls
// of a list at the beginning of the message count, whatever its other elements are.
func TestListsOfSomeCalls(t *testing.T) {
	auto, err := dialect.Named("auto", "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := parser.Compile(parser.Options{Dialects: auto})
	if err != nil {
		t.Fatal(err)
	}
	const call = `{"name":"g","arguments":{"b":1}}`
	elements := []string{
		call, `null`, `-1`, `"}, {"`, `{}`, `{"name":"f"}`, `{"a":[1,{"b":"]"}]}`, `[[1], {"c":0}]`, `True`, `'x'`,
	}
	for n := range len(elements) * len(elements) * len(elements) {
		list := []string{elements[n%len(elements)], elements[n/len(elements)%len(elements)], elements[n/len(elements)/len(elements)]}
		text := "\n[" + strings.Join(list, ", ") + "]"
		want := strings.Count(text, call)
		if want == 0 { // a call decides the dialect, and objects after it count
			text += ` or {"name":"p","arguments":{}}`
		}
		for _, size := range []int{len(text), 1, 3} {
			p := c.New()
			got, raw := 0, ""
			for _, e := range fedInPieces(p, text, size) {
				raw += e.Raw
				switch {
				case e.Type == toolcall.SegmentStart && e.Segment.IsCall() && e.Name != "g":
					t.Errorf("in pieces of %d bytes, %s: a call of %s", size, text, e.Name)
				case e.Type == toolcall.SegmentEnd && e.Segment.IsCall() && e.Status == toolcall.Complete:
					got++
				}
			}
			if got != want || raw != text {
				t.Errorf("in pieces of %d bytes, %s: %d calls, want %d; raw bytes %q", size, text, got, want, raw)
			}
		}
	}
}

// fedInPieces returns what a parser makes of a text, up to the end of the stream.
func fedInPieces(p *parser.Parser, text string, size int) (events []toolcall.Event) {
	for rest := text; rest != ""; {
		n := min(size, len(rest))
		events, rest = p.Feed(events, rest[:n]), rest[n:]
	}
	return p.Close(events)
}
