package wireio

import (
	"bytes"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// knownTools is the list of tools in a request's body, if it is known from an earlier
// request. Lists of agents are most of a body, and take as much of the time to read it.
type knownTools struct {
	at, size int // of the list in the body
	tools    []chat.Tool
	names    any
}

// standIn is read instead of a known list. It is not empty, because that may be noted.
const standIn = "[0]"

// maxPlaces limits the places that are searched for the list, and maxRest the rest of the body,
// which is copied.
const (
	maxPlaces = 4
	maxRest   = 1 << 20
)

// bodyWithKnownTools is Body for a body whose list of tools is known. It returns false if
// there is no such list, or if anything is unusual: the body must then be read whole.
func (r *Reader) bodyWithKnownTools(body []byte) (rawjson.Value, bool) {
	at, name := 0, []byte(`"tools"`)
	for range maxPlaces {
		next := bytes.Index(body[at:], name)
		if next < 0 {
			break
		}
		at = afterBlanks(body, at+next+len(name))
		if at == len(body) || body[at] != ':' {
			continue
		}
		at = afterBlanks(body, at+1)
		size, tools, names := r.memory.Find(r.Wire, body[at:])
		if size == 0 {
			continue
		}
		if len(body)-size > maxRest {
			break
		}
		v, err := r.Body(slices.Concat(body[:at], []byte(standIn), body[at+size:]))
		list := v.Get("tools")
		if err != nil || list.At != at || string(list.Raw) != standIn {
			break // a list of the same text elsewhere
		}
		r.known = knownTools{at, size, tools, names}
		return v, true
	}
	return rawjson.Value{}, false
}

func afterBlanks(body []byte, at int) int {
	for at < len(body) && strictjson.IsBlank(body[at]) {
		at++
	}
	return at
}

// inBody returns an error with its offset in the body with the list.
func (k knownTools) inBody(err error) error {
	bad, ok := err.(*frame.SyntaxError)
	if !ok || k.size == 0 || bad.Offset <= int64(k.at) {
		return err
	}
	moved := *bad
	moved.Offset += int64(k.size - len(standIn))
	return &moved
}
