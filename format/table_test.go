package format_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/features"
)

// The reported losses agree with the table of features.
func TestTableAgreesWithWhatIsTold(t *testing.T) {
	unanswered := &chat.Request{Model: "m", MaxTokens: 5, Messages: []chat.Message{
		{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("a", "f", "{}")}}, {Role: chat.User, Parts: []chat.Part{chat.TextPart("u")}},
	}}
	broken := &wire.Response{Meta: chat.Meta{ID: "i", Model: "m"}, Choices: []wire.Choice{
		{Message: chat.Message{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("a", "f", `{"x`)}}, Finish: chat.Finish{Reason: chat.FinishLength}},
	}}
	for _, to := range format.Wires() {
		codec, err := all.CodecOf(to)
		if err != nil {
			t.Fatal(err)
		}
		_, losses := codec.EncodeRequest(unanswered, wire.Options{})
		row, _ := features.Of(string(to), features.UnansweredCall)
		told := slices.ContainsFunc(losses, func(l chat.Loss) bool { return l.Field == "messages[0].parts[0]" })
		if says := row.Reason != ""; says != told || says != strings.Contains(row.Action, "refuse") {
			t.Errorf("%s: the table says %+v, and losses are %v", to, row, losses)
		}
		body, losses := codec.EncodeResponse(broken, wire.Options{})
		row, _ = features.Of(string(to), features.BrokenArguments)
		if left := !strings.Contains(string(body), `{\"x`); left != strings.Contains(row.Action, "left out of an answer") {
			t.Errorf("%s: the table says %+v, and losses are %v:\n%s", to, row, losses, body)
		}
	}
}
