package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// patient is the stream to a client. It delays the end of the input until every request
// has its answer, so that a client can pipe in requests and get all answers.
type patient struct {
	ctx  context.Context
	in   *messageLines
	out  io.Writer     // guarded by writing
	idle chan struct{} // holds a value while no request is open

	writing sync.Mutex

	mu   sync.Mutex
	open map[string]bool // by id, as on the wire
}

func newPatient(ctx context.Context, in io.Reader, out io.Writer) *patient {
	p := &patient{ctx: ctx, out: out, idle: make(chan struct{}, 1), open: map[string]bool{}}
	p.in = newMessageLines(in, p.take, func([]byte) { // errors that occur again if the client does not read
		_, _ = p.Write([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"this line is not a JSON-RPC 2.0 message"}}` + "\n"))
	})
	p.in.is = isDecodable
	return p
}

// isDecodable reports whether the SDK accepts a line. Over any other line it would end the
// connection. Lists of messages, which the protocol no longer has, are not accepted.
func isDecodable(line []byte) bool {
	_, err := jsonrpc.DecodeMessage(bytes.TrimSpace(line))
	return err == nil && isMessage(line)
}

// envelope is the top level of all kinds of messages.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		RequestID json.RawMessage `json:"requestId"`
	} `json:"params"`
}

// take records a message of the client. A request that the client cancels needs no answer.
func (p *patient) take(message []byte) {
	var m envelope
	if json.Unmarshal(message, &m) != nil {
		return
	}
	switch {
	case m.Method == "notifications/cancelled":
		p.settle(string(m.Params.RequestID))
	case m.Method != "" && m.ID != nil:
		p.mu.Lock()
		p.open[string(m.ID)] = true
		p.mu.Unlock()
	}
}

func (p *patient) settle(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, id)
	if len(p.open) == 0 {
		select {
		case p.idle <- struct{}{}:
		default:
		}
	}
}

// Read implements [io.Reader].
func (p *patient) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	for err == io.EOF && n == 0 {
		p.mu.Lock()
		open := len(p.open)
		p.mu.Unlock()
		if open == 0 {
			break
		}
		select {
		case <-p.idle:
		case <-p.ctx.Done():
			return 0, err
		}
	}
	return n, err
}

// Write implements [io.Writer]. The SDK writes one message at a time.
func (p *patient) Write(b []byte) (int, error) {
	p.writing.Lock()
	n, err := p.out.Write(b)
	p.writing.Unlock()
	var m envelope
	if json.Unmarshal(b, &m) == nil && m.Method == "" && m.ID != nil {
		p.settle(string(m.ID))
	}
	return n, err
}

// Close implements [io.Closer]. It does nothing, because the caller of Serve owns the
// streams.
func (p *patient) Close() error { return nil }
