package parser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// toolsNamed declares tools that have only a name.
func toolsNamed(names ...string) []toolcall.ToolDefinition {
	var list []toolcall.ToolDefinition
	for _, name := range names {
		list = append(list, toolcall.ToolDefinition{Name: name})
	}
	return list
}

// TestChannels checks what the parser makes of headers and of the messages after them, in
// whole text and byte by byte. Each event has the same bytes either way.
func TestChannels(t *testing.T) {
	const call = `<|start|>assistant to=functions.f<|channel|>commentary json<|message|>`
	for _, tt := range []struct {
		name string
		opts Options
		text string
		want []string
	}{
		{"the header begins the segment, and the token ends it", Options{Dialects: []*dialect.Dialect{row("openai")}},
			"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>so<|return|>", []string{
				`reasoning content "hm" complete raw ["<|channel|>analysis<|message|>" "hm" "<|end|>"]`,
				`text content "so" complete raw ["<|start|>assistant<|channel|>final<|message|>" "so" "<|return|>"]`,
			}},
		{"a header begins the call", Options{Dialects: []*dialect.Dialect{row("openai")}},
			call + `{"a":1}<|call|>`, []string{
				`tool_call f content "{\"a\":1}" complete raw ["` + call + `" "{\"a\":1}" "<|call|>"]`,
			}},
		{"a missing end is tolerated", Options{Dialects: []*dialect.Dialect{row("openai")}},
			call + `{}` + call + `{}`, []string{
				`tool_call f content "{}" complete missing_closer raw ["` + call + `" "{}" ""]`,
				`tool_call f content "{}" complete missing_closer raw ["` + call + `" "{}" ""]`,
			}},
		{"an empty message has no arguments", Options{Dialects: []*dialect.Dialect{row("openai")}},
			call + `<|call|>`, []string{
				`tool_call f content "{}" complete raw ["` + call + `" "" "<|call|>"]`,
			}},
		{"something else is malformed", Options{Dialects: []*dialect.Dialect{row("openai")}},
			call + `<b>no</b><|call|>ok`, []string{
				`tool_call f content "" malformed arguments_not_an_object raw ["` + call + `" "<b>no</b>" "<|call|>"]`,
				`text content "ok" complete raw ["" "ok" ""]`,
			}},
		{"two messages stay separate", Options{Dialects: []*dialect.Dialect{row("openai")}},
			"<|channel|>commentary<|message|>a<|end|><|channel|>final<|message|>b", []string{
				`text content "a" complete raw ["<|channel|>commentary<|message|>" "a" "<|end|>"]`,
				`text content "\nb" complete raw ["<|channel|>final<|message|>" "b" ""]`,
			}},
		{"blanks between messages belong to the header", Options{Dialects: []*dialect.Dialect{row("openai")}},
			"<|channel|>final<|message|>a<|end|>\n<|start|>assistant to=f<|message|>{}<|call|>", []string{
				`text content "a" complete raw ["<|channel|>final<|message|>" "a" "<|end|>"]`,
				`tool_call f content "{}" complete raw ["\n<|start|>assistant to=f<|message|>" "{}" "<|call|>"]`,
			}},
		{"messages to a tool of the model's own are dropped", Options{Dialects: []*dialect.Dialect{row("openai")}},
			"<|channel|>analysis to=python code<|message|>1+1<|call|>ok", []string{
				`text content "" complete raw ["<|channel|>analysis to=python code<|message|>" "1+1" "<|call|>"]`,
				`text content "ok" complete raw ["" "ok" ""]`,
			}},
		{"the tool is declared", Options{Dialects: []*dialect.Dialect{row("openai")}, Tools: toolsNamed("browser.open")},
			"<|channel|>commentary to=browser.open<|message|>{}<|call|>", []string{
				`tool_call browser.open content "{}" complete raw ["<|channel|>commentary to=browser.open<|message|>" "{}" "<|call|>"]`,
			}},
		{"a blank after the last token is layout", Options{Dialects: []*dialect.Dialect{row("llm_jp_harmony")}},
			"<|channel|> final<|message|>  a", []string{
				`text content " a" complete raw ["<|channel|> final<|message|> " " a" ""]`,
			}},
		{"the stream may begin in a header", Options{Dialects: []*dialect.Dialect{row("openai")}},
			"analysis<|message|>a", []string{
				`reasoning content "a" incomplete end_of_stream raw ["analysis<|message|>" "a" ""]`,
			}},
		{"prose that begins with the word of a token", Options{Dialects: []*dialect.Dialect{row("openai")}},
			"final answer: a", []string{
				`text content "final answer: a" complete raw ["" "final answer: a" ""]`,
			}},
		{"a header that is cut off is not text", Options{Dialects: []*dialect.Dialect{row("openai")}},
			"<|channel|>final<|message|>a<|end|><|start|>assistant<|channel|>fi", []string{
				`text content "a" complete raw ["<|channel|>final<|message|>" "a" "<|end|>"]`,
				`text content "" complete raw ["<|start|>assistant<|channel|>fi" "" ""]`,
			}},
		{"the message names a tool", Options{Dialects: []*dialect.Dialect{row("openai")}},
			"<|channel|>final<|message|>a<|start|>assistant to=functions.f", []string{
				`text content "a<|start|>assistant to=functions.f" complete raw ["<|channel|>final<|message|>" "a<|start|>assistant to=functions.f" ""]`,
			}},
		{"a header is short", Options{Dialects: []*dialect.Dialect{row("openai")}},
			"<|channel|>final" + strings.Repeat(" ", maxHeading) + "<|message|>a", []string{
				fmt.Sprintf("text content %[1]q complete raw [\"\" %[1]q \"\"]", "<|channel|>final"+strings.Repeat(" ", maxHeading)+"<|message|>a"),
			}},
		{"a header has few tokens", Options{Dialects: []*dialect.Dialect{row("openai")}},
			strings.Repeat("<|channel|>final", maxMarks+2) + "<|message|>a", []string{
				`text content "<|channel|>final" complete raw ["" "<|channel|>final" ""]`,
				`text content "a" complete raw ["` + strings.Repeat("<|channel|>final", maxMarks+1) + `<|message|>" "a" ""]`,
			}},
		{"a call is in the message to its tool", Options{Dialects: []*dialect.Dialect{row("muse")}},
			` to=f<|message|>` + "\n" + `<atem:invoke name="f"></atem:invoke><|eot|>`, []string{
				`tool_call f content "{}" complete missing_opener raw [" to=f<|message|>\n<atem:invoke name=\"f\">" "" "</atem:invoke>"]`,
				`text content "" complete raw ["<|eot|>" "" ""]`,
			}},
		{"after the message, any tool may be called", Options{Dialects: []*dialect.Dialect{row("muse")}},
			` to=user<|message|>a<|eom|><atem:invoke name="g"></atem:invoke>`, []string{
				`text content "a" complete raw [" to=user<|message|>" "a" "<|eom|>"]`,
				`tool_call g content "{}" complete missing_opener raw ["<atem:invoke name=\"g\">" "" "</atem:invoke>"]`,
			}},
		{"the end of a message inside code counts before another message", Options{Dialects: []*dialect.Dialect{row("openai")}},
			"<|channel|>final<|message|>`<|end|>` ``<|end|> \n<|start|>assistant to=f<|message|>{}", []string{
				"text content \"`<|end|>` ``\" complete raw [\"<|channel|>final<|message|>\" \"`<|end|>` ``\" \"<|end|>\"]",
				`tool_call f content "{}" complete missing_closer raw [" \n<|start|>assistant to=f<|message|>" "{}" ""]`,
			}},
		{"a blank at the end of the stream", Options{Dialects: []*dialect.Dialect{row("openai")}},
			"<|channel|>final<|message|>```\n<|end|>x\n```<|return|>\n", []string{
				"text content \"```\\n<|end|>x\\n```\" complete raw [\"<|channel|>final<|message|>\" \"```\\n<|end|>x\\n```\" \"<|return|>\"]",
				`text content "\n" complete raw ["" "\n" ""]`,
			}},
		{"another dialect's header is recovered for a declared tool", Options{Dialects: []*dialect.Dialect{row("hermes")}, Recover: true, Tools: toolsNamed("f")},
			"a<|channel|>commentary to=functions.f<|message|>{}<|call|>b<|channel|>final<|message|>c", []string{
				`text content "a" complete raw ["" "a" ""]`,
				`tool_call f content "{}" complete raw ["<|channel|>commentary to=functions.f<|message|>" "{}" "<|call|>"]`,
				`text content "b<|channel|>final<|message|>c" complete raw ["" "b<|channel|>final<|message|>c" ""]`,
			}},
		{"too many calls are rejected", Options{Dialects: []*dialect.Dialect{row("openai")}, Limits: toolcall.Limits{Calls: 1}},
			call + `{}<|call|>` + call + `{}<|call|>`, []string{
				`tool_call f content "{}" complete raw ["` + call + `" "{}" "<|call|>"]`,
				`tool_call f content "" rejected too_many_calls raw ["` + call + `" "" ""]`,
				`text content "{}" complete raw ["" "{}" "<|call|>"]`,
			}},
		{"too deep a call is rejected", Options{Dialects: []*dialect.Dialect{row("openai")}, Limits: toolcall.Limits{Depth: 3}},
			call + `{"a":[[[]]]}<|call|>ok`, []string{
				`tool_call f content "{\"a\":[[" rejected nested_too_deep raw ["` + call + `" "{\"a\":[[[]]]}" "<|call|>"]`,
				`text content "ok" complete raw ["" "ok" ""]`,
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, pieces := range [][]string{{tt.text}, strings.Split(tt.text, "")} {
				p, err := New(tt.opts)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, segments(p, pieces...)); diff != "" {
					t.Errorf("in %d pieces: %s", len(pieces), diff)
				}
			}
		})
	}
}

// TestChannelsStream checks that a long argument, and a long message, stream as they arrive.
func TestChannelsStream(t *testing.T) {
	for _, tt := range []struct{ dialect, opening string }{
		{"openai", `<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{"a": "`},
		{"llm_jp_harmony", `<|channel|> commentary to=functions.f<|message|> {"a": "`},
		{"muse", ` to=f<|message|><atem:function_calls><atem:invoke name="f"><atem:parameter name="a">`},
		{"kimi_k3", `<|open|>tools<|sep|><|open|>call tool="f" index="1"<|sep|><|open|>argument key="a" type="string"<|sep|>`},
		{"inkling", `<|message_model|><|content_invoke_tool_json|>{"name":"f","args":{"a":"`},
		{"openai", `<|channel|>analysis<|message|>`},
		{"openai", `<|channel|>final<|message|>`},
		{"muse", ` to=user<|message|>`},
		{"kimi_k3", `<|open|>response<|sep|>`},
		{"inkling", `<|content_thinking|>`},
	} {
		t.Run(tt.dialect+" "+tt.opening, func(t *testing.T) {
			dialects, err := dialect.Named(tt.dialect, "")
			if err != nil {
				t.Fatal(err)
			}
			p, err := New(Options{Dialects: dialects})
			if err != nil {
				t.Fatal(err)
			}
			p.Feed(nil, tt.opening)
			for i := range 1000 {
				piece := fmt.Sprintf("piece %d ", i)
				got := ""
				for _, e := range p.Feed(nil, piece+"x") {
					got += e.Payload
				}
				if !strings.HasSuffix(got, strings.TrimSpace(piece)+" x") {
					t.Fatalf("piece %q gives %q", piece, got)
				}
			}
		})
	}
}

// TestChannelsNotes checks that notes say why a header began no call.
func TestChannelsNotes(t *testing.T) {
	for _, tt := range []struct {
		name    string
		dialect *dialect.Dialect
		text    string
		want    []toolcall.Note
	}{
		{"words that no header has", row("openai"), "a <|start|> of", []toolcall.Note{{Offset: 2, Dialect: "openai", Rule: ruleHeading}}},
		{"the tool is the model's own", row("openai"), "<|channel|>analysis to=python<|message|>1", []toolcall.Note{{Offset: 0, Dialect: "openai", Rule: ruleOwn}}},
		{"the message is for another tool", row("muse"), ` to=f<|message|><atem:invoke name="g">`, []toolcall.Note{{Offset: 16, Dialect: "muse", Rule: ruleRecipient}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var notes []toolcall.Note
			p, err := New(Options{Dialects: []*dialect.Dialect{tt.dialect}, Notes: &notes})
			if err != nil {
				t.Fatal(err)
			}
			p.Close(p.Feed(nil, tt.text))
			if diff := cmp.Diff(tt.want, notes, cmpopts.IgnoreFields(toolcall.Note{}, "End")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFoldName(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"read", "read"}, {"read.read", "read"}, {"read.write", "read.write"}, {"a.a.a", "a.a.a"}, {"both.both", "both.both"}, {".", ""}, {"", ""},
	} {
		if got := foldName(tt.name, tools{"both.both": nil}); got != tt.want {
			t.Errorf("%q is folded to %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestChannelsFault(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(*dialect.Dialect)
		want string
	}{
		{"no marker ends a header", func(d *dialect.Dialect) { d.Channels.Message = nil }, `dialect "openai": channels.message is empty`},
		{"no marker ends a message", func(d *dialect.Dialect) { d.Channels.Close = nil }, `dialect "openai": channels.close is empty`},
		{"a token with a blank in it", func(d *dialect.Dialect) { d.Channels.Within = []string{"a b"} },
			`dialect "openai": channels.within needs tokens of at least two bytes, without blanks`},
		{"too many tokens", func(d *dialect.Dialect) { d.Channels.Within = slices.Repeat([]string{"<a>"}, lex.MaxPatterns) }, `dialect "openai": channels has too many tokens`},
		{"more kinds of calls than forms", func(d *dialect.Dialect) { d.Channels.Addressed, d.Channels.Calls = false, []string{"x", "y", "z"} },
			`dialect "openai": channels.calls has more entries than the dialect has forms`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := *row("openai")
			tt.edit(&d)
			if _, err := New(Options{Dialects: []*dialect.Dialect{&d}}); err == nil || err.Error() != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}
