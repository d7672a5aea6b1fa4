package format

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCapabilities(t *testing.T) {
	want := map[Wire]Capabilities{
		OpenAI:    {Yes, Yes, Yes, Yes, Yes},
		Responses: {Yes, Yes, Yes, Yes, Yes},
		Anthropic: {Yes, Yes, Yes, Yes, Yes},
		Gemini:    {Yes, Partly, Partly, Yes, Yes},
		Ollama:    {Yes, Partly, Partly, Yes, Partly},
		Text:      {},
	}
	for w, c := range want {
		if diff := cmp.Diff(c, CapabilitiesOf(w)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", w, diff)
		}
	}
}
