package parser

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax/all"
)

// validate checks what the parser relies on. Its error names the dialect and the first field
// that is wrong.
func validate(d *dialect.Dialect) error {
	c := &checker{}
	for i, r := range d.Reasoning {
		c.check(r.Open != "" && r.Close != "", fmt.Sprintf("reasoning[%d]", i), "needs open and close")
	}
	for i, s := range d.Shorthands {
		c.check(s.Tag != "" && s.Content != "", fmt.Sprintf("shorthands[%d]", i), "needs tag and content")
	}
	c.checkEach("noise", d.Noise, "is empty", func(s string) bool { return s != "" })
	c.checkEach("ends.stop", d.Ends.Stop, "is blank", func(s string) bool { return strings.TrimSpace(s) != "" })
	c.checkChannels(&d.Channels)
	c.checkWritten(d)
	c.checkShow(&d.Show)
	c.check(len(d.Forms()) >= headerForms(d), "channels.calls", "has more entries than the dialect has forms")
	for i, f := range d.Forms() {
		if i > 0 {
			c.prefix = fmt.Sprintf("also[%d].", i-1)
		}
		c.checkForm(&f)
		c.checkMarkers(&f)
		if s := all.Of(&f.Args); c.wrong == "" && s != nil && s.Fault != nil {
			field, why := s.Fault(&f)
			c.check(field == "", field, why)
		}
	}
	if c.wrong != "" {
		return fmt.Errorf("dialect %q: %s", d.Name, c.wrong)
	}
	return nil
}

// checker checks the fields of a dialect.
type checker struct {
	prefix string // of the names of fields
	wrong  string // the first field that is wrong, and why; "" if none is
}

// check records that a field is wrong, unless ok, and why.
func (c *checker) check(ok bool, field, why string) {
	if !ok && c.wrong == "" {
		c.wrong = c.prefix + field + " " + why
	}
}

// checkEach checks each string of a list.
func (c *checker) checkEach(field string, list []string, why string, ok func(string) bool) {
	for i, s := range list {
		c.check(ok(s), fmt.Sprintf("%s[%d]", field, i), why)
	}
}

// isMarker reports whether a text is a marker as it is read, which is without surrounding blanks.
func isMarker(text string) bool { return lex.NewPattern(text) != "" }

// checkWritten checks what only writers need.
func (c *checker) checkWritten(d *dialect.Dialect) {
	w := &d.Written
	c.check(!w.TextAlways || w.Text != (dialect.Pair{}), "written.text_always", "needs written.text")
	c.check(strings.HasPrefix(d.Frame.Call.Open, w.Prompt) || strings.HasPrefix(w.Call, w.Prompt), "written.prompt", "is not the beginning of a call")
	opens := func(r dialect.Reasoning) bool { return strings.HasPrefix(w.Begun, r.Open) }
	c.check(strings.HasPrefix(d.Frame.Call.Open, w.Begun) || slices.ContainsFunc(d.Reasoning, opens),
		"written.begun", "is the beginning neither of a call nor of reasoning")
	c.checkKnown(slices.Contains([]dialect.Keeps{"", dialect.KeepsTurn, dialect.KeepsAll}, w.Keeps), "written.keeps", string(w.Keeps))
	c.checkEach("written.heads", w.Heads, "needs a {name}, and written.prompt", func(head string) bool { return w.Prompt != "" && strings.Contains(head, "{name}") })
}

// checkKnown checks that the value of a field is known.
func (c *checker) checkKnown(known bool, field, value string) {
	c.check(known, field, fmt.Sprintf("%q is unknown", value))
}

// checkShow checks how tools are shown.
func (c *checker) checkShow(s *dialect.Show) {
	if *s == (dialect.Show{}) {
		return
	}
	text := s.Tool.Open + s.Tool.Close
	switch s.Form {
	case dialect.ToolOpenAI, dialect.ToolPlain, dialect.ToolMCP, dialect.ToolXML, dialect.ToolTags, dialect.ToolTypeScript, dialect.ToolGemma:
		c.check(s.Param == "", "show.param", fmt.Sprintf("is for the form %q", dialect.ToolLines))
	case dialect.ToolPython:
		c.check(strings.Contains(s.Tool.Open, "{signature}") && strings.Contains(s.Sign, "{name}"),
			"show.sign", "must contain a parameter's {name}, and show.tool.open the {signature}")
	case dialect.ToolLines:
		c.check(strings.Contains(text, "{name}"), "show.tool", "does not contain the tool's {name}")
		c.check((strings.Contains(text, "{schema}") || strings.Contains(text, "{function}")) != strings.Contains(s.Param, "{name}"),
			"show.param", "must contain a parameter's {name}, unless show.tool contains the {schema}")
	default:
		c.checkKnown(false, "show.form", string(s.Form))
	}
	places := []dialect.ShowPlace{"", dialect.ShowBefore, dialect.ShowFirst, dialect.ShowSecond, dialect.ShowFirstUser, dialect.ShowLastUser}
	c.checkKnown(slices.Contains(places, s.Place), "show.place", string(s.Place))
	types := []dialect.TypeDetail{"", dialect.TypesAny, dialect.TypesDetailed}
	c.checkKnown(slices.Contains(types, s.Layout.Types), "show.layout.types", string(s.Layout.Types))
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

// checkMarkers checks the markers of a form as they are read: a marker must not consist of
// blanks alone, unless it is the end of a name or a key. A value must end, and not with the
// beginning of something else.
func (c *checker) checkMarkers(f *dialect.Form) {
	a := &f.Args
	for _, m := range []struct{ field, text string }{
		{"frame.section.open", f.Frame.Section.Open}, {"frame.section.close", f.Frame.Section.Close},
		{"frame.call.open", f.Frame.Call.Open}, {"frame.call.close", f.Frame.Call.Close},
		{"head.prefix", f.Head.Prefix}, {"head.id", f.Head.ID}, {"head.index", f.Head.Index}, {"head.lead", f.Head.Lead},
		{"args.key_mark.open", a.KeyMark.Open},
		{"args.type_mark.open", a.TypeMark.Open}, {"args.type_mark.close", a.TypeMark.Close},
		{"args.value_mark.open", a.ValueMark.Open}, {"args.value_mark.close", a.ValueMark.Close}, {"args.quote", a.Quote},
	} {
		c.check(m.text == "" || isMarker(m.text), m.field, "consists of blanks only, which cannot be recognized as a marker")
	}
	c.checkEach("frame.closers", f.Frame.Closers, "is blank", isMarker)
	c.checkEach("args.closers", a.Closers, "is blank", isMarker)
	end := strings.TrimLeft(f.Frame.Section.Close, " \t\r\n")
	c.check(f.Head.Form != dialect.HeadLiteral || f.Frame.Call.Open != "" || end == "" || !lex.IsNameStart(end[0]),
		"frame.section.close", "begins like the name of another call, because frame.call.open is empty: a section would never end")
}

// checkForm checks a form.
func (c *checker) checkForm(f *dialect.Form) {
	call, head, args := f.Frame.Call, f.Head, f.Args
	const same = "has the same marker at both ends"
	c.check(f.Frame.Section.Open == "" || f.Frame.Section.Open != f.Frame.Section.Close, "frame.section", same)
	c.check(call.Open == "" || call.Open != call.Close, "frame.call", same)
	tooMany := fmt.Sprintf("has more than %d", maxClosers)
	c.check(len(f.Frame.Closers) <= maxClosers, "frame.closers", tooMany)
	c.check(len(args.Closers) <= maxClosers, "args.closers", tooMany)
	switch head.Form {
	case dialect.HeadHeader:
		c.check(head.End != "" && len(head.Name) > 0 && call.Open != "" && call.Close != "", "head", "needs name and end, and the frame a call's open and close")
		return
	case dialect.HeadAttribute:
		c.check(len(head.Name) > 0, "head.name", "is empty")
		c.check(call.Open != "", "frame.call.open", "is empty")
	case dialect.HeadEnvelope, dialect.HeadKey:
		c.check(args.Form == dialect.ArgsJSON, "args.form", fmt.Sprintf("must be %q in an envelope", dialect.ArgsJSON))
		c.check(head.Form == dialect.HeadKey || len(head.Name) > 0 && len(args.Keys) > 0, "head.name", "or args.keys is empty")
	case dialect.HeadLiteral:
		c.check(head.Lead == "" || isMarker(head.Lead), "head.lead", "is blank")
	default:
		c.check(false, "head.form", fmt.Sprintf("%q is unknown; the forms are %s", head.Form, headForms))
	}
	c.check(!args.CDATA || args.Entities, "args.cdata", "needs args.entities")
	c.check(args.Form == dialect.ArgsJSON || all.Of(&args) != nil, "args.form", fmt.Sprintf("%q is unknown; the forms are %s", args.Form, argsForms()))
}

// checkChannels checks the channels, if any.
func (c *checker) checkChannels(channels *dialect.Channels) {
	if len(channels.Open) == 0 {
		return
	}
	for _, list := range []struct {
		field string
		marks []string
		needs bool
	}{
		{"channels.open", channels.Open, true}, {"channels.within", channels.Within, false},
		{"channels.message", channels.Message, true}, {"channels.close", channels.Close, true},
	} {
		c.check(len(list.marks) > 0 || !list.needs, list.field, "is empty")
		for _, m := range list.marks {
			p := lex.NewPattern(m)
			c.check(len(p.Literal()) >= 2 && (list.field == "channels.close" || p.Literal() == string(p)), list.field, "needs tokens of at least two bytes, without blanks")
			c.check(p.Texts() != nil, list.field, "has a slot")
		}
	}
	c.check(len(channels.Within)+len(channels.Message) <= lex.MaxPatterns && len(channels.Open)*len(channels.Close) <= lex.MaxPatterns, "channels", "has too many tokens")
}
