package openai_test

import (
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
)

// No server accepts a result without its call: a user message with its text, after
// the results that have one.
func TestStrayResults(t *testing.T) {
	stray := chat.ResultPart("z", chat.TextPart("1"))
	for name, tt := range map[string]struct {
		messages []chat.Message
		fields   []string
		want     string
	}{
		"alone": {
			[]chat.Message{user(chat.TextPart("q")), results(stray)}, []string{"messages[1].parts[0]"},
			`[{"role":"user","content":"q"},{"role":"user","content":[{"type":"text","text":"[result of the call z]"},{"type":"text","text":"1"}]}]`,
		},
		"an error": {
			[]chat.Message{codectest.Failed(codectest.Result("z", chat.TextPart("1")))}, []string{"messages[0].parts[0]"},
			`[{"role":"user","content":[{"type":"text","text":"[error of the call z]"},{"type":"text","text":"1"}]}]`,
		},
		"among others": {
			[]chat.Message{assistant(chat.CallPart("a", "f", "{}"), chat.CallPart("b", "f", "{}")), results(chat.ResultPart("a")), results(stray), results(chat.ResultPart("b"))},
			[]string{"messages[2].parts[0]"},
			`{"role":"tool","tool_call_id":"a","content":""},{"role":"tool","tool_call_id":"b","content":""},{"role":"user","content":[{"type":"text","text":"[result`,
		},
		"in a message of the user": {
			[]chat.Message{user(stray, chat.TextPart("q"))}, []string{"messages[0].parts[0]"},
			`{"type":"text","text":"1"}]},{"role":"user","content":"q"}]`,
		},
		"with what has no place": {
			[]chat.Message{results(chat.ResultPart("z", chat.Part{}))}, []string{"messages[0].parts[0]", "messages[0].parts[0].result.parts[0]"},
			`[{"role":"user","content":"[result of the call z]"}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			body, losses := codec.WriteRequest(t, &chat.Request{Model: "m", Messages: tt.messages}, wire.Options{})
			codectest.Written(t, body, losses, tt.fields, tt.want)
		})
	}
}

// A message of which nothing can be written is left out, and one that came empty
// is not.
func TestEmptyMessages(t *testing.T) {
	foreign := chat.Part{Extras: chat.Extras{{Wire: "anthropic", Name: "type", Value: []byte(`"server_tool_use"`)}}}
	lost := []string{"messages[0].parts[0]", "messages[0]"}
	for name, tt := range map[string]struct {
		message chat.Message
		fields  []string
		want    string
	}{
		"of the model":       {assistant(foreign), lost, `"messages":[]`},
		"of the user":        {user(foreign), lost, `"messages":[]`},
		"calls kept":         {assistant(foreign, chat.CallPart("a", "f", "{}")), lost[:1], `{"role":"assistant","content":null,"tool_calls"`},
		"a text kept":        {user(foreign, chat.TextPart("q")), lost[:1], `{"role":"user","content":"q"}`},
		"empty":              {user(), nil, `{"role":"user","content":""}`},
		"empty, the model's": {assistant(), nil, `{"role":"assistant","content":""}`},
		"no more than a signature": {
			assistant(chat.Part{Kind: chat.PartText, Signature: "s", SignedBy: "anthropic"}), []string{"messages[0].parts[0].signature", "messages[0]"}, `"messages":[]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			body, losses := codec.WriteRequest(t, &chat.Request{Model: "m", Messages: []chat.Message{tt.message}}, wire.Options{})
			codectest.Written(t, body, losses, tt.fields, tt.want)
		})
	}
}
