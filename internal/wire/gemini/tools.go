package gemini

import (
	"encoding/json"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/schemaform"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// jsonSchema marks a tool whose parameters came as JSON Schema instead of the vendor's
// own form.
const jsonSchema = "parametersJsonSchema"

func (r *reading) tools(v rawjson.Value, path string) []chat.Tool {
	var tools []chat.Tool
	for item := range list(&r.Reader, v, path).Items() {
		for key, member := range r.Object(item, path, "[]").Fields() {
			if camel(key) != "functionDeclarations" {
				tool := chat.Tool{Hosted: true, Extras: r.Extra(string(key), member)}
				tool.Name = string(key)
				tools = append(tools, tool)
				continue
			}
			at := path + "[].functionDeclarations"
			for f := range list(&r.Reader, member, at).Items() {
				tools = append(tools, r.function(r.Object(f, at, "[]"), at+"[]"))
			}
		}
	}
	return tools
}

func (r *reading) function(v rawjson.Value, path string) chat.Tool {
	var tool chat.Tool
	keep := r.Keeper()
	r.Members(v, path, &keep, "", "name", &tool.Name, "description", &tool.Description,
		"parameters", func(v rawjson.Value) {
			if v = r.Object(v, path, ".parameters"); v.IsSet() {
				tool.Parameters = schemaform.FromGemini(v.JSON())
			}
		},
		jsonSchema, func(v rawjson.Value) {
			if v.IsSet() {
				tool.Parameters = r.Texts.Copy(v)
				keep.NoteName(jsonSchema)
			}
		})
	tool.Extras = keep.Extras
	return tool
}

// list returns a list. The wire accepts an object as a list of one.
func list(r *wireio.Reader, v rawjson.Value, path ...string) rawjson.Value {
	if v.Kind == rawjson.Object {
		return rawjson.Value{Kind: rawjson.Array, Raw: slices.Concat([]byte("["), v.Raw, []byte("]")), At: v.At - 1}
	}
	return r.Array(v, path...)
}

// tools writes a list of tools: all declarations together, and each tool that the
// provider runs by itself.
func (w *writing) tools(tools []chat.Tool) {
	w.Array()
	declared := false
	for i, tool := range tools {
		field := wireio.At("tools", i)
		switch {
		case tool.Hosted:
			w.HostedTool(tool, field)
		case !declared:
			declared = true
			w.declarations(tools)
		}
	}
	w.EndArray()
}

func (w *writing) declarations(tools []chat.Tool) {
	w.Object()
	w.KeyArray("functionDeclarations")
	for i, tool := range tools {
		if tool.Hosted {
			continue
		}
		field := wireio.At("tools", i)
		w.DeclareTool(&tool, field)
		w.AsFunction(&tool, field)
		if tool.Strict == chat.On {
			w.Log.Add(features.Strict, field+".strict")
		}
		w.Object()
		w.ToolHead(tool, field)
		w.parameters(tool, field+".parameters")
		w.EndWith(tool.Extras, "")
	}
	w.EndArray()
	w.EndObject()
}

// parameters writes the schema of a tool, unless it is empty, because the wire rejects
// objects without properties.
func (w *writing) parameters(tool chat.Tool, field string) {
	if len(tool.Parameters) == 0 {
		return
	}
	if !json.Valid(tool.Parameters) {
		w.Log.Add(features.ToolSchema, field, "left out: it is not valid JSON")
		return
	}
	if wire.UsesName(tool.Extras, Wire, jsonSchema) {
		w.Member(jsonSchema, tool.Parameters)
		return
	}
	schema, own, changes := schemaform.ToGemini(tool.Parameters)
	for _, c := range changes {
		w.Log.Add(features.ToolSchema, field+c.Path, c.Action)
	}
	switch {
	case own:
		w.Member("parameters", schema)
	case len(schema) > 0:
		w.Member(jsonSchema, schema)
	}
}

const (
	// inCalling is the path of the extras of functionCallingConfig.
	inCalling = "functionCallingConfig"

	// validated is the mode that enforces the schemas of calls, and does not require
	// calls.
	validated = "VALIDATED"
)

// modeWords are the vendor's modes in the order of their numbers; see enumWord.
var modeWords = []string{"MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", validated}

// toolConfig reads the tool choice. It keeps an unknown mode as it is.
func (r *reading) toolConfig(v rawjson.Value) chat.ToolChoice {
	keep := r.Keeper()
	var config, mode, names rawjson.Value
	r.Members(v, "toolConfig", &keep, "", inCalling, wireio.ObjectMember(&config))
	r.Members(config, "toolConfig."+inCalling, &keep, inCalling, "mode", &mode, "allowedFunctionNames", wireio.ListMember(&names))
	if mode.Kind == rawjson.Number {
		mode = enumWord(&r.Reader, mode, modeWords)
	}
	var choice chat.ToolChoice
	choice.Tools = r.TextList(names, "toolConfig.functionCallingConfig.allowedFunctionNames")
	switch {
	case mode.Is("AUTO") && len(choice.Tools) == 0:
		choice.Mode = chat.ChoiceAuto
	case mode.Is("NONE") && len(choice.Tools) == 0:
		choice.Mode = chat.ChoiceNone
	case mode.Is("ANY") && len(choice.Tools) == 1:
		choice.Mode = chat.ChoiceOne
	case mode.Is("ANY"):
		choice.Mode = chat.ChoiceRequired
	case mode.Is(validated):
		choice.Mode = chat.ChoiceAuto
		if len(choice.Tools) == 0 {
			keep.NoteName(validated)
		}
	default:
		choice.Tools = nil
		keep.KeepSet(inCalling, []byte("mode"), mode)
		keep.KeepSet(inCalling, []byte("allowedFunctionNames"), names)
	}
	choice.Extras = keep.Extras
	return choice
}

// toolConfig writes the tool choice, if the request has one. The wire accepts it only
// together with declarations.
func (w *writing) toolConfig(req *chat.Request) {
	c, _ := w.Choice(req, isDeclared)
	w.Log.ReportExtras("tool_choice", c.Extras)
	if req.ParallelCalls == chat.Off { // parallel calls are the default
		w.Log.Add(features.ParallelCalls, "parallel_calls")
	}
	strict := false
	for _, tool := range req.Tools {
		strict = strict || isDeclared(tool) && tool.Strict == chat.On
	}
	mode := ""
	if c.Extras.Get(Wire, inCalling, "mode") == nil { // an unknown mode
		mode = modeOf(c, strict)
	}
	calling := mode != "" || w.HasExtras(c.Extras, inCalling)
	if !calling && !w.HasExtras(c.Extras, "") {
		return
	}
	w.KeyObject("toolConfig")
	if calling {
		w.KeyObject(inCalling)
		w.Text("mode", mode)
		if mode != "" && len(c.Tools) > 0 && c.Mode != chat.ChoiceNone {
			w.KeyArray("allowedFunctionNames")
			for _, name := range c.Tools {
				w.String(w.Name(name, "tool_choice.tools"))
			}
			w.EndArray()
		}
		w.EndWith(c.Extras, inCalling)
	}
	w.EndWith(c.Extras, "")
}

// modeOf returns the wire's word for a choice, or "".
func modeOf(c chat.ToolChoice, strict bool) string {
	switch c.Mode {
	case chat.ChoiceNone:
		return "NONE"
	case chat.ChoiceRequired, chat.ChoiceOne: // these also enforce the schemas
		return "ANY"
	case chat.ChoiceAuto:
		if strict || len(c.Tools) > 0 || wire.UsesName(c.Extras, Wire, validated) {
			return validated
		}
		return "AUTO"
	}
	if strict {
		return validated
	}
	return ""
}

// isDeclared reports whether the choice concerns a tool.
func isDeclared(tool chat.Tool) bool { return !tool.Hosted }
