package parser

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax/all"
)

// A fault is an invalid field of a dialect.
type fault struct{ field, why string }

// validate checks what the parser relies on. Its error names the dialect and the field.
func validate(d *dialect.Dialect) error {
	for i, r := range d.Reasoning {
		if r.Open == "" || r.Close == "" {
			return wrongField(d, fault{fmt.Sprintf("reasoning[%d]", i), "needs open and close"})
		}
	}
	for i, s := range d.Noise {
		if s == "" {
			return wrongField(d, fault{fmt.Sprintf("noise[%d]", i), "is empty"})
		}
	}
	for i, s := range d.Ends.Stop {
		if strings.TrimSpace(s) == "" {
			return wrongField(d, fault{fmt.Sprintf("ends.stop[%d]", i), "is blank"})
		}
	}
	if d.Written.TextAlways && d.Written.Text == (dialect.Pair{}) {
		return wrongField(d, fault{"written.text_always", "needs written.text"})
	}
	if wrong, ok := channelsFault(&d.Channels); ok {
		return wrongField(d, wrong)
	}
	if p := d.Written.Prompt; p != "" && !strings.HasPrefix(d.Frame.Call.Open, p) && !strings.HasPrefix(d.Written.Call.Open, p) {
		return wrongField(d, fault{"written.prompt", "is not the beginning of a call"})
	}
	if b := d.Written.Begun; b != "" && !strings.HasPrefix(d.Frame.Call.Open, b) && !slices.ContainsFunc(d.Reasoning, func(r dialect.Reasoning) bool { return strings.HasPrefix(b, r.Open) }) {
		return wrongField(d, fault{"written.begun", "is the beginning neither of a call nor of reasoning"})
	}
	switch d.Written.Keeps {
	case "", dialect.KeepsTurn, dialect.KeepsAll:
	default:
		return wrongField(d, fault{"written.keeps", fmt.Sprintf("%q is unknown", d.Written.Keeps)})
	}
	for i, head := range d.Written.Heads {
		if d.Written.Prompt == "" || !strings.Contains(head, "{name}") {
			return wrongField(d, fault{fmt.Sprintf("written.heads[%d]", i), "needs a {name}, and written.prompt"})
		}
	}
	if wrong, ok := showFault(&d.Show); ok {
		return wrongField(d, wrong)
	}
	if len(d.Forms()) < headerForms(d) {
		return wrongField(d, fault{"channels.calls", "has more entries than the dialect has forms"})
	}
	for i, f := range d.Forms() {
		wrong, ok := formFault(&f)
		if !ok {
			wrong, ok = markerFault(&f)
		}
		if s := all.Of(&f.Args); !ok && s != nil && s.Fault != nil {
			wrong.field, wrong.why = s.Fault(&f)
			ok = wrong.field != ""
		}
		if ok {
			if i > 0 {
				wrong.field = fmt.Sprintf("also[%d].%s", i-1, wrong.field)
			}
			return wrongField(d, wrong)
		}
	}
	return nil
}

// showFault returns what is wrong with how tools are shown, if anything.
func showFault(s *dialect.Show) (fault, bool) {
	if *s == (dialect.Show{}) {
		return fault{}, false
	}
	switch s.Form {
	case dialect.ToolOpenAI, dialect.ToolPlain, dialect.ToolMCP, dialect.ToolXML, dialect.ToolTags, dialect.ToolTypeScript, dialect.ToolGemma:
		if s.Param != "" {
			return fault{"show.param", fmt.Sprintf("is for the form %q", dialect.ToolLines)}, true
		}
	case dialect.ToolPython:
		if !strings.Contains(s.Tool.Open, "{signature}") || !strings.Contains(s.Sign, "{name}") {
			return fault{"show.sign", "must contain a parameter's {name}, and show.tool.open the {signature}"}, true
		}
	case dialect.ToolLines:
		text := s.Tool.Open + s.Tool.Close
		if !strings.Contains(text, "{name}") {
			return fault{"show.tool", "does not contain the tool's {name}"}, true
		}
		if (strings.Contains(text, "{schema}") || strings.Contains(text, "{function}")) == strings.Contains(s.Param, "{name}") {
			return fault{"show.param", "must contain a parameter's {name}, unless show.tool contains the {schema}"}, true
		}
	default:
		return fault{"show.form", fmt.Sprintf("%q is unknown", s.Form)}, true
	}
	switch s.Place {
	case "", dialect.ShowBefore, dialect.ShowFirst, dialect.ShowSecond, dialect.ShowFirstUser, dialect.ShowLastUser:
	default:
		return fault{"show.place", fmt.Sprintf("%q is unknown", s.Place)}, true
	}
	return fault{}, false
}

// wrongField words a fault of d.
func wrongField(d *dialect.Dialect, f fault) error {
	return fmt.Errorf("dialect %q: %s %s", d.Name, f.field, f.why)
}

// maxClosers limits the alternative spellings of a closer, so that everything that may
// occur in its place fits into maxPatterns.
const maxClosers = 4

// headForms lists the forms of a head for errors.
const headForms = "attribute, envelope, header, key, literal"

// argsForms lists the forms of arguments for errors.
func argsForms() string {
	list := []string{string(dialect.ArgsJSON)}
	for _, form := range all.Forms() {
		list = append(list, string(form))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// markerFault returns what is wrong with the markers of a form as they are read, which is
// without surrounding blanks: a marker must not consist of blanks alone, unless it is the
// end of a name or a key. A value must end, and not with the beginning of something else.
func markerFault(f *dialect.Form) (fault, bool) {
	a := &f.Args
	for _, m := range []struct{ field, text string }{
		{"frame.section.open", f.Frame.Section.Open}, {"frame.section.close", f.Frame.Section.Close},
		{"frame.call.open", f.Frame.Call.Open}, {"frame.call.close", f.Frame.Call.Close},
		{"head.prefix", f.Head.Prefix}, {"head.id", f.Head.ID}, {"head.index", f.Head.Index}, {"head.lead", f.Head.Lead},
		{"args.key_mark.open", a.KeyMark.Open},
		{"args.type_mark.open", a.TypeMark.Open}, {"args.type_mark.close", a.TypeMark.Close},
		{"args.value_mark.open", a.ValueMark.Open}, {"args.value_mark.close", a.ValueMark.Close}, {"args.quote", a.Quote},
	} {
		if m.text != "" && lex.NewPattern(m.text) == "" {
			return fault{m.field, "consists of blanks only, which cannot be recognized as a marker"}, true
		}
	}
	for i, m := range f.Frame.Closers {
		if lex.NewPattern(m) == "" {
			return fault{fmt.Sprintf("frame.closers[%d]", i), "is blank"}, true
		}
	}
	for i, m := range a.Closers {
		if lex.NewPattern(m) == "" {
			return fault{fmt.Sprintf("args.closers[%d]", i), "is blank"}, true
		}
	}
	end := strings.TrimLeft(f.Frame.Section.Close, " \t\r\n")
	if f.Head.Form == dialect.HeadLiteral && f.Frame.Call.Open == "" && end != "" && lex.IsNameStart(end[0]) {
		return fault{"frame.section.close", "begins like the name of another call, because frame.call.open is empty: a section would never end"}, true
	}
	return fault{}, false
}

// formFault returns what is wrong with a form, if anything.
func formFault(f *dialect.Form) (fault, bool) {
	call, head, args := f.Frame.Call, f.Head, f.Args
	for _, pair := range []struct {
		field string
		dialect.Pair
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
	case dialect.HeadHeader:
		if head.End == "" || len(head.Name) == 0 || call.Open == "" || call.Close == "" {
			return fault{"head", "needs name and end, and the frame a call's open and close"}, true
		}
		return fault{}, false
	case dialect.HeadAttribute:
		if len(head.Name) == 0 {
			return fault{"head.name", "is empty"}, true
		}
		if wrong, ok := empty("frame.call.open", call.Open); ok {
			return wrong, ok
		}
	case dialect.HeadEnvelope, dialect.HeadKey:
		if args.Form != dialect.ArgsJSON {
			return fault{"args.form", fmt.Sprintf("must be %q in an envelope", dialect.ArgsJSON)}, true
		}
		if head.Form == dialect.HeadEnvelope && (len(head.Name) == 0 || len(args.Keys) == 0) {
			return fault{"head.name", "or args.keys is empty"}, true
		}
	case dialect.HeadLiteral:
		if head.Lead != "" && lex.NewPattern(head.Lead) == "" {
			return fault{"head.lead", "is blank"}, true
		}
	default:
		return fault{"head.form", fmt.Sprintf("%q is unknown; the forms are %s", head.Form, headForms)}, true
	}
	if args.CDATA && !args.Entities {
		return fault{"args.cdata", "needs args.entities"}, true
	}
	switch args.Form {
	case dialect.ArgsJSON:
	default:
		if all.Of(&args) == nil {
			return fault{"args.form", fmt.Sprintf("%q is unknown; the forms are %s", args.Form, argsForms())}, true
		}
	}
	return fault{}, false
}

// channelsFault returns what is wrong with the channels, if anything.
func channelsFault(c *dialect.Channels) (fault, bool) {
	if len(c.Open) == 0 {
		return fault{}, false
	}
	for _, list := range []struct {
		field string
		marks []string
		needs bool
	}{
		{"channels.open", c.Open, true}, {"channels.within", c.Within, false},
		{"channels.message", c.Message, true}, {"channels.close", c.Close, true},
	} {
		if list.needs && len(list.marks) == 0 {
			return fault{list.field, "is empty"}, true
		}
		for _, m := range list.marks {
			switch p := lex.NewPattern(m); {
			case len(p.Literal()) < 2, list.field != "channels.close" && p.Literal() != string(p):
				return fault{list.field, "needs tokens of at least two bytes, without blanks"}, true
			case p.Texts() == nil:
				return fault{list.field, "has a slot"}, true
			}
		}
	}
	if len(c.Within)+len(c.Message) > lex.MaxPatterns || len(c.Open)*len(c.Close) > lex.MaxPatterns {
		return fault{"channels", "has too many tokens"}, true
	}
	return fault{}, false
}
