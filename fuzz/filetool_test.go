package fuzz

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/reencode"
	"github.com/toolparse/toolparse/internal/streamgen"
	writer "github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// fileCall is a call with the name of a file tool and any arguments.
var fileCall = rapid.Custom(func(t *rapid.T) toolcall.ToolInvocation {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
		"path", "content", "patch", "command", "background", "timeout_seconds", // of the file tools
		"cmd", "mode", "edits", "file_path", "old_content", // of others
		"call_id", "status", "reason", "arguments", "tool_name", "unknown_tool", // with a meaning among the metadata
	}), 0, 5, rapid.ID[string]).Draw(t, "names")
	var args strings.Builder
	for i, name := range names {
		if i > 0 {
			args.WriteByte(',')
		}
		value := rapid.SampledFrom([]string{
			`"a.txt"`, `"x"`, `""`, `" \n"`, `"line\n\"quoted\"\t\\ é\u00e9 </arg>\n"`, `"{\"a\":1}"`, `5`, `-1.50`, `true`, `null`, `[]`, `{}`, `[{"path":"b","content":"c"}]`, `{"content":"x"}`,
		}).Draw(t, "value")
		if rapid.IntRange(0, 2).Draw(t, "own") > 0 && slices.Contains([]string{"path", "content", "patch", "command"}, name) {
			value = `"a\n"`
		}
		fmt.Fprintf(&args, "%q:%s", name, value)
	}
	return toolcall.ToolInvocation{
		Name:      rapid.SampledFrom([]string{"write_file", "edit_file", "run_bash"}).Draw(t, "tool"),
		Arguments: json.RawMessage("{" + args.String() + "}"),
	}
})

// fileSchemas are schemas that may be declared for file tools.
var fileSchemas = []string{
	``, `{"type":"object"}`,
	`{"properties":{"path":{"type":"string"},"content":{"type":"string"},"patch":{"type":"string"},"command":{"type":"string"},"mode":{"type":"string"}}}`,
	`{"properties":{"path":{"type":"string"},"old_content":{"type":"string"},"cmd":{"type":"string"}}}`,
	`{"properties":{"path":{"type":["string","null"]},"content":{},"patch":{"type":"object"},"command":{"type":["string","array"]}}}`,
}

func drawFileTools(t *rapid.T) []toolcall.ToolDefinition {
	parameters := rapid.SampledFrom(append([]string{"none"}, fileSchemas...)).Draw(t, "schema")
	if parameters == "none" {
		return nil
	}
	var tools []toolcall.ToolDefinition
	for _, name := range []string{"write_file", "edit_file", "run_bash"} {
		tools = append(tools, toolcall.ToolDefinition{Name: name, Parameters: json.RawMessage(parameters)})
	}
	return tools
}

// saysAs checks that events are one complete call of the wanted arguments, both
// to a program and on any wire.
func saysAs(events []toolcall.Event, want toolcall.ToolInvocation) error {
	var calls []toolcall.ToolInvocation
	a, err := adapter.New(adapter.Options{})
	if err != nil {
		return err
	}
	var deltas reencode.Deltas
	var written []toolcall.Delta
	for _, e := range events {
		if call, ok := a.Add(e); ok {
			calls = append(calls, call)
		}
		written = deltas.Append(written, e)
	}
	if len(calls) != 1 || calls[0].Name != want.Name || !calls[0].Runnable() {
		return fmt.Errorf("got %+v, want one call of %s that can run", calls, want.Name)
	}
	wire := ""
	for _, d := range written {
		if d.Kind == toolcall.DeltaToolCall {
			wire += d.Text
		}
	}
	for way, got := range map[string]string{"the invocation": string(calls[0].Arguments), "the wire": wire} {
		if diff := cmp.Diff(decode(string(want.Arguments)), decode(got)); diff != "" {
			return fmt.Errorf("the arguments of %s (-want +got):\n%s", way, diff)
		}
	}
	return nil
}

// TestFileCallsNatively checks that a native call has the arguments of its JSON,
// whatever its name, and however it is cut into deltas.
func TestFileCallsNatively(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, tools := fileCall.Draw(t, "call"), drawFileTools(t)
		deltas := []toolcall.Delta{{Kind: toolcall.DeltaToolCall, ID: "c", Name: want.Name}}
		for _, piece := range streamgen.Split(drawTape(t, "pieces", 40), string(want.Arguments)) {
			deltas = append(deltas, toolcall.Delta{Kind: toolcall.DeltaToolCall, Text: piece})
		}
		deltas = append(deltas, toolcall.Delta{Kind: toolcall.DeltaFinish, Text: "tool_calls"})
		p, err := parser.New(parser.Options{Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		var events []toolcall.Event
		for _, d := range deltas {
			events = p.FeedDelta(events, d)
		}
		if err := saysAs(p.Close(events), want); err != nil {
			t.Fatalf("%s: %v", want.Arguments, err)
		}
	})
}

// TestFileCallsInText checks the same in every dialect that can express the arguments.
func TestFileCallsInText(t *testing.T) {
	said := 0
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			read := 0
			rapid.Check(t, func(t *rapid.T) {
				want, tools := fileCall.Draw(t, "call"), drawFileTools(t)
				// What is JSON in the dialect must be read without a look at what the reader makes of it.
				w, err := writer.NewWriter(d, writer.Options{Tools: tools, Unchecked: d.Args.Form == dialect.ArgsJSON})
				if err != nil {
					t.Fatal(err)
				}
				written, err := w.Append(nil, writer.Message{Calls: []toolcall.ToolInvocation{want}})
				if err != nil {
					return
				}
				read++
				opts := parser.Options{Dialects: []*dialect.Dialect{d}, Tools: tools}
				chunks := streamgen.Split(drawTape(t, "chunks", 60), string(written))
				if rapid.IntRange(0, 19).Draw(t, "invariants") == 0 { // they take their time
					if err := invariants(opts, string(written), chunks); err != nil {
						t.Fatalf("%q: %v", written, err)
					}
				}
				p, err := parser.New(opts)
				if err != nil {
					t.Fatal(err)
				}
				var events []toolcall.Event
				for _, chunk := range chunks {
					events = p.Feed(events, chunk)
				}
				if err := saysAs(p.Close(events), want); err != nil {
					t.Fatalf("%q: %v", written, err)
				}
			})
			if read > 0 {
				said++
			}
		})
	}
	if n := len(dialect.All()); said < n-3 && !testing.Short() { // one has no calls in text, and some only those of their own tools; few draws say too little
		t.Errorf("only %d of %d dialects could say any of the calls", said, n)
	}
}
