package history_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/history"
	"github.com/toolparse/toolparse/internal/recent"
	"github.com/toolparse/toolparse/toolcall"
)

// TestRemembered checks that renderers with a memory write every beginning of a conversation as
// those without one, whatever they wrote before.
func TestRemembered(t *testing.T) {
	dialects := writable()
	words := rapid.SampledFrom([]string{"", "Look.", "Look again.", "<tool_call>", "Thought: ```", "\xff", "a\x00b"})
	arguments := rapid.SampledFrom([]string{"", "{}", `{"q":"x"}`, `{"n":1,"q":"</tool_call>"}`, `{"n":`, `{"odd":[1,{"a":"b"}]}`})
	texts := recent.NewTexts()
	made := map[*dialect.Dialect][][2]*history.Renderer{} // with and without the memory
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(dialects).Draw(t, "dialect")
		if made[d] == nil {
			for _, declared := range [][]toolcall.ToolDefinition{tools, tools[1:]} {
				made[d] = append(made[d], [2]*history.Renderer{
					renderer(t, d, history.Options{Tools: declared, Texts: texts, MaxResult: 9}), renderer(t, d, history.Options{Tools: declared, MaxResult: 9}),
				})
			}
		}
		var conversation []chat.Message
		for i := range rapid.IntRange(1, 6).Draw(t, "turns") {
			at := rapid.IntRange(0, 1).Draw(t, "at") // so that turns repeat at different places
			ids := []string{strconv.Itoa(at), strconv.Itoa(i)}
			m := turn()
			if s := words.Draw(t, "reasoning"); s != "" {
				m.Parts = append(m.Parts, chat.Part{Kind: chat.PartReasoning, Text: s})
			}
			if s := words.Draw(t, "text"); s != "" {
				m.Parts = append(m.Parts, chat.TextPart(s))
			}
			var results []chat.Message
			for range rapid.IntRange(0, 2).Draw(t, "calls") {
				id := rapid.SampledFrom(ids).Draw(t, "id")
				m.Parts = append(m.Parts, chat.CallPart(id, rapid.SampledFrom([]string{"look", "get_weather", "odd>name"}).Draw(t, "name"), arguments.Draw(t, "arguments")))
				switch r := result(id, words.Draw(t, "result")); rapid.IntRange(0, 5).Draw(t, "kind") {
				case 0: // no result
				case 1:
					r.Parts[0].Result.Parts = append(r.Parts[0].Result.Parts, chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png"}})
					results = append(results, r)
				case 2:
					r.Parts[0].Result.IsError = true
					results = append(results, r)
				default:
					results = append(results, r)
				}
			}
			conversation = append(append(conversation, m), results...)
			if rapid.Bool().Draw(t, "asks") {
				conversation = append(conversation, said(words.Draw(t, "question")))
			}
		}
		for range 2 {
			for n := range len(conversation) {
				for i, set := range made[d] {
					got, losses := set[0].Render(slices.Clone(conversation[:n+1]))
					want, lost := set[1].Render(slices.Clone(conversation[:n+1]))
					if diff := cmp.Diff(want, got) + cmp.Diff(lost, losses); diff != "" {
						t.Fatalf("%s, tools %d, %d messages (-without +with a memory):\n%s", d.Name, i, n+1, diff)
					}
				}
			}
		}
	})
}

// TestRememberedApart checks that turns which differ in one thing are not taken for each other.
func TestRememberedApart(t *testing.T) {
	call := chat.CallPart("c1", "look", `{"q":"x"}`)
	failed, image, empty := result("c1", "A fish."), result("c1", ""), result("c1", "")
	failed.Parts[0].Result.IsError = true
	image.Parts[0].Result.Parts = []chat.Part{{Kind: chat.PartImage, Media: &chat.Media{Type: "image/png"}}}
	empty.Parts[0].Result.Parts = []chat.Part{{Kind: chat.PartText}}
	thought := chat.Part{Kind: chat.PartReasoning, Text: "Hm."}
	conversations := [][]chat.Message{
		{turn(call), result("c1", "A fish.")},
		{turn(call), failed},
		{turn(call), empty},
		{turn(call), image},
		{turn(call)},
		{turn(call), said("Go on.")},
		{turn(chat.CallPart("c0", "look", `{"q":"x"}`)), result("c0", "A fish."), turn(call), result("c1", "A fish.")},
		{said("Look."), turn(thought, call), result("c1", "A fish.")},
		{said("Look."), turn(thought, call), result("c1", "A fish."), said("Again.")},
		{turn(chat.TextPart("Hm."), call), result("c1", "A fish.")},
		{turn(chat.CallPart("c2", "look", `{"q":"x"}`)), result("c2", "A fish.")},
		{turn(chat.CallPart("c1", "look", `{"q":"xx"}`)), result("c1", "A fish.")},
		{turn(chat.CallPart("c1", "look", `{"q":"x"}`)), result("c1", "A fish. ")},
	}
	for _, d := range writable() {
		with, without := renderer(t, d, history.Options{Texts: recent.NewTexts()}), renderer(t, d, history.Options{})
		for i, conversation := range slices.Concat(conversations, conversations) {
			got, losses := with.Render(conversation)
			want, lost := without.Render(conversation)
			if diff := cmp.Diff(want, got) + cmp.Diff(lost, losses); diff != "" {
				t.Errorf("%s, conversation %d (-without +with a memory):\n%s", d.Name, i%len(conversations), diff)
			}
		}
	}
}

var benchmarkDialects = []string{"hermes", "qwen3_coder"}

// BenchmarkRender renders a conversation of 100 turns with one call each, of which the last is
// new: with a memory, and without one.
func BenchmarkRender(b *testing.B) {
	for _, name := range benchmarkDialects {
		list, err := dialect.Named(name, "")
		if err != nil {
			b.Fatal(err)
		}
		for _, texts := range []*recent.Texts{recent.NewTexts(), nil} {
			r := renderer(b, list[0], history.Options{Texts: texts})
			var conversation []chat.Message
			for i := range 100 {
				id := "call_" + strconv.Itoa(i)
				conversation = append(conversation, turn(chat.TextPart("I look at it once more."), chat.CallPart(id, "look", `{"n":`+strconv.Itoa(i)+`,"q":"fish"}`)), result(id, "There is a fish.\n"))
			}
			b.Run(name+"/memory="+strconv.FormatBool(texts != nil), func(b *testing.B) {
				b.ReportAllocs()
				for n := 0; b.Loop(); n++ {
					conversation[len(conversation)-1] = result("call_99", "There are "+strconv.Itoa(n)+" fish.\n")
					r.Render(conversation)
				}
			})
		}
	}
}
