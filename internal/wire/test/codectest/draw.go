package codectest

import (
	"encoding/json"
	"strings"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
)

// Texts draws non-empty texts with characters that JSON must escape, and with the given words,
// which a wire might take for more than text.
func Texts(words ...string) *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringN(1, 12, -1),
		rapid.SampledFrom(append([]string{`"`, "\\", "a\nb\r", "é😀", "\x00\x1f\x7f", "{}", "[tool", "[tool_error]", "[result"}, words...)),
	)
}

// NotBlank draws no blank texts.
func NotBlank(texts *rapid.Generator[string]) *rapid.Generator[string] {
	return texts.Filter(func(s string) bool { return strings.TrimSpace(s) != "" })
}

// Unknown draws members that no wire knows.
type Unknown struct {
	Wire string
	Null bool // null differs from an absent member
}

// Draw draws such members of an object, and of the objects in it.
func (u Unknown) Draw(t *rapid.T, in ...string) (x chat.Extras) {
	values := []string{"false", "1.50", `{"a":[1,null,"b"]}`, `"é\n"`, "10000000000000001"}
	if u.Null {
		values = append(values, "null")
	}
	for _, in := range append(in, "") {
		if rapid.IntRange(0, 3).Draw(t, "extra") == 0 {
			x = append(x, chat.Extra{Wire: u.Wire, In: in, Name: "x_unknown", Value: json.RawMessage(OneOf(t, "value", values...))})
		}
	}
	return x
}

// Arguments draws the arguments of a call, also broken ones.
func Arguments(t *rapid.T, more ...string) string {
	return OneOf(t, "arguments", append([]string{"{}", `{"a": 10000000000000001}`, `{"a":"b\n\"\u00e9"}`}, more...)...)
}

// OneOf draws one of several values.
func OneOf[T any](t *rapid.T, label string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, label)
}

// Switch draws a flag that may be unset.
func Switch(t *rapid.T, label string) chat.Switch {
	return OneOf(t, label, chat.Unset, chat.On, chat.Off)
}

// Letters names things by their numbers.
func Letters(numbers ...int) (name string) {
	for _, n := range numbers {
		name += string(rune('a' + n))
	}
	return name
}

// Settings draws the settings of a request that all wires have.
func Settings(t *rapid.T) *chat.Request {
	return &chat.Request{
		Temperature: OneOf(t, "temperature", json.Number(""), "0", "0.70", "1e-1"),
		TopP:        OneOf(t, "top_p", json.Number(""), "0.95"),
		MaxTokens:   rapid.IntRange(0, 9).Draw(t, "max_tokens"),
	}
}

// Stops draws stop sequences.
func Stops(t *rapid.T, texts *rapid.Generator[string]) (stop []string) {
	for range rapid.IntRange(0, 2).Draw(t, "stops") {
		stop = append(stop, texts.Draw(t, "stop"))
	}
	return stop
}

// Tools draws functions with these schemas. each, if it is not nil, adds more to a function.
func Tools(t *rapid.T, schemas []string, each func(*chat.Tool)) (tools []chat.Tool) {
	for i := range rapid.IntRange(0, 3).Draw(t, "tools") {
		tool := Tool("tool_"+Letters(i), OneOf(t, "schema", schemas...))
		tool.Description = OneOf(t, "description", "", "d é")
		each(&tool)
		tools = append(tools, tool)
	}
	return tools
}

// Count draws a small count.
func Count(t *rapid.T, name string) int { return rapid.IntRange(0, 9).Draw(t, name) }

// Choice draws a choice among the tools that Tools draws, and some others.
func Choice(t *rapid.T, more ...chat.ToolChoice) chat.ToolChoice {
	return OneOf(t, "choice", append([]chat.ToolChoice{
		{}, {Mode: chat.ChoiceAuto}, {Mode: chat.ChoiceNone}, {Mode: chat.ChoiceRequired}, {Mode: chat.ChoiceOne, Tools: []string{"tool_a"}},
		{Mode: chat.ChoiceAuto, Tools: []string{"tool_a", "tool_c"}}, {Mode: chat.ChoiceRequired, Tools: []string{"tool_a", "tool_c"}},
	}, more...)...)
}

// Usage draws counts of all kinds, with a total.
func Usage(t *rapid.T) chat.Usage {
	reasoning := Count(t, "reasoning")
	return wire.WithTotal(chat.Usage{
		Input: 1 + Count(t, "input"), Output: reasoning + Count(t, "other output"), Reasoning: reasoning,
		CachedInput: Count(t, "cached"), CacheWrite: Count(t, "write"),
	})
}
