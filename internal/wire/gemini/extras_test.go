package gemini

import (
	"testing"

	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
	"github.com/toolparse/toolparse/toolcall"
)

// What no other delta tells is an extra, at every level of a chunk.
func TestExtras(t *testing.T) {
	const part = "candidates[].content.parts[]"
	of := func(choice int, path, value string) D {
		d := told(path, value)
		d.Choice = choice
		return d
	}
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{
			Name: "of the chunk, once for each value",
			In: []string{
				`{"modelStatus":{"a":1},"modelVersion":"m","createTime":"2026-01-02T03:04:05.5Z","x":null,"usageMetadata":{"promptTokenCount":1,"trafficType":"T","promptTokensDetails":[1]}}`,
				`{"modelStatus":{"a":1},"modelVersion":"m","createTime":"2026-01-02T03:04:05.5Z","usageMetadata":{"promptTokenCount":2,"trafficType":"T","promptTokensDetails":[2]}}`,
			},
			Want: []D{
				told("modelStatus", `{"a":1}`), told("createTime.fraction", `"2026-01-02T03:04:05.5Z"`), told("usageMetadata.trafficType", `"T"`),
				told("usageMetadata.promptTokensDetails", "[1]"), told("usageMetadata.promptTokensDetails", "[2]"),
			},
		},
		{
			Name: "tokens of tools that are no longer counted",
			In:   []string{`{"usageMetadata":{"toolUsePromptTokenCount":3}}`, `{"usageMetadata":{"trafficType":"T"}}`, `{"usageMetadata":{"promptTokenCount":3}}`, `{"usageMetadata":{"promptTokenCount":4}}`},
			Want: []D{told("usageMetadata.toolUsePromptTokenCount", "3"), told("usageMetadata.trafficType", `"T"`), told("usageMetadata.toolUsePromptTokenCount", "0")},
		},
		{
			Name: "of a prompt", In: []string{`{"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"m","safetyRatings":[]}}`},
			Want: []D{told("promptFeedback.blockReasonMessage", `"m"`), told("promptFeedback.safetyRatings", "[]"), {Kind: finish, Name: "content_filter", Text: "SAFETY", Truncated: true}}, Ended: true,
		},
		{
			Name: "of an error", In: []string{`{"error":{"code":503,"message":"m","status":"UNAVAILABLE","details":[1]}}`, `{"error":{"code":418,"message":"m","status":"UNAVAILABLE"}}`},
			Want: []D{
				told("error.code", "503"), told("error.details", "[1]"), {Kind: failure, Name: "UNAVAILABLE", Text: "m"},
				told("error.code", "418"), {Kind: failure, Name: "UNAVAILABLE", Text: "m"},
			}, Ended: true,
		},
		{
			Name: "of a candidate, before its parts; beside its end, behind them",
			In: []string{
				`{"candidates":[{"content":{"parts":[{"text":"a"}],"y":1},"citationMetadata":{"c":1},"safetyRatings":[1],"index":1}]}`,
				`{"candidates":[{"content":{"parts":[{"text":"b"}]},"citationMetadata":{"c":1},"safetyRatings":[1],"index":1,"avgLogprobs":-0.5,"finishReason":"STOP"}]}`,
			},
			Want: []D{
				of(1, "candidates[].citationMetadata", `{"c":1}`), of(1, "candidates[].safetyRatings", "[1]"), of(1, "candidates[].content.y", "1"), {Kind: text, Choice: 1, Text: "a"},
				{Kind: text, Choice: 1, Text: "b"}, of(1, "candidates[].citationMetadata", `{"c":1}`), of(1, "candidates[].avgLogprobs", "-0.5"), {Kind: finish, Choice: 1, Text: "STOP"},
			}, Ended: true,
		},
		{
			Name: "of parts",
			In: []string{parts(
				`{"text":"a","partMetadata":{"p":1}}`,
				`{"inlineData":{"data":"x"},"thought":true,"videoMetadata":{"v":1},"thoughtSignature":"s"}`,
				`{"text":"","thoughtSignature":"t"}`,
				`{"functionCall":{"name":"f","z":1},"partMetadata":{"p":2},"thought":true,"thoughtSignature":"u"}`,
				`{"later":{"l":1},"thoughtSignature":"v"}`,
				`{"text":"","partMetadata":{"p":3}}`, `{"text":""}`, `{"thought":false}`, `{"x":null}`,
			)},
			Want: []D{
				told(part+".partMetadata", `{"p":1}`), {Kind: text, Text: "a"},
				told(part+".thought", "true"), told(part+".videoMetadata", `{"v":1}`), told(part+".inlineData", `{"data":"x"}`), {Kind: signature, Index: none, Text: "s"},
				told(part, `{"text":""}`), {Kind: signature, Index: none, Text: "t"},
				told(part+".partMetadata", `{"p":2}`), told(part+".thought", "true"), {Kind: call, Index: none, Name: "f", Text: "{}", Whole: true, Done: true},
				told(part+".functionCall.z", "1"), {Kind: signature, Index: none, Name: toolcall.SignsCall, Text: "u"},
				told(part, `{"later":{"l":1}}`), {Kind: signature, Index: none, Text: "v"},
				told(part, `{"text":"","partMetadata":{"p":3}}`),
			},
		},
		{
			Name: "of streamed arguments", In: []string{parts(opener, `{"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":1,"q":2}],"w":3}}`)},
			Want: []D{
				{Kind: call, Index: none, Name: "f"}, told(part+".functionCall.partialArgs[].q", "2"),
				{Kind: call, Index: none, Text: `{"a":1`}, {Kind: call, Index: none, Text: "}", Done: true}, told(part+".functionCall.w", "3"),
			},
		},
	})
}

// Members of a wrong type are errors that name them, and what came before is
// told.
func TestStrictness(t *testing.T) {
	const in = `{"candidates":[{"content":{"parts":[{"text":"a"}]},"index":0},`
	a := []D{{Kind: text, Text: "a"}}
	tests := []wiretest.Case{
		{Name: "an index that is none", In: []string{in + `{"index":"x"}]}`}, Want: a, Err: "event 1, byte 72: candidates[].index: not an index"},
		{Name: "a negative index", In: []string{in + `{"index":-1}]}`}, Want: a, Err: "event 1, byte 71: candidates[].index: not an index"},
		{Name: "the same candidate twice", In: []string{in + `{"index":0,"content":{"parts":[{"text":"b"}]}}]}`}, Want: a, Err: "candidates[].index: the event repeats a candidate"},
		{Name: "an index as a string", In: []string{in + `{"index":"1","content":{"parts":[{"text":"b"}]}}]}`}, Want: []D{a[0], {Kind: text, Choice: 1, Text: "b"}}},
		{Name: "zero left out", In: []string{`{"candidates":[{"index":1,"content":{"parts":[{"text":"b"}]}},{"content":{"parts":[{"text":"a"}]}}]}`}, Want: []D{{Kind: text, Choice: 1, Text: "b"}, {Kind: text, Text: "a"}}},
		{Name: "no index at all", In: []string{in + `{"content":{"parts":[{"text":"b"}]}}]}`}, Want: []D{a[0], {Kind: text, Choice: 1, Text: "b"}}},
	}
	for _, bad := range []struct{ data, err string }{
		{`1`, "expected an object, got a number"},
		{`[1]`, "[]: expected an object, got a number"},
		{`{"candidates":{}}`, "candidates: expected an array, got an object"},
		{`{"candidates":[1]}`, "candidates[]: expected an object, got a number"},
		{`{"candidates":[{"content":1}]}`, "candidates[].content: expected an object, got a number"},
		{`{"candidates":[{"finishReason":true}]}`, "candidates[].finishReason: expected a string, got a boolean"},
		{`{"candidates":[{"finishReason":"STOP","index":[]}]}`, "candidates[].index: not an index"},
		{`{"promptFeedback":[]}`, "promptFeedback: expected an object, got an array"},
		{`{"promptFeedback":{"blockReason":true}}`, "promptFeedback.blockReason: expected a string, got a boolean"},
		{`{"usageMetadata":1}`, "usageMetadata: expected an object, got a number"},
		{`{"responseId":1}`, "responseId: expected a string, got a number"},
		{`{"modelVersion":1}`, "modelVersion: expected a string, got a number"},
		{`{"createTime":1}`, "createTime: expected a string, got a number"},
		{parts(`1`), "parts[]: expected an object, got a number"},
		{parts(`{"text":1}`), "parts[].text: expected a string, got a number"},
		{parts(`{"text":"a","thought":"true"}`), "parts[].thought: expected a boolean, got a string"},
		{parts(`{"text":"a","thoughtSignature":1}`), "parts[].thoughtSignature: expected a string, got a number"},
		{parts(`{"functionCall":{"id":1,"name":"f"}}`), "functionCall.id: expected a string, got a number"},
		{parts(`{"functionCall":{"name":"f","willContinue":1}}`), "functionCall.willContinue: expected a boolean, got a number"},
		{parts(`{"functionCall":{"name":"f","partialArgs":{}}}`), "functionCall.partialArgs: expected an array, got an object"},
	} {
		tests = append(tests, wiretest.Case{Name: bad.data, In: []string{parts(`{"text":"a"}`), bad.data}, Want: a, Err: bad.err})
	}
	for _, bad := range []struct{ arg, err string }{
		{`{"jsonPath":1}`, ".jsonPath: expected a string, got a number"},
		{`{"jsonPath":"$.a","stringValue":1}`, ".stringValue: expected a string, got a number"},
		{`{"jsonPath":"$.a","numberValue":true}`, ".numberValue: no number"},
		{`{"jsonPath":"$.a","boolValue":"true"}`, ".boolValue: expected a boolean, got a string"},
		{`{"jsonPath":"$.a","stringValue":"","willContinue":"x"}`, ".willContinue: expected a boolean, got a string"},
	} {
		tests = append(tests, wiretest.Case{Name: bad.arg, In: []string{parts(opener, piece(bad.arg))}, Want: []D{{Kind: call, Index: none, Name: "f"}}, Err: bad.err})
	}
	wiretest.Run(t, newDecoder, tests)
}
