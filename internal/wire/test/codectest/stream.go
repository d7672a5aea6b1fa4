package codectest

import (
	"bytes"
	"strings"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

// WriteStream encodes the stream of an answer.
func (c Codec) WriteStream(t rapid.TB, meta chat.Meta, opts wire.Options, deltas ...toolcall.Delta) (string, []chat.Loss) {
	t.Helper()
	e := c.NewEncoder(opts)
	e.SetMeta(meta)
	return string(e.Close(Append(e, nil, deltas...))), e.Losses()
}

// Append makes an encoder append deltas.
func Append(e wire.Encoder, out []byte, deltas ...toolcall.Delta) []byte {
	for _, d := range deltas {
		out = e.Append(out, d)
	}
	return out
}

// HoldsNotTooMuch checks that an encoder that writes calls whole drops a call of which it
// would hold too much, writes the calls after it, and ends the answer as cut off, with the
// given finish word.
func (c Codec) HoldsNotTooMuch(t rapid.TB, meta chat.Meta, word string) {
	t.Helper()
	deltas := []toolcall.Delta{{Kind: toolcall.DeltaToolCall, ID: "c", Name: "f", Text: `{"a":"`}}
	piece := strings.Repeat("x", 1<<20)
	for range 70 {
		deltas = append(deltas, toolcall.Delta{Kind: toolcall.DeltaToolCall, Text: piece})
	}
	out, losses := c.WriteStream(t, meta, wire.Options{}, append(deltas,
		toolcall.Delta{Kind: toolcall.DeltaToolCall, Text: `"}`, Done: true},
		toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: 1, ID: "d", Name: "g", Text: `{}`, Done: true},
		toolcall.Delta{Kind: toolcall.DeltaFinish, Text: "stop"})...)
	if len(out) > 1000 || !strings.Contains(out, `"name":"g"`) || !strings.Contains(out, word) || len(losses) != 1 {
		t.Errorf("%d bytes, losses %v", len(out), losses)
	}
}

// Translate translates a stream.
func Translate(t rapid.TB, body string, from, to format.Wire) (string, []chat.Loss) {
	t.Helper()
	var out bytes.Buffer
	losses, err := format.TranslateStream(&out, strings.NewReader(body), from, to, format.TranslateOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return out.String(), losses
}
