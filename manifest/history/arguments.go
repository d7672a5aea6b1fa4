package history

import (
	"bytes"
	"encoding/json"
	"io"
)

// texts returns the arguments with every value that is not a string replaced by its JSON
// as a string. ok is false if nothing changes.
func texts(args json.RawMessage) (out json.RawMessage, ok bool) {
	return rewrite(args, func(value json.RawMessage) json.RawMessage {
		if value[0] == '"' {
			return value
		}
		return encode(string(value))
	})
}

// unmarked breaks markers in the texts of the arguments.
func (r *rendering) unmarked(args json.RawMessage) (out json.RawMessage, ok bool) {
	return rewrite(args, func(value json.RawMessage) json.RawMessage {
		var s string
		if value[0] != '"' || json.Unmarshal(value, &s) != nil {
			return value
		}
		if broken := r.neutral(s); broken != s {
			return encode(broken)
		}
		return value
	})
}

// rewrite replaces the values of an object in order.
func rewrite(object json.RawMessage, change func(json.RawMessage) json.RawMessage) (out json.RawMessage, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	out = append(out, '{')
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, false
		}
		changed := change(value)
		ok = ok || !bytes.Equal(changed, value)
		if len(out) > 1 {
			out = append(out, ',')
		}
		name, _ := key.(string)
		out = append(append(append(out, encode(name)...), ':'), changed...)
	}
	if _, err := dec.Token(); err != nil {
		return nil, false
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, false
	}
	return append(out, '}'), ok
}

func encode(s string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // a string always encodes
		return json.RawMessage(`""`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
