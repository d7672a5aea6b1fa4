package parser

import (
	"strings"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// names records name as the tool's name, and reports whether it can be one.
func (p *Parser) names(name string) bool {
	f := &p.frame
	name, ok := p.messageNames(&f.form.Channels, name)
	if !ok || len(name) > lex.MaxName || !p.mayCall(f.form.Dialect, name, f.form.bare || p.tools != nil && p.lacksSection()) {
		return false
	}
	f.tool = name
	f.form = f.form.forName(name, &f.named)
	return true
}

// frameName reads a literal name.
func (p *Parser) frameName(in string, i int) int {
	f := &p.frame
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case f.form.stops[c], (c == '\n' || c == '\r') && (len(f.name) == 0 || !f.form.inTag()):
			if len(lex.TrimBlanks(string(f.name))) == 0 && (lex.IsBlank(c) || !f.form.stops[c]) { // blanks before the name
				continue
			}
			f.phase, f.mark = frameNameEnd, p.at(i)
			f.match.Reset(f.form.names)
			return i
		case len(f.name) > lex.MaxName, c < ' ' && !lex.IsBlank(c), isNoName(c) && (c != '"' || !f.form.inTag()):
			return p.reject(in, i)
		case f.form.plain && len(f.name) == 0 && !lex.IsNameStart(c):
			if !lex.IsBlank(c) {
				return p.reject(in, i)
			}
			continue
		case f.form.plain && !lex.IsName(c) && !lex.IsBlank(c) && c != '/':
			return p.reject(in, i)
		}
		f.name = append(f.name, c)
	}
	return i
}

// isNoName reports whether c cannot occur in a literal name, because it belongs to JSON,
// markup or prose.
func isNoName(c byte) bool { return strings.IndexByte("{}[]()\"<>=,;`", c) >= 0 }

// frameNameEnd reads a possible end of a literal name.
func (p *Parser) frameNameEnd(in string, i int) int {
	f := &p.frame
	if f.form.blank && p.at(i) == f.mark && i < len(in) && lex.IsBlank(in[i]) {
		if !p.nameRead() {
			return p.reject(in, i)
		}
		return p.headEnds(in, i+1)
	}
	if f.match.Untouched() {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
		f.mark = p.at(i)
	}
	which, next := f.match.Match(in, i)
	if which == lex.MatchMore {
		return next
	}
	if which >= 0 && f.form.ends[which] == nameNone {
		return p.emptySection(in, next)
	}
	if which == lex.MatchNone || !p.nameRead() {
		return p.reject(in, next)
	}
	switch f.form.ends[which] {
	case nameID:
		f.phase = frameID
		return next
	case nameEnds:
		return p.headEnds(in, next)
	}
	f.body = f.mark
	return p.openCallAt(in, next)
}

// nameRead handles a complete literal name, and reports whether it is valid.
func (p *Parser) nameRead() bool {
	f := &p.frame
	head := &f.form.Head
	whole := lex.TrimBlanks(p.recent().String(f.name))
	if cut, ok := strings.CutSuffix(whole, `\n`); ok && !p.tools.declares(whole) { // an escaped newline
		whole = lex.TrimBlanks(cut)
	}
	name := whole
	f.nameless = false
	if head.Index != "" {
		if n := strings.LastIndex(whole, head.Index); n >= 0 && lex.IsDigits(whole[n+len(head.Index):]) {
			name, f.callID = whole[:n], whole
		} else {
			f.nameless = p.tools != nil && !p.tools.declares(strings.TrimPrefix(whole, head.Prefix))
		}
	}
	name = strings.TrimPrefix(name, head.Prefix)
	if f.form.inTag() && !p.tools.declares(name) {
		if cut, ok := strings.CutSuffix(name, "/"); ok {
			name, f.single = lex.TrimBlanks(cut), true
		}
		if inner, ok := lex.Unquoted(name); ok {
			name = inner
		} else if n := len(name); n > 2 && name[0] == '"' && name[n-1] == '"' {
			if p.tools.declares(name[1 : n-1]) {
				name = name[1 : n-1]
			}
			return p.names(name)
		}
	}
	if strings.ContainsAny(name, f.form.noName()) && !p.tools.declares(name) {
		return false
	}
	return p.names(name)
}

// noName returns the blanks that the name of an undeclared tool must not contain. In a tag
// with a marker of its own, the name may contain spaces.
func (f *form) noName() string {
	if f.inTag() && !f.bare && !isBareMarker(f.opener+f.enter) {
		return "\t\r\n"
	}
	return " \t\r\n"
}

// inTag reports whether a literal name is inside a tag.
func (f *form) inTag() bool { return strings.HasPrefix(f.Head.End, ">") }

// frameID reads an id before or after the name.
func (p *Parser) frameID(in string, i int) int {
	f := &p.frame
	ends := f.form.id
	if f.leads {
		ends = f.form.lead
	}
	for ; i < len(in); i++ {
		if in[i] == ends[0][0] {
			f.callID = lex.TrimBlanks(string(f.id))
			f.phase = frameIDEnd
			f.match.Reset(ends)
			return i
		}
		if len(f.id) > lex.MaxName {
			return p.reject(in, i)
		}
		f.id = append(f.id, in[i])
	}
	return i
}

// frameIDEnd reads the end of an id.
func (p *Parser) frameIDEnd(in string, i int) int {
	which, next := p.frame.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.reject(in, next)
	}
	if f := &p.frame; f.leads {
		f.leads, f.phase = false, frameName
		return next
	}
	return p.headEnds(in, next)
}

// emptySection handles a section without a call, which is noise and not text.
func (p *Parser) emptySection(in string, i int) int {
	if f := &p.frame; !f.entered || len(lex.TrimBlanks(string(f.name))) > 0 || p.reasoning != nil {
		return p.reject(in, i)
	}
	return p.noise(&entry{}, in, i)
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
		if m, ok := p.machineFor(f.form.syntax).(syntax.Ahead); ok {
			f.phase = frameAhead
			m.BeginAhead(f.form.args, p.tools[f.tool], p.code.line == lineText && !p.between)
			return i
		}
	}
	if len(f.form.firsts) == 0 {
		return p.openCallAt(in, i)
	}
	f.phase = frameFirst
	f.match.Reset(f.form.firsts)
	return i
}

// frameAhead lets the machine read ahead. The head counts only if arguments begin there.
func (p *Parser) frameAhead(in string, i int) int {
	f := p.frame.form
	verdict, i := p.machineFor(f.syntax).(syntax.Ahead).ReadAhead(in, i)
	switch {
	case verdict == syntax.Begins && f.file != nil:
		return p.beginShorthand(in, i)
	case verdict == syntax.Begins:
		return p.openCallAt(in, i)
	case verdict == syntax.Differs && f.file != nil:
		return p.emptyShorthand(in, i)
	case verdict == syntax.Differs:
		return p.reject(in, i)
	}
	return i
}

// emptyCall makes a call from a self-closing head.
func (p *Parser) emptyCall(in string, i int) int {
	p.openCall(in)
	if p.call == nil {
		return i
	}
	if p.frame.form.takes {
		p.beginFramedArgs()
		return p.machine.(syntax.Taker).NoMore((*host)(p), in, i)
	}
	p.call.out.Add("{}")
	return p.callCloses(in, i)
}

// frameFirst reads what follows the head. The head counts only if that may follow it.
func (p *Parser) frameFirst(in string, i int) int {
	f := &p.frame
	if f.match.Untouched() {
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
		f.phase, f.key = frameKey, f.key[:0]
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
	if f.form.Head.Form == HeadAttribute && p.tag.Unquoted {
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
	p.beginCall(c, in, f.form.whole)
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
		p.state, p.frame.phase = stateFrame, frameNone
		p.frame.match.Reset(form.after)
		return
	}
	p.beginMachine(form.syntax)
	if form.takes {
		p.takeAttributes(true)
	}
}

// frameJSON reads the blanks before an envelope.
func (p *Parser) frameJSON(in string, i int) int {
	if i = lex.SkipBlanks(in, i); i == len(in) {
		return i
	}
	f := &p.frame
	if in[i] == '`' && f.form.hasCloser() && !f.form.mayEnd('`') && !f.fenced {
		f.phase, f.fenced = frameFence, true
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
var fences = []lex.Pattern{"```json" + lex.OptBlanks + "{", "```json" + lex.OptBlanks + "[", "```" + lex.OptBlanks + "{", "```" + lex.OptBlanks + "["}

// frameFence reads the line that opens such a fence.
func (p *Parser) frameFence(in string, i int) int {
	which, next := p.frame.match.Match(in, i)
	switch which {
	case lex.MatchMore:
		return next
	case lex.MatchNone:
		return p.reject(in, next)
	}
	p.frame.phase = frameJSON
	return next - 1 // the bracket has not been read yet
}
