package grammar

import (
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// structuralTag returns the structural tag. If calls are in a section or a list, that
// is the triggered tag, and the calls are tags in it. Otherwise each call is a triggered
// tag.
func (w *writer) structuralTag() []byte {
	tags := list()
	open, between, close := w.frame()
	for _, t := range w.tools {
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
			Set("content", object().Set("type", text("tags_with_separator")).Set("tags", tags).Set("separator", text(between)).
				Set("at_least_one", truth(true)).Set("stop_after_first", truth(w.o.Single))).
			Set("end", text(close))
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
func (w *writer) noCalls(trigger string) []*jnode {
	tag := func(content *jnode) *jnode {
		return object().Set("type", text("tag")).Set("begin", text(trigger)).Set("content", content).Set("end", text(""))
	}
	openers := []string{w.d.Written.Text.Open}
	for _, r := range w.d.Reasoning {
		openers = append(openers, r.Open)
	}
	var tags []*jnode
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
func (w *writer) tag(t *tool, head *node) *jnode {
	p := w.calls[t]
	begin, before := cutLead(head)
	end, after := cutTail(p.after)
	content := object()
	inJSON := w.d.Args.Form == dialect.ArgsJSON || w.d.Args.Form == dialect.ArgsRaw && w.d.Args.Object
	if inJSON && before == nothing && after == nothing {
		content.Set("type", text("json_schema")).Set("json_schema", w.parameters(t, "#"))
	} else {
		root := &rule{name: "root", body: seq(before, p.args, after)}
		settle(root)
		content.Set("type", text("grammar")).Set("grammar", text(string(writeRules(nil, root))))
	}
	return object().Set("type", text("tag")).Set("begin", text(strings.TrimLeft(begin, " "))).Set("content", content).Set("end", text(end))
}

// cutLead splits n after the literal with which it begins.
func cutLead(n *node) (string, *node) {
	s := lead(n)
	switch {
	case n.kind == kindLit:
		return s, nothing
	case s != "":
		return s, seq(n.of[1:]...)
	}
	return "", n
}

// cutTail splits n before the literal with which it ends.
func cutTail(n *node) (string, *node) {
	if n.kind == kindLit {
		return n.text, nothing
	}
	if last := len(n.of) - 1; n.kind == kindSeq && last >= 0 && n.of[last].kind == kindLit {
		return n.of[last].text, seq(n.of[:last]...)
	}
	if n.kind == kindSeq && len(n.of) == 0 {
		return "", nothing
	}
	return "", n
}
