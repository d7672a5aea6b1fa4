package parser

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// channel is the current message of a dialect with channels.
type channel struct {
	to    string // the tool whose calls the message may contain; "": any
	wrote bool   // a message of text has occurred
	mused bool   // a message of reasoning has occurred
}

// messageBegins runs after a header, which says what the message is.
func (p *Parser) messageBegins(in string, i int) int {
	h := &p.heading
	c := h.form
	h.body = p.at(i)
	switch {
	case c.isTool(h.to) && c.addressed:
		return p.addressedCall(in, i)
	case p.callForm() != nil:
		if p.callForm().Head.Form == dialect.HeadLiteral {
			return p.messageCall(in, i, p.callForm(), h.author)
		}
		return p.envelopeMessage(in, i)
	case c.dialect.foreign:
		return p.headingFails(in, i)
	case slices.Contains(c.Reasoning, h.kind), slices.Contains(c.Reasoning, h.to):
		p.silentMessage(in, i, toolcall.SegmentReasoning)
		p.joins(&p.channel.mused)
		return i
	}
	p.textMessage(in, i)
	p.joins(&p.channel.wrote)
	if c.isTool(h.to) {
		p.channel.to = foldName(h.to, p.tools)
	}
	if h.to != "" && slices.Contains(c.Text, h.to) {
		p.outside = p.outside.channels.quiet
	}
	return i
}

// callForm returns the form of the call that the message is according to its header, or
// nil.
func (p *Parser) callForm() *form {
	h := &p.heading
	n := slices.Index(h.form.Calls, h.kind)
	if n < 0 || h.author == "" && h.form.calls[n].Head.Form == dialect.HeadLiteral {
		return nil
	}
	return h.form.calls[n]
}

// joins separates an addressed message from an earlier one of the same kind.
func (p *Parser) joins(been *bool) {
	if *been && p.heading.form.Addressed {
		p.joint = "\n"
	}
	*been = true
}

// messageOver ends the message before the current header.
func (p *Parser) messageOver(in string) {
	c := p.heading.form
	switch {
	case p.reasoning != nil:
		p.flushReasoning(in, p.cand)
		if p.wire == "" { // reasoning that the wire separates continues after the message
			p.reasoning = nil
		}
	case !p.between:
		p.flushText(in, p.cand)
	}
	p.settleDialect(c.dialect, nil)
	p.messageEnded(p.outside.channels)
	p.alternative = nil
}

// messageEnded resets the state of a message that has ended.
func (p *Parser) messageEnded(c *channelForm) {
	p.channel.to, p.joint, p.muted = "", "", false
	p.leaveSection()
	if c != nil {
		p.outside = c.outside
	}
}

// textMessage begins a message of text. Its header belongs to the first segment in it.
func (p *Parser) textMessage(in string, i int) {
	p.messageOver(in)
	p.endOpen(toolcall.Complete, toolcall.ReasonNone, "")
	p.swallowTo(in, i)
	p.stage, p.between, p.deadline = inText{}, true, 0
}

// silentMessage begins a message of reasoning, or one whose content is suppressed, as a
// segment of text without content.
func (p *Parser) silentMessage(in string, i int, kind toolcall.SegmentType) {
	p.messageOver(in)
	p.startOpen(kind, p.take(in, i))
	p.reasoning, p.stage = p.outside.channels.inside, inReasoning{}
	p.between, p.deadline = false, 0
}

// addressedCall begins a message that is a call of its recipient.
func (p *Parser) addressedCall(in string, i int) int {
	h := &p.heading
	c := h.form
	isTool := func(name string) bool { return h.to == name || strings.HasPrefix(h.to, name+".") }
	if slices.ContainsFunc(c.Own, isTool) && !p.declares(h.to) {
		if c.dialect.foreign {
			return p.headingFails(in, i)
		}
		if p.opts.Notes != nil {
			p.rejectRule = ruleOwn
			p.note(i)
		}
		p.silentMessage(in, i, toolcall.SegmentText)
		p.muted = true
		return i
	}
	return p.messageCall(in, i, c.calls[0], strings.TrimPrefix(h.to, c.calls[0].Head.Prefix))
}

// messageCall begins a message that is the arguments of a call.
func (p *Parser) messageCall(in string, i int, call *form, name string) int {
	p.readsCalls()
	f := &p.frame
	f.form = call
	if !p.names(name) {
		return p.headingFails(in, i)
	}
	if len(p.heading.form.bodies.Patterns) == 0 {
		return p.bodyBegins(in, i)
	}
	p.stage = frameBody{}
	f.match.Reset(p.heading.form.bodies)
	p.deadline = p.at(i) + int64(p.opts.Limits.BlankBytes)
	return i
}

// bodyBegins begins the call of a message, whose arguments begin at the end of its header.
func (p *Parser) bodyBegins(in string, i int) int {
	p.messageOver(in)
	f := &p.frame
	f.callID, f.entered, f.body = "", false, p.heading.body
	i = p.openCallAt(in, i)
	if p.heading.later && p.call != nil {
		p.call.tolerances |= toolcall.MissingOpener
	}
	return i
}

// frameBody is the stage at the beginning of a message to a tool, which says how the
// arguments are written.
type frameBody struct{ inHead }

func (frameBody) expire(p *Parser, in string, i int) int { return p.bodyBegins(in, i) }

func (frameBody) end(p *Parser) bool {
	p.bodyBegins("", 0)
	return true
}

func (frameBody) read(p *Parser, in string, i int) int {
	f := &p.frame
	if f.match.IsAtStart() {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
	}
	which, next := f.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
	default:
		f.form = p.heading.form.bodyForms[which]
	}
	return p.bodyBegins(in, next)
}

// envelopeMessage begins a message that is a call in an envelope.
func (p *Parser) envelopeMessage(in string, i int) int {
	if !p.heading.form.dialect.foreign {
		p.textMessage(in, i)
		p.look(i, p.opts.Limits.BlankBytes)
	}
	p.stage = headingBody{}
	return i
}

// headingBody is the stage in the blanks before an envelope. Anything else is text.
type headingBody struct{ inHeading }

func (headingBody) expire(p *Parser, in string, i int) int { return p.envelopeLacks(in, i) }

func (headingBody) end(p *Parser) bool {
	p.envelopeLacks("", 0)
	return true
}

func (headingBody) read(p *Parser, in string, i int) int {
	p.readsCalls()
	f := &p.frame
	if i = lex.SkipBlanks(in, i); i == len(in) {
		return i
	}
	f.form, f.entered = p.callForm(), false
	if in[i] != '{' && (in[i] != '[' || !f.form.Head.Array) {
		return p.envelopeLacks(in, i)
	}
	if !f.form.foreign {
		p.look(i, p.opts.Limits.HeldBytes)
	}
	p.beginHead()
	return i
}

// envelopeLacks handles a message that should be an envelope but is not.
func (p *Parser) envelopeLacks(in string, i int) int {
	if p.heading.form.dialect.foreign {
		return p.reject(in, i)
	}
	p.stage = inText{}
	return p.rewind(in, i, p.heading.body)
}

// messageNames returns the tool's name from the name of a call inside a message, and
// reports whether the message may call it.
func (p *Parser) messageNames(d *compiledDialect, name string) (string, bool) {
	if !hasChannels(d.Dialect) || headerForms(d.Dialect) > 0 {
		return name, true
	}
	for _, m := range d.Channels.Message { // tokens that leaked into the name
		name, _, _ = strings.Cut(name, m)
	}
	name = foldName(name, p.tools)
	if p.channel.to != "" && name != p.channel.to && !strings.HasPrefix(name, p.channel.to+".") {
		p.rejectRule = ruleRecipient
		return name, false
	}
	return name, true
}

// foldName shortens N.N to N. Models write N.N for tools without a namespace.
func foldName(name string, known tools) string {
	if n := len(name) / 2; len(name)%2 == 1 && name[n] == '.' && name[:n] == name[n+1:] && !known.declares(name) {
		return name[:n]
	}
	return name
}
