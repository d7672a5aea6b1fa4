// Package wiretest tests the decoders of the wires, which all have one interface.
package wiretest

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/toolcall"
)

// Decoder is the decoder of a wire.
type Decoder interface {
	Feed(dst []toolcall.Delta, e frame.Event) ([]toolcall.Delta, error)
	Close(dst []toolcall.Delta) []toolcall.Delta
	Ended() bool
	Meta() chat.Meta
	Faults() []chat.Loss
	Reset()
}

// Case is a stream in a table of tests.
type Case struct {
	Name    string
	Framing frame.Framing // 0 means SSE
	In      []string      // the data of its events, after the event's name and a '|' if it has one
	Want    []toolcall.Delta
	Ended   bool   // the stream has its end marker
	Err     string // part of the error, if there is one
}

// deltas decodes the stream of a case.
func (c Case) deltas(d Decoder) (got []toolcall.Delta, err error) {
	for i, in := range c.In {
		e := frame.Event{Framing: max(c.Framing, frame.SSE), Number: i + 1, Data: []byte(in)}
		if name, data, ok := strings.Cut(in, "|"); ok && !strings.ContainsAny(name, "{[\" ") {
			e.Name, e.Data = name, []byte(data)
		}
		if got, err = d.Feed(got, e); err != nil {
			break
		}
	}
	return d.Close(got), err
}

// Run runs a table of cases, each with a new decoder, and with one that has decoded all
// previous cases.
func Run[D Decoder](t *testing.T, newDecoder func() D, cases []Case) {
	t.Helper()
	used := newDecoder()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Helper()
			d := newDecoder()
			got, err := c.deltas(d)
			used.Reset()
			again, _ := c.deltas(used)
			if diff := cmp.Diff([]any{got, d.Meta(), d.Faults()}, []any{again, used.Meta(), used.Faults()}); diff != "" {
				t.Errorf("(-new +used before):\n%s", diff)
			}
			if diff := cmp.Diff(c.Want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if d.Ended() != c.Ended {
				t.Errorf("Ended() = %v", d.Ended())
			}
			if c.Err == "" && err != nil || c.Err != "" && (err == nil || !strings.Contains(err.Error(), c.Err)) {
				t.Errorf("error %v, want %q", err, c.Err)
			}
		})
	}
}

// Fuzz checks that a decoder accepts any stream, and gives the same deltas however it is
// split. The fuzzer's argument is the stream's body.
func Fuzz[D Decoder](f *testing.F, newDecoder func() D, seeds ...string) {
	for i, seed := range seeds {
		f.Add([]byte(seed), uint64(i))
		f.Add([]byte("data: "+strings.ReplaceAll(seed, "\n", "\n\ndata: ")+"\n\n"), uint64(i))
	}
	f.Fuzz(func(t *testing.T, body []byte, seed uint64) {
		framing := frame.SSE
		if len(body) > 0 && (body[0] == '{' || body[0] == '[') {
			framing = frame.JSON
		}
		random := rand.New(rand.NewPCG(seed, 3))
		whole, wholeEnd := decode(newDecoder(), framing, body, func() int { return len(body) })
		pieces, piecesEnd := decode(newDecoder(), framing, body, func() int { return 1 + random.IntN(20) })
		if diff := cmp.Diff(whole, pieces); diff != "" {
			t.Fatalf("%q (-whole +pieces):\n%s", body, diff)
		}
		if wholeEnd != piecesEnd {
			t.Fatalf("%q ends %q whole, %q in pieces", body, wholeEnd, piecesEnd)
		}
		for _, d := range whole {
			if d.Kind == 0 || d.Choice < 0 || d.Index < toolcall.NoIndex || d.Done && d.Kind != toolcall.DeltaToolCall {
				t.Fatalf("%q gives the delta %+v", body, d)
			}
		}
	})
}

// decode returns the deltas of a body, and how it ended.
func decode(d Decoder, framing frame.Framing, body []byte, size func() int) (deltas []toolcall.Delta, end string) {
	split := frame.New(framing, 0)
	for len(body) > 0 {
		piece := bytes.Clone(body[:min(size(), len(body))])
		body = body[len(piece):]
		for len(piece) > 0 {
			e, n, ok, err := split.Next(piece)
			if ok {
				deltas, err = d.Feed(deltas, e)
			}
			if err != nil {
				return d.Close(deltas), err.Error()
			}
			if piece = piece[n:]; !ok {
				break
			}
		}
	}
	if e, ok := split.End(); ok {
		var err error
		if deltas, err = d.Feed(deltas, e); err != nil {
			end = err.Error()
		}
	}
	if deltas = d.Close(deltas); d.Ended() {
		end += " at its marker"
	}
	return deltas, end
}
