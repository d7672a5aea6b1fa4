package format

import (
	"fmt"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
)

// CodecOf returns the codec of a wire, for requests, answers, tools, and writing streams.
// (NewStream reads streams.) Auto and Text have none.
func CodecOf(w Wire) (chat.Codec, error) {
	if row := rowOf(w); row != nil {
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
		opts.SentNames.SetRule(chat.Rule{AnyChars: true})
		for _, tool := range request.Tools {
			opts.SentNames.Rename(tool.Name)
			opts.SentNames.NoteTool(tool)
		}
		return opts, nil
	}
	codec, err := CodecOf(provider)
	if err != nil {
		return opts, fmt.Errorf("the request that is answered: %w", err)
	}
	codec.EncodeRequest(request, chat.Options{VendorOnly: opts.VendorOnly, Names: opts.SentNames})
	return opts, nil
}

// Meta returns what is known about the answer so far, such as its id, the model and the
// usage. Each delta may add to it.
func (s *Stream) Meta() chat.Meta {
	switch {
	case s.dec != nil:
		return s.dec.Meta()
	case s.meta.Wire != "":
		return s.meta
	}
	return chat.Meta{Wire: string(s.wire)}
}

// Faults lists what was left out of an answer because of its type.
func (s *Stream) Faults() []chat.Loss {
	if s.dec != nil {
		return append(slices.Clip(s.left), s.dec.Faults()...)
	}
	return s.faults
}
