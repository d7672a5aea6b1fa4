package ollama

import (
	"encoding/json"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

func (r *reading) tools(v rawjson.Value, path string) []chat.Tool {
	return r.Tools(v, path, r.tool)
}

// tool reads a tool. One without a function is of another kind, which only the server
// knows.
func (r *reading) tool(v rawjson.Value, path string) chat.Tool {
	keep := r.Keeper()
	var kind, function rawjson.Value
	r.Members(v, path, &keep, "", "type", &kind, inFunction, wireio.ObjectMember(&function))
	if !function.IsSet() {
		return r.HostedTool(v, kind)
	}
	var tool chat.Tool
	r.Members(function, path+".function", &keep, inFunction, "name", &tool.Name, "description", &tool.Description, "parameters", &tool.Parameters)
	tool.Extras = keep.Extras
	return tool
}

func (w *writing) tools(tools []chat.Tool) { w.Tools(tools, wireio.Indices(tools), w.tool) }

func (w *writing) tool(tool chat.Tool, field string) {
	if tool.Strict == chat.On {
		w.Log.Add(features.Strict, field+".strict")
	}
	w.AsFunction(&tool, field)
	w.Object()
	w.Text("type", "function")
	w.KeyObject(inFunction)
	w.ToolHead(tool, field)
	w.Key("parameters")
	w.schema(tool.Parameters, field+".parameters")
	w.EndWith(tool.Extras, inFunction)
	w.EndWith(tool.Extras, "")
}

// offer writes the tools. Because the wire has no tool choice, it offers only the tools
// that may be called.
func (w *writing) offer(req *chat.Request) {
	w.Log.ReportExtras("tool_choice", req.ToolChoice.Extras)
	some := w.SendsAnyTool(req.Tools)
	c, _ := w.Choice(req, w.SendsTool)
	if !some {
		return
	}
	at := wireio.Indices(req.Tools)
	switch {
	case c.Mode == chat.ChoiceNone:
		w.Log.Add(features.ChoiceNone, "tool_choice")
		return
	case c.Mode == chat.ChoiceOne && len(c.Tools) > 0:
		at = w.OfferedTools(req, c.Tools, features.ChoiceOne, "tool_choice")
	case len(c.Tools) > 0 && (c.Mode == chat.ChoiceAuto || c.Mode == chat.ChoiceRequired):
		if c.Mode == chat.ChoiceRequired {
			w.Log.Add(features.ChoiceRequired, "tool_choice", "the model need not call any of them")
		}
		at = w.OfferedTools(req, c.Tools, features.ChoiceAllowed, "tool_choice.tools")
	case c.Mode == chat.ChoiceRequired || c.Mode == chat.ChoiceOne:
		w.Log.Add(features.ChoiceRequired, "tool_choice")
	}
	if len(at) > 0 {
		w.Key("tools")
		w.Tools(req.Tools, at, w.tool)
	}
}

// maxSchemaDepth limits the depth of schemas that are checked. Deeper parts are written
// unchanged.
const maxSchemaDepth = 64

// schema writes the parameters of a tool, including keywords that the server ignores,
// because a newer one may know them. The server rejects a request if a schema in it has
// the wrong shape, so that such schemas are changed.
func (w *writing) schema(schema json.RawMessage, field string) {
	v, err := rawjson.Parse(schema)
	if v.Kind != rawjson.Object {
		if err != nil || v.IsSet() {
			w.Log.Add(features.ToolSchema, field, "left out: it is not an object")
		}
		w.Raw([]byte(`{"type":"object","properties":{}}`))
		return
	}
	w.schemaNode(v, field, 0)
}

// schemaNode writes a schema; depth 0 is that of the parameters.
func (w *writing) schemaNode(v rawjson.Value, field string, depth int) {
	if v.Kind != rawjson.Object {
		w.Log.Add(features.ToolSchema, field, "written as {}: the server requires an object")
		w.Raw([]byte("{}"))
		return
	}
	if depth > maxSchemaDepth {
		w.Raw(v.Raw)
		return
	}
	w.Object()
	for key, member := range v.Fields() {
		name := string(key)
		switch place := field + "." + name; {
		case !fits(name, member, depth == 0):
			w.misfit(name, member, place)
		case name == "properties" && member.IsSet():
			w.KeyObject(name)
			for key, property := range member.Fields() {
				w.Key(string(key))
				w.schemaNode(property, place+"."+string(key), depth+1)
			}
			w.EndObject()
		case name == "anyOf" && member.IsSet() && depth > 0:
			w.KeyArray(name)
			i := 0
			for alternative := range member.Items() {
				w.schemaNode(alternative, wireio.At(place, i), depth+1)
				i++
			}
			w.EndArray()
		default:
			w.Member(name, member.JSON())
		}
	}
	w.EndObject()
}

// fits reports whether the value of a keyword has the type that the server requires.
func fits(name string, v rawjson.Value, root bool) bool {
	if !v.IsSet() {
		return true
	}
	switch name {
	case "type":
		return v.Kind == rawjson.String || !root && isTexts(v)
	case "required":
		return isTexts(v)
	case "properties":
		return v.Kind == rawjson.Object
	case "anyOf", "enum":
		return root || v.Kind == rawjson.Array
	case "description":
		return root || v.Kind == rawjson.String
	}
	return true
}

// isTexts reports whether a value is a list of strings.
func isTexts(v rawjson.Value) bool {
	for item := range v.Items() {
		if item.Kind != rawjson.String {
			return false
		}
	}
	return v.Kind == rawjson.Array
}

// misfit handles a keyword for which the server would reject the request.
func (w *writing) misfit(name string, v rawjson.Value, field string) {
	if name == "type" {
		for item := range v.Items() {
			if item.Is("object") {
				w.Log.Add(features.ToolSchema, field, "written as object")
				w.Text(name, "object")
				return
			}
		}
	}
	w.Log.Add(features.ToolSchema, field, "left out: the server would refuse the request")
}
