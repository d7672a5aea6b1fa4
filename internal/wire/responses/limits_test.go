package responses

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

// An answer that is too long to be repeated ends as one that failed.
func TestOverflow(t *testing.T) {
	e := Codec.NewEncoder(wire.Options{}).(*encoder)
	e.room = 2*itemCost + 5
	var out []byte
	for _, d := range []toolcall.Delta{
		{Kind: toolcall.DeltaText, Text: "abcd"}, {Kind: toolcall.DeltaText, Text: "efgh"},
		{Kind: toolcall.DeltaText, Text: "i"}, {Kind: toolcall.DeltaFinish, Text: "stop"},
	} {
		out = e.Append(out, d)
	}
	out = e.Close(out)
	s := string(out)
	if strings.Contains(s, "efgh") || strings.Contains(s, `"delta":"i"`) || strings.Count(s, "event: error") != 1 || strings.Count(s, "event: response.failed") != 1 || len(e.Losses()) != 1 {
		t.Errorf("%s\n%v", s, e.Losses())
	}
}

func TestDecoderTellsWhatItKnows(t *testing.T) {
	d := newDecoder()
	feed := func(data string) {
		if _, err := d.Feed(nil, sse(data)); err != nil {
			t.Fatal(err)
		}
	}
	feed(`{"type":"response.created","response":{"id":"r","created_at":7.0,"model":"m","status":"in_progress","usage":null}}`)
	if want := (chat.Meta{Wire: Wire, ID: "r", Model: "m", Created: 7}); d.Meta() != want {
		t.Errorf("%+v", d.Meta())
	}
	feed(over("completed", `,"id":"other","usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":1},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":1}}`))
	if want := (chat.Usage{Input: 3, Output: 2, CachedInput: 1, Reasoning: 1, Total: 5}); d.Meta().Usage != want || d.Meta().ID != "r" {
		t.Errorf("%+v", d.Meta())
	}
}
