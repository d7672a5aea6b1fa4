package wireio

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// SendsTool reports whether the wire gets a tool: all but those that another
// provider runs.
func (w *Writer) SendsTool(tool chat.Tool) bool { return !tool.Hosted || w.HasExtras(tool.Extras, "") }

// SendsAnyTool reports whether the wire gets any of the tools of a request. Where it
// gets none, no list of them is written, and their loss is reported here.
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

// HostedTool writes a tool that the provider runs, where that is this one.
func (w *Writer) HostedTool(tool chat.Tool, field string) {
	if !w.SendsTool(tool) {
		w.Log.Add(features.HostedTool, field)
		return
	}
	w.Object()
	w.Extras(tool.Extras, "")
	w.EndObject()
}

// Choice returns what remains of a request's tool choice where the model gets
// only those of its tools that pass, since servers refuse a choice of others;
// and whether there are any. What changes is reported. Names that the request
// never declared stay as long as all that it declared is sent: the mistake is the
// caller's, and the server's to tell.
func (w *Writer) Choice(req *chat.Request, passes func(chat.Tool) bool) (c chat.ToolChoice, some bool) {
	c = req.ToolChoice
	left := toolsLeft{declared: map[string]bool{}, passed: map[string]bool{}}
	for _, tool := range req.Tools {
		left.add(tool, passes(tool))
		left.gone = left.gone || !w.SendsTool(tool)
	}
	switch {
	case len(left.passed) == 0:
		if c.Mode != chat.ChoiceUnset {
			w.Log.Add(features.NoTools, "tool_choice")
		}
		return chat.ToolChoice{Extras: c.Extras}, false
	}
	for _, name := range c.Tools {
		if !left.declared[name] && !left.hosted && !left.gone {
			done := name + " is written as it is"
			if e, _ := features.Of(w.wire, features.ChoiceNotDeclared); e.Outcome == features.Lost {
				done = name + " is left out"
			}
			w.Log.Add(features.ChoiceNotDeclared, "tool_choice", done)
		}
	}
	switch {
	case left.gone && len(c.Tools) > 0:
		return w.narrow(c, left), true
	}
	return c, true
}

// narrow takes from a choice the tools that the model does not get.
func (w *Writer) narrow(c chat.ToolChoice, left toolsLeft) chat.ToolChoice {
	var kept []string
	for i, name := range c.Tools {
		switch {
		case left.has(name):
			kept = append(kept, name)
		case c.Mode == chat.ChoiceOne:
			w.Log.Add(features.ChoiceNotSent, "tool_choice", "left to the model: "+name+" is not sent")
		default:
			w.Log.Add(features.ChoiceNotSent, At("tool_choice.tools", i), "left out: "+name+" is not sent")
		}
	}
	switch {
	case len(kept) > 0:
	case c.Mode == chat.ChoiceOne:
		c.Mode = chat.ChoiceAuto
	default: // the others were never allowed
		c.Mode = chat.ChoiceNone
		w.Log.Add(features.ChoiceNotSent, "tool_choice", "none: no tool that may be called is sent")
	}
	c.Tools = kept
	return c
}

// toolsLeft are the names of the tools of a request, and of those that the model
// gets.
type toolsLeft struct {
	declared, passed map[string]bool
	gone             bool // not all are sent
	hosted           bool // one that passes is run by the provider, and may hold tools of any name
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

// ParallelCalls returns what remains of a request's word on parallel calls where
// there are tools to call, or none.
func (w *Writer) ParallelCalls(req *chat.Request, some bool) chat.Switch {
	if some || req.ParallelCalls == chat.Unset {
		return req.ParallelCalls
	}
	w.Log.Add(features.NoTools, "parallel_calls")
	return chat.Unset
}

// OfferedTools returns the places of the tools to offer to a model on a
// wire where a choice can be narrowed in no other way, and reports, as f at a
// field, which are withheld. Those that cannot be sent at all are among them,
// since whoever writes the list reports them.
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

// Indices returns the places of all elements of a list.
func Indices[T any](list []T) []int {
	at := make([]int, len(list))
	for i := range at {
		at[i] = i
	}
	return at
}

// modeWords are the words that Chat Completions and Responses have for a choice
// that names no tool.
var modeWords = [...]struct {
	mode chat.ChoiceMode
	word string
}{{chat.ChoiceAuto, "auto"}, {chat.ChoiceNone, "none"}, {chat.ChoiceRequired, "required"}}

// ReadMode reads such a word.
func ReadMode(v rawjson.Value) (mode chat.ChoiceMode, ok bool) {
	for _, m := range modeWords {
		if v.Is(m.word) {
			return m.mode, true
		}
	}
	return chat.ChoiceUnset, false
}

// ModeOfAllowed reads the word that stands beside the tools that may be called.
func ModeOfAllowed(v rawjson.Value) chat.ChoiceMode {
	if v.Is("required") {
		return chat.ChoiceRequired
	}
	return chat.ChoiceAuto
}

// ModeWord returns the word for a choice, "" where there is none. One tool is
// required, too, unless it is named.
func ModeWord(mode chat.ChoiceMode) string {
	for _, m := range modeWords {
		if m.mode == mode {
			return m.word
		}
	}
	if mode == chat.ChoiceOne {
		return "required"
	}
	return ""
}
