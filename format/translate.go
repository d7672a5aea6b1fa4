package format

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/sniff"
)

// Kind is the kind of document to translate.
type Kind string

// The kinds.
const (
	KindRequest  Kind = "request"
	KindResponse Kind = "response"
	KindStream   Kind = "stream"
	KindTools    Kind = "tools" // the list of tools in a request
)

// Kinds returns the kinds in a fixed order.
func Kinds() []Kind { return []Kind{KindRequest, KindResponse, KindStream, KindTools} }

// Guess returns the wire of a body by members that only this wire has. It takes requests
// and tool lists that several wires write in the same way for Chat Completions. It
// returns an error for a body of no known wire.
func Guess(body []byte, kind Kind) (Wire, error) {
	guess := sniff.Request
	switch kind {
	case KindResponse, KindStream:
		guess = sniff.Answer
	case KindTools:
		guess = sniff.Tools
	}
	name, err := guess(body)
	return Wire(name), err
}

// TranslateOptions configure a translation. The zero value is ready for use.
type TranslateOptions struct {
	// VendorOnly writes only what the vendor documents. Otherwise the translation also
	// uses extensions that several servers of the wire support, such as reasoning_content
	// in Chat Completions.
	VendorOnly bool
	// Model replaces the model that a request names. Wires with the model in the URL
	// ignore it.
	Model string
	// Request is the request that is answered, as it was before its translation for the
	// provider. With it, the calls of the answer get the names, namespaces and types of the
	// caller's tools back.
	Request *chat.Request
}

// encoding returns the options for an encoder.
func (o TranslateOptions) encoding() wire.Options {
	return wire.Options{VendorOnly: o.VendorOnly, Model: o.Model}
}

// answering returns the options for encoding the answer of a provider, with the names under
// which the provider got the tools of the request.
func (o TranslateOptions) answering(provider Wire) (wire.Options, error) {
	opts := o.encoding()
	if o.Request == nil {
		return opts, nil
	}
	opts.SentNames = new(wire.Renames)
	if provider == Text { // plain text uses the tools' own names
		opts.SentNames.SetRule(wire.Rule{AnyChars: true})
		for _, tool := range o.Request.Tools {
			opts.SentNames.Rename(tool.Name)
			opts.SentNames.NoteTool(tool)
		}
		return opts, nil
	}
	codec, err := all.CodecOf(provider)
	if err != nil {
		return opts, fmt.Errorf("the request that is answered: %w", err)
	}
	codec.EncodeRequest(o.Request, wire.Options{VendorOnly: o.VendorOnly, Names: opts.SentNames})
	return opts, nil
}

// Translate reads a body of one wire, which may be Auto, and writes it as another. The
// losses say what the target cannot express. For streams, use TranslateStream, which does
// not wait for their end.
//
// If the answer is an error of the provider, or ends with one, Translate writes the error
// in the target's form, and returns the *ReportedError as well.
func Translate(body []byte, from, to Wire, kind Kind, opts TranslateOptions) ([]byte, []chat.Loss, error) {
	if kind == KindStream {
		var out bytes.Buffer
		losses, err := TranslateStream(&out, bytes.NewReader(body), from, to, opts)
		return out.Bytes(), losses, err
	}
	if from == Auto {
		var err error
		if from, err = Guess(body, kind); err != nil {
			return nil, nil, err
		}
	}
	in, err := all.CodecOf(from)
	if err != nil {
		return nil, nil, err
	}
	out, err := all.CodecOf(to)
	if err != nil {
		return nil, nil, err
	}
	switch kind {
	case KindRequest:
		v, err := in.DecodeRequest(body)
		if err != nil {
			return nil, nil, err
		}
		body, losses := out.EncodeRequest(v, opts.encoding())
		return body, losses, nil
	case KindResponse:
		v, err := in.DecodeResponse(body)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range v.Choices {
			if from != to && wire.IsPending(c.Finish) {
				return nil, nil, &SyntaxError{Wire: string(from), Event: 1, Field: "status", Err: fmt.Errorf("%w: it is %s", ErrUnfinished, c.Finish.Word)}
			}
		}
		encoding, err := opts.answering(from)
		if err != nil {
			return nil, nil, err
		}
		body, losses := out.EncodeResponse(v, encoding)
		if v.Error != nil {
			err = v.Error
		}
		return body, slices.Concat(v.Faults, losses), err
	case KindTools:
		v, err := in.DecodeTools(body)
		if err != nil {
			return nil, nil, err
		}
		body, losses := out.EncodeTools(v, opts.encoding())
		return body, losses, nil
	}
	return nil, nil, fmt.Errorf("unknown kind %q, want one of %v", kind, Kinds())
}
