package grammar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/format/chat"
	written "github.com/toolparse/toolparse/format/text"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// parts are the parts of a call: before the arguments, the arguments, and after them.
type parts struct {
	heads       []*node // the ways to begin the call; the dialect writes the first
	args, after *node
}

// maxDigitsOfID is the maximal number of digits in a call's number.
const maxDigitsOfID = 3

// number0 matches the number of a call in its message.
var number0 = rep(char(digit), 1, maxDigitsOfID)

// call returns the parts of a tool's call, without the section around calls.
func (w *writer) call(t *tool) parts {
	args := w.add(t.Name+"-args", nil)
	args.body = w.args(t)
	w.check(t, args)
	p := parts{args: call(args), after: w.tail(t.Name)}
	p.heads = w.heads(t.Name)
	return p
}

// heads returns the ways to begin a call of a tool after its prompt.
func (w *writer) heads(name string) []*node {
	first := w.head(name)
	prompt := w.d.Written.Prompt
	if prompt == "" {
		return []*node{first}
	}
	opener, rest := cutLead(first)
	list := []*node{seq(lit(strings.TrimPrefix(opener, prompt)), rest)}
	for _, head := range w.d.Written.Heads {
		list = append(list, lit(strings.ReplaceAll(head, "{name}", name)))
	}
	return list
}

// inFrame reports whether the markers of a call are written around each call, and not
// around a list of calls.
func (w *writer) inFrame() bool {
	form := w.d.Args.Form
	return form == dialect.ArgsGemma || form == dialect.ArgsPython || w.d.Written.List.Open == ""
}

// head matches the beginning of a tool's call, up to its arguments.
func (w *writer) head(name string) *node {
	head, d := &w.d.Head, w.d
	named := strings.NewReplacer("{name}", name)
	before := lit(named.Replace(d.Frame.Call.Open))
	if d.Written.List.Open != "" {
		before = nothing
	}
	switch head.Form {
	case dialect.HeadEnvelope, dialect.HeadKey:
		text, _, _ := strings.Cut(w.d.EnvelopeForm(), "{args}")
		inQuotes, _ := w.json.quote(name)
		text = strings.ReplaceAll(text, "{name}", inQuotes)
		before = seq(before, withID(text))
	case dialect.HeadHeader:
		l := w.json
		inQuotes, _ := l.quote(name)
		before = seq(before, lit(fmt.Sprintf(` {"type"%s"tool"%s"%s"%s%s}%s`, l.colon, l.comma, head.Name[0], l.colon, inQuotes, head.End)))
	case dialect.HeadAttribute:
		before = seq(before, lit(` `+head.Name[0]+`="`+lex.EscapeAttribute(name)+`"`))
		if count := d.Written.Count; count != "" {
			before = seq(before, lit(" "+count+`="`), char(firstOnes), rep(char(digit), 0, maxDigitsOfID-1), lit(`"`))
		}
		if head.End == "" {
			before = seq(before, lit(">"))
		}
		before = seq(before, lit(head.End))
	case dialect.HeadLiteral:
		if head.Lead != "" {
			before = seq(before, rep(char(charset{{'0', '9'}, {'a', 'z'}}), 1, maxDigitsOfID), lit(head.Lead))
		}
		before = seq(before, lit(head.Prefix+name))
		if head.Index != "" {
			before = seq(before, lit(head.Index), number0)
		}
		before = seq(before, lit(head.End))
	}
	if !w.inFrame() {
		return before
	}
	section := ""
	if d.Frame.Single {
		section = d.Frame.Section.Open
	}
	return seq(lit(named.Replace(d.Written.Call.Open)), lit(section), before)
}

// withID matches a part of an envelope, with a number as the call's id.
func withID(text string) *node {
	before, after, ok := strings.Cut(text, "{id}")
	if !ok {
		return lit(text)
	}
	return seq(lit(before), lit(`"`), number0, lit(`"`+after))
}

// tail matches the end of a tool's call, after its arguments.
func (w *writer) tail(name string) *node {
	d := w.d
	named := strings.NewReplacer("{name}", name)
	after := lit(named.Replace(d.Frame.Call.Close))
	if d.Written.List.Open != "" {
		after = nothing
	}
	switch {
	case d.Head.Form == dialect.HeadEnvelope || d.Head.Form == dialect.HeadKey:
		_, rest, _ := strings.Cut(w.d.EnvelopeForm(), "{args}")
		after = seq(withID(rest), after)
	case d.Args.Form == dialect.ArgsTags:
		after = seq(after, lit(">"))
	}
	if !w.inFrame() {
		return after
	}
	section := ""
	if d.Frame.Single {
		section = d.Frame.Section.Close
	}
	return seq(after, lit(section), lit(d.Written.Call.Close))
}

// frame returns the text around the calls of a message, and between two calls.
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

// gbnf returns the GBNF grammar.
func (w *writer) gbnf() ([]byte, error) {
	var ways []*node
	for _, t := range w.tools {
		p := w.calls[t]
		r := w.add(t.Name+"-call", seq(alt(p.heads...), p.args, unbroken(p.after)))
		ways = append(ways, call(r))
	}
	open, between, close := w.frame()
	one := call(w.add("call", alt(ways...)))
	calls := one
	if !w.o.Single {
		calls = seq(one, many(seq(lit(between+w.d.Written.Prompt), one)))
	}
	triggers := w.triggers(w.heads(slot))
	body := seq(lit(open), calls, lit(close))
	if w.o.Text {
		prose, err := w.prose(triggers)
		if err != nil {
			return nil, err
		}
		if w.o.Choice.Mode != chat.ChoiceRequired && w.o.Choice.Mode != chat.ChoiceOne {
			body = optional(body)
		}
		body, triggers = seq(prose, body), nil
	}
	root := w.add("root", body)
	if !settle(root) {
		return nil, &Error{Dialect: w.d.Name, Reason: "no call is finite"}
	}
	var dst []byte
	for _, trigger := range triggers {
		dst = append(appendLiteral(append(dst, "# trigger: "...), trigger), '\n')
	}
	return writeRules(dst, root), nil
}

// minProseMarker is the minimal length of a marker that text can be kept free of.
const minProseMarker = 4

// prose matches any text in which no call begins.
func (w *writer) prose(triggers []string) (*node, error) {
	var markers []string
	for _, trigger := range triggers {
		trigger = strings.TrimLeft(trigger, " \n")
		if len(trigger) < minProseMarker {
			return nil, &FormatError{Dialect: w.d.Name, Format: GBNF, Reason: "its calls begin with no marker that text could do without", Has: Formats()[:1]}
		}
		markers = append(markers, trigger)
	}
	return w.without("prose", anyChar, markers, w.d.Frame.Fold, nil).node(), nil
}

// unbroken returns n with its final line break optional, because a message may end
// before it.
func unbroken(n *node) *node {
	end, before := cutTail(n)
	line, ok := strings.CutSuffix(end, "\n")
	if !ok {
		return n
	}
	return seq(before, lit(line), optional(lit("\n")))
}

// slot stands for the name of a tool, to find the text before the name. It is a
// private-use character, which no name contains.
const slot = "\ue000"

// triggers returns the texts with which calls with these heads begin, before the tool's
// name. After a trigger only a call of one of the tools can follow.
func (w *writer) triggers(heads []*node) []string {
	open, _, _ := w.frame()
	if len(strings.TrimSpace(open)) > 1 {
		return []string{w.trigger(open)}
	}
	var list []string
	for _, head := range heads {
		before, _, _ := strings.Cut(lead(head), slot)
		if trigger := w.trigger(before); !slices.Contains(list, trigger) {
			list = append(list, trigger)
		}
	}
	return list
}

// trigger returns the part of the text before a tool's name that is enough to recognise
// a call. It drops what models may leave out: the blanks, and the prefix of the name.
func (w *writer) trigger(before string) string {
	text := strings.TrimLeft(before, " ")
	blanks := before[:len(before)-len(text)] // the grammar begins with them
	return blanks + w.marker(text)
}

// marker returns the trigger in a text without leading blanks.
func (w *writer) marker(before string) string {
	f := &w.d.Frame
	for _, opener := range []string{f.Section.Open, f.Call.Open} {
		opener, _, _ = strings.Cut(strings.TrimSpace(opener), "\n")
		rest, ok := strings.CutPrefix(before, opener)
		if opener == "" || !ok {
			continue
		}
		if isWord(opener) { // it could be a word of prose
			opener = strings.TrimSpace(before)
		}
		// Without the blank it could be the beginning of another tag.
		if last := opener[len(opener)-1:]; isWord("x"+last) && strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, " {") {
			return opener + " "
		}
		return opener
	}
	if strings.HasPrefix(before, "{") { // JSON without a marker
		before, _, _ = strings.Cut(before, " ")
		return before
	}
	before, _, _ = strings.Cut(before, "\n")
	if bare := strings.TrimSuffix(before, w.d.Head.Prefix); strings.ContainsAny(bare, "<[>") {
		return bare
	}
	return before
}

// begins returns the ways to begin a call of a tool anywhere in a message. It leaves
// out a head that begins with an ordinary word, unless the name has a prefix that distinguishes
// the call from prose.
func (w *writer) begins(name string) []*node {
	prompt := w.d.Written.Prompt
	if prompt == "" {
		return w.heads(name)
	}
	var list []*node
	for _, head := range w.heads(name) {
		opener := lead(head)
		if !strings.HasPrefix(opener, " ") { // a token begins it
			list = append(list, head)
			continue
		}
		list = append(list, seq(lit(prompt), head))
		if w.d.Head.Prefix != "" {
			list = append(list, head)
		}
	}
	return list
}

// lead returns the literal with which n begins, or "".
func lead(n *node) string {
	switch {
	case n.kind == kindLit:
		return n.text
	case n.kind == kindSeq && len(n.of) > 0:
		return lead(n.of[0])
	}
	return ""
}

// readsLists reports whether the parser reads calls in a JSON list, although the
// dialect writes them one after another.
func (w *writer) readsLists() bool {
	one, err := written.NewWriter(w.d, written.Options{})
	if err != nil {
		return false
	}
	call, err := one.Append(nil, written.Message{Calls: []toolcall.ToolInvocation{{Name: w.tools[0].Name}}})
	if err != nil {
		return false
	}
	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{w.d}})
	if err != nil {
		return false
	}
	calls := 0
	for _, e := range p.Close(p.Feed(nil, fmt.Sprintf("[%s, %[1]s]", call))) {
		switch {
		case !e.Segment.IsCall():
			return false
		case e.Type == toolcall.SegmentEnd && (e.Status != toolcall.Complete || e.Tolerances != 0):
			return false
		case e.Type == toolcall.SegmentEnd:
			calls++
		}
	}
	return calls == 2
}
