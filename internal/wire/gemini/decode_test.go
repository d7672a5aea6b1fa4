package gemini

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
	"github.com/toolparse/toolparse/toolcall"
)

// Short words for the tables.
type D = toolcall.Delta

const (
	text      = toolcall.DeltaText
	reasoning = toolcall.DeltaReasoning
	call      = toolcall.DeltaToolCall
	signature = toolcall.DeltaSignature
	finish    = toolcall.DeltaFinish
	failure   = toolcall.DeltaError
	none      = toolcall.NoIndex
)

// parts makes a chunk of one candidate.
func parts(list ...string) string {
	return `{"candidates":[{"content":{"parts":[` + strings.Join(list, ",") + `],"role":"model"}}]}`
}

func finished(reason string, list ...string) string {
	return `{"candidates":[{"content":{"parts":[` + strings.Join(list, ",") + `]},"finishReason":"` + reason + `","index":0}],"usageMetadata":{}}`
}

// told makes an extra.
func told(path, value string) D {
	return D{Kind: toolcall.DeltaExtra, Index: none, Name: path, Text: value}
}

func newDecoder() *Decoder { return new(Decoder) }

func TestDecoder(t *testing.T) {
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{
			Name: "thoughts and text", In: []string{parts(`{"text":"r","thought":true}`), parts(`{"text":"a\n"}`, `{"text":"b"}`), finished("STOP", `{"text":""}`)},
			Want: []D{{Kind: reasoning, Text: "r"}, {Kind: text, Text: "a\n"}, {Kind: text, Text: "b"}, {Kind: finish, Text: "STOP"}}, Ended: true,
		},
		{
			Name: "calls", In: []string{finished("STOP", `{"functionCall":{"name":"f","args":{"n": 1.50}},"thoughtSignature":"s"}`, `{"functionCall":{"name":"g","id":"c"},"thoughtSignature":"t"}`)},
			Want: []D{
				{Kind: call, Index: none, Name: "f", Text: `{"n": 1.50}`, Whole: true, Done: true},
				{Kind: signature, Index: none, Name: toolcall.SignsCall, Text: "s"},
				{Kind: call, Index: none, ID: "c", Name: "g", Text: "{}", Whole: true, Done: true},
				{Kind: signature, Index: none, ID: "c", Name: toolcall.SignsCall, Text: "t"},
				{Kind: finish, Text: "STOP"},
			}, Ended: true,
		},
		{
			Name: "parts of the server", In: []string{parts(`{"executableCode":{"code":"x"},"thoughtSignature":"s"}`, `{"codeExecutionResult":{"output":"x"}}`, `{"toolCall":{"toolType":"X"}}`, `{"toolResponse":{}}`, `{"inlineData":{"data":"x"}}`)},
			Want: []D{
				told("candidates[].content.parts[].executableCode", `{"code":"x"}`), {Kind: signature, Index: none, Text: "s"},
				told("candidates[].content.parts[].codeExecutionResult", `{"output":"x"}`), told("candidates[].content.parts[].toolCall", `{"toolType":"X"}`),
				told("candidates[].content.parts[].toolResponse", "{}"), told("candidates[].content.parts[].inlineData", `{"data":"x"}`),
			},
		},
		{Name: "blocked prompt", Framing: frame.JSON, In: []string{`{"promptFeedback":{"blockReason":"SAFETY"}}`}, Want: []D{{Kind: finish, Name: "content_filter", Text: "SAFETY", Truncated: true}}, Ended: true},
		{Name: "blocked prompt, in the provider's own word", In: []string{`{"promptFeedback":{"blockReason":"JAILBREAK"}}`}, Want: []D{{Kind: finish, Name: "content_filter", Text: "JAILBREAK", Truncated: true}}, Ended: true},
		{Name: "blocked answer", In: []string{`{"candidates":[{"content":{},"finishReason":"SAFETY"}]}`}, Want: []D{{Kind: finish, Text: "SAFETY", Truncated: true}}, Ended: true},
		{Name: "malformed call", In: []string{`{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"m"}]}`}, Want: []D{told("candidates[].finishMessage", `"m"`), {Kind: finish, Text: "MALFORMED_FUNCTION_CALL", Truncated: true}}, Ended: true},
		{Name: "unasked call", In: []string{finished("UNEXPECTED_TOOL_CALL")}, Want: []D{{Kind: finish, Text: "UNEXPECTED_TOOL_CALL", Truncated: true}}, Ended: true},
		{Name: "no end", In: []string{parts(`{"text":"a"}`), `{"usageMetadata":{}}`}, Want: []D{{Kind: text, Text: "a"}}},
		{
			Name: "two candidates", In: []string{`{"candidates":[{"index":0,"content":{"parts":[{"text":"a"}]}},{"index":1,"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}`},
			Want: []D{{Kind: text, Text: "a"}, {Kind: text, Choice: 1, Text: "b"}, {Kind: finish, Choice: 1, Text: "STOP"}},
		},
		{Name: "error", In: []string{parts(`{"text":"a"}`), `{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}`}, Want: []D{{Kind: text, Text: "a"}, told("error.code", "503"), {Kind: failure, Name: "UNAVAILABLE", Text: "m"}}, Ended: true},
		{Name: "error in an array", In: []string{`[{"error":{"code":503,"message":"m"}}]`}, Want: []D{{Kind: failure, Name: "503", Text: "m"}}, Ended: true},
		{Name: "error alone", Framing: frame.JSON, In: []string{`{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}`}, Want: []D{told("error.code", "400"), {Kind: failure, Name: "INVALID_ARGUMENT", Text: "m"}}, Ended: true},
		{Name: "broken", In: []string{`{"candidates":`}, Err: "event 1, byte 14"},
		{Name: "args", In: []string{parts(`{"functionCall":{"name":"f","args":"x"}}`, `{"functionCall":{"name":"g","args":[1]}}`)}, Want: []D{{Kind: call, Index: none, Name: "f", Text: `"x"`, Whole: true, Done: true}, {Kind: call, Index: none, Name: "g", Text: "[1]", Whole: true, Done: true}}},
		{
			Name: "name, between others", In: []string{parts(`{"functionCall":{"name":"e"}}`), finished("STOP", `{"text":"a"}`, `{"functionCall":{"name":1,"args":{}},"thoughtSignature":"s"}`, `{"functionCall":{"name":"g"}}`)},
			Want: []D{{Kind: call, Index: none, Name: "e", Text: "{}", Whole: true, Done: true}, {Kind: text, Text: "a"}}, Err: "candidates[].content.parts[].functionCall.name: expected a string, got a number",
		},
		{Name: "name", In: []string{parts(`{"functionCall":{"name":1,"args":{}}}`)}, Err: "functionCall.name: expected a string, got a number"},
		{Name: "call", In: []string{parts(`{"functionCall":["f"]}`, `{"functionCall":{"name":"g"}}`)}, Err: "functionCall: expected an object, got an array"},
		{Name: "a call of a malformed part", In: []string{parts(`{"text":1,"functionCall":{"name":"f"}}`)}, Err: "parts[].text: expected a string, got a number"},
		{Name: "parts", In: []string{`{"candidates":[{"content":{"parts":5}}]}`}, Err: "candidates[].content.parts: expected an array, got a number"},
	})
}

// opener, piece and closer make the parts of a call whose arguments stream.
const (
	opener = `{"functionCall":{"name":"f","willContinue":true}}`
	closer = `{"functionCall":{}}`
)

func piece(args ...string) string {
	return `{"functionCall":{"partialArgs":[` + strings.Join(args, ",") + `],"willContinue":true}}`
}

func str(path, value string) string {
	return `{"jsonPath":"` + path + `","stringValue":"` + value + `"}`
}

func strMore(path, value string) string {
	return `{"jsonPath":"` + path + `","stringValue":"` + value + `","willContinue":true}`
}

func num(path, value string) string { return `{"jsonPath":"` + path + `","numberValue":` + value + `}` }

func TestStreamedArguments(t *testing.T) {
	opened := D{Kind: call, Index: none, Name: "f"}
	more := func(text string) D { return D{Kind: call, Index: none, Text: text} }
	done := func(text string) D { return D{Kind: call, Index: none, Text: text, Done: true} }
	stopped := D{Kind: finish, Text: "STOP"}
	wiretest.Run(t, newDecoder, []wiretest.Case{
		{
			Name: "a string in pieces",
			In:   []string{parts(opener), parts(piece(strMore("$.a", "x\\n"))), parts(`{"functionCall":{"willContinue":true}}`), parts(piece(strMore("$.a", "\\ud83d"))), parts(piece(strMore("$.a", "\\ude00"))), parts(piece(str("$.a", ""))), parts(closer), finished("STOP")},
			Want: []D{opened, more(`{"a":"x\n`), more(`\ud83d`), more(`\ude00`), more(`"`), done("}"), stopped}, Ended: true,
		},
		{
			Name: "every kind of value",
			In:   []string{parts(opener, piece(str("$.a", "x"), num("$.b", "1.50"), `{"jsonPath":"$.c","boolValue":true}`, `{"jsonPath":"$.d","nullValue":null}`, `{"jsonPath":"$.e","nullValue":"NULL_VALUE"}`, `{"jsonPath":"$.f","numberValue":"NaN"}`), closer)},
			Want: []D{opened, more(`{"a":"x","b":1.50,"c":true,"d":null,"e":null,"f":"NaN"`), done("}")},
		},
		{
			Name: "nesting",
			In:   []string{parts(opener, piece(num("$.a.b[0].c", "1")), piece(num("$.a.b[0].d", "2"), num("$.a.b[1].c", "3")), piece(num("$.a.e", "4")), piece(str("$['x.y'][0]", "5"), str("$.z", "6")), closer)},
			Want: []D{opened, more(`{"a":{"b":[{"c":1`), more(`,"d":2},{"c":3`), more(`}],"e":4`), more(`},"x.y":["5"],"z":"6"`), done("}")},
		},
		{Name: "a string left open by the next value", In: []string{parts(opener, piece(strMore("$.a[0]", "x")), piece(num("$.b", "1")), closer)}, Want: []D{opened, more(`{"a":["x`), more(`"],"b":1`), done("}")}},
		{Name: "a string left open by the end", In: []string{parts(opener, piece(strMore("$.a", "x")), closer)}, Want: []D{opened, more(`{"a":"x`), done(`"}`)}},
		{Name: "a value that goes on", In: []string{parts(opener), parts(piece(strMore("$.a", "x"))), finished("STOP")}, Want: []D{opened, more(`{"a":"x`), {Kind: finish, Text: "STOP"}}, Ended: true},
		{Name: "nothing but its name", In: []string{parts(opener), finished("STOP")}, Want: []D{opened, more("{"), {Kind: finish, Text: "STOP"}}, Ended: true},
		{Name: "word of a value to come", In: []string{parts(opener, piece(`{"jsonPath":"$.a","willContinue":true}`, strMore("$.a", "x"), `{"jsonPath":"$.a"}`), closer)}, Want: []D{opened, more(`{"a":"x"`), done("}")}},
		{
			Name: "no closing part", In: []string{parts(opener), parts(`{"functionCall":{"partialArgs":[` + num("$.a[0]", "1") + `]}}`), finished("STOP")},
			Want: []D{opened, more(`{"a":[1`), done("]}"), stopped}, Ended: true,
		},
		{
			Name: "only the string says that it goes on", In: []string{parts(opener), parts(`{"functionCall":{"partialArgs":[` + strMore("$.a", "x") + `]}}`), parts(`{"functionCall":{"partialArgs":[` + str("$.a", "y") + `]}}`)},
			Want: []D{opened, more(`{"a":"x`), more(`y"`), done("}")},
		},
		{Name: "cut by the finish", In: []string{parts(opener, piece(strMore("$.a", "x"))), finished("MAX_TOKENS")}, Want: []D{opened, more(`{"a":"x`), {Kind: finish, Text: "MAX_TOKENS", Truncated: true}}, Ended: true},
		{Name: "cut by the end", In: []string{parts(opener, piece(strMore("$.a", "x")))}, Want: []D{opened, more(`{"a":"x`)}},
		{Name: "no arguments at all", In: []string{parts(opener, closer, closer)}, Want: []D{opened, done("{}")}},
		{
			Name: "the next call", In: []string{parts(opener, piece(num("$.a", "1")), `{"functionCall":{"name":"g","id":"c","willContinue":true}}`, piece(num("$.b", "2")), `{"functionCall":{"name":"h","args":{}}}`)},
			Want: []D{opened, more(`{"a":1`), done("}"), {Kind: call, Index: none, ID: "c", Name: "g"}, more(`{"b":2`), done("}"), {Kind: call, Index: none, Name: "h", Text: "{}", Whole: true, Done: true}},
		},
		{Name: "whole after all", In: []string{parts(opener, `{"functionCall":{"args":{"a":1}}}`)}, Want: []D{opened, {Kind: call, Index: none, Text: `{"a":1}`, Whole: true}, done("")}},
		{Name: "a sign of life and an end for nothing", In: []string{parts(`{"functionCall":{"willContinue":true}}`, closer)}},
		{Name: "written before", In: []string{parts(opener, piece(num("$.a", "1"), num("$.a", "2")))}, Want: []D{opened, more(`{"a":1`)}, Err: "partialArgs[].jsonPath: a value for a place"},
		{Name: "left before", In: []string{parts(opener, piece(num("$.a.x", "1"), num("$.b", "2"), num("$.a.y", "2")))}, Want: []D{opened, more(`{"a":{"x":1},"b":2,`)}, Err: "a value for a place"},
		{Name: "an object that is an array", In: []string{parts(opener, piece(num("$.a.x", "1"), num("$.a[0]", "2")))}, Want: []D{opened, more(`{"a":{"x":1`)}, Err: "a value for a place"},
		{Name: "inside a value", In: []string{parts(opener, piece(num("$.a", "1"), num("$.a.b", "2")))}, Want: []D{opened, more(`{"a":1`)}, Err: "a value for a place"},
		{Name: "around a value", In: []string{parts(opener, piece(num("$.a.b", "1"), num("$.a", "2")))}, Want: []D{opened, more(`{"a":{"b":1`)}, Err: "a value for a place"},
		{Name: "a gap", In: []string{parts(opener, piece(num("$.a[0]", "1"), num("$.a[2]", "2")))}, Want: []D{opened, more(`{"a":[1`)}, Err: "elements out of order"},
		{Name: "not from the first", In: []string{parts(opener, piece(num("$.a[999999999]", "1")))}, Want: []D{opened, more(`{"a":`)}, Err: "elements out of order"},
		{Name: "a malformed end", In: []string{parts(opener, piece(num("$.a", "1")), `{"functionCall":{"id":1}}`, closer)}, Want: []D{opened, more(`{"a":1`)}, Err: "functionCall.id: expected a string, got a number"},
		{Name: "an end that is no call", In: []string{parts(opener), finished("STOP", `{"functionCall":1}`)}, Want: []D{opened}, Err: "functionCall: expected an object, got a number"},
		{Name: "malformed values at the end", In: []string{parts(opener), finished("STOP", `{"functionCall":{"partialArgs":[1]}}`)}, Want: []D{opened}, Err: "partialArgs[]: expected an object, got a number"},
		{Name: "a string that becomes a number", In: []string{parts(opener, piece(strMore("$.a", "x"), num("$.a", "2")))}, Want: []D{opened, more(`{"a":"x`)}, Err: "continues as another type"},
	})
	for _, path := range []string{"", "$", "a", "$.", "$..a", "$[0]", "$.a[", "$.a[x]", "$.a[-1]", "$.a['b", "$.a[99999999999]", "$a"} {
		wiretest.Run(t, newDecoder, []wiretest.Case{{Name: "path " + path, In: []string{parts(opener, piece(num(path, "1")))}, Want: []D{opened}, Err: "not a JSON path"}})
	}
	t.Run("too many candidates", func(t *testing.T) {
		var list []string
		for i := range maxStreaming + 1 {
			list = append(list, fmt.Sprintf(`{"index":%d,"content":{"parts":[%s]}}`, i, opener))
		}
		_, err := newDecoder().Feed(nil, frame.Event{Data: []byte(`{"candidates":[` + strings.Join(list, ",") + `]}`)})
		if err == nil {
			t.Error("no error")
		}
	})
}

// Any object, told value by value in the order of its text, comes out as that
// text.
func TestStreamedArgumentsAreTheObject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pieces []string
		var build func(path string, depth int) any
		build = func(path string, depth int) any {
			switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
			case kind == 0 && depth < 4:
				object := map[string]any{}
				for i := range rapid.IntRange(1, 3).Draw(t, "members") {
					key := fmt.Sprintf("k%d", i)
					object[key] = build(path+"."+key, depth+1)
				}
				return object
			case kind == 1 && depth < 4:
				var array []any
				for i := range rapid.IntRange(1, 3).Draw(t, "elements") {
					array = append(array, build(fmt.Sprintf("%s[%d]", path, i), depth+1))
				}
				return array
			case kind == 2:
				pieces = append(pieces, num(path, "1.25e2"))
				return json.Number("1.25e2")
			default:
				runs := rapid.SliceOfN(rapid.StringMatching(`[a-zé☃"\\]{0,3}`), 1, 3).Draw(t, "text")
				for i, run := range runs {
					quoted, _ := json.Marshal(run)
					if run := string(quoted[1 : len(quoted)-1]); i < len(runs)-1 {
						pieces = append(pieces, strMore(path, run))
					} else {
						pieces = append(pieces, str(path, run))
					}
				}
				return strings.Join(runs, "")
			}
		}
		want := map[string]any{"a": build("$.a", 0), "b": build("$.b", 0)}
		d := newDecoder()
		in := []string{opener}
		for len(pieces) > 0 {
			n := rapid.IntRange(1, len(pieces)).Draw(t, "pieces")
			in = append(in, piece(pieces[:n]...))
			pieces = pieces[n:]
		}
		deltas, err := d.Feed(nil, frame.Event{Data: []byte(parts(append(in, closer)...))})
		if err != nil {
			t.Fatal(err)
		}
		var args strings.Builder
		for _, d := range deltas {
			args.WriteString(d.Text)
		}
		var got map[string]any
		dec := json.NewDecoder(strings.NewReader(args.String()))
		dec.UseNumber()
		if err := dec.Decode(&got); err != nil {
			t.Fatalf("%s: %v", args.String(), err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", args.String(), diff)
		}
	})
}

func FuzzDecoder(f *testing.F) {
	wiretest.Fuzz(f, newDecoder,
		parts(`{"text":"\ud83d"}`)+"\n"+parts(`{"text":"\ude00","thought":true}`)+"\n"+finished("STOP"),
		parts(opener)+"\n"+parts(piece(strMore("$.a.b[0]", "x"), num("$.c", "1")))+"\n"+parts(closer),
		"["+parts(`{"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"s"}`)+",\n"+finished("MAX_TOKENS")+"]",
		`[{"error":{"code":1,"message":"m"}}]`,
	)
}
