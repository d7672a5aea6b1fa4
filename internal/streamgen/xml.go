package streamgen

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// xmlLures look like calls of the xml dialect but are prose.
var xmlLures = []string{
	"<toolbox name=\"x\">", "<tool>", "<tools>", "</tool>", "</arg>", "</arguments>", "<tool name=\"cut\"> is", "<tool-list name='y'>",
	"<write_file>", "<write_files path=\"a\">", "</run_bash>", "<arg name=\"k\">v</arg>", "<run_bashful>", "<tool filename=\"z\"> opens",
	"{\"name\":\"cut\",\"arguments\":{}}", "<tool <", "< tool name=\"x\">",
}

func writeXML(g *generator, calls []call) {
	for i, c := range calls {
		if i > 0 {
			g.blank()
		}
		x := &xmlWriter{g: g, upper: chance(g.src, 5), quote: pick(g.src, `"`, `"`, "'")}
		if g.loose {
			x.loose = pick(g.src, noWrapper, noQuotes, namedTags, noArgCloser, noArgumentsCloser, jsonBody)
		}
		switch {
		case c.tool.segment == toolcall.SegmentToolCall:
			g.expect(c, "", x.call(c))
		case g.src.IntN(2) == 0:
			x.shorthand(c)
		default:
			g.expect(c, "", x.call(c))
		}
		g.ended()
	}
}

// xmlWriter writes one call in one style.
type xmlWriter struct {
	g     *generator
	upper bool   // tag and attribute names in upper case
	quote string // around attribute values
	loose looseness

	departed bool // the call has deviated from the dialect
}

// looseness is a deviation from the dialect that a parser tolerates.
type looseness int

const (
	strictly looseness = iota
	noWrapper
	noQuotes
	namedTags
	noArgCloser
	noArgumentsCloser
	jsonBody
)

func (x *xmlWriter) name(s string) string {
	if x.upper {
		return strings.ToUpper(s)
	}
	return s
}

// open writes an opening tag with its attributes, in pairs of key and value.
func (x *xmlWriter) open(tag string, attrs ...string) { x.tag(tag, "", attrs) }

func (x *xmlWriter) tag(tag, end string, attrs []string) {
	g := x.g
	g.raw("<" + x.name(tag))
	for i := 0; i < len(attrs); i += 2 {
		eq := pick(g.src, "=", "=", " = ", "= ")
		quote := x.quote
		if x.loose == noQuotes && isName(attrs[i+1]) {
			quote, x.departed = "", true
		}
		g.raw(pick(g.src, " ", " ", "\n  ", "\t") + x.name(attrs[i]) + eq + quote + x.attribute(attrs[i+1]) + quote)
	}
	g.raw(pick(g.src, "", "", " ", "\n") + end + ">")
}

func (x *xmlWriter) close(tag string) {
	x.g.raw("</" + x.name(tag) + pick(x.g.src, "", "", " ") + ">")
}

// attribute escapes an attribute's value, except ">".
func (x *xmlWriter) attribute(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "'", "&#39;", "\n", "&#10;", "\r", "&#xD;", "\t", "&#x9;").Replace(s)
}

// call writes a call as a tool tag, and reports whether it deviates from the dialect.
func (x *xmlWriter) call(c call) bool {
	g := x.g
	if len(c.args) == 0 {
		switch g.src.IntN(3) {
		case 1:
			x.tag("tool", "/", []string{"name", c.tool.name})
			return x.departed
		case 2:
			x.open("tool", "name", c.tool.name)
			g.blank()
			x.close("tool")
			return x.departed
		}
	}
	x.open("tool", "name", c.tool.name)
	g.blank()
	if x.loose == jsonBody {
		g.raw(encode(c.object()))
		g.blank()
		x.close("tool")
		return true
	}
	if x.loose != noWrapper {
		x.open("arguments")
	}
	x.departed = x.departed || x.loose == noArgumentsCloser || x.loose == noWrapper && len(c.args) > 0
	sure := c.startsBefore()
	for i, a := range c.args {
		g.blank()
		if chance(g.src, 8) {
			g.raw("<!-- a </arg> note -->")
			g.blank()
		}
		tag := "arg"
		if _, scalar := a.value.(string); scalar && x.loose == namedTags {
			tag = a.name
			g.raw("<" + tag + ">") // in its own case: the tag is the parameter's name
			x.value(a, c.typed, sure[i])
			g.raw("</" + tag + ">")
			x.departed = true
			continue
		}
		x.open(tag, "name", a.name)
		if s, ok := a.value.(string); ok && i == len(c.args)-1 && x.loose == noArgCloser && !needsLayout(s) {
			g.raw(x.escape(s))
			g.raw("</arguments></tool>")
			return true
		}
		x.value(a, c.typed, sure[i])
		x.close(tag)
	}
	g.blank()
	if x.loose != noWrapper && x.loose != noArgumentsCloser {
		x.close("arguments")
		g.blank()
	}
	x.close("tool")
	return x.departed
}

// startsBefore reports for every argument whether the segment starts before it. That of
// a file starts after its path.
func (c call) startsBefore() []bool {
	sure := make([]bool, len(c.args))
	started := c.tool.segment == toolcall.SegmentToolCall
	for i, a := range c.args {
		sure[i] = started
		started = started || a.name == "path"
	}
	if c.tool.segment == toolcall.SegmentRunBash {
		// The start includes background and timeout, which may still come, so the
		// command need not stream.
		for i := range sure {
			sure[i] = false
		}
	}
	return sure
}

// value writes the text between the tags of an argument or item.
func (x *xmlWriter) value(a arg, typed, sure bool) {
	g := x.g
	switch v := a.value.(type) {
	case string:
		switch {
		case a.name == "content" || a.name == "patch":
			x.file(a.name, v, sure)
		case a.name == "command":
			x.str(v, sure)
		default:
			x.str(v, sure && (!typed || a.kind == kindString))
		}
	case []any:
		if typed && g.src.IntN(3) == 0 {
			g.blank()
			g.raw(x.escape(encode(v)))
			g.blank()
			return
		}
		for _, e := range v {
			g.blank()
			x.open("item")
			x.value(arg{value: e}, typed, false)
			x.close("item")
		}
		g.blank()
	case object:
		if typed && g.src.IntN(3) == 0 {
			g.blank()
			g.raw(x.escape(encode(v)))
			g.blank()
			return
		}
		for _, m := range v {
			g.blank()
			x.open("arg", "name", m.key)
			x.value(arg{value: m.value}, typed, false)
			x.close("arg")
		}
		g.blank()
	case json.Number:
		g.blank()
		g.raw(v.String())
		g.blank()
	case bool:
		g.blank()
		s := fmt.Sprint(v)
		g.raw(pick(g.src, s, strings.ToUpper(s[:1])+s[1:]))
		g.blank()
	case nil:
		g.raw("null")
	}
}

// str writes a string, with layout around it if the string needs that: escaped, as
// CDATA, or raw if that is safe.
func (x *xmlWriter) str(s string, sure bool) {
	g := x.g
	layout := needsLayout(s) || chance(g.src, 4)
	if layout {
		g.raw(pick(g.src, "\n", "\r\n"))
	}
	if sure {
		x.promptly(s)
	} else if i := strings.Index(s, "]]>"); i < 0 && s != "" && chance(g.src, 4) {
		g.raw("<![CDATA[" + s + "]]>")
	} else {
		g.raw(x.escape(s))
	}
	if layout {
		g.raw("\n" + pick(g.src, "", "  ", "\t"))
	}
}

// promptly writes a string that must stream, and calls sure where nothing may be held
// back.
func (x *xmlWriter) promptly(s string) {
	for i, r := range s {
		if i > 0 && isLetter(rune(s[i-1])) {
			x.g.sure()
		}
		x.g.raw(x.escape(string(r)))
	}
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' }

// needsLayout reports whether a reader would strip line breaks of s itself as layout.
func needsLayout(s string) bool {
	return strings.HasPrefix(s, "\n") || strings.HasPrefix(s, "\r") || strings.ContainsRune(s[strings.LastIndexAny(s, "abcdefghijklmnopqrstuvwxyz>;")+1:], '\n')
}

// escape escapes s as character data. It leaves some strings raw that need no escape.
func (x *xmlWriter) escape(s string) string {
	if plain(s) && x.g.src.IntN(2) == 0 {
		return s
	}
	lt := pick(x.g.src, "&lt;", "&#60;", "&#x3C;")
	return strings.NewReplacer("&", pick(x.g.src, "&amp;", "&#38;"), "<", lt, ">", pick(x.g.src, "&gt;", ">"),
		"'", pick(x.g.src, "'", "&apos;"), `"`, pick(x.g.src, `"`, "&quot;")).Replace(s)
}

// plain reports whether s needs no escape: it has no entity, and nothing that closes
// the value or makes it more than a string.
func plain(s string) bool {
	for _, markup := range []string{"&", "<![CDATA[", "<!--", "</a", "</item", "</tool", "<item", "<arg", "__START", "__END"} {
		if strings.Contains(s, markup) {
			return false
		}
	}
	return !strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), "<")
}

// file writes a file's content, with content markers or as an ordinary value.
func (x *xmlWriter) file(name, s string, sure bool) {
	g := x.g
	mark := strings.ToUpper(name)
	if !chance(g.src, 3) {
		x.fileBody(s, sure)
		return
	}
	g.blank()
	g.raw("__START_" + mark + "__" + pick(g.src, "\n", "\r\n") + s + "__END_" + mark + "__")
	g.blank()
}

// fileBody writes a file's content. Only the newline after the opening tag is layout.
func (x *xmlWriter) fileBody(s string, sure bool) {
	if strings.HasPrefix(s, "\n") || strings.HasPrefix(s, "\r") || chance(x.g.src, 3) {
		x.g.raw("\n")
	}
	if sure {
		x.promptly(s)
		return
	}
	x.g.raw(x.escape(s))
}

// shorthand writes a call as the tool's own tag, with a verbatim body.
func (x *xmlWriter) shorthand(c call) {
	g, tag := x.g, string(c.tool.segment)
	var attrs []string
	for _, a := range c.args {
		switch v := a.value.(type) {
		case string:
			if a.name != c.tool.body {
				attrs = append(attrs, a.name, v)
			}
		default:
			attrs = append(attrs, a.name, encode(v))
		}
	}
	x.open(tag, attrs...)
	s := c.body("</" + tag + ">")
	command := c.tool.body == "command"
	if needsLayout(s) && command || strings.HasPrefix(s, "\n") || strings.HasPrefix(s, "\r") || chance(g.src, 3) {
		g.raw("\n")
	}
	g.verbatim(s)
	if command && (needsLayout(s) || chance(g.src, 3)) {
		g.raw("\n")
	}
	x.close(tag)
	g.expect(c, "", x.departed)
}

// verbatim writes a body that must stream unchanged.
func (g *generator) verbatim(s string) {
	for i := range len(s) {
		if i > 1 && isLetter(rune(s[i-1])) && isLetter(rune(s[i-2])) {
			g.sure()
		}
		g.raw(s[i : i+1])
	}
}
