package manifest

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/schema"
)

// node is a part of a schema, or a value that is made for one. Every node has its Raw.
type node = jsonvalue.Value

// parseNode reads JSON, in time linear in its size. Strings get the escapes that we
// write.
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

// written gives a node that was put together its JSON, as most models write it.
func written(n *node) *node {
	n.Raw = string(jsonvalue.Spaced.AppendWritten(nil, n))
	return n
}

// textOf returns the text of a member that is a string.
func textOf(n *node, key string) string {
	if m := n.Get(key); m.Is(jsonvalue.String) {
		return m.Text
	}
	return ""
}

// stringsOf are the texts in a list.
func stringsOf(n *node) []string {
	var texts []string
	for _, v := range n.Elements() {
		if v.Kind == jsonvalue.String {
			texts = append(texts, v.Text)
		}
	}
	return texts
}

// ratOf is the exact value of a number, which as that of a keyword may stand in quotes.
// It is false for what is none, or too large to calculate with.
func ratOf(n *node) (*big.Rat, bool) {
	d, ok := n.Decimal()
	if !ok {
		return nil, false
	}
	return d.Rat()
}

// countOf is the value of a keyword that counts something.
func countOf(n *node, none int) int {
	if count, ok := n.Integer(1<<31 - 1); ok && count >= 0 {
		return count
	}
	return none
}

// compact is the JSON of a node without blanks.
func compact(n *node) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(n.Raw)) != nil {
		return n.Raw
	}
	return b.String()
}

// wordsOf is a value where markup stands around it: a string as it is.
func wordsOf(n *node) string {
	if n.Is(jsonvalue.String) {
		return n.Text
	}
	return compact(n)
}

// typeName is the type of a value, by how it is written.
func typeName(n *node) string {
	if n.Is(jsonvalue.Number) && !strings.ContainsAny(n.Text, ".eE") {
		return "integer"
	}
	return n.Kind.String()
}

// hasType reports whether a value is of a type, as JSON Schema has it: 1.0 is an
// integer.
func hasType(n *node, kind string) bool {
	if d, ok := n.Decimal(); ok && n.Kind == jsonvalue.Number && kind == "integer" {
		return d.IsInteger()
	}
	return kind == n.Kind.String()
}

// typesOf are the types that a schema names, in its order, in the words of JSON
// Schema. A word that may be anything leaves none.
func typesOf(n *node) []string {
	var types []string
	names := []*node{n.Get("type")}
	if names[0].Is(jsonvalue.Array) {
		names = names[0].List
	}
	for _, name := range names {
		if !name.Is(jsonvalue.String) {
			continue
		}
		word := schema.TypeName(name.Text)
		if word == "" {
			return nil
		}
		if !slices.Contains(types, word) {
			types = append(types, word)
		}
	}
	if types != nil && n.Get("nullable").IsTrue() && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	return types
}
