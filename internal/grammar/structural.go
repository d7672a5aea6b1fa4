package grammar

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/rules"
)

// structuralTag returns the structural tag. If calls are in a section or a list, that
// is the triggered tag, and the calls are tags in it. Otherwise each call is a triggered
// tag.
func (w *writer) structuralTag() []byte {
	tags := list()
	open := w.form.Open
	for _, t := range w.Tools {
		heads := w.begins(t.Name)
		if open != "" {
			heads = heads[:1]
		}
		for _, head := range heads {
			tags.List = append(tags.List, w.tag(t, head))
		}
	}
	if open != "" {
		section := object().Set("type", text("tag")).Set("begin", text(strings.TrimLeft(open, " "))).
			Set("content", object().Set("type", text("tags_with_separator")).Set("tags", tags).Set("separator", text(w.form.Between)).
				Set("at_least_one", truth(true)).Set("stop_after_first", truth(w.o.Single))).
			Set("end", text(w.form.Close))
		tags = list(section)
	}
	must := w.o.Choice.Mode == chat.ChoiceRequired || w.o.Choice.Mode == chat.ChoiceOne
	once := w.o.Single || open != ""
	triggers := list()
	for _, trigger := range w.triggers(w.begins(slot)) {
		trigger = strings.TrimLeft(trigger, " ") // the text before a tag is free
		triggers.List = append(triggers.List, text(trigger))
		if !must && !once { // else each of these would count as the call
			tags.List = append(tags.List, w.noCalls(trigger)...)
		}
	}
	format := object().Set("type", text("triggered_tags")).Set("triggers", triggers).Set("tags", tags).
		Set("at_least_one", truth(must)).Set("stop_after_first", truth(once))
	return append(jsonvalue.Compact.Append(nil, object().Set("type", text("structural_tag")).Set("format", format)), '\n')
}

// noCalls returns tags for other output that begins with a trigger: the markers of the
// model's text and reasoning and, if the trigger is a single <, comparisons.
func (w *writer) noCalls(trigger string) []*jsonvalue.Value {
	tag := func(content *jsonvalue.Value) *jsonvalue.Value {
		return object().Set("type", text("tag")).Set("begin", text(trigger)).Set("content", content).Set("end", text(""))
	}
	openers := []string{w.Dialect.Written.Text.Open}
	for _, r := range w.Dialect.Reasoning {
		openers = append(openers, r.Open)
	}
	var tags []*jsonvalue.Value
	for _, opener := range openers {
		if rest, ok := strings.CutPrefix(opener, trigger); ok && rest != "" {
			tags = append(tags, tag(object().Set("type", text("const_string")).Set("value", text(rest))))
		}
	}
	if trigger == "<" {
		tags = append(tags, tag(object().Set("type", text("regex")).Set("pattern", text("[^A-Za-z_]"))))
	}
	return tags
}

// tag returns the tag of a tool's call that begins with head. The literals at its
// beginning and end become begin and end; between them is a schema if the arguments
// are JSON, else a grammar.
func (w *writer) tag(t *rules.Tool, head *rules.Node) *jsonvalue.Value {
	p := w.calls[t]
	begin, before := cutLead(head)
	end, after := cutTail(p.after)
	content := object()
	inJSON := w.Dialect.Args.Form == dialect.ArgsJSON || w.Dialect.Args.Form == dialect.ArgsRaw && w.Dialect.Args.Object
	if inJSON && before == rules.Nothing && after == rules.Nothing {
		content.Set("type", text("json_schema")).Set("json_schema", w.parameters(t, "#"))
	} else {
		root := &rules.Rule{Name: "root", Body: rules.Seq(before, p.args, after)}
		rules.Settle(root)
		content.Set("type", text("grammar")).Set("grammar", text(string(writeRules(nil, root))))
	}
	return object().Set("type", text("tag")).Set("begin", text(strings.TrimLeft(begin, " "))).Set("content", content).Set("end", text(end))
}

// cutLead splits n after the literal with which it begins.
func cutLead(n *rules.Node) (string, *rules.Node) {
	s := lead(n)
	switch {
	case n.Kind == rules.KindText:
		return s, rules.Nothing
	case s != "":
		return s, rules.Seq(n.Of[1:]...)
	}
	return "", n
}

// cutTail splits n before the literal with which it ends.
func cutTail(n *rules.Node) (string, *rules.Node) {
	if n.Kind == rules.KindText {
		return n.Text, rules.Nothing
	}
	if last := len(n.Of) - 1; n.Kind == rules.KindSeq && last >= 0 && n.Of[last].Kind == rules.KindText {
		return n.Of[last].Text, rules.Seq(n.Of[:last]...)
	}
	if n.Kind == rules.KindSeq && len(n.Of) == 0 {
		return "", rules.Nothing
	}
	return "", n
}
