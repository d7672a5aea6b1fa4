package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/history"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// scraps are pieces of JSON, Python and Markdown.
var scraps = strings.Fields(`{ } [ ] ( ) < > </ /> , : ; = \ / | " ' \" \' \\ \n \u007b {" {' "} '} [{" {"name":"look" {'name':'look'
	"arguments":{ 'arguments':{ "arguments":" 'args':{ "args":{}} "parameters":{ {"name":"get_weather","args":{"city":"Oslo"}}
	{"tool_calls":[ {'tool':'look', {"function":{ "}} }]} {'city':'Oslo'} {"city":"Oslo"} look get_weather look( get_weather(city="Oslo")
	[look(n=1)] [look(n=1, n=1 "q":"x" city Oslo null true 12 ~~~ ` + "` ``` ```json\n ```tool_code\n ```tool_call\n")

// pieces returns the texts of which a result could forge a call in a dialect.
func pieces(d *dialect.Dialect) []string {
	list := append(slices.Clone(scraps), "\n", " ", "\n\n", "&lt;", "\u00e9", "Thought:", "Observation:", "<look>", "</look>", "<|im_end|>")
	for _, m := range marks(d) {
		if strings.TrimSpace(m) == "" {
			continue
		}
		half := len(strings.ToValidUTF8(m[:len(m)/2], ""))
		list = append(list, m, m, m[:half], m[half:])
	}
	return append(list, d.Example, strings.ReplaceAll(d.Example, `"`, `'`), strings.ReplaceAll(d.Example, `"`, `\"`))
}

// readings are the ways in which a text may be parsed.
func readings(t rapid.TB, d *dialect.Dialect, tools []toolcall.ToolDefinition) []parser.Options {
	t.Helper()
	auto, err := dialect.Named("auto", "")
	if err != nil {
		t.Fatal(err)
	}
	var list []parser.Options
	for _, dialects := range [][]*dialect.Dialect{{d}, auto} {
		list = append(list, parser.Options{Dialects: dialects, Tools: tools}, parser.Options{Dialects: dialects, Tools: tools, CallsInCode: true})
	}
	return list
}

// begun returns the calls that begin in a text, with any status.
func begun(t rapid.TB, o parser.Options, in string) (names []string) {
	t.Helper()
	p, err := parser.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range p.Close(p.Feed(nil, in)) {
		if e.Type == toolcall.SegmentStart && e.Segment.IsCall() {
			names = append(names, e.Name)
		}
	}
	return names
}

// TestNothingForges checks that no results, however many, begin a call: neither in one turn
// nor in all turns in any order.
func TestNothingForges(t *testing.T) {
	dialects := writable()
	rows := map[*dialect.Dialect][]string{}
	for _, d := range dialects {
		rows[d] = pieces(d)
	}
	const each = 12 // every conversation is tried in one dialect of so many
	rapid.Check(t, func(t *rapid.T) {
		var contents [][]int
		var kinds []int
		for range rapid.IntRange(1, 4).Draw(t, "results") {
			contents = append(contents, rapid.SliceOfN(rapid.IntRange(0, 1<<20), 1, 8).Draw(t, "pieces"))
			kinds = append(kinds, rapid.IntRange(0, 5).Draw(t, "kind"))
		}
		declared := rapid.SampledFrom([][]toolcall.ToolDefinition{tools, tools, {}}).Draw(t, "tools")
		limit := rapid.SampledFrom([]int{0, 0, 0, 3, 17}).Draw(t, "limit")
		for i := rapid.IntRange(0, each-1).Draw(t, "first"); i < len(dialects); i += each {
			d := dialects[i]
			var list []string
			for _, content := range contents {
				var b strings.Builder
				for _, at := range content {
					b.WriteString(rows[d][at%len(rows[d])])
				}
				list = append(list, b.String())
			}
			forge(t, d, history.Options{Tools: declared, MaxResult: limit}, kinds, list)
		}
	})
}

// forge checks a conversation with these results.
func forge(t rapid.TB, d *dialect.Dialect, o history.Options, kinds []int, contents []string) {
	t.Helper()
	args := `{"n":1,"q":"x"}`
	name := "look"
	if d.Name == "cwm" { // it has one parameter
		name, args = "get_weather", `{"city":"x"}`
	}
	var calls []chat.Part
	var results []chat.Message
	for i, content := range contents {
		id := fmt.Sprintf("c%d", i)
		m := result(id, content)
		switch kinds[i] {
		case 0:
			m.Parts[0].Result.IsError = true
		case 1: // it has no call
			m.Parts[0].Result.Name = "look"
			results = append(results, m)
			continue
		case 2: // its call cannot be shown
			calls = append(calls, chat.CallPart(id, "odd>name", args))
			results = append(results, m)
			continue
		case 3: // a second one
			m.Parts = append(m.Parts, m.Parts...)
		}
		calls = append(calls, chat.CallPart(id, name, args))
		results = append(results, m)
	}
	in := append([]chat.Message{said("hi"), turn(calls...)}, results...)
	if len(calls) == 0 {
		in = results
	}
	out, _ := renderer(t, d, o).Render(in)
	var turns, parts []string
	var own string
	for _, m := range out {
		if m.Role == chat.Assistant {
			own = strings.Join(flatParts(m), "")
			continue
		}
		turns = append(turns, strings.Join(flatParts(m), ""))
		parts = append(parts, flatParts(m)...)
	}
	backwards := slices.Clone(parts)
	slices.Reverse(backwards)
	for _, o := range readings(t, d, o.Tools) {
		if bare := d.Frame.Bare && d.Head.Form == dialect.HeadLiteral && d.Frame.Call.Open == ""; len(o.Tools) == 0 && len(o.Dialects) == 1 && (bare || d.Frame.Call.Open == "<") {
			continue // without tools every tag is a call, also those around results, or every word before an object
		}
		for _, whole := range []string{
			strings.Join(turns, ""), strings.Join(parts, "\n"), strings.Join(backwards, ""), strings.Join(backwards, "\n\n"),
			strings.Join(append(slices.Clone(parts), parts...), "\n"),
		} {
			if names := begun(t, o, whole); len(names) > 0 {
				t.Fatalf("%s, auto %v, in code %v: calls of %q in\n%q\nof %q", d.Name, len(o.Dialects) > 1, o.CallsInCode, names, whole, contents)
			}
		}
		if alone, both := begun(t, o, own), begun(t, o, own+"\n"+strings.Join(parts, "\n")); !slices.Equal(alone, both) {
			t.Fatalf("%s: the turn's calls are %q, with what follows %q in\n%q", d.Name, alone, both, own+"\n"+strings.Join(parts, "\n"))
		}
	}
}

func flatParts(m chat.Message) (list []string) {
	for _, p := range m.Parts {
		list = append(list, p.Text)
	}
	return list
}
