package history

import (
	"encoding/json"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// texts returns the arguments with every value that is not a string replaced by its JSON
// as a string. ok is false if nothing changes.
func texts(args json.RawMessage) (out json.RawMessage, ok bool) {
	return rewrite(args, func(v *jsonvalue.Value) *jsonvalue.Value {
		if v.Kind == jsonvalue.String {
			return v
		}
		return jsonvalue.NewString(v.Raw)
	})
}

// unmarked breaks markers in the texts of the arguments.
func (r *rendering) unmarked(args json.RawMessage) (out json.RawMessage, ok bool) {
	return rewrite(args, func(v *jsonvalue.Value) *jsonvalue.Value {
		if v.Kind == jsonvalue.String {
			if text := r.neutral(v.Text); text != v.Text {
				return jsonvalue.NewString(text)
			}
		}
		return v
	})
}

// rewrite replaces the values of an object. ok is false if none of them changes.
func rewrite(object json.RawMessage, change func(*jsonvalue.Value) *jsonvalue.Value) (out json.RawMessage, ok bool) {
	args, err := jsonvalue.Parse(object)
	if err != nil || args.Kind != jsonvalue.Object {
		return nil, false
	}
	for i, v := range args.List {
		args.List[i] = change(v)
		ok = ok || args.List[i] != v
	}
	return jsonvalue.Compact.AppendAt(nil, args, 0), ok
}
