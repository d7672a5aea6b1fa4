package bridge

import (
	"bytes"
	"io"

	"github.com/toolparse/toolparse"
)

// push is a stream to which the caller feeds input. A kit's stream reads its input, so it
// runs on a goroutine that blocks whenever it reads. Only one of the two sides runs at
// any moment, so they share the fields without a lock.
type push struct {
	chunk []byte // the unread part of the last chunk
	ended bool
	out   []byte // events, a line of JSON each
	err   error
	done  bool // the stream has ended

	feed chan struct{} // lets the stream continue
	idle chan struct{} // the stream waits for input, or is done
}

func newPush(k *toolparse.Kit) *push {
	p := &push{feed: make(chan struct{}), idle: make(chan struct{})}
	go func() {
		<-p.feed
		p.run(k)
		p.done = true
		p.idle <- struct{}{}
	}()
	return p
}

func (p *push) run(k *toolparse.Kit) {
	for e, err := range k.Events(p) {
		if err == nil {
			var line []byte
			if line, err = e.MarshalJSON(); err == nil {
				p.add(line)
			}
			if err == nil && e.Call != nil {
				if line, err = e.Call.MarshalJSON(); err == nil {
					p.add(append(append([]byte(`{"type":"CALL","call":`), line...), '}'))
				}
			}
		}
		if err != nil {
			p.err = err
			return
		}
	}
}

func (p *push) add(line []byte) { p.out = append(append(p.out, line...), '\n') }

// Read implements [io.Reader] for the stream.
func (p *push) Read(b []byte) (int, error) {
	for len(p.chunk) == 0 {
		if p.ended {
			return 0, io.EOF
		}
		p.idle <- struct{}{}
		<-p.feed
	}
	n := copy(b, p.chunk)
	p.chunk = p.chunk[n:]
	return n, nil
}

// step lets the stream read a chunk, or its end, and returns the resulting events.
func (p *push) step(chunk []byte, end bool) ([]byte, error) {
	if !p.done {
		p.chunk, p.ended = chunk, end
		p.feed <- struct{}{}
		<-p.idle
	}
	out, err := p.out, p.err
	p.out, p.err = nil, nil
	return out, err
}

// Feed feeds a chunk to a stream; end says that it is the last. It returns the new
// events, a line of JSON each, with {"type":"CALL","call":{...}} after the end of each
// call, and last a [Failure] if the stream failed. The handle is invalid after the end
// of the stream. Only one thread may feed a stream at a time.
func Feed(handle int64, chunk []byte, end bool) []byte {
	p, err := streams.get(handle)
	if err != nil {
		return Failure(err)
	}
	out, err := p.step(bytes.Clone(chunk), end)
	if end {
		streams.drop(handle)
	}
	if err != nil {
		out = append(out, Failure(err)...)
	}
	return out
}
