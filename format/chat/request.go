package chat

import (
	"encoding/json"

	"github.com/toolparse/toolparse/toolcall"
)

// Request is a caller's request to a model. Encoders neither change nor keep it.
type Request struct {
	Model    string
	Messages []Message
	Tools    []Tool

	ToolChoice    ToolChoice
	ParallelCalls Switch // whether the model may make several calls at once

	Temperature json.Number // "" is unset, here and below
	TopP        json.Number
	MaxTokens   int      // limit of the answer; 0 is unset
	Stop        []string // sequences at which the answer ends
	Stream      bool
	// StreamUsage requests the usage at the end of the stream. Wires that always send it
	// ignore this; their decoders set it if Stream is set.
	StreamUsage bool

	Extras Extras // all other members, such as the response format and the seed
}

// Switch is a setting that may be left to the provider.
type Switch uint8

// The states of a Switch.
const (
	Unset Switch = iota
	On
	Off
)

// Tool is a tool that the model may call.
type Tool struct {
	toolcall.ToolDefinition

	// Strict asks the provider to enforce the schema of the arguments.
	Strict Switch
	// Custom means that the input is free text instead of JSON. In calls it is
	// {"input":"..."}. For wires without such tools, Parameters should say so; see
	// [CustomParameters].
	Custom bool
	// Hosted means that the provider runs the tool itself. It exists only on its own
	// wire, under this Name; everything else about it is in Extras.
	Hosted bool
	Native Native // what the wire says about the tool besides its name

	Extras Extras
}

// Native is what a wire says about a tool or its calls besides the name. The zero value
// is a function without a namespace, which every wire has.
type Native struct {
	Wire string `json:"wire,omitempty"` // the wire that says it
	// Namespace is the group that the tool belongs to: an MCP server in Responses, a
	// toolset of Anthropic's. The Name of the tool and of its calls is the namespace and
	// the wire's name joined, as MCP clients do.
	Namespace string `json:"namespace,omitempty"`
	// Name is the wire's name of the tool, if it does not follow from the tool's Name
	// because joining gave another tool of the request the same one.
	Name string `json:"name,omitempty"`
	// Type is the wire's type for these calls, such as "local_shell_call", if they are
	// not function calls. Their arguments are what the call asks for, as one object.
	Type string `json:"type,omitempty"`
}

// ChoiceMode says whether the model may or must call tools.
type ChoiceMode uint8

// The modes of choice.
const (
	ChoiceUnset    ChoiceMode = iota // the provider's default
	ChoiceAuto                       // the model decides
	ChoiceNone                       // no calls
	ChoiceRequired                   // at least one call
	ChoiceOne                        // a call of the only tool in Tools
)

// ToolChoice restricts the calls of an answer.
type ToolChoice struct {
	Mode ChoiceMode
	// Tools are the only tools that the model may call, with ChoiceAuto and
	// ChoiceRequired; nil means all.
	Tools []string

	Extras Extras // with ChoiceUnset, a choice that no mode expresses
}
