package parser

import (
	"errors"
	"fmt"
	"strings"
)

// A fault is a field of a dialect that cannot be so.
type fault struct{ field, why string }

// validate checks what the parser relies on. Its error names the dialect and the
// field.
func (d *Dialect) validate() error {
	if d == nil {
		return errors.New("a dialect is nil")
	}
	for i, r := range d.Reasoning {
		if r.Open == "" || r.Close == "" {
			return d.wrong(fault{fmt.Sprintf("reasoning[%d]", i), "needs open and close"})
		}
	}
	for i, s := range d.Shorthands {
		if s.Tag == "" || s.Content == "" {
			return d.wrong(fault{fmt.Sprintf("shorthands[%d]", i), "needs tag and content"})
		}
	}
	for i, s := range d.Noise {
		if s == "" {
			return d.wrong(fault{fmt.Sprintf("noise[%d]", i), "is empty"})
		}
	}
	if wrong, ok := d.Channels.fault(); ok {
		return d.wrong(wrong)
	}
	if p := d.Written.Prompt; p != "" && !strings.HasPrefix(d.Frame.Call.Open, p) && !strings.HasPrefix(d.Written.Call.Open, p) {
		return d.wrong(fault{"written.prompt", "is not the beginning of a call"})
	}
	for i, head := range d.Written.Heads {
		if d.Written.Prompt == "" || !strings.Contains(head, "{name}") {
			return d.wrong(fault{fmt.Sprintf("written.heads[%d]", i), "needs a {name}, and written.prompt"})
		}
	}
	if wrong, ok := d.Show.fault(); ok {
		return d.wrong(wrong)
	}
	if len(d.forms()) < d.Channels.forms() {
		field := "channels.calls"
		if d.Channels.Addressed {
			field = "channels.bodies"
		}
		return d.wrong(fault{field, "has more entries than the dialect has forms"})
	}
	for i, f := range d.forms() {
		wrong, ok := f.fault()
		if !ok {
			wrong, ok = f.markerFault()
		}
		if ok {
			if i > 0 {
				wrong.field = fmt.Sprintf("also[%d].%s", i-1, wrong.field)
			}
			return d.wrong(wrong)
		}
	}
	return nil
}

// fault is what is wrong with how tools are shown.
func (s *Show) fault() (fault, bool) {
	if *s == (Show{}) {
		return fault{}, false
	}
	switch s.Form {
	case ToolOpenAI, ToolPlain, ToolMCP, ToolXML, ToolTags, ToolTypeScript:
		if s.Param != "" {
			return fault{"show.param", fmt.Sprintf("is for the form %q", ToolLines)}, true
		}
	case ToolLines:
		text := s.Tool.Open + s.Tool.Close
		if !strings.Contains(text, "{name}") {
			return fault{"show.tool", "does not contain the tool's {name}"}, true
		}
		if strings.Contains(text, "{schema}") == strings.Contains(s.Param, "{name}") {
			return fault{"show.param", "must contain a parameter's {name}, unless show.tool contains the {schema}"}, true
		}
	default:
		return fault{"show.form", fmt.Sprintf("%q is unknown", s.Form)}, true
	}
	return fault{}, false
}

func (d *Dialect) wrong(f fault) error {
	return fmt.Errorf("dialect %q: %s %s", d.Name, f.field, f.why)
}

// forms are the ways in which d writes a call, the first first; none where it
// writes no calls.
func (d *Dialect) forms() []Form {
	if !d.writesCalls() {
		return nil
	}
	return append([]Form{{d.Frame, d.Head, d.Args}}, d.Also...)
}

// writesCalls reports whether d has any syntax for a call.
func (d *Dialect) writesCalls() bool {
	return d.Head.Form != "" || d.Args.Form != "" || d.Frame.Call.Open != "" || d.Frame.Section.Open != ""
}

// maxClosers is how many other spellings a closer may have. With all else that may
// stand in its place there are then no more than maxPatterns.
const maxClosers = 4

// The forms, as errors list them.
const (
	headForms = "attribute, envelope, header, key, literal"
	argsForms = "gemma, json, pairs, python, raw, tags, yaml"
)

// markerFault is what is wrong with the markers of a form as they are read: without
// the blanks around them, which no marker is made of alone, unless it is the end of a
// name or of a key. A value must end, and not with what begins something else.
func (f *Form) markerFault() (fault, bool) {
	a := &f.Args
	for _, m := range []struct{ field, text string }{
		{"frame.section.open", f.Frame.Section.Open}, {"frame.section.close", f.Frame.Section.Close},
		{"frame.call.open", f.Frame.Call.Open}, {"frame.call.close", f.Frame.Call.Close},
		{"head.prefix", f.Head.Prefix}, {"head.id", f.Head.ID}, {"head.index", f.Head.Index}, {"head.lead", f.Head.Lead},
		{"args.key_mark.open", a.KeyMark.Open},
		{"args.type_mark.open", a.TypeMark.Open}, {"args.type_mark.close", a.TypeMark.Close},
		{"args.value_mark.open", a.ValueMark.Open}, {"args.value_mark.close", a.ValueMark.Close}, {"args.quote", a.Quote},
	} {
		if m.text != "" && newPattern(m.text) == "" {
			return fault{m.field, "consists of blanks only, which cannot be recognized as a marker"}, true
		}
	}
	for i, m := range f.Frame.Closers {
		if newPattern(m) == "" {
			return fault{fmt.Sprintf("frame.closers[%d]", i), "is blank"}, true
		}
	}
	for i, m := range a.Closers {
		if newPattern(m) == "" {
			return fault{fmt.Sprintf("args.closers[%d]", i), "is blank"}, true
		}
	}
	if a.Form != ArgsPairs || a.Nested {
		return fault{}, false
	}
	closer := newPattern(a.ValueMark.Close)
	for _, m := range []struct{ field, text string }{
		{"args.key_mark.open", a.KeyMark.Open}, {"args.value_mark.open", a.ValueMark.Open},
		{"frame.call.close", f.Frame.Call.Close}, {"frame.section.close", f.Frame.Section.Close},
	} {
		if other := newPattern(m.text); other != "" && strings.HasPrefix(string(closer), string(other)) {
			return fault{"args.value_mark.close", fmt.Sprintf("begins with %s, so it can never match", m.field)}, true
		}
	}
	if open := newPattern(a.ValueMark.Open); open != "" && newPattern(a.KeyMark.Close) != "" && strings.HasPrefix(string(newPattern(a.KeyMark.Close)), string(open)) {
		return fault{"args.key_mark.close", "begins with args.value_mark.open, so a key never ends"}, true
	}
	if blanks := len(a.ValueMark.Close) - len(strings.TrimLeft(a.ValueMark.Close, " \t\r\n")); blanks > 0 && a.Layout == "" && !a.Quoted {
		return fault{"args.value_mark.close", fmt.Sprintf("begins with blanks, which become part of values unless args.layout is %q or %q", LayoutLines, LayoutTrim)}, true
	}
	return fault{}, false
}

// fault is what is wrong with a form.
func (f *Form) fault() (fault, bool) {
	call, head, args := f.Frame.Call, f.Head, f.Args
	for _, pair := range []struct {
		field string
		Pair
	}{{"frame.section", f.Frame.Section}, {"frame.call", call}} {
		if pair.Open != "" && pair.Open == pair.Close {
			return fault{pair.field, "has the same marker at both ends"}, true
		}
	}
	switch why := fmt.Sprintf("has more than %d", maxClosers); {
	case len(f.Frame.Closers) > maxClosers:
		return fault{"frame.closers", why}, true
	case len(args.Closers) > maxClosers:
		return fault{"args.closers", why}, true
	}
	empty := func(field, s string) (fault, bool) { return fault{field, "is empty"}, s == "" }
	switch head.Form {
	case HeadHeader:
		if head.End == "" || head.Type == "" || len(head.Name) == 0 || call.Open == "" || call.Close == "" {
			return fault{"head", "needs name, type and end, and the frame a call's open and close"}, true
		}
		return fault{}, false
	case HeadAttribute:
		if len(head.Name) == 0 {
			return fault{"head.name", "is empty"}, true
		}
		if wrong, ok := empty("frame.call.open", call.Open); ok {
			return wrong, ok
		}
	case HeadEnvelope, HeadKey:
		if args.Form != ArgsJSON {
			return fault{"args.form", fmt.Sprintf("must be %q in an envelope", ArgsJSON)}, true
		}
		if head.Form == HeadEnvelope && (len(head.Name) == 0 || len(args.Keys) == 0) {
			return fault{"head.name", "or args.keys is empty"}, true
		}
	case HeadLiteral:
		if head.Lead != "" && newPattern(head.Lead) == "" {
			return fault{"head.lead", "is blank"}, true
		}
	default:
		return fault{"head.form", fmt.Sprintf("%q is unknown; the forms are %s", head.Form, headForms)}, true
	}
	switch args.Form {
	case ArgsTags:
		if wrong, ok := empty("frame.call.close", call.Close); ok {
			return wrong, ok
		}
		return empty("args.tag", args.Tag)
	case ArgsJSON, ArgsPython:
	case ArgsPairs:
		if wrong, ok := empty("args.key_mark.open", args.KeyMark.Open); ok {
			return wrong, ok
		}
		if args.Nested && (!strings.HasSuffix(args.KeyMark.Open, "<") || args.KeyMark.Close != ">" || !strings.Contains(call.Close, "</")) {
			return fault{"args.nested", `needs key_mark to be a tag's "<" and ">", and a closing tag in frame.call.close`}, true
		}
		return empty("args.value_mark.close", args.ValueMark.Close)
	case ArgsYAML:
		return empty("frame.call.close", call.Close)
	case ArgsGemma:
		return empty("args.quote", args.Quote)
	case ArgsRaw:
		return empty("args.param", args.Param)
	default:
		return fault{"args.form", fmt.Sprintf("%q is unknown; the forms are %s", args.Form, argsForms)}, true
	}
	return fault{}, false
}
