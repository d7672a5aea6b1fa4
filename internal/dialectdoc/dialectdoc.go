// Package dialectdoc describes dialects from their table, so that the two agree. Its test
// writes docs/dialects.md.
package dialectdoc

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/syntax/all"
)

// Write describes dialects in Markdown, one after another.
func Write(w io.Writer, dialects []*dialect.Dialect) error {
	b := bufio.NewWriter(w)
	for _, d := range dialects {
		writeDialect(b, d)
	}
	return b.Flush()
}

func writeDialect(b *bufio.Writer, d *dialect.Dialect) {
	fmt.Fprintf(b, "\n## %s\n\n", d.Name)
	fmt.Fprintf(b, "%s.\n", strings.TrimSuffix(d.About, "."))
	if models := dialect.ModelPatterns(d); len(models) > 0 {
		fmt.Fprintf(b, "Model ids: `%s`.\n", strings.Join(models, "`, `"))
	}
	fence := "```"
	for strings.Contains(d.Example, fence) {
		fence += "`"
	}
	fmt.Fprintf(b, "\n%stext\n%s\n%s\n\n", fence, d.Example, fence)
	for i, f := range d.Forms() {
		title := "Calls"
		if i > 0 {
			title = "Also read"
		}
		fmt.Fprintf(b, "- %s: %s.\n", title, describe(f))
	}
	for _, r := range d.Reasoning {
		where := "where it begins a line"
		if r.Anywhere {
			where = "anywhere"
		}
		fmt.Fprintf(b, "- Reasoning: %s .. %s, %s.\n", code(r.Open), code(r.Close), where)
	}
	switch {
	case d.CallsEndReasoning:
		fmt.Fprintln(b, "- A call ends reasoning.")
	case d.CallsInReasoning:
		fmt.Fprintln(b, "- Calls inside reasoning count.")
	}
	if len(d.Noise) > 0 {
		fmt.Fprintf(b, "- No text: %s.\n", codes(d.Noise))
	}
	for _, s := range d.FileTags() {
		fmt.Fprintf(b, "- Shorthand: a tag %s, whose body is `%s`.\n", code("<"+s.Tag+">"), s.Content)
	}
	if _, typing := about(&d.Args); typing != "" {
		fmt.Fprintf(b, "- Types: %s\n", typing)
	}
	if len(d.Forms()) > 0 {
		fmt.Fprintf(b, "- Tools in a prompt: %s.\n", toolForm(d.ShowForm()))
	}
	for _, q := range d.Quirks {
		fmt.Fprintf(b, "- Quirk: %s\n", q)
	}
	fmt.Fprintf(b, "- Source: %s.\n", strings.TrimSuffix(d.Source, "."))
}

// describe describes a form of a call.
func describe(f dialect.Form) string {
	var parts []string
	if s := f.Frame.Section; s.Open != "" {
		parts = append(parts, "in "+between(s))
	}
	switch c := f.Frame.Call; {
	case c.Open != "":
		parts = append(parts, "each in "+between(c))
	case f.Frame.Section.Open == "":
		parts = append(parts, "bare: only declared tools are called")
	}
	parts = append(parts, headOf(f.Head))
	if a, _ := about(&f.Args); a != "" {
		parts = append(parts, a)
	}
	if f.Frame.Separators != "" {
		parts = append(parts, "between calls "+code(f.Frame.Separators))
	}
	switch f.Frame.At {
	case dialect.AtLine:
		parts = append(parts, "only at the beginning of a line")
	case dialect.AtStart:
		parts = append(parts, "only at the beginning of a message or after a call")
	}
	return strings.Join(parts, "; ")
}

func headOf(h dialect.Head) string {
	switch h.Form {
	case dialect.HeadAttribute:
		return "the name in the attribute " + codes(h.Name)
	case dialect.HeadEnvelope:
		text := "the name in the member " + codes(h.Name)
		if h.Answer != "" {
			text += " (" + code(h.Answer) + " makes the arguments text)"
		}
		return text
	case dialect.HeadHeader:
		return "a JSON header up to " + code(h.End)
	case dialect.HeadKey:
		return "the name is the key"
	}
	text := "the name as text"
	if h.Prefix != "" {
		text += " after " + code(h.Prefix)
	}
	if h.Index != "" {
		text += ", with " + code(h.Index) + " and an index"
	}
	if h.ID != "" {
		text += ", then " + code(h.ID) + " and an id"
	}
	if h.End != "" {
		text += ", up to " + code(h.End)
	}
	return text
}

// about describes how arguments are written, and how values get their types.
func about(a *dialect.Args) (written, typed string) {
	if s := all.Of(a); s != nil {
		return s.About(a, code)
	}
	switch {
	case a.Form != dialect.ArgsJSON:
		return "", ""
	case len(a.Keys) == 0:
		written = "the arguments as a JSON object"
	default:
		written = "the arguments as JSON in the member " + codes(a.Keys)
	}
	return written, "the JSON's own; valid JSON passes byte by byte."
}

// toolForms describes the forms of a tool.
var toolForms = map[dialect.ToolForm]string{
	dialect.ToolOpenAI:     "JSON as OpenAI writes a tool",
	dialect.ToolPlain:      "JSON with `name`, `description` and `parameters`",
	dialect.ToolMCP:        "JSON with `name`, `description` and `inputSchema`",
	dialect.ToolXML:        "an XML element for each tool and parameter",
	dialect.ToolTags:       "a tag for each keyword of a parameter",
	dialect.ToolTypeScript: "TypeScript",
	dialect.ToolPython:     "Python signatures",
	dialect.ToolGemma:      "Gemma's declarations",
}

// toolForm describes how a prompt shows the tools.
func toolForm(s dialect.Show) string {
	text := toolForms[s.Form]
	if s.Form == dialect.ToolLines {
		text = "text, each tool as " + code(s.Tool.Open+s.Param+s.Tool.Close)
	}
	if s.Form != dialect.ToolLines && s.Tool != (dialect.Pair{}) {
		text += ", each tool in " + between(s.Tool)
	}
	if s.Tools != (dialect.Pair{}) {
		text += ", all in " + between(s.Tools)
	}
	return text
}

func between(p dialect.Pair) string {
	if p.Close == "" {
		return code(p.Open)
	}
	return code(p.Open) + " .. " + code(p.Close)
}

func codes(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = code(s)
	}
	return strings.Join(out, ", ")
}

// code returns a marker as inline code, with visible line feeds.
func code(s string) string {
	s = strings.ReplaceAll(s, "\n", "⏎")
	ticks := "`"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}
