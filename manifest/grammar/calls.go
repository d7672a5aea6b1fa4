package grammar

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/parser"
)

// parts is a call, taken apart: what stands before the arguments, they, and what
// stands behind.
type parts struct {
	before, args, after *node
}

// maxDigitsOfID is how many digits a call's number may have.
const maxDigitsOfID = 3

// number0 is the number of a call in its message.
var number0 = rep(char(digit), 1, maxDigitsOfID)

// call takes the call of a tool apart, without its section.
func (w *writer) call(t *tool) parts {
	args := w.add(t.Name+"-args", nil)
	args.body = w.args(t)
	w.check(t, args)
	head, d := &w.d.Head, w.d
	named := strings.NewReplacer("{name}", t.Name)
	p := parts{before: lit(named.Replace(d.Frame.Call.Open)), args: call(args), after: lit(named.Replace(d.Frame.Call.Close))}
	if d.Written.List.Open != "" {
		p.before, p.after = nothing, nothing
	}
	switch head.Form {
	case parser.HeadEnvelope, parser.HeadKey:
		before, after, _ := strings.Cut(w.envelope(), "{args}")
		name, _ := w.json.quote(t.Name)
		before = strings.ReplaceAll(before, "{name}", name)
		first, second, hasID := strings.Cut(before, "{id}")
		p.before = seq(p.before, lit(first))
		if hasID {
			p.before = seq(p.before, lit(`"`), number0, lit(`"`+second))
		}
		p.after = seq(lit(after), p.after)
	case parser.HeadHeader:
		l := w.json
		name, _ := l.quote(t.Name)
		p.before = seq(p.before, lit(fmt.Sprintf(` {"%s"%s"tool"%s"%s"%s%s}%s`, head.Type, l.colon, l.comma, head.Name[0], l.colon, name, head.End)))
	case parser.HeadAttribute:
		attribute := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(t.Name)
		p.before = seq(p.before, lit(` `+head.Name[0]+`="`+attribute+`"`))
		if count := d.Written.Count; count != "" {
			p.before = seq(p.before, lit(" "+count+`="`), char(firstOnes), rep(char(digit), 0, maxDigitsOfID-1), lit(`"`))
		}
		if head.End == "" {
			p.before = seq(p.before, lit(">"))
		}
		p.before = seq(p.before, lit(head.End))
	case parser.HeadLiteral:
		p.before = seq(p.before, lit(head.Prefix+t.Name))
		if head.Index != "" {
			p.before = seq(p.before, lit(head.Index), number0)
		}
		p.before = seq(p.before, lit(head.End))
	}
	if d.Args.Form == parser.ArgsTags {
		p.after = seq(p.after, lit(">"))
	}
	if d.Args.Form == parser.ArgsGemma || d.Args.Form == parser.ArgsPython || d.Written.List.Open == "" {
		around := d.Written.Call
		section := d.Frame.Section
		if !d.Frame.Single {
			section = parser.Pair{}
		}
		p.before = seq(lit(named.Replace(around.Open)), lit(section.Open), p.before)
		p.after = seq(p.after, lit(section.Close), lit(around.Close))
	}
	return p
}

// envelope is how a call of HeadEnvelope or HeadKey is written, with slots.
func (w *writer) envelope() string {
	head, l := &w.d.Head, w.json
	switch {
	case w.d.Written.Envelope != "":
		return w.d.Written.Envelope
	case head.Form == parser.HeadKey:
		return "{{name}" + l.colon + "{args}}"
	}
	return fmt.Sprintf(`{"%s"%s{name}%s"%s"%s{args}}`, head.Name[0], l.colon, l.comma, w.d.Args.Keys[0], l.colon)
}

// frame is what stands around the calls of a message, and between two.
func (w *writer) frame() (open, between, close string) {
	f, list := &w.d.Frame, &w.d.Written.List
	between = f.Between
	switch {
	case list.Open != "":
		if between == "" {
			between = w.json.comma
		}
		return f.Section.Open + f.Call.Open + list.Open, between, list.Close + f.Call.Close + f.Section.Close
	case f.Single:
		return "", between, ""
	}
	return f.Section.Open, between, f.Section.Close
}

// gbnf writes the grammar.
func (w *writer) gbnf() ([]byte, error) {
	var ways []*node
	for _, t := range w.tools {
		p := w.calls[t]
		r := w.add(t.Name+"-call", seq(p.before, p.args, unbroken(p.after)))
		ways = append(ways, call(r))
	}
	open, between, close := w.frame()
	one := call(w.add("call", alt(ways...)))
	calls := one
	if !w.o.Single {
		calls = seq(one, many(seq(lit(between), one)))
	}
	root := w.add("root", seq(lit(open), calls, lit(close)))
	if !settle(root) {
		return nil, &Error{Dialect: w.d.Name, Reason: "no call is finite"}
	}
	var dst []byte
	for _, trigger := range w.triggers() {
		dst = append(appendLiteral(append(dst, "# trigger: "...), trigger), '\n')
	}
	return writeRules(dst, root), nil
}

// unbroken is n without need for the line break that it ends with: a message may end
// before it.
func unbroken(n *node) *node {
	end, before := cutTail(n)
	line, ok := strings.CutSuffix(end, "\n")
	if !ok {
		return n
	}
	return seq(before, lit(line), optional(lit("\n")))
}

// triggers are what calls begin with, as far as that is sure.
func (w *writer) triggers() []string {
	open, _, _ := w.frame()
	if len(strings.TrimSpace(open)) > 1 {
		return []string{open}
	}
	var list []string
	for _, t := range w.tools {
		head := lead(w.calls[t].before)
		if namesItsTag(w.d) || w.d.Head.Form == parser.HeadLiteral && w.d.Frame.Call.Open == "" {
			list = append(list, open+head)
			continue
		}
		if at := strings.Index(head, t.Name); at > 0 {
			head = head[:at]
		}
		return []string{open + head}
	}
	return list
}

// lead is the literal that n begins with.
func lead(n *node) string {
	switch {
	case n.kind == kindLit:
		return n.text
	case n.kind == kindSeq && len(n.of) > 0:
		return lead(n.of[0])
	}
	return ""
}
