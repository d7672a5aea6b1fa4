package anthropic

import (
	"bytes"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// A request may declare tools that the model does not see yet: those with defer_loading.
// They are loaded by a tool_reference in a result, which is how clients answer a search for
// tools, or by a tool_addition in a system message, which may also define the tool. A
// tool_removal takes a tool away. Other wires know nothing of that; they get the tools that the
// model may call at the end of the conversation.

const (
	deferLoading  = "defer_loading"
	toolReference = "tool_reference"
	toolAddition  = "tool_addition"
	toolRemoval   = "tool_removal"

	loadedTool = "This tool can be called now: " // begins the text that other wires get for a reference

	// serverSearch begins the types of the tools with which the provider searches. No other
	// provider can; without it, the model would not find the tools.
	serverSearch = `"tool_search_tool_`
)

// loading is what the messages of a request say about its tools.
type loading struct {
	seen  map[string]bool // by the wire's name: true is loaded, false is taken away
	added []chat.Tool     // defined in a message
}

func (l *loading) set(name string, loaded bool) {
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[name] = loaded
}

// reference reads the reference to a tool in a result.
func (r *reading) reference(v rawjson.Value, path string) chat.Part {
	keep := r.Keeper()
	keep.NoteName(toolReference)
	keep.NoteName(inList)
	var name string
	r.Members(v, path, &keep, "", "type", nil, "tool_name", &name)
	r.loading.set(name, true)
	return chat.Part{Kind: chat.PartText, Text: loadedTool + name, Extras: keep.Extras}
}

// change reads a block that adds or takes away a tool. It remains a block of this wire.
func (r *reading) change(v rawjson.Value, path string, loaded bool) chat.Part {
	tool := v.Get("tool")
	name := tool.Get("name")
	if definition := tool.Get("definition"); loaded && definition.Get("name").Kind == rawjson.String {
		name = definition.Get("name")
		added := r.tool(definition, path+".tool.definition")
		added.Extras = append(added.Extras, r.Spelled(toolAddition)...)
		r.loading.added = append(r.loading.added, added)
	}
	r.loading.set(r.Texts.Whole(name), loaded)
	return r.OtherPart(v)
}

// load changes a request's tools to what its messages say about them.
func (r *reading) load(req *chat.Request) {
	isSearch := func(t chat.Tool) bool {
		return t.Hosted && bytes.HasPrefix(t.Extras.Get(Wire, "", "type"), []byte(serverSearch))
	}
	provider := slices.ContainsFunc(req.Tools, isSearch)
	copied := false // the list is a copy; until then, other requests may have it, too
	for i, tool := range req.Tools {
		loaded, known := r.loading.seen[wireio.OwnName(tool.Name, tool.Native)]
		deferred := string(tool.Extras.Get(Wire, "", deferLoading)) == "true" && !provider
		if tool.Hosted || loaded || !deferred && !known {
			continue
		}
		if !copied {
			req.Tools, copied = slices.Clone(req.Tools), true
		}
		req.Tools[i] = withheld(tool)
	}
	if len(r.loading.added) == 0 {
		return
	}
	listed := make(map[string]bool, len(req.Tools))
	for _, tool := range req.Tools {
		listed[tool.Name] = true
	}
	req.Tools = slices.Clip(req.Tools)
	for _, tool := range r.loading.added {
		if r.loading.seen[tool.Name] && !listed[tool.Name] {
			listed[tool.Name] = true
			req.Tools = append(req.Tools, tool)
		}
	}
}

// withheld returns a tool that exists only on this wire, like one that the provider runs.
func withheld(tool chat.Tool) chat.Tool {
	if tool.Native.Type != "" { // all of it is in its extras
		return chat.Tool{ToolDefinition: tool.ToolDefinition, Hosted: true, Extras: tool.Extras}
	}
	w := newWriting(wire.Options{})
	w.tool(tool, "tools")
	r := newReading()
	v, err := rawjson.Parse(w.Out)
	if err != nil {
		return tool
	}
	return r.HostedTool(v, v.Get("name"))
}

// definedInMessage reports whether a message defines a tool, instead of the list of tools.
func definedInMessage(tool chat.Tool) bool { return wire.UsesName(tool.Extras, Wire, toolAddition) }

// writeReference writes a text that stands for the reference to a tool, and reports whether it
// is one.
func writeReference(w *jsonout.Writer, p chat.Part) bool {
	name, ok := strings.CutPrefix(p.Text, loadedTool)
	if !ok || !wire.UsesName(p.Extras, Wire, toolReference) {
		return false
	}
	w.Text("type", toolReference)
	w.KeyString("tool_name", name)
	return true
}
