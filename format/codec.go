package format

import (
	"fmt"

	"github.com/toolparse/toolparse/format/chat"
)

// CodecOf returns the codec of a wire, for requests, answers, tools, and writing streams.
// (NewStream reads streams.) The error for a wire without an encoder names the wire.
func CodecOf(w Wire) (chat.Codec, error) {
	for _, row := range wires {
		if row.name != w {
			continue
		}
		if row.codec == nil {
			return nil, fmt.Errorf("wire format %q cannot be written yet", w)
		}
		return row.codec, nil
	}
	if _, err := ParseWire(string(w)); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%q is not a wire format", w)
}

// answering returns the options for encoding a provider's answer, with the names under
// which the provider got the tools of the request.
func answering(opts chat.Options, provider Wire) (chat.Options, error) {
	request := opts.Request
	if opts.Request = nil; request == nil || opts.SentNames != nil {
		return opts, nil
	}
	opts.SentNames = new(chat.Renames)
	if provider == Text { // plain text uses the tools' own names
		for _, tool := range request.Tools {
			opts.SentNames.NoteTool(tool)
		}
		return opts, nil
	}
	codec, err := CodecOf(provider)
	if err == nil {
		_, _, err = codec.EncodeRequest(request, chat.Options{VendorOnly: opts.VendorOnly, Names: opts.SentNames})
	}
	if err != nil {
		return opts, fmt.Errorf("the request that is answered: %w", err)
	}
	return opts, nil
}

// Meta returns what is known about the answer so far, such as its id, the model and the
// usage. Each delta may add to it.
func (s *Stream) Meta() chat.Meta {
	if s.dec == nil {
		return chat.Meta{Wire: string(s.wire)}
	}
	return s.dec.Meta()
}

// Faults lists what was left out of an answer because of its type.
func (s *Stream) Faults() []chat.Loss {
	if s.dec == nil {
		return nil
	}
	return s.dec.Faults()
}
