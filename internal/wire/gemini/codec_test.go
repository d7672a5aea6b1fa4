package gemini_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/gemini"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
)

var codec = codectest.Codec{Codec: gemini.Codec}

// Short words for the tables.
var (
	user, assistant, result, tool = codectest.User, codectest.Assistant, codectest.Result, codectest.Tool
	history                       = codectest.History
)

// flat has the names of fields in one spelling. The role of users, an old one of
// results among it, goes without saying.
var flat = codectest.Flat{
	Member: func(_ map[string]any, name string, v any) (string, any) {
		return strings.ToLower(strings.ReplaceAll(name, "_", "")), v
	},
	Silent: func(path string, v any) bool {
		return (v == "user" || v == "function") && strings.HasSuffix(path, ".role")
	},
}

// requests are bodies as clients of many kinds send them.
var requests = []string{
	`{"contents":[]}`,
	`{"contents":[],"generationConfig":{"candidateCount":1}}`,
	`{"contents":[],"generationConfig":{"candidateCount":2,"topK":40,"seed":1}}`,
	`{"contents":[{"parts":[{"text":"u"}]}]}`,
	`{"model":"models/gemini-2.5-flash","system_instruction":{"role":"user","parts":[{"text":"a"},{"text":"b"}]},"contents":[{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[{"text":"m"}]}],"generation_config":{"temperature":0.10,"top_p":1e0,"max_output_tokens":5,"stop_sequences":["a","b"],"response_schema":{"type":"OBJECT"},"thinking_config":{"thinking_budget":-1}},"safety_settings":[{"category":"X","threshold":"OFF"}],"cached_content":"c/1","labels":{"a_b":"c"}}`,
	`{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"},"mediaResolution":{"level":"LOW"}},{"inline_data":{"mime_type":"application/pdf","data":"BBBB"}},{"fileData":{"fileUri":"gs://b/a.mp4","mimeType":"video/mp4","displayName":"a"},"videoMetadata":{"fps":1.5}},{"file_data":{"file_uri":"https://example.com/a.jpeg","mime_type":"image/jpeg"}},{"text":"t","partMetadata":{"k":10000000000000001}}]}]}`,
	`{"contents":[{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[{"text":"hm","thought":true,"thoughtSignature":"AAAA"},{"text":"t","thoughtSignature":"BBBB"},{"functionCall":{"name":"f","args":{"n": 10000000000000001}},"thoughtSignature":"CCCC"},{"functionCall":{"id":"c2","name":"g","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"}}},{"functionResponse":{"id":"c2","name":"g","response":{"error":"boom"},"willContinue":false,"scheduling":"SILENT"}}]}]}`,
	`{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"f","args":{"a":1}}}]},{"role":"function","parts":[{"functionResponse":{"name":"f","response":{"result":"5","n":[1,2]}}},{"functionResponse":{"name":"f","response":{"output":{"a":1}},"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}]}]}`,
	`{"contents":[{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"x"},"thoughtSignature":"AAAA"},{"codeExecutionResult":{"outcome":"OUTCOME_OK"}},{"text":"","thoughtSignature":"BBBB"}]}],"tools":[{"codeExecution":{}},{"googleSearch":{"excludeDomains":["a"]}}]}`,
	`{"contents":[],"tools":[{"functionDeclarations":[{"name":"f","description":"d","parameters":{"type":"OBJECT","properties":{"b":{"type":"STRING","nullable":true,"enum":["x","y"]},"a":{"type":"ARRAY","items":{"type":"INTEGER","minimum":1,"format":"int32"},"minItems":1},"c":{"anyOf":[{"type":"NUMBER"},{"type":"STRING","maxLength":5}]}},"required":["b"],"propertyOrdering":["b","a","c"]},"response":{"type":"OBJECT"},"behavior":"BLOCKING"},{"name":"g","parametersJsonSchema":{"type":"object","properties":{"z":{"$ref":"#/$defs/q"}},"$defs":{"q":{"type":["string","null"]}},"additionalProperties":false}},{"name":"h"}]},{"urlContext":{}}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f","g"],"streamFunctionCallArguments":true},"retrievalConfig":{"languageCode":"de"}}}`,
	`{"contents":[],"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}}}`,
	`{"contents":[],"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED","allowedFunctionNames":["f"]}}}`,
	`{"contents":[],"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}}}`,
	`{"contents":[],"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}`,
	`{"contents":[],"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"NEW_MODE","allowedFunctionNames":["f"]}}}`,
	`{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"of a cached call"}}}]}],"cachedContent":"c"}`,
}

// What a body holds survives.
func TestRequestsComeBack(t *testing.T) {
	codectest.ComeBack[*chat.Request]{
		Decode: codec.DecodeRequest, Encode: codec.EncodeRequest, Flat: flat, Same: cmp.Options{codectest.JSON, codectest.Unordered},
	}.Check(t, codectest.Bodies(codectest.Requests(t, "gemini-*.json"), requests...)...)
}

// The table of the founding design has the types of schemas in lower case.
func TestFoundingRequest(t *testing.T) {
	req := codec.ReadRequest(t, `{"contents":[{"role":"user","parts":[{"text":"Read the main.py file"}]}],"tools":[{"function_declarations":[{"name":"read_file","description":"Read the contents of a file","parameters":{"type":"object","properties":{"path":{"type":"string","description":"Path to the file"}},"required":["path"]}}]}],"tool_config":{"function_calling_config":{"mode":"AUTO"}}}`)
	if got := string(req.Tools[0].Parameters); got != `{"type":"object","properties":{"path":{"type":"string","description":"Path to the file"}},"required":["path"]}` {
		t.Errorf("parameters %s", got)
	}
	if req.ToolChoice.Mode != chat.ChoiceAuto || req.Messages[0].Role != chat.User {
		t.Errorf("%+v", req)
	}
	out, losses := codec.WriteRequest(t, req, wire.Options{})
	want := `{"contents":[{"role":"user","parts":[{"text":"Read the main.py file"}]}],"tools":[{"functionDeclarations":[{"name":"read_file","description":"Read the contents of a file","parameters":{"type":"OBJECT","properties":{"path":{"type":"STRING","description":"Path to the file"}},"required":["path"]}}]}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}}`
	if out != want || len(losses) > 0 {
		t.Errorf("%s\n%v", out, losses)
	}
}

// Google's client for Python writes data in the URL-safe alphabet, which other providers refuse.
func TestMediaInURLSafeBase64(t *testing.T) {
	req := codec.ReadRequest(t, `{"contents":[{"parts":[{"inline_data":{"mime_type":"image/png","data":"_9j-AA=="}},{"inlineData":{"data":"_9j_4A=="}}]}]}`)
	for i, want := range []chat.Media{{Type: "image/png", Data: "/9j+AA=="}, {Data: "/9j/4A=="}} {
		if p := req.Messages[0].Parts[i]; p.Kind != chat.PartImage || *p.Media != want {
			t.Errorf("part %d is %s %+v, want %+v", i, p.Kind, *p.Media, want)
		}
	}
}

// One content holds several results: each is a message of its own, and what
// the user says beside them another.
func TestResultsAndTextInOneContent(t *testing.T) {
	req := codec.ReadRequest(t, `{"contents":[{"role":"user","x":1,"parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"1"}}},{"functionResponse":{"id":"b","name":"g","response":{}}},{"text":"t"},{"text":""},{"text":"u"}]}]}`)
	want := []chat.Message{
		{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: &chat.Result{CallID: "a", Name: "f", Parts: []chat.Part{chat.TextPart("1")}}}}, Extras: chat.Extras{{Wire: "gemini", Name: "x", Value: json.RawMessage("1")}}},
		{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: &chat.Result{CallID: "b", Name: "g"}}}},
		{Role: chat.User, Parts: []chat.Part{chat.TextPart("t"), chat.TextPart("u")}},
	}
	if diff := cmp.Diff(want, req.Messages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// responses are bodies as the vendor's servers send them.
var responses = []string{
	`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"read_file","args":{"path":"main.py"}}}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":150,"candidatesTokenCount":25,"totalTokenCount":175}}`,
	`{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"t"},{"functionCall":{"id":"c","name":"f","args":{}},"thoughtSignature":"AAAA"}],"role":"model"},"finishReason":"STOP","index":0,"safetyRatings":[{"category":"X"}],"avgLogprobs":-0.5}],"usageMetadata":{"promptTokenCount":147,"candidatesTokenCount":108,"totalTokenCount":783,"toolUsePromptTokenCount":360,"thoughtsTokenCount":168,"cachedContentTokenCount":7,"promptTokensDetails":[{"modality":"TEXT","tokenCount":147}]},"modelVersion":"m","responseId":"r","createTime":"2026-05-27T16:53:45.443719Z"}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},"finishReason":"MAX_TOKENS","index":0},{"content":{"parts":[{"text":"b"}],"role":"model"},"finishReason":"RECITATION","index":1,"citationMetadata":{}}],"createTime":"2026-05-27T16:53:45Z"}`,
	`{"candidates":[{"content":{"role":"model","parts":[]},"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"m","index":0}]}`,
	`{"candidates":[{"content":{"role":"model","parts":[]},"finishReason":"UNEXPECTED_TOOL_CALL","index":0}]}`,
	`{"promptFeedback":{"blockReason":"JAILBREAK","blockReasonMessage":"m"},"usageMetadata":{"trafficType":"ON_DEMAND"},"modelVersion":"m"}`,
	`{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x"}]}}`,
	`{"error":{"code":418,"message":"m"}}`,
	`{"error":{"code":418,"message":"m","status":"UNAVAILABLE"}}`,
	`{"candidates":[{"content":{"parts":[{"text":"t","thoughtSignature":"no base64"}],"role":"model"},"finishReason":"NEW_REASON","index":2}]}`,
	`{"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3},"modelVersion":"m"}`,
}

func TestResponsesComeBack(t *testing.T) {
	recorded := slices.DeleteFunc(codectest.Recordings(t, "gemini-json-*.json"), func(r codectest.Recording) bool {
		return r.Body[0] != '{' // a stream
	})
	codectest.ComeBack[*wire.Response]{
		Decode: codec.DecodeResponse, Encode: codec.EncodeResponse, Flat: flat, Same: cmp.Options{codectest.JSON, codectest.Unordered},
		Forget: func(sent, written map[string]any) { // what servers leave out
			for _, path := range []string{".candidates[0].index", ".candidates[0].content.role"} {
				delete(sent, path)
				delete(written, path)
			}
		},
	}.Check(t, codectest.Bodies(recorded, responses...)...)
}

func TestResponse(t *testing.T) {
	res, err := codec.DecodeResponse([]byte(responses[1]))
	if err != nil {
		t.Fatal(err)
	}
	want := chat.Meta{
		Wire: "gemini", ID: "r", Model: "m", Created: 1779900825,
		Usage: chat.Usage{Input: 147 + 360, Output: 108 + 168, CachedInput: 7, Reasoning: 168, Total: 783},
	}
	if diff := cmp.Diff(want, res.Meta); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c := res.Choices[0]
	if c.Finish != (chat.Finish{Reason: chat.FinishToolCalls, Word: "STOP", Wire: "gemini"}) {
		t.Errorf("finish %+v", c.Finish)
	}
	if p := c.Message.Parts[2]; p.Signature != "AAAA" || p.SignedBy != "gemini" || p.Call.ID != "c" {
		t.Errorf("%+v", p)
	}
}

func TestPromptBlocked(t *testing.T) {
	for _, body := range []string{responses[5], "[" + responses[5] + "]"} {
		res, err := codec.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if f := res.Choices[0].Finish; len(res.Choices) != 1 || f.Reason != chat.FinishContentFilter || f.Word != "JAILBREAK" {
			t.Errorf("%+v", res.Choices)
		}
	}
}

func TestChoicesAboveIndexZero(t *testing.T) {
	res, err := codec.DecodeResponse([]byte(`{"candidates":[{"index":1,"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"},{"content":{"parts":[{"text":"a"}]},"index":0,"finishReason":"MAX_TOKENS"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if res.Choices[0].Message.Parts[0].Text != "a" || res.Choices[0].Finish.Reason != chat.FinishLength || res.Choices[1].Message.Parts[0].Text != "b" {
		t.Errorf("%+v", res.Choices)
	}
}

func TestFinishReasons(t *testing.T) {
	for word, want := range map[string]chat.FinishReason{
		"STOP": chat.FinishStop, "MAX_TOKENS": chat.FinishLength, "SAFETY": chat.FinishContentFilter, "RECITATION": chat.FinishContentFilter,
		"BLOCKLIST": chat.FinishContentFilter, "PROHIBITED_CONTENT": chat.FinishContentFilter, "SPII": chat.FinishContentFilter, "LANGUAGE": chat.FinishContentFilter,
		"IMAGE_SAFETY": chat.FinishContentFilter, "MODEL_ARMOR": chat.FinishContentFilter, "OTHER": chat.FinishOther,
		"MALFORMED_FUNCTION_CALL": chat.FinishError, "UNEXPECTED_TOOL_CALL": chat.FinishError, "TOO_MANY_TOOL_CALLS": chat.FinishError,
		"FINISH_REASON_UNSPECIFIED": chat.FinishUnset, "NEW_REASON": chat.FinishOther,
	} {
		res, err := codec.DecodeResponse([]byte(`{"candidates":[{"finishReason":"` + word + `"}]}`))
		if err != nil || res.Choices[0].Finish.Reason != want {
			t.Errorf("%s: %v, %+v", word, err, res)
		}
	}
	for reason, want := range map[chat.FinishReason]string{
		chat.FinishStop: "STOP", chat.FinishToolCalls: "STOP", chat.FinishLength: "MAX_TOKENS", chat.FinishContentFilter: "SAFETY",
		chat.FinishRefusal: "SAFETY", chat.FinishPause: "OTHER", chat.FinishError: "OTHER", chat.FinishOther: "OTHER",
	} {
		out, losses := codec.EncodeResponse(&wire.Response{Choices: []wire.Choice{{Finish: chat.Finish{Reason: reason}}}}, wire.Options{})
		if !strings.Contains(string(out), `"finishReason":"`+want+`"`) {
			t.Errorf("%v\n%s", reason, out)
		}
		if lost := reason == chat.FinishRefusal || reason == chat.FinishPause || reason == chat.FinishError; lost != (len(losses) == 1) {
			t.Errorf("%v: losses %v", reason, losses)
		}
	}
}

// Clients that ask for enum-encoding=int get the numbers of words.
func TestEnumsAsNumbers(t *testing.T) {
	for number, want := range map[string]chat.Finish{
		"0": {}, "1": {Reason: chat.FinishStop, Word: "STOP"}, "2": {Reason: chat.FinishLength, Word: "MAX_TOKENS"},
		"3": {Reason: chat.FinishContentFilter, Word: "SAFETY"}, "5": {Reason: chat.FinishOther, Word: "OTHER"},
		"6": {Reason: chat.FinishContentFilter, Word: "LANGUAGE"}, "10": {Reason: chat.FinishError, Word: "MALFORMED_FUNCTION_CALL"},
		"12": {Reason: chat.FinishError, Word: "UNEXPECTED_TOOL_CALL"}, "17": {Reason: chat.FinishContentFilter, Word: "IMAGE_RECITATION"},
		"99": {Reason: chat.FinishOther, Word: "99"}, "-1": {Reason: chat.FinishOther, Word: "-1"},
	} {
		if want.Word != "" {
			want.Wire = gemini.Wire
		}
		body := `{"candidates":[{"finishReason":` + number + `}]}`
		res, err := codec.DecodeResponse([]byte(body))
		if err != nil || res.Choices[0].Finish != want || res.Faults != nil {
			t.Errorf("%s: %v, %+v, %v", body, err, res.Choices[0].Finish, res.Faults)
		}
		deltas, err := new(gemini.Decoder).Feed(nil, frame.Event{Data: []byte(body)})
		if err != nil || want.Word != "" && (len(deltas) != 1 || deltas[0].Text != want.Word || deltas[0].Truncated != wire.IsCut(want.Reason)) {
			t.Errorf("%s as an event: %v, %+v", body, err, deltas)
		}
	}
	res, err := codec.DecodeResponse([]byte(`{"promptFeedback":{"blockReason":4}}`))
	if err != nil || res.Choices[0].Finish.Word != "PROHIBITED_CONTENT" {
		t.Errorf("%v, %+v", err, res)
	}
	for number, want := range map[string]chat.ChoiceMode{"1": chat.ChoiceAuto, "2": chat.ChoiceRequired, "3": chat.ChoiceNone, "4": chat.ChoiceAuto} {
		req, err := codec.DecodeRequest([]byte(`{"contents":[],"toolConfig":{"functionCallingConfig":{"mode":` + number + `}}}`))
		if err != nil || req.ToolChoice.Mode != want {
			t.Errorf("mode %s: %v, %+v", number, err, req)
		}
	}
}

// Calls that were cut or broken do not look like such that can run.
func TestBrokenCallInResponse(t *testing.T) {
	for reason, want := range map[chat.FinishReason]string{chat.FinishLength: "MAX_TOKENS", chat.FinishToolCalls: "MALFORMED_FUNCTION_CALL"} {
		out, losses := codec.EncodeResponse(&wire.Response{Choices: []wire.Choice{{
			Message: chat.Message{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("a", "f", "{}"), chat.CallPart("b", "f", `{"cut`)}},
			Finish:  chat.Finish{Reason: reason},
		}}}, wire.Options{})
		if len(losses) != 1 || losses[0].Field != "choices[0].message.parts[1].call.arguments" {
			t.Errorf("%v", losses)
		}
		if want := `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}}]},"finishReason":"` + want + `","index":0}]}`; string(out) != want {
			t.Errorf("%s\nwant %s", out, want)
		}
	}
}

// Errors name the field and the byte.
func TestErrorsNameTheField(t *testing.T) {
	codectest.Refuses(t, gemini.Wire, codec.DecodeRequest, map[string]string{
		`{"contents":7}`:                                           "byte 12: contents: expected an array, got a number",
		`{"contents":[{"parts":[{"text":1}]}]}`:                    "byte 31: contents[].parts[].text: expected a string, got a number",
		`{"contents":[{"parts":[{"functionCall":"x"}]}]}`:          "contents[].parts[].functionCall: expected an object, got a string",
		`{"contents":[{"parts":[{"text":"a","thought":"true"}]}]}`: "contents[].parts[].thought: expected a boolean, got a string",
		`{"tools":[{"functionDeclarations":7}]}`:                   "tools[].functionDeclarations: expected an array, got a number",
		`{"toolConfig":[]}`:                                        "toolConfig: expected an object, got an array",
		`{"contents":[`:                                            "gemini",
		`null`:                                                     "contents: it is missing",
	})
	codectest.Refuses(t, gemini.Wire, codec.DecodeResponse, map[string]string{
		`[1,2]`: "expected an object, got an array",
		`{}`:    "byte 0: candidates: it is missing",
		``:      "candidates: it is missing",
		`null`:  "candidates: it is missing",
		`{"choices":[{"message":{"role":"assistant","content":"a"}}]}`: "candidates: it is missing",
	})
	codectest.Refuses(t, gemini.Wire, codec.DecodeTools, map[string]string{
		`null`: "byte 0: tools: it is missing",
		`{}`:   "expected an array, got an object",
	})
}

func FuzzRequest(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeRequest, codec.EncodeRequest, nil, requests...)
}

func FuzzResponse(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeResponse, codec.EncodeResponse, nil, responses...)
}

func FuzzTools(f *testing.F) {
	codectest.Fuzz(f, codec.DecodeTools, codec.EncodeTools, nil,
		`[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true}}}}]},{"googleSearch":{}}]`,
		`[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"$ref":"#"}}]}]`)
}
