package toolparse_test

import (
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
)

func TestSpans(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"json", "<think>Hm.</think>\nOn it.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call> Done.",
			`reasoning:Hm.|text:` + "\nOn it.\n" + `|call:<tool_call>` + "\n" + `{"name": "f", "arguments": {"a": 1}}` + "\n" + `</tool_call>|name:f|arguments:{"a": 1}|text: Done.`},
		{"arguments before the name", `<tool_call>{"arguments": {"b":2}, "name": "g"}</tool_call>`,
			`call:<tool_call>{"arguments": {"b":2}, "name": "g"}</tool_call>|name:g|arguments:{"b":2}`},
		{"a tool that is named like a key", `<tool_call>{"name": "arguments", "arguments": {}}</tool_call>`,
			`call:<tool_call>{"name": "arguments", "arguments": {}}</tool_call>|name:arguments|arguments:{}`},
		{"tags", "<tool_call>\n<function=tool>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>",
			"call:<tool_call>\n<function=tool>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>|name:tool|arguments:<parameter=a>\n1\n</parameter>"},
		{"a name with escapes", `<tool_call>{"name": "f\u00e9", "arguments": {"n": "f\u00e9"}}</tool_call>`,
			`call:<tool_call>{"name": "f\u00e9", "arguments": {"n": "f\u00e9"}}</tool_call>|name:f\u00e9|arguments:{"n": "f\u00e9"}`},
		{"arguments in a string", `{"tool_calls":[{"function":{"arguments":"{\"a\":1}","name":"f"}}]}`,
			`call:{"tool_calls":[{"function":{"arguments":"{\"a\":1}","name":"f"}}]}|name:f|arguments:{\"a\":1}`},
		{"a file", `<write_file path="/a" mode="x">b</write_file>`,
			`call:<write_file path="/a" mode="x">b</write_file>|name:write_file|arguments:path="/a" mode="x">b`},
		{"a file without content", `[[SEG_START {"type": "write_file", "path": "/a"}]][[SEG_END]]`,
			`call:[[SEG_START {"type": "write_file", "path": "/a"}]][[SEG_END]]|name:write_file|arguments:"path": "/a"`},
		{"cut", `a<tool_call>{"name": "f", "arguments": {"x": "y`,
			`text:a|call:<tool_call>{"name": "f", "arguments": {"x": "y|name:f|arguments:{"x": "y`},
	} {
		t.Run(test.name, func(t *testing.T) {
			kit, err := toolparse.New(toolparse.Options{Spans: true})
			if err != nil {
				t.Fatal(err)
			}
			answer, err := kit.Parse(test.text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range answer.Spans {
				got = append(got, string(s.Kind)+":"+test.text[s.Start:s.End])
			}
			if diff := cmp.Diff(test.want, strings.Join(got, "|")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// In every dialect's own example the name and the arguments have a span inside of
// their call's, and the name's span holds the name.
func TestSpansOfEveryDialect(t *testing.T) {
	for _, d := range dialect.All() {
		if d.Native() {
			continue
		}
		kit, err := toolparse.New(toolparse.Options{Dialect: d.Name, Spans: true})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := kit.Parse(d.Example)
		if err != nil {
			t.Fatal(err)
		}
		found := map[toolparse.SpanKind]string{}
		for _, s := range answer.Spans {
			found[s.Kind] = d.Example[s.Start:s.End]
		}
		if found["name"] != "get_weather" || !strings.Contains(found["arguments"], "Oslo") || !strings.Contains(found["call"], found["arguments"]) {
			t.Errorf("%s: %q: spans %q", d.Name, d.Example, found)
		}
	}
}

// In every vector, in its own dialect and detected, each call has a span, and in it those of
// its name and of its arguments.
func TestSpansOfVectors(t *testing.T) {
	files, err := filepath.Glob("testdata/conformance/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	calls := 0
	for _, file := range files {
		lines, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(lines)) {
			var v struct {
				ID, Dialect, Input string
				Chunks             []string
			}
			if json.Unmarshal([]byte(line), &v) != nil {
				continue // chunks that are events of a wire
			}
			text := v.Input + strings.Join(v.Chunks, "")
			for _, dialect := range []string{v.Dialect, "auto"} {
				kit, err := toolparse.New(toolparse.Options{Dialect: dialect, Spans: true})
				if err != nil {
					t.Fatal(err)
				}
				answer, err := kit.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				calls += len(answer.Calls)
				for _, call := range answer.Calls {
					if wrong := wrongSpans(text, call, answer.Spans); wrong != "" {
						t.Errorf("%s, read as %s: %s of %s %s: %q", v.ID, dialect, wrong, call.Name, call.Arguments, text)
					}
				}
			}
		}
	}
	if calls < 1000 {
		t.Errorf("%d calls", calls)
	}
}

// wrongSpans says what is wrong with the spans of a call.
func wrongSpans(text string, call toolparse.ToolInvocation, spans []toolparse.Span) string {
	found := map[toolparse.SpanKind]string{}
	for _, s := range spans {
		if s.ID != call.ID {
			continue
		}
		if s.Start < call.Start || s.Start >= s.End || s.End > call.End || found[s.Kind] != "" {
			return string(s.Kind)
		}
		found[s.Kind] = text[s.Start:s.End]
	}
	name, arguments := found[toolparse.SpanName], found[toolparse.SpanArguments]
	var unquoted string
	_ = json.Unmarshal([]byte(`"`+name+`"`), &unquoted) // a name without escapes is compared as it is
	var values map[string]any
	switch {
	case found[toolparse.SpanCall] == "":
		return "call"
	case name == "" && !strings.ContainsAny(found[toolparse.SpanCall], `&\`) && !strings.Contains(found[toolparse.SpanCall], call.Name):
		// only implied, by an id or by the arguments
	case name != call.Name && unquoted != call.Name && html.UnescapeString(name) != call.Name:
		return "name"
	case call.Status != toolparse.Complete || json.Unmarshal(call.Arguments, &values) != nil:
		return ""
	}
	for key, value := range values { // as far as they stand in the call as they are
		value, isText := value.(string)
		if value = strings.TrimRight(value, "\n"); call.Dialect == "xml" && strings.HasPrefix(value, "</") {
			continue // it is written with entities, and the markup is that of the call
		}
		if isText && value != call.Name && strings.Contains(found[toolparse.SpanCall], value) && !strings.Contains(arguments, value) {
			return "the argument " + key
		}
	}
	return ""
}

func TestOffsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(rapid.SampledFrom([]string{"", "a", "é", "𝄞"}).Draw(t, "lead"), rapid.IntRange(0, 300).Draw(t, "times")) +
			strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"abc", "é", "日本", "𝄞", "\xff", strings.Repeat("x", 200)}), 0, 12).Draw(t, "text"), "")
		chars, units := toolparse.NewOffsets(text, toolparse.Chars), toolparse.NewOffsets(text, toolparse.UTF16)
		n, u := int64(0), int64(0)
		for at, r := range text {
			if got := chars.Of(int64(at)); got != n {
				t.Fatalf("byte %d of %q is character %d, got %d", at, text, n, got)
			}
			if got := units.Of(int64(at)); got != u {
				t.Fatalf("byte %d of %q is unit %d, got %d", at, text, u, got)
			}
			if got := chars.Byte(n); got != int64(at) {
				t.Fatalf("character %d of %q is byte %d, got %d", n, text, at, got)
			}
			if got := units.Byte(u); got != int64(at) {
				t.Fatalf("unit %d of %q is byte %d, got %d", u, text, at, got)
			}
			n, u = n+1, u+int64(len(utf16.Encode([]rune{r})))
		}
		if got := chars.Of(int64(len(text))); got != n {
			t.Fatalf("the end of %q is character %d, got %d", text, n, got)
		}
	})
}

// A marker counts only where a byte of it came as a special token.
func TestParseSpecial(t *testing.T) {
	const call = `<tool_call>{"name": "f", "arguments": {"a": "<tool_call>"}}</tool_call>`
	kit, err := toolparse.New(toolparse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := "<think>a</think>Write " + call + " or " + call
	second := int64(strings.LastIndex(text, call))
	for _, test := range []struct {
		name    string
		special []toolparse.Range
		text    string
		calls   int
	}{
		{"none", nil, text, 0},
		{"the second", ranges(second, second+11, int64(len(text))-12, int64(len(text))), text[:second], 1},
		{"a byte of both and the reasoning", ranges(0, 7, 8, 16, 22, 23, second+10, second+11), "Write  or ", 2},
		{"between markers", ranges(16, 22, second-3, second), text, 0},
	} {
		answer, err := kit.ParseSpecial(text, test.special)
		if err != nil || answer.Text != test.text || len(answer.Calls) != test.calls {
			t.Errorf("%s: text %q, %d calls (%v)", test.name, answer.Text, len(answer.Calls), err)
		}
	}
	bare, err := kit.ParseSpecial(`{"tool_calls": [{"name": "f", "arguments": {}}]}`, nil)
	if err != nil || len(bare.Calls) != 1 {
		t.Errorf("a call without a marker: %+v (%v)", bare, err)
	}
}

// ranges returns those with the starts and ends.
func ranges(offsets ...int64) []toolparse.Range {
	var all []toolparse.Range
	for i := 0; i < len(offsets); i += 2 {
		all = append(all, toolparse.Range{Start: offsets[i], End: offsets[i+1]})
	}
	return all
}

// A tool may be named like the markup around it: its name stands where that of any
// other tool would.
func TestSpanOfNames(t *testing.T) {
	names := []string{"json", "message", "arguments", "parameters", "parameter", "name", "tool", "function", "functions", "call", "invoke",
		"args", "commentary", "to", "tool_call", "type", "input", "id", "tool_name", "start"}
	for _, d := range dialect.All() {
		if d.Native() {
			continue
		}
		for _, name := range names {
			want, got := nameOffset(t, d, strings.Repeat("q", len(name))), nameOffset(t, d, name)
			if got != want && got >= 0 {
				t.Errorf("%s: the name %q is at %d, and that of another tool at %d: %q", d.Name, name, got, want, written(d, name))
			}
		}
	}
}

// written is a call of a tool as a dialect writes it.
func written(d *dialect.Dialect, name string) string {
	tools := []toolparse.ToolDefinition{{Name: name, Parameters: []byte(`{"type":"object","properties":{"city":{"type":"string"}}}`)}}
	w, err := text.NewWriter(d, text.Options{Tools: tools})
	if err != nil {
		return ""
	}
	out, err := w.Append(nil, text.Message{Calls: []toolparse.ToolInvocation{{Name: name, Arguments: []byte(`{"city":"Oslo"}`)}}})
	if err != nil {
		return ""
	}
	return string(out)
}

// nameOffset is where the span of the name begins in such a call; -1 where there is none.
func nameOffset(t *testing.T, d *dialect.Dialect, name string) int64 {
	t.Helper()
	kit, err := toolparse.New(toolparse.Options{Dialect: d.Name, Spans: true})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := kit.Parse(written(d, name))
	if err != nil || len(answer.Calls) != 1 || answer.Calls[0].Name != name {
		return -1
	}
	for _, s := range answer.Spans {
		if s.Kind == toolparse.SpanName {
			return s.Start
		}
	}
	return -1
}
