package grammar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/rules"
	written "github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// parts are the parts of a call: before the arguments, the arguments, and after them.
type parts struct {
	heads       []*rules.Node // the ways to begin the call; the dialect writes the first
	args, after *rules.Node
}

// maxDigitsOfID is the maximal number of digits in a call's number.
const maxDigitsOfID = 3

// number0 matches the number of a call in its message.
var number0 = rules.Repeat(rules.Char(rules.Digit), 1, maxDigitsOfID)

// call returns the parts of a tool's call, without the section around calls.
func (w *writer) call(t *rules.Tool) parts {
	args := w.Add(t.Name+"-args", nil)
	args.Body = w.args(t)
	w.Check(t, args)
	p := parts{args: rules.Call(args), after: pieces(w.form.After, t.Name)}
	p.heads = w.heads(t.Name)
	return p
}

// heads returns the ways to begin a call of a tool after its prompt.
func (w *writer) heads(name string) []*rules.Node {
	first := pieces(w.form.Before, name)
	prompt := w.Dialect.Written.Prompt
	if prompt == "" {
		return []*rules.Node{first}
	}
	opener, rest := cutLead(first)
	list := []*rules.Node{rules.Seq(rules.Text(strings.TrimPrefix(opener, prompt)), rest)}
	for _, head := range w.Dialect.Written.Heads {
		list = append(list, rules.Text(strings.ReplaceAll(head, "{name}", name)))
	}
	return list
}

// pieces matches the text before or after the arguments of a call.
func pieces(list []written.Piece, name string) *rules.Node {
	nodes := make([]*rules.Node, len(list))
	for i, p := range list {
		switch p.Slot {
		case written.SlotText:
			nodes[i] = rules.Text(p.Text)
		case written.SlotName:
			nodes[i] = rules.Text(name)
		case written.SlotQuoted:
			nodes[i] = rules.Text(jsonvalue.Quote(name))
		case written.SlotEscaped:
			nodes[i] = rules.Text(lex.EscapeAttribute(name))
		case written.SlotID:
			nodes[i] = rules.Seq(rules.Text(`"`), number0, rules.Text(`"`))
		case written.SlotLead:
			nodes[i] = rules.Repeat(rules.Char(rules.Charset{{'0', '9'}, {'a', 'z'}}), 1, maxDigitsOfID)
		case written.SlotIndex:
			nodes[i] = number0
		case written.SlotCount:
			nodes[i] = rules.Seq(rules.Char(rules.Digit.Without(rules.Chars("0"))), rules.Repeat(rules.Char(rules.Digit), 0, maxDigitsOfID-1))
		default: // a grammar demands no id
			nodes[i] = rules.Nothing
		}
	}
	return rules.Seq(nodes...)
}

// gbnf returns the GBNF grammar.
func (w *writer) gbnf() ([]byte, error) {
	var ways []*rules.Node
	for _, t := range w.Tools {
		p := w.calls[t]
		r := w.Add(t.Name+"-call", rules.Seq(rules.Alt(p.heads...), p.args, unbroken(p.after)))
		ways = append(ways, rules.Call(r))
	}
	one := rules.Call(w.Add("call", rules.Alt(ways...)))
	calls := one
	if !w.o.Single {
		calls = rules.Seq(one, rules.Many(rules.Seq(rules.Text(w.form.Between+w.Dialect.Written.Prompt), one)))
	}
	triggers := w.triggers(w.heads(slot))
	body := rules.Seq(rules.Text(w.form.Open), calls, rules.Text(w.form.Close))
	if w.o.Text {
		prose, err := w.prose(triggers)
		if err != nil {
			return nil, err
		}
		if w.o.Choice.Mode != chat.ChoiceRequired && w.o.Choice.Mode != chat.ChoiceOne {
			body = rules.Optional(body)
		}
		body, triggers = rules.Seq(prose, body), nil
	}
	root := w.Add("root", body)
	if !rules.Settle(root) {
		return nil, &Error{Dialect: w.Dialect.Name, Reason: "no call is finite"}
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
func (w *writer) prose(triggers []string) (*rules.Node, error) {
	var markers []string
	for _, trigger := range triggers {
		trigger = strings.TrimLeft(trigger, " \n")
		if len(trigger) < minProseMarker {
			return nil, &FormatError{Dialect: w.Dialect.Name, Format: GBNF, Reason: "its calls begin with no marker that text could do without", Has: Formats()[:1]}
		}
		markers = append(markers, trigger)
	}
	return w.Without("prose", rules.AnyChar, markers, w.Dialect.Folds(), nil).Node(), nil
}

// unbroken returns n with its final line break optional, because a message may end
// before it.
func unbroken(n *rules.Node) *rules.Node {
	end, before := cutTail(n)
	line, ok := strings.CutSuffix(end, "\n")
	if !ok {
		return n
	}
	return rules.Seq(before, rules.Text(line), rules.Optional(rules.Text("\n")))
}

// slot stands for the name of a tool, to find the text before the name. It is a
// private-use character, which no name contains.
const slot = "\ue000"

// triggers returns the texts with which calls with these heads begin, before the tool's
// name. After a trigger only a call of one of the tools can follow.
func (w *writer) triggers(heads []*rules.Node) []string {
	if open := w.form.Open; len(strings.TrimSpace(open)) > 1 {
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
	f := &w.Dialect.Frame
	for _, opener := range []string{f.Section.Open, f.Call.Open} {
		opener, _, _ = strings.Cut(strings.TrimSpace(opener), "\n")
		rest, ok := strings.CutPrefix(before, opener)
		if opener == "" || !ok {
			continue
		}
		if rules.IsWord(opener) { // it could be a word of prose
			opener = strings.TrimSpace(before)
		}
		// Without the blank it could be the beginning of another tag.
		if last := opener[len(opener)-1:]; rules.IsWord("x"+last) && strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, " {") {
			return opener + " "
		}
		return opener
	}
	if strings.HasPrefix(before, "{") { // JSON without a marker
		before, _, _ = strings.Cut(before, " ")
		return before
	}
	before, _, _ = strings.Cut(before, "\n")
	if bare := strings.TrimSuffix(before, w.Dialect.Head.Prefix); strings.ContainsAny(bare, "<[>") {
		return bare
	}
	return before
}

// begins returns the ways to begin a call of a tool anywhere in a message. It leaves
// out a head that begins with an ordinary word, unless the name has a prefix that distinguishes
// the call from prose.
func (w *writer) begins(name string) []*rules.Node {
	prompt := w.Dialect.Written.Prompt
	if prompt == "" {
		return w.heads(name)
	}
	var list []*rules.Node
	for _, head := range w.heads(name) {
		opener := lead(head)
		if !strings.HasPrefix(opener, " ") { // a token begins it
			list = append(list, head)
			continue
		}
		list = append(list, rules.Seq(rules.Text(prompt), head))
		if w.Dialect.Head.Prefix != "" {
			list = append(list, head)
		}
	}
	return list
}

// lead returns the literal with which n begins, or "".
func lead(n *rules.Node) string {
	switch {
	case n.Kind == rules.KindText:
		return n.Text
	case n.Kind == rules.KindSeq && len(n.Of) > 0:
		return lead(n.Of[0])
	}
	return ""
}

// readsLists reports whether the parser reads calls in a JSON list, although the
// dialect writes them one after another.
func (w *writer) readsLists() bool {
	one, err := written.NewWriter(w.Dialect, written.Options{})
	if err != nil {
		return false
	}
	call, err := one.Append(nil, written.Message{Calls: []toolcall.ToolInvocation{{Name: w.Tools[0].Name}}})
	if err != nil {
		return false
	}
	p, err := parser.New(parser.Options{Dialects: []*dialect.Dialect{w.Dialect}})
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
