package responses

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// toolChoice reads tool_choice. What is none of the known choices, such as one
// of a tool that the provider runs, is kept whole.
func (r *reading) toolChoice(v rawjson.Value) chat.ToolChoice {
	if !v.IsSet() {
		return chat.ToolChoice{}
	}
	if mode, ok := wireio.ReadMode(v); ok {
		return chat.ToolChoice{Mode: mode}
	}
	if choice, ok := r.choiceObject(v); ok {
		return choice
	}
	if v.Kind != rawjson.String { // which may be a word of tomorrow
		v = r.Object(v, "tool_choice")
	}
	keep := r.Keeper()
	keep.Keep("", []byte("tool_choice"), v)
	return chat.ToolChoice{Extras: keep.Extras}
}

func (r *reading) choiceObject(v rawjson.Value) (choice chat.ToolChoice, ok bool) {
	keep := r.Keeper()
	kind := v.Get("type")
	switch {
	case r.chosen(v) != "":
		choice.Mode = chat.ChoiceOne
		choice.Tools = []string{r.chosen(v)}
		if isFunction(kind) {
			keep.Rest("", v, "type", "name", "namespace")
		} else {
			keep.Rest("", v, "type")
		}
	case kind.Is("allowed_tools"):
		choice.Mode = wireio.ModeOfAllowed(v.Get("mode"))
		for tool := range v.Get("tools").Items() {
			name, more := r.chosen(tool), r.Keeper()
			more.Rest("", tool, "type", "name", "namespace")
			if name == "" || len(more.Extras) > 0 {
				return chat.ToolChoice{}, false
			}
			choice.Tools = append(choice.Tools, name)
		}
		if len(choice.Tools) == 0 {
			return chat.ToolChoice{}, false
		}
		keep.Rest("", v, "type", "mode", "tools")
	default:
		return chat.ToolChoice{}, false
	}
	choice.Extras = keep.Extras
	return choice, true
}

// chosen returns the name of the tool that a choice names, if it is one that the
// client runs.
func (r *reading) chosen(v rawjson.Value) string {
	if isFunction(v.Get("type")) {
		if v.Get("name").Kind != rawjson.String {
			return ""
		}
		namespace := r.Texts.Whole(r.String(v.Get("namespace"), "tool_choice.namespace"))
		name, _ := r.ToolName(r.Texts.Whole(v.Get("name")), chat.Native{Namespace: namespace})
		return name
	}
	for i := range clientItems {
		for _, kind := range clientItems[i].tools {
			if v.Get("type").Is(kind) && !v.Get("name").IsSet() {
				name, _ := r.ToolName(clientItems[i].name, chat.Native{Type: clientItems[i].call})
				return name
			}
		}
	}
	return ""
}

func isFunction(kind rawjson.Value) bool { return kind.Is("function") || kind.Is("custom") }

// toolChoice writes the member, unless there is no choice.
func (w *writing) toolChoice(c chat.ToolChoice) {
	if raw := c.Extras.Get(Wire, "", "tool_choice"); c.Mode == chat.ChoiceUnset && raw != nil {
		w.Member("tool_choice", raw)
		return
	}
	w.Log.Extras("tool_choice", c.Extras)
	mode := wireio.ModeWord(c.Mode)
	if mode == "" {
		return
	}
	w.Key("tool_choice")
	switch {
	case c.Mode == chat.ChoiceOne && len(c.Tools) == 1:
		w.Object()
		w.choiceOf(c.Tools[0], "tool_choice")
		w.Extras(c.Extras, "")
		w.EndObject()
	case c.Mode == chat.ChoiceNone || len(c.Tools) == 0:
		w.String(mode)
	default:
		w.Object()
		w.Text("type", "allowed_tools")
		w.Text("mode", mode)
		w.KeyArray("tools")
		for i, tool := range c.Tools {
			w.Object()
			w.choiceOf(tool, wireio.At("tool_choice.tools", i))
			w.EndObject()
		}
		w.EndArray()
		w.Extras(c.Extras, "")
		w.EndObject()
	}
}

// choiceOf names a tool, as choices do, in the object that is open.
func (w *writing) choiceOf(tool, field string) {
	native := w.natives[tool]
	if row := clientItemNamed(native); row != nil && len(row.tools) > 0 {
		w.Text("type", row.tools[0])
		return
	}
	kind := "function"
	if w.custom[tool] {
		kind = "custom"
	}
	w.Text("type", kind)
	w.named(tool, native, field, nil)
}
