package wireio

import (
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Codec is a [wire.Codec] of a wire that reads bodies with an R, which embeds [Reader], and
// writes them with a W, which embeds [Writer]. A package of a wire declares one. Each body
// has a reader or writer of its own.
//
// What reads adds to a request or an answer, and reports errors to its Reader. What writes
// adds to the output of its Writer, and reports losses to its Log.
type Codec[R interface{ reader() *Reader }, W interface{ writer() *Writer }] struct {
	NewReader func() R
	NewWriter func(wire.Options) W

	ReadRequest  func(r R, root rawjson.Value, req *chat.Request)
	ReadResponse func(r R, root rawjson.Value, res *wire.Response)
	ReadTools    func(r R, list rawjson.Value, path string) []chat.Tool

	WriteRequest  func(w W, req *chat.Request)
	WriteResponse func(w W, res *wire.Response)
	WriteTools    func(w W, tools []chat.Tool)
	WriteStream   func(w W) wire.Encoder

	reads wire.RequestOptions
}

func (r *Reader) reader() *Reader { return r }
func (w *Writer) writer() *Writer { return w }

// With implements [wire.Codec].
func (c Codec[R, W]) With(o wire.RequestOptions) wire.Codec {
	c.reads = o
	return c
}

// DecodeRequest implements [wire.Codec].
func (c Codec[R, W]) DecodeRequest(body []byte) (*chat.Request, error) {
	fresh := c.NewReader()
	r := fresh.reader()
	root, err := r.RequestBody(body, c.reads)
	if err != nil {
		return nil, err
	}
	req := new(chat.Request)
	c.ReadRequest(fresh, root, req)
	return req, r.Failure()
}

// DecodeResponse implements [wire.Codec].
func (c Codec[R, W]) DecodeResponse(body []byte) (*wire.Response, error) {
	res, err := c.decodeResponse(body)
	if err == nil && slices.ContainsFunc(res.Choices, func(c wire.Choice) bool { return len(c.Message.Parts) > 0 }) {
		return res, nil
	}
	if root, invalid := rawjson.Parse(body); invalid == nil {
		if e := envelope.Of(root); e.AsError() != nil {
			return c.decodeResponse(e.AsError())
		}
	}
	return res, err
}

func (c Codec[R, W]) decodeResponse(body []byte) (*wire.Response, error) {
	var res *wire.Response
	faults, err := WithoutMistyped(frame.Event{Data: body}, func(e frame.Event) ([]rawjson.Mistyped, error) {
		fresh := c.NewReader()
		r := fresh.reader()
		root, err := r.Body(e.Data)
		if err != nil {
			return nil, err
		}
		r.IsAnswer = true
		res = &wire.Response{Meta: chat.Meta{Wire: r.Wire}}
		c.ReadResponse(fresh, root, res)
		res.Faults = r.Faults()
		return r.Mistyped(), r.Failure()
	})
	if res != nil {
		res.Faults = append(faults, res.Faults...)
	}
	return res, err
}

// DecodeTools implements [wire.Codec].
func (c Codec[R, W]) DecodeTools(body []byte) ([]chat.Tool, error) {
	fresh := c.NewReader()
	r := fresh.reader()
	v, err := r.Body(body)
	if err != nil {
		return nil, err
	}
	list := v.Get("tools") // of a request
	if !list.IsSet() {
		list = r.List(v, "tools")
	}
	tools := c.ReadTools(fresh, list, "tools")
	return tools, r.Failure()
}

// EncodeRequest implements [wire.Codec].
func (c Codec[R, W]) EncodeRequest(req *chat.Request, opts wire.Options) ([]byte, []chat.Loss) {
	fresh := c.NewWriter(opts)
	w := fresh.writer()
	c.WriteRequest(fresh, w.Request(req))
	return w.Out, w.Log.Losses
}

// EncodeResponse implements [wire.Codec].
func (c Codec[R, W]) EncodeResponse(res *wire.Response, opts wire.Options) ([]byte, []chat.Loss) {
	fresh := c.NewWriter(opts)
	w := fresh.writer()
	c.WriteResponse(fresh, res)
	return w.Out, w.Log.Losses
}

// EncodeTools implements [wire.Codec].
func (c Codec[R, W]) EncodeTools(tools []chat.Tool, opts wire.Options) ([]byte, []chat.Loss) {
	fresh := c.NewWriter(opts)
	w := fresh.writer()
	c.WriteTools(fresh, tools)
	return w.Out, w.Log.Losses
}

// NewEncoder implements [wire.Codec].
func (c Codec[R, W]) NewEncoder(opts wire.Options) wire.Encoder {
	return c.WriteStream(c.NewWriter(opts))
}
