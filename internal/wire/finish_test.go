package wire_test

import (
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
)

func TestReadFinish(t *testing.T) {
	for word, want := range map[string]chat.FinishReason{
		"":                     chat.FinishUnset,
		"STOP":                 chat.FinishStop,
		"Stop":                 chat.FinishStop,
		"TOOL_CALLS":           chat.FinishToolCalls,
		"tool-calls":           chat.FinishToolCalls,
		"MAX_TOKENS":           chat.FinishLength,
		"content-filter":       chat.FinishContentFilter,
		"SAFETY":               chat.FinishContentFilter,
		"UNEXPECTED_TOOL_CALL": chat.FinishError,
		"novel":                chat.FinishOther,
	} {
		if got := wire.ReadFinish("w", word); got.Reason != want || got.Word != word {
			t.Errorf("%q: %v", word, got)
		}
	}
}
