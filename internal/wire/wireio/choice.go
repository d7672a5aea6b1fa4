package wireio

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// SendsTool reports whether the wire gets a tool: all except those that another provider
// runs.
func (w *Writer) SendsTool(tool chat.Tool) bool { return !tool.Hosted || w.HasExtras(tool.Extras, "") }

// SendsAnyTool reports whether the wire gets any of a request's tools. If not, no list is
// written, and SendsAnyTool reports the losses.
func (w *Writer) SendsAnyTool(tools []chat.Tool) bool {
	for _, tool := range tools {
		if w.SendsTool(tool) {
			return true
		}
	}
	for i := range tools {
		w.Log.Add(features.HostedTool, At("tools", i))
	}
	return false
}

// HostedTool writes a tool that this provider runs, and reports one of another provider.
func (w *Writer) HostedTool(tool chat.Tool, field string) {
	if !w.SendsTool(tool) {
		w.Log.Add(features.HostedTool, field)
		return
	}
	w.Object()
	w.EndWith(tool.Extras, "")
}

// Choice returns a request's tool choice, restricted to the tools that pass, because
// servers reject a choice of others. some reports whether any tool passes. Choice reports
// what it changes. It keeps names that the request has not declared if all declared tools
// are sent: that is the caller's mistake, and for the server to report.
func (w *Writer) Choice(req *chat.Request, passes func(chat.Tool) bool) (c chat.ToolChoice, some bool) {
	if c = req.ToolChoice; len(c.Tools) == 0 && slices.ContainsFunc(req.Tools, passes) {
		return c, true
	}
	left := toolsLeft{declared: map[string]bool{}, passed: map[string]bool{}}
	for _, tool := range req.Tools {
		left.add(tool, passes(tool))
		left.missing = left.missing || !w.SendsTool(tool)
	}
	if len(left.passed) == 0 {
		if c.Mode != chat.ChoiceUnset {
			w.Log.Add(features.NoTools, "tool_choice")
		}
		return chat.ToolChoice{Extras: c.Extras}, false
	}
	for _, name := range c.Tools {
		if !left.declared[name] && !left.hosted && !left.missing {
			done := name + " is written as it is"
			if e, _ := features.Of(w.wire, features.ChoiceNotDeclared); e.Outcome == features.Lost {
				done = name + " is left out"
			}
			w.Log.Add(features.ChoiceNotDeclared, "tool_choice", done)
		}
	}
	if left.missing && len(c.Tools) > 0 {
		c = w.narrow(c, left)
	}
	return c, true
}

// narrow removes the tools that the model does not get from a choice.
func (w *Writer) narrow(c chat.ToolChoice, left toolsLeft) chat.ToolChoice {
	var allowed []string
	for i, name := range c.Tools {
		switch {
		case left.has(name):
			allowed = append(allowed, name)
		case c.Mode == chat.ChoiceOne:
			w.Log.Add(features.ChoiceNotSent, "tool_choice", "left to the model: "+name+" is not sent")
		default:
			w.Log.Add(features.ChoiceNotSent, At("tool_choice.tools", i), "left out: "+name+" is not sent")
		}
	}
	switch {
	case len(allowed) > 0:
	case c.Mode == chat.ChoiceOne:
		c.Mode = chat.ChoiceAuto
	default: // the others were not allowed anyway
		c.Mode = chat.ChoiceNone
		w.Log.Add(features.ChoiceNotSent, "tool_choice", "none: no tool that may be called is sent")
	}
	c.Tools = allowed
	return c
}

// toolsLeft are the names of a request's tools, and of those that the model gets.
type toolsLeft struct {
	declared, passed map[string]bool
	missing          bool // some are not sent
	hosted           bool // the provider runs one of them, which may contain tools of any name
}

func (l *toolsLeft) add(tool chat.Tool, passes bool) {
	l.declared[tool.Name] = true
	if passes {
		l.passed[tool.Name] = true
		l.hosted = l.hosted || tool.Hosted
	}
}

func (l *toolsLeft) has(name string) bool {
	return l.passed[name] || l.hosted && !l.declared[name]
}

// ParallelCalls returns the request's setting for parallel calls, if there are tools to
// call.
func (w *Writer) ParallelCalls(req *chat.Request, some bool) chat.Switch {
	if some || req.ParallelCalls == chat.Unset {
		return req.ParallelCalls
	}
	w.Log.Add(features.NoTools, "parallel_calls")
	return chat.Unset
}

// OfferedTools returns the indices of the tools to offer to a model, for wires that
// cannot restrict the choice in another way. It reports those that it withholds, as
// feature f in a field. It includes tools that cannot be sent, because the caller reports
// them.
func (w *Writer) OfferedTools(req *chat.Request, allowed []string, f features.Feature, field string) (at []int) {
	may := map[string]bool{}
	for _, name := range allowed {
		may[name] = true
	}
	var offered, withheld []string
	for i, tool := range req.Tools {
		switch {
		case !w.SendsTool(tool):
		case may[tool.Name]:
			offered = append(offered, tool.Name)
		default:
			withheld = append(withheld, tool.Name)
			continue
		}
		at = append(at, i)
	}
	switch {
	case len(withheld) == 0:
		w.Log.Add(f, field)
	case len(offered) == 0:
		w.Log.Add(f, field, "no tool may be called: no declared tool has the name")
	default:
		w.Log.Add(f, field, "only "+strings.Join(offered, ", ")+" offered, and not "+strings.Join(withheld, ", "))
	}
	return at
}

// Indices returns the indices of all elements of a list.
func Indices[T any](list []T) []int {
	at := make([]int, len(list))
	for i := range at {
		at[i] = i
	}
	return at
}

// modeWords are the words of Chat Completions and Responses for a choice without a tool's
// name.
var modeWords = [...]struct {
	mode chat.ChoiceMode
	word string
}{{chat.ChoiceAuto, "auto"}, {chat.ChoiceNone, "none"}, {chat.ChoiceRequired, "required"}}

// ToolChoice reads the member tool_choice: a word for a choice, or another value by read.
// It keeps an unknown choice as it is.
func (r *Reader) ToolChoice(v rawjson.Value, read func(rawjson.Value) (c chat.ToolChoice, ok bool)) chat.ToolChoice {
	if !v.IsSet() {
		return chat.ToolChoice{}
	}
	for _, m := range modeWords {
		if v.Is(m.word) {
			return chat.ToolChoice{Mode: m.mode}
		}
	}
	if c, ok := read(v); ok {
		return c
	}
	return chat.ToolChoice{Extras: r.Extra("tool_choice", v)}
}

// ModeOfAllowed reads the word next to the list of allowed tools.
func ModeOfAllowed(v rawjson.Value) chat.ChoiceMode {
	if v.Is("required") {
		return chat.ChoiceRequired
	}
	return chat.ChoiceAuto
}

// ChoiceWord returns the word for a choice, or "" if nothing remains to be written, because
// there is no choice, or ChoiceWord wrote it as it was kept. ChoiceOne is "required", unless
// the tool is named.
func (w *Writer) ChoiceWord(c chat.ToolChoice) string {
	if raw := c.Extras.Get(w.wire, "", "tool_choice"); c.Mode == chat.ChoiceUnset && raw != nil {
		w.Member("tool_choice", raw)
		return ""
	}
	w.Log.ReportExtras("tool_choice", c.Extras)
	for _, m := range modeWords {
		if m.mode == c.Mode {
			return m.word
		}
	}
	if c.Mode == chat.ChoiceOne {
		return "required"
	}
	return ""
}

// WriteChoice writes the member tool_choice, unless the word is "": the word itself, or the
// tools that the model may call. tool writes one of these. The list of several is in the object
// group, or with "" next to the type.
func (w *Writer) WriteChoice(c chat.ToolChoice, word, group string, tool func(name, field string, x chat.Extras)) {
	if word == "" {
		return
	}
	w.Key("tool_choice")
	switch {
	case c.Mode == chat.ChoiceOne && len(c.Tools) == 1:
		tool(c.Tools[0], "tool_choice", c.Extras)
	case c.Mode == chat.ChoiceNone || len(c.Tools) == 0:
		w.String(word)
	default:
		w.Object()
		w.Text("type", "allowed_tools")
		if group != "" {
			w.KeyObject(group)
		}
		w.Text("mode", word)
		w.KeyArray("tools")
		for i, name := range c.Tools {
			tool(name, At("tool_choice.tools", i), nil)
		}
		w.EndArray()
		if group != "" {
			w.EndWith(c.Extras, group)
		}
		w.EndWith(c.Extras, "")
	}
}
