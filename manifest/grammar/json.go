package grammar

import (
	"fmt"

	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// jnode is a part of a schema, or JSON that is written.
type jnode = jsonvalue.Value

// maxDepth is how deep the schema of a tool may be nested.
const maxDepth = 128

// decode reads one JSON value.
func decode(data []byte) (*jnode, error) {
	return jsonvalue.Options{MaxDepth: maxDepth}.Parse(string(data))
}

// get returns a member of an object, and nil where there is none or it is null, as
// generators write keywords that are not set.
func get(v *jnode, key string) *jnode {
	if m := v.Get(key); !m.Is(jsonvalue.Null) {
		return m
	}
	return nil
}

func object() *jnode           { return jsonvalue.NewObject() }
func text(s string) *jnode     { return jsonvalue.NewString(s) }
func truth(b bool) *jnode      { return jsonvalue.NewBool(b) }
func list(of ...*jnode) *jnode { return jsonvalue.NewArray(of...) }
func count(n int) *jnode {
	return &jnode{Kind: jsonvalue.Number, Text: fmt.Sprint(n), Raw: fmt.Sprint(n)}
}
