package format

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
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

// Translate reads a body of one wire, which may be Auto, and writes it as another. The
// losses say what the target cannot express. For streams, use TranslateStream, which does
// not wait for their end.
//
// If the answer is an error of the provider, or ends with one, Translate writes the error
// in the target's form, and returns the *ReportedError as well.
func Translate(body []byte, from, to Wire, kind Kind, opts chat.Options) ([]byte, []chat.Loss, error) {
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
	in, err := CodecOf(from)
	if err != nil {
		return nil, nil, err
	}
	out, err := CodecOf(to)
	if err != nil {
		return nil, nil, err
	}
	switch kind {
	case KindRequest:
		v, err := in.DecodeRequest(body)
		if err != nil {
			return nil, nil, err
		}
		body, losses := out.EncodeRequest(v, opts)
		return body, losses, nil
	case KindResponse:
		v, err := in.DecodeResponse(body)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range v.Choices {
			if from != to && c.Finish.IsPending() {
				return nil, nil, &SyntaxError{Wire: string(from), Event: 1, Field: "status", Err: fmt.Errorf("%w: it is %s", ErrUnfinished, c.Finish.Word)}
			}
		}
		if opts, err = answering(opts, from); err != nil {
			return nil, nil, err
		}
		body, losses := out.EncodeResponse(v, opts)
		if v.Error != nil {
			err = &ReportedError{v.Error.Code, v.Error.Message}
		}
		return body, slices.Concat(v.Faults, losses), err
	case KindTools:
		v, err := in.DecodeTools(body)
		if err != nil {
			return nil, nil, err
		}
		body, losses := out.EncodeTools(v, opts)
		return body, losses, nil
	}
	return nil, nil, fmt.Errorf("unknown kind %q, want one of %v", kind, Kinds())
}
