package streamgen

import (
	"encoding/json"
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// sentinelLures look like sentinel markers but are prose.
var sentinelLures = []string{
	"[[SEG_END]]", "[[SEG_START", "[[SEG_START]]", "[[SEG_START {]]", `[[SEG_START {"type":"constructor"}]]`, "[[SEG_START [1]]]",
	`[[seg_start {"type":"run_bash"}]]`, "[[SEG", "]]", `[[SEG_START {"no_type":1}]]`, `<tool name="cut"></tool>`,
}

func writeSentinel(g *generator, calls []call) {
	for i, c := range calls {
		if i > 0 {
			g.blank()
		}
		if c.tool.segment == toolcall.SegmentToolCall {
			g.sentinelTool(c)
		} else {
			g.sentinelBody(c)
		}
		g.ended()
	}
}

// header writes a start marker with the members in random order.
func (g *generator) header(members object) {
	for i := len(members) - 1; i > 0; i-- {
		if j := i - g.src.IntN(i+1); j != i {
			members[i], members[j] = members[j], members[i]
		}
	}
	var b strings.Builder
	newJSONStyle(g.src).write(&b, members)
	g.raw("[[SEG_START" + pick(g.src, " ", "", "\n") + b.String() + pick(g.src, "", "", " ") + "]]")
}

func (g *generator) sentinelTool(c call) {
	head := object{{"type", pick(g.src, "tool", "tool_call")}, {"tool_name", c.tool.name}}
	var verbatim string
	switch {
	case len(c.args) == 0 && g.src.IntN(2) == 0:
		g.header(head)
	case g.src.IntN(2) == 0:
		g.header(append(head, member{"arguments", c.object()}))
	default:
		g.header(head)
		var b strings.Builder
		g.style().write(&b, c.object())
		verbatim = b.String()
		g.blank()
		g.letters(verbatim, true)
		g.blank()
	}
	g.raw("[[SEG_END]]")
	g.expect(c, verbatim, verbatim != "" && !json.Valid([]byte(verbatim)))
}

func (g *generator) sentinelBody(c call) {
	head := object{{"type", string(c.tool.segment)}}
	for _, a := range c.args {
		if a.name != c.tool.body {
			head = append(head, member{a.name, a.value})
		}
	}
	g.header(head)
	s := c.body("[[SEG_END]]")
	command := c.tool.body == "command"
	if strings.HasPrefix(s, "\n") || strings.HasPrefix(s, "\r") || command && needsLayout(s) {
		g.raw("\n")
	}
	g.verbatim(s)
	if command && needsLayout(s) {
		g.raw("\n")
	}
	g.raw("[[SEG_END]]")
	g.expect(c, "", false)
}
