package adapter

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/native"
	"github.com/toolparse/toolparse/toolcall"
)

var errNotAnObject = errors.New("the arguments are not a JSON object") // other JSON, or nothing

// repair is [jsonstream.Repair] for a text that must be an object.
func repair(text string) (json.RawMessage, toolcall.Tolerances, error) {
	begin := lex.SkipBlanks(text, 0)
	if begin == len(text) {
		begin = 0
	}
	if !strings.HasPrefix(text[begin:], "{") {
		return nil, 0, &jsonstream.RepairError{Offset: begin, Err: errNotAnObject}
	}
	object, used, err := jsonstream.Repair(text, native.MaxDepth)
	if err != nil {
		return nil, 0, err
	}
	return json.RawMessage(object), used, nil
}
