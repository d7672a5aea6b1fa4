package jsonindex

import "github.com/toolparse/toolparse/internal/strictjson"

// Index tells where the strings and the containers of JSON end, and has the decoded texts of
// the strings that have escapes. Its zero value is empty;
// it can be read again, for other data, and keeps its memory. Values that it was made for
// are then no longer valid.
//
// See [strictjson.AppendEnds] for the entries. A walk uses one for each quote or opening
// bracket that it meets.
type Index struct {
	entries []uint32
	text    []byte // the decoded texts of strings with escapes
	base    int    // index of the value's data in the data that was read
	lends   bool   // see Lend
}

// MaxBytes is the size of the largest data that have an index.
const MaxBytes = strictjson.MaxEnds

// maxRoom limits the entries for which memory is allocated before any are read. Lists of
// tools have one entry for each 7 or 8 bytes.
const maxRoom = 4 << 10

// Lend makes [Value.Text] return texts that refer to the data and to ix, where it can. Call it
// if nobody uses a text after the next Read, or after a change of the data.
func (ix *Index) Lend() { ix.lends = true }

// Read checks that data are one JSON value and makes ix their index. It returns false if
// they are not JSON, nested too deeply or larger than MaxBytes; [strictjson.Scanner] says
// why. It accepts exactly what that does.
func (ix *Index) Read(data []byte) (Value, bool) {
	if ix.entries == nil {
		ix.entries = make([]uint32, 0, 64+min(len(data)/8, maxRoom))
	}
	var ok bool
	if ix.entries, ix.text, ok = strictjson.AppendEnds(ix.entries[:0], ix.text[:0], data); !ok {
		return Value{}, false
	}
	ix.base = 0
	all := Value{Raw: data, index: ix}
	w := walk{at: strictjson.SkipBlanks(data, 0)}
	return w.read(&all), true
}

// Bytes returns the size of the memory of ix.
func (ix *Index) Bytes() int { return 4*cap(ix.entries) + cap(ix.text) }

// Alone returns v, a container, as the value of data of its own: v.Raw.
func (v Value) Alone() Value {
	if v.At != 0 && v.index != nil {
		alone := *v.index
		alone.base += v.At
		v.index = &alone
	}
	v.At = 0
	return v
}
