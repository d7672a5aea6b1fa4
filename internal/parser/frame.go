package parser

import (
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// framing reads what encloses the arguments of a call: the opener, the head, and whatever
// follows the arguments. The arguments themselves are read by the machine for their syntax,
// or by jsonArgs or envelope if they are JSON.
//
// The stages of a frame (frameOpener and so on, in the files frame*.go) form one path through
// a call. Everything before openCall belongs to a candidate: a failure is a reject, and the
// bytes become text. Everything after it belongs to an existing call: a failure ends the call
// with a status.
//
//	Opener -> Tag | Header | Name -> NameEnd -> [ID -> IDEnd] | JSON (an envelope)
//	                 |
//	             headEnds -> First | Ahead | Infer | Key     what must follow the head
//	                 |
//	             openCall --------------- candidate above, call below -------------
//	                 |
//	             arguments -> Closer -> Between -> the next call of the section, or the end
//	                 |           ^
//	               Broken -> BrokenEnd
//
// body is the offset after the head: the stages between headEnds and openCall only look
// ahead, and openNamed rewinds to body so that the arguments are read from their first
// byte.
type framing struct {
	frameState
	// The memory that framing keeps for the next stream.
	named namedForms
	peek  jsonstream.Scanner // of the arguments, while the tool is inferred
	name  []byte             // a literal name, as far as it has been read
	id    []byte
	key   []byte // the text inside the markers of the first key, if that reveals the dialect
	file  fileHead
}

// frameState is a framing without its memory.
type frameState struct {
	form     *form
	match    lex.Matcher
	open     bool   // a section is open
	first    bool   // the candidate begins the message
	entered  bool   // the candidate began with the opener of a section
	tool     string // the tool's name, once it is certain
	callID   string
	single   bool     // the head is a self-closing tag
	fenced   bool     // the JSON is inside a code fence
	leads    bool     // the current id precedes the name
	nameless bool     // the text in place of the name is an id without a name
	may      []string // the tools that the call may mean, while the tool is inferred
	mark     int64    // stream offset of a possible end of the name, or of the next call
	wide     []byte   // after the arguments: the bytes of a character that may be a blank
	quotes   quotes   // in the rest of a broken call
	body     int64    // stream offset after the head
}

// inHead is a stage in the head of a framed call, which is still a candidate.
type inHead struct{ candidate }

func (inHead) note(p *Parser, n *toolcall.Note) bool { return p.noteHead(n, ruleName) }

// noteHead completes a note about the candidate of a framed call.
func (p *Parser) noteHead(n *toolcall.Note, rule string) bool {
	n.Dialect = p.frame.form.Name
	setRule(n, rule)
	return true
}

// inTail is a stage after the arguments of a framed call.
type inTail struct{ opaque }

func (inTail) end(p *Parser) bool { return p.endCutOff(p.call.status != 0) }

// beginFrame continues a candidate after the constant prefix of its opener.
func (p *Parser) beginFrame(e *entry, in string, i int) int {
	p.readsCalls()
	f := &p.frame
	f.form, f.entered, f.name = e.form, e.enters, f.name[:0]
	f.first = f.form.bare && p.atStart(in)
	if e.named {
		p.beginHead()
		f.name = append(f.name, e.marker...)
	} else {
		p.stage = frameOpener{}
		f.match.ResetAt(e.opening, len(e.marker))
	}
	return p.stage.read(p, in, i)
}

// frameOpener is the stage in the opener.
type frameOpener struct{ inHead }

func (frameOpener) read(p *Parser, in string, i int) int {
	which, next := p.frame.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.reject(in, next)
	case 1: // the section ends without a call
		return p.emptySection(in, next)
	}
	p.beginHead()
	return next
}

func (frameOpener) note(p *Parser, n *toolcall.Note) bool { return p.noteHead(n, ruleOpener) }

// beginHead begins the head after the opener.
func (p *Parser) beginHead() {
	f := &p.frame
	f.name, f.id, f.callID, f.single, f.fenced, f.nameless = f.name[:0], f.id[:0], "", false, false, false
	switch f.form.Head.Form {
	case dialect.HeadAttribute:
		p.stage = frameTag{}
		p.tag.Reset()
		p.tag.Bounded = f.form.file == nil
		p.tag.EndWith(f.form.headEnd)
		p.deadline = min(p.deadline, p.cand+p.maxTag())
	case dialect.HeadHeader:
		p.beginHeader()
	case dialect.HeadLiteral:
		p.stage = frameName{}
		if f.leads = f.form.lead != nil; f.leads {
			p.stage = frameID{}
		}
	default:
		p.stage = frameJSON{}
	}
}

// frameTag is the stage in an opening tag with attributes.
type frameTag struct{ inHead }

func (frameTag) read(p *Parser, in string, i int) int {
	f := &p.frame
	verdict, i := p.tag.Read(in, i)
	switch verdict {
	case lex.TagBroken:
		return p.reject(in, i)
	case lex.TagMore:
		return i
	}
	if f.form.file != nil {
		return p.fileTag(in, i)
	}
	name, ok := p.tag.Attr(f.form.Head.Name...)
	if inner, quoted := lex.Unquoted(name); quoted && !p.declares(name) { // quotes within quotes
		name = inner
	}
	if !ok || !p.names(name) {
		return p.reject(in, i)
	}
	if !f.form.takes {
		f.callID, _ = p.tag.Attr("id", "call_id")
	}
	f.single = p.tag.SelfClose
	return p.headEnds(in, i)
}

func (frameTag) end(p *Parser) bool {
	f := &p.frame
	if f.form.sealed { // more of the tag matters
		return p.endHead(false)
	}
	name, ok := p.tag.AttrSoFar(f.form.Head.Name...)
	return p.endName(!f.form.bare && ok && p.names(name))
}

func (frameTag) note(p *Parser, n *toolcall.Note) bool { return p.noteHead(n, ruleTag) }

// endName is endHead where the name may have ended.
func (p *Parser) endName(sure bool) bool {
	p.frame.body = p.at(0)
	return p.endHead(sure)
}

// endHead decides, at the end of the stream, whether the candidate is a call with a certain
// name: something follows the name, or the marker or quote that ends it has begun. In a bare
// syntax, where prose may look like that, the arguments must have begun.
func (p *Parser) endHead(sure bool) bool {
	if !sure {
		p.reject("", 0)
		return true
	}
	p.alternative = nil
	if p.openCall(""); p.call != nil {
		p.beginFramedArgs()
	}
	return true
}

// lacksSection reports whether the candidate is outside the section that its dialect
// requires. There, only declared tools count, and a tool that must still be inferred from a
// number.
func (p *Parser) lacksSection() bool {
	f := &p.frame
	return f.form.enter != "" && !f.entered && !f.open && !f.nameless
}

// headEnds runs after the head.
func (p *Parser) headEnds(in string, i int) int {
	f := &p.frame
	f.body = p.at(i)
	if f.single {
		return p.emptyCall(in, i)
	}
	if f.form.sealed {
		p.deadline = min(p.deadline, f.body+p.maxTag())
	}
	if f.form.syntax != nil {
		if p.machineFor(f.form.syntax); p.ahead != nil {
			p.stage = frameAhead{}
			s, _ := p.tool(f.tool)
			p.ahead.BeginLookahead(f.form.args, s, p.code.line == lineText && !p.between)
			return i
		}
	}
	if f.form.firsts == nil {
		return p.openCallAt(in, i)
	}
	p.stage = frameFirst{}
	f.match.Reset(f.form.firsts)
	return i
}

// frameAhead is the stage after a head where the machine must distinguish arguments from
// prose. The head counts only if arguments begin there.
type frameAhead struct{ afterHead }

func (frameAhead) read(p *Parser, in string, i int) int {
	verdict, i := p.ahead.ReadLookahead(in, i)
	switch {
	case verdict == syntax.Begins:
		return p.openCallAt(in, i)
	case verdict == syntax.Differs:
		return p.reject(in, i)
	}
	return i
}

func (frameAhead) end(p *Parser) bool {
	if m, ok := p.ahead.(syntax.LookaheadEnder); ok && m.LookaheadEnds() {
		p.alternative = nil
		p.openNamed("", 0)
		return true
	}
	form := p.frame.form
	return p.endHead(form.syntax.Sure && (!form.bare || p.tools != nil))
}

// afterHead is a stage after the head, at what must follow it.
type afterHead struct{ inHead }

func (afterHead) note(p *Parser, n *toolcall.Note) bool {
	if p.frame.form.sealed {
		return p.noteHead(n, ruleBody)
	}
	return p.noteHead(n, ruleFirst)
}

// emptyCall makes a call from a self-closing head.
func (p *Parser) emptyCall(in string, i int) int {
	p.openCall(in)
	if p.call == nil {
		return i
	}
	if p.frame.form.takes {
		p.beginFramedArgs()
		return p.machine.(syntax.AttributeReader).EndAtHead((*host)(p), in, i)
	}
	p.call.out.Add("{}")
	return p.callCloses(in, i)
}

// frameFirst is the stage at what follows the head. The head counts only if that may follow
// it.
type frameFirst struct{ afterHead }

func (frameFirst) end(p *Parser) bool { return p.endHead(true) }

func (frameFirst) read(p *Parser, in string, i int) int {
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
		return p.reject(in, next)
	}
	if which == 0 && p.keyTells() {
		p.stage, f.key = frameKey{}, f.key[:0]
		return next
	}
	return p.openCallAt(in, next)
}

// openCall begins the call, whose head has become certain. If there are too many calls, the
// call ends at once.
func (p *Parser) openCall(in string) {
	f := &p.frame
	c := p.newCall(f.tool)
	c.callID = f.callID
	if f.form.Head.Form == dialect.HeadAttribute && p.tag.Unquoted {
		c.tolerances |= toolcall.UnquotedAttribute
	}
	p.beginFramed(c, in)
	c.body = f.body
	if f.form.takes {
		p.takeAttributes(false)
	}
	if p.calls > p.opts.Limits.Calls {
		p.endCall(in, f.body, toolcall.Rejected, toolcall.ReasonTooManyCalls)
	}
}

// beginFramed is beginCall for a framed call.
func (p *Parser) beginFramed(c *call, in string) {
	f := &p.frame
	if f.form.enter != "" && !f.entered && !f.open {
		c.tolerances |= toolcall.MissingOpener
	}
	p.beginCall(c, in, f.form.whole, f.form)
	f.open = f.open || f.entered
	c.framed = true
}

// openCallAt begins the call and rewinds to the end of its head, unless the tool must be
// inferred first.
func (p *Parser) openCallAt(in string, i int) int {
	if p.infers(in, i) {
		return p.beginInfer(in, i)
	}
	return p.openNamed(in, i)
}

// openNamed is openCallAt for a call whose tool is known.
func (p *Parser) openNamed(in string, i int) int {
	body := p.frame.body
	p.openCall(in)
	if p.call != nil {
		if p.call.ready() {
			p.startText(in)
		}
		p.beginFramedArgs()
	}
	return p.rewind(in, i, body)
}

// beginFramedArgs begins the arguments.
func (p *Parser) beginFramedArgs() {
	form := p.frame.form
	if form.syntax == nil {
		p.beginJSON()
		p.stage = frameNone{}
		p.frame.match.Reset(form.after)
		return
	}
	p.beginMachine(form.syntax)
	if form.takes {
		p.takeAttributes(true)
	}
}

// frameJSON is the stage in the blanks before an envelope.
type frameJSON struct{ inHead }

func (frameJSON) note(p *Parser, n *toolcall.Note) bool { return p.noteHead(n, ruleEnvelope) }

func (frameJSON) read(p *Parser, in string, i int) int {
	if i = lex.SkipBlanks(in, i); i == len(in) {
		return i
	}
	f := &p.frame
	if in[i] == '`' && f.form.hasCloser() && !f.form.mayEnd('`') && !f.fenced {
		p.stage, f.fenced = frameFence{}, true
		f.match.Reset(fences)
		return i
	}
	if in[i] != '{' && (in[i] != '[' || !f.form.Head.Array) {
		return p.reject(in, i)
	}
	if p.beginFramedEnvelope(in); f.fenced {
		p.envelope.scanner.Tolerances |= toolcall.CodeFence
	}
	return i
}

// fences are the openings of a code fence that may precede an envelope.
var fences = lex.NewSet("```json"+lex.OptBlanks+"{", "```json"+lex.OptBlanks+"[", "```"+lex.OptBlanks+"{", "```"+lex.OptBlanks+"[")

// frameFence is the stage in the line that opens such a fence.
type frameFence struct{ inHead }

func (frameFence) read(p *Parser, in string, i int) int {
	which, next := p.frame.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.reject(in, next)
	}
	p.stage = frameJSON{}
	return next - 1 // the bracket has not been read yet
}
