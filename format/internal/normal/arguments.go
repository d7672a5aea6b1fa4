package normal

import (
	"encoding/json"
	"hash/maphash"

	"github.com/toolparse/toolparse/format/internal/custom"
	"github.com/toolparse/toolparse/format/internal/strictjson"
)

// arguments reads the argument text of a call as it comes. As in package parser it
// must be one JSON object, or a string that holds one; null is an empty object.
type arguments struct {
	size int // bytes so far
	sum  maphash.Hash

	form   argumentsForm
	scan   strictjson.Scanner
	input  custom.Input // what a string holds,
	inner  *arguments   // and what that says
	null   bool         // null came, which is as good as nothing
	ready  bool         // they are one object,
	tail   string       // of which this, at least the last byte, is held
	broken bool         // they are none
}

type argumentsForm uint8

const (
	unknownForm argumentsForm = iota // nothing but blanks
	objectForm
	stringForm // that holds the object
	nullForm
)

// The limits that package parser has by default.
const (
	maxBytes = 64 << 20
	maxDepth = 128
)

// Its limits that nobody sets, in bytes.
const (
	maxKey    = 4 << 10
	maxNumber = 64 << 10
)

// isBlank reports whether no arguments have come, or null.
func (a *arguments) isBlank() bool { return (a.form == unknownForm || a.null) && !a.broken }

// note counts a piece, for comparison with a whole text.
func (a *arguments) note(text string) {
	a.size += len(text)
	_, _ = a.sum.WriteString(text)
}

// read reads the next piece and returns what can be written of it. The end of an
// object is held: whether the call is whole is not sure before the wire says so or
// moves on.
func (a *arguments) read(text string) string {
	if text == "" || a.broken {
		return ""
	}
	if a.size > maxBytes || (a.ready || a.null) && !isBlank(text) {
		a.spoil()
		return ""
	}
	if a.form == unknownForm {
		for text != "" && strictjson.IsBlank(text[0]) {
			text = text[1:]
		}
		switch {
		case text == "":
			return ""
		case text[0] == '{':
			a.form = objectForm
		case text[0] == '"':
			a.form = stringForm
		case text[0] == 'n':
			a.form = nullForm
		default:
			a.spoil()
			return text
		}
		a.scan.Limit, a.scan.Key, a.scan.Number = maxDepth, maxKey, maxNumber
	}
	if a.ready || a.null {
		return ""
	}
	took, done, err := a.scan.Scan([]byte(text))
	if done && !isBlank(text[took:]) {
		// What follows is no part of it, and so the object does not count.
		a.spoil()
		return ""
	}
	switch {
	case a.form == stringForm:
		return a.unwrap(text[:took], done, err)
	case err != nil:
		a.spoil()
	case done && a.form == nullForm:
		a.null = true
		return ""
	case a.form == nullForm:
		return ""
	case done:
		a.ready, a.tail = true, text[:took]
		return ""
	}
	return text
}

// unwrap reads a piece of a string that holds the object.
func (a *arguments) unwrap(text string, done bool, err error) string {
	if a.inner == nil {
		a.inner = &arguments{}
		a.input.Next(custom.Opener)
		text = text[1:]
	}
	raw, ok := a.input.Next(text)
	var piece string
	if err != nil || !ok || json.Unmarshal([]byte(`"`+raw+`"`), &piece) != nil {
		a.spoil()
		return ""
	}
	out := a.inner.read(piece)
	switch {
	case a.inner.broken || a.inner.form > objectForm, done && a.inner.form == objectForm && !a.inner.ready:
		a.spoil()
	case done && a.inner.ready:
		a.ready, a.tail = true, a.inner.tail
	case done: // nothing but blanks
		a.null = true
	}
	return out
}

// Object returns the object that the whole arguments of a call are, and whether they
// are one, as those that come in pieces. Blanks and null are an object without
// members, which is returned as "".
func Object(text string) (object string, ok bool) {
	a := arguments{size: len(text)}
	object = a.read(text)
	switch {
	case a.isBlank():
		return "", true
	case !a.ready:
		return text, false
	}
	return object + a.tail, true
}

// firstByte returns the first byte that is not blank, or 0.
func firstByte(text string) byte {
	for i := range len(text) {
		if !strictjson.IsBlank(text[i]) {
			return text[i]
		}
	}
	return 0
}

// end says that no more comes: no arguments are those of a call without any.
func (a *arguments) end() {
	if a.isBlank() {
		a.ready, a.tail = true, "{}"
	}
}

// spoil says that the call must not run, whatever comes.
func (a *arguments) spoil() { a.broken, a.ready, a.tail = true, false, "" }

// rest returns what a whole text has beyond the pieces that came.
func (a *arguments) rest(whole string) (string, bool) {
	if len(whole) < a.size {
		return "", false
	}
	var sum maphash.Hash
	sum.SetSeed(a.sum.Seed())
	_, _ = sum.WriteString(whole[:a.size])
	return whole[a.size:], sum.Sum64() == a.sum.Sum64()
}

func isBlank(s string) bool { return firstByte(s) == 0 }
