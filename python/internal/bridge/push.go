package bridge

import (
	"bytes"
	"io"
	"sync"

	"github.com/toolparse/toolparse"
)

// push is a stream to which the caller feeds input. A kit's stream reads its input, so it
// runs on a goroutine that blocks whenever it reads. Only one of the two sides runs at
// any moment, so they share the fields without a lock.
type push struct {
	feeding sync.Mutex // held by the caller's side, so that a second thread waits

	chunk []byte // the unread part of the last chunk
	ended bool
	out   *pickler // events and calls
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
		if err != nil {
			p.err = err
			return
		}
		p.out.event(e.Event)
		if e.Call != nil {
			p.out.call(e.Call)
		}
	}
}

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

// step lets the stream read a chunk, or its end, and writes the resulting events.
func (p *push) step(out *pickler, chunk []byte, end bool) error {
	p.feeding.Lock()
	defer p.feeding.Unlock()
	if p.done {
		return nil
	}
	p.out, p.chunk, p.ended = out, chunk, end
	p.feed <- struct{}{}
	<-p.idle
	p.out = nil
	return p.err
}

// Feed feeds a chunk to a stream; end says that it is the last. It passes use a pickle of a
// list with the new events and, after the end of each call, that call; it is valid until use
// returns. If the stream has failed, the last item is the text of a [Failure]. If there is
// no such stream, use gets only a Failure. The handle is invalid after the end of the
// stream. Chunks of several threads come in any order.
func Feed(handle int64, chunk []byte, end bool, use func(piece []byte)) {
	p, err := streams.get(handle)
	if err != nil {
		use(Failure(err))
		return
	}
	out := newPickler(2*len(chunk) + 512)
	defer out.free()
	err = p.step(out, bytes.Clone(chunk), end)
	if end {
		streams.drop(handle)
	}
	if err != nil {
		out.text(string(Failure(err)))
	}
	use(out.end())
}
