package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// pieces are parts of calls in the text dialects, and bytes that are not text.
var pieces = []string{
	`<tool name="f">`, `<arguments>`, `<arg name="a">`, `</arg>`, `</arguments>`, `</tool>`, `<write_file path="p">`, `</write_file>`,
	`[[SEG_START {"type":"run_bash"}]]`, `[[SEG_END]]`, `{"name":"f","arguments":{"a":1}}`, `{"tool":`, `<think>`, `</think>`,
	"`", "```\n", "\n", " ", "word", "é", "\xff", "\xe2\x82", "\x00", "<", "{", `"`, "data: ",
}

func genInput(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "pieces"), "")
}

func parse(t *rapid.T, in string, args ...string) (stdout string) {
	var out, stderr bytes.Buffer
	code := run(t.Context(), append([]string{"parse", "-w", "text"}, args...), strings.NewReader(in), &out, &stderr, noEnv)
	told := 0
	for _, why := range []string{"was not read", "is not UTF-8", "no call found: ", "the input is empty"} {
		told += strings.Count(stderr.String(), why)
	}
	if code != exitDone || strings.Count(stderr.String(), "\n") != told {
		t.Fatalf("exit code %d, stderr %q", code, stderr.String())
	}
	return out.String()
}

// The concatenated raws of all events are the input, even if that is invalid UTF-8.
func TestEventsAreLossless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t)
		chunk := strconv.Itoa(rapid.IntRange(1, 40).Draw(t, "chunk"))
		var raw []byte
		for line := range strings.Lines(parse(t, in, "-o", "events", "--chunk", chunk)) {
			var e struct {
				Raw       *string `json:"raw"`
				RawBase64 string  `json:"raw_base64"`
			}
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			b, err := base64.StdEncoding.DecodeString(e.RawBase64)
			if err != nil || (e.Raw == nil) != (len(b) > 0) {
				t.Fatalf("%s: error %v; want either raw or raw_base64", line, err)
			}
			if raw = append(raw, b...); e.Raw != nil {
				raw = append(raw, *e.Raw...)
			}
		}
		if string(raw) != in {
			t.Fatalf("raw %q, input %q", raw, in)
		}
	})
}

// The size of the reads changes neither the calls nor the text.
func TestChunkChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := genInput(t)
		chunk := strconv.Itoa(rapid.IntRange(1, 40).Draw(t, "chunk"))
		for _, output := range outputs {
			if output == outputEvents {
				continue // contents come in other pieces
			}
			whole := parse(t, in, "-o", output)
			if got := parse(t, in, "-o", output, "--chunk", chunk); got != whole {
				t.Fatalf("%s: got %q in chunks, %q whole", output, got, whole)
			}
		}
	})
}

// TestOneLineEach: no reader of lines takes one printed line for two, and what was
// escaped for that can be decoded.
func TestOneLineEach(t *testing.T) {
	const breaks = "\u0085\u0090\u2028\u2029"
	in := "a" + breaks + `<tool_call>{"name":"f` + breaks + `","arguments":{"` + breaks + `":"` + breaks + `"}}</tool_call>b` + breaks +
		`<tool_call>{"name":"g","arguments":{"a":"` + breaks
	for _, what := range append([]string{outputCalls, outputEvents}, wires()...) {
		var out, stderr bytes.Buffer
		run(t.Context(), []string{"parse", "-w", "text", "-d", "hermes", "-o", what}, strings.NewReader(in), &out, &stderr, noEnv)
		if out.Len() == 0 {
			t.Fatalf("%s: %q, stderr %q", what, out.String(), stderr.String())
		}
		raw := ""
		for line := range strings.Lines(strings.ReplaceAll(out.String(), "\r\n", "\n")) {
			if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), isHostile) {
				t.Errorf("%s: %+q", what, line)
			}
			var event struct{ Raw string }
			json.Unmarshal([]byte(line), &event)
			raw += event.Raw
		}
		if what == outputEvents && raw != in {
			t.Errorf("raw is %+q, want %+q", raw, in)
		}
	}
}
