package manifest

import "strings"

// listForm writes a tool with a line for each parameter. It calls rest if the schema says
// something about all arguments together.
type listForm struct {
	head func(t *tool, at int, about string) string
	line func(p *param) string
	rest func(facts []fact) string
	tail func(t *tool, at int) string
}

func (f listForm) write(t *tool, at int) (string, error) {
	params, rest, err := t.params(inParentheses)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(f.head(t, at, oneLine(t.Description)))
	for i := range params {
		b.WriteString(f.line(&params[i]))
	}
	if len(rest) > 0 {
		b.WriteString(f.rest(rest))
	}
	return b.String() + f.tail(t, at), nil
}

// need returns the word for whether a parameter is required.
func (p *param) need() string {
	if p.Required {
		return "required"
	}
	return "optional"
}

// more returns the facts as the continuation of a list.
func (p *param) more() string {
	if len(p.facts) == 0 {
		return ""
	}
	return ", " + joined(p.facts)
}

// together returns a line about all arguments.
func together(facts []fact) string { return "(all together: " + joined(facts) + ")\n" }

// tagsForm writes a tool as the templates with tags for functions do: with a tag for each
// keyword of a parameter's schema. It leaves out line breaks and the tag around all
// parameters, and marks the optional parameters instead of listing the required ones.
var tagsForm = listForm{
	head: func(t *tool, _ int, about string) string {
		return "<function><name>" + t.Name + "</name>" + tagged("description", about)
	},
	line: func(p *param) string {
		kind := p.kind
		if !p.Required && p.union {
			kind = "(" + kind + ")"
		}
		if !p.Required {
			kind += "?"
		}
		return "<parameter>" + tagged("name", p.Name) + tagged("type", kind) + tagged("description", p.about) + factTags(p.facts) + "</parameter>"
	},
	rest: factTags,
	tail: func(*tool, int) string { return "</function>" },
}

func tagged(tag, text string) string {
	if text == "" {
		return ""
	}
	return "<" + tag + ">" + text + "</" + tag + ">"
}

func factTags(facts []fact) string {
	var b strings.Builder
	for _, f := range facts {
		b.WriteString(tagged(f.key, f.words()))
	}
	return b.String()
}
