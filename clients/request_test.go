package clients

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// What the clients ask, each in its own words.
const (
	model     = "some-model"
	system    = "Be brief."
	question  = "What is the weather here, and how does it look?"
	spoken    = "I look it up."
	weather   = "12 °C"
	failure   = "the camera is off"
	thanks    = "And tomorrow?"
	maxTokens = 500
	// picture is a PNG of one pixel.
	picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

// schemaOf returns the parameters of a tool.
func schemaOf(name string) map[string]any {
	type object = map[string]any
	if name == "take_picture" {
		return object{"type": "object", "properties": object{}, "required": []string{}}
	}
	return object{
		"type": "object",
		"properties": object{
			"city": object{"type": "string", "description": "the city's name"},
			"days": object{"type": "integer"},
		},
		"required": []string{"city"},
	}
}

// conversation is what a request says.
type conversation struct {
	Model, System string
	Turns         []turn
	Tools         []tool
	Choice        string
	Parallel      chat.Switch
	MaxTokens     int
	Temperature   string
	Stop          []string
}

// turn is a message, or one of the results in one.
type turn struct {
	Role            chat.Role
	Texts, Thinking string
	Images          []string
	Calls           []call
	Answers, Name   string // of a result: the call's id, and its tool
	Failed          bool
}

type tool struct{ Name, Description, Schema string }

// conversationOf returns what a request says, whatever its wire.
func conversationOf(t *testing.T, req *chat.Request) conversation {
	t.Helper()
	c := conversation{
		Model: req.Model, Parallel: req.ParallelCalls, MaxTokens: req.MaxTokens, Stop: req.Stop,
		Temperature: canonical(string(req.Temperature)), Choice: choiceOf(req.ToolChoice),
	}
	for _, m := range wire.Link(req.Messages) {
		if m.Role == chat.System || m.Role == chat.Developer {
			for _, p := range m.Parts {
				c.System += p.Text
			}
			continue
		}
		said := turn{Role: m.Role}
		for _, p := range m.Parts {
			if p.Kind == chat.PartResult {
				answer := turn{Role: chat.ToolRole, Answers: p.Result.CallID, Name: p.Result.Name, Failed: p.Result.IsError}
				for _, inner := range p.Result.Parts {
					answer.add(t, inner)
				}
				c.Turns = append(c.Turns, answer)
				continue
			}
			said.add(t, p)
		}
		if last := len(c.Turns) - 1; said.Role == chat.Assistant && last >= 0 && c.Turns[last].Role == chat.Assistant {
			c.Turns[last].Texts += said.Texts // where a turn is several items
			c.Turns[last].Thinking += said.Thinking
			c.Turns[last].Calls = append(c.Turns[last].Calls, said.Calls...)
			continue
		}
		if said.Texts != "" || said.Thinking != "" || said.Images != nil || said.Calls != nil {
			c.Turns = append(c.Turns, said)
		}
	}
	for _, d := range req.Tools {
		c.Tools = append(c.Tools, tool{d.Name, d.Description, schemaText(t, d.Parameters)})
	}
	return c
}

func (to *turn) add(t *testing.T, p chat.Part) {
	t.Helper()
	switch p.Kind {
	case chat.PartText:
		to.Texts += p.Text
	case chat.PartReasoning:
		to.Thinking += p.Text
	case chat.PartImage:
		to.Images = append(to.Images, p.Media.Type+" "+p.Media.Data)
	case chat.PartCall:
		to.Calls = append(to.Calls, call{p.Call.ID, p.Call.Name, canonical(p.Call.Arguments)})
	default:
		t.Errorf("a part of kind %v", p.Kind)
	}
}

func choiceOf(c chat.ToolChoice) string {
	mode := map[chat.ChoiceMode]string{chat.ChoiceUnset: "auto", chat.ChoiceAuto: "auto", chat.ChoiceNone: "none", chat.ChoiceRequired: "required", chat.ChoiceOne: "one"}[c.Mode]
	return strings.TrimSpace(mode + " " + strings.Join(c.Tools, " "))
}

// schemaText returns a schema such that those that say the same are the same.
func schemaText(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	schema := map[string]any{"type": "object"}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatalf("%v\n%s", err, raw)
		}
	}
	for _, name := range []string{"properties", "required"} {
		switch v := schema[name].(type) {
		case map[string]any:
			if len(v) == 0 {
				delete(schema, name)
			}
		case []any:
			if len(v) == 0 {
				delete(schema, name)
			}
		}
	}
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The request of every client, as it really sends it, is understood, and says
// the same on every wire, but for what the losses tell.
func TestRequestsOfClients(t *testing.T) {
	for _, c := range clients {
		s := serve(t, "application/json", []byte("{}"))
		c.ask(t, s.URL)
		body := s.request()
		asked := read(t, c.wire, body)
		if diff := cmp.Diff(meant(c.wire, asked), asked); diff != "" {
			t.Errorf("%s (-meant +read):\n%s\n%s", c.wire, diff, body)
		}
		for _, to := range format.Wires() {
			t.Run(string(c.wire)+" as "+string(to), func(t *testing.T) {
				out, losses, err := format.Translate(body, c.wire, to, format.KindRequest, format.TranslateOptions{})
				if err != nil {
					t.Fatal(err)
				}
				want, got := read(t, c.wire, body), read(t, to, out)
				want.lose(losses)
				got.lose(losses)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-asked +there):\n%s\nlosses %v\n%s", diff, losses, out)
				}
			})
		}
	}
}

func read(t *testing.T, w format.Wire, body []byte) conversation {
	t.Helper()
	codec, err := all.CodecOf(w)
	if err != nil {
		t.Fatal(err)
	}
	req, err := codec.DecodeRequest(body)
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return conversationOf(t, req)
}

// meant returns what the request of a client is meant to say. The ids that it
// has none of are those that were made, and must not be the same.
func meant(w format.Wire, asked conversation) conversation {
	ids := [2]string{"call_1", "call_2"}
	switch {
	case w == format.Anthropic:
		ids = [2]string{"toolu_1", "toolu_2"}
	case (w == format.Gemini || w == format.Ollama) && len(asked.Turns) > 1 && len(asked.Turns[1].Calls) == 2:
		ids = [2]string{asked.Turns[1].Calls[0].ID, asked.Turns[1].Calls[1].ID}
		if ids[0] == ids[1] || ids[0] == "" || ids[1] == "" {
			ids = [2]string{"an id", "another"}
		}
	}
	image := []string{"image/png " + picture}
	arguments := `{"city":"Oslo","days":2}`
	if w == format.OpenAI || w == format.Responses { // which have them as text
		arguments = `{"city":"Oslo","days":10000000000000001}`
	}
	says := turn{Role: chat.Assistant, Texts: spoken, Calls: []call{{ids[0], "get_weather", arguments}, {ids[1], "take_picture", "{}"}}}
	second := turn{Role: chat.ToolRole, Texts: failure, Answers: ids[1], Name: "take_picture"}
	c := conversation{
		Model: model, System: system, Choice: "required", Parallel: chat.Off, MaxTokens: maxTokens, Temperature: "0.5",
		Tools: []tool{
			{"get_weather", "Tells the weather.", `{"properties":{"city":{"description":"the city's name","type":"string"},"days":{"type":"integer"}},"required":["city"],"type":"object"}`},
			{"take_picture", "Takes a picture.", `{"type":"object"}`},
		},
	}
	switch w {
	case format.OpenAI:
		c.Choice = "one get_weather"
	case format.Responses:
		second.Texts, second.Images = "", image
	case format.Anthropic:
		says.Thinking = "Both."
		second.Failed, second.Images = true, image
		c.Stop = []string{"END"}
	case format.Gemini:
		second.Failed = true
		c.Model, c.Choice, c.Parallel, c.Stop = "", "one get_weather", chat.Unset, []string{"END"} // the URL has the model
	case format.Ollama:
		says.Thinking = "Both."
		second.Texts, second.Images = "", image
		c.Choice, c.Parallel, c.Stop = "auto", chat.Unset, []string{"END"}
	}
	c.Turns = []turn{
		{Role: chat.User, Texts: question, Images: image},
		says,
		{Role: chat.ToolRole, Texts: weather, Answers: ids[0], Name: "get_weather"},
		second,
		{Role: chat.User, Texts: thanks},
	}
	return c
}

// lose takes out of a conversation what losses tell, and nothing else.
func (c *conversation) lose(losses []chat.Loss) {
	for _, l := range losses {
		switch {
		case l.Field == "model":
			c.Model = ""
		case l.Field == "parallel_calls":
			c.Parallel = chat.Unset
		case l.Field == "stop":
			c.Stop = nil
		case l.Field == "temperature":
			c.Temperature = ""
		case l.Field == "tool_choice":
			if one, ok := strings.CutPrefix(c.Choice, "one "); ok {
				c.Tools = slices.DeleteFunc(c.Tools, func(t tool) bool { return t.Name != one })
			}
			c.Choice = ""
		case strings.HasSuffix(l.Field, ".text") && strings.Contains(l.Reason, "the provider's own"): // reasoning
			for i := range c.Turns {
				c.Turns[i].Thinking = ""
			}
		case strings.Contains(l.Field, ".result.parts["): // an image goes to the user's message
			c.Turns = slices.DeleteFunc(c.Turns, func(t turn) bool { return t.Role == chat.User && strings.HasPrefix(t.Texts, "[image of ") })
			for i := range c.Turns {
				t := &c.Turns[i]
				if t.Role == chat.ToolRole {
					t.Images = nil
					t.Texts, _, _ = strings.Cut(t.Texts, "[image of ")
				}
			}
		}
	}
}
