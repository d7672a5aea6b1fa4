// Package codectest tests the codecs of the wires, which all have one interface: its checks,
// the chats that they use, and how they compare them. Package wiretest does so for the
// decoders of streams.
package codectest

import (
	"encoding/json"
	"strings"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
)

// Codec is a codec whose errors end the test.
type Codec struct{ wire.Codec }

// ReadRequest decodes a request.
func (c Codec) ReadRequest(t rapid.TB, body string) *chat.Request {
	t.Helper()
	return read(t, c.DecodeRequest, body)
}

// ReadResponse decodes an answer.
func (c Codec) ReadResponse(t rapid.TB, body string) *wire.Response {
	t.Helper()
	return read(t, c.DecodeResponse, body)
}

// WriteRequest encodes a request.
func (c Codec) WriteRequest(t rapid.TB, req *chat.Request, opts wire.Options) (string, []chat.Loss) {
	t.Helper()
	return write(t, c.EncodeRequest, req, opts)
}

// WriteResponse encodes an answer.
func (c Codec) WriteResponse(t rapid.TB, res *wire.Response, opts wire.Options) (string, []chat.Loss) {
	t.Helper()
	return write(t, c.EncodeResponse, res, opts)
}

// WriteTools encodes a list of tools.
func (c Codec) WriteTools(t rapid.TB, tools []chat.Tool, opts wire.Options) (string, []chat.Loss) {
	t.Helper()
	return write(t, c.EncodeTools, tools, opts)
}

// The methods of a codec for one kind of body.
type (
	decoder[T any] = func([]byte) (T, error)
	encoder[T any] = func(T, wire.Options) ([]byte, []chat.Loss)
)

func read[T any](t rapid.TB, decode decoder[T], body string) T {
	t.Helper()
	v, err := decode([]byte(body))
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return v
}

// write checks that all output is JSON, and that losses are complete.
func write[T any](t rapid.TB, encode encoder[T], v T, opts wire.Options) (string, []chat.Loss) {
	t.Helper()
	body, losses := encode(v, opts)
	if !json.Valid(body) {
		t.Fatalf("no JSON: %s", body)
	}
	for _, l := range losses {
		if l.Reason == "" || l.Action == "" {
			t.Errorf("the loss %+v says too little", l)
		}
	}
	return string(body), losses
}

// Fields returns the fields of losses.
func Fields(losses []chat.Loss) (fields []string) {
	for _, l := range losses {
		fields = append(fields, l.Field)
	}
	return fields
}

// Written checks that the output contains a text, and that there are losses at these fields.
func Written(t rapid.TB, body string, losses []chat.Loss, fields []string, want string) {
	t.Helper()
	if diff := cmp.Diff(fields, Fields(losses)); diff != "" {
		t.Errorf("losses (-want +got):\n%s%v", diff, losses)
	}
	if !strings.Contains(body, want) {
		t.Errorf("%s\nlacks %s", body, want)
	}
}
