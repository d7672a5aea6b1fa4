package format_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// bodyMaker generates whole answers of a wire, with valid and invalid calls.
type bodyMaker struct {
	t   *rapid.T
	ids int // number of ids so far: servers that repeat an id mean the same call
}

func (b *bodyMaker) pick(label string, words ...string) string {
	return rapid.SampledFrom(words).Draw(b.t, label)
}

// object joins members, except empty ones.
func object(members ...string) string {
	members = slices.DeleteFunc(members, func(m string) bool { return m == "" })
	return "{" + strings.Join(members, ",") + "}"
}

func (b *bodyMaker) list(label string, most int, item func() string) string {
	var items []string
	for range rapid.IntRange(0, most).Draw(b.t, label) {
		items = append(items, item())
	}
	return "[" + strings.Join(items, ",") + "]"
}

func (b *bodyMaker) id(key string) string {
	b.ids++
	return b.pick("id", "", `"`+key+`":""`, fmt.Sprintf(`%q:"c%d"`, key, b.ids))
}

func (b *bodyMaker) name() string {
	return b.pick("name", `"name":"f"`, `"name":"f"`, `"name":"g"`, `"name":"two words"`, `"name":" "`, `"name":""`, "")
}

// argumentTexts are arguments as text: complete, repairable, truncated, and not an
// object.
var argumentTexts = []string{
	`{}`, `{"a":1}`, `{"a":1}`, `{"input":"x"}`, `{"a":1,}`, `{'a':True}`, `{"a":[1}`, `{"a":`, `{"a":"x`, `{"a":1}}`, `[1]`, `"x"`, `"{\"a\":1}"`, `3`, `null`, ``, ` `, `x`,
	strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200),
}

// text returns a value that is such a text.
func (b *bodyMaker) text(key string) string {
	if rapid.IntRange(0, 9).Draw(b.t, "no text") == 0 {
		return b.pick("other", "", `"`+key+`":null`, `"`+key+`":{"a":1}`)
	}
	return `"` + key + `":` + strconv.Quote(b.pick("arguments", argumentTexts...))
}

// value returns a value that should be an object.
func (b *bodyMaker) value(key string) string {
	value := b.pick("value", "", `{}`, `{"a":1}`, `{"a":{"b":[1,"x"]}}`, `[1]`, `"x"`, `"{\"a\":1}"`, `"{\"a\":1,}"`, `3`, `null`,
		strings.Repeat(`{"a":`, 200)+"1"+strings.Repeat("}", 200))
	if value == "" {
		return ""
	}
	return `"` + key + `":` + value
}

// said returns a text of the model, which may contain calls, so that native ones and
// those in text are mixed.
func (b *bodyMaker) said() string {
	return strconv.Quote(b.pick("said", "hi", "hi", "a <b> c",
		`<tool_call>{"name": "t", "arguments": {"a": 1}}</tool_call>`, `I look.`+"\n"+`<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>`,
		`<tool name="x"><arguments><arg name="a">1</arg></arguments></tool>`, `<tool_call>{"name": "t", "arguments": {"a": `,
		`[TOOL_CALLS][{"name": "m", "arguments": {}}]`, "```json\n{\"name\": \"f\", \"arguments\": {}}\n```"))
}

func (b *bodyMaker) finish(key string, words ...string) string {
	word := b.pick("finish", append(words, "", "null", `""`, `"novel"`)...)
	if word == "" {
		return ""
	}
	return `"` + key + `":` + word
}

func (b *bodyMaker) openai() string {
	call := func() string {
		if rapid.IntRange(0, 4).Draw(b.t, "custom") == 0 {
			return object(b.id("id"), `"type":"custom"`, `"custom":`+object(b.name(), `"input":"say \"x\""`))
		}
		if rapid.IntRange(0, 4).Draw(b.t, "flat") == 0 {
			return object(b.id("id"), b.pick("type", "", `"type":"function"`), b.name(), b.text("arguments"))
		}
		return object(b.id("id"), `"type":"function"`, `"function":`+object(b.name(), b.text("arguments")))
	}
	message := object(`"role":"assistant"`, b.pick("content", "", `"content":null`, `"content":`+b.said()),
		b.pick("reasoning", "", `"reasoning_content":`+b.said()), `"tool_calls":`+b.list("calls", 3, call))
	said := `"message":` + message
	if rapid.IntRange(0, 9).Draw(b.t, "completion") == 0 {
		said = `"text":` + b.said()
	}
	usage := func() string {
		return b.pick("usage", "", "", `"usage":{}`, `"usage":{"prompt_tokens":7,"completion_tokens":1,"completion_tokens_details":{"reasoning_tokens":2}}`)
	}
	return object(`"id":"c"`, `"object":"chat.completion"`, `"model":"m"`, usage(), `"choices":[`+
		object(`"index":0`, said, usage(), b.finish("finish_reason", `"stop"`, `"tool_calls"`, `"length"`, `"content_filter"`))+`]`)
}

func (b *bodyMaker) responses() string {
	item := func() string {
		status := b.pick("status", "", `"status":"completed"`, `"status":"incomplete"`)
		switch rapid.IntRange(0, 4).Draw(b.t, "item") {
		case 0:
			return `{"type":"message","role":"assistant","content":[{"type":"output_text","text":` + b.said() + `}]}`
		case 1:
			return `{"type":"reasoning","summary":[{"type":"summary_text","text":` + b.said() + `}]}`
		case 2:
			return object(`"type":"custom_tool_call"`, b.id("call_id"), b.name(), `"input":"say \"x\""`)
		}
		return object(`"type":"function_call"`, b.id("call_id"), b.name(), b.text("arguments"), status)
	}
	return object(`"id":"r"`, `"object":"response"`, `"model":"m"`, `"output":`+b.list("items", 4, item),
		b.pick("status", `"status":"completed"`, `"status":"completed"`, `"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}`, `"status":"cancelled"`))
}

func (b *bodyMaker) anthropic() string {
	block := func() string {
		switch rapid.IntRange(0, 4).Draw(b.t, "block") {
		case 0:
			return `{"type":"text","text":` + b.said() + `}`
		case 1:
			return `{"type":"thinking","thinking":` + b.said() + `,"signature":"s"}`
		}
		return object(`"type":"tool_use"`, b.id("id"), b.name(), b.value("input"))
	}
	return object(`"id":"m"`, `"type":"message"`, `"role":"assistant"`, `"model":"m"`, `"content":`+b.list("blocks", 4, block),
		b.finish("stop_reason", `"end_turn"`, `"tool_use"`, `"max_tokens"`, `"refusal"`))
}

func (b *bodyMaker) gemini() string {
	part := func() string {
		switch rapid.IntRange(0, 4).Draw(b.t, "part") {
		case 0:
			return `{"text":` + b.said() + `}`
		case 1:
			return `{"text":` + b.said() + `,"thought":true}`
		case 2:
			pieces := b.pick("pieces", "", `"partialArgs":[{"jsonPath":"$.a","numberValue":1}]`, `"partialArgs":[{"jsonPath":"$.b","stringValue":"x","willContinue":true}]`,
				`"partialArgs":[{"jsonPath":"$.b","stringValue":"y"}]`, `"partialArgs":[{"jsonPath":"$.c[0].d","boolValue":true},{"jsonPath":"$.c[1]","nullValue":null}]`)
			return `{"functionCall":` + object(b.pick("named", "", "", b.name()), pieces, b.pick("more", "", `"willContinue":true`, `"willContinue":false`)) + "}"
		}
		return `{"functionCall":` + object(b.id("id"), b.name(), b.value("args")) + "}"
	}
	return object(`"candidates":[`+object(`"content":`+object(`"role":"model"`, `"parts":`+b.list("parts", 4, part)),
		b.finish("finishReason", `"STOP"`, `"MAX_TOKENS"`, `"SAFETY"`, `"MALFORMED_FUNCTION_CALL"`))+`]`, `"modelVersion":"m"`)
}

func (b *bodyMaker) ollama() string {
	call := func() string {
		return object(b.id("id"), `"function":`+object(b.name(), b.value("arguments")))
	}
	whole := b.pick("whole", `"done":true`, `"done":true`, `"done":null`, "")
	thinking, calls, done := b.pick("thinking", "", `"thinking":`+b.said()), `"tool_calls":`+b.list("calls", 3, call), b.finish("done_reason", `"stop"`, `"length"`)
	if rapid.IntRange(0, 4).Draw(b.t, "generated") == 0 {
		return object(`"model":"m"`, `"response":`+b.said(), thinking, calls, whole, done)
	}
	return object(`"model":"m"`, `"message":`+object(`"role":"assistant"`, b.pick("content", `"content":""`, `"content":`+b.said()), thinking, calls), whole, done)
}

// drawBody generates a whole answer of a wire.
func drawBody(t *rapid.T, wire format.Wire) string {
	b := &bodyMaker{t: t}
	switch wire {
	case format.OpenAI:
		return b.openai()
	case format.Responses:
		return b.responses()
	case format.Anthropic:
		return b.anthropic()
	case format.Gemini:
		return b.gemini()
	case format.Ollama:
		return b.ollama()
	}
	panic(fmt.Sprint("add bodies of the wire ", wire, " here"))
}

// odd are values of every type.
var odd = []string{"null", "true", "false", "0", "5", "-1", "1.5", `""`, `"x"`, `"5"`, "[]", "[5]", "[null]", "[[]]", `["x"]`, "[{}]", "{}", `{"x":1}`}

// spoil replaces a value by an odd one.
func spoil(t *rapid.T, body string) string {
	v, err := jsonvalue.Parse(body)
	if err != nil {
		return body // no longer JSON
	}
	var places []*jsonvalue.Value
	var walk func(*jsonvalue.Value)
	walk = func(v *jsonvalue.Value) {
		for _, member := range v.List {
			places = append(places, member)
			walk(member)
		}
	}
	walk(v)
	if len(places) == 0 {
		return body
	}
	place := rapid.SampledFrom(places).Draw(t, "place")
	with := rapid.SampledFrom(odd).Draw(t, "odd")
	if strings.HasSuffix(body[:place.Start], `"index":`) && strings.Contains(with, "5") {
		with = "[]" // so that the answer stays the first one
	}
	return body[:place.Start] + with + body[place.End():]
}

// checkBody fails if a target of a whole answer runs calls that parse does not run, or if
// the answer differs as a body and as a stream.
func checkBody(tb rapid.TB, body []byte, wire format.Wire) {
	checkTranslated(tb, body, wire)
	stream, response := asStream(tb, body, wire), asResponse(tb, body, wire)
	for _, a := range []*wholeAnswer{&stream, &response} {
		a.Calls = nil  // compared above
		a.Faults = nil // each reader reports what it needs and leaves out
		if a.Finish == chat.FinishToolCalls {
			a.Finish = chat.FinishStop
		}
	}
	if diff := cmp.Diff(stream, response, cmpopts.EquateEmpty()); diff != "" {
		tb.Fatalf("%s\n(-stream +response):\n%s", body, diff)
	}
	if hasCalls(tb, body, wire) { // leaving out a call ends a stream as truncated
		return
	}
	var ends [2]chat.FinishReason
	for i, kind := range []format.Kind{format.KindStream, format.KindResponse} {
		if out, _, err := format.Translate(body, wire, wire, kind, format.TranslateOptions{}); err == nil {
			ends[i] = asStream(tb, out, wire).Finish
		}
	}
	if ends[0] != ends[1] && ends[1] != chat.FinishUnset { // an answer without a choice
		tb.Fatalf("%s\nends as a stream of its wire with %v, as a body with %v", body, ends[0], ends[1])
	}
}

func hasCalls(tb rapid.TB, body []byte, name format.Wire) bool {
	codec, err := all.CodecOf(name)
	if err != nil {
		tb.Fatal(err)
	}
	res, err := codec.DecodeResponse(body)
	return err == nil && slices.ContainsFunc(res.Choices, func(c wire.Choice) bool { return c.Message.HasCalls() })
}

// For any whole answer, whatever its types, targets run the calls that parse runs, and
// the answer is the same as a body and as a stream.
func TestDrawnBodies(t *testing.T) {
	for _, wire := range format.Wires() {
		t.Run(string(wire), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) { checkDrawnBody(rt, wire) })
		})
	}
}

func checkDrawnBody(t *rapid.T, wire format.Wire) {
	body := drawBody(t, wire)
	for range rapid.IntRange(0, 2).Draw(t, "spoilt") {
		body = spoil(t, body)
	}
	checkBody(t, []byte(body), wire)
}

// The same for any stream of such an answer, with events that are broken, repeated,
// missing or reordered, and with a cut anywhere.
func TestDrawnStreams(t *testing.T) {
	for _, wire := range format.Wires() {
		t.Run(string(wire), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) { checkDrawnStream(rt, wire) })
		})
	}
}

func checkDrawnStream(t *rapid.T, wire format.Wire) {
	from := rapid.SampledFrom(format.Wires()).Draw(t, "from")
	out, _, err := format.Translate([]byte(drawBody(t, from)), from, wire, format.KindStream, format.TranslateOptions{})
	if err != nil && len(out) == 0 {
		t.Skip("no stream")
	}
	end := "\n\n"
	if out[0] == '{' {
		end = "\n"
	}
	events := strings.SplitAfter(string(out), end)
	for range rapid.IntRange(0, 3).Draw(t, "spoilt") {
		at, to := rapid.IntRange(0, len(events)-1).Draw(t, "event"), rapid.IntRange(0, len(events)-1).Draw(t, "other")
		switch rapid.IntRange(0, 4).Draw(t, "how") {
		case 0:
			events = slices.Insert(events, to, events[at])
		case 1:
			events[at] = ""
		case 2:
			events[at], events[to] = events[to], events[at]
		default:
			head, data, _ := strings.Cut(events[at], "{")
			if data = strings.TrimRight(data, "\n"); data != "" {
				events[at] = head + spoil(t, "{"+data) + end
			}
		}
	}
	body := strings.Join(events, "")
	if rapid.IntRange(0, 4).Draw(t, "cut") == 0 {
		body = body[:rapid.IntRange(0, len(body)).Draw(t, "length")]
	}
	checkTranslated(t, []byte(body), wire)
}

// FuzzDrawn generates both from the fuzzer's bytes.
func FuzzDrawn(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		wire := rapid.SampledFrom(format.Wires()).Draw(t, "wire")
		if rapid.Bool().Draw(t, "stream") {
			checkDrawnStream(t, wire)
		} else {
			checkDrawnBody(t, wire)
		}
	}))
}
