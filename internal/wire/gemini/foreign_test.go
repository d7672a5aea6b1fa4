package gemini_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
)

// On the way to another wire, each path is reported once.
func TestForeignExtras(t *testing.T) {
	want := map[string]int{
		"candidates[].content.parts[].partMetadata": 1, "candidates[].content.shape": 1, "candidates[].safetyRatings": 1,
		"usageMetadata.trafficType": 1, "modelStatus": 1, "createTime.fraction": 1, "candidates[].content.parts[].executableCode": 1,
		"candidates[].citationMetadata": 1, "promptFeedback.safetyRatings": 1, "candidates[].content.parts[].codeExecutionResult": 1,
		"candidates[].content.parts[].inlineData": 1, "candidates[].content.parts[].videoMetadata": 1, "candidates[].content.parts[].thought": 1,
		"candidates[].content.parts[]": 1, "candidates[].content.parts[].mediaResolution": 1, "candidates[].content.parts[].functionCall.origin": 1,
		"candidates[].logprobsResult": 1, "candidates[].finishMessage": 1, "candidates[].avgLogprobs": 1, "candidates[].tokenCount": 1,
		"candidates[].groundingMetadata": 1, "candidates[].urlContextMetadata": 1, "usageMetadata.toolUsePromptTokenCount": 1, "usageMetadata.promptTokensDetails": 1,
	}
	log := features.Log{Wire: "openai"}
	for d, err := range format.NewStream(bytes.NewReader(asEvents(rich)), format.Options{Wire: format.Gemini}).Deltas() {
		if err != nil {
			t.Fatal(err)
		}
		if d.Kind == toolcall.DeltaExtra && !log.ReportForeign("gemini", d) {
			t.Errorf("%+v is not foreign", d)
		}
	}
	got := map[string]int{}
	for _, l := range log.Losses {
		got[strings.TrimPrefix(l.Field, "stream.")]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
