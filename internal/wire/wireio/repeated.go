package wireio

import (
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// Repeated reads pieces of arguments that may repeat arguments that came whole: some
// servers send all of them with the start of a call, and stream them as well. The zero
// value holds nothing back.
type Repeated struct {
	whole  string
	pieces []byte
}

// Begin sets the arguments with which a call starts, and returns what has to be passed on of
// them: nothing of an object without members, which the pieces replace. If the arguments are
// only the beginning of an object, the pieces continue it.
func (r *Repeated) Begin(text string) string {
	v, err := jsonvalue.Parse(text)
	switch {
	case err != nil:
	case v.Is(jsonvalue.Object) && len(v.Keys) == 0:
		return ""
	default:
		r.whole = text
	}
	return text
}

// Add adds a piece and returns what has to be passed on: the piece itself, nothing while
// the pieces may be a repetition, or all of them if they are too long for that.
func (r *Repeated) Add(piece string) string {
	if r.whole == "" || piece == "" {
		return piece
	}
	r.pieces = append(r.pieces, piece...)
	if len(r.pieces) <= 2*len(r.whole)+1024 { // their blanks may differ
		return ""
	}
	r.whole = ""
	return string(r.pieces)
}

// End returns the pieces that were held back, if they are no repetition.
func (r *Repeated) End() string {
	if r.whole == "" || len(r.pieces) == 0 || jsonvalue.EqualTexts(r.whole, string(r.pieces)) {
		return ""
	}
	return string(r.pieces)
}
