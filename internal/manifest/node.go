package manifest

import (
	"bytes"
	"encoding/json"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// node is a part of a schema, or a value made for one. A node that is shown has its Raw.
type node = jsonvalue.Value

// parseNode parses JSON in linear time, and writes the escapes in its strings our way.
func parseNode(raw json.RawMessage) (*node, error) {
	n, err := jsonvalue.Parse(raw)
	if err == nil {
		requote(n)
	}
	return n, err
}

func requote(n *node) {
	if n.Kind == jsonvalue.String {
		n.Raw = jsonvalue.Quote(n.Text)
	}
	for _, part := range n.List {
		requote(part)
	}
}

// compact returns the JSON of a node without blanks.
func compact(n *node) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(n.Raw)) != nil {
		return n.Raw
	}
	return b.String()
}

// wordsOf returns a value for a place between markup: a string without quotes.
func wordsOf(n *node) string {
	if n.Is(jsonvalue.String) {
		return n.Text
	}
	return compact(n)
}

// document is a schema that resolves its references.
type document struct {
	root     *node
	compiled *schema.Document
}

// Limits on the work for one schema, because references can multiply.
const (
	maxWork     = 20_000
	maxTypeWork = 10 * maxWork // for the text of a type
)

// documentOf returns the document of a schema that is valid.
func documentOf(root *node) *document {
	return &document{root: root, compiled: schema.NewDocument(root)}
}
