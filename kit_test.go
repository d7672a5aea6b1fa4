package toolparse_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// slowly reads a text in pieces of n bytes.
func slowly(text string, n int) io.Reader { return &pieces{text, n} }

type pieces struct {
	left string
	n    int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.left == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(p.n, len(b))], p.left)
	p.left = p.left[n:]
	return n, nil
}

func mustKit(t testing.TB, opts toolparse.Options) *toolparse.Kit {
	t.Helper()
	kit, err := toolparse.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return kit
}

func TestNewFails(t *testing.T) {
	for _, tt := range []struct {
		name string
		opts toolparse.Options
		want string
	}{
		{"tool", toolparse.Options{Tools: []toolparse.ToolDefinition{{Name: "f", Parameters: []byte(`5`)}}}, `tool 0 ("f")`},
		{"tool without a name", toolparse.Options{Tools: []toolparse.ToolDefinition{{Name: "f"}, {}}}, `tool 1 has no name`},
		{"tool twice", toolparse.Options{Tools: []toolparse.ToolDefinition{{Name: "f"}, {Name: "g"}, {Name: "g"}}}, `tool 2 ("g") is declared twice, first as tool 1`},
		{"dialect", toolparse.Options{Dialect: "hermse"}, `unknown dialect "hermse"`},
		{"model", toolparse.Options{Model: "no-such-model"}, `unknown model "no-such-model"`},
		{"two", toolparse.Options{Dialect: "xml", Model: "gpt-oss"}, "set only one of"},
		{"wire", toolparse.Options{Wire: "soap"}, `"soap"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := toolparse.New(tt.opts)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

func TestCollect(t *testing.T) {
	body, err := os.ReadFile("testdata/streams/openai-two-calls.sse")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := mustKit(t, toolparse.Options{}).Collect(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if answer.Wire != toolparse.OpenAI || len(answer.Calls) != 2 || len(answer.Runnable()) != 2 || answer.Reasoning == "" && answer.Text == "" {
		t.Errorf("%+v", answer)
	}
	if answer.Finish.Word == "" || answer.Model == "" {
		t.Errorf("finish %+v, model %q", answer.Finish, answer.Model)
	}

	want := *answer
	want.Message = toolparse.Message{}
	answer, err = mustKit(t, toolparse.Options{NoMessage: true}).Collect(bytes.NewReader(body))
	if diff := cmp.Diff(&want, answer); diff != "" || err != nil {
		t.Errorf("without a message: %v (-want +got)\n%s", err, diff)
	}
}

// A body that breaks off gives what had come, and the error.
func TestCollectBroken(t *testing.T) {
	body, err := os.ReadFile("testdata/streams/openai-two-calls.sse")
	if err != nil {
		t.Fatal(err)
	}
	kit := mustKit(t, toolparse.Options{})
	answer, err := kit.Collect(bytes.NewReader(body[:len(body)/2]))
	if cut, ok := errors.AsType[*format.TruncatedError](err); !ok {
		t.Errorf("error %v, want a TruncatedError", cut)
	}
	if answer.Wire != toolparse.OpenAI || len(answer.Runnable()) == 2 {
		t.Errorf("%+v", answer)
	}
	lost := errors.New("connection lost")
	if _, err := kit.Collect(io.MultiReader(strings.NewReader("Hi"), iotest.ErrReader(lost))); !errors.Is(err, lost) {
		t.Errorf("error %v, want %v", err, lost)
	}
}

// Text in a dialect that is not read is noted.
func TestNotes(t *testing.T) {
	answer, err := mustKit(t, toolparse.Options{Dialect: "xml"}).Parse(`<tool_call>{"name":"f","arguments":{}}</tool_call>`)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range answer.Notes {
		if n.Kind == toolcall.NoteUnread && n.Dialect == "hermes" {
			return
		}
	}
	t.Errorf("notes %+v, calls %v", answer.Notes, answer.Calls)
}

// A file is shown while it is written.
func TestPartialOfAFile(t *testing.T) {
	kit := mustKit(t, toolparse.Options{Dialect: "xml"})
	var got []string
	for e, err := range kit.Events(slowly(`<write_file path="a.txt">one "two" three</write_file>`, 28)) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type != toolparse.SegmentStart {
			got = append(got, string(e.Partial()))
		}
	}
	want := []string{`{"path":"a.txt","content":"one"}`, `{"path":"a.txt","content":"one \"two\" three"}`}
	if diff := cmp.Diff(want, got[:2]); diff != "" {
		t.Error(diff)
	}
}

func TestReencodeFails(t *testing.T) {
	kit := mustKit(t, toolparse.Options{})
	full := errors.New("disk full")
	if _, err := kit.Reencode(failing{full}, strings.NewReader("Hi"), toolparse.Anthropic); !errors.Is(err, full) {
		t.Errorf("error %v, want %v", err, full)
	}
	if _, err := kit.Reencode(io.Discard, strings.NewReader("Hi"), toolparse.Text); err == nil {
		t.Error("plain text is no wire to write")
	}
	lost := errors.New("connection lost")
	var out strings.Builder
	_, err := kit.Reencode(&out, io.MultiReader(strings.NewReader("Hi"), iotest.ErrReader(lost)), toolparse.OpenAI)
	if !errors.Is(err, lost) || !strings.Contains(out.String(), "connection lost") {
		t.Errorf("error %v, wrote %s", err, out.String())
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestPrompt(t *testing.T) {
	tools, err := toolparse.ReadTools([]byte(`[{"name":"get_weather","description":"Weather.","input_schema":{"type":"object","properties":{"city":{"type":"string"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	kit := mustKit(t, toolparse.Options{Tools: tools, Model: "qwen3-coder:30b"})
	request, losses, err := kit.Prompt(&toolparse.Request{Model: "m"})
	if err != nil || len(losses) > 0 {
		t.Fatal(losses, err)
	}
	if len(request.Tools) != 0 || len(request.Messages) != 1 || !strings.Contains(request.Messages[0].Parts[0].Text, "get_weather") {
		t.Errorf("%+v", request)
	}
	if _, _, err := mustKit(t, toolparse.Options{Tools: tools}).Prompt(&toolparse.Request{}); err == nil {
		t.Error("auto is no dialect to write")
	}
}

// BenchmarkKitParse is what a short answer costs of a kit that is kept, whatever the
// number of tools.
func BenchmarkKitParse(b *testing.B) {
	for _, n := range []int{1, 100} {
		tools := make([]toolparse.ToolDefinition, n)
		for i := range tools {
			tools[i] = toolparse.ToolDefinition{Name: fmt.Sprintf("f%d", i), Parameters: []byte(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}
		}
		kit := mustKit(b, toolparse.Options{Tools: tools})
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a, err := kit.Parse(`Well. <tool_call>{"name":"f0","arguments":{"n":1}}</tool_call>`)
				if err != nil || len(a.Runnable()) != 1 {
					b.Fatal(a, err)
				}
			}
		})
	}
}

// BenchmarkKitParseAnswer is what an answer of 2 KB with a call of 1 KB costs, without and with
// its dialect known.
func BenchmarkKitParseAnswer(b *testing.B) {
	prose := strings.Repeat("looks model and file what reads that model answers back.\n", 9)
	code := strings.Repeat("def file_36(x):\n    if x[\"file\"] > 36:\n        return \"file\\n\"\n", 15)
	text := "<think>\n" + prose + "</think>\n\n" + prose[:len(prose)/2] +
		"<tool_call>\n<function=write_note>\n<parameter=path>\nsrc/file1.py\n</parameter>\n<parameter=content>\n" + code +
		"\n</parameter>\n<parameter=mode>\nnew\n</parameter>\n</function>\n</tool_call>"
	for _, dialect := range []string{"qwen3_coder", "auto"} {
		kit := mustKit(b, toolparse.Options{Dialect: dialect})
		b.Run(dialect, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				a, err := kit.Parse(text)
				if err != nil || len(a.Runnable()) != 1 {
					b.Fatal(a, err)
				}
			}
		})
	}
}

// TestKitServesManyStreams reads each wire at once with one kit.
func TestKitServesManyStreams(t *testing.T) {
	kit := mustKit(t, toolparse.Options{Dialect: "json", Tools: []toolparse.ToolDefinition{{Name: "f"}}})
	texts := map[toolparse.Wire]string{ // what each provider teaches
		toolparse.Text:      `{"name":"f","arguments":{}}`,
		toolparse.OpenAI:    `{"tool_calls":[{"function":{"name":"f","arguments":{}}}]}`,
		toolparse.Anthropic: `{"tool":{"function":"f","parameters":{}}}`,
	}
	bodies := map[toolparse.Wire]string{
		toolparse.Text:      texts[toolparse.Text],
		toolparse.OpenAI:    fmt.Sprintf(`{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":%q},"finish_reason":"stop"}]}`, texts[toolparse.OpenAI]),
		toolparse.Anthropic: fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"text","text":%q}],"stop_reason":"end_turn"}`, texts[toolparse.Anthropic]),
	}
	var wg sync.WaitGroup
	for range 4 {
		for wire, body := range bodies {
			wg.Go(func() {
				a, err := kit.Collect(strings.NewReader(body))
				if err != nil || a.Wire != wire || len(a.Runnable()) != 1 {
					t.Errorf("%s: %+v, %v, want one call", wire, a, err)
				}
			})
		}
	}
	wg.Wait()
}

// TestOpen: a stream that is opened by hand says what there is beside its events,
// and writes them on while they come.
func TestOpen(t *testing.T) {
	const body = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"a"}},` +
		`{"index":1,"finish_reason":"tool_calls","message":{"role":"assistant","content":"<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"}}]}`
	read := func(choice int) (out string, words string, notes int, err error) {
		s, err := mustKit(t, toolparse.Options{Choice: choice}).Open(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := s.Encode(&b, toolparse.Ollama); err != nil {
			t.Fatal(err)
		}
		for _, err = range s.Events() {
		}
		words, _ = s.FinishWords()
		return b.String(), words, len(s.Notes()), err
	}
	if out, words, notes, err := read(0); err != nil || words != "stop" || notes != 0 || !strings.Contains(out, `"content":"a"`) {
		t.Errorf("choice 0: %s, %q, %d notes, %v", out, words, notes, err)
	}
	if out, words, notes, err := read(1); err != nil || words != "tool_calls" || notes != 1 || !strings.Contains(out, "tool_call>") {
		t.Errorf("choice 1: %s, %q, %d notes, %v", out, words, notes, err)
	}
	if _, _, _, err := read(2); err == nil || err.Error() != "the answer has no candidate 2, the last is 1" {
		t.Errorf("choice 2: %v", err)
	}
}

// A tool whose name a wire format does not accept gets its own back in the answer.
func TestOwnNames(t *testing.T) {
	tools := []toolparse.ToolDefinition{{Name: "files.read"}, {Name: "2nd tool"}, {Name: "plain"}}
	kit, err := toolparse.New(toolparse.Options{Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range format.Wires() {
		body, _, err := kit.Request(name, &toolparse.Request{Model: "m", Messages: []toolparse.Message{toolparse.User("hi")}})
		if err != nil {
			t.Fatal(err)
		}
		codec, err := all.CodecOf(name)
		if err != nil {
			t.Fatal(err)
		}
		sent, err := codec.DecodeRequest(body)
		if err != nil || len(sent.Tools) != len(tools) {
			t.Fatalf("%s: %v, %d tools", name, err, len(sent.Tools))
		}
		for i, tool := range sent.Tools {
			answer := &wire.Response{Choices: []wire.Choice{{Message: chat.Message{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("c", tool.Name, "{}")}}}}}
			text, _ := codec.EncodeResponse(answer, wire.Options{})
			got, err := kit.Collect(bytes.NewReader(text))
			if err != nil || len(got.Runnable()) != 1 || got.Calls[0].Name != tools[i].Name {
				t.Errorf("%s: %s is sent as %s and comes back as %+v, error %v", name, tools[i].Name, tool.Name, got.Calls, err)
			}
		}
	}
}

// A model whose own template opens the reasoning begins in it.
func TestPromptedModel(t *testing.T) {
	kit, err := toolparse.New(toolparse.Options{Model: "Qwen/QwQ-32B", Prompted: true})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := kit.Parse(`maybe <tool_call>{"name":"rm","arguments":{}}</tool_call></think>No.`)
	if err != nil || len(answer.Calls) > 0 || answer.Text != "No." {
		t.Errorf("%+v, %v", answer, err)
	}
}
