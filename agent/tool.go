package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/near"
	"github.com/toolparse/toolparse/toolcall"
)

// Tool is something that the model can call. Call must be safe for concurrent use if Info
// says that the tool is parallel.
type Tool interface {
	Info() Info
	// Call runs the tool. It may return a result together with an error, such as the
	// output until the context ended. The error tells the model what went wrong; one that
	// is not an *[Error] counts as a failed execution.
	Call(ctx context.Context, call Call) (Result, error)
}

// Info describes a tool to the model, the policy and the loop.
type Info struct {
	toolcall.ToolDefinition

	// Kind says who runs the tool.
	Kind Kind
	// Category is the purpose of the tool, such as "search". It may be "".
	Category string
	// Risk is what the policy uses if no rule names the tool.
	Risk Risk
	// NeedsApproval makes the policy ask the user, whatever the risk.
	NeedsApproval bool
	// AskOnce means that a permission for the session covers all arguments.
	AskOnce bool
	// Preview describes, for the user who is asked for permission, what a call would do,
	// such as the lines that would change. It must not change anything. It may be nil.
	Preview func(ctx context.Context, call Call) (string, error)
	// Validate checks more than the schema can express. Its error goes to the model, and the
	// call does not run. It may be nil.
	Validate func(call Call) error
	// Parallel means that the tool may run at the same time as other parallel tools of an
	// answer.
	Parallel bool
	// Repeatable means that a second run does no harm. Only repeatable tools run again
	// after a timeout, a network failure or an interrupted run.
	Repeatable bool
	// Terminal means that a successful call ends the run, with its output as the answer.
	Terminal bool
	// Timeout limits one call; 0 means the configured time.
	Timeout time.Duration

	// Subjects, Commands and Paths are the arguments that determine what a call does: a
	// permission for the session, or for always, covers the calls in which these are the
	// same. If there are none, all arguments count. Commands are shell scripts, and Paths
	// are files; a [Rule] reads them as such.
	Subjects, Commands, Paths []string
	// Identity returns a key for a call. The loop counts calls with the same key as
	// repetitions; "" is never a repetition. If it is nil, calls with equal arguments are
	// repetitions.
	Identity func(arguments json.RawMessage) string

	broken error // what [NewTool] could not describe
}

// Kind says who runs a tool.
type Kind string

// The kinds of tool.
const (
	Internal Kind = ""         // this program
	MCP      Kind = "mcp"      // an MCP server
	Function Kind = "function" // the client: the run ends with RequiresAction, and continues with the result
)

// Risk is how much harm a tool can do.
type Risk uint8

// The risks, the lowest first.
const (
	Safe   Risk = iota // only reads
	Medium             // writes what can be undone, or reads private data
	High               // may do anything
)

var riskNames = []string{"safe", "medium", "high"}

// String returns the risk in lower case.
func (r Risk) String() string { return nameOf(riskNames, int(r)) }

// MarshalText implements [encoding.TextMarshaler]. It never fails.
func (r Risk) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It fails on unknown names.
func (r *Risk) UnmarshalText(text []byte) error {
	return readName(r, riskNames, "risk", text)
}

// Call is a call of a tool.
type Call struct {
	ID        string
	Name      string
	Arguments json.RawMessage // with the schema's defaults filled in

	Step             int    // the turn since the user's last input
	TaskID           string // the session
	ContainerID      string // "" outside of containers
	WorkingDirectory string
	Environment      map[string]string // may hold secrets, and is not marshalled
	Timeout          time.Duration
	// Messages is the conversation before the answer that makes the call. It is read-only,
	// and not marshalled.
	Messages []chat.Message
	// Data is the session's data when the call began; see [Result.Data]. It is read-only,
	// and not marshalled.
	Data map[string]json.RawMessage

	info   Info
	report func(string)
}

// MarshalJSON renders the call. Arguments that are not JSON, such as those of a truncated
// call, become the string raw_arguments next to "arguments":null.
func (c Call) MarshalJSON() ([]byte, error) {
	type context struct {
		Step             int    `json:"step_number"`
		TaskID           string `json:"task_id"`
		ContainerID      string `json:"container_id,omitempty"`
		WorkingDirectory string `json:"working_directory"`
	}
	out := struct {
		ID        string          `json:"tool_call_id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Context   context         `json:"context"`
		Raw       string          `json:"raw_arguments,omitempty"`
	}{c.ID, c.Name, c.Arguments, context{c.Step, c.TaskID, c.ContainerID, c.WorkingDirectory}, ""}
	if !json.Valid(c.Arguments) {
		out.Arguments, out.Raw = nil, string(c.Arguments)
	}
	return json.Marshal(out)
}

// Info returns the description of the tool.
func (c Call) Info() Info { return c.info }

// Report sends a report of the tool's progress to the caller of Run. It never blocks: if
// nobody reads the reports, it drops the text.
func (c Call) Report(text string) {
	if c.report != nil {
		c.report(text)
	}
}

// Result is what a tool returns.
type Result struct {
	Output   string
	Parts    []chat.Part // images and files beside Output, for models that can see them
	ExitCode *int
	Changes  []StateChange
	Metadata map[string]any
	// Data is stored in the session for later calls, under names that tools agree on; see
	// [Call.Data]. A null value removes the name.
	Data map[string]json.RawMessage
}

// toolbox is a list of tools with an index by name.
type toolbox struct {
	tools []Tool
	infos []Info
}

// newToolbox returns the named tools, or all of them if names is nil. It fails if a tool
// has no name or another tool's name, and if a name is not a tool's.
func newToolbox(tools []Tool, names []string) (*toolbox, error) {
	all := &toolbox{}
	for _, tool := range tools {
		info := tool.Info()
		switch {
		case info.broken != nil:
			return nil, info.broken
		case info.Name == "":
			return nil, fmt.Errorf("agent: a tool without a name")
		}
		if _, _, known := all.Lookup(info.Name); known {
			return nil, fmt.Errorf("agent: two tools are called %q", info.Name)
		}
		all.tools, all.infos = append(all.tools, tool), append(all.infos, info)
	}
	if names == nil {
		return all, nil
	}
	chosen := &toolbox{}
	for _, name := range names {
		tool, info, known := all.Lookup(name)
		if !known {
			return nil, fmt.Errorf("agent: there is no tool %q%s", name, all.suggest(name))
		}
		if _, _, twice := chosen.Lookup(name); !twice {
			chosen.tools, chosen.infos = append(chosen.tools, tool), append(chosen.infos, info)
		}
	}
	return chosen, nil
}

// suggest returns the end of a message about a name that is not a tool's.
func (b *toolbox) suggest(name string) string {
	names := b.Names()
	if found := near.Names(name, names, 3); len(found) > 0 {
		return "; did you mean " + strings.Join(found, " or ") + "?"
	}
	return "; there are " + strings.Join(names, ", ")
}

// Lookup returns the tool with this name.
func (b *toolbox) Lookup(name string) (Tool, Info, bool) {
	i := slices.IndexFunc(b.infos, func(info Info) bool { return info.Name == name })
	if i < 0 {
		return nil, Info{}, false
	}
	return b.tools[i], b.infos[i], true
}

// Names returns the names of the tools.
func (b *toolbox) Names() []string {
	names := make([]string, len(b.infos))
	for i, info := range b.infos {
		names[i] = info.Name
	}
	return names
}

// Definitions returns the definitions for the model.
func (b *toolbox) Definitions() []toolcall.ToolDefinition {
	list := make([]toolcall.ToolDefinition, len(b.infos))
	for i, info := range b.infos {
		list[i] = info.ToolDefinition
	}
	return list
}

// nameOf returns the name of a number.
func nameOf(names []string, i int) string {
	if i >= 0 && i < len(names) {
		return names[i]
	}
	return "unknown"
}

// readName sets the number of a name.
func readName[T ~uint8](to *T, names []string, what string, text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("unknown %s %q; there are %s", what, text, strings.Join(names, ", "))
	}
	*to = T(i)
	return nil
}
