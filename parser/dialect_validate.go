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
		return d.wrong(fault{"written.prompt", "is not what a call begins with"})
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
		return d.wrong(fault{field, "has more than the dialect has forms"})
	}
	for i, f := range d.forms() {
		if wrong, ok := f.fault(); ok {
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
			return fault{"show.tool", "does not say the {name} of the tool"}, true
		}
		if strings.Contains(text, "{schema}") == strings.Contains(s.Param, "{name}") {
			return fault{"show.param", "must say the {name} of a parameter, or show.tool the {schema} of them all"}, true
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
		return fault{"head.form", fmt.Sprintf("%q is unknown", head.Form)}, true
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
		return fault{"args.form", fmt.Sprintf("%q is unknown", args.Form)}, true
	}
	return fault{}, false
}
