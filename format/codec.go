package format

import (
	"fmt"

	"github.com/toolparse/toolparse/format/chat"
)

// CodecOf returns what reads and writes a wire: requests, answers, tools, and
// streams (which NewStream reads). A wire that cannot be written yet is an
// error that names it.
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

// answering returns the options for an answer of a provider's: with what became of the
// tools of the request when that was written for the provider.
func answering(opts chat.Options, provider Wire) (chat.Options, error) {
	request := opts.Request
	if opts.Request = nil; request == nil || opts.SentNames != nil {
		return opts, nil
	}
	opts.SentNames = new(chat.Renames)
	if provider == Text { // whose names are those of the tools
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

// Meta returns what is known of the answer so far: its id, the model, the
// usage. More of it may come with every delta.
func (s *Stream) Meta() chat.Meta {
	if s.dec == nil {
		return chat.Meta{Wire: string(s.wire)}
	}
	return s.dec.Meta()
}

// Faults are what was left out of a whole answer, since it is of a wrong type.
func (s *Stream) Faults() []chat.Loss {
	if s.dec == nil {
		return nil
	}
	return s.dec.Faults()
}
