package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

func (r *reading) tools(v rawjson.Value, path string) []chat.Tool {
	return r.Tools(v, path, r.tool)
}

func (r *reading) tool(v rawjson.Value, path string) chat.Tool {
	keep := r.Keeper()
	var kind, function, custom rawjson.Value
	r.Members(v, path, &keep, "", "type", &kind, "function", &function, "custom", &custom)
	switch {
	case function.Kind == rawjson.Object:
		tool := r.function(function, "function", path+".function", &keep)
		tool.Extras = keep.Extras
		return tool
	case custom.Kind == rawjson.Object:
		tool := r.function(custom, "custom", path+".custom", &keep)
		tool.Custom, tool.Parameters = true, wire.CustomParameters()
		tool.Extras = keep.Extras
		return tool
	case kind.Is("function"):
		r.Fail(function, errNoFunction, path, ".function")
		return chat.Tool{}
	}
	return r.HostedTool(v, kind)
}

// function reads the members of a function, a custom tool or a legacy function.
func (r *reading) function(v rawjson.Value, in, path string, keep *unknown.Keeper) chat.Tool {
	var tool chat.Tool
	r.Members(v, path, keep, in, "name", &tool.Name, "description", &tool.Description, "strict", &tool.Strict,
		"parameters", func(v rawjson.Value) {
			if v.IsSet() {
				tool.Parameters = r.Texts.Copy(v)
			}
		})
	if in != "custom" {
		keep.NoteName(asHere)
	}
	return tool
}

func (w *writing) tools(tools []chat.Tool) { w.Tools(tools, wireio.Indices(tools), w.tool) }

func (w *writing) tool(tool chat.Tool, field string) {
	in := "function"
	if tool.Custom {
		in = "custom"
		w.custom[tool.Name] = true
	}
	w.Object()
	w.KeyString("type", in)
	w.KeyObject(in)
	w.ToolHead(tool, field)
	if !tool.Custom {
		w.StrictSchema(&tool, asHere, field)
		if len(tool.Parameters) > 0 {
			w.Member("parameters", tool.Parameters)
		}
		w.Strict(tool)
	}
	w.EndWith(tool.Extras, in)
	w.EndWith(tool.Extras, "")
}

// asHere marks a tool from this wire, so that its schema must not change.
const asHere = "strict"

// toolChoice reads tool_choice, or the legacy function_call of a request.
func (r *reading) toolChoice(v rawjson.Value) chat.ToolChoice {
	return r.ToolChoice(v, r.choiceObject)
}

// anyTool is Mistral's word for a required call.
const anyTool = "any"

func (r *reading) choiceObject(v rawjson.Value) (chat.ToolChoice, bool) {
	keep := r.Keeper()
	if v.Is(anyTool) {
		keep.NoteName(anyTool)
		return chat.ToolChoice{Mode: chat.ChoiceRequired, Extras: keep.Extras}, true
	}
	var one, allowed, legacy rawjson.Value
	in := ""
	named := func(key []byte, v rawjson.Value) { one, in = v, string(key) }
	r.Members(v, "", &keep, "", "type", nil, "function", named, "custom", named, "allowed_tools", &allowed, "name", &legacy)
	choice := chat.ToolChoice{Mode: chat.ChoiceOne}
	switch name := one.Get("name"); {
	case name.Kind == rawjson.String:
		choice.Tools = []string{r.Texts.Whole(name)}
		keep.Rest(in, one, "name")
	case legacy.Kind == rawjson.String:
		choice.Tools = []string{r.Texts.Whole(legacy)}
	case allowed.Kind == rawjson.Object:
		choice.Mode = wireio.ModeOfAllowed(allowed.Get("mode"))
		for tool := range allowed.Get("tools").Items() {
			name := tool.Get("function").Get("name")
			if !name.IsSet() {
				name = tool.Get("custom").Get("name")
			}
			if name.Kind != rawjson.String {
				return chat.ToolChoice{}, false // with a hosted tool among them
			}
			choice.Tools = append(choice.Tools, r.Texts.Whole(name))
		}
		keep.Rest("allowed_tools", allowed, "mode", "tools")
	default:
		return chat.ToolChoice{}, false
	}
	choice.Extras = keep.Extras
	return choice, true
}

// toolChoice writes the tool choice, unless there is none.
func (w *writing) toolChoice(c chat.ToolChoice) {
	mode := w.ChoiceWord(c)
	if mode == "required" && wire.UsesName(c.Extras, Wire, anyTool) {
		mode = anyTool
	}
	w.WriteChoice(c, mode, "allowed_tools", w.choiceOf)
}

// choiceOf writes the name of a tool in a choice.
func (w *writing) choiceOf(tool, field string, x chat.Extras) {
	in := "function"
	if w.custom[tool] {
		in = "custom"
	}
	w.Object()
	w.Text("type", in)
	w.KeyObject(in)
	w.Text("name", w.Name(tool, field))
	w.EndWith(x, in)
	w.EndWith(x, "")
}
