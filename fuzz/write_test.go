package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
	writer "github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/internal/vectorgen"
	"github.com/toolparse/toolparse/toolcall"
)

// TestWrittenIsRead compares parser and writer over the whole table. A written message
// must read back the same, whole and in chunks, with every call complete and without
// tolerances. Otherwise the writer must report why it cannot write the message, which it
// may not do for a plain message, nor for calls alone if the dialect can escape
// everything.
func TestWrittenIsRead(t *testing.T) {
	for _, d := range dialect.All() {
		t.Run(d.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := vectorgen.New(drawTape(t, "message", 300), d, rapid.Bool().Draw(t, "plain"))
				written, err := write(d, c)
				if err != nil {
					if c.Plain || escapes(d, c) {
						t.Fatalf("%v\n%s", err, show(c))
					}
					return
				}
				chunks := streamgen.Split(drawTape(t, "chunks", 60), written)
				if err := readsAs(d, c, written, chunks); err != nil {
					t.Fatalf("%v\nwritten: %q\n%s", err, written, show(c))
				}
			})
		})
	}
}

// escapes reports whether d can write the message whatever its values are: there
// are only calls, with names of letters and digits, and their values have an
// escape for every character.
func escapes(d *dialect.Dialect, c vectorgen.Case) bool {
	if c.Message.Text != "" || c.Message.Reasoning != "" {
		return false
	}
	words := []string{}
	for _, call := range c.Message.Calls {
		words = append(words, call.Name)
		if d.Args.Form == dialect.ArgsPython || d.Args.Form == dialect.ArgsYAML {
			for key := range exactly(call.Arguments).(map[string]any) {
				words = append(words, key)
			}
		}
	}
	for _, word := range words {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
			return false
		}
	}
	switch d.Args.Form {
	case dialect.ArgsJSON, dialect.ArgsPython, dialect.ArgsYAML:
		return true
	}
	return false
}

// write writes a message, and checks that the one error that there may be is the
// documented one.
func write(d *dialect.Dialect, c vectorgen.Case) (string, error) {
	w, err := writer.NewWriter(d, writer.Options{Tools: c.Tools})
	if err != nil {
		return "", err
	}
	written, err := w.Append(nil, c.Message)
	if err == nil {
		return string(written), nil
	}
	if e, ok := errors.AsType[*writer.Error](err); !ok || e.Dialect != d.Name || e.Reason == "" || written != nil {
		panic(fmt.Sprintf("the error of the writer is %#v, beside %q", err, written))
	}
	return "", err
}

// readsAs checks that written, cut into chunks, is the message.
func readsAs(d *dialect.Dialect, c vectorgen.Case, written string, chunks []string) error {
	opts := parser.Options{Dialects: []*dialect.Dialect{d}, Tools: c.Tools}
	if err := invariants(opts, written, chunks); err != nil {
		return err
	}
	p, err := parser.New(opts)
	if err != nil {
		return err
	}
	a, err := adapter.New(adapter.Options{Tools: c.Tools})
	if err != nil {
		return err
	}
	var events []toolcall.Event
	for _, chunk := range chunks {
		events = p.Feed(events, chunk)
	}
	events = p.Close(events)
	var said, thought strings.Builder
	var calls []toolcall.ToolInvocation
	for _, e := range events {
		switch e.Segment {
		case toolcall.SegmentText:
			said.WriteString(e.Delta())
		case toolcall.SegmentReasoning:
			thought.WriteString(e.Delta())
		default:
			if call, ok := a.Add(e); ok {
				calls = append(calls, call)
			}
		}
	}
	for _, text := range []struct{ of, want, got string }{
		{"text", c.Message.Text, said.String()}, {"reasoning", c.Message.Reasoning, thought.String()},
	} {
		if diff := cmp.Diff(strings.TrimSpace(text.want), strings.TrimSpace(text.got)); diff != "" {
			return fmt.Errorf("%s: %s", text.of, diff)
		}
	}
	if want, got := len(c.Message.Calls), len(calls); want != got {
		return fmt.Errorf("%d calls are read, not %d", got, want)
	}
	for i, want := range c.Message.Calls {
		if err := readsAsCall(want, calls[i]); err != nil {
			return fmt.Errorf("call %d (%s): %w", i+1, want.Name, err)
		}
	}
	return nil
}

func readsAsCall(want, got toolcall.ToolInvocation) error {
	switch {
	case got.Name != want.Name:
		return fmt.Errorf("it is read as a call of %q", got.Name)
	case got.Status != toolcall.Complete || got.Tolerances != 0:
		return fmt.Errorf("it ends %v, %v, with tolerances %q", got.Status, got.Reason, got.Tolerances.Names())
	}
	if diff := cmp.Diff(exactly(want.Arguments), exactly(got.Arguments)); diff != "" {
		return fmt.Errorf("the arguments differ:\n%s", diff)
	}
	return nil
}

// exactly decodes JSON, numbers as they are written.
func exactly(text json.RawMessage) any {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return err.Error()
	}
	return v
}

// show prints a case.
func show(c vectorgen.Case) string {
	var b strings.Builder
	fmt.Fprintf(&b, "reasoning: %q\ntext: %q\n", c.Message.Reasoning, c.Message.Text)
	for _, call := range c.Message.Calls {
		fmt.Fprintf(&b, "call: %s %s\n", call.Name, call.Arguments)
	}
	tools, err := json.Marshal(c.Tools)
	if err != nil {
		return err.Error()
	}
	return b.String() + "tools: " + string(tools)
}
