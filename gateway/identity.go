package gateway

import (
	"slices"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/recent"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
)

// textNames is the rule for the names of tools in a prompt: names that any dialect can
// write.
func textNames(d *dialect.Dialect) wire.Rule {
	rule := wire.CommonNames()
	if d.Args.Form == dialect.ArgsPython {
		rule.OtherChars = "_"
	}
	return rule
}

// identify returns a request whose tools are functions. It records in names what the
// client's wire says about them besides their names; the encoder of the upstream's wire
// renames them. It leaves out tools that a provider runs, because the upstream does not
// have them.
func identify(r *chat.Request, names *wire.Renames) (*chat.Request, []chat.Loss) {
	tools, losses := functions(r.Tools, names)
	r = identifyCalls(r, func(name string) string { return name })
	r.Tools = tools
	return r, losses
}

// functions returns tools as functions, with their own names.
func functions(tools []chat.Tool, names *wire.Renames) (list []chat.Tool, losses []chat.Loss) {
	list = make([]chat.Tool, 0, len(tools))
	var log features.Log
	for _, t := range tools {
		if t.Hosted {
			losses = append(losses, chat.Loss{Field: "tools." + t.Name, Reason: "only its own provider can run or load it", Action: "left out"})
			continue
		}
		names.NoteTool(t)
		if t.Custom && len(t.Parameters) == 0 {
			t.Parameters = wire.CustomParameters()
		}
		log.ReportExtras("tools."+t.Name, t.Extras)
		t.Custom, t.Native, t.Extras = false, chat.Native{}, nil
		list = append(list, t)
	}
	return list, append(losses, log.Losses...)
}

// identifyCalls returns a request whose calls and results are those of functions, with
// the names that rename returns.
func identifyCalls(r *chat.Request, rename func(string) string) *chat.Request {
	out := *r
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
	return &out
}

// madeTools is what is made of a client's list of tools. Requests share it; it must not be
// changed.
type madeTools struct {
	list   []chat.Tool                // for a prompt, with the names that the model sees
	plain  []toolparse.ToolDefinition // likewise
	names  *wire.Renames              // of a prompt, to fork
	losses []chat.Loss
	kit    *toolparse.Kit
}

// madeCache keeps what is made of a list of tools for the list itself, because lists that
// requests repeat are decoded once (wire.ToolMemory).
type madeCache = recent.Cache[toolList, *madeTools]

// toolList identifies a list of tools.
type toolList struct {
	first *chat.Tool
	size  int
}

func newMade() *madeCache { return recent.New[toolList, *madeTools](maxMade, maxMadeBytes) }

// remembered returns what make makes of a list of tools, and keeps it.
func remembered(in *madeCache, tools []chat.Tool, make func() (*madeTools, error)) (*madeTools, error) {
	key := toolList{size: len(tools)}
	if len(tools) > 0 {
		key.first = &tools[0]
	}
	if known, ok := in.Get(key); ok {
		return known, nil
	}
	made, err := make()
	if err != nil {
		return nil, err
	}
	size := 0
	for i := range tools {
		size += len(tools[i].Name) + len(tools[i].Description) + len(tools[i].Parameters) + toolBytes
	}
	in.Put(key, size, made)
	return made, nil
}

// inText makes a client's tools functions with names by the rule for the target's dialect.
func (t *target) inText(tools []chat.Tool) (*madeTools, error) {
	return remembered(t.texts, tools, func() (*madeTools, error) {
		made := &madeTools{names: wire.NewRenames(textNames(t.Dialect))}
		made.names.Grow(len(tools))
		made.list, made.losses = functions(tools, made.names)
		made.plain = make([]toolparse.ToolDefinition, len(made.list))
		for i := range made.list {
			tool := &made.list[i]
			tool.Name, _ = made.names.Rename(tool.Name)
			made.plain[i] = tool.ToolDefinition
		}
		var err error
		made.kit, err = t.kit(made.plain, t.Dialect)
		return made, err
	})
}

// natively returns a client's tools with the names of the upstream, and their kit.
func (t *target) natively(tools []chat.Tool, names *wire.Renames) ([]toolparse.ToolDefinition, *toolparse.Kit, error) {
	renamed := slices.ContainsFunc(tools, func(tool chat.Tool) bool {
		if tool.Hosted {
			return false
		}
		_, changed := names.Rename(tool.Name)
		return changed
	})
	if renamed {
		plain := nativeTools(tools, names)
		kit, err := t.kit(plain, nil)
		return plain, kit, err
	}
	made, err := remembered(t.natives, tools, func() (*madeTools, error) { // names do not matter, as nearly always
		made := &madeTools{plain: nativeTools(tools, names)}
		var err error
		made.kit, err = t.kit(made.plain, nil)
		return made, err
	})
	if err != nil {
		return nil, nil, err
	}
	return made.plain, made.kit, nil
}

// nativeTools returns the functions among tools by which answers are read. Whether a server
// accepts a tool without a name, or two of the same name, is for the server to say.
func nativeTools(tools []chat.Tool, names *wire.Renames) []toolparse.ToolDefinition {
	plain := make([]toolparse.ToolDefinition, 0, len(tools))
	seen := make(map[string]bool, len(tools))
	for _, tool := range tools {
		if !tool.Hosted {
			tool.Name, _ = names.Rename(tool.Name)
			if tool.Name == "" || seen[tool.Name] {
				continue
			}
			seen[tool.Name] = true
			if tool.Custom && len(tool.Parameters) == 0 {
				tool.Parameters = wire.CustomParameters()
			}
			plain = append(plain, tool.ToolDefinition)
		}
	}
	return plain
}
