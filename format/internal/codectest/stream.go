package codectest

import (
	"bytes"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
)

// WriteStream encodes the stream of an answer.
func (c Codec) WriteStream(t rapid.TB, meta chat.Meta, opts chat.Options, deltas ...toolparse.Delta) (string, []chat.Loss) {
	t.Helper()
	e := c.NewEncoder(opts)
	e.SetMeta(meta)
	out, err := e.Close(Append(t, e, nil, deltas...))
	if err != nil {
		t.Fatal(err)
	}
	return string(out), e.Losses()
}

// Append has an encoder append deltas.
func Append(t rapid.TB, e chat.Encoder, out []byte, deltas ...toolparse.Delta) []byte {
	t.Helper()
	for _, d := range deltas {
		var err error
		if out, err = e.Append(out, d); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Translate translates a stream.
func Translate(t rapid.TB, body string, from, to format.Wire) (string, []chat.Loss) {
	t.Helper()
	var out bytes.Buffer
	losses, err := format.TranslateStream(&out, bytes.NewReader([]byte(body)), from, to, chat.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return out.String(), losses
}
