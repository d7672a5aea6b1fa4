package wireio

import (
	"cmp"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
)

// joint separates a namespace from a name, as MCP clients do.
const joint = "__"

// JoinName returns the name of a tool in a namespace. A name that equals the namespace
// stays the same.
func JoinName(namespace, name string) string {
	switch {
	case namespace == "" || namespace == name:
		return name
	case strings.HasSuffix(namespace, joint):
		return namespace + name
	}
	return namespace + joint + name
}

// BareName undoes JoinName. It returns names outside the namespace unchanged.
func BareName(namespace, name string) string {
	prefix := JoinName(namespace, "")
	if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" && namespace != "" {
		return rest
	}
	return name
}

// OwnName returns the name that the wire of n uses for a tool.
func OwnName(name string, n chat.Native) string {
	return cmp.Or(n.Name, BareName(n.Namespace, name))
}

// toolKey identifies a tool of a request.
type toolKey struct{ namespace, kind, name string }

// suffixLength is the length of a suffix that makes names unique.
const suffixLength = 6

// ToolName returns the name of a tool of a request, or of a call of it, and what its wire
// says besides. wireName is the wire's name. Functions without a namespace keep that name.
// Other tools get the namespace and the name joined, with a suffix if another tool has
// that name; the suffix depends only on the two.
func (r *Reader) ToolName(wireName string, n chat.Native) (string, chat.Native) {
	key := toolKey{n.Namespace, n.Type, wireName}
	joined := JoinName(n.Namespace, wireName)
	name := joined
	if n.Namespace != "" || n.Type != "" {
		for i := 0; ; i++ {
			owner, taken := r.owner(name)
			if !taken || owner == key {
				break
			}
			id := wire.MakeID(n.Namespace+"\x00"+n.Type, i, wireName)
			name = joined + "_" + id[len(id)-suffixLength:]
		}
	}
	if _, taken := r.owner(name); !taken {
		if r.tools == nil {
			r.tools = map[string]toolKey{}
		}
		r.tools[name] = key
	}
	if OwnName(name, n) != wireName {
		n.Name = wireName
	}
	return name, n
}

// CallName is ToolName for a call. An answer does not contain the other tools.
func (r *Reader) CallName(wireName string, n chat.Native, answer bool) (string, chat.Native) {
	if answer {
		return JoinName(n.Namespace, wireName), n
	}
	return r.ToolName(wireName, n)
}

// owner returns the tool that has a name, if any.
func (r *Reader) owner(name string) (owner toolKey, taken bool) {
	if owner, taken = r.listed[name]; !taken {
		owner, taken = r.tools[name]
	}
	return owner, taken
}

// NameTools replaces the wire's names of a request's tools with their unique ones.
func (r *Reader) NameTools(tools []chat.Tool) {
	for _, first := range []bool{true, false} { // those that keep their names
		for i := range tools {
			t := &tools[i]
			if isFunction := t.Native.Namespace == "" && t.Native.Type == ""; isFunction == first && !t.Hosted {
				t.Name, t.Native = r.ToolName(t.Name, t.Native)
			}
		}
	}
}
