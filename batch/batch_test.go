package batch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/batch"
)

// hermes is a call in the dialect hermes.
const hermes = `<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>`

// quoted is s as JSON.
func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func newBatch(t rapid.TB, opts batch.Options) *batch.Batch {
	t.Helper()
	b, err := batch.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// run returns the output of a run that must succeed.
func run(t testing.TB, b *batch.Batch, input string) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := b.Run(context.Background(), &out, strings.NewReader(input)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// result holds the members of a result that the tests check.
type result struct {
	Line  int64           `json:"line"`
	ID    json.RawMessage `json:"id"`
	Calls []struct {
		Name, Status, Field string
		Arguments           json.RawMessage
		Start, End          int
	} `json:"calls"`
	Text, Reasoning, Finish, Dialect, Error, File string
}

// summary returns a result on one line: its calls, text, reasoning and error.
func summary(t testing.TB, line string) string {
	t.Helper()
	var r result
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	var parts []string
	for _, c := range r.Calls {
		call := c.Name + string(c.Arguments)
		if c.Status != "complete" {
			call += " " + c.Status
		}
		if c.Field != "" {
			call += "@" + c.Field
		}
		parts = append(parts, call)
	}
	for _, p := range [...]struct{ key, value string }{{"text", r.Text}, {"reasoning", r.Reasoning}, {"error", r.Error}} {
		if p.value != "" {
			parts = append(parts, p.key+":"+p.value)
		}
	}
	return strings.Join(parts, " | ")
}

func TestShapes(t *testing.T) {
	chat := `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}`
	claude := `{"id":"m","type":"message","role":"assistant","model":"claude","content":[{"type":"text","text":"Hi"},{"type":"tool_use","id":"t","name":"f","input":{"a":1}}],"stop_reason":"tool_use"}`
	google := `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"},{"functionCall":{"name":"f","args":{"a":1}}}]},"finishReason":"STOP"}]}`
	const want = `f{"a":1} | text:Hi`
	for _, test := range []struct{ name, record, want string }{
		{"Chat Completions", chat, want},
		{"Messages", claude, want},
		{"Gemini", google, want},
		{"Ollama", `{"model":"m","message":{"role":"assistant","content":"Hi","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"done":true}`, want},
		{"Responses", `{"id":"r","object":"response","status":"completed","model":"m","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi"}]},{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1}"}]}`, want},
		{"a batch of OpenAI", `{"id":"b","custom_id":"c","response":{"status_code":200,"body":` + chat + `},"error":null}`, want},
		{"a batch of Anthropic", `{"custom_id":"c","result":{"type":"succeeded","message":` + claude + `}}`, want},
		{"a batch of Gemini", `{"key":"c","response":` + google + `}`, want},
		{"a log", `{"request":{"messages":[{"role":"assistant","content":"Old"}]},"response":` + chat + `}`, want},
		{"a failed request of OpenAI", `{"custom_id":"c","response":null,"error":{"code":"x","message":"no"}}`, "error:the provider reported an error (x): no"},
		{"a failed request of Anthropic", `{"custom_id":"c","result":{"type":"errored","error":{"type":"error","error":{"type":"x","message":"no"}}}}`, "error:the request failed: no"},
		{"an expired request", `{"custom_id":"c","result":{"type":"expired"}}`, "error:the request was expired"},
		{"a text", `{"completion":` + quoted("Hi "+hermes) + `}`, `add{"a":1} | text:Hi `},
		{"texts", `{"text":["Hi",` + quoted(hermes) + `]}`, `add{"a":1}@text.1 | text:Hi`},
		{"a recorded stream", `{"stream":` + quoted("data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: [DONE]\n\n") + `}`, "text:Hi"},
		{"events", `{"events":[{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"}}]},{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}]}`, "text:Hi"},
		{"a conversation of OpenAI", `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"},{"role":"assistant","content":` + quoted(hermes) + `}]}`,
			`f{}@messages.1 | add{"a":1}@messages.3`},
		{"a conversation of Anthropic", `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"Hm","signature":"s"},{"type":"text","text":"Hi"},{"type":"tool_use","id":"t","name":"f","input":{}}]}]}`, "f{} | text:Hi | reasoning:Hm"},
		{"a conversation of Gemini", `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"text":"Hi"},{"functionCall":{"name":"f","args":{}}}]}]}`, "f{} | text:Hi"},
		{"a conversation of ShareGPT", `{"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":` + quoted(hermes) + `}]}`, `add{"a":1}`},
		{"a request of a batch", `{"custom_id":"c","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"assistant","content":"Hi"}]}}`, "text:Hi"},
		{"nothing that is known", `{"a":1}`, "error:the record has no known shape: name the field to read"},
		{"an answer of another API", `{"toolCall":{"functionCalls":[{"id":"c","name":"f","args":{}}]}}`, "error:the record is an answer of Gemini's Live API, which uses none of the wire formats; ask generateContent or streamGenerateContent instead, which are the wire format gemini"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := run(t, newBatch(t, batch.Options{}), test.record)
			if diff := cmp.Diff(test.want, summary(t, out)); diff != "" {
				t.Errorf("%s\n%s", out, diff)
			}
		})
	}
}

// Shapes inside each other are read, but not so many that a record costs the square of its size.
func TestWrapped(t *testing.T) {
	for levels, want := range map[int]string{3: "text:a", 4000: "error:stream.0: "} {
		out := run(t, newBatch(t, batch.Options{}), strings.Repeat(`{"stream":[`, levels)+`"a"`+strings.Repeat(`]}`, levels))
		if got := summary(t, out); !strings.HasPrefix(got, want) || len(got) > 1000 {
			t.Errorf("%d levels: %s", levels, got)
		}
	}
}

func TestFields(t *testing.T) {
	record := `{"a":{"b":` + quoted(hermes) + `},"n":1,"nul":null,"list":["x",{"role":"assistant","content":"y"}],"deep":[["x"]],"turns":[{"role":"user","content":"q"},{"role":"assistant","content":"z"}]}`
	for _, test := range []struct{ field, want string }{
		{"a.b", `add{"a":1}`},
		{"nul", ""},
		{"turns", "text:z"},
		{`turns.#(role=="assistant").content`, "text:z"},
		{"turns.#.content", "text:q\nz"},
		{"turns.0", ""},
		{"list", "text:x\ny"},
		{"none", `error:the record has no field "none"`},
		{"n", `error:field "n": expected a text, a body or messages, got a number`},
		{"deep", `error:field "deep": expected a list of texts or messages, got a list of lists`},
	} {
		out := run(t, newBatch(t, batch.Options{Fields: []string{test.field}}), record)
		if diff := cmp.Diff(test.want, summary(t, out)); diff != "" {
			t.Errorf("%s: %s\n%s", test.field, out, diff)
		}
	}
}

// A value of the wrong type in a body is left out, and a note says so.
func TestNoteOfAFault(t *testing.T) {
	out := run(t, newBatch(t, batch.Options{}), `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","tool_calls":"none"},"finish_reason":"stop"}]}`)
	if summary(t, out) != "text:Hi" || !strings.Contains(out, `"notes":[{"kind":"fault","rule":`) {
		t.Error(out)
	}
}

// Each bad record becomes an error with its line, and the records around it are read.
func TestBadRecords(t *testing.T) {
	good := `{"text":"x"}`
	for _, test := range []struct{ name, record, want string }{
		{"cut", `{"text":"x`, "the record is not JSON"},
		{"no JSON", `hello`, "the record is not JSON"},
		{"two values", `{} {}`, "the record is not JSON"},
		{"a list", `[{"text":"x"}]`, "the record is not a JSON object"},
		{"a string", `"x"`, "the record is not a JSON object"},
		{"null", `null`, "the record is not a JSON object"},
		{"no UTF-8", "{\"text\":\"\xff\"}", "the record is not UTF-8"},
		{"NUL", "{\"text\":\"\x00\"}", "the record is not JSON"},
		{"nested too deep", `{"text":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`, "the record is nested more than 10000 deep"},
		{"too large", `{"text":"` + strings.Repeat("x", 30_000) + `"}`, "the record has more than 30000 bytes"},
		{"no model", `{"text":"x","tools":[]}`, `the record has no field "m"`},
		{"a model that is not a valid name", `{"text":"x","m":1,"tools":[]}`, `field "m": expected the name of a model, got a number`},
		{"no tools", `{"text":"x","m":"hermes"}`, `the record has no field "tools"`},
		{"tools that are no list", `{"text":"x","m":"hermes","tools":"x"}`, `field "tools": `},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := batch.Options{MaxRecordBytes: 30_000}
			around := good
			if strings.Contains(test.want, `"m"`) || strings.Contains(test.want, `"tools"`) {
				opts.ModelField, opts.ToolsField = "m", "tools"
				around = `{"text":"x","m":"hermes","tools":[]}`
			}
			b := newBatch(t, opts)
			lines := strings.SplitAfter(run(t, b, around+"\n"+test.record+"\n\n"+around), "\n")
			if len(lines) != 4 || summary(t, lines[0]) != "text:x" || summary(t, lines[2]) != "text:x" {
				t.Fatalf("%q", lines)
			}
			var r result
			if err := json.Unmarshal([]byte(lines[1]), &r); err != nil || r.Line != 2 || !strings.HasPrefix(r.Error, test.want) {
				t.Errorf("%s (%v), want line 2 and error %q", lines[1], err, test.want)
			}
			// Without Strict, the run continues; with it, the run ends there, after the
			// results before.
			opts.Strict = true
			var out bytes.Buffer
			_, err := newBatch(t, opts).Run(t.Context(), &out, strings.NewReader(around+"\n"+test.record+"\n"+around))
			bad, ok := errors.AsType[*batch.LineError](err)
			if !ok || bad.Line != 2 || out.String() != lines[0] {
				t.Errorf("strict: %v, output %q", err, out.String())
			}
		})
	}
}

// Deeply nested records are not read recursively: a value nested more deeply than in any
// log is an error, and so is a megabyte of brackets.
func TestDeepRecords(t *testing.T) {
	for name, record := range map[string]string{
		"nested": `{"a":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`,
		"cut":    `{"a":` + strings.Repeat("[", 1<<20),
	} {
		lines := strings.SplitAfter(run(t, newBatch(t, batch.Options{}), record+"\n"+`{"text":"x"}`), "\n")
		if len(lines) != 3 || !strings.HasPrefix(summary(t, lines[0]), "error:") || summary(t, lines[1]) != "text:x" {
			t.Errorf("%s: %.200q", name, lines)
		}
	}
}

// pool holds records that a run may find.
var pool = []string{
	`{"id":1,"text":` + quoted("é𝄞 "+hermes) + `}`, `{"text":"plain"}`, `{"text":`, "", "  ", "\xff", "null",
	`{"messages":[{"role":"assistant","content":` + quoted("<think>x</think>"+hermes) + `}]}`,
	`{"text":` + quoted("<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>") + `,"r":"kept"}`,
	`{"text":` + quoted(`<tool_call>{"name": "f", "arguments": {"a`) + `}`,
	`{"text":"` + strings.Repeat("long ", 20000) + `"}`,
}

func drawInput(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.SampledFrom(pool), 0, 40).Draw(t, "records")
}

func drawOptions(t *rapid.T) batch.Options {
	return batch.Options{
		Workers: rapid.IntRange(1, 4).Draw(t, "workers"), ResultField: rapid.SampledFrom([]string{"", "r"}).Draw(t, "keep"),
		Spans: rapid.Bool().Draw(t, "places"), Unit: toolparse.Chars,
	}
}

// The concatenated outputs for the parts of an input are the output for the whole.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records, opts := drawInput(t), drawOptions(t)
		b, err := batch.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		output := func(b *batch.Batch, records []string) string {
			var out bytes.Buffer
			r := iotest.OneByteReader(strings.NewReader(strings.Join(records, "\n")))
			if rapid.Bool().Draw(t, "whole reads") {
				r = strings.NewReader(strings.Join(records, "\n"))
			}
			if _, err := b.Run(context.Background(), &out, r); err != nil {
				t.Fatal(err)
			}
			return out.String()
		}
		whole := output(b, records)
		joined, done := "", 0
		for done < len(records) {
			n := rapid.IntRange(1, len(records)-done).Draw(t, "part")
			opts.FirstLine = int64(done + 1)
			part, err := batch.New(opts)
			if err != nil {
				t.Fatal(err)
			}
			joined += output(part, records[done:done+n])
			done += n
		}
		if whole != joined {
			t.Fatalf("whole:\n%s\nparts:\n%s", whole, joined)
		}
	})
}

// Records lend their memory to their results, and none of it is in what is kept of them.
func TestNamesAreKept(t *testing.T) {
	var records strings.Builder
	want := map[string]int64{}
	for i := range 60 {
		name := "tool" + string(rune('a'+i%5))
		want[name] += 2
		call := `<tool_call>{"name": "` + name + `", "arguments": {}}</tool_call>`
		fmt.Fprintf(&records, "{\"completion\": %s}\n", quoted("\n"+call))
		fmt.Fprintf(&records, `{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":%s}}]}`+"\n", quoted("\n"+call))
	}
	stats, err := newBatch(t, batch.Options{Workers: 1}).Run(context.Background(), io.Discard, strings.NewReader(records.String()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, stats.Tools); diff != "" {
		t.Errorf("calls by tool (-want +got)\n%s", diff)
	}
}

// skipping returns b for going on after a number of results.
func skipping(t rapid.TB, b *batch.Batch, dir string, results int) *batch.Batch {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "results"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(strings.Repeat("\n", results)); err != nil {
		t.Fatal(err)
	}
	if b, err = b.Resume(f); err != nil {
		t.Fatal(err)
	}
	return b
}

// An output that was cut anywhere becomes complete by resuming the run.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		records, opts := drawInput(t), drawOptions(t)
		input := strings.Join(records, "\n")
		b, err := batch.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		var whole bytes.Buffer
		if _, err := b.Run(context.Background(), &whole, strings.NewReader(input)); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, "out")
		cut := rapid.IntRange(0, whole.Len()).Draw(t, "cut")
		if err := os.WriteFile(name, whole.Bytes()[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rest, err := b.Resume(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rest.Run(context.Background(), f, strings.NewReader(input)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != whole.String() {
			t.Fatalf("cut at %d:\n%s\nwhole:\n%s", cut, got, whole.String())
		}
	})
}

// An output that is no regular file, and may have no end, is refused.
func TestResumeOfDevice(t *testing.T) {
	for _, name := range []string{os.DevNull, "/dev/zero"} {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue // not on this system
		}
		defer f.Close()
		if _, err := newBatch(t, batch.Options{}).Resume(f); err == nil {
			t.Errorf("%s: it is no file", name)
		}
	}
}

// An output with more results than the input has records belongs to another input.
func TestResumeOfAnotherInput(t *testing.T) {
	b := skipping(t, newBatch(t, batch.Options{}), t.TempDir(), 3)
	_, err := b.Run(t.Context(), io.Discard, strings.NewReader("{}\n{}\n"))
	if err == nil || !strings.Contains(err.Error(), "for 3 records, but the input has only 2") {
		t.Errorf("%v", err)
	}
}

// If the input or the output fails, everything read before is in the output, in whole
// lines.
func TestFailures(t *testing.T) {
	records := strings.Repeat(`{"text":"x"}`+"\n", 5000)
	one := run(t, newBatch(t, batch.Options{}), `{"text":"x"}`)
	t.Run("gzip that is cut", func(t *testing.T) {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		fmt.Fprint(w, records)
		w.Close()
		var out bytes.Buffer
		_, err := newBatch(t, batch.Options{}).Run(t.Context(), &out, bytes.NewReader(zipped.Bytes()[:zipped.Len()-20]))
		if failed, ok := errors.AsType[*batch.LineError](err); !ok || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%v", failed)
		}
		if !strings.HasPrefix(out.String(), one) || strings.Contains(out.String(), "error") || !strings.HasSuffix(out.String(), "\n") {
			t.Errorf("output %.200q", out.String())
		}
	})
	t.Run("a full disk", func(t *testing.T) {
		_, err := newBatch(t, batch.Options{Workers: 3}).Run(t.Context(), failingWriter{}, strings.NewReader(records))
		if !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "output: ") {
			t.Errorf("%v", err)
		}
	})
	t.Run("an interrupt", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var out bytes.Buffer
		_, err := newBatch(t, batch.Options{}).Run(ctx, cancelingWriter{&out, cancel}, strings.NewReader(strings.Repeat(records, 20)))
		if !errors.Is(err, context.Canceled) || !strings.HasSuffix(out.String(), "\n") || strings.Count(out.String(), "\n") == 100000 {
			t.Errorf("%v after %d lines", err, strings.Count(out.String(), "\n"))
		}
	})
}

var errFull = errors.New("no space left on device")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

// cancelingWriter interrupts a run at its first output.
type cancelingWriter struct {
	io.Writer
	cancel func()
}

func (w cancelingWriter) Write(p []byte) (int, error) {
	w.cancel()
	return w.Writer.Write(p)
}

func TestCompressed(t *testing.T) {
	const input = `{"text":"x"}` + "\n"
	var zipped, zstandard bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, input)
	z.Close()
	s, err := zstd.NewWriter(&zstandard)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(s, input)
	s.Close()
	b := newBatch(t, batch.Options{})
	want := run(t, b, input+input)
	for name, data := range map[string]string{"plain": input + input, "gzip": zipped.String() + zipped.String(), "zstd": zstandard.String() + zstandard.String(), "empty": ""} {
		var out bytes.Buffer
		if _, err := b.Run(t.Context(), &out, strings.NewReader(data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name != "empty" && out.String() != want {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}

// Records can name the model and the tools with which they are read.
func TestModelsAndTools(t *testing.T) {
	b := newBatch(t, batch.Options{Fields: []string{"text"}, ModelField: "model", ToolsField: "tools"})
	tools := `[{"name":"add","parameters":{"type":"object","properties":{"a":{"type":"integer"}}}}]`
	text := quoted("<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>")
	out := run(t, b, `{"model":"qwen3-coder:30b","tools":`+tools+`,"text":`+text+`}
{"model":"qwen3-coder:30b","tools":null,"text":`+text+`}
{"model":"gpt-4o","tools":null,"text":`+text+`}
{"model":"what-is-this","tools":`+quoted(tools)+`,"text":`+text+`}`)
	var got []string
	for line := range strings.Lines(out) {
		got = append(got, summary(t, line))
	}
	native := "text:<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>"
	if diff := cmp.Diff([]string{`add{"a":1}`, `add{"a":"1"}`, native, `add{"a":1}`}, got); diff != "" {
		t.Errorf("%s\n%s", out, diff)
	}
	if last := out[strings.LastIndex(out[:len(out)-1], "\n")+1:]; !strings.Contains(last, "the model is unknown") {
		t.Error(last)
	}
}

// Records can say which parts of a text were special tokens.
func TestSpecial(t *testing.T) {
	b := newBatch(t, batch.Options{Fields: []string{"text"}, SpecialField: "special", Unit: toolparse.Chars})
	text := quoted("é" + hermes)
	for _, test := range []struct{ special, want string }{
		{`[[1,12]]`, `add{"a":1} | text:é`},
		{`[[0,1]]`, "text:é" + hermes},
		{`[]`, "text:é" + hermes},
		{`[[1,12],[3,4]]`, `error:field "special": expected a list of [start, end] in ascending order`},
		{`"x"`, `error:field "special": expected a list of [start, end] in ascending order`},
	} {
		out := run(t, b, `{"text":`+text+`,"special":`+test.special+`}`)
		if diff := cmp.Diff(test.want, summary(t, out)); diff != "" {
			t.Errorf("%s: %s\n%s", test.special, out, diff)
		}
	}
	for _, record := range []string{`{"text":["a","b"],"special":[]}`, `{"text":null,"special":[]}`} {
		if out := run(t, b, record); !strings.Contains(out, "need a record with exactly one text") {
			t.Errorf("%s: %s", record, out)
		}
	}
}

func TestKeep(t *testing.T) {
	b := newBatch(t, batch.Options{ResultField: "parsed"})
	got := run(t, b, `{"id":1,"parsed":"old","text":"x","big":12345678901234567890}
nope
{"text":1}`)
	want := `{"id":1,"text":"x","big":12345678901234567890,"parsed":{"line":1,"id":1,"calls":[],"text":"x","reasoning":"","dialect":"auto","notes":[{"kind":"replaced","rule":"the record had this member, which the result replaces"}]}}
{"line":2,"error":"the record is not JSON"}
{"text":1,"parsed":{"line":3,"error":"the record has no known shape: name the field to read"}}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Several inputs are read one after the other, and a run that goes on skips whole ones.
func TestRunFiles(t *testing.T) {
	files := map[string]string{"a": `{"text":"1"}` + "\n" + `{"text":"2"}` + "\n", "b": `{"text":"3"}`, "c": `{"text":"4"}`}
	open := func(name string) (io.ReadCloser, error) {
		text, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return io.NopCloser(strings.NewReader(text)), nil
	}
	const want = `{"line":1,"file":"a","calls":[],"text":"1","reasoning":"","dialect":"auto"}
{"line":2,"file":"a","calls":[],"text":"2","reasoning":"","dialect":"auto"}
{"line":1,"file":"b","calls":[],"text":"3","reasoning":"","dialect":"auto"}
{"line":1,"file":"c","calls":[],"text":"4","reasoning":"","dialect":"auto"}
`
	names := []string{"a", "b", "c"}
	b := newBatch(t, batch.Options{})
	for done := range 5 {
		var out strings.Builder
		stats, err := skipping(t, b, t.TempDir(), done).RunFiles(t.Context(), &out, names, open)
		rest := strings.Join(strings.SplitAfter(want, "\n")[done:], "")
		if err != nil || stats.Records != int64(4-done) || out.String() != rest {
			t.Errorf("after %d results: %+v, %v\n%s", done, stats, err, out.String())
		}
	}
	if _, err := skipping(t, b, t.TempDir(), 5).RunFiles(t.Context(), io.Discard, names, open); err == nil {
		t.Error("no error about results that no input has")
	}
	var out strings.Builder
	if _, err := b.RunFiles(t.Context(), &out, []string{"b", "none", "c"}, open); !errors.Is(err, fs.ErrNotExist) || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("a missing file: %v\n%s", err, out.String())
	}
}
