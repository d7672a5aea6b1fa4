package format_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/toolcall"
)

func chatChunk(content string) string {
	return `{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"` + content + `"}}]}`
}

const chatStop = `{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`

func event(data string) string { return "data: " + data + "\n\n" }

// How a stream ends, and that everything before the end is decoded.
func TestStreamErrors(t *testing.T) {
	broken := errors.New("connection reset")
	tests := []struct {
		name  string
		input io.Reader
		opts  format.Options
		texts string // what was decoded before
		want  string // the error's text; "" for none
		is    error  // an error that it matches
	}{
		{"whole", strings.NewReader(event(chatChunk("a")) + event("[DONE]")), format.Options{}, "a", "", nil},
		{"after the marker", strings.NewReader(event(chatChunk("a")) + event("[DONE]") + event("nonsense")), format.Options{}, "a", "", nil},
		{"no marker, but a finish reason", strings.NewReader(event(chatChunk("a")) + event(chatStop)), format.Options{}, "a", "", nil},
		{"neither", strings.NewReader(event(chatChunk("a")) + event(chatChunk("b"))), format.Options{}, "ab", "openai stream ends before [DONE] or a finish reason, after event 2, byte 180", io.ErrUnexpectedEOF},
		{"lines need none", strings.NewReader(chatChunk("a") + "\n" + chatStop + "\n"), format.Options{}, "a", "", nil},
		{"lines without an end", strings.NewReader(chatChunk("a") + "\r\n\r\n" + chatChunk("b")), format.Options{}, "ab", "openai stream ends before [DONE] or a finish reason, after event 2, byte 168", io.ErrUnexpectedEOF},
		{"cut in an event", strings.NewReader(event(chatChunk("a")) + "data: " + chatChunk("b")[:50]), format.Options{}, "a", "openai stream ends before [DONE] or a finish reason, after event 1, byte 146", io.ErrUnexpectedEOF},
		{"the last event has no blank line", strings.NewReader(event(chatChunk("a")) + "data: [DONE]"), format.Options{}, "a", "", nil},
		{"cut in a line", strings.NewReader(chatChunk("a") + "\n" + chatChunk("b")[:50]), format.Options{}, "a", "openai stream ends before [DONE] or a finish reason, after event 1, byte 133", io.ErrUnexpectedEOF},
		{"broken JSON", strings.NewReader(event(chatChunk("a")) + event(`{"choices":[}`) + event(chatChunk("b"))), format.Options{}, "a", "openai event 2, byte 108: invalid JSON: expected a value, got '}'", nil},
		{"broken line", strings.NewReader(chatChunk("a") + "\n" + `{"choices":[1` + "\n" + chatChunk("b") + "\n"), format.Options{}, "a", "openai event 2, byte 97: invalid JSON: expected a comma or the end of an array, got '{'", nil},
		{"wrong type", strings.NewReader(event(chatChunk("a")) + event(`{"choices":7}`)), format.Options{}, "a", "openai event 2, byte 107: choices: expected an array, got a number", nil},
		{"wrong type in a cut event", strings.NewReader(event(chatChunk("a")) + `data: {"choices":7}`), format.Options{}, "a", "openai event 2, byte 107: choices: expected an array, got a number", nil},
		{"no UTF-8", strings.NewReader(event(chatChunk("a")) + event(chatChunk("b\xff\xfe")) + event(chatChunk("c")) + event("[DONE]")), format.Options{}, "ab\xff\xfec", "openai event 2, byte 173: invalid UTF-8", nil},
		{"no UTF-8, and cut", strings.NewReader(event(chatChunk("\xff"))), format.Options{}, "\xff", "openai event 1, byte 82: invalid UTF-8\nopenai stream ends before [DONE] or a finish reason, after event 1, byte 90", io.ErrUnexpectedEOF},
		{"too large", strings.NewReader(event(chatChunk("a")) + event(chatChunk(strings.Repeat("x", 200)))), format.Options{MaxEventBytes: 150}, "a", "event 2 (at byte 96) is larger than 150 bytes", nil},
		{"the reader fails", io.MultiReader(strings.NewReader(event(chatChunk("a"))+"data: {"), iotest.ErrReader(broken)), format.Options{}, "a", "reading at byte 97: connection reset", broken},
		{"the reader fails at once", iotest.ErrReader(broken), format.Options{}, "", "reading at byte 0: connection reset", broken},
		{"the reader fails in text", io.MultiReader(strings.NewReader("ab\xe2\x98"), iotest.ErrReader(broken)), format.Options{}, "ab\xe2\x98", "reading at byte 4: connection reset", broken},
		{"the reader gives nothing", idleReader{}, format.Options{}, "", "reading at byte 0: multiple Read calls return no data or error", io.ErrNoProgress},
		{"nothing", strings.NewReader(""), format.Options{}, "", "", nil},
		{"nothing, of a wire", strings.NewReader(""), format.Options{Wire: format.Gemini}, "", "gemini stream ends before a finish reason, after event 0, byte 0", io.ErrUnexpectedEOF},
		{"only comments", strings.NewReader(": hi\n\n"), format.Options{Wire: format.Anthropic}, "", "anthropic stream ends before message_stop, after event 0, byte 6", io.ErrUnexpectedEOF},
		{"prose", strings.NewReader("upstream connect error"), format.Options{Wire: format.OpenAI}, "", `openai event 1, byte 0: the body is neither events nor JSON; it begins "upstream connect error"`, nil},
		{"a page", strings.NewReader("\r\n<html><head><style>x{}</style><title>502\n Bad&nbsp;Gateway</title></head><body>nginx"), format.Options{Wire: format.OpenAI}, "", `openai event 1, byte 2: the body is an HTML page: "502 Bad Gateway"`, nil},
		{"a page with a heading", strings.NewReader("<script>1<2</script><p>Hm</p><h1>Not <b>here</b></h1>"), format.Options{Wire: format.Gemini}, "", `gemini event 1, byte 0: the body is an HTML page: "Not here"`, nil},
		{"a page with text", strings.NewReader("<p>Too <b>many</b> requests</p>"), format.Options{Wire: format.Gemini}, "", `gemini event 1, byte 0: the body is an HTML page: "Too many requests"`, nil},
		{"a page with nothing", strings.NewReader("<br>"), format.Options{Wire: format.Gemini}, "", "gemini event 1, byte 0: the body is an HTML page", nil},
		{"an error body", strings.NewReader(`{"error":{"message":"m","type":"t"}}`), format.Options{}, "", "", nil},
		{"unknown wire", strings.NewReader("x"), format.Options{Wire: "telex"}, "", `unknown wire format "telex", want one of auto, text, openai, responses, anthropic, gemini, ollama`, nil},
		{"text, asked for", strings.NewReader(event(chatChunk("a"))), format.Options{Wire: format.Text}, event(chatChunk("a")), "", nil},
		{"JSON where events were asked for", strings.NewReader(" \ufeff"), format.Options{Wire: format.Ollama}, "", `ollama event 1, byte 0: the body is neither events nor JSON; it begins " \ufeff"`, nil},
		{"byte order mark", strings.NewReader("\ufeff" + chatChunk("a") + chatStop), format.Options{Wire: format.OpenAI}, "a", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			deltas, err := collect(tt.input, tt.opts)
			var texts strings.Builder
			for _, d := range deltas {
				if d.Kind == toolcall.DeltaText {
					texts.WriteString(d.Text)
				}
			}
			if texts.String() != tt.texts {
				t.Errorf("texts %q, want %q", texts.String(), tt.texts)
			}
			if got := message(err); got != tt.want {
				t.Errorf("error %q\n want %q", got, tt.want)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v does not match %v", err, tt.is)
			}
		})
	}
}

type idleReader struct{}

func (idleReader) Read([]byte) (int, error) { return 0, nil }

// Gemini breaks off a stream of events with an error that is not an event. It ends the
// stream like an event with an error. A stream of another wire than expected ends at its
// first event, before anything is decoded. Errors and keep-alives may be of another wire.
func TestStreamOfAnotherWire(t *testing.T) {
	begins := map[format.Wire]string{
		format.OpenAI:    event(chatChunk("a")),
		format.Responses: event(`{"type":"response.created","sequence_number":0,"response":{"id":"r"}}`),
		format.Anthropic: event(`{"type":"message_start","message":{"id":"m","content":[],"usage":{"input_tokens":1}}}`),
		format.Gemini:    event(`{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},"index":0}]}`),
		format.Ollama:    `{"model":"m","message":{"role":"assistant","content":"a"},"done":false}` + "\n",
	}
	for wire, body := range begins {
		for _, as := range format.Wires() {
			if as == wire {
				continue
			}
			var deltas []toolcall.Delta
			var err error
			for d, streamErr := range format.NewStream(strings.NewReader(body), format.Options{Wire: as}).Deltas() {
				if err = streamErr; err == nil {
					deltas = append(deltas, d)
				}
			}
			foreign, ok := errors.AsType[*format.ForeignError](err)
			if !ok || foreign.Wire != wire || len(deltas) > 0 {
				t.Errorf("%s as %s: %v, error %v", wire, as, deltas, err)
			}
		}
	}
	body := event(`{"type":"ping"}`) + event(`{"error":{"status":"UNAVAILABLE","message":"m"}}`) + begins[format.OpenAI] + event("[DONE]")
	for _, err := range format.NewStream(strings.NewReader(body), format.Options{Wire: format.OpenAI}).Deltas() {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestBareError(t *testing.T) {
	const first = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\r\n\r\n"
	for _, bare := range []string{`{"error":{"message":"m","status":"UNAVAILABLE"}}`, "[{\n \"error\": {\n  \"message\": \"m\", \"status\": \"UNAVAILABLE\"\n }\n}]\n"} {
		deltas, err := collect(strings.NewReader(first+bare), format.Options{})
		want := []toolcall.Delta{{Kind: toolcall.DeltaText, Text: "a"}, {Kind: toolcall.DeltaError, Name: "UNAVAILABLE", Text: "m"}}
		if diff := cmp.Diff(want, deltas); diff != "" {
			t.Errorf("%s (-want +got):\n%s", bare, diff)
		}
		if err != nil {
			t.Errorf("%s: error %v", bare, err)
		}
	}
}

func TestErrorTypes(t *testing.T) {
	_, err := collect(strings.NewReader(event(chatChunk("a"))), format.Options{})
	if cut, ok := errors.AsType[*format.TruncatedError](err); !ok || cut.Wire != format.OpenAI || cut.Events != 1 || cut.Offset != 90 {
		t.Errorf("%#v", err)
	}
	_, err = collect(strings.NewReader("<title>x</title>"), format.Options{Wire: format.OpenAI})
	if page, ok := errors.AsType[*format.HTMLError](err); !ok || page.Summary != "x" {
		t.Errorf("%#v", err)
	}
	_, err = collect(strings.NewReader(event(`{"choices":"x"}`)), format.Options{Wire: format.OpenAI})
	if bad, ok := errors.AsType[*format.SyntaxError](err); !ok || bad.Wire != "openai" || bad.Event != 1 || bad.Offset != 18 || bad.Field != "choices" {
		t.Errorf("%#v", err)
	}
	_, err = collect(strings.NewReader(event(`{"choices":"x"}`)), format.Options{Wire: format.OpenAI, MaxEventBytes: 5})
	if large, ok := errors.AsType[*format.TooLargeError](err); !ok || large.Limit != 5 {
		t.Errorf("%#v", err)
	}
}

// The deltas of an event are returned before anything after it is read.
func TestDeltasArePrompt(t *testing.T) {
	tests := []struct{ name, first, rest string }{
		{"events", event(chatChunk("a")), event(chatChunk("b"))},
		{"lines", chatChunk("a"), "\n" + chatChunk("b")},
		{"Gemini's array", `[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, "\n,\n"},
		{"text", "a", "b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &countingReader{data: []byte(tt.first + tt.rest)}
			for d, err := range format.NewStream(r, format.Options{}).Deltas() {
				if err != nil || d.Text != "a" {
					t.Errorf("%+v, %v", d, err)
				}
				break
			}
			if r.n != len(tt.first) {
				t.Errorf("%d bytes were read, %d are needed", r.n, len(tt.first))
			}
		})
	}
}

func TestDeltasAreSingleUse(t *testing.T) {
	stream := format.NewStream(strings.NewReader("ab"), format.Options{ChunkBytes: 1})
	for range stream.Deltas() {
		break
	}
	for d, err := range stream.Deltas() {
		if err == nil {
			t.Errorf("a second range gives %+v", d)
		}
	}
}

func TestTextKeepsCharactersWhole(t *testing.T) {
	const text = "aé☃😀\xe2\x98b\xf0\x9f"
	var got []string
	for d, err := range format.NewStream(strings.NewReader(text), format.Options{Wire: format.Text, ChunkBytes: 1}).Deltas() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, d.Text)
	}
	if diff := cmp.Diff([]string{"a", "é", "☃", "😀", "\xe2\x98b", "\xf0\x9f"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseWire(t *testing.T) {
	for _, w := range append(format.Wires(), format.Auto, format.Text) {
		if got, err := format.ParseWire(string(w)); got != w || err != nil {
			t.Errorf("ParseWire(%q) = %q, %v", w, got, err)
		}
	}
	if w, err := format.ParseWire(""); w != format.Auto || err != nil {
		t.Errorf(`ParseWire("") = %q, %v`, w, err)
	}
	if _, err := format.ParseWire("OpenAI"); err == nil {
		t.Error("ParseWire folds case")
	}
	if _, err := format.NewStream(strings.NewReader(""), format.Options{Wire: "telex"}).Wire(); err == nil {
		t.Error("Wire knows an unknown wire")
	}
}

// The elements of an array are a stream, whose end Gemini marks with a finish reason; an
// object alone is a whole answer.
func TestGeminiArrayThatIsCut(t *testing.T) {
	const part, last = `{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}`
	for body, whole := range map[string]bool{
		part:                          true,
		part + "\n" + part:            false,
		part + "\n" + last:            true,
		"[" + part:                    false,
		"[" + part + "]":              false,
		"[" + part + ",\n{\"candidat": false,
		"[" + part + "," + last + "]": true,
		"[" + part + "," + last:       true,
	} {
		var failed error
		for _, err := range format.NewStream(strings.NewReader(body), format.Options{Wire: format.Gemini}).Deltas() {
			failed = err
		}
		if _, cut := errors.AsType[*format.TruncatedError](failed); cut == whole || whole && failed != nil {
			t.Errorf("%s: error %v", body, failed)
		}
	}
}
