package format_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

// TestKnownTools checks that a request is read alike, errors included, whether its tools
// are known or not, and wherever the text of the list stands.
func TestKnownTools(t *testing.T) {
	request := &chat.Request{Model: "m", Messages: []chat.Message{
		{Role: chat.User, Parts: []chat.Part{chat.TextPart(`My "tools" are: {"tools":[]}`)}},
		{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("c1", "tool_3", `{"tools": ["a"]}`)}},
		{Role: chat.ToolRole, Parts: []chat.Part{chat.ResultPart("c1", chat.TextPart("done"))}},
	}}
	for i := range 20 {
		request.Tools = append(request.Tools, chat.Tool{ToolDefinition: toolcall.ToolDefinition{
			Name: fmt.Sprintf("tool_%d", i), Description: `Does "something" é.`, Parameters: []byte(`{"type":"object","properties":{"tools":{"type":"array","items":{"type":"string"}}}}`),
		}})
	}
	for _, name := range format.Wires() {
		codec, _ := all.CodecOf(name)
		body, _ := codec.EncodeRequest(request, wire.Options{})
		from := bytes.Index(body, []byte(`"tools":[{`)) + len(`"tools":`)
		to := from + bytes.LastIndex(body[from:], []byte(`}]`)) + 2
		for to > from && !json.Valid(body[from:to]) {
			to = from + bytes.LastIndex(body[from:to-1], []byte(`}]`)) + 2
		}
		list := string(body[from:to])
		memory := wire.NewToolMemory()
		known := codec.With(wire.RequestOptions{Tools: memory})
		if _, err := known.DecodeRequest(body); err != nil {
			t.Fatal(err)
		}
		if size, _, _ := memory.Find(string(name), body[from:]); size != len(list) {
			t.Fatalf("%s: found a list of %d bytes, want %d", name, size, len(list))
		}
		same := func(t interface{ Errorf(string, ...any) }, body string) {
			want, wantErr := codec.DecodeRequest([]byte(body))
			got, err := known.DecodeRequest([]byte(body))
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s: error %v, want %v\n%.300s", name, err, wantErr, body)
			}
			if wantErr != nil {
				return // how much of the request was read before the error is not defined
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-unknown +known):\n%s\n%.300s", name, diff, body)
			}
		}
		text := string(body)
		for _, change := range []func(string) string{
			func(s string) string { return s },
			func(s string) string { return strings.Replace(s, `"tools":[{`, "\"tools\" :\n [{", 1) },
			func(s string) string { return strings.Replace(s, list, "[]", 1) },
			func(s string) string { return strings.Replace(s, list, "[0]", 1) },
			func(s string) string { return strings.Replace(s, list, list+" ", 1) },
			func(s string) string { return strings.Replace(s, list, list+"]", 1) },
			func(s string) string { return strings.Replace(s, list, list[:len(list)-1], 1) },
			func(s string) string { return strings.Replace(s, list, list[:len(list)-1]+",0]", 1) },
			func(s string) string { return strings.Replace(s, list, list+`,"tools":[]`, 1) },
			func(s string) string { return strings.Replace(s, list, list+`,"tools":`+list, 1) },
			func(s string) string { return `{"tools":null,` + s[1:] },
			func(s string) string { return `{"tools":` + list + `,"metadata":{"tools":` + list + `}}` },
			func(s string) string { return `{"metadata":{"tools":` + list + `},` + s[1:] },
			func(s string) string { return strings.Replace(s, `"tools":[{`, `"t\u006fols":[{`, 1) },
			func(s string) string { return s[:len(s)-1] + `,"temperature":[],"max_tokens":{},"stream":"yes"}` },
			func(s string) string { return s[:len(s)-1] + `,"x":tru}` },
			func(s string) string { return s + "x" },
			func(s string) string { return s[:len(s)/2] },
			func(s string) string { return s[:to] },
			func(s string) string { return s[:to] + "\xff" + s[to:] },
			func(s string) string { return "[" + s + "]" },
		} {
			same(t, change(text))
		}
		rapid.Check(t, func(t *rapid.T) {
			changed := []byte(text)
			for range rapid.IntRange(1, 3).Draw(t, "changes") {
				at := rapid.OneOf(rapid.IntRange(0, len(changed)-1), rapid.IntRange(max(0, from-12), from+3), rapid.IntRange(to-3, min(len(changed)-1, to+12))).Draw(t, "at")
				changed[at] = rapid.SampledFrom([]byte(`{}[]",:0 t\`)).Draw(t, "byte")
			}
			same(t, string(changed))
		})
	}
}
