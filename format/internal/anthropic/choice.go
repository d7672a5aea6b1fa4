package anthropic

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// toolChoice reads tool_choice, which also says whether calls may be parallel.
// What is none of the known choices is kept whole.
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
		whole := r.Keeper()
		whole.Keep("", []byte("tool_choice"), v)
		req.ToolChoice = chat.ToolChoice{Extras: whole.Extras}
		return
	}
	req.ToolChoice = choice
	if disable.Kind == rawjson.Bool {
		req.ParallelCalls = chat.SwitchOf(!disable.IsTrue())
	}
}

// offer writes the tools and the choice among them. The wire cannot narrow a
// choice to several tools, so the others are not offered.
func (w *writing) offer(req *chat.Request) {
	c, parallel := req.ToolChoice, req.ParallelCalls
	if req.Extras.Get(Wire, "", "mcp_servers") == nil || len(req.Tools) > 0 { // else those have the tools
		var some bool
		c, some = w.Choice(req, w.Sends)
		parallel = w.Parallel(req, some)
	}
	if w.SendsAny(req.Tools) {
		at := wireio.Places(req.Tools)
		if len(c.Tools) > 0 && (c.Mode == chat.ChoiceAuto || c.Mode == chat.ChoiceRequired) {
			if offered := w.Offered(req, c.Tools, features.ChoiceAllowed, "tool_choice.tools"); len(offered) > 0 {
				at = offered
			} else { // the API takes no choice without tools
				c = chat.ToolChoice{Mode: chat.ChoiceNone}
			}
		}
		w.Key("tools")
		w.tools(req.Tools, at)
	}
	w.toolChoice(c, parallel)
}

// toolChoice writes the member, unless there is neither a choice nor a word on
// parallel calls.
func (w *writing) toolChoice(c chat.ToolChoice, parallel chat.Switch) {
	if raw := c.Extras.Get(Wire, "", "tool_choice"); c.Mode == chat.ChoiceUnset && raw != nil {
		w.Member("tool_choice", raw)
		if parallel != chat.Unset {
			w.Log.Add(features.ParallelCalls, "parallel_calls")
		}
		return
	}
	w.Log.Extras("tool_choice", c.Extras)
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
	case c.Mode == chat.ChoiceNone: // it has no such flag, and there are no calls to be parallel
		w.Log.Add(features.ParallelCalls, "parallel_calls", "left out: no tool may be called")
	default:
		w.KeyBool("disable_parallel_tool_use", parallel == chat.Off)
	}
	w.Extras(c.Extras, "")
	w.EndObject()
}
