package responses

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// DecodeTools reads a list of tools.
func (Codec) DecodeTools(list []byte) ([]chat.Tool, error) {
	r := newReading()
	return r.ToolList(list, r.tools)
}

// EncodeTools writes a list of tools.
func (Codec) EncodeTools(tools []chat.Tool, opts chat.Options) ([]byte, []chat.Loss, error) {
	w := newWriting(opts)
	w.tools(tools)
	return w.Out, w.Log.Losses, nil
}

// tools reads a list of tools. Those in a namespace are tools of their own.
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

// inNamespace is where the members of a namespace stand, with the first of its
// tools.
const inNamespace = "namespace"

// namespace reads the tools of a namespace, none where it is something else.
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

// tool reads a tool. What is neither a function nor a custom tool is run by the
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
		tool.Parameters = chat.CustomParameters()
	} else if tool.Strict != chat.Off {
		keep.Spell(asHere)
	}
	tool.Extras = keep.Extras
	return tool
}

// clientTool reads a tool that the vendor has defined and the client runs. To
// others it is a function.
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

// tools writes a list of tools, those of a namespace in an object of its own.
func (w *writing) tools(tools []chat.Tool) {
	w.Array()
	for i := 0; i < len(tools); {
		namespace, from := namespaceOf(tools[i]), i
		for i++; i < len(tools) && namespace != "" && namespaceOf(tools[i]) == namespace; i++ {
		}
		at := wireio.Places(tools[:i])[from:]
		if namespace == "" {
			w.EachTool(tools, at, w.tool)
			continue
		}
		w.Object()
		w.Text("type", "namespace")
		w.Text("name", namespace)
		w.Extras(tools[from].Extras, inNamespace)
		if tools[from].Extras.Get(Wire, inNamespace, "description") == nil {
			w.Key("description") // which servers want
			w.String(namespace)
		}
		w.Key("tools")
		w.Tools(tools, at, w.tool)
		w.EndObject()
	}
	w.EndArray()
}

// namespaceOf returns the namespace of this wire that a tool is in.
func namespaceOf(tool chat.Tool) string {
	if tool.Native.Wire != Wire {
		return ""
	}
	return tool.Native.Namespace
}

// ownName returns what this wire calls a tool.
func ownName(name string, n chat.Native) string {
	if n.Wire != Wire {
		return name
	}
	return wireio.OwnName(name, n)
}

func (w *writing) tool(tool chat.Tool, field string) {
	kind := "function"
	if tool.Custom {
		kind = "custom"
		w.custom[tool.Name] = true
	}
	w.Object()
	if row := clientItemNamed(tool.Native); row != nil && tool.Extras.Get(Wire, "", "type") != nil {
		w.Extras(tool.Extras, "")
		w.EndObject()
		return
	}
	w.Text("type", kind)
	w.KeyString("name", w.Name(ownName(tool.Name, tool.Native), field+".name"))
	w.Text("description", tool.Description)
	if !tool.Custom {
		w.StrictSchema(&tool, asHere, field)
		w.Member("parameters", tool.Parameters)
		w.strict(tool)
	}
	w.Extras(tool.Extras, "")
	w.EndObject()
}

// strict writes the flag. Without it the server makes tools strict where their
// schemas allow, which only those want that came from here.
func (w *writing) strict(tool chat.Tool) {
	if tool.Strict == chat.Unset && tool.Extras.Spells(Wire, asHere) {
		return
	}
	w.KeyBool("strict", tool.Strict == chat.On)
}
