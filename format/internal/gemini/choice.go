package gemini

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

const (
	// inCalling is where the extras of functionCallingConfig stand.
	inCalling = "functionCallingConfig"

	// validated is the mode that holds calls to their schemas, and of itself
	// leaves the model free to make none.
	validated = "VALIDATED"
)

// toolConfig reads the choice of tools. A mode that is not known is kept as it
// is.
func (r *reading) toolConfig(v rawjson.Value) chat.ToolChoice {
	keep := r.Keeper()
	var config, mode, names rawjson.Value
	r.Members(v, "toolConfig", &keep, "", inCalling, wireio.AnObject(&config))
	r.Members(config, "toolConfig."+inCalling, &keep, inCalling, "mode", &mode, "allowedFunctionNames", wireio.AList(&names))
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
			keep.Spell(validated)
		}
	default:
		choice.Tools = nil
		keep.KeepSet(inCalling, []byte("mode"), mode)
		keep.KeepSet(inCalling, []byte("allowedFunctionNames"), names)
	}
	choice.Extras = keep.Extras
	return choice
}

// toolConfig writes the choice of tools, unless there is none. The wire accepts
// it beside declarations only.
func (w *writing) toolConfig(req *chat.Request) {
	c, _ := w.Choice(req, isDeclared)
	w.Log.Extras("tool_choice", c.Extras)
	if req.ParallelCalls == chat.Off { // that they may be parallel goes without saying
		w.Log.Add(features.ParallelCalls, "parallel_calls")
	}
	strict := false
	for _, tool := range req.Tools {
		strict = strict || isDeclared(tool) && tool.Strict == chat.On
	}
	mode := ""
	if c.Extras.Get(Wire, inCalling, "mode") == nil { // one that is not known
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
		w.Extras(c.Extras, inCalling)
		w.EndObject()
	}
	w.Extras(c.Extras, "")
	w.EndObject()
}

// modeOf returns the wire's word for a choice; "" is none.
func modeOf(c chat.ToolChoice, strict bool) string {
	switch c.Mode {
	case chat.ChoiceNone:
		return "NONE"
	case chat.ChoiceRequired, chat.ChoiceOne: // which holds calls to their schemas, too
		return "ANY"
	case chat.ChoiceAuto:
		if strict || len(c.Tools) > 0 || c.Extras.Spells(Wire, validated) {
			return validated
		}
		return "AUTO"
	}
	if strict {
		return validated
	}
	return ""
}

// isDeclared reports whether a tool is one that the choice is about.
func isDeclared(tool chat.Tool) bool { return !tool.Hosted }
