package parser

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
)

// channelForm is a compiled Channels.
type channelForm struct {
	*dialect.Channels
	dialect *compiledDialect
	calls   []*form // the forms that a header begins
	// addressed: a message to a tool is a call.
	addressed bool

	bodies    *lex.Set // beginnings of the arguments in all forms but the first
	bodyForms []*form  // the form of each of bodies

	marks   *lex.Set  // Within, then Message
	gaps    []bool    // for each of Message: a blank after it is layout
	ends    *lex.Set  // an end of a message followed by the next header
	closers []int     // length in bytes of the end in each of ends
	stops   [256]bool // the first bytes of marks

	outside *grammar // in a message in which calls count
	quiet   *grammar // in a message whose markup is text
	inside  *grammar // in reasoning
	inline  *grammar // in inline code
	fences  [2]*grammar
}

func newChannelForm(d *compiledDialect) *channelForm {
	c := &channelForm{Channels: &d.Channels, dialect: d}
	var marks, ends, bodies []lex.Pattern
	for _, m := range c.Within {
		marks = append(marks, lex.NewPattern(m))
	}
	for _, m := range c.Message {
		marks = append(marks, lex.NewPattern(m))
		c.gaps = append(c.gaps, strings.HasSuffix(m, " "))
	}
	for _, m := range marks {
		c.stops[m[0]] = true
	}
	for _, end := range c.Close {
		for _, open := range c.Open {
			ends = append(ends, lex.NewPattern(end).Then(lex.NewPattern(open)))
			c.closers = append(c.closers, len(lex.NewPattern(end)))
		}
	}
	c.calls = d.compiled()[:headerForms(d.Dialect)]
	if c.addressed = c.Addressed && len(c.calls) > 0; c.addressed {
		for _, f := range c.calls[1:] {
			for _, first := range f.argsFirst() {
				bodies, c.bodyForms = append(bodies, first), append(c.bodyForms, f)
			}
		}
	}
	c.marks, c.ends, c.bodies = lex.NewSet(marks...), lex.NewSet(ends...), lex.NewSet(bodies...)
	return c
}

// addChannels adds the headers and the ends of d's messages. If d is the only dialect, it
// also makes the grammars inside its messages.
func (g *grammar) addChannels(d *compiledDialect, opts *Options) {
	c := newChannelForm(d)
	g.addHeaders(c)
	g.addMessageEnds(c)
	if c.To != "" {
		g.openings = append(g.openings, c)
	}
	if g.dialect != d {
		return
	}
	g.channels, c.outside = c, g
	c.quiet = newGrammar()
	c.quiet.dialect, c.quiet.channels = d, c
	c.quiet.addHeaders(c)
	c.quiet.addMessageEnds(c)
	c.quiet.addNoise(d)
	c.quiet.watchCode(opts)
	c.inside = newGrammar()
	c.inside.dialect = d
	c.inside.addInside(c, opts)
	c.inline, c.fences[0], c.fences[1] = watching('`', '\n'), watching('`'), watching('~')
	for _, g := range []*grammar{c.inline, c.fences[0], c.fences[1]} {
		for _, end := range c.messageEnds() {
			g.watchMarker(end)
		}
	}
}

// addHeaders adds the tokens that begin a header.
func (g *grammar) addHeaders(c *channelForm) {
	for _, m := range c.Open {
		m = string(lex.NewPattern(m))
		g.add(m, false, &entry{kind: entryHeader, marker: m, dialect: c.dialect, channels: c})
	}
}

// messageEnds returns the texts that end a message: each with its blanks and without.
func (c *channelForm) messageEnds() (texts []string) {
	for _, end := range c.Close {
		texts = append(texts, lex.NewPattern(end).Texts()...)
	}
	return texts
}

// addMessageEnds adds the tokens that end a message of text.
func (g *grammar) addMessageEnds(c *channelForm) {
	for _, m := range c.messageEnds() {
		g.add(m, false, &entry{kind: entryNoise, marker: m, channels: c})
	}
}

// addInside adds what can end reasoning in a channel.
func (g *grammar) addInside(c *channelForm, opts *Options) {
	g.addHeaders(c)
	for _, m := range c.messageEnds() {
		g.add(m, false, &entry{kind: entryReasoningEnd, marker: m, channels: c})
	}
	if opts.CallsInReasoning || c.dialect.CallsInReasoning || c.dialect.CallsEndReasoning {
		g.addOpeners(c.dialect)
	}
}

// knows reports whether word identifies a header.
func (c *channelForm) knows(word string) bool {
	return c.isKind(word) || slices.Contains(c.Roles, word)
}

// isKind reports whether word says what the message is.
func (c *channelForm) isKind(word string) bool {
	return slices.Contains(c.Reasoning, word) || slices.Contains(c.Text, word) || slices.Contains(c.Calls, word)
}

// isTool reports whether a recipient is a tool.
func (c *channelForm) isTool(to string) bool { return to != "" && !c.knows(to) }
