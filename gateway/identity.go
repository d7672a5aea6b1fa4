package gateway

import (
	"slices"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/format/chat"
)

// textNames is the rule for the names of tools in a prompt: names that any dialect can
// write.
func textNames(d *dialect.Dialect) chat.Rule {
	rule := chat.Rule{Max: 64, OtherChars: "_-", FirstChars: "_"}
	if d.Args.Form == dialect.ArgsPython {
		rule.OtherChars = "_"
	}
	return rule
}

// identify returns a request whose tools are functions. It records in names what the
// client's wire says about them besides their names. If the request is written as text,
// it also renames them by the rule of names; encoders of wires do that themselves. It
// leaves out tools that a provider runs, because the upstream does not have them.
func identify(r *chat.Request, names *chat.Renames, inText bool) (*chat.Request, []chat.Loss) {
	out := *r
	rename := func(name string) string {
		if inText {
			name, _ = names.Rename(name)
		}
		return name
	}
	if inText {
		names.Grow(len(r.Tools))
	}
	var losses []chat.Loss
	out.Tools = make([]chat.Tool, 0, len(r.Tools))
	for _, t := range r.Tools {
		if t.Hosted {
			losses = append(losses, chat.Loss{Field: "tools." + t.Name, Reason: "only its own provider runs it", Action: "left out"})
			continue
		}
		names.NoteTool(t)
		t.Name = rename(t.Name)
		if t.Custom && len(t.Parameters) == 0 {
			t.Parameters = chat.CustomParameters()
		}
		t.Custom, t.Native, t.Extras = false, chat.Native{}, nil
		out.Tools = append(out.Tools, t)
	}
	out.ToolChoice.Tools = nil
	for _, name := range r.ToolChoice.Tools {
		out.ToolChoice.Tools = append(out.ToolChoice.Tools, rename(name))
	}
	out.Messages = make([]chat.Message, len(r.Messages))
	for i, m := range r.Messages {
		if !slices.ContainsFunc(m.Parts, func(p chat.Part) bool { return p.Call != nil || p.Result != nil }) {
			out.Messages[i] = m
			continue
		}
		parts := make([]chat.Part, len(m.Parts))
		for j, p := range m.Parts {
			switch {
			case p.Call != nil:
				call := *p.Call
				call.Name = rename(call.Name)
				call.Custom, call.Native = false, chat.Native{}
				p.Call = &call
			case p.Result != nil && p.Result.Name != "":
				result := *p.Result
				result.Name = rename(result.Name)
				p.Result = &result
			}
			parts[j] = p
		}
		m.Parts = parts
		out.Messages[i] = m
	}
	return &out, losses
}
