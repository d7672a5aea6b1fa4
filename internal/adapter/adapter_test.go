package adapter

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/callmeta"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Short names for tables of events.
const (
	startOf   = toolcall.SegmentStart
	contentOf = toolcall.SegmentContent
	endOf     = toolcall.SegmentEnd
)

// ev makes an event; Payload is the delta or the metadata.
func ev(t toolcall.EventType, segment toolcall.SegmentType, id, payload string) toolcall.Event {
	e := toolcall.Event{Type: t, Segment: segment, ID: id, Payload: payload}
	if t == toolcall.SegmentEnd {
		e.Status = toolcall.Complete
	}
	return e
}

// segmentOf is the life of one complete segment.
func segmentOf(kind toolcall.SegmentType, name, meta string, deltas ...string) []toolcall.Event {
	start := ev(startOf, kind, "seg_1", meta)
	start.Name = name
	events := []toolcall.Event{start}
	for _, d := range deltas {
		events = append(events, ev(contentOf, kind, "seg_1", d))
	}
	return append(events, ev(endOf, kind, "seg_1", ""))
}

// fileOf is segmentOf for a segment whose content is a parameter.
func fileOf(kind toolcall.SegmentType, parameter, meta string, deltas ...string) []toolcall.Event {
	events := segmentOf(kind, string(kind), meta, deltas...)
	events[0].Origin = callmeta.NewOrigin("", parameter)
	return events
}

// callOf is segmentOf for a tool_call.
func callOf(name string, deltas ...string) []toolcall.Event {
	return segmentOf(toolcall.SegmentToolCall, name, "", deltas...)
}

// endedBy changes the last event.
func endedBy(events []toolcall.Event, change func(*toolcall.Event)) []toolcall.Event {
	change(&events[len(events)-1])
	return events
}

// run adds all events, then closes.
func run(t testing.TB, opts Options, events []toolcall.Event) []toolcall.ToolInvocation {
	t.Helper()
	a, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	var calls []toolcall.ToolInvocation
	for _, e := range events {
		if call, ok := a.Add(e); ok {
			calls = append(calls, call)
		}
	}
	return append(calls, a.Close()...)
}

// lines renders invocations as they are printed, with a mark on those that run.
func lines(t testing.TB, calls []toolcall.ToolInvocation) []string {
	t.Helper()
	var out []string
	for _, call := range calls {
		line, err := call.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		mark := "- "
		if call.Runnable() {
			mark = "+ "
		}
		out = append(out, mark+string(line))
	}
	return out
}

var weather = []toolcall.ToolDefinition{{
	Name:       "get_weather",
	Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":1}},"required":["city"]}`),
}}

func TestAdd(t *testing.T) {
	const file, edit, bash = toolcall.SegmentWriteFile, toolcall.SegmentEditFile, toolcall.SegmentRunBash
	text := segmentOf(toolcall.SegmentText, "", "", "hello")
	tests := []struct {
		name   string
		opts   Options
		events []toolcall.Event
		want   []string
	}{
		{"nothing", Options{}, nil, nil},
		{"text is no call", Options{}, text, nil},
		{"arguments are the deltas", Options{}, callOf("add", `{ "a" :`, ` 1.0, `, `"b":"\u00e9<" }`),
			[]string{`+ {"id":"seg_1","name":"add","arguments":{"a":1.0,"b":"\u00e9<"},"status":"complete"}`}},
		{"call id of the end", Options{}, endedBy(callOf("f", `{}`), func(e *toolcall.Event) { e.Payload = `{"call_id":"call_9"}` }),
			[]string{`+ {"id":"seg_1","call_id":"call_9","name":"f","arguments":{},"status":"complete"}`}},
		{"name in the metadata", Options{}, segmentOf(toolcall.SegmentToolCall, "", `{"tool_name":"f"}`, `{}`),
			[]string{`+ {"id":"seg_1","name":"f","arguments":{},"status":"complete"}`}},
		{"no name", Options{}, callOf("", `{}`),
			[]string{`- {"id":"seg_1","name":"","arguments":{},"status":"malformed","reason":"no_name"}`}},
		{"tolerances", Options{}, endedBy(callOf("f", `{}`), func(e *toolcall.Event) { e.Tolerances = toolcall.MissingCloser }),
			[]string{`+ {"id":"seg_1","name":"f","arguments":{},"status":"complete","tolerances":["missing_closer"]}`}},

		{"write_file", Options{}, fileOf(file, "content", `{"path":"/a","mode":"append"}`, "a\n\"", "b\"<"),
			[]string{`+ {"id":"seg_1","name":"write_file","arguments":{"path":"/a","mode":"append","content":"a\n\"b\"<"},"status":"complete"}`}},
		{"empty file", Options{}, fileOf(file, "content", `{"path":"/a"}`),
			[]string{`+ {"id":"seg_1","name":"write_file","arguments":{"path":"/a","content":""},"status":"complete"}`}},
		{"parameters of reserved names", Options{}, endedBy(fileOf(file, "content", `{"call_id":"c","path":"/a","arguments":{"call_id":1,"arguments":{"x":2}}}`, "x"), func(e *toolcall.Event) {
			e.Payload = `{"arguments":{"status":"draft"},"mode":null}`
		}),
			[]string{`+ {"id":"seg_1","call_id":"c","name":"write_file","arguments":{"path":"/a","call_id":1,"arguments":{"x":2},"status":"draft","mode":null,"content":"x"},"status":"complete"}`}},
		{"metadata of the end win", Options{}, endedBy(fileOf(edit, "patch", `{"path":"/a"}`, "@@"), func(e *toolcall.Event) {
			e.Payload = `{"path":"/b","call_id":"c"}`
		}),
			[]string{`+ {"id":"seg_1","call_id":"c","name":"edit_file","arguments":{"path":"/b","patch":"@@"},"status":"complete"}`}},
		{"run_bash", Options{}, fileOf(bash, "command", `{"background":true,"timeout_seconds":45}`, "ls"),
			[]string{`+ {"id":"seg_1","name":"run_bash","arguments":{"background":true,"timeout_seconds":45,"command":"ls"},"status":"complete"}`}},
		{"content wins over metadata", Options{}, fileOf(bash, "command", `{"command":"rm"}`, "ls"),
			[]string{`+ {"id":"seg_1","name":"run_bash","arguments":{"command":"ls"},"status":"complete"}`}},
		{"what describes the segment", Options{}, fileOf(bash, "command", `{"call_id":"","unknown_tool":false}`, "ls"),
			[]string{`+ {"id":"seg_1","name":"run_bash","arguments":{"command":"ls"},"status":"complete"}`}},
		{"content that is no UTF-8", Options{}, fileOf(bash, "command", ``, "a\xff", "b"),
			[]string{`+ {"id":"seg_1","name":"run_bash","arguments":{"command":"a` + "\uFFFD" + `b"},"status":"complete","tolerances":["invalid_utf8"]}`}},
		{"a name that is no UTF-8", Options{}, callOf("f\xff", `{}`),
			[]string{`+ {"id":"seg_1","name":"f` + "\uFFFD" + `","arguments":{},"status":"complete","tolerances":["invalid_utf8"]}`}},
		{"content that is no UTF-8, strict", Options{Strict: true}, fileOf(bash, "command", ``, "a\xff"),
			[]string{`- {"id":"seg_1","name":"run_bash","arguments":{"command":"a` + "\uFFFD" + `"},"status":"malformed","reason":"tolerance_forbidden","tolerances":["invalid_utf8"]}`}},

		{"no syntax", Options{}, segmentOf("sql", "query", ``, "select 1"),
			[]string{`- {"id":"seg_1","name":"query","arguments":null,"raw_arguments":"select 1","status":"rejected","problems":[{"path":"","rule":"syntax","message":"no ToolSyntax names the parameter for the content of segment type \"sql\""}]}`}},
		{"another name alone", Options{Syntaxes: Syntaxes{"sql": {Tool: "get_weather"}}, Tools: weather}, fileOf("sql", "city", `{"unknown_tool":true,"days":1}`, "Oslo"),
			[]string{`+ {"id":"seg_1","name":"get_weather","arguments":{"days":1,"city":"Oslo"},"status":"complete"}`}},
		{"own syntax", Options{Syntaxes: Syntaxes{"sql": {Build: withStatement}}}, segmentOf("sql", "query", `{"db":"main","limit":12345678901234567890}`, "select 1"),
			[]string{`+ {"id":"seg_1","name":"query","arguments":{"db":"main","limit":12345678901234567890,"statement":"select 1"},"status":"complete"}`}},
		{"own syntax with a struct", Options{Syntaxes: Syntaxes{"sql": {Tool: "query", Build: func(_ map[string]any, text string) (any, error) {
			return struct {
				Text string `json:"text"`
			}{text}, nil
		}}}}, segmentOf("sql", "", ``, "a<b"),
			[]string{`+ {"id":"seg_1","name":"query","arguments":{"text":"a<b"},"status":"complete"}`}},
		{"own syntax makes no object", Options{Syntaxes: Syntaxes{"sql": {Tool: "query", Build: func(map[string]any, string) (any, error) { return 5, nil }}}},
			segmentOf("sql", "", ``, "x"),
			[]string{`- {"id":"seg_1","name":"query","arguments":null,"raw_arguments":"x","status":"malformed","reason":"arguments_not_an_object","problems":[{"path":"","rule":"syntax","message":"the arguments are not a JSON object"}]}`}},

		{"incomplete call", Options{Tools: weather}, endedBy(callOf("get_weather", `{"city":"Os`), func(e *toolcall.Event) {
			e.Status, e.Reason = toolcall.Incomplete, toolcall.ReasonTruncated
		}),
			[]string{`- {"id":"seg_1","name":"get_weather","arguments":null,"raw_arguments":"{\"city\":\"Os","status":"incomplete","reason":"truncated_by_provider"}`}},
		{"incomplete command", Options{}, endedBy(fileOf(bash, "command", ``, "rm -rf /tmp/bui"), func(e *toolcall.Event) {
			e.Status, e.Reason = toolcall.Incomplete, toolcall.ReasonEndOfStream
		}),
			[]string{`- {"id":"seg_1","name":"run_bash","arguments":{"command":"rm -rf /tmp/bui"},"status":"incomplete","reason":"end_of_stream"}`}},
		{"malformed call whose arguments are whole", Options{}, endedBy(callOf("f", `{}`), func(e *toolcall.Event) {
			e.Status, e.Reason = toolcall.Malformed, toolcall.ReasonInvalidJSON
		}),
			[]string{`- {"id":"seg_1","name":"f","arguments":{},"status":"malformed","reason":"invalid_json"}`}},
		{"end never comes", Options{}, callOf("f", `{}`)[:2],
			[]string{`- {"id":"seg_1","name":"f","arguments":{},"status":"incomplete","reason":"end_of_stream"}`}},

		{"nearly JSON", Options{}, callOf("f", `{'a': True,`, `}`),
			[]string{`+ {"id":"seg_1","name":"f","arguments":{"a":true},"status":"complete","tolerances":["trailing_comma","single_quotes","python_literal"]}`}},
		{"nearly JSON, strictly", Options{Strict: true}, callOf("f", `{"a":1,}`),
			[]string{`- {"id":"seg_1","name":"f","arguments":{"a":1},"status":"malformed","reason":"tolerance_forbidden","tolerances":["trailing_comma"]}`}},
		{"no JSON", Options{}, callOf("f", `{"a" 1}`),
			[]string{`- {"id":"seg_1","name":"f","arguments":null,"raw_arguments":"{\"a\" 1}","status":"malformed","reason":"invalid_json"}`}},
		{"no object", Options{}, callOf("f", `[1]`),
			[]string{`- {"id":"seg_1","name":"f","arguments":[1],"status":"malformed","reason":"arguments_not_an_object"}`}},
		{"nothing", Options{}, callOf("f"),
			[]string{`- {"id":"seg_1","name":"f","arguments":null,"status":"malformed","reason":"arguments_not_an_object"}`}},
		{"tolerance, strictly", Options{Strict: true}, endedBy(callOf("f", `{}`), func(e *toolcall.Event) { e.Tolerances = toolcall.NamedTag }),
			[]string{`- {"id":"seg_1","name":"f","arguments":{},"status":"malformed","reason":"tolerance_forbidden","tolerances":["named_tag"]}`}},

		{"valid", Options{Tools: weather}, callOf("get_weather", `{"city":"Oslo"}`),
			[]string{`+ {"id":"seg_1","name":"get_weather","arguments":{"city":"Oslo"},"status":"complete"}`}},
		{"invalid", Options{Tools: weather}, callOf("get_weather", `{"days":0}`),
			[]string{`- {"id":"seg_1","name":"get_weather","arguments":{"days":0},"status":"complete","problems":[{"path":"","rule":"required","message":"the required parameter \"city\" is missing; add it, as a string"},{"path":"/days","rule":"minimum","message":"must be at least 1, but is 0"}]}`}},
		{"coerced", Options{Tools: weather, Coerce: true}, callOf("get_weather", `{"city": 5,"days":"2"}`),
			[]string{`+ {"id":"seg_1","name":"get_weather","arguments":{"city":"5","days":2},"status":"complete","tolerances":["coerced_type"]}`}},
		{"not coerced by default", Options{Tools: weather}, callOf("get_weather", `{"city":"a","days":"2"}`),
			[]string{`- {"id":"seg_1","name":"get_weather","arguments":{"city":"a","days":"2"},"status":"complete","problems":[{"path":"/days","rule":"type","message":"must be an integer, but is the string \"2\"; send it without quotes: 2"}]}`}},
		{"not coerced, strictly", Options{Tools: weather, Coerce: true, Strict: true}, callOf("get_weather", `{"city":5}`),
			[]string{`- {"id":"seg_1","name":"get_weather","arguments":{"city":5},"status":"complete","problems":[{"path":"/city","rule":"type","message":"must be a string, but is the number 5; put it in quotes: \"5\""}]}`}},

		{"unknown", Options{Tools: weather}, callOf("get_wether", `{}`),
			[]string{`- {"id":"seg_1","name":"get_wether","arguments":{},"status":"complete","unknown":true}`}},
		{"unknown to the parser", Options{}, segmentOf(toolcall.SegmentToolCall, "f", `{"unknown_tool":true}`, `{}`),
			[]string{`- {"id":"seg_1","name":"f","arguments":{},"status":"complete","unknown":true}`}},
		{"file tool not declared", Options{Tools: weather}, fileOf(bash, "command", ``, "ls"),
			[]string{`- {"id":"seg_1","name":"run_bash","arguments":{"command":"ls"},"status":"complete","unknown":true}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lines(t, run(t, tt.opts, tt.events))); diff != "" {
				t.Errorf("invocations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAddKeepsTheModelsBytes(t *testing.T) {
	const args = " {\"a\" : 1e2,\t\"b\":\"\\u0041\"}\n"
	calls := run(t, Options{Coerce: true, Tools: []toolcall.ToolDefinition{{Name: "f"}}}, callOf("f", args[:5], args[5:]))
	if got := string(calls[0].Arguments); got != args {
		t.Errorf("Arguments = %q, want %q", got, args)
	}
}

func TestAddOutOfOrder(t *testing.T) {
	const call = toolcall.SegmentToolCall
	named := func(id string) toolcall.Event {
		e := ev(startOf, call, id, "")
		e.Name = "f"
		return e
	}
	content, end := ev(contentOf, call, "a", "{}"), ev(endOf, call, "a", "")
	tests := []struct {
		name   string
		events []toolcall.Event
		want   []toolcall.Status
	}{
		{"end alone", []toolcall.Event{end}, nil},
		{"content alone", []toolcall.Event{content, end}, nil},
		{"content too early", []toolcall.Event{content, named("a"), end}, []toolcall.Status{toolcall.Malformed}},
		{"content too late", []toolcall.Event{named("a"), content, end, content}, []toolcall.Status{toolcall.Complete}},
		{"two ends", []toolcall.Event{named("a"), content, end, end}, []toolcall.Status{toolcall.Complete}},
		{"two starts", []toolcall.Event{named("a"), named("a"), content, end}, []toolcall.Status{toolcall.Malformed}},
		{"an id again", []toolcall.Event{named("a"), content, end, named("a"), content, end}, []toolcall.Status{toolcall.Complete, toolcall.Malformed}},
		{"no id", []toolcall.Event{named(""), ev(contentOf, call, "", "{}"), ev(endOf, call, "", "")}, []toolcall.Status{toolcall.Malformed}},
		{"another type inside", []toolcall.Event{named("a"), ev(contentOf, toolcall.SegmentText, "a", "{}"), end}, []toolcall.Status{toolcall.Malformed}},
		{"start of text under a call's id", []toolcall.Event{named("a"), content, ev(startOf, toolcall.SegmentText, "a", ""), end}, []toolcall.Status{toolcall.Malformed}},
		{"no status", []toolcall.Event{named("a"), content, {Type: endOf, ID: "a"}}, []toolcall.Status{toolcall.Malformed}},
		{"no type", []toolcall.Event{named("a"), {ID: "a"}, content, end}, []toolcall.Status{toolcall.Complete}},
		{"two at once", []toolcall.Event{named("b"), named("a"), content, ev(contentOf, call, "b", "{}"), end, ev(endOf, call, "b", "")},
			[]toolcall.Status{toolcall.Complete, toolcall.Complete}},
		{"open ones in order", []toolcall.Event{named("c"), named("b"), named("a"), end}, []toolcall.Status{toolcall.Malformed, toolcall.Incomplete, toolcall.Incomplete}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []toolcall.Status
			for _, c := range run(t, Options{}, tt.events) {
				got = append(got, c.Status)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("statuses (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNewErrors(t *testing.T) {
	_, err := New(Options{Tools: []toolcall.ToolDefinition{{Name: "ok"}, {Name: "f", Parameters: json.RawMessage(`{"properties":{"a":5}}`)}}})
	const want = `tool 1 ("f"): parameters: schema: at /properties/a: a schema must be an object or a boolean`
	if err == nil || err.Error() != want {
		t.Errorf("New: %v, want %s", err, want)
	}
}

func TestNewKeepsACopyOfTheSyntaxes(t *testing.T) {
	syntaxes := Syntaxes{"sql": {Tool: "query"}}
	a, err := New(Options{Syntaxes: syntaxes})
	if err != nil {
		t.Fatal(err)
	}
	clear(syntaxes)
	var calls []toolcall.ToolInvocation
	for _, e := range fileOf("sql", "statement", "", "select 1") {
		if call, ok := a.Add(e); ok {
			calls = append(calls, call)
		}
	}
	if len(calls) != 1 || calls[0].Name != "query" || !calls[0].Runnable() {
		t.Errorf("calls = %v", calls)
	}
}

// TestClose: a call whose end never came is incomplete.
func TestClose(t *testing.T) {
	a, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range callOf("g", "{")[:2] {
		a.Add(e)
	}
	if calls := a.Close(); len(calls) != 1 || calls[0].Name != "g" || calls[0].Status != toolcall.Incomplete {
		t.Errorf("%v", calls)
	}
	if _, err := New(Options{Tools: []toolcall.ToolDefinition{{Name: "x", Parameters: json.RawMessage(`5`)}}}); err == nil || err.Error() != `tool 0 ("x"): parameters: schema: a schema must be an object or a boolean` {
		t.Errorf("%v", err)
	}
}

// TestUnchecked: a rule that cannot be checked is told on the call, and in strict mode
// keeps it from running.
func TestUnchecked(t *testing.T) {
	tools := []toolcall.ToolDefinition{{Name: "f", Parameters: json.RawMessage(`{"properties":{"p":{"pattern":"^(.)\\1$"}}}`)}}
	events := callOf("f", `{"p":"aa"}`)
	call := run(t, Options{Tools: tools}, events)[0]
	want := []string{`/p: the pattern ^(.)\1$ could not be checked: it has a back-reference`}
	if diff := cmp.Diff(want, call.Unchecked); diff != "" || !call.Runnable() {
		t.Errorf("runnable %v; unchecked (-want +got):\n%s", call.Runnable(), diff)
	}
	call = run(t, Options{Tools: tools, Strict: true}, events)[0]
	if call.Runnable() || len(call.Problems) != 1 || call.Problems[0].Rule != "pattern" || len(call.Unchecked) != 0 {
		t.Errorf("strict: %+v", call)
	}
}

// compiledWith compiles n tools.
func compiledWith(tb testing.TB, n int) *Compiled {
	tb.Helper()
	tools := make([]toolcall.ToolDefinition, n)
	for i := range tools {
		tools[i] = toolcall.ToolDefinition{Name: fmt.Sprintf("f%d", i), Parameters: []byte(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)}
	}
	c, err := Compile(Options{Tools: tools})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// TestReset holds an adapter that is used again, after a call that has ended and one
// that has not, to what a new one makes of a conversation.
func TestReset(t *testing.T) {
	c := compiledWith(t, 2)
	calls := func(a *Adapter) (all []toolcall.ToolInvocation) {
		for _, e := range callOf("f1", `{"n":`, `1}`) {
			if call, ok := a.Add(e); ok {
				all = append(all, call)
			}
		}
		return append(all, a.Close()...)
	}
	want := calls(c.New())
	if len(want) != 1 || !want[0].Runnable() {
		t.Fatalf("the call is %+v, want one that can run", want)
	}
	a := c.New()
	calls(a)
	a.Reset()
	if diff := cmp.Diff(want, calls(a)); diff != "" {
		t.Errorf("after a call that ended (-new +used again)\n%s", diff)
	}
	a.Reset()
	a.Add(callOf("f0", `{`)[0])
	a.Reset()
	if diff := cmp.Diff(want, calls(a)); diff != "" {
		t.Errorf("after a call that did not end (-new +used again)\n%s", diff)
	}
}

// TestLend reads two conversations of several calls in the same memory.
func TestLend(t *testing.T) {
	a := compiledWith(t, 3).New()
	for _, n := range []string{"1", "2"} {
		a.Lend()
		var got []string
		var calls []toolcall.ToolInvocation
		for _, name := range []string{"f0", "f1", "f2"} {
			for _, e := range callOf(name, `{"n":`, n+`}`) {
				e.ID = name
				if call, ok := a.Add(e); ok {
					calls = append(calls, call)
				}
			}
		}
		for _, call := range calls {
			got = append(got, call.Name+string(call.Arguments))
		}
		if diff := cmp.Diff([]string{`f0{"n":` + n + `}`, `f1{"n":` + n + `}`, `f2{"n":` + n + `}`}, got); diff != "" {
			t.Errorf("conversation %s (-want +got)\n%s", n, diff)
		}
		a.Reset()
	}
}

// TestParserGivesSchemas holds an adapter of a parser's tools to what one of its own
// says.
func TestParserGivesSchemas(t *testing.T) {
	tools := []toolcall.ToolDefinition{{Name: "f", Parameters: []byte(`{"type":"object","required":["n"]}`)}}
	compiled, err := parser.Compile(parser.Options{Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	var all [2][]toolcall.ToolInvocation
	for i, opts := range []Options{{Tools: tools}, {Tools: tools, Parser: compiled}} {
		a, err := New(opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"f", "g"} {
			for _, e := range callOf(name, `{}`) {
				if call, ok := a.Add(e); ok {
					all[i] = append(all[i], call)
				}
			}
			a.Reset()
		}
	}
	if diff := cmp.Diff(all[0], all[1]); diff != "" {
		t.Errorf("(-own +parser's)\n%s", diff)
	}
	if len(all[1]) != 2 || len(all[1][0].Problems) == 0 || !all[1][1].Unknown {
		t.Errorf("calls %+v, want one with a problem, and one of an unknown tool", all[1])
	}
}

// withStatement is a [Builder] that adds the content as a parameter.
func withStatement(metadata map[string]any, content string) (any, error) {
	metadata["statement"] = content
	return metadata, nil
}
