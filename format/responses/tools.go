package responses

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/codec"
	"github.com/toolparse/toolparse/format/internal/payload"
	"github.com/toolparse/toolparse/format/internal/schemaform"
)

// DecodeTools reads a list of tools.
func (Codec) DecodeTools(list []byte) ([]chat.Tool, error) {
	r := newReading()
	v, err := r.Body(list)
	if err != nil {
		return nil, err
	}
	tools := r.tools(r.List(v, "tools"), "tools")
	return tools, r.Failure()
}

// EncodeTools writes a list of tools.
func (Codec) EncodeTools(tools []chat.Tool, opts chat.Options) ([]byte, []chat.Loss, error) {
	w := newWriting(opts)
	w.tools(tools)
	return w.Out, w.Log.Losses, nil
}

func (r *reading) tools(v payload.Value, path string) []chat.Tool {
	var tools []chat.Tool
	for item := range r.Array(v, path).Items() {
		tools = append(tools, r.tool(r.Object(item, path, "[]"), path+"[]"))
	}
	return tools
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
		all := r.Keeper()
		all.Rest("", v)
		tool := chat.Tool{Hosted: true, Extras: all.Extras}
		tool.Name = r.Texts.Name(kind)
		return tool
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

func (w *writing) tools(tools []chat.Tool) {
	w.Array()
	for i, tool := range tools {
		field := codec.At("tools", i)
		if tool.Hosted {
			w.Hosted(tool, field)
			continue
		}
		w.Log.Extras(field, tool.Extras)
		kind := "function"
		if tool.Custom {
			kind = "custom"
			w.custom[tool.Name] = true
		}
		w.Object()
		w.Text("type", kind)
		w.Key("name")
		w.String(w.Name(tool.Name, field+".name"))
		w.Text("description", tool.Description)
		if !tool.Custom {
			w.strictSchema(&tool, field)
			w.Member("parameters", tool.Parameters)
			w.strict(tool)
		}
		w.Extras(tool.Extras, "")
		w.EndObject()
	}
	w.EndArray()
}

// strictSchema makes the schema of a strict tool of another wire keep to the
// rules of this one. A tool that cannot is not strict.
func (w *writing) strictSchema(tool *chat.Tool, field string) {
	if tool.Strict != chat.On || tool.Extras.Spells(Wire, asHere) {
		return
	}
	schema, changes, ok := schemaform.ToStrict(tool.Parameters)
	if !ok {
		tool.Strict = chat.Off
		w.Log.Add(carry.Strict, field+".strict", "not strict: in parameters"+changes[0].Path+" "+changes[0].Done)
		return
	}
	for _, c := range changes {
		w.Log.Add(carry.ToolSchema, field+".parameters"+c.Path, c.Done)
	}
	tool.Parameters = schema
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
