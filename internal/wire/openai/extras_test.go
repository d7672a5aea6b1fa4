package openai

import (
	"testing"

	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
)

func TestExtras(t *testing.T) {
	tool := func(fields string) string { return delta(`"tool_calls":[{` + fields + `}]`) }
	of := func(d D, choice, index int) D {
		d.Choice, d.Index = choice, index
		return d
	}
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{
			Name: "of the top, where they are new",
			In:   []string{`{"id":"1","object":"chat.completion.chunk","service_tier":"a","obfuscation":"xx","provider":"p","choices":[]}`, `{"service_tier":"a","provider":"q","moderation":null}`},
			Want: []D{extraOf("service_tier", `"a"`), extraOf("provider", `"p"`), extraOf("provider", `"q"`)},
		},
		{
			Name: "of a choice, each time and before its deltas",
			In: []string{
				`{"choices":[{"index":1,"delta":{"content":"a"},"logprobs":{"content":[1]},"finish_reason":null}]}`,
				`{"choices":[{"index":1,"delta":{},"logprobs":{"content":[1]},"native_finish_reason":"end","finish_reason":"stop"}]}`,
			},
			Want: []D{
				of(extraOf("choices[].logprobs", `{"content":[1]}`), 1, none), {Kind: text, Choice: 1, Text: "a"},
				of(extraOf("choices[].logprobs", `{"content":[1]}`), 1, none), of(extraOf("choices[].native_finish_reason", `"end"`), 1, none),
				{Kind: finish, Choice: 1, Text: "stop"},
			}, Ended: true,
		},
		{
			Name: "of a message",
			In:   []string{delta(`"role":"assistant","content":"a","annotations":[],"audio":{"data":"AA"}`), body(`"content":"a","annotations":[1]`, "stop")},
			Want: []D{
				extraOf(inDelta+".annotations", "[]"), extraOf(inDelta+".audio", `{"data":"AA"}`), {Kind: text, Text: "a"},
				extraOf(inMessage+".annotations", "[1]"), {Kind: finish, Text: "stop"},
			}, Ended: true,
		},
		{
			Name: "of calls",
			In: []string{
				tool(`"index":2,"id":"c","type":"builtin_function","function":{"name":"f","parsed":1},"rank":2,"extra_content":{"google":{"thought_signature":"s","x":3},"y":4}`),
				tool(`"index":3,"type":"web_search","web_search":{}`),
				tool(`"index":4,"custom":{"name":"g","input":"","grammar":5}`),
			},
			Want: []D{
				{Kind: call, Index: 2, ID: "c", Name: "f"},
				of(extraOf(inDelta+inFunction+".parsed", "1"), 0, 2), of(extraOf(inDelta+inCall+".type", `"builtin_function"`), 0, 2),
				of(extraOf(inDelta+inCall+".rank", "2"), 0, 2), {Kind: signature, Index: 2, ID: "c", Name: "call", Text: "s"},
				of(extraOf(inDelta+inCall+inGoogle+".y", "4"), 0, 2), of(extraOf(inDelta+inCall+inGoogle+".google.x", "3"), 0, 2),
				of(extraOf(inDelta+inCall, `{"index":3,"type":"web_search","web_search":{}}`), 0, 3),
				{Kind: call, Index: 4, Name: "g", Text: `{"input":"`, Custom: true}, of(extraOf(inDelta+inCustom+".grammar", "5"), 0, 4),
			},
		},
		{
			Name: "of parts",
			In:   []string{delta(`"content":[{"type":"text","text":"a","annotations":[1]},{"type":"thinking","thinking":[{"type":"text","text":"r","n":1},{"type":"reference","ids":[2]}],"closed":true}]`)},
			Want: []D{
				extraOf(inDelta+inPart+".annotations", "[1]"), {Kind: text, Text: "a"}, spelled(inDelta + inPart + ".thinking"), extraOf(inDelta+inPart+".closed", "true"),
				{Kind: reasoning, Text: "r"}, extraOf(inDelta+inPart+".thinking[].n", "1"), extraOf(inDelta+inPart+".thinking[]", `{"type":"reference","ids":[2]}`),
			},
		},
		{
			Name: "of details of reasoning",
			In: []string{
				delta(`"reasoning_details":[{"type":"reasoning.text","text":"a","format":"f","index":0,"id":"r1","n":1}]`),
				delta(`"reasoning_details":[{"type":"reasoning.text","text":"b","format":"f","index":1},{"type":"reasoning.text","text":"","index":1},{"type":"x","n":2}]`),
			},
			Want: []D{
				extraOf(inDelta+inDetail+".format", `"f"`), extraOf(inDelta+inDetail+".index", "0"), extraOf(inDelta+inDetail+".n", "1"),
				extraOf(inDelta+inDetail+".id", `"r1"`), spelled(inDelta + inDetail + ".text"), {Kind: reasoning, Text: "a"},
				extraOf(inDelta+inDetail+".index", "1"), {Kind: reasoning, Text: "b"}, extraOf(inDelta+inDetail, `{"type":"x","n":2}`),
			},
		},
		{
			Name: "of the usage",
			In: []string{
				`{"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10,"cost":0.5,"prompt_tokens_details":{"cached_tokens":3,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}}`,
				`{"x_groq":{"usage":{"prompt_tokens":9,"queue_time":1}},"usage":{"prompt_cache_hit_tokens":3,"prompt_tokens_details":{"cached_tokens":3,"cache_creation_tokens":2}}}`,
			},
			Want: []D{
				extraOf("usage.cost", "0.5"), extraOf("usage.prompt_tokens_details.audio_tokens", "0"), extraOf("usage.completion_tokens_details.reasoning_tokens", "0"),
				extraOf("usage.queue_time", "1"), spelled("usage.prompt_cache_hit_tokens"),
				spelled("usage.prompt_tokens_details.cached_tokens"), spelled("usage.prompt_tokens_details.cache_creation_tokens"),
			},
		},
		{
			Name: "of errors",
			In:   []string{`{"error":{"message":"m","code":429,"metadata":{"raw":"r"}},"provider":"p"}`, `{"error":{"message":"n","code":"429","param":null}}`},
			Want: []D{
				extraOf("provider", `"p"`), extraOf("error.metadata", `{"raw":"r"}`), {Kind: failure, Name: "429", Text: "m"},
				spelled("error.code"), {Kind: failure, Name: "429", Text: "n"},
			},
		},
	})
}
