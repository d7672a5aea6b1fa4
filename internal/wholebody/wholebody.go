// Package wholebody hands a provider's body that has been read as JSON, inside a larger
// document, to package format without reading it again, and its answer back without copies.
// It travels as an io.Reader through what is exported for any body.
package wholebody

import (
	"io"

	"github.com/toolparse/toolparse/internal/jsonindex"
)

// Reader is the body as an io.Reader. Package format recognises it, and takes Value instead
// of reading; anybody else reads its bytes.
type Reader struct {
	Value jsonindex.Value // the body, in UTF-8; if its index lends texts, so does the answer
	Wire  string          // its wire, which then replaces the one in the options; "" until package format has found it out
	Known bool            // package format has found events of Wire in it
	at    int             // bytes that were read

	// Free, if it is set, makes the memory of the answer available to other answers. Call it
	// once the answer is not used any more.
	Free func()
}

// Reset makes r a reader of a value inside a document, which must not change.
func (r *Reader) Reset(v jsonindex.Value, wire string) {
	if v.Kind == jsonindex.Object || v.Kind == jsonindex.Array {
		v = v.Alone()
	}
	*r = Reader{Value: v, Wire: wire}
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if r.at == len(r.Value.Raw) {
		return 0, io.EOF
	}
	n := copy(p, r.Value.Raw[r.at:])
	r.at += n
	return n, nil
}
