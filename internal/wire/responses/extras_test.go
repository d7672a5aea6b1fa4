package responses_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/internal/wire/test/wiretest"
	"github.com/toolparse/toolparse/toolcall"
)

// remade are the paths of what is made anew: numbers and padding, which mean
// nothing; and what is encrypted, but at the end of its item, since it is another
// each time.
func remade(path string) bool {
	name := path[strings.LastIndexByte(path, '.')+1:]
	switch name {
	case "sequence_number", "obfuscation":
		return true
	case "name": // of an event that ends arguments, which repeats it
		return path == name
	case "encrypted_content":
		return path == "item.encrypted_content" || path == "response.output[].encrypted_content"
	case "fingerprint":
		return path == "response.output[].fingerprint"
	}
	return false
}

func isEmptyList(leaf string) bool { return strings.HasSuffix(leaf, " []") }

// sseOf makes a stream of events, numbered.
func sseOf(events ...string) string {
	var b strings.Builder
	for i, e := range events {
		b.WriteString("data: " + strings.Replace(e, "{", `{"sequence_number":`+strconv.Itoa(i)+",", 1) + "\n\n")
	}
	return b.String()
}

// unplaced are the members and parts of rich that do not come back.
var unplaced = []string{
	"created.x_created", "in_progress.x_progress", "output_item.added.x_added", "reasoning_summary_text.delta.x_delta", "reasoning_summary_text.done.x_text_done",
	"output_item.done.x_done", "content_part.added.x_part_added", "output_text.delta.logprobs", "output_text.annotation.added.x_note",
	"output_text.done.logprobs", "content[].output_audio", "function_call_arguments.delta.x_args",
}

// isUnplaced reports whether a leaf is of one of these.
func isUnplaced(leaf string) bool {
	path, value, _ := strings.Cut(leaf, " ")
	name := path[strings.LastIndexByte(path, '.')+1:]
	return slices.ContainsFunc(unplaced, func(of string) bool { return strings.HasSuffix(of, "."+name) }) || strings.HasPrefix(path, "logprobs[].") ||
		strings.Contains(path, "part.") || strings.Contains(path, "content[].") || strings.Contains(value, "content_part") || slices.Contains([]string{"content_index", "output_index", "item_id"}, path)
}

// rich has members that no delta tells at every level, each in its place.
var rich = sseOf(
	`{"type":"response.created","x_created":1,"response":{"id":"r","object":"response","created_at":7,"model":"m","status":"in_progress","output":[],"instructions":"be brief","tools":[{"type":"function","name":"f","parameters":{},"strict":null}],"temperature":0.5,"metadata":{"k":"v"},"service_tier":"auto","previous_response_id":"r0","error":null,"x_head":{"a":[1]}}}`,
	`{"type":"response.in_progress","x_progress":2,"response":{"id":"r","object":"response","created_at":7,"model":"m","status":"in_progress","output":[],"service_tier":"auto"}}`,
	`{"type":"response.output_item.added","output_index":0,"x_added":3,"item":{"type":"reasoning","id":"rs","summary":[],"status":"in_progress"}}`,
	`{"type":"response.reasoning_summary_part.added","item_id":"rs","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}`,
	`{"type":"response.reasoning_summary_text.delta","item_id":"rs","output_index":0,"summary_index":0,"delta":"one","x_delta":4}`,
	`{"type":"response.reasoning_summary_text.done","item_id":"rs","output_index":0,"summary_index":0,"text":"one","x_text_done":5}`,
	`{"type":"response.reasoning_summary_part.done","item_id":"rs","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"one","x_part":6}}`,
	`{"type":"response.reasoning_summary_part.added","item_id":"rs","output_index":0,"summary_index":1,"part":{"type":"summary_text","text":""}}`,
	`{"type":"response.reasoning_summary_text.delta","item_id":"rs","output_index":0,"summary_index":1,"delta":"two"}`,
	`{"type":"response.reasoning_summary_text.done","item_id":"rs","output_index":0,"summary_index":1,"text":"two"}`,
	`{"type":"response.reasoning_summary_part.done","item_id":"rs","output_index":0,"summary_index":1,"part":{"type":"summary_text","text":"two"}}`,
	`{"type":"response.content_part.added","item_id":"rs","output_index":0,"content_index":0,"part":{"type":"reasoning_text","text":""}}`,
	`{"type":"response.reasoning_text.delta","item_id":"rs","output_index":0,"content_index":0,"delta":"three"}`,
	`{"type":"response.reasoning_text.done","item_id":"rs","output_index":0,"content_index":0,"text":"three"}`,
	`{"type":"response.content_part.done","item_id":"rs","output_index":0,"content_index":0,"part":{"type":"reasoning_text","text":"three"}}`,
	`{"type":"response.output_item.done","output_index":0,"x_done":7,"item":{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"one","x_part":6},{"type":"summary_text","text":"two"}],"content":[{"type":"reasoning_text","text":"three"}],"encrypted_content":"e","status":"completed","x_item":8}}`,
	`{"type":"response.output_item.added","output_index":1,"item":{"type":"web_search_call","id":"ws","status":"in_progress"}}`,
	`{"type":"response.web_search_call.searching","output_index":1,"item_id":"ws"}`,
	`{"type":"response.output_item.done","output_index":1,"item":{"type":"web_search_call","id":"ws","status":"completed","action":{"type":"search","query":"q"}}}`,
	`{"type":"response.output_item.added","output_index":2,"item":{"type":"message","id":"m1","role":"assistant","status":"in_progress","content":[],"phase":"commentary"}}`,
	`{"type":"response.content_part.added","item_id":"m1","output_index":2,"content_index":0,"x_part_added":9,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[],"x_first":10}}`,
	`{"type":"response.output_text.delta","item_id":"m1","output_index":2,"content_index":0,"delta":"a","logprobs":[{"token":"a","logprob":-1}],"obfuscation":"zz"}`,
	`{"type":"response.output_text.delta","item_id":"m1","output_index":2,"content_index":0,"delta":"b","logprobs":[{"token":"b","logprob":-2}]}`,
	`{"type":"response.output_text.annotation.added","item_id":"m1","output_index":2,"content_index":0,"annotation_index":0,"annotation":{"type":"url_citation","url":"u","start_index":0}}`,
	`{"type":"response.output_text.annotation.added","item_id":"m1","output_index":2,"content_index":0,"annotation_index":1,"annotation":{"type":"url_citation","url":"v"},"x_note":11}`,
	`{"type":"response.output_text.done","item_id":"m1","output_index":2,"content_index":0,"text":"ab","logprobs":[{"token":"a","logprob":-1},{"token":"b","logprob":-2}]}`,
	`{"type":"response.content_part.done","item_id":"m1","output_index":2,"content_index":0,"part":{"type":"output_text","text":"ab","annotations":[{"type":"url_citation","url":"u","start_index":0},{"type":"url_citation","url":"v"}],"logprobs":[{"token":"a","bytes":[97],"logprob":-1}],"x_first":10}}`,
	`{"type":"response.content_part.added","item_id":"m1","output_index":2,"content_index":1,"part":{"type":"output_audio","data":""}}`,
	`{"type":"response.output_audio.delta","item_id":"m1","output_index":2,"content_index":1,"delta":"QQ"}`,
	`{"type":"response.content_part.done","item_id":"m1","output_index":2,"content_index":1,"part":{"type":"output_audio","data":"QQ"}}`,
	`{"type":"response.content_part.added","item_id":"m1","output_index":2,"content_index":2,"part":{"type":"refusal","refusal":""}}`,
	`{"type":"response.refusal.delta","item_id":"m1","output_index":2,"content_index":2,"delta":"no"}`,
	`{"type":"response.refusal.done","item_id":"m1","output_index":2,"content_index":2,"refusal":"no"}`,
	`{"type":"response.content_part.done","item_id":"m1","output_index":2,"content_index":2,"part":{"type":"refusal","refusal":"no"}}`,
	`{"type":"response.output_item.done","output_index":2,"item":{"type":"message","id":"m1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"ab","annotations":[{"type":"url_citation","url":"u","start_index":0},{"type":"url_citation","url":"v"}],"logprobs":[{"token":"a","bytes":[97],"logprob":-1}],"x_first":10},{"type":"output_audio","data":"QQ"},{"type":"refusal","refusal":"no"}]}}`,
	`{"type":"response.output_item.added","output_index":3,"item":{"type":"message","id":"m2","role":"assistant","status":"in_progress","content":[],"phase":"final_answer"}}`,
	`{"type":"response.content_part.added","item_id":"m2","output_index":3,"content_index":0,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}}`,
	`{"type":"response.output_text.delta","item_id":"m2","output_index":3,"content_index":0,"delta":"c"}`,
	`{"type":"response.output_text.done","item_id":"m2","output_index":3,"content_index":0,"text":"c","logprobs":[]}`,
	`{"type":"response.content_part.done","item_id":"m2","output_index":3,"content_index":0,"part":{"type":"output_text","text":"c","annotations":[],"logprobs":[]}}`,
	`{"type":"response.output_item.done","output_index":3,"item":{"type":"message","id":"m2","role":"assistant","status":"completed","phase":"final_answer","content":[{"type":"output_text","text":"c","annotations":[],"logprobs":[]}]}}`,
	`{"type":"response.output_item.added","output_index":4,"item":{"type":"function_call","id":"fc","call_id":"c1","name":"f","arguments":"","status":"in_progress","namespace":"n","caller":{"type":"program","caller_id":"p"}}}`,
	`{"type":"response.output_item.added","output_index":5,"item":{"type":"custom_tool_call","id":"ctc","call_id":"c2","name":"sql","input":"","status":"in_progress"}}`,
	`{"type":"response.function_call_arguments.delta","item_id":"fc","output_index":4,"delta":"{\"a\":","x_args":12}`,
	`{"type":"response.custom_tool_call_input.delta","item_id":"ctc","output_index":5,"delta":"SELECT \"x\"\n"}`,
	`{"type":"response.function_call_arguments.delta","item_id":"fc","output_index":4,"delta":"1}"}`,
	`{"type":"response.function_call_arguments.done","item_id":"fc","output_index":4,"arguments":"{\"a\":1}","name":"f"}`,
	`{"type":"response.output_item.done","output_index":4,"item":{"type":"function_call","id":"fc","call_id":"c1","name":"f","arguments":"{\"a\":1}","status":"completed","namespace":"n","caller":{"type":"program","caller_id":"p"},"x_end":13}}`,
	`{"type":"response.custom_tool_call_input.delta","item_id":"ctc","output_index":5,"delta":"FROM t"}`,
	`{"type":"response.custom_tool_call_input.done","item_id":"ctc","output_index":5,"input":"SELECT \"x\"\nFROM t"}`,
	`{"type":"response.output_item.done","output_index":5,"item":{"type":"custom_tool_call","id":"ctc","call_id":"c2","name":"sql","input":"SELECT \"x\"\nFROM t","status":"completed"}}`,
	`{"type":"codex.rate_limits","limits":{"a":1}}`,
	`{"type":"keepalive"}`,
	`{"type":"response.completed","copilot_usage":{"n":14},"response":{"id":"r","object":"response","created_at":7,"model":"m","status":"completed","completed_at":9,"instructions":"be brief","tools":[{"type":"function","name":"f","parameters":{},"strict":null}],"temperature":0.5,"metadata":{"k":"v"},"service_tier":"default","previous_response_id":"r0","x_head":{"a":[1]},`+
		`"output":[{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"one","x_part":6},{"type":"summary_text","text":"two"}],"content":[{"type":"reasoning_text","text":"three"}],"encrypted_content":"e","status":"completed","x_item":8},`+
		`{"type":"web_search_call","id":"ws","status":"completed","action":{"type":"search","query":"q"}},`+
		`{"type":"message","id":"m1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"ab","annotations":[{"type":"url_citation","url":"u","start_index":0},{"type":"url_citation","url":"v"}],"logprobs":[{"token":"a","bytes":[97],"logprob":-1}],"x_first":10},{"type":"output_audio","data":"QQ"},{"type":"refusal","refusal":"no"}]},`+
		`{"type":"message","id":"m2","role":"assistant","status":"completed","phase":"final_answer","content":[{"type":"output_text","text":"c","annotations":[],"logprobs":[]}]},`+
		`{"type":"function_call","id":"fc","call_id":"c1","name":"f","arguments":"{\"a\":1}","status":"completed","namespace":"n","caller":{"type":"program","caller_id":"p"},"x_end":13},`+
		`{"type":"custom_tool_call","id":"ctc","call_id":"c2","name":"sql","input":"SELECT \"x\"\nFROM t","status":"completed"}],`+
		`"usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":1,"x_in":15},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":1,"x_out":16},"total_tokens":5,"cost":0.1}}}`,
)

// unordered returns the events of a stream without their numbers, sorted.
func unordered(stream string) []string {
	events := strings.Split(regexp.MustCompile(`"sequence_number":\d+,`).ReplaceAllString(stream, ""), "\n\n")
	slices.Sort(events)
	return events
}

// pieces joins the pieces of a stream, by the type of their events.
func pieces(stream string) map[string]string {
	joined := map[string]string{}
	for line := range strings.Lines(stream) {
		var e struct{ Type, Delta string }
		if data, ok := strings.CutPrefix(line, "data: "); ok && json.Unmarshal([]byte(data), &e) == nil && e.Delta != "" {
			joined[e.Type] += e.Delta
		}
	}
	return joined
}

// On the way to the same wire nothing is lost: neither members of whatever
// level, nor where they stood.
func TestStreamsComeBackWhole(t *testing.T) {
	bodies := map[string]string{"rich": rich}
	for _, r := range codectest.Recordings(t, "responses-*") {
		if !strings.Contains(r.Name, "error") {
			bodies[r.Name] = string(r.Body)
		}
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			if strings.HasSuffix(name, ".chunks.txt") {
				body = "data: " + strings.Join(strings.Split(strings.TrimSpace(body), "\n"), "\n\ndata: ") + "\n\n"
			}
			out, losses := codectest.Translate(t, body, format.Responses, format.Responses)
			var want []string
			for _, name := range unplaced {
				if body == rich {
					want = append(want, "stream."+name)
				}
			}
			if diff := cmp.Diff(want, codectest.Fields(losses)); diff != "" {
				t.Errorf("losses (-want +got):\n%s", diff)
			}
			missing := wiretest.Missing(wiretest.Leaves(t, frame.SSE, []byte(body)), wiretest.Leaves(t, frame.SSE, []byte(out)), remade)
			samePieces := cmp.Equal(pieces(body), pieces(out))
			missing = slices.DeleteFunc(missing, func(leaf string) bool {
				// Copilot has another id in every event.
				// A comma of arguments comes with what follows it.
				return body == rich && isUnplaced(leaf) || isEmptyList(leaf) || strings.HasPrefix(leaf, "delta ") && samePieces || leaf == `type "keepalive"` || strings.Contains(name, "rotates") && strings.Contains(leaf, `id "capture-id-`)
			})
			if len(missing) > 0 {
				t.Errorf("lost %s", strings.Join(missing, "\n"))
			}
			again, _ := codectest.Translate(t, out, format.Responses, format.Responses)
			// The end of arguments waits for the end of the item, which may come later.
			if diff := cmp.Diff(unordered(out), unordered(again)); diff != "" {
				t.Errorf("once more (-want +got):\n%s", diff)
			}
			checkAgainstEnd(t, eventsOf(t, out))
		})
	}
}

// On the way to another wire each is a loss, once, but what only says how the
// wire puts an answer together.
func TestStreamsTellWhatIsLostElsewhere(t *testing.T) {
	want := []string{
		"stream.created.x_created", "stream.response.instructions", "stream.response.tools", "stream.response.temperature",
		"stream.response.metadata", "stream.response.previous_response_id", "stream.response.x_head",
		"stream.in_progress.x_progress", "stream.output_item.added.x_added", "stream.reasoning_summary_text.delta.x_delta",
		"stream.reasoning_summary_text.done.x_text_done", "stream.item.summary[].x_part", "stream.output_item.done.x_done",
		"stream.item.x_item", "stream.output[].web_search_call", "stream.event.web_search_call.searching",
		"stream.item.phase", "stream.content_part.added.x_part_added", "stream.item.content[].x_first",
		"stream.output_text.delta.logprobs", "stream.item.content[].annotations[]", "stream.output_text.annotation.added.x_note",
		"stream.output_text.done.logprobs", "stream.item.content[].logprobs", "stream.content[].output_audio",
		"stream.event.output_audio.delta", "stream.item.caller",
		"stream.function_call_arguments.delta.x_args", "stream.item.x_end", "stream.event.codex.rate_limits",
		"stream.completed.copilot_usage", "stream.response.completed_at", "stream.response.usage.input_tokens_details.x_in",
		"stream.response.usage.output_tokens_details.x_out", "stream.response.usage.cost",
	}
	slices.Sort(want)
	for _, to := range format.Wires() {
		if to == format.Responses {
			continue
		}
		t.Run(string(to), func(t *testing.T) {
			_, losses := codectest.Translate(t, rich, format.Responses, to)
			var got []string
			for _, l := range losses {
				if strings.HasPrefix(l.Field, "stream.") && (strings.Contains(l.Reason, "other wire") || strings.Contains(l.Reason, "came from")) {
					got = append(got, l.Field)
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Chat Completions pass on what is encrypted, and say whose it is.
func TestSignaturesComeBackFromChatCompletions(t *testing.T) {
	out, _ := codectest.Translate(t, rich, format.Responses, format.OpenAI)
	back, losses := codectest.Translate(t, out, format.OpenAI, format.Responses)
	if !strings.Contains(back, `"encrypted_content":"e"`) {
		t.Error(back)
	}
	for _, l := range losses {
		if strings.Contains(l.Field, "signature") || strings.Contains(l.Field, "format") {
			t.Errorf("%v", l)
		}
	}
}

// What an answer must have, and its wire did not tell, is made up, and told.
func TestMadeUpIsTold(t *testing.T) {
	ollama := chat.Meta{Wire: "ollama"}
	_, losses := encode(t, ollama, D{Kind: failure, Text: "m"})
	if diff := cmp.Diff([]string{"id", "created", "stream.error.code"}, codectest.Fields(losses)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	body, losses := codec.EncodeResponse(&wire.Response{Meta: ollama, Choices: []wire.Choice{{}}}, wire.Options{})
	if diff := cmp.Diff([]string{"id", "created"}, codectest.Fields(losses)); diff != "" || !bytes.Contains(body, []byte(`"id":"resp_`)) {
		t.Errorf("(-want +got):\n%s%s", diff, body)
	}
}

// A field of a stream's wire that comes too late for its place is a loss.
func TestExtrasWithoutTheirPlace(t *testing.T) {
	extra := func(name, value string) D { return D{Kind: toolcall.DeltaExtra, Index: -1, Name: name, Text: value} }
	out, losses := encode(t, meta,
		extra("output_text.delta.logprobs", "[1]"), extra("response.service_tier", `"a"`), D{Kind: text, Text: "a"},
		extra("item.phase", `"p"`), extra("output_text.delta.logprobs", "[2]"), extra("response.service_tier", `"b"`),
		D{Kind: call, ID: "c", Name: "f", Text: "{}", Done: true},
		extra("item.phase", `"late"`), extra("item.content[].x", "1"), extra("refusal.delta.x", "1"),
		D{Kind: finish, Text: "completed"}, extra("item.y", "1"), extra("completed.x", "3"),
	)
	if diff := cmp.Diff([]string{"stream.output_text.delta.logprobs", "stream.item.phase", "stream.item.content[].x", "stream.refusal.delta.x", "stream.item.y"}, codectest.Fields(losses)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, want := range []string{
		`"status":"in_progress","error":null,"incomplete_details":null,"model":"m","output":[],"instructions":null,"metadata":{},"parallel_tool_calls":true,"temperature":null,"tool_choice":"auto","tools":[],"top_p":null,"usage":null,"service_tier":"a"}`,
		`"phase":"p"}`, `"service_tier":"b"},"x":3}`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not in\n%s", want, out)
		}
	}
}
