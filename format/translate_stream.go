package format

import (
	"errors"
	"io"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/normalize"
	"github.com/toolparse/toolparse/internal/wire/sniff"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// TranslateStream reads the stream of an answer and writes it as a stream of another wire
// while it arrives. from may be Auto. Before it reads more, it writes everything that
// follows from what it has read, except for the end of the stream, which waits for
// "[DONE]" or the end of the input, because recordings join several messages.
//
// It also writes errors of the source, such as a *TruncatedError, in the target's form,
// so that nobody takes the stream for complete. It returns an error that the provider
// reported in its stream, a *ReportedError, after writing everything. A *RestartError
// ends the translation.
func TranslateStream(w io.Writer, r io.Reader, from, to Wire, opts TranslateOptions) ([]chat.Loss, error) {
	codec, err := all.CodecOf(to)
	if err != nil {
		return nil, err
	}
	t := &translation{w: w, calls: normalize.New(string(to))}
	encoding := opts.encoding()
	t.stream = NewStream(flusher{r, t}, Options{Wire: from})
	if from == Auto || from == "" {
		from, err = t.stream.Wire()
	}
	if err == nil { // otherwise the source has failed, which the target reports below
		if from == Text {
			if err := sniff.Foreign(t.stream.in.buffered).Err(); err != nil {
				return nil, err
			}
		}
		if encoding, err = opts.answering(from); err != nil {
			return nil, err
		}
	}
	t.enc = codec.NewEncoder(encoding)
	t.holder, _ = t.enc.(holder)
	err = t.run()
	return slices.Concat(t.stream.Faults(), t.calls.Log.Losses, t.enc.Losses()), err
}

// translation is a stream that is being translated.
type translation struct {
	w        io.Writer
	stream   *Stream
	calls    *normalize.Deltas
	enc      wire.Encoder
	holder   holder // enc, if it is a holder
	meta     chat.Meta
	deltas   []toolcall.Delta
	out      []byte
	event    int   // number of the source's current event
	ended    bool  // the source has sent a finish reason
	reported error // the first *ReportedError, or a *RestartError
	err      error // the writer's
}

const maxUnwritten = 64 << 10 // bytes to collect before writing without waiting for more input

func (t *translation) run() error {
	var failed error
	for d, err := range t.stream.Deltas() {
		if t.err != nil {
			return t.err
		}
		if err != nil {
			failed = err
			break
		}
		if t.stream.event != t.event {
			t.event = t.stream.event
			t.endEvent()
		}
		t.ended = t.ended || d.Kind == toolcall.DeltaFinish
		if d.Kind == toolcall.DeltaError && t.reported == nil {
			t.reported = wire.Reported(d)
		}
		t.learn()
		t.add(t.calls.Add(t.deltas[:0], d))
		if t.calls.IsRestarted() {
			t.reported = &RestartError{t.stream.wire, t.stream.event, t.stream.offset}
			failed = t.reported
			break
		}
	}
	switch {
	case t.err != nil:
		return t.err
	case failed != nil && t.reported != nil:
		t.deltas = t.deltas[:0] // the target already has its error
		if _, cut := errors.AsType[*TruncatedError](failed); cut {
			failed = t.reported // the reason for the truncation
		}
	case failed != nil:
		t.deltas = t.calls.Add(t.deltas[:0], toolcall.Delta{Kind: toolcall.DeltaError, Name: wireio.StreamError, Text: failed.Error()})
	default:
		t.deltas = t.calls.Close(t.deltas[:0])
		failed = t.reported
	}
	t.add(t.deltas)
	t.learn() // the usage comes last
	t.out = t.enc.Close(t.out)
	return errors.Join(failed, t.flush())
}

// learn passes on new metadata of the answer.
func (t *translation) learn() {
	if m := t.stream.Meta(); m != t.meta {
		t.meta = m
		t.calls.SetMeta(m)
		t.enc.SetMeta(m)
	}
}

// add encodes deltas in normal form.
func (t *translation) add(deltas []toolcall.Delta) {
	t.deltas = deltas[:0]
	for _, d := range deltas {
		t.out = t.enc.Append(t.out, d)
	}
	if len(t.out) >= maxUnwritten {
		_ = t.flush() // run returns t.err
	}
}

// holder is an encoder that keeps a call while its signature may come.
type holder interface {
	// EndEvent writes what need not wait any longer when an event of the source has
	// ended. finished reports whether the source has sent a finish reason.
	EndEvent(dst []byte, finished bool) []byte
}

// endEvent tells the encoder that an event of the source has ended, before the next
// event, so that the output does not depend on how the input is split.
func (t *translation) endEvent() {
	if t.holder != nil {
		t.out = t.holder.EndEvent(t.out, t.ended)
	}
}

// flush writes what has been encoded.
func (t *translation) flush() error {
	if t.err == nil && len(t.out) > 0 {
		_, t.err = t.w.Write(t.out)
		t.out = t.out[:0]
	}
	return t.err
}

// flusher is the source of a translation. Reading it means that all earlier input is used
// up, so that the output is due.
type flusher struct {
	io.Reader
	t *translation
}

func (f flusher) Read(p []byte) (int, error) {
	f.t.endEvent()
	if err := f.t.flush(); err != nil {
		return 0, err
	}
	return f.Reader.Read(p)
}
