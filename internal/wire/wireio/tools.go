package wireio

import (
	"encoding/json"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/schemaform"
)

// manyTools limits the tools for which memory is allocated before they are read.
const manyTools = 256

// Tools reads a list of tools with read.
func (r *Reader) Tools(v rawjson.Value, path string, read func(v rawjson.Value, path string) chat.Tool) []chat.Tool {
	var tools []chat.Tool
	list := r.Array(v, path)
	tools = slices.Grow(tools, min(list.Len(), manyTools))
	for item := range list.Items() {
		tools = append(tools, read(r.Object(item, path, "[]"), path+"[]"))
		if r.Err() != nil {
			break
		}
	}
	return tools
}

// Remember returns the tools that read reads from a request's list at a path. If the
// reader's memory contains the list, it does not call read.
func (r *Reader) Remember(list rawjson.Value, path string, read func(list rawjson.Value, path string) []chat.Tool) []chat.Tool {
	if r.known.size > 0 && list.At == r.known.at { // also after an error: the list is not there
		r.listed, _ = r.known.names.(map[string]toolKey)
		return r.known.tools
	}
	if r.memory == nil || !list.IsSet() || r.Err() != nil {
		return read(list, path)
	}
	tools, names := r.memory.Remember(r.Wire, list.Raw, func() ([]chat.Tool, any, bool) {
		tools := read(list, path)
		names := r.tools
		r.tools = nil
		return slices.Clip(tools), names, r.Err() == nil
	})
	r.listed, _ = names.(map[string]toolKey)
	return tools
}

// HostedTool keeps a tool that the provider runs unchanged. Its name is the first
// non-empty one in names.
func (r *Reader) HostedTool(v rawjson.Value, names ...rawjson.Value) chat.Tool {
	tool := chat.Tool{Hosted: true, Extras: r.Others(v, "")}
	for _, name := range names {
		if tool.Name = r.Texts.Name(name); tool.Name != "" {
			break
		}
	}
	return tool
}

// Tools writes the list of the tools at these indices with write, except those that the
// provider runs.
func (w *Writer) Tools(tools []chat.Tool, at []int, write func(tool chat.Tool, field string)) {
	w.Array()
	w.EachTool(tools, at, write)
	w.EndArray()
}

// EachTool is Tools for a list that is already open.
func (w *Writer) EachTool(tools []chat.Tool, at []int, write func(tool chat.Tool, field string)) {
	for _, i := range at {
		field := At("tools", i)
		if tool := tools[i]; tool.Hosted {
			w.HostedTool(tool, field)
		} else {
			w.DeclareTool(&tool, field)
			write(tool, field)
		}
	}
}

// DeclareTool changes a tool to what the wire can declare, remembers the original, and
// reports the losses.
func (w *Writer) DeclareTool(tool *chat.Tool, field string) {
	w.names.NoteTool(*tool)
	if first, again := w.declared[tool.Name]; again {
		w.Log.AddFor(first+" has the same name", field+".name", "both are written; the server may refuse them")
	} else {
		if w.declared == nil {
			w.declared = make(map[string]string, w.tools)
		}
		w.declared[tool.Name] = field
	}
	w.native(tool, field)
	if tool.Custom {
		tool.Extras = w.Log.ConvertCustomTool(tool.Extras)
	}
	w.Log.ReportExtras(field, tool.Extras)
}

// native changes a tool that another wire knows by its type to an ordinary function, and
// reports what happens to its namespace.
func (w *Writer) native(tool *chat.Tool, field string) {
	switch n := tool.Native; {
	case n.Wire == w.wire:
	case n.Type != "":
		w.Log.Add(features.ClientTool, field, "the function "+tool.Name+" stands for "+n.Type)
		tool.Extras = nil
	case n.Namespace != "":
		w.Log.Add(features.Namespace, field+".name", n.Namespace+" begins the name: "+tool.Name)
	}
}

// ToolHead writes the members of a tool that all wires share.
func (w *Writer) ToolHead(tool chat.Tool, field string) {
	w.KeyString("name", w.Name(tool.Name, field, ".name"))
	w.Text("description", tool.Description)
}

// AsFunction changes a custom tool to a function, for wires without custom tools.
func (w *Writer) AsFunction(tool *chat.Tool, field string) {
	if !tool.Custom {
		return
	}
	w.Log.Add(features.CustomTool, field)
	if len(tool.Parameters) == 0 {
		tool.Parameters = wire.CustomParameters()
	}
}

// Strict writes whether a tool is strict, if that is known.
func (w *Writer) Strict(tool chat.Tool) {
	if tool.Strict != chat.Unset {
		w.KeyBool("strict", tool.Strict == chat.On)
	}
}

// ObjectSchema returns the schema of a tool with an object at its root that has a type and no
// alternatives, for wires that require that. It returns false if the schema is no object.
func (w *Writer) ObjectSchema(raw json.RawMessage, field string) (json.RawMessage, bool) {
	root, err := rawjson.Parse(raw)
	switch {
	case err != nil:
		w.Log.Add(features.ToolSchema, field, "left out: it is not valid JSON")
		return nil, false
	case root.Kind != rawjson.Object:
		if root.Kind == rawjson.Bool && !root.IsTrue() {
			w.Log.Add(features.ToolSchema, field, "left out: no arguments fit it")
		}
		return nil, false
	}
	var kind rawjson.Value
	plain := true
	for key, member := range root.Fields() {
		switch string(key) {
		case "type":
			kind = member
		case "$ref", "anyOf", "oneOf", "allOf":
			plain = false
		}
	}
	if plain && kind.Is("object") { // as nearly always
		return raw, true
	}
	doc, err := jsonvalue.Parse(raw)
	if err != nil {
		return raw, true
	}
	object, done := schemaform.AsObject(doc)
	if done != "" {
		w.Log.Add(features.ToolSchema, field, done)
	}
	return jsonvalue.Compact.AppendWritten(nil, object), true
}

// StrictSchema changes the schema of a tool to conform to OpenAI's rules, unless the tool is
// marked as one from the wire itself. If a strict tool cannot conform, it becomes non-strict.
func (w *Writer) StrictSchema(tool *chat.Tool, mark, field string) {
	foreign := !wire.UsesName(tool.Extras, w.wire, mark)
	if foreign && len(tool.Parameters) > 0 {
		tool.Parameters, _ = w.ObjectSchema(tool.Parameters, field+".parameters")
	}
	items, added := schemaform.WithItems(tool.Parameters, foreign)
	for _, c := range added {
		w.Log.AddFor("the wire wants the type of all elements", field+".parameters"+c.Path, c.Action)
	}
	tool.Parameters = items
	w.StrictBy(schemaform.ToStrict, "", tool, mark, field)
}

// StrictRules rewrite the schema of a strict tool; see schemaform.
type StrictRules = func(json.RawMessage) (json.RawMessage, []schemaform.Change, bool)

// StrictBy is StrictSchema for the rules of any wire. why is the reason for the changes; ""
// is that of the feature.
func (w *Writer) StrictBy(rules StrictRules, why string, tool *chat.Tool, mark, field string) {
	if tool.Strict != chat.On || wire.UsesName(tool.Extras, w.wire, mark) {
		return
	}
	schema, changes, ok := rules(tool.Parameters)
	if !ok {
		tool.Strict = chat.Off
		w.Log.Add(features.Strict, field+".strict", "not strict: in parameters"+changes[0].Path+" "+changes[0].Action)
		return
	}
	for _, c := range changes {
		if at := field + ".parameters" + c.Path; why != "" {
			w.Log.AddFor(why, at, c.Action)
		} else {
			w.Log.Add(features.ToolSchema, at, c.Action)
		}
	}
	tool.Parameters = schema
}
