package benchtext_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/benchtext"
)

func TestTurns(t *testing.T) {
	const size = 64 << 10
	turns := benchtext.Turns(size)
	text := benchtext.Reply(turns, benchtext.OpenAI)
	if len(text) < size || len(text) > size+size/10 {
		t.Errorf("%d bytes, want %d to %d", len(text), size, size+size/10)
	}
	if turns[0].Prose == turns[1].Prose || turns[0].Call == turns[1].Call {
		t.Error("two turns are the same")
	}
	for i, turn := range turns {
		var got benchtext.Call
		if err := json.Unmarshal([]byte(turn.Call.JSON()), &got); err != nil {
			t.Fatalf("turn %d: %v", i, err)
		}
		if got.Tool = turn.Call.Tool; got != turn.Call {
			t.Errorf("turn %d: %+v comes back as %+v", i, turn.Call, got)
		}
	}
}

// TestDialects: every dialect's call has the tool and a line of the content.
func TestDialects(t *testing.T) {
	call := benchtext.LongCall(benchtext.WriteFile, 1000)
	if len(call.Content) != 1000 {
		t.Errorf("%d bytes of content, want 1000", len(call.Content))
	}
	dialects := map[string]func(benchtext.Call) string{
		"xml": benchtext.XML, "json-openai": benchtext.OpenAI, "json-gemini": benchtext.Gemini,
		"json-default": benchtext.Default, "sentinel": benchtext.Sentinel, "shorthand": benchtext.Shorthand,
		"hermes": benchtext.Hermes, "qwen3_coder": benchtext.QwenCoder,
	}
	for name, write := range dialects {
		t.Run(name, func(t *testing.T) {
			text := write(call)
			for _, part := range []string{call.Tool, call.Path, "if r.pos > r.last {"} {
				if !strings.Contains(text, part) {
					t.Errorf("%q has no %q", text, part)
				}
			}
		})
	}
}
