package toolfile

import (
	"bytes"
	"encoding/json"
	"strings"
)

// lowerTypes replaces Gemini's type names in a schema, such as "STRING", by those of
// JSON Schema. All other bytes stay, including the order of the parameters, which
// models see. A schema without such types is returned unchanged.
func lowerTypes(schema json.RawMessage) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(schema))
	dec.UseNumber()
	var out []byte
	var open []level
	for {
		tok, err := dec.Token()
		if err != nil { // io.EOF: schema is known to be valid
			break
		}
		if d, ok := tok.(json.Delim); ok {
			if d == '{' || d == '[' {
				open = append(open, level{object: d == '{', key: true})
			} else if open = open[:len(open)-1]; len(open) > 0 {
				open[len(open)-1].key = true
			}
			continue
		}
		if len(open) == 0 {
			continue
		}
		top := &open[len(open)-1]
		s, isText := tok.(string)
		switch {
		case !top.object:
		case top.key:
			top.key, top.typ = false, s == "type"
		default:
			end := int(dec.InputOffset()) - 1 // the closing quote
			if top.typ && isText && geminiType(s) && bytes.HasSuffix(schema[:end], []byte(s)) {
				if out == nil {
					out = bytes.Clone(schema)
				}
				copy(out[end-len(s):end], strings.ToLower(s))
			}
			top.key = true
		}
	}
	if out != nil {
		return out
	}
	return schema
}

// level is an open object or list of the schema.
type level struct {
	object bool
	key    bool // in an object, a key comes next
	typ    bool // the last key was "type"
}

func geminiType(s string) bool {
	switch s {
	case "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL":
		return true
	}
	return false
}
