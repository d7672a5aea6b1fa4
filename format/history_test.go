package format

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// Two successive turns of the model with calls become one turn on wires where the results
// must follow it, so that no call stays unanswered.
func TestTurnsInARowAreAnswered(t *testing.T) {
	call := func(id string) chat.Message {
		return chat.Message{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart(id, "f", "{}")}}
	}
	result := func(id string) chat.Message {
		return chat.Message{Role: chat.ToolRole, Parts: []chat.Part{chat.ResultPart(id, chat.TextPart("ok "+id))}}
	}
	req := &chat.Request{Model: "m", Messages: []chat.Message{
		{Role: chat.User, Parts: []chat.Part{chat.TextPart("hi")}}, call("a"), call("b"), call("c"), result("a"), result("b"), result("c"),
	}}
	for _, to := range Wires() {
		codec, err := all.CodecOf(to)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := codec.EncodeRequest(req, wire.Options{})
		got, err := codec.DecodeRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		open := 0 // calls without a result
		for i, m := range got.Messages {
			if m.HasCalls() && open > 0 && to != Anthropic { // which joins turns itself
				t.Errorf("%s: message %d follows calls that have no result: %s", to, i, body)
			}
			for _, p := range m.Parts {
				switch p.Kind {
				case chat.PartCall:
					open++
				case chat.PartResult:
					open--
				}
			}
		}
		if open != 0 {
			t.Errorf("%s: %d calls without a result: %s", to, open, body)
		}
	}
}

// The only message is never removed, even if its text is empty.
func TestTheOnlyMessageStays(t *testing.T) {
	for from, body := range map[Wire]string{
		OpenAI: `{"model":"m","messages":[{"role":"user","content":""}]}`, Responses: `{"model":"m","input":""}`,
		Anthropic: `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":""}]}`,
		Gemini:    `{"contents":[{"role":"user","parts":[{"text":""}]}]}`, Ollama: `{"model":"m","messages":[{"role":"user","content":""}]}`,
	} {
		for _, to := range Wires() {
			out, losses, err := Translate([]byte(body), from, to, KindRequest, TranslateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ Messages, Contents []json.RawMessage }
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			if to != Responses && len(got.Messages)+len(got.Contents) != 1 {
				t.Errorf("%s to %s: %s", from, to, out)
			}
			if to == Anthropic != strings.Contains(fmt.Sprint(losses), "replaces it: the request") && to != Gemini {
				t.Errorf("%s to %s: losses %v", from, to, losses)
			}
		}
	}
}
