package responses

import (
	"encoding/json"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// clientItem is an item by which the model asks the client for something, as it
// does by a function call: the vendor has defined what may be asked, and so the
// item has members of its own in place of a name and arguments. To all else it is
// a call of a tool of this name, with what is asked as its arguments.
type clientItem struct {
	call, answer string   // the types of the item and of that with its result
	prefix       string   // of its ids
	tools        []string // the types of the tools that allow the model to ask so
	where        condition

	name, description string
	schema            string // of the arguments

	body    string   // the member whose value is the arguments
	fill    []fixed  // of these, which servers want
	members []string // that together are the arguments, where there is no body
	fixed   []fixed  // of the item, which servers want
	status  bool     // the item has one, and must

	id        string // the member of the item that a result names,
	answersID string // and that of the result that names it
	result    resultForm
	output    string    // the member that is the result
	wrap      string    // JSON that a text stands in where the result must be an object or a list
	verdict   bool      // the result has a status, completed or failed
	mine      condition // which results are the client's
	told      []fixed   // members of the result that servers want
}

// fixed is a member that is written where it is not there.
type fixed struct{ name, value string }

// condition tells which tools, calls and results are the client's: those with a
// word at a path that begins so, or without. The zero value holds for all.
type condition struct {
	path   [2]string
	prefix string
	not    bool
}

func (c condition) holds(v rawjson.Value) bool {
	if c.prefix == "" {
		return true
	}
	for _, name := range c.path {
		if name != "" {
			v = v.Get(name)
		}
	}
	return (v.Kind == rawjson.String && strings.HasPrefix(string(v.Raw), c.prefix)) != c.not
}

// resultForm is what the result of a call is.
type resultForm uint8

const (
	asText   resultForm = iota // a text
	asJSON                     // a list or an object, which is a text elsewhere
	asImage                    // an image
	asObject                   // members beside the type, which are an object elsewhere
)

// clientItems are those that there are. Nothing writes to it.
var clientItems = [...]clientItem{
	{
		call: "local_shell_call", answer: "local_shell_call_output", prefix: "lsh_", tools: []string{"local_shell"},
		name: "local_shell", description: "Runs a command on this machine.",
		schema: `{"type":"object","properties":{"command":{"type":"array","items":{"type":"string"},"description":"The program and its arguments."},"working_directory":{"type":"string"},"timeout_ms":{"type":"integer"},"env":{"type":"object","additionalProperties":{"type":"string"}},"user":{"type":"string"}},"required":["command"]}`,
		body:   "action", fill: []fixed{{"type", `"exec"`}, {"env", "{}"}}, status: true,
		id: "call_id", answersID: "id", output: "output",
	},
	{
		call: "shell_call", answer: "shell_call_output", prefix: "sh_", tools: []string{"shell"},
		where: condition{path: [2]string{"environment", "type"}, prefix: "container_", not: true},
		name:  "shell", description: "Runs commands in a shell on this machine.",
		schema: `{"type":"object","properties":{"commands":{"type":"array","items":{"type":"string"}},"timeout_ms":{"type":"integer"},"max_output_length":{"type":"integer"}},"required":["commands"]}`,
		body:   "action", status: true,
		id: "call_id", answersID: "call_id", output: "output", result: asJSON,
		wrap: `[{"stdout":%,"stderr":"","outcome":{"type":"exit","exit_code":0}}]`,
	},
	{
		call: "apply_patch_call", answer: "apply_patch_call_output", prefix: "apc_", tools: []string{"apply_patch"},
		name: "apply_patch", description: "Creates, updates or deletes a file by a diff.",
		schema: `{"type":"object","properties":{"type":{"type":"string","enum":["create_file","update_file","delete_file"]},"path":{"type":"string"},"diff":{"type":"string","description":"A diff in the V4A format; not for delete_file."}},"required":["type","path"]}`,
		body:   "operation", status: true,
		id: "call_id", answersID: "call_id", output: "output", verdict: true,
	},
	{
		call: "computer_call", answer: "computer_call_output", prefix: "cu_", tools: []string{"computer", "computer_use_preview"},
		name: "computer", description: "Uses the mouse, the keyboard and the screen of a computer.",
		schema:  `{"type":"object","properties":{"action":{"type":"object"},"actions":{"type":"array","items":{"type":"object"}}}}`,
		members: []string{"action", "actions", "pending_safety_checks"}, fixed: []fixed{{"pending_safety_checks", "[]"}}, status: true,
		id: "call_id", answersID: "call_id", output: "output", result: asImage,
	},
	{
		call: "tool_search_call", answer: "tool_search_output", prefix: "tsc_", tools: []string{"tool_search"},
		where: condition{path: [2]string{"execution"}, prefix: "client"},
		name:  "tool_search", description: "Finds further tools.",
		schema: `{"type":"object"}`,
		body:   "arguments", fixed: []fixed{{"execution", `"client"`}}, status: true,
		id: "call_id", answersID: "call_id", output: "tools", result: asJSON, wrap: "[]",
		mine: condition{path: [2]string{"execution"}, prefix: "client"}, told: []fixed{{"execution", `"client"`}},
	},
	{
		call: "mcp_approval_request", answer: "mcp_approval_response", prefix: "mcpr_",
		name:    "mcp_approval_request",
		members: []string{"server_label", "name", "arguments"},
		id:      "id", answersID: "approval_request_id", result: asObject, wrap: `{"approve":false,"reason":%}`,
	},
}

// clientItemOf returns the row of an item that asks the client for something.
func clientItemOf(item rawjson.Value) *clientItem {
	kind := item.Get("type")
	for i := range clientItems {
		if row := &clientItems[i]; kind.Is(row.call) && row.where.holds(item) {
			return row
		}
	}
	return nil
}

// clientToolOf returns the row of a tool by which the model may ask so.
func clientToolOf(tool rawjson.Value) *clientItem {
	kind := tool.Get("type")
	for i := range clientItems {
		row := &clientItems[i]
		for _, name := range row.tools {
			if kind.Is(name) && row.where.holds(tool) {
				return row
			}
		}
	}
	return nil
}

// clientItemNamed returns the row of calls of a type, or nil.
func clientItemNamed(n chat.Native) *clientItem {
	for i := range clientItems {
		if row := &clientItems[i]; n.Wire == Wire && n.Type == row.call {
			return row
		}
	}
	return nil
}

// answerOf returns the row whose results have a type, or nil.
func answerOf(kind rawjson.Value) *clientItem {
	for i := range clientItems {
		if row := &clientItems[i]; kind.Is(row.answer) {
			return row
		}
	}
	return nil
}

// isMember reports whether a member of the item is, or is among, the arguments.
func (row *clientItem) isMember(name string) bool {
	for _, m := range row.members {
		if m == name {
			return true
		}
	}
	return name == row.body
}

// arguments returns what an item asks for.
func (row *clientItem) arguments(item rawjson.Value) string {
	if row.body != "" {
		if body := item.Get(row.body); body.IsSet() {
			return string(body.JSON())
		}
		return "{}"
	}
	var w jsonout.Writer
	w.Object()
	for key, v := range item.Fields() {
		if row.isMember(string(key)) {
			w.Member(string(key), v.JSON())
		}
	}
	w.EndObject()
	return string(w.Out)
}

// write writes the item of a call. Not ok, with nothing written, are arguments
// that are no object. Extras are its other members.
func (row *clientItem) write(w *jsonout.Writer, id, callID, arguments string, extras chat.Extras) (ok bool) {
	asked, err := rawjson.Parse(arguments)
	if arguments == "" {
		asked, err = rawjson.Parse("{}")
	}
	if err != nil || asked.Kind != rawjson.Object {
		return false
	}
	w.Object()
	w.Text("type", row.call)
	if row.id == "id" {
		id = callID
	} else {
		w.Text("call_id", callID)
	}
	if extras.Get(Wire, "", "id") == nil {
		w.Text("id", id)
	}
	if row.status && extras.Get(Wire, "", "status") == nil {
		w.Text("status", "completed")
	}
	if row.body != "" {
		w.KeyObject(row.body)
		writeFields(w, asked, row.fill)
		w.EndObject()
	} else {
		for key, v := range asked.Fields() {
			if row.isMember(string(key)) {
				w.Member(string(key), v.JSON())
			}
		}
	}
	for _, f := range row.fixed {
		if extras.Get(Wire, "", f.name) == nil && !asked.Get(f.name).IsSet() {
			w.Member(f.name, json.RawMessage(f.value))
		}
	}
	return true
}

// writeFields writes the members of an object, and those that it lacks.
func writeFields(w *jsonout.Writer, object rawjson.Value, fill []fixed) {
	for _, f := range fill {
		if !object.Get(f.name).IsSet() {
			w.Member(f.name, json.RawMessage(f.value))
		}
	}
	for key, v := range object.Fields() {
		w.Member(string(key), v.JSON())
	}
}
