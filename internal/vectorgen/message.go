package vectorgen

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// Case is a message and the tools that are declared for it.
type Case struct {
	Tools   []toolcall.ToolDefinition
	Message text.Message

	// Plain means that no value looks like markup or like another type, so that every
	// dialect can write the message.
	Plain bool
}

// maker generates one case.
type maker struct {
	src     Source
	dialect *dialect.Dialect
	markers []string // markers of this dialect and of another
	plain   bool
}

// New generates a message for a dialect. A plain one can be written in every dialect;
// others may contain anything.
func New(src Source, d *dialect.Dialect, plain bool) Case {
	m := &maker{src: src, dialect: d, plain: plain}
	if !plain {
		m.markers = append(Markers(d), Markers(pick(src, dialect.All()...))...)
		m.markers = append(m.markers, "`", "```", "\n", `"`, "'", "\\", "<", "&lt;", "]]>", "{", "}")
	}
	c := Case{Plain: plain}
	var tools []tool
	for i := range 1 + src.IntN(2) {
		t := m.tool(i)
		tools = append(tools, t)
		c.Tools = append(c.Tools, t.definition())
	}
	if chance(src, 3) && (len(d.Reasoning) > 0 || d.Written.Reasoning.Open != "") {
		c.Message.Reasoning = m.prose()
	}
	if chance(src, 2) {
		c.Message.Text = m.prose()
	}
	if d.Head.Form == "" && len(d.Also) == 0 {
		return c
	}
	for range 1 + src.IntN(3) {
		c.Message.Calls = append(c.Message.Calls, m.call(pick(src, tools...)))
	}
	return c
}

// Markers returns the markers of a dialect as they are written.
func Markers(d *dialect.Dialect) []string {
	var list []string
	add := func(markers ...string) {
		for _, m := range markers {
			if strings.TrimSpace(m) != "" {
				list = append(list, m)
			}
		}
	}
	for _, f := range append([]dialect.Form{{Frame: d.Frame, Head: d.Head, Args: d.Args}}, d.Also...) {
		add(f.Frame.Section.Open, f.Frame.Section.Close, f.Frame.Call.Open, f.Frame.Call.Close, f.Head.End)
		add(f.Args.KeyMark.Open, f.Args.KeyMark.Close, f.Args.ValueMark.Open, f.Args.ValueMark.Close)
	}
	for _, r := range d.Reasoning {
		add(r.Open, r.Close)
	}
	add(d.Noise...)
	add(d.Example)
	return list
}

// tool is a tool that the message may call.
type tool struct {
	name   string
	params []param
	single bool // its only parameter is required
}

type param struct {
	name string
	of   shape
}

func (t tool) definition() toolcall.ToolDefinition {
	props := make([]string, len(t.params))
	for i, p := range t.params {
		props[i] = fmt.Sprintf("%s:%s", quote(p.name), p.of.schema())
	}
	return toolcall.ToolDefinition{
		Name: t.name, Description: "made up",
		Parameters: json.RawMessage(`{"type":"object","properties":{` + strings.Join(props, ",") + `}}`),
	}
}

func (m *maker) tool(place int) tool {
	names := []string{"look_up", "sortItems", "measure"}
	keys := []string{"city", "n", "Key_a", "long_name"}
	if !m.plain {
		names = append(names, "ns.pick", "x-ray", "z:1", "über", "two words", `q"x`)
		keys = append(keys, "a-b", "ключ", "two words", "x.y", `q"x`, "a<b", "name", "arguments")
	}
	t := tool{name: fmt.Sprintf("%s%d", pick(m.src, names...), place)}
	if a := &m.dialect.Args; a.Form == dialect.ArgsRaw && !a.Object {
		t.params, t.single = []param{{a.Param, shape{kind: kindString}}}, true
		return t
	}
	for i := range m.src.IntN(4) {
		t.params = append(t.params, param{fmt.Sprintf("%s%d", pick(m.src, keys...), i), m.shape(2)})
	}
	return t
}

func (m *maker) call(t tool) toolcall.ToolInvocation {
	var b strings.Builder
	b.WriteByte('{')
	for _, p := range t.params {
		if !t.single && chance(m.src, 5) {
			continue // the model leaves it out
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(quote(p.name) + ":" + m.value(p.of))
	}
	b.WriteByte('}')
	return toolcall.ToolInvocation{Name: t.name, Arguments: json.RawMessage(b.String())}
}

func pick[T any](src Source, choices ...T) T { return choices[src.IntN(len(choices))] }

// chance returns true once in n times, and never if the source always returns 0.
func chance(src Source, n int) bool { return src.IntN(n) == n-1 }
