package format_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/normalize"
	"github.com/toolparse/toolparse/internal/wire/test/codectest"
	"github.com/toolparse/toolparse/toolcall"
)

// writable are the wires with an encoder.
func writable() []format.Wire {
	return slices.DeleteFunc(format.Wires(), func(w format.Wire) bool {
		_, err := all.CodecOf(w)
		return err != nil
	})
}

// spoken is the content of a stream, independent of its wire.
type spoken struct {
	Text, Reasoning, Refusal string
	Calls                    []saidCall
	Cut, Failed              bool
}

type saidCall struct {
	Choice         int
	ID, Name, Args string
	Done           bool
}

// say returns the content of a stream, in normal form for a target.
func say(body []byte, w, to format.Wire) (s spoken, meta chat.Meta, err error) {
	stream := format.NewStream(bytes.NewReader(body), format.Options{Wire: w})
	n := normalize.New(string(to))
	var deltas []toolcall.Delta
	for d, streamErr := range stream.Deltas() {
		if streamErr != nil {
			err = streamErr
			break
		}
		n.SetMeta(stream.Meta())
		deltas = n.Add(deltas, d)
	}
	if err == nil {
		deltas = n.Close(deltas)
	}
	places := map[[2]int]int{} // indices of calls, by choice and number
	for _, d := range deltas {
		if s.Failed { // what follows an error does not count
			break
		}
		switch d.Kind {
		case toolcall.DeltaText:
			s.Text += d.Text
		case toolcall.DeltaReasoning:
			s.Reasoning += d.Text
		case toolcall.DeltaRefusal:
			s.Refusal += d.Text
		case toolcall.DeltaToolCall:
			key := [2]int{d.Choice, d.Index}
			at, begun := places[key]
			if !begun {
				at = len(s.Calls)
				places[key] = at
				s.Calls = append(s.Calls, saidCall{Choice: d.Choice, ID: d.ID, Name: d.Name})
			}
			s.Calls[at].Args += d.Text
			s.Calls[at].Done = d.Done
		case toolcall.DeltaRestart:
			s.Calls = slices.DeleteFunc(s.Calls, func(c saidCall) bool { return !c.Done })
		case toolcall.DeltaFinish:
			s.Cut = s.Cut || d.Truncated || wire.IsCut(wire.ReadFinish("", d.Text).Reason)
		case toolcall.DeltaError:
			s.Failed = true
		}
	}
	for i, c := range s.Calls { // tokens are separated by at most blanks
		if c.Done {
			s.Calls[i].Args = strings.NewReplacer("\n", " ", "\r", " ").Replace(c.Args)
		}
	}
	s.Failed = s.Failed || err != nil
	s.Cut = s.Cut && !s.Failed // an error replaces the finish reason
	return s, stream.Meta(), err
}

// Every recording of every wire has the same content on every wire with an encoder, and
// does not end better.
func TestStreamsSayTheSame(t *testing.T) {
	for _, folder := range []string{ownRecordings, sharedRecordings} {
		for _, r := range recordings(t, folder) {
			stream := format.NewStream(bytes.NewReader(r.body), format.Options{})
			from, err := stream.Wire()
			if err != nil || from == format.Text {
				continue
			}
			for _, to := range writable() {
				want, wantMeta, _ := say(r.body, from, to)
				t.Run(r.name+" to "+string(to), func(t *testing.T) {
					var out bytes.Buffer
					losses, translateErr := format.TranslateStream(&out, iotest.OneByteReader(bytes.NewReader(r.body)), from, to, format.TranslateOptions{})
					got, gotMeta, err := say(out.Bytes(), to, to)
					if to == format.Ollama && want.Failed && bytes.Contains(out.Bytes(), []byte("\n{\"error\":")) {
						err = nil // there an error is the last line, instead of one that says done
					}
					if err != nil {
						t.Fatalf("reading it again: %v\n%s", err, out.String())
					}
					if translateErr != nil && !got.Failed {
						t.Errorf("the source fails with %v, the target says nothing of it:\n%s", translateErr, out.String())
					}
					want := asWrittenOn(to, want, losses)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("(-source +target):\n%s\nlosses %v\n%s", diff, losses, out.String())
					}
					if from == to && wantMeta.Usage != gotMeta.Usage && !want.Failed {
						t.Errorf("usage %+v, was %+v", gotMeta.Usage, wantMeta.Usage)
					}
				})
			}
		}
	}
}

// asWrittenOn returns the content as a wire can express it, with the ids in the losses,
// refusals if the wire has them, and truncated calls.
func asWrittenOn(w format.Wire, s spoken, losses []chat.Loss) spoken {
	s.Calls = slices.Clone(s.Calls)
	for i := range s.Calls {
		for _, l := range losses {
			if id, ok := strings.CutPrefix(l.Action, s.Calls[i].ID+" is written "); ok && s.Calls[i].ID != "" {
				s.Calls[i].ID = id
				break
			}
		}
	}
	if e, _ := features.Of(string(w), features.Refusal); e.Outcome != features.Carried {
		s.Text, s.Refusal = s.Text+s.Refusal, ""
	}
	if e, _ := features.Of(string(w), features.StreamedArguments); e.Outcome != features.Carried && len(losses) > 0 {
		// On wires with whole calls, a truncated call is left out, and reported.
		s.Calls = slices.DeleteFunc(s.Calls, func(c saidCall) bool { return !c.Done })
		if len(s.Calls) == 0 {
			s.Calls = nil
		}
	}
	return s
}

func TestTranslateStreamWritesBeforeItReads(t *testing.T) {
	r, w := io.Pipe()
	out, outWriter := io.Pipe()
	go func() {
		_, err := format.TranslateStream(outWriter, r, format.OpenAI, format.OpenAI, format.TranslateOptions{})
		_ = outWriter.CloseWithError(err)
	}()
	buf := make([]byte, 4096)
	var seen string
	for _, word := range []string{"one", "two"} {
		_, _ = io.WriteString(w, event(chatChunk(word)))
		for !strings.Contains(seen, word) {
			n, err := out.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			seen += string(buf[:n])
		}
	}
	_ = w.Close()
	rest, err := io.ReadAll(out)
	var cut *format.TruncatedError
	if !errors.As(err, &cut) {
		t.Errorf("error %v, want one of truncation", err)
	}
	if !strings.Contains(string(rest), `"error"`) {
		t.Errorf("the target is not told that the source broke off: %s", rest)
	}
}

// An error that the provider reports is written once and returned, whether or not the
// stream continues.
func TestTranslateReportedError(t *testing.T) {
	reported := event(`{"error":{"message":"overloaded","code":"busy"}}`)
	for _, tt := range []struct {
		name string
		from format.Wire
		body string
		want string
	}{
		{"stops", format.OpenAI, event(chatChunk("a")) + reported, "the provider reported an error (busy): overloaded"},
		{"ends", format.OpenAI, event(chatChunk("a")) + reported + event("[DONE]"), "the provider reported an error (busy): overloaded"},
		{"line", format.Ollama, `{"message":{"role":"assistant","content":"a"},"done":false}` + "\n" + `{"error":"overloaded"}` + "\n", "the provider reported an error: overloaded"},
	} {
		for _, to := range writable() {
			t.Run(tt.name+" to "+string(to), func(t *testing.T) {
				var out bytes.Buffer
				_, err := format.TranslateStream(&out, strings.NewReader(tt.body), tt.from, to, format.TranslateOptions{})
				if err == nil || err.Error() != tt.want {
					t.Errorf("error %v, want %s", err, tt.want)
				}
				if !strings.Contains(out.String(), "overloaded") || strings.Contains(out.String(), "stream_error") || strings.Contains(out.String(), "stream ends") {
					t.Errorf("want the provider's error and no other:\n%s", out.String())
				}
			})
		}
	}
	broken := errors.New("broken")
	var out bytes.Buffer
	r := io.MultiReader(strings.NewReader(reported), iotest.ErrReader(broken))
	if _, err := format.TranslateStream(&out, r, format.OpenAI, format.Anthropic, format.TranslateOptions{}); !errors.Is(err, broken) {
		t.Errorf("error %v, want the reader's", err)
	}
	if n := strings.Count(out.String(), "event: error"); n != 1 {
		t.Errorf("%d errors are written, want one:\n%s", n, out.String())
	}
}

// The content before an error is written before it, if the wire can, or else reported.
func TestTranslateTellsWhatIsAroundAnError(t *testing.T) {
	const about = `"id":"c1","created":7,"model":"m1",`
	alone := event(`{`+about+`"error":{"message":"busy","code":"busy"}}`) + event("[DONE]")
	finished := event(`{`+about+`"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"length"}]}`) +
		event(`{"choices":[],"error":{"message":"busy","code":"busy"},"usage":{"prompt_tokens":43,"total_tokens":43}}`) + event("[DONE]")
	for _, tt := range []struct {
		to   format.Wire
		body string
		has  []string
		told string
	}{
		{format.OpenAI, alone, []string{`"c1"`, `"m1"`}, ""},
		{format.OpenAI, finished, []string{`"length"`, `"prompt_tokens":43`}, ""},
		{format.Responses, alone, []string{`"c1"`, `"m1"`}, ""},
		{format.Responses, finished, []string{`"input_tokens":43`}, "stream.finish"},
		{format.Anthropic, alone, []string{`"c1"`, `"m1"`}, "created stream.error.code"},
		{format.Anthropic, finished, []string{`"max_tokens"`, `"input_tokens":43`}, "created stream.error.code"},
		{format.Gemini, alone, []string{`"c1"`, `"m1"`}, "stream.error.code"},
		{format.Gemini, finished, []string{`"MAX_TOKENS"`, `"promptTokenCount":43`}, "stream.error.code"},
		{format.Ollama, alone, []string{`"m1"`}, "id error.code"},
		{format.Ollama, finished, []string{`"m1"`}, "stream.finish id error.code usage"},
	} {
		var out bytes.Buffer
		losses, err := format.TranslateStream(&out, strings.NewReader(tt.body), format.OpenAI, tt.to, format.TranslateOptions{})
		if _, ok := errors.AsType[*format.ReportedError](err); !ok {
			t.Errorf("to %s: error %v", tt.to, err)
		}
		before, _, _ := strings.Cut(out.String(), "busy")
		if tt.to == format.OpenAI || tt.to == format.Responses {
			before = out.String() // the usage comes last
		}
		for _, part := range tt.has {
			if !strings.Contains(before, part) {
				t.Errorf("to %s: lacks %s before the error:\n%s", tt.to, part, out.String())
			}
		}
		if told := strings.Join(codectest.Fields(losses), " "); told != tt.told {
			t.Errorf("to %s: told %q, want %q", tt.to, told, tt.told)
		}
	}
}

// A wire with a single choice keeps the one with index 0, whichever comes first.
func TestTranslateKeepsTheFirstChoice(t *testing.T) {
	body := event(`{"id":"c","created":1,"model":"m","choices":[{"index":1,"delta":{"role":"assistant","content":"second"},"finish_reason":null}]}`) +
		event(`{"id":"c","choices":[{"index":0,"delta":{"content":"first"},"finish_reason":"stop"}]}`) +
		event(`{"id":"c","choices":[{"index":1,"delta":{},"finish_reason":"length"}]}`) + event("[DONE]")
	for _, to := range []format.Wire{format.Responses, format.Anthropic, format.Ollama} {
		var out bytes.Buffer
		losses, err := format.TranslateStream(&out, strings.NewReader(body), format.OpenAI, to, format.TranslateOptions{})
		said, _, sayErr := say(out.Bytes(), to, to)
		if err != nil || sayErr != nil || said.Text != "first" || said.Cut {
			t.Errorf("to %s: %+v, errors %v and %v", to, said, err, sayErr)
		}
		if !slices.ContainsFunc(losses, func(l chat.Loss) bool { return l.Field == "stream.choices" }) {
			t.Errorf("to %s: losses %v", to, losses)
		}
	}
}

// A provider that restarts its message voids the open calls. If some of them were
// written, the translation ends with an error; if calls are held, only the second message
// is seen.
func TestTranslateRestart(t *testing.T) {
	first := event(`{"type":"message_start","message":{"id":"a","model":"m","role":"assistant","content":[]}}`) +
		event(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"f","input":{}}}`) +
		event(`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"x\":\"lost"}}`)
	second := event(`{"type":"message_start","message":{"id":"b","model":"m","role":"assistant","content":[]}}`) +
		event(`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t2","name":"g","input":{"x":"good"}}}`) +
		event(`{"type":"content_block_stop","index":0}`) +
		event(`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":65}}`) + event(`{"type":"message_stop"}`)
	for _, to := range writable() {
		t.Run(string(to), func(t *testing.T) {
			var out bytes.Buffer
			losses, err := format.TranslateStream(&out, iotest.OneByteReader(strings.NewReader(first+second)), format.Anthropic, to, format.TranslateOptions{})
			told := slices.ContainsFunc(losses, func(l chat.Loss) bool { return l.Field == "stream" })
			if !told {
				t.Errorf("the restart is not told: %v", losses)
			}
			if to == format.Gemini || to == format.Ollama {
				if err != nil || strings.Contains(out.String(), "lost") || !strings.Contains(out.String(), "good") || !strings.Contains(out.String(), "65") {
					t.Errorf("error %v, want the second message whole:\n%s", err, out.String())
				}
				return
			}
			restart, ok := errors.AsType[*format.RestartError](err)
			if !ok || restart.Event != 4 || restart.Offset != int64(len(first+"data: ")) || restart.Wire != format.Anthropic {
				t.Errorf("error %v", err)
			}
			if !strings.Contains(out.String(), "message_restarted") || strings.Contains(out.String(), "good") {
				t.Errorf("want an error, and nothing of the second message:\n%s", out.String())
			}
		})
	}
}

func TestTranslateErrors(t *testing.T) {
	broken := errors.New("broken")
	if _, err := format.TranslateStream(failingWriter{broken}, strings.NewReader(event(chatChunk("a"))+event("[DONE]")), format.OpenAI, format.OpenAI, format.TranslateOptions{}); !errors.Is(err, broken) {
		t.Errorf("error %v, want the writer's", err)
	}
	for _, tt := range []struct {
		from, to format.Wire
		kind     format.Kind
		body     string
		want     string
	}{
		{format.OpenAI, format.OpenAI, "nothing", "{}", `unknown kind "nothing"`},
		{format.OpenAI, format.Text, format.KindRequest, "{}", `"text" is not a wire format`},
		{"no", format.OpenAI, format.KindRequest, "{}", `unknown wire format "no"`},
		{format.OpenAI, format.OpenAI, format.KindRequest, `{"messages":[{}`, "openai"},
		{format.OpenAI, format.OpenAI, format.KindRequest, `{"messages":{}}`, "byte 12: messages: expected an array, got an object"},
		{format.OpenAI, format.OpenAI, format.KindResponse, `[]`, "expected an object, got an array"},
		{format.OpenAI, format.OpenAI, format.KindTools, `{}`, "expected an array, got an object"},
	} {
		if _, _, err := format.Translate([]byte(tt.body), tt.from, tt.to, tt.kind, format.TranslateOptions{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s to %s, %s: error %v, want %q", tt.from, tt.to, tt.kind, err, tt.want)
		}
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

// A call is written as soon as it is complete and can no longer get a signature: at the
// end of its event, or with the finish reason, not at the end of the stream.
func TestTranslateWritesCallsBeforeTheEnd(t *testing.T) {
	whole := `{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}`
	empty := `{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""}}`
	chunk := func(call, reason string) string {
		return event(`{"id":"x","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[` + call + `]},"finish_reason":` + reason + `}]}`)
	}
	signed := event(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"c2ln"}],"role":"model"},"index":0}]}`)
	for _, tt := range []struct {
		name     string
		from, to format.Wire
		body     string
		want     []string
	}{
		{"with the finish reason", format.OpenAI, format.Gemini, chunk(whole, `"tool_calls"`), []string{`"name":"f"`}},
		{"with the finish reason, no arguments", format.OpenAI, format.Ollama, chunk(empty, "null") + chunk("", `"stop"`), []string{`"name":"f"`}},
		{"with what follows it", format.OpenAI, format.Ollama, chunk(whole, "null") + event(chatChunk("x")), []string{`"name":"f"`}},
		{"with its event", format.Gemini, format.Gemini, signed, []string{`"name":"f"`, `"thoughtSignature":"c2ln"`}},
		{"with its event, as another wire's", format.Gemini, format.OpenAI, signed, []string{`"name":"f","arguments":""},"extra_content":{"google":{"thought_signature":"c2ln"}}}]`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, pieces := range []bool{false, true} {
				var out bytes.Buffer
				var before string
				end := readerFunc(func([]byte) (int, error) {
					before = out.String()
					return 0, io.EOF
				})
				var r io.Reader = io.MultiReader(strings.NewReader(tt.body), end)
				if pieces {
					r = iotest.OneByteReader(r)
				}
				_, _ = format.TranslateStream(&out, r, tt.from, tt.to, format.TranslateOptions{})
				for _, part := range tt.want {
					if !strings.Contains(before, part) {
						t.Errorf("in pieces %v: lacks %s:\n%s", pieces, part, before)
					}
				}
			}
		})
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Translating needs few allocations beyond those of decoding.
func TestTranslateAllocations(t *testing.T) {
	for _, to := range writable() {
		body := longStream(format.OpenAI, 10_000)
		deltas := drain(t, bytes.NewReader(body), format.OpenAI)
		allocs := testing.AllocsPerRun(3, func() {
			if _, err := format.TranslateStream(io.Discard, bytes.NewReader(body), format.OpenAI, to, format.TranslateOptions{}); err != nil {
				t.Fatal(err)
			}
		})
		if each := allocs / float64(deltas); each > 2 {
			t.Errorf("to %s: %.2f allocations a delta", to, each)
		}
	}
}

func BenchmarkTranslate(b *testing.B) {
	for _, to := range writable() {
		b.Run("openai to "+string(to), func(b *testing.B) {
			body := longStream(format.OpenAI, 10_000)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := format.TranslateStream(io.Discard, bytes.NewReader(body), format.OpenAI, to, format.TranslateOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// If a stream's wire cannot be determined, the error is written, too.
func TestTranslateUnknownEnd(t *testing.T) {
	for name, body := range map[string]io.Reader{
		"a broken connection": iotest.ErrReader(errors.New("reset")),
		"a request":           strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`),
	} {
		var out bytes.Buffer
		_, err := format.TranslateStream(&out, body, format.Auto, format.OpenAI, format.TranslateOptions{Request: &chat.Request{Model: "m"}})
		if err == nil || !strings.Contains(out.String(), `data: {"error":`) {
			t.Errorf("%s: error %v, written %q", name, err, out.String())
		}
	}
}
