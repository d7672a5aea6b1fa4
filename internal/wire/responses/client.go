package responses

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// clientItem is a type of item with which the model requests something of the client,
// like a function call. The vendor has defined the requests, so that the item has members
// of its own instead of a name and arguments. Other wires get a call of a tool with this
// name, with the request as its arguments.
type clientItem struct {
	call, answer string   // types of the item and of the item with its result
	prefix       string   // of its ids
	tools        []string // types of the tools that allow the request
	where        condition

	name, description string
	schema            string // of the arguments

	body    string   // the member with the arguments
	fill    []fixed  // members of body that servers require
	members []string // members that form the arguments, if there is no body
	fixed   []fixed  // members of the item that servers require
	status  bool     // the item requires a status

	id        string // the member of the item that a result refers to,
	answersID string // and the member of the result with the reference
	result    resultForm
	output    string    // the member with the result
	wrap      string    // JSON around a text, if the result must be an object or a list
	verdict   bool      // the result has the status completed or failed
	isClient  condition // which results are the client's
	required  []fixed   // members of the result that servers require
}

// fixed is a member that is written if it is missing.
type fixed struct{ name, value string }

// condition selects the client's tools, calls and results: those that have, or do not
// have, a word with a prefix at a path. The zero value selects all.
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

// resultForm is the form of a call's result.
type resultForm uint8

const (
	asText   resultForm = iota // a text
	asJSON                     // a list or an object, which is a text on other wires
	asImage                    // an image
	asObject                   // members next to the type, which are an object on other wires
)

// clientItems are the known ones. The table is read-only.
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
		isClient: condition{path: [2]string{"execution"}, prefix: "client"}, required: []fixed{{"execution", `"client"`}},
	},
	{
		call: "mcp_approval_request", answer: "mcp_approval_response", prefix: "mcpr_",
		name:    "mcp_approval_request",
		members: []string{"server_label", "name", "arguments"},
		id:      "id", answersID: "approval_request_id", result: asObject, wrap: `{"approve":false,"reason":%}`,
	},
}

// clientItemWhere returns the first row of which is holds, or nil.
func clientItemWhere(is func(row *clientItem) bool) *clientItem {
	for i := range clientItems {
		if row := &clientItems[i]; is(row) {
			return row
		}
	}
	return nil
}

// clientItemOf returns the row for an item that requests something of the client, or nil.
func clientItemOf(item rawjson.Value) *clientItem {
	kind := item.Get("type")
	return clientItemWhere(func(row *clientItem) bool { return kind.Is(row.call) && row.where.holds(item) })
}

// clientToolOf returns the row for a tool that allows such a request, or nil.
func clientToolOf(tool rawjson.Value) *clientItem {
	kind := tool.Get("type")
	return clientItemWhere(func(row *clientItem) bool { return slices.ContainsFunc(row.tools, kind.Is) && row.where.holds(tool) })
}

// clientItemNamed returns the row for calls of a type, or nil.
func clientItemNamed(n chat.Native) *clientItem {
	if n.Wire != Wire {
		return nil
	}
	return clientItemWhere(func(row *clientItem) bool { return n.Type == row.call })
}

// answerOf returns the row for results of a type, or nil.
func answerOf(kind rawjson.Value) *clientItem {
	return clientItemWhere(func(row *clientItem) bool { return kind.Is(row.answer) })
}

// isMember reports whether a member of the item is, or belongs to, the arguments.
func (row *clientItem) isMember(name string) bool {
	return name == row.body || slices.Contains(row.members, name)
}

// arguments returns the request in an item.
func (row *clientItem) arguments(item rawjson.Value) string {
	if row.body != "" {
		if body := item.Get(row.body); body.IsSet() {
			return string(body.JSON())
		}
		return "{}"
	}
	var w jsonout.Writer
	w.Object()
	writeFields(&w, item, row.isMember)
	w.EndObject()
	return string(w.Out)
}

// write writes the item of a call. extras are its other members. If the arguments are not
// an object, it writes nothing and returns false.
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
		writeMissing(w, row.fill, asked, nil)
		w.Fields(asked)
		w.EndObject()
	} else {
		writeFields(w, asked, row.isMember)
	}
	writeMissing(w, row.fixed, asked, extras)
	return true
}

// writeFields writes those members of an object that passes accepts.
func writeFields(w *jsonout.Writer, object rawjson.Value, passes func(name string) bool) {
	for key, v := range object.Fields() {
		if name := string(key); passes(name) {
			w.Member(name, v.JSON())
		}
	}
}

// writeMissing writes the required members that neither the object nor its extras have.
func writeMissing(w *jsonout.Writer, required []fixed, object rawjson.Value, extras chat.Extras) {
	for _, f := range required {
		if !object.Get(f.name).IsSet() && extras.Get(Wire, "", f.name) == nil {
			w.Member(f.name, []byte(f.value))
		}
	}
}

// clientCall reads an item that requests something of the client.
func (r *reading) clientCall(row *clientItem, v rawjson.Value, path string) chat.Part {
	part := chat.CallPart("", "", row.arguments(v))
	part.Call.Name, part.Call.Native = r.CallName(row.name, chat.Native{Wire: Wire, Type: row.call}, r.IsAnswer)
	part.Call.Cut = r.IsAnswer && isUnfinished(v.Get("status"))
	keep := r.ofItem()
	keep.Skip = func(key []byte, v rawjson.Value) bool { return row.isMember(string(key)) || isNothing(key, v) }
	itemID := r.Texts.Whole(v.Get("id"))
	r.Members(v, path, &keep, "", row.id, &part.Call.ID,
		"status", func(key []byte, status rawjson.Value) {
			if !r.IsAnswer || !status.Is("completed") {
				keep.KeepSet("", key, status)
			}
		})
	if part.Call.ID == "" {
		part.Call.ID = itemID
	}
	part.Extras = keep.Extras
	r.asked[part.Call.ID] = row
	r.byItem[itemID] = part.Call.ID
	return part
}

// note records a call that the server runs, and whose result it has.
func (r *reading) note(v rawjson.Value) {
	kind := v.Get("type")
	if row := clientItemWhere(func(row *clientItem) bool { return kind.Is(row.call) }); row != nil {
		r.served[r.Texts.Name(v.Get(row.id))] = true
	}
}

// isAnswer reports whether an item is the client's answer to a request.
func (r *reading) isAnswer(v rawjson.Value) bool {
	row := answerOf(v.Get("type"))
	return row != nil && row.isClient.holds(v) && !r.served[r.Texts.Name(v.Get(row.answersID))]
}

// clientResult reads the client's answer, which refers to the call or to its item.
func (r *reading) clientResult(row *clientItem, v rawjson.Value, path string) chat.Message {
	result := new(chat.Result)
	keep := r.ofItem()
	var rest jsonout.Writer
	rest.Object()
	if row.result == asObject {
		keep.Skip = func(key []byte, v rawjson.Value) bool {
			if string(key) != "type" && string(key) != "id" {
				rest.Member(string(key), v.JSON())
				return true
			}
			return isNothing(key, v)
		}
	}
	known := []any{row.answersID, &result.CallID}
	if row.output != "" {
		known = append(known, row.output, func(v rawjson.Value) { result.Parts = r.clientOutput(row, v, path+"."+row.output) })
	}
	if row.verdict {
		known = append(known, "status", func(v rawjson.Value) { result.IsError = v.Is("failed") })
	}
	r.Members(v, path, &keep, "", known...)
	rest.EndObject()
	if row.result == asObject {
		result.Parts = []chat.Part{chat.TextPart(string(rest.Out))}
	}
	if callID, ok := r.byItem[result.CallID]; ok && r.asked[result.CallID] == nil {
		keep.NoteName(asItemID)
		result.CallID = callID
	}
	keep.NoteName(row.answer)
	return chat.Message{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: result, Extras: keep.Extras}}}
}

// clientOutput reads the content of the client's answer.
func (r *reading) clientOutput(row *clientItem, v rawjson.Value, path string) []chat.Part {
	switch {
	case !v.IsSet():
		return nil
	case row.result == asImage && v.Kind == rawjson.Object:
		return []chat.Part{r.image(v, path)}
	case row.result == asText && v.Kind == rawjson.String:
		return r.content(v, path)
	}
	return []chat.Part{chat.TextPart(string(v.JSON()))}
}

// clientCall writes a call as an item that requests something of the client. If its
// arguments are not an object, it writes nothing and returns false; the call is then
// written as that of a function.
func (w *writing) clientCall(row *clientItem, p wireio.Located) (ok bool) {
	callID := w.ID(p.Call.ID, p.Field+".call.id")
	id := itemID(row.prefix, w.seed+callID, w.items)
	if !row.write(&w.Writer.Writer, id, callID, p.Call.Arguments, p.Extras) {
		w.Log.Add(features.BrokenArguments, p.Field+".call.arguments", "a function call")
		return false
	}
	w.items++
	w.EndWith(p.Extras, "")
	if extra := p.Extras.Get(Wire, "", "id"); extra != nil {
		id = textOf(string(extra))
	}
	w.calls[callID] = written{answer: row.answer, row: row, itemID: id}
	return true
}

// answeredBy returns the call of a result that was read as the client's answer to an item
// that is not in the history.
func answeredBy(x chat.Extras) written {
	if row := clientItemWhere(func(row *clientItem) bool { return wire.UsesName(x, Wire, row.answer) }); row != nil {
		return written{answer: row.answer, row: row}
	}
	return written{answer: functionAnswer}
}

// clientResult writes the client's answer to a request.
func (w *writing) clientResult(call written, id string, p wireio.Located) {
	row := call.row
	w.Object()
	w.Text("type", row.answer)
	if wire.UsesName(p.Extras, Wire, asItemID) && call.itemID != "" {
		id = call.itemID
	}
	w.Text(row.answersID, id)
	switch row.result {
	case asImage:
		w.screenshot(row, p)
	case asObject:
		v := jsonOf(w.answerText(row, p), row.wrap)
		writeFields(&w.Writer.Writer, v, func(name string) bool {
			return name != "type" && name != row.answersID && p.Extras.Get(Wire, "", name) == nil
		})
	case asJSON:
		w.Member(row.output, jsonOf(w.answerText(row, p), row.wrap).JSON())
	default:
		if text := w.answerText(row, p); text != "" || !row.verdict {
			w.KeyString(row.output, text)
		}
	}
	if row.verdict {
		status := "completed"
		if p.Result.IsError {
			status = "failed"
		}
		w.Text("status", status)
	}
	writeMissing(&w.Writer.Writer, row.required, rawjson.Value{}, p.Extras)
	w.EndWith(p.Extras, "")
}

// answerText returns the text of a result, and reports its other parts.
func (w *writing) answerText(row *clientItem, p wireio.Located) string {
	var b strings.Builder
	if p.Result.IsError && !row.verdict {
		w.Log.Add(features.ResultError, p.Field+".result.is_error")
		b.WriteString(wireio.ErrorMark)
	}
	for _, part := range w.Locate(p.Result.Parts, p.Field+".result") {
		if part.Kind == chat.PartText {
			b.WriteString(part.Text)
		} else {
			w.Log.Add(features.OtherPart, part.Field)
		}
	}
	return b.String()
}

// screenshot writes the image of a result.
func (w *writing) screenshot(row *clientItem, p wireio.Located) {
	var image *chat.Part
	for _, part := range w.Locate(p.Result.Parts, p.Field+".result") {
		if part.Kind == chat.PartImage && image == nil {
			image = &part.Part
		} else {
			w.Log.Add(features.OtherPart, part.Field)
		}
	}
	w.KeyObject(row.output)
	w.Text("type", "computer_screenshot")
	if image != nil && image.Media != nil {
		m := image.Media
		w.Text("file_id", m.ID)
		if m.Data != "" {
			w.Text("image_url", "data:"+m.Type+";base64,"+m.Data)
		} else {
			w.Text("image_url", m.URL)
		}
		w.Extras(image.Extras, "")
	}
	w.EndObject()
}

// jsonOf returns the JSON in a text if it is a list or an object, like wrap, and
// otherwise wrap with the text in it.
func jsonOf(text, wrap string) rawjson.Value {
	v, err := rawjson.Parse(text)
	wrapped, _ := new(rawjson.Reader).Open(frame.Event{
		Data: []byte(strings.Replace(wrap, "%", string(rawjson.AppendQuoted(nil, text)), 1)),
	})
	if err == nil && v.Kind == wrapped.Kind {
		return v
	}
	return wrapped
}
