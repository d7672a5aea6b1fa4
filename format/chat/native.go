package chat

import "strings"

// Native is what a wire says of a tool, or of a call of one, beside its name.
// The zero value is a function of no namespace, which all wires have.
type Native struct {
	Wire string // whose words they are
	// Namespace is where the wire has the tool: those of an MCP server in
	// Responses, a toolset of Anthropic's. The Name of the tool, and of its calls,
	// is JoinName of it and of the wire's own name.
	Namespace string
	// Type is the wire's type of such calls, where it is that of no function, such
	// as "local_shell_call". The arguments are what the call asks for, as one object.
	Type string
}

// joint stands between a namespace and a name. Clients of MCP write it so.
const joint = "__"

// JoinName returns the one name of a tool in a namespace. A name that repeats its
// namespace stands for both.
func JoinName(namespace, name string) string {
	switch {
	case namespace == "" || namespace == name:
		return name
	case strings.HasSuffix(namespace, joint):
		return namespace + name
	}
	return namespace + joint + name
}

// BareName undoes JoinName. A name that is not of the namespace stays.
func BareName(namespace, name string) string {
	prefix := JoinName(namespace, "")
	if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" && namespace != "" {
		return rest
	}
	return name
}
