package gemini_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
	"github.com/toolparse/toolparse/toolcall"
)

// rich is a stream with unknown and rare members at every level.
var rich = strings.Join([]string{
	`{"candidates":[{"content":{"parts":[{"text":"think","thought":true,"partMetadata":{"n":1}}],"role":"model","shape":1},"index":0,"safetyRatings":[{"category":"A","probability":"LOW"}]}],"usageMetadata":{"promptTokenCount":5,"totalTokenCount":5,"trafficType":"ON_DEMAND"},"modelStatus":{"stage":"GA"},"modelVersion":"m","responseId":"r","createTime":"2026-05-27T16:53:45.443719Z"}`,
	`{"candidates":[{"content":{"parts":[{"executableCode":{"language":"PYTHON","code":"x\n"},"thoughtSignature":"QUFB"}]},"index":0,"citationMetadata":{"citations":[{"uri":"u1"}]}}],"modelVersion":"m","responseId":"r","promptFeedback":{"safetyRatings":[{"category":"B"}]}}`,
	`{"candidates":[{"content":{"parts":[{"codeExecutionResult":{"outcome":"OUTCOME_OK"}}]},"index":0,"citationMetadata":{"citations":[{"uri":"u2"}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"},"videoMetadata":{"fps":2},"thought":true},{"later":{"l":[]}}]},"index":0}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a","mediaResolution":{"level":"L"}},{"functionCall":{"name":"f","args":{"x":1},"origin":"o"},"partMetadata":{"n":2},"thoughtSignature":"QkJC"}]},"index":0,"logprobsResult":{"chosenCandidates":[1]}}]}`,
	`{"candidates":[{"index":0,"citationMetadata":{"citations":[{"uri":"u3"}]}}]}`,
	`{"candidates":[{"index":0,"citationMetadata":{"citations":[{"uri":"u4"}]}}],"modelStatus":{"stage":"OLD"}}`,
	`{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP","finishMessage":"m","avgLogprobs":-0.25,"tokenCount":7,"index":0,"groundingMetadata":{"groundingChunks":[{"web":{"uri":"w"}}]},"urlContextMetadata":{}}],"usageMetadata":{"promptTokenCount":6,"candidatesTokenCount":7,"totalTokenCount":16,"trafficType":"ON_DEMAND","toolUsePromptTokenCount":3,"promptTokensDetails":[{"modality":"TEXT","tokenCount":6}]},"modelVersion":"m","responseId":"r"}`,
}, "\n")

// remade are the paths of what is made anew: which chunks there are, and what
// each says of the answer, the counts but the last ones, the ids of calls, and
// empty texts beside signatures.
func remade(path string) bool {
	switch path {
	case "modelVersion", "responseId", "createTime", "candidates[].index", "candidates[].content.role", "candidates[].content.parts[].text",
		"candidates[].content.parts[].thought":
		return true
	}
	return strings.HasPrefix(path, "usageMetadata.")
}

func asEvents(lines string) []byte {
	return []byte("data: " + strings.ReplaceAll(lines, "\n", "\r\n\r\ndata: ") + "\r\n\r\n")
}

// Nothing is lost on the way to the same wire.
func TestStreamRoundTrip(t *testing.T) {
	sent := asEvents(rich)
	out, losses := codectest.Translate(t, string(sent), format.Gemini, format.Gemini)
	if len(losses) > 0 {
		t.Fatalf("losses %v", losses)
	}
	got := wiretest.Leaves(t, frame.SSE, []byte(out))
	if missing := wiretest.Missing(wiretest.Leaves(t, frame.SSE, sent), got, remade); len(missing) > 0 {
		t.Errorf("missing %q in\n%s", missing, out)
	}
	last := wiretest.Leaves(t, frame.SSE, asEvents(rich[strings.LastIndex(rich, "\n")+1:]))
	if missing := wiretest.Missing(last, got, func(path string) bool { return path == "candidates[].content.parts[].text" }); len(missing) > 0 {
		t.Errorf("missing %q of the last chunk in\n%s", missing, out)
	}
	again, _ := codectest.Translate(t, out, format.Gemini, format.Gemini)
	if diff := cmp.Diff(out, again); diff != "" {
		t.Errorf("it changes when it is written once more (-once +twice):\n%s", diff)
	}
}

// Nor is anything that may stand beside what is known, wherever it stands.
func TestStreamRoundTripOfAnything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		values := 0
		// with adds members to an object; every value is another one.
		with := func(object string, names ...string) string {
			for _, name := range names {
				if values++; rapid.IntRange(0, 3).Draw(rt, "has "+name) == 0 {
					object = strings.TrimSuffix(object, "}") + fmt.Sprintf(`,%q:{"v":[%d]}}`, name, values)
				}
			}
			return strings.Replace(object, "{,", "{", 1)
		}
		part := func() string {
			values++
			p := fmt.Sprintf(rapid.SampledFrom([]string{
				`{"text":"t%d"}`, `{"text":"r%d","thought":true}`, `{"executableCode":{"code":"%d"}}`, `{"inlineData":{"data":"%d"},"thought":true}`,
				`{"other":%d}`, `{"functionCall":{"name":"f","id":"c%d","args":{}}}`, `{"functionCall":{"name":"f","id":"c%d","args":{},"extra":1}}`,
			}).Draw(rt, "part"), values)
			if rapid.Bool().Draw(rt, "signed") {
				values++
				p = strings.TrimSuffix(p, "}") + fmt.Sprintf(`,"thoughtSignature":"%08d"}`, values)
			}
			return with(p, "videoMetadata", "partMetadata")
		}
		var chunks []string
		n := rapid.IntRange(1, 5).Draw(rt, "chunks")
		for i := range n {
			var candidates []string
			for index := range rapid.IntRange(1, 2).Draw(rt, "candidates") {
				var parts []string
				for range rapid.IntRange(0, 3).Draw(rt, "parts") {
					parts = append(parts, part())
				}
				c := `{"content":` + with(`{"parts":[`+strings.Join(parts, ",")+`]}`, "shape") + fmt.Sprintf(`,"index":%d}`, index)
				if i == n-1 {
					c = strings.TrimSuffix(c, "}") + `,"finishReason":"STOP"}`
				}
				candidates = append(candidates, with(c, "safetyRatings", "citationMetadata", "groundingMetadata"))
			}
			chunks = append(chunks, with(`{"candidates":[`+strings.Join(candidates, ",")+`]}`, "modelStatus", "other"))
		}
		body := asEvents(strings.Join(chunks, "\n"))
		var out bytes.Buffer
		losses, err := format.TranslateStream(&out, bytes.NewReader(body), format.Gemini, format.Gemini, format.TranslateOptions{})
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || len(losses) > 0 {
			rt.Fatalf("%v, losses %v\n%s", err, losses, body)
		}
		events := out.Bytes()
		if at := bytes.Index(events, []byte(`{"error":`)); err != nil && at >= 0 {
			events = events[:at] // a candidate without its end
		}
		isRemade := func(path string) bool {
			return path == "candidates[].index" || path == "candidates[].finishReason" || path == "candidates[].content.parts"
		}
		if missing := wiretest.Missing(wiretest.Leaves(t, frame.SSE, body), wiretest.Leaves(t, frame.SSE, events), isRemade); len(missing) > 0 {
			rt.Fatalf("missing %q in\n%s\nof\n%s", missing, out.Bytes(), body)
		}
		if diff := cmp.Diff(partDeltas(body), partDeltas(events)); diff != "" {
			rt.Fatalf("(-sent +written):\n%s\n%s\nof\n%s", diff, out.Bytes(), body)
		}
	})
}

// partDeltas are the deltas that the parts of a stream give, by candidate.
func partDeltas(body []byte) map[int][]D {
	list := map[int][]D{}
	for d, err := range format.NewStream(bytes.NewReader(body), format.Options{Wire: format.Gemini}).Deltas() {
		isPart := strings.HasPrefix(d.Name, "candidates[].content.parts[]") || d.Kind != toolcall.DeltaExtra && d.Kind != toolcall.DeltaFinish
		if err == nil && isPart {
			list[d.Choice] = append(list[d.Choice], d)
		}
	}
	return list
}

// Nor of what real servers sent.
func TestRecordingsRoundTrip(t *testing.T) {
	for _, r := range codectest.Recordings(t, "gemini-*.sse") {
		out, losses := codectest.Translate(t, string(r.Body), format.Gemini, format.Gemini)
		if len(losses) > 0 {
			t.Fatalf("%s: losses %v", r.Name, losses)
		}
		if missing := wiretest.Missing(wiretest.Leaves(t, frame.SSE, r.Body), wiretest.Leaves(t, frame.SSE, []byte(out)), remade); len(missing) > 0 {
			t.Errorf("%s: missing %q", r.Name, missing)
		}
	}
}

// Extras stand where they stood: on the next part, in the next chunk, or in the
// last one.
func TestStreamExtras(t *testing.T) {
	extra := func(path, value string) D { return D{Kind: toolcall.DeltaExtra, Index: -1, Name: path, Text: value} }
	const part = "candidates[].content.parts[]"
	text := func(s string) D { return D{Kind: toolcall.DeltaText, Text: s} }
	call := D{Kind: toolcall.DeltaToolCall, ID: "c", Name: "f", Text: "{}", Done: true}
	signed := D{Kind: toolcall.DeltaSignature, Index: -1, Text: "AAAA"}
	finish := D{Kind: toolcall.DeltaFinish, Text: "STOP"}
	stop := `"STOP","index":0}]`
	foreign := meta
	foreign.Wire = "openai"
	tests := []struct {
		name   string
		meta   chat.Meta
		in     []D
		want   []string
		losses []string
	}{
		{"in the next chunk", meta, []D{extra("x", "{\n}"), extra("candidates[].y", "1"), extra("candidates[].content.z", "2"), text("a"), text("b"), finish}, []string{
			`data: {"candidates":[{"content":{"parts":[{"text":"a"}],"z":2,"role":"model"},"index":0,"y":1}],"x":{ }`, `{"text":"b"}`, stop,
		}, nil},
		{"in the last chunk", meta, []D{text("a"), extra("x", "1"), extra("candidates[].y", "2"), extra("usageMetadata.u", "3"), extra("usageMetadata.u", "4"), finish}, []string{
			`{"text":"a"}`, `"STOP","index":0,"y":2}],"x":1,"usageMetadata":{"u":4}`,
		}, nil},
		{"behind a call that is held", meta, []D{call, extra(part+".functionCall.o", "1"), extra("candidates[].y", "2"), text("a"), finish}, []string{
			`{"functionCall":{"id":"c","name":"f","args":{},"o":1}}`, `data: {"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},"index":0,"y":2}]`, stop,
		}, nil},
		{"of the part that follows", meta, []D{extra(part+".p", "1"), text("a"), extra(part+".p", "2"), call, extra(part+".p", "3"), extra(part+".fileData", "{}"), signed, finish}, []string{
			`{"text":"a","p":1}`, `{"functionCall":{"id":"c","name":"f","args":{}},"p":2}`, `{"fileData":{},"p":3,"thoughtSignature":"AAAA"}`, stop,
		}, nil},
		{"whole parts", meta, []D{extra(part, `{"q":1}`), extra(part, `{}`), signed, signed, finish}, []string{
			`{"q":1}`, `{"thoughtSignature":"AAAA"}`, `{"text":"","thoughtSignature":"AAAA"}`, stop,
		}, nil},
		{"two of a name", meta, []D{extra("candidates[].y", "1"), extra("candidates[].y", "2"), extra("x", "1"), extra("x", "2"), finish}, []string{
			`data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0,"y":1}]`, `data: {"x":1`, `"STOP","index":0,"y":2}],"x":2`,
		}, nil},
		{"of a blocked prompt", meta, []D{extra("promptFeedback.m", "1"), {Kind: toolcall.DeltaFinish, Name: "content_filter", Text: "OTHER", Truncated: true}}, []string{
			`data: {"promptFeedback":{"blockReason":"OTHER","m":1}`,
		}, nil},
		{"of an error, and before it", meta, []D{extra("error.code", "418"), extra("candidates[].y", "1"), extra("x", "2"), {Kind: toolcall.DeltaError, Name: "UNAVAILABLE", Text: "m"}}, []string{
			`data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0,"y":1}],"x":2`, `{"error":{"message":"m","status":"UNAVAILABLE","code":418}}`,
		}, nil},
		{"of the chunk alone", meta, []D{extra("x", "1")}, []string{`data: {"x":1`}, nil},
		{"too late", meta, []D{call, text("a"), extra(part+".functionCall.o", "1"), extra(part+".functionCall.partialArgs[].o", "1"), finish, extra(part+".fileData", "{}")}, []string{
			`{"functionCall":{"id":"c","name":"f","args":{}}}`, `{"text":"a"}`, stop,
		}, []string{"stream." + part + ".functionCall.o", "stream." + part + ".functionCall.partialArgs[].o", "stream." + part + ".fileData"}},
		{"of another wire", foreign, []D{extra("service_tier", "1"), extra("service_tier", "2"), text("a"), finish}, []string{`{"text":"a"}`, stop}, []string{"stream.service_tier"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, losses := encode(t, tt.meta, tt.in...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.losses, codectest.Fields(losses)); diff != "" {
				t.Errorf("losses (-want +got):\n%s", diff)
			}
		})
	}
}

// The usage is told of a stream that ends with an error, too.
func TestStreamUsageBeforeAnError(t *testing.T) {
	m := meta
	m.Usage = chat.Usage{Input: 3, Total: 3}
	got, _ := encode(t, m, D{Kind: toolcall.DeltaError, Name: "500", Text: "m"})
	want := []string{`data: {"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3}`, `{"error":{"code":500,"message":"m"}}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What waits for a chunk is bounded.
func TestStreamHoldsFewExtras(t *testing.T) {
	e := codecOf(t)
	var out []byte
	for i := range 5000 {
		for _, path := range []string{"x%d", "candidates[].x%d", "candidates[].content.x%d", "promptFeedback.x%d", "usageMetadata.x%d"} {
			d := D{Kind: toolcall.DeltaExtra, Index: -1, Choice: i, Name: fmt.Sprintf(path, i), Text: "1"}
			if i%2 == 0 {
				d.Choice = 0
			}
			out = e.Append(out, d)
		}
	}
	before := len(out)
	out = e.Close(out)
	if last := len(out) - before; last > 200_000 || len(e.Losses()) == 0 {
		t.Errorf("%d bytes waited, losses %d", last, len(e.Losses()))
	}
}

func codecOf(t *testing.T) wire.Encoder {
	t.Helper()
	e := codec.NewEncoder(wire.Options{})
	e.SetMeta(meta)
	return e
}
