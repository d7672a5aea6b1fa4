package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// node is a JSON value whose members keep the order in which they were written.
type node struct {
	raw  json.RawMessage
	text string // of a string
	keys []string
	list []*node // the members of an object, or the elements of a list

	index map[string]int // of keys, where they are many
}

// manyKeys is from how many keys on an object has an index.
const manyKeys = 16

// kind is the first byte of the value's JSON, with '0' for a number.
func (n *node) kind() byte {
	switch {
	case n == nil || len(n.raw) == 0:
		return 0
	case n.raw[0] == '-' || '0' <= n.raw[0] && n.raw[0] <= '9':
		return '0'
	}
	return n.raw[0]
}

// get returns a member of an object, or nil. Of equal keys the last one counts.
func (n *node) get(key string) *node {
	if n.kind() != '{' {
		return nil
	}
	if n.index != nil {
		if i, ok := n.index[key]; ok {
			return n.list[i]
		}
		return nil
	}
	for i := len(n.keys) - 1; i >= 0; i-- {
		if n.keys[i] == key {
			return n.list[i]
		}
	}
	return nil
}

// strings are the texts of a list.
func (n *node) strings() []string {
	var texts []string
	if n.kind() == '[' {
		for _, v := range n.list {
			if v.kind() == '"' {
				texts = append(texts, v.text)
			}
		}
	}
	return texts
}

// str returns the member's text where it is a string.
func (n *node) str(key string) string {
	if m := n.get(key); m.kind() == '"' {
		return m.text
	}
	return ""
}

// elements are those of a list member.
func (n *node) elements(key string) []*node {
	if m := n.get(key); m.kind() == '[' {
		return m.list
	}
	return nil
}

// parseNode reads JSON, in time linear in its size.
func parseNode(raw json.RawMessage) (*node, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	n, err := readNode(dec, raw)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(raw[dec.InputOffset():])) > 0 {
		return nil, fmt.Errorf("something follows the value, at byte %d", dec.InputOffset())
	}
	return n, nil
}

func readNode(dec *json.Decoder, raw json.RawMessage) (*node, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	from := int(dec.InputOffset())
	n := &node{}
	switch tok := tok.(type) {
	case json.Delim:
		from--
		for dec.More() {
			if tok == '{' {
				key, err := dec.Token()
				if err != nil {
					return nil, err
				}
				n.keys = append(n.keys, key.(string))
			}
			m, err := readNode(dec, raw)
			if err != nil {
				return nil, err
			}
			n.list = append(n.list, m)
		}
		if _, err := dec.Token(); err != nil {
			return nil, err
		}
		n.raw = raw[from:dec.InputOffset()]
		if len(n.keys) >= manyKeys {
			n.index = make(map[string]int, len(n.keys))
			for i, key := range n.keys {
				n.index[key] = i
			}
		}
		return n, nil
	case string:
		n.text = tok
		n.raw, err = quote(tok), nil
	case json.Number:
		n.raw = json.RawMessage(tok)
	case bool:
		n.raw = json.RawMessage(fmt.Sprint(tok))
	case nil:
		n.raw = json.RawMessage("null")
	}
	return n, err
}

// textNode is a string.
func textNode(s string) *node { return &node{raw: quote(s), text: s} }

func boolNode(b bool) *node { return &node{raw: strconv.AppendBool(nil, b)} }

// listNode is a list, as most models write it.
func listNode(list ...*node) *node {
	b := []byte{'['}
	for i, v := range list {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, v.raw...)
	}
	return &node{raw: append(b, ']'), list: list}
}

// close writes the JSON of an object that was put together, as most models do.
func (n *node) close() {
	b := []byte{'{'}
	for i, key := range n.keys {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(append(b, quote(key)...), ": "...), n.list[i].raw...)
	}
	n.raw = append(b, '}')
}

// quote is a string as JSON, with no more escapes than it needs.
func quote(s string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // it is a string
		return json.RawMessage(`""`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// pointer follows a JSON pointer from n.
func (n *node) pointer(p string) *node {
	for part := range strings.SplitSeq(strings.TrimPrefix(p, "/"), "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch n.kind() {
		case '{':
			n = n.get(part)
		case '[':
			at := 0
			if _, err := fmt.Sscan(part, &at); err != nil || at < 0 || at >= len(n.list) {
				return nil
			}
			n = n.list[at]
		default:
			return nil
		}
	}
	return n
}
