package features

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// convertGrammar makes the format of a custom tool's input that of another wire:
// Chat Completions have the grammar in an object of its own.
func convertGrammar(from, to string, value json.RawMessage) (json.RawMessage, string, bool) {
	v := parse(value)
	of := v
	switch kind := v.Get("type"); {
	case kind.Is("text"):
		return value, "", true
	case !kind.Is("grammar"):
		return nil, "", false
	case wireOf(from).grouped:
		if of = v.Get("grammar"); of.Kind != rawjson.Object {
			return nil, "", false
		}
	}
	return regroup(v, of, wireOf(to).grouped, "grammar"), "", true
}

// regroup writes an object anew: its type, and the members of of, beside it or
// in an object named so.
func regroup(v, of rawjson.Value, group bool, name string) json.RawMessage {
	var w jsonout.Writer
	w.Object()
	w.Member("type", v.Get("type").JSON())
	if group {
		w.KeyObject(name)
	}
	for key, member := range of.Fields() {
		if string(key) != "type" {
			w.Member(string(key), member.JSON())
		}
	}
	if group {
		w.EndObject()
	}
	w.EndObject()
	return w.Out
}

// parse returns the value that JSON is, an absent one where it is none.
func parse(value json.RawMessage) rawjson.Value {
	v, _ := rawjson.Parse(value)
	return v
}
