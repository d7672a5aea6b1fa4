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

// Tool is something that a model may do. Call may be used by several goroutines at once
// where Info says that the tool is parallel.
type Tool interface {
	Info() Info
	// Call runs the tool. It returns what it has also with an error, such as the output
	// until the context ended. The error tells the model what went wrong: an *[Error]
	// with its category, any other as a failed execution.
	Call(ctx context.Context, call Call) (Result, error)
}

// Validator is a tool that judges arguments beyond its schema. Its error is told to the
// model, and the call is not run.
type Validator interface {
	Validate(call Call) error
}

// Info describes a tool to the model, to the policy and to the loop.
type Info struct {
	toolcall.ToolDefinition

	// Kind says who runs the tool.
	Kind Kind
	// Category is what the tool is for, such as "search"; it may be "".
	Category string
	// Risk is what the policy goes by where no rule names the tool.
	Risk Risk
	// NeedsApproval: the user is asked, whatever the risk.
	NeedsApproval bool
	// AskOnce: what the user allows once, they allow for the session, whatever the
	// arguments.
	AskOnce bool
	// Preview says what a call would do, for the user who is asked about it, such as the
	// lines that change. It changes nothing; it may be nil.
	Preview func(ctx context.Context, call Call) (string, error)
	// Parallel: the tool may run beside other parallel ones of the same answer.
	Parallel bool
	// Repeatable: a second run does no harm. Only such a tool is run again after a
	// timeout or a failure of the network, or where a run was interrupted.
	Repeatable bool
	// Terminal: a call that succeeds ends the run, and its output is the run's answer.
	Terminal bool
	// Timeout bounds one call; the configured one where it is 0.
	Timeout time.Duration

	// Subjects are the arguments that a policy's patterns look at.
	Subjects []Subject
	// Identity says which calls count as the same where the loop looks for a model that
	// goes in circles; "" is like no other. Where it is nil, calls with equal arguments are.
	Identity func(arguments json.RawMessage) string
}

// Kind says who runs a tool.
type Kind uint8

// The kinds of tool.
const (
	Internal Kind = iota // this program
	MCP                  // an MCP server, which this program asks
	Function             // the client: the run ends with RequiresAction, and goes on with the result
)

var kindNames = []string{"internal", "mcp", "function"}

// String returns the kind in lower case.
func (k Kind) String() string { return nameOf(kindNames, int(k)) }

// Risk is how much harm a tool can do.
type Risk uint8

// The risks, the lowest first.
const (
	Safe   Risk = iota // reads
	Medium             // writes what can be undone, or reads what is not everybody's
	High               // may do anything
)

var riskNames = []string{"safe", "medium", "high"}

// String returns the risk in lower case.
func (r Risk) String() string { return nameOf(riskNames, int(r)) }

// MarshalText implements [encoding.TextMarshaler]; it never fails.
func (r Risk) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler], and fails on a word that is no risk.
func (r *Risk) UnmarshalText(text []byte) error {
	return readName(r, riskNames, "risk", text)
}

// Subject is an argument that decides what a call does.
type Subject struct {
	Argument string
	Kind     SubjectKind
}

// SubjectKind says how a pattern is held against an argument.
type SubjectKind uint8

// The kinds of subject.
const (
	SubjectText    SubjectKind = iota // its text
	SubjectCommand                    // each command of a shell script
	SubjectPath                       // the file that the path leads to, through links
)

// Call is one call on its way to a tool.
type Call struct {
	ID        string          `json:"tool_call_id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // with the defaults of the schema filled in
	Context   Context         `json:"context"`

	info   Info
	report func(string)
}

// MarshalJSON renders the call. Arguments that are no JSON, as those of a call cut short,
// come as the string raw_arguments beside "arguments":null.
func (c Call) MarshalJSON() ([]byte, error) {
	type plain Call
	out := struct {
		plain
		Raw string `json:"raw_arguments,omitempty"`
	}{plain: plain(c)}
	if !json.Valid(c.Arguments) {
		out.Arguments, out.Raw = nil, string(c.Arguments)
	}
	return json.Marshal(out)
}

// Info returns what the tool says of itself.
func (c Call) Info() Info { return c.info }

// Report tells the caller of Run how far the tool has come. It never blocks: where
// nobody reads, the text is dropped.
func (c Call) Report(text string) {
	if c.report != nil {
		c.report(text)
	}
}

// Context is where a call runs.
type Context struct {
	Step             int               `json:"step_number"`
	TaskID           string            `json:"task_id"`
	ContainerID      string            `json:"container_id,omitempty"`
	WorkingDirectory string            `json:"working_directory"`
	Environment      map[string]string `json:"-"` // may hold secrets
	Timeout          time.Duration     `json:"-"`

	// Messages are the conversation up to the answer that makes the call. Nobody may change
	// them.
	Messages []chat.Message `json:"-"`
	// Data are those of the session, as they were when the call began: see [Result.Data].
	// Nobody may change them.
	Data map[string]json.RawMessage `json:"-"`
}

// Result is what a tool returns.
type Result struct {
	Output   string
	Parts    []chat.Part // images and files beside Output, for models that can see them
	ExitCode *int
	Changes  []StateChange
	Metadata map[string]any
	// Data are kept in the session, under the names that tools agree on, for later calls:
	// they are in the [Context] of these. Null takes a name out.
	Data map[string]json.RawMessage
}

// toolbox is a set of tools by their names, in their order.
type toolbox struct {
	tools []Tool
	infos []Info
}

// newToolbox returns the tools that are named, or all where no name is given. It fails on
// a tool without a name or with the name of another, and on a name that is no tool's.
func newToolbox(tools []Tool, names ...string) (*toolbox, error) {
	all := &toolbox{}
	for _, tool := range tools {
		info := tool.Info()
		if info.Name == "" {
			return nil, fmt.Errorf("agent: a tool without a name")
		}
		if _, _, known := all.Lookup(info.Name); known {
			return nil, fmt.Errorf("agent: two tools are called %q", info.Name)
		}
		all.tools, all.infos = append(all.tools, tool), append(all.infos, info)
	}
	if len(names) == 0 {
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

// suggest returns the end of a message about a name that is no tool's.
func (b *toolbox) suggest(name string) string {
	names := b.Names()
	if found := near.Names(name, names, 3); len(found) > 0 {
		return "; did you mean " + strings.Join(found, " or ") + "?"
	}
	return "; there are " + strings.Join(names, ", ")
}

// Lookup returns the tool of a name.
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

// Definitions returns what the model is told of the tools.
func (b *toolbox) Definitions() []toolcall.ToolDefinition {
	list := make([]toolcall.ToolDefinition, len(b.infos))
	for i, info := range b.infos {
		list[i] = info.ToolDefinition
	}
	return list
}

// nameOf is the name of a number.
func nameOf(names []string, i int) string {
	if i >= 0 && i < len(names) {
		return names[i]
	}
	return "unknown"
}

// readName finds the number of a name.
func readName[T ~uint8](to *T, names []string, what string, text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("unknown %s %q; there are %s", what, text, strings.Join(names, ", "))
	}
	*to = T(i)
	return nil
}
