package responses

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/codec"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// DecodeTools reads a list of tools.
func (Codec) DecodeTools(list []byte) ([]chat.Tool, error) {
	r := newReading()
	return r.ToolList(list, r.tools)
}

// EncodeTools writes a list of tools.
func (Codec) EncodeTools(tools []chat.Tool, opts chat.Options) ([]byte, []chat.Loss, error) {
	w := newWriting(opts)
	w.tools(tools)
	return w.Out, w.Log.Losses, nil
}

func (r *reading) tools(v payload.Value, path string) []chat.Tool {
	return r.Tools(v, path, r.tool)
}

// tool reads a tool. What is neither a function nor a custom tool is run by the
// provider.
func (r *reading) tool(v payload.Value, path string) chat.Tool {
	kind := r.String(v.Get("type"), path, ".type")
	if !kind.IsSet() {
		r.Missing(v, path, ".type")
	}
	custom := kind.Is("custom")
	if !custom && !kind.Is("function") {
		return r.HostedTool(v, kind)
	}
	tool := chat.Tool{Custom: custom}
	keep := r.Keeper()
	for key, member := range v.Fields() {
		switch name := string(key); {
		case name == "type":
		case name == "name":
			tool.Name = r.Text(member, path, ".name")
		case name == "description":
			tool.Description = r.Text(member, path, ".description")
		case name == "parameters" && !custom:
			if r.Object(member, path, ".parameters").IsSet() {
				tool.Parameters = member.JSON()
			}
		case name == "strict" && !custom:
			if on := r.Bool(member, path, ".strict"); member.IsSet() {
				tool.Strict = chat.SwitchOf(on)
			}
		default:
			keep.Keep("", key, member)
		}
	}
	if tool.Name == "" {
		r.Missing(v, path, ".name")
	}
	if custom {
		tool.Parameters = chat.CustomParameters()
	} else if tool.Strict != chat.Off {
		keep.Spell(asHere)
	}
	tool.Extras = keep.Extras
	return tool
}

func (w *writing) tools(tools []chat.Tool) { w.Tools(tools, codec.Places(tools), w.tool) }

func (w *writing) tool(tool chat.Tool, field string) {
	kind := "function"
	if tool.Custom {
		kind = "custom"
		w.custom[tool.Name] = true
	}
	w.Object()
	w.Text("type", kind)
	w.ToolHead(tool, field)
	if !tool.Custom {
		w.StrictSchema(&tool, asHere, field)
		w.Member("parameters", tool.Parameters)
		w.strict(tool)
	}
	w.Extras(tool.Extras, "")
	w.EndObject()
}

// strict writes the flag. Without it the server makes tools strict where their
// schemas allow, which only those want that came from here.
func (w *writing) strict(tool chat.Tool) {
	if tool.Strict == chat.Unset && tool.Extras.Spells(Wire, asHere) {
		return
	}
	w.Key("strict")
	w.Bool(tool.Strict == chat.On)
}
