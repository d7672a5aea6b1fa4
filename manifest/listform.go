package manifest

import (
	"fmt"
	"strings"
)

// listForm is a tool with its parameters as a list of lines. rest is told what the
// schema says of all arguments together, where it says something.
type listForm struct {
	head func(at int, name, about string) string
	line func(p *param) string
	rest func(facts []fact) string
	tail func(at int) string
}

func (f listForm) write(t *tool, at int) (string, error) {
	params, rest, err := t.params(inParentheses)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(f.head(at, t.Name, oneLine(t.Description)))
	for i := range params {
		b.WriteString(f.line(&params[i]))
	}
	if len(rest) > 0 {
		b.WriteString(f.rest(rest))
	}
	return b.String() + f.tail(at), nil
}

// need is whether a parameter must be given.
func (p *param) need() string {
	if p.required {
		return "required"
	}
	return "optional"
}

// more are the facts behind other words.
func (p *param) more() string {
	if len(p.facts) == 0 {
		return ""
	}
	return ", " + joined(p.facts)
}

// together is a line about all arguments.
func together(facts []fact) string { return "(all together: " + joined(facts) + ")\n" }

// qwenForm is a tool as the templates with tags for functions write it: a tag for
// each keyword of a parameter's schema. Line breaks and the tag around all parameters
// are left out, and for the list of the required ones stands a mark at the others.
var qwenForm = listForm{
	head: func(_ int, name, about string) string {
		return "<function><name>" + name + "</name>" + tagged("description", about)
	},
	line: func(p *param) string {
		kind := p.kind
		if !p.required && p.union {
			kind = "(" + kind + ")"
		}
		if !p.required {
			kind += "?"
		}
		return "<parameter>" + tagged("name", p.name) + tagged("type", kind) + tagged("description", p.about) + factTags(p.facts) + "</parameter>"
	},
	rest: factTags,
	tail: func(int) string { return "</function>" },
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

// openHandsForm is a tool as OpenHands' prompt writes it.
var openHandsForm = listForm{
	head: func(at int, name, about string) string {
		return fmt.Sprintf("---- BEGIN FUNCTION #%d: %s ----\nDescription: %s\nParameters:\n", at, name, about)
	},
	line: func(p *param) string {
		return fmt.Sprintf("  (%d) %s (%s, %s%s): %s\n", p.at, p.name, p.kind, p.need(), p.more(), p.about)
	},
	rest: together,
	tail: func(at int) string { return fmt.Sprintf("---- END FUNCTION #%d ----", at) },
}

// clineForm is a tool as Cline's prompt writes it.
var clineForm = listForm{
	head: func(_ int, name, about string) string {
		return "## " + name + "\nDescription: " + about + "\nParameters:\n"
	},
	line: func(p *param) string {
		return fmt.Sprintf("- %s: (%s, %s%s) %s\n", p.name, p.need(), p.kind, p.more(), p.about)
	},
	rest: together,
	tail: func(int) string { return "" },
}

// continueForm is a tool as Continue's prompt writes it.
var continueForm = listForm{
	head: func(_ int, name, about string) string {
		return "```tool_definition\nTOOL_NAME: " + name + "\nTOOL_DESCRIPTION: " + about + "\n"
	},
	line: func(p *param) string {
		return fmt.Sprintf("TOOL_ARG: %s (%s, %s%s)\n%s\nEND_ARG\n", p.name, p.kind, p.need(), p.more(), p.about)
	},
	rest: together,
	tail: func(int) string { return "```" },
}
