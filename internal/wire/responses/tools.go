package responses

import (
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// tools reads a list of tools. Those in a namespace become separate tools.
func (r *reading) tools(v rawjson.Value, path string) []chat.Tool {
	var tools []chat.Tool
	for item := range r.Array(v, path).Items() {
		item = r.Object(item, path, "[]")
		if nested := r.namespace(item, path+"[]"); len(nested) > 0 {
			tools = append(tools, nested...)
		} else {
			tools = append(tools, r.tool(item, path+"[]"))
		}
	}
	r.NameTools(tools)
	return tools
}

// inNamespace is the path of the members of a namespace, which are kept with its first
// tool.
const inNamespace = "namespace"

// namespace reads the tools of a namespace; nil for other values.
func (r *reading) namespace(v rawjson.Value, path string) []chat.Tool {
	if !v.Get("type").Is("namespace") {
		return nil
	}
	name := r.Text(v.Get("name"), path, ".name")
	var tools []chat.Tool
	for item := range r.Array(v.Get("tools"), path, ".tools").Items() {
		tool := r.tool(r.Object(item, path, ".tools[]"), path+".tools[]")
		tool.Native.Wire, tool.Native.Namespace = Wire, name
		tools = append(tools, tool)
	}
	if len(tools) > 0 {
		keep := r.Keeper()
		keep.Rest(inNamespace, v, "type", "name", "tools")
		tools[0].Extras = append(tools[0].Extras, keep.Extras...)
	}
	return tools
}

// tool reads a tool. Tools that are neither a function nor a custom tool are run by the
// provider.
func (r *reading) tool(v rawjson.Value, path string) chat.Tool {
	kind := r.String(v.Get("type"), path, ".type")
	if !kind.IsSet() {
		r.Missing(v, path, ".type")
	}
	custom := kind.Is("custom")
	if row := clientToolOf(v); row != nil {
		return r.clientTool(row, v, path)
	} else if !custom && !kind.Is("function") {
		return r.HostedTool(v, kind)
	}
	tool := chat.Tool{Custom: custom}
	keep := r.Keeper()
	known := []any{"type", nil, "name", &tool.Name, "description", &tool.Description}
	if !custom {
		known = append(known, "parameters", &tool.Parameters, "strict", &tool.Strict)
	}
	r.Members(v, path, &keep, "", known...)
	if tool.Name == "" {
		r.Missing(v, path, ".name")
	}
	if custom {
		tool.Parameters = wire.CustomParameters()
	} else {
		keep.NoteName(asHere)
	}
	tool.Extras = keep.Extras
	return tool
}

// clientTool reads a tool that the vendor has defined and the client runs. For other
// wires it is a function.
func (r *reading) clientTool(row *clientItem, v rawjson.Value, path string) chat.Tool {
	tool := r.HostedTool(v)
	tool.Hosted, tool.Name, tool.Native = false, row.name, chat.Native{Wire: Wire, Type: row.call}
	if tool.Description = r.Text(v.Get("description"), path, ".description"); tool.Description == "" {
		tool.Description = row.description
	}
	if tool.Parameters = []byte(row.schema); v.Get("parameters").Kind == rawjson.Object {
		tool.Parameters = v.Get("parameters").JSON()
	}
	return tool
}

// tools writes a list of tools, with those of a namespace in an object of its own.
func (w *writing) tools(tools []chat.Tool) {
	w.Array()
	for i := 0; i < len(tools); {
		namespace, from := namespaceOf(tools[i]), i
		for i++; i < len(tools) && namespace != "" && namespaceOf(tools[i]) == namespace; i++ {
		}
		at := wireio.Indices(tools[:i])[from:]
		if namespace == "" {
			w.EachTool(tools, at, w.tool)
			continue
		}
		w.Object()
		w.Text("type", "namespace")
		w.Text("name", namespace)
		w.Extras(tools[from].Extras, inNamespace)
		if tools[from].Extras.Get(Wire, inNamespace, "description") == nil {
			w.Key("description") // servers require it
			w.String(namespace)
		}
		w.Key("tools")
		w.Tools(tools, at, w.tool)
		w.EndObject()
	}
	w.EndArray()
}

// namespaceOf returns the namespace of a tool on this wire.
func namespaceOf(tool chat.Tool) string {
	if tool.Native.Wire != Wire {
		return ""
	}
	return tool.Native.Namespace
}

// ownName returns this wire's name of a tool.
func ownName(name string, n chat.Native) string {
	if n.Wire != Wire {
		return name
	}
	return wireio.OwnName(name, n)
}

func (w *writing) tool(tool chat.Tool, field string) {
	w.listed[tool.Name] = tool
	w.Object()
	if row := clientItemNamed(tool.Native); row != nil && tool.Extras.Get(Wire, "", "type") != nil {
		w.EndWith(tool.Extras, "")
		return
	}
	w.Text("type", kindOf(tool))
	w.KeyString("name", w.Name(ownName(tool.Name, tool.Native), field, ".name"))
	w.Text("description", tool.Description)
	if !tool.Custom {
		w.StrictSchema(&tool, asHere, field)
		w.Member("parameters", tool.Parameters)
		w.strict(tool)
	}
	w.EndWith(tool.Extras, "")
}

func kindOf(tool chat.Tool) string {
	if tool.Custom {
		return "custom"
	}
	return "function"
}

// strict writes the flag. Without it, the server makes tools strict if their schemas
// allow that, which is intended only for tools from this wire.
func (w *writing) strict(tool chat.Tool) {
	if tool.Strict == chat.Unset && wire.UsesName(tool.Extras, Wire, asHere) {
		return
	}
	w.KeyBool("strict", tool.Strict == chat.On)
}

// toolChoice reads tool_choice. It keeps a choice of a tool that the provider runs as
// unknown.
func (r *reading) toolChoice(v rawjson.Value) chat.ToolChoice {
	return r.ToolChoice(v, r.choiceObject)
}

func (r *reading) choiceObject(v rawjson.Value) (choice chat.ToolChoice, ok bool) {
	if v.Kind != rawjson.String { // possibly a future word
		v = r.Object(v, "tool_choice")
	}
	keep := r.Keeper()
	kind := v.Get("type")
	switch {
	case r.chosen(v) != "":
		choice.Mode = chat.ChoiceOne
		choice.Tools = []string{r.chosen(v)}
		if isFunction(kind) {
			keep.Rest("", v, "type", "name", "namespace")
		} else {
			keep.Rest("", v, "type")
		}
	case kind.Is("allowed_tools"):
		choice.Mode = wireio.ModeOfAllowed(v.Get("mode"))
		for tool := range v.Get("tools").Items() {
			name, more := r.chosen(tool), r.Keeper()
			more.Rest("", tool, "type", "name", "namespace")
			if name == "" || len(more.Extras) > 0 {
				return chat.ToolChoice{}, false
			}
			choice.Tools = append(choice.Tools, name)
		}
		if len(choice.Tools) == 0 {
			return chat.ToolChoice{}, false
		}
		keep.Rest("", v, "type", "mode", "tools")
	default:
		return chat.ToolChoice{}, false
	}
	choice.Extras = keep.Extras
	return choice, true
}

// chosen returns the name of the tool in a choice, if the client runs it.
func (r *reading) chosen(v rawjson.Value) string {
	if isFunction(v.Get("type")) {
		if v.Get("name").Kind != rawjson.String {
			return ""
		}
		namespace := r.Texts.Whole(r.String(v.Get("namespace"), "tool_choice.namespace"))
		name, _ := r.ToolName(r.Texts.Whole(v.Get("name")), chat.Native{Namespace: namespace})
		return name
	}
	if row := clientItemWhere(func(row *clientItem) bool { return slices.ContainsFunc(row.tools, v.Get("type").Is) }); row != nil && !v.Get("name").IsSet() {
		name, _ := r.ToolName(row.name, chat.Native{Type: row.call})
		return name
	}
	return ""
}

func isFunction(kind rawjson.Value) bool { return kind.Is("function") || kind.Is("custom") }

// toolChoice writes the tool choice, unless there is none.
func (w *writing) toolChoice(c chat.ToolChoice) { w.WriteChoice(c, w.ChoiceWord(c), "", w.choiceOf) }

// choiceOf writes a tool in a choice.
func (w *writing) choiceOf(tool, field string, x chat.Extras) {
	listed := w.listed[tool]
	w.Object()
	if row := clientItemNamed(listed.Native); row != nil && len(row.tools) > 0 {
		w.Text("type", row.tools[0])
	} else {
		w.Text("type", kindOf(listed))
		w.named(tool, listed.Native, field, nil)
	}
	w.EndWith(x, "")
}
