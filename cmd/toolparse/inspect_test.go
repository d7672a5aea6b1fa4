package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

const inspected = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}}]}`

func utf16Of(text string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		if lo, hi := byte(u), byte(u>>8); big {
			b.Write([]byte{hi, lo})
		} else {
			b.Write([]byte{lo, hi})
		}
	}
	return b.String()
}

func zipped(t *testing.T, text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestInspector: input that is not text is rejected with its name, gzip is read, and text
// is not changed, even with a few invalid bytes, however it is split.
func TestInspector(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	half := len(inspected) / 2
	for name, c := range map[string]struct{ in, want, refused string }{
		"UTF-16 with a mark":      {in: "\xff\xfe" + utf16Of(inspected, false), refused: "UTF-16"},
		"big-endian with a mark":  {in: "\xfe\xff" + utf16Of(inspected, true), refused: "UTF-16"},
		"UTF-16 without":          {in: utf16Of("data: "+inspected, false), refused: "UTF-16"},
		"big-endian without":      {in: utf16Of("Hello there", true), refused: "UTF-16"},
		"UTF-32":                  {in: "\xff\xfe\x00\x00h\x00\x00\x00", refused: "UTF-"},
		"a program":               {in: string(program[:10000]), refused: "binary"},
		"an image":                {in: "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x01\x00\x00\x00\x01\x00\x08\x06\x00\x00\x00", refused: "binary"},
		"zstd":                    {in: "\x28\xb5\x2f\xfd\x04\x58\x59\x04\x00" + strings.Repeat("\xa2\x91\xd8\x03", 30), refused: "compressed with zstd"},
		"xz":                      {in: "\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00", refused: "compressed with xz"},
		"a program, compressed":   {in: zipped(t, string(program[:10000])), refused: "binary"},
		"UTF-16, compressed":      {in: zipped(t, "\xff\xfe"+utf16Of(inspected, false)), refused: "UTF-16"},
		"cut gzip":                {in: zipped(t, inspected)[:30], refused: "unexpected EOF"},
		"gzip's first bytes":      {in: "\x1f\x8bzzzzzzzzzzzzzz", refused: "gzip"},
		"text":                    {in: inspected, want: inspected},
		"compressed":              {in: zipped(t, inspected), want: inspected},
		"compressed in two":       {in: zipped(t, inspected[:half]) + zipped(t, inspected[half:]), want: inspected},
		"a byte that is no UTF-8": {in: "a\xff " + inspected, want: "a\xff " + inspected},
		"a NUL":                   {in: "a\x00b " + inspected, want: "a\x00b " + inspected},
		"cut inside a character":  {in: "caf\xc3", want: "caf\xc3"},
		"escapes of a terminal":   {in: "\x1b[31mred\x1b[0m\b", want: "\x1b[31mred\x1b[0m\b"},
		"one byte of gzip's mark": {in: "\x1f", want: "\x1f"},
		"other scripts":           {in: strings.Repeat("漢字 שלום дом ", 99), want: strings.Repeat("漢字 שלום дом ", 99)},
		"a UTF-8 mark":            {in: "\ufeff" + inspected, want: "\ufeff" + inspected},
		"nothing":                 {},
	} {
		t.Run(name, func(t *testing.T) {
			for how, pieces := range map[string]func(io.Reader) io.Reader{
				"whole": func(r io.Reader) io.Reader { return r }, "by the byte": iotest.OneByteReader, "in halves": iotest.HalfReader,
				"with the end": iotest.DataErrReader,
			} {
				got, err := io.ReadAll(newInspector(pieces(strings.NewReader(c.in))))
				switch {
				case c.refused == "" && (err != nil || string(got) != c.want):
					t.Errorf("%s: %q, %v; want %q", how, got, err, c.want)
				case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
					t.Errorf("%s: error %v, want one of %s", how, err, c.refused)
				}
			}
		})
	}
}

// TestParseRefuses: the command says what the input is and what to do, and exits 1.
func TestParseRefuses(t *testing.T) {
	page := "\n<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>"
	dir := t.TempDir()
	for name, c := range map[string]struct {
		in   string
		args []string
		want string // part of standard error; "" if the call is found
	}{
		"UTF-16":          {in: "\xff\xfe" + utf16Of(inspected, false), want: "the input is UTF-16 text, not UTF-8; save it as UTF-8"},
		"a page":          {in: page, want: `the input is an HTML page: "502 Bad Gateway"; the server`},
		"a page, by byte": {in: page, args: []string{"--chunk", "1"}, want: "the input is an HTML page"},
		"a page of text":  {in: page, args: []string{"-w", "text"}},
		"a page of gzip":  {in: zipped(t, page), want: "the input is an HTML page"},
		"gzip":            {in: zipped(t, inspected)},

		"Ollama's error":            {in: `{"error":"model not found"}`, want: "the provider reported an error: model not found"},
		"an error without a number": {in: "data: {\"type\":\"error\",\"code\":\"q\",\"message\":\"m\",\"param\":\"x\"}\n\n", want: "the provider reported an error (q): m"},
	} {
		file := filepath.Join(dir, "in")
		if err := os.WriteFile(file, []byte(c.in), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, stderr bytes.Buffer
		code := run(t.Context(), append(append([]string{"parse"}, c.args...), file), nil, &out, &stderr, noEnv)
		switch {
		case c.want == "" && (code != exitDone || stderr.Len() > 0):
			t.Errorf("%s: exit code %d, %q", name, code, stderr.String())
		case c.want != "" && (code != exitFailed || !strings.Contains(stderr.String(), c.want) || strings.Count(stderr.String(), "\n") != 1):
			t.Errorf("%s: exit code %d, %q, want %q", name, code, stderr.String(), c.want)
		}
	}
}

// TestParseRefusesWhatIsNoAnswer: nothing of a page or a request is printed, and the
// message is the same, however the reads are split.
func TestParseRefusesWhatIsNoAnswer(t *testing.T) {
	const call = `<tool_call>{"name":"f","arguments":{}}</tool_call>`
	page := func(title string) string { return `the input is an HTML page: "` + title }
	request := func(wire string) string {
		return "the body is a request of the wire format " + wire + ", not an answer"
	}
	for in, want := range map[string]string{
		"<html>\n" + call: page("{"),
		"<!DOCTYPE html>\n<html><body>\nHi <b>you " + call:   page("Hi you {"),
		"\ufeff \n<!-- c -->\n<!-- d --><!doctype html><p>P": page("P"),
		"<header>" + call:     "",
		"<!-- c -->\n" + call: "",
		"<!-- " + call:        "",

		`{"contents":[{"role":"model","parts":[{"functionCall":{"name":"rm","args":{"a":1}}}]}]}`:                                     request("gemini"),
		`{"contents":{"parts":{"functionCall":{"name":"rm","args":{"a":1}}}}}`:                                                        request("gemini"),
		`{"model":"m","messages":[{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"f","arguments":"{}"}}]}]}`: request("openai"),
		`{"messages":[{"role":"user","content":"hi"}],"options":{}}`:                                                                  request("ollama"),
		"\n{\"system\":\"s\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}\n":                                                request("anthropic"),
		`{"model":"m","input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}`:                                  request("responses"),
		`{"model":"m","input":"hi","stream":true}`:                                                                                    request("responses"),
		"{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n{\"model\":\"m\"}":                                   request("openai"),

		`{"messages":[{"role":"user","content":"hi"}]} is what I sent.`: "",
		`{"messages":["a"],"model":"m"}`:                                "",
		`{"contents":["a"]}`:                                            "",
		`{"model":"m","input":"hi","output":"ho"}`:                      "",
		`{"model":"m","input":[1,2]}`:                                   "",
	} {
		chunks := []string{"1", "7", "16", "4096"}
		if testing.Short() {
			chunks = chunks[1:2]
		}
		for _, chunk := range chunks {
			for _, output := range []string{"calls", "events", "text", "openai"} {
				var out, stderr bytes.Buffer
				code := run(t.Context(), []string{"parse", "--chunk", chunk, "-o", output}, strings.NewReader(in), &out, &stderr, noEnv)
				switch got := stderr.String(); {
				case want == "" && code != exitDone:
					t.Errorf("%s, --chunk %s: exit code %d, %q", in, chunk, code, got)
				case want != "" && (code != exitFailed || out.Len() > 0 || !strings.Contains(got, want) || strings.Count(got, "\n") != 1):
					t.Errorf("%s, --chunk %s: exit code %d, %q, %q; want %q", in, chunk, code, out.String(), got, want)
				}
			}
		}
	}
}

// TestParseTextTakesAnyBytes: input that the user declares as text is never rejected.
func TestParseTextTakesAnyBytes(t *testing.T) {
	const call = `<tool_call>{"name":"f","arguments":{}}</tool_call>`
	for _, in := range []string{
		"\xff\xfe a" + call, "\xfe\xff" + call, "\xff\xfe\x00\x00" + call, "\x1f\x8b" + call, "\x1f\x8b\x08\xff" + call,
		"\x00\x01\x02\x03\x00" + call, strings.Repeat("\xa2\x91\xd8\x03", 30) + call, "<html>" + call,
		`{"contents":[{"parts":[{"text":"a"}]}]}` + call, zipped(t, "\xff\xfe"+call),
	} {
		for _, chunk := range []string{"1", "4096"} {
			var out, stderr bytes.Buffer
			code := run(t.Context(), []string{"parse", "-w", "text", "--chunk", chunk}, strings.NewReader(in), &out, &stderr, noEnv)
			if code != exitDone || !strings.Contains(out.String(), `"name":"f"`) || stderr.Len() > 0 {
				t.Errorf("%q, --chunk %s: exit code %d, %q, %q", in, chunk, code, out.String(), stderr.String())
			}
		}
	}
}

// TestParseNotesBytesThatAreNoUTF8: arguments cannot contain invalid UTF-8, so that the
// user is told, however the reads are split.
func TestParseNotesBytesThatAreNoUTF8(t *testing.T) {
	call := func(text string) string {
		return `<tool_call>{"name":"f","arguments":{"a":"` + text + `"}}</tool_call>`
	}
	for in, want := range map[string]string{
		"caf\xe9 " + call("\xe9"):          "is not UTF-8",
		"caf\u00e9 \u65e5 " + call("\xff"): "is not UTF-8",
		zipped(t, "caf\xe9 "+call("\xe9")): "is not UTF-8",
		"caf\xe9 " + call("\u00e9"):        "", // text stays as it is
		"caf\u00e9 " + call("\ufffd"):      "",
		call("a") + " cut caf\xc3":         "",
	} {
		for how, r := range map[string]io.Reader{"whole": strings.NewReader(in), "by the byte": iotest.OneByteReader(strings.NewReader(in))} {
			var out, stderr bytes.Buffer
			code := run(t.Context(), []string{"parse"}, r, &out, &stderr, noEnv)
			if got := stderr.String(); code != exitDone || (got != "") != (want != "") || !strings.Contains(got, want) || strings.Count(got, "\n") > 1 {
				t.Errorf("%q, %s: exit code %d, %q, want %q", in, how, code, got, want)
			}
		}
	}
}
