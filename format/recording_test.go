package format_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/toolcall"
)

// Recorded responses with their contents. Those of real servers are next to the project,
// and not part of it.
const (
	ownRecordings    = "../testdata/streams"
	sharedRecordings = "../../shared/streams"
)

// expectation is NAME.expect.json.
type expectation struct {
	Format      string `json:"format"`
	Text        string `json:"text"`
	Thinking    string `json:"thinking"`
	Refusal     string `json:"refusal"`
	Calls       []want `json:"calls"`
	Finish      string `json:"finish"`
	BlockReason string `json:"block_reason"`
	Terminated  *bool  `json:"terminated"`
	Restarted   bool   `json:"restarted"` // only what follows the last restart counts
	Error       any    `json:"error"`     // a text, or an object with a message
	Signatures  []struct{ Data string }
	// OtherItems are items of Responses that the recording does not count as calls. Some
	// are calls: the client runs them.
	OtherItems   []string `json:"other_items"`
	wireByFormat format.Wire
}

type want struct {
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Arguments    json.RawMessage `json:"arguments"`
	RawArguments string          `json:"raw_arguments"`
	CustomInput  *string         `json:"custom_input"`
	Incomplete   bool            `json:"incomplete"`
}

var wireNames = map[string]format.Wire{
	"openai-chat": format.OpenAI, "openai-responses": format.Responses,
	"anthropic": format.Anthropic, "gemini": format.Gemini, "ollama": format.Ollama,
}

type recording struct {
	name string
	body []byte
	want expectation
}

// recordings returns the recordings in a folder, which must have some.
func recordings(t testing.TB, folder string) []recording {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []recording
	for _, file := range files {
		r := recording{name: strings.TrimSuffix(filepath.Base(file), ".expect.json")}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &r.want); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		r.want.wireByFormat = wireNames[r.want.Format]
		for _, ext := range []string{".sse", ".ndjson", ".json", ".chunks.txt"} {
			if body, err := os.ReadFile(filepath.Join(folder, r.name+ext)); err == nil {
				r.body = body
			}
		}
		if r.body == nil {
			t.Fatalf("%s has no body", file)
		}
		list = append(list, r)
	}
	return list
}

// said is the content of a stream.
type said struct {
	Text, Thinking, Refusal string
	Calls                   []called
	Finish, Error           string
	Signatures              []string
	Truncated               bool // the stream ended before its end marker
}

type called struct {
	ID, Name   string
	Arguments  string // compact JSON with sorted keys and exact numbers, or as it is
	Incomplete bool   // the arguments are not valid JSON
}

// expected returns the content in an expectation.
func (e expectation) said() said {
	s := said{Text: e.Text, Thinking: e.Thinking, Refusal: e.Refusal, Finish: e.Finish + e.BlockReason}
	s.Truncated = e.Terminated != nil && !*e.Terminated
	switch failure := e.Error.(type) {
	case string:
		s.Error = failure
	case map[string]any:
		s.Error = failure["message"].(string)
	}
	for _, sig := range e.Signatures {
		s.Signatures = append(s.Signatures, sig.Data)
	}
	for _, c := range e.Calls {
		call := called{ID: c.ID, Name: c.Name, Incomplete: c.Incomplete}
		switch {
		case c.Incomplete:
			call.Arguments = c.RawArguments
		case c.CustomInput != nil:
			text, _ := json.Marshal(map[string]string{"input": *c.CustomInput})
			call.Arguments, _ = canonical(string(text))
		default:
			call.Arguments, _ = canonical(string(c.Arguments))
		}
		s.Calls = append(s.Calls, call)
	}
	return s
}

// canonical makes arguments comparable. ok is false if they are not JSON.
func canonical(text string) (string, bool) {
	if strings.TrimSpace(text) == "" {
		return "{}", true
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil || dec.More() {
		return text, false
	}
	out, err := json.Marshal(v)
	return string(out), err == nil
}

// listen combines the deltas of a stream: calls by index, or else by id, or else by
// position, which is enough for the recordings. Package parser does it properly.
func listen(deltas iter.Seq2[toolcall.Delta, error], restarted bool) (said, error) {
	var s said
	type part struct {
		index    int
		id, name string
		text     string
		done     bool
	}
	var calls []*part
	var failure error
	over := false
	for d, err := range deltas {
		if err != nil {
			failure = err
			continue
		}
		if over && restarted {
			s, calls = said{}, nil
		}
		over = d.Kind == toolcall.DeltaFinish || d.Kind == toolcall.DeltaRestart
		switch d.Kind {
		case toolcall.DeltaText:
			s.Text += d.Text
		case toolcall.DeltaReasoning:
			s.Thinking += d.Text
		case toolcall.DeltaRefusal:
			s.Refusal += d.Text
		case toolcall.DeltaSignature:
			s.Signatures = append(s.Signatures, d.Text)
		case toolcall.DeltaFinish:
			s.Finish = d.Text
		case toolcall.DeltaError:
			if s.Error == "" {
				s.Error = d.Text
			}
		case toolcall.DeltaToolCall:
			var c *part
			for _, o := range calls {
				if !o.done && (d.Index == o.index && (d.ID == "" || d.ID == o.id)) {
					c = o
				}
			}
			if c == nil {
				c = &part{index: d.Index}
				calls = append(calls, c)
			}
			if d.ID != "" {
				c.id = d.ID
			}
			if d.Name != "" {
				c.name = d.Name
			}
			if d.Whole {
				c.text = ""
			}
			c.text += d.Text
			c.done = d.Done
		}
	}
	for _, c := range calls {
		text, ok := canonical(c.text)
		s.Calls = append(s.Calls, called{c.id, c.name, text, !ok})
	}
	s.Truncated = errors.Is(failure, io.ErrUnexpectedEOF)
	if s.Truncated {
		failure = nil
	}
	return s, failure
}

// pieces returns a reader of body in random pieces of up to n bytes.
func pieces(body []byte, n int, seed uint64) io.Reader {
	return &pieceReader{bytes.NewReader(body), rand.New(rand.NewPCG(seed, 2)), n}
}

type pieceReader struct {
	r      io.Reader
	random *rand.Rand
	n      int
}

func (p *pieceReader) Read(b []byte) (int, error) {
	return p.r.Read(b[:min(len(b), 1+p.random.IntN(p.n))])
}

func TestRecordings(t *testing.T) {
	own := recordings(t, ownRecordings)
	if len(own) == 0 {
		t.Fatal("there are no recordings")
	}
	for _, r := range append(own, recordings(t, sharedRecordings)...) {
		t.Run(r.name, func(t *testing.T) {
			readers := map[string]io.Reader{
				"whole":             bytes.NewReader(r.body),
				"bytes":             iotest.OneByteReader(bytes.NewReader(r.body)),
				"EOF with data":     iotest.DataErrReader(bytes.NewReader(r.body)),
				"small pieces":      pieces(r.body, 7, 1),
				"pieces":            pieces(r.body, 300, 2),
				"other pieces":      pieces(r.body, 1000, 3),
				"asked for by name": bytes.NewReader(r.body),
			}
			for how, reader := range readers {
				opts := format.Options{}
				if how == "asked for by name" {
					opts.Wire = r.want.wireByFormat
				}
				stream := format.NewStream(reader, opts)
				wire, err := stream.Wire()
				if err != nil || wire != r.want.wireByFormat {
					t.Fatalf("%s: wire %q, %v; want %q", how, wire, err, r.want.wireByFormat)
				}
				got, err := listen(stream.Deltas(), r.want.Restarted)
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				got.Calls = slices.DeleteFunc(got.Calls, func(c called) bool { return slices.Contains(r.want.OtherItems, c.Name+"_call") })
				if len(got.Calls) == 0 {
					got.Calls = nil
				}
				if diff := cmp.Diff(r.want.said(), got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
			}
		})
	}
}

// collect returns all deltas of a body, and its error.
func collect(r io.Reader, opts format.Options) ([]toolcall.Delta, error) {
	return collectStream(format.NewStream(r, opts))
}

func collectStream(stream *format.Stream) ([]toolcall.Delta, error) {
	var deltas []toolcall.Delta
	var failure error
	for d, err := range stream.Deltas() {
		if err != nil {
			failure = err
			continue
		}
		deltas = append(deltas, d)
	}
	return deltas, failure
}

// Not only the combined content, but each delta is independent of how the body is split.
func TestDeltasDoNotDependOnPieces(t *testing.T) {
	for _, r := range append(recordings(t, ownRecordings), recordings(t, sharedRecordings)...) {
		t.Run(r.name, func(t *testing.T) {
			whole, wholeErr := collect(bytes.NewReader(r.body), format.Options{})
			for seed := range uint64(4) {
				stream := new(format.Stream)
				if stream.ResetWhole(r.body, format.Options{}); seed > 0 {
					stream = format.NewStream(pieces(r.body, 50, seed), format.Options{})
				}
				got, err := collectStream(stream)
				if diff := cmp.Diff(whole, got); diff != "" {
					t.Errorf("(-whole +pieces):\n%s", diff)
				}
				if diff := cmp.Diff(message(wholeErr), message(err)); diff != "" {
					t.Errorf("error (-whole +pieces):\n%s", diff)
				}
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
