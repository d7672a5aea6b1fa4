package anthropic

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/schemaform"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

func (r *reading) tools(v rawjson.Value, path string) []chat.Tool {
	tools := r.Tools(v, path, r.tool)
	r.NameTools(tools)
	return tools
}

func (r *reading) tool(v rawjson.Value, path string) chat.Tool {
	kind := v.Get("type")
	if row := clientToolOf(kind); row != nil && v.Get("name").IsSet() {
		return r.clientTool(row, v, kind)
	} else if kind.IsSet() && !kind.Is("custom") {
		return r.HostedTool(v, v.Get("name"), kind)
	}
	keep := r.Keeper()
	var tool chat.Tool
	if kind.IsSet() {
		keep.NoteName("custom")
	}
	r.Members(v, path, &keep, "", "type", nil, "name", &tool.Name, "description", &tool.Description, "input_schema", &tool.Parameters,
		"strict", func(strict rawjson.Value) bool {
			if strict.Kind == rawjson.Bool {
				tool.Strict = wire.SwitchOf(strict.IsTrue())
			}
			return strict.Kind == rawjson.Bool
		})
	if tool.Strict == chat.On {
		keep.NoteName(strictHere)
	}
	tool.Extras = keep.Extras
	return tool
}

// strictHere marks a tool that is strict by this wire's own rules, so that its schema is
// not rewritten.
const strictHere = "strict"

// takesNothing reports whether a tool's schema says nothing about its arguments, so that a
// strict tool has none.
func takesNothing(parameters json.RawMessage) bool {
	root, err := rawjson.Parse(parameters)
	return len(parameters) == 0 || err == nil && root.Len() == 1 && root.Get("type").Is("object")
}

func (w *writing) tools(tools []chat.Tool) { w.toolsAt(tools, wireio.Indices(tools)) }

// toolsAt writes the tools at these indices, except those that a message defines.
func (w *writing) toolsAt(tools []chat.Tool, at []int) {
	at = slices.DeleteFunc(slices.Clone(at), func(i int) bool { return definedInMessage(tools[i]) })
	w.Tools(tools, at, w.tool)
}

func (w *writing) tool(tool chat.Tool, field string) {
	w.AsFunction(&tool, field)
	w.Object()
	if tool.Native.Wire == Wire && tool.Native.Type != "" {
		w.EndWith(tool.Extras, "")
		return
	}
	if wire.UsesName(tool.Extras, Wire, "custom") {
		w.Text("type", "custom")
	}
	w.ToolHead(tool, field)
	if tool.Strict == chat.On && !wire.UsesName(tool.Extras, Wire, strictHere) && takesNothing(tool.Parameters) {
		tool.Parameters = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)
	}
	w.StrictBy(schemaform.ToDecoded, "strict tools support a part of JSON Schema", &tool, strictHere, field)
	w.Key("input_schema")
	w.schema(tool.Parameters, field+".parameters")
	w.Strict(tool)
	w.EndWith(tool.Extras, "")
}

// toolChoice reads tool_choice, which also says whether parallel calls are allowed. It
// keeps an unknown choice as a whole.
func (r *reading) toolChoice(req *chat.Request, v rawjson.Value) {
	var kind, name, disable rawjson.Value
	choice := chat.ToolChoice{Extras: r.Others(r.Object(v, "tool_choice"), "tool_choice", "type", &kind, "name", &name, "disable_parallel_tool_use", &disable)}
	switch {
	case !v.IsSet():
		return
	case kind.Is("auto"):
		choice.Mode = chat.ChoiceAuto
	case kind.Is("any"):
		choice.Mode = chat.ChoiceRequired
	case kind.Is("none"):
		choice.Mode = chat.ChoiceNone
	case kind.Is("tool") && name.Kind == rawjson.String:
		choice.Mode = chat.ChoiceOne
		choice.Tools = []string{r.Texts.Whole(name)}
	default:
		req.ToolChoice = chat.ToolChoice{Extras: r.Extra("tool_choice", v)}
		return
	}
	req.ToolChoice = choice
	if disable.Kind == rawjson.Bool {
		req.ParallelCalls = wire.SwitchOf(!disable.IsTrue())
	}
}

// offer writes the tools and the choice among them. The wire cannot restrict a choice to
// several tools; the other tools are therefore not offered.
func (w *writing) offer(req *chat.Request) {
	c, parallel := req.ToolChoice, req.ParallelCalls
	if req.Extras.Get(Wire, "", "mcp_servers") == nil || len(req.Tools) > 0 { // otherwise those have the tools
		var some bool
		c, some = w.Choice(req, w.SendsTool)
		parallel = w.ParallelCalls(req, some)
	}
	if w.SendsAnyTool(req.Tools) {
		at := wireio.Indices(req.Tools)
		if len(c.Tools) > 0 && (c.Mode == chat.ChoiceAuto || c.Mode == chat.ChoiceRequired) {
			if offered := w.OfferedTools(req, c.Tools, features.ChoiceAllowed, "tool_choice.tools"); len(offered) > 0 {
				at = offered
			} else { // the API accepts no choice without tools
				c = chat.ToolChoice{Mode: chat.ChoiceNone}
			}
		}
		w.Key("tools")
		w.toolsAt(req.Tools, at)
	}
	w.toolChoice(c, parallel)
}

// toolChoice writes the member, unless there is neither a choice nor a setting for
// parallel calls.
func (w *writing) toolChoice(c chat.ToolChoice, parallel chat.Switch) {
	if raw := c.Extras.Get(Wire, "", "tool_choice"); c.Mode == chat.ChoiceUnset && raw != nil {
		w.Member("tool_choice", raw)
		if parallel != chat.Unset {
			w.Log.Add(features.ParallelCalls, "parallel_calls")
		}
		return
	}
	w.Log.ReportExtras("tool_choice", c.Extras)
	if c.Mode == chat.ChoiceUnset && parallel == chat.Unset {
		return
	}
	w.KeyObject("tool_choice")
	switch {
	case c.Mode == chat.ChoiceNone:
		w.Text("type", "none")
	case c.Mode == chat.ChoiceOne && len(c.Tools) == 1:
		w.Text("type", "tool")
		w.Text("name", w.Name(c.Tools[0], "tool_choice"))
	case c.Mode == chat.ChoiceOne || c.Mode == chat.ChoiceRequired:
		w.Text("type", "any")
	default:
		w.Text("type", "auto")
	}
	switch {
	case parallel == chat.Unset:
	case c.Mode == chat.ChoiceNone: // this choice has no such flag, and allows no calls
		w.Log.Add(features.ParallelCalls, "parallel_calls", "left out: no tool may be called")
	default:
		w.KeyBool("disable_parallel_tool_use", parallel == chat.Off)
	}
	w.EndWith(c.Extras, "")
}

// clientTool is a tool that the vendor has defined and the client runs. A request
// declares it by its type; the model knows the rest.
type clientTool struct {
	prefix      string // of the type, which ends with a date
	description string
	schema      string // of the input, from the vendor's documentation
}

// clientTools are the known ones. The table is read-only.
var clientTools = [...]clientTool{
	{
		"bash_", "Runs a command in a shell session that lasts.",
		`{"type":"object","properties":{"command":{"type":"string"},"restart":{"type":"boolean","description":"Starts the session anew, in place of a command."}}}`,
	},
	{
		"text_editor_", "Views, creates and edits text files.",
		`{"type":"object","properties":{"command":{"type":"string","enum":["view","create","str_replace","insert","undo_edit"]},"path":{"type":"string"},` +
			`"view_range":{"type":"array","items":{"type":"integer"},"description":"For view: the first and the last line, from 1; -1 is the end of the file."},` +
			`"file_text":{"type":"string","description":"For create: the content of the file."},` +
			`"old_str":{"type":"string","description":"For str_replace: the text to replace."},"new_str":{"type":"string","description":"For str_replace: the text that replaces it."},` +
			`"insert_line":{"type":"integer","description":"For insert: the line after which the text goes; 0 is the beginning of the file."},"insert_text":{"type":"string","description":"For insert: the text."}},` +
			`"required":["command","path"]}`,
	},
	{
		"computer_", "Uses the mouse, the keyboard and the screen of a computer.",
		`{"type":"object","properties":{"action":{"type":"string","enum":["key","hold_key","type","cursor_position","mouse_move","left_mouse_down","left_mouse_up","left_click","left_click_drag","right_click","middle_click","double_click","triple_click","scroll","wait","screenshot","zoom"]},` +
			`"coordinate":{"type":"array","items":{"type":"integer"},"description":"x and y."},"start_coordinate":{"type":"array","items":{"type":"integer"},"description":"For left_click_drag: where it starts."},` +
			`"text":{"type":"string","description":"The text to type, or the keys to press."},"duration":{"type":"number","description":"For hold_key and wait: seconds."},` +
			`"scroll_direction":{"type":"string","enum":["up","down","left","right"]},"scroll_amount":{"type":"integer"},` +
			`"region":{"type":"array","items":{"type":"integer"},"description":"For zoom: the left, top, right and bottom edges."}},"required":["action"]}`,
	},
	{
		"memory_", "Keeps notes in files below /memories.",
		`{"type":"object","properties":{"command":{"type":"string","enum":["view","create","str_replace","insert","delete","rename"]},"path":{"type":"string"},` +
			`"view_range":{"type":"array","items":{"type":"integer"}},"file_text":{"type":"string"},"old_str":{"type":"string"},"new_str":{"type":"string"},` +
			`"insert_line":{"type":"integer"},"insert_text":{"type":"string"},"old_path":{"type":"string"},"new_path":{"type":"string"}},"required":["command"]}`,
	},
}

// clientToolOf returns the row for a type, or nil if the provider runs the tool.
func clientToolOf(kind rawjson.Value) *clientTool {
	if kind.Kind != rawjson.String {
		return nil
	}
	for i := range clientTools {
		if row := &clientTools[i]; strings.HasPrefix(string(kind.Raw), row.prefix) {
			return row
		}
	}
	return nil
}

// clientTool reads a tool that the client runs. For other wires it is a function.
func (r *reading) clientTool(row *clientTool, v, kind rawjson.Value) chat.Tool {
	tool := r.HostedTool(v, v.Get("name"))
	tool.Hosted, tool.Native = false, chat.Native{Wire: Wire, Type: r.Texts.Name(kind)}
	tool.Description, tool.Parameters = row.description, []byte(row.schema)
	return tool
}

// schema writes the schema of a tool.
func (w *writing) schema(raw json.RawMessage, field string) {
	object, ok := w.ObjectSchema(raw, field)
	if !ok {
		object = []byte(`{"type":"object"}`)
	}
	w.Raw(object)
}
