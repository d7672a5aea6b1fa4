package codectest

import (
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
)

// MakesIDs checks that calls without ids, in an answer of another wire, get distinct ids,
// which are the same each time the answer is read.
func (c Codec) MakesIDs(t *testing.T, meta chat.Meta) {
	t.Helper()
	res := &wire.Response{Meta: meta, Choices: []wire.Choice{{
		Message: Assistant(chat.CallPart("", "f", "{}"), chat.CallPart("", "f", "{}")),
		Finish:  wire.ReadFinish("gemini", "STOP"),
	}}}
	var before string
	for range 2 {
		out, losses := c.WriteResponse(t, res, wire.Options{})
		if len(losses) > 0 || before != "" && out != before {
			t.Errorf("%s\n%s\n%v", before, out, losses)
		}
		before = out
	}
	got := c.ReadResponse(t, before).Choices[0]
	if got.Finish.Reason != chat.FinishToolCalls {
		t.Errorf("finish %v", got.Finish)
	}
	ids := map[string]bool{}
	for _, p := range got.Message.Parts {
		if ids[p.Call.ID] = true; p.Call.Arguments != "{}" {
			t.Errorf("arguments %s", p.Call.Arguments)
		}
	}
	if len(ids) != 2 || ids[""] {
		t.Errorf("%v\n%s", ids, before)
	}
}
