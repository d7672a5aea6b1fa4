package parser

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/toolcall"
)

// framing reads a call in the frame of a model-native dialect: its opener, its
// head, and what follows its arguments. The arguments are read by the machine
// for their form, or by jsonArgs or envelope where they are JSON.
type framing struct {
	form     *form
	named    *form // the last one that was for one tool's name
	phase    framePhase
	match    matcher
	open     bool   // a section is open
	first    bool   // the candidate begins the message
	entered  bool   // the candidate began with the opener of a section
	name     []byte // a literal name, so far
	id       []byte
	key      []byte // what stands in the markers of the first key, where it is to tell the dialect
	tool     string // the name, once it is sure
	callID   string
	single   bool               // the head is a tag that closes itself
	leads    bool               // the id at hand comes before the name
	nameless bool               // what should be a name is an id without one
	may      []string           // the tools that may be meant, while they are inferred
	peek     jsonstream.Scanner // of the arguments, meanwhile
	yaml     yamlFirst
	mark     int64 // stream offset of what may end the name, or of the next call
	body     int64 // stream offset of what follows the head
}

// framePhase is where a framing is.
type framePhase uint8

const (
	frameOpener    framePhase = iota // in the opener
	frameTag                         // in an opening tag with attributes
	frameName                        // in a literal name
	frameNameEnd                     // at what may end it
	frameID                          // in an id
	frameIDEnd                       // at what may end it
	frameJSON                        // before an envelope
	frameFirst                       // after the head, at what must follow
	frameKey                         // in the first key, which is to tell the dialect
	frameKeyEnd                      // after it
	frameNone                        // before JSON, or what ends a call without any
	frameArgs                        // the same, where that is no marker
	frameYAML                        // the same, where it is YAML
	frameInfer                       // in arguments that are to tell the tool
	frameCloser                      // after the arguments
	frameBetween                     // after a call, in a section
	frameBody                        // before the arguments of an addressed message
	frameBroken                      // in the rest of a broken call
	frameBrokenEnd                   // at what may end it
)

// A machine reads the arguments of a framed call in one form. It writes them to
// the call's output by an argWriter, and hands on to argumentsDone, at their
// end, or to argumentsFail.
type machine interface {
	// begin begins the arguments of the call at hand.
	begin(p *Parser)
	// read reads on in the arguments, and returns the offset up to which it has
	// read. What it looks at (see Parser.look) is pending until it is decided.
	read(p *Parser, in string, i int) int
	// expire is called where what is looked at has grown over its limit. It
	// decides that it is no markup.
	expire(p *Parser, in string, i int) int
	// finish ends the arguments with the stream, and reports whether they are
	// complete.
	finish(p *Parser) bool
	// steady is how what comes next streams where it is nothing but content, and the
	// bytes that end that; nil where it does not stream as it is.
	steady(p *Parser) (smoothKind, *byteSet)
}

// beginFrame begins a candidate after the first literal of its opener.
func (p *Parser) beginFrame(e *entry, in string, i int) int {
	p.readsCalls()
	f := &p.frame
	f.form, f.entered = e.form, e.enters
	f.first = f.form.bare && p.atStart(in)
	f.phase, p.state = frameOpener, stateFrame
	if e.named {
		p.beginHead()
		f.name = append(f.name, e.marker...)
		return p.inFrame(in, i)
	}
	f.match.resetAt(e.opening, len(e.marker))
	return p.inFrame(in, i)
}

// inFrame reads what is around the arguments.
func (p *Parser) inFrame(in string, i int) int {
	f := &p.frame
	switch f.phase {
	case frameOpener:
		which, next := f.match.match(in, i)
		switch which {
		case matchMore:
			return next
		case matchNone:
			return p.reject(in, next)
		}
		p.beginHead()
		return next
	case frameTag:
		return p.frameTag(in, i)
	case frameName:
		return p.frameName(in, i)
	case frameNameEnd:
		return p.frameNameEnd(in, i)
	case frameID:
		return p.frameID(in, i)
	case frameIDEnd:
		return p.frameIDEnd(in, i)
	case frameJSON:
		return p.frameJSON(in, i)
	case frameFirst:
		return p.frameFirst(in, i)
	case frameKey, frameKeyEnd:
		return p.frameKey(in, i)
	case frameNone:
		return p.frameNone(in, i)
	case frameArgs:
		return p.frameArgs(in, i)
	case frameYAML:
		return p.frameYAML(in, i)
	case frameInfer:
		return p.inferTool(in, i)
	case frameCloser:
		return p.frameCloser(in, i)
	case frameBetween:
		return p.frameBetween(in, i)
	case frameBody:
		return p.frameBody(in, i)
	default:
		return p.skipBroken(in, i)
	}
}

// beginHead begins the head after the opener.
func (p *Parser) beginHead() {
	f := &p.frame
	f.name, f.id, f.callID, f.single = f.name[:0], f.id[:0], "", false
	switch f.form.Head.Form {
	case HeadAttribute:
		f.phase = frameTag
		p.tag.reset(f.form.Dialect, nil)
		p.tag.head = true
		p.tag.endWith(f.form.Head.End)
	case HeadLiteral:
		f.phase = frameName
		if f.leads = len(f.form.lead) > 0; f.leads {
			f.phase = frameID
		}
	default:
		f.phase = frameJSON
	}
}

// frameTag reads an opening tag with attributes.
func (p *Parser) frameTag(in string, i int) int {
	f := &p.frame
	verdict, i := p.tag.read(in, i)
	switch verdict {
	case tagBroken:
		return p.reject(in, i)
	case tagMore:
		return i
	}
	name, ok := p.tag.attr(f.form.Head.Name...)
	if !ok || !p.names(name) {
		return p.reject(in, i)
	}
	f.callID, _ = p.tag.attr("id", "call_id")
	f.single = p.tag.selfClose
	return p.headEnds(in, i)
}

// lacksSection reports whether the candidate stands outside of the section that its
// dialect writes calls in: there only declared tools are called, or one that is yet
// to be inferred from a number.
func (p *Parser) lacksSection() bool {
	f := &p.frame
	return f.form.enter != "" && !f.entered && !f.open && !f.nameless
}

// names takes name as the tool's, and reports whether it can be one.
func (p *Parser) names(name string) bool {
	f := &p.frame
	name, ok := p.messageNames(&f.form.Channels, name)
	if !ok || name == "" || len(name) > maxName || !p.mayCall(f.form.Dialect, name, f.form.bare || p.tools != nil && p.lacksSection()) {
		return false
	}
	f.tool = name
	f.form = f.form.forName(name, f.named)
	if f.form.base != nil {
		f.named = f.form
	}
	return true
}

// frameName reads a literal name.
func (p *Parser) frameName(in string, i int) int {
	f := &p.frame
	for ; i < len(in); i++ {
		c := in[i]
		switch {
		case f.form.stops[c], (c == '\n' || c == '\r') && (len(f.name) == 0 || !f.form.inTag()):
			if len(trimBlanks(string(f.name))) == 0 && (isBlank(c) || !f.form.stops[c]) { // blanks before the name
				continue
			}
			f.phase, f.mark = frameNameEnd, p.at(i)
			f.match.reset(f.form.names)
			return i
		case len(f.name) > maxName, c < ' ' && !isBlank(c), isNoName(c) && (c != '"' || !f.form.inTag()):
			return p.reject(in, i)
		case f.form.plain && len(f.name) == 0 && !isNameStart(c):
			if !isBlank(c) {
				return p.reject(in, i)
			}
			continue
		case f.form.plain && !isName(c) && !isBlank(c) && c != '/':
			return p.reject(in, i)
		}
		f.name = append(f.name, c)
	}
	return i
}

// isNoName reports whether no literal name has c: what stands there is JSON, or
// markup, or prose.
func isNoName(c byte) bool { return strings.IndexByte("{}[]()\"<>=,;`", c) >= 0 }

// frameNameEnd reads what ends a literal name.
func (p *Parser) frameNameEnd(in string, i int) int {
	f := &p.frame
	if f.form.blank && p.at(i) == f.mark && i < len(in) && isBlank(in[i]) {
		if !p.nameRead() {
			return p.reject(in, i)
		}
		return p.headEnds(in, i+1)
	}
	if f.match.untouched() {
		if i = skipBlanks(in, i); i == len(in) {
			return i
		}
		f.mark = p.at(i)
	}
	which, next := f.match.match(in, i)
	if which == matchMore {
		return next
	}
	if which >= 0 && f.form.ends[which] == nameNone {
		return p.emptySection(in, next)
	}
	if which == matchNone || !p.nameRead() {
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

// nameRead is at the end of a literal name. It reports whether it is one.
func (p *Parser) nameRead() bool {
	f := &p.frame
	head := &f.form.Head
	whole := trimBlanks(string(f.name))
	if cut, ok := strings.CutSuffix(whole, `\n`); ok && !p.tools.declares(whole) { // the newline, escaped
		whole = trimBlanks(cut)
	}
	name := whole
	f.nameless = false
	if head.Index != "" {
		if n := strings.LastIndex(whole, head.Index); n >= 0 && isDigits(whole[n+len(head.Index):]) {
			name, f.callID = whole[:n], whole
		} else {
			f.nameless = p.tools != nil && !p.tools.declares(strings.TrimPrefix(whole, head.Prefix))
		}
	}
	name = strings.TrimPrefix(name, head.Prefix)
	if f.form.inTag() && !p.tools.declares(name) {
		if cut, ok := strings.CutSuffix(name, "/"); ok {
			name, f.single = trimBlanks(cut), true
		}
		if inner, ok := unquoted(name); ok {
			if p.tools.declares(inner) {
				name = inner
			}
			return p.names(name)
		}
	}
	if strings.ContainsAny(name, f.form.noName()) && !p.tools.declares(name) {
		return false
	}
	return p.names(name)
}

// noName are the blanks that a name which is not declared does not have: in a tag that
// has a mark of its own it may have those of a line.
func (f *form) noName() string {
	if f.inTag() && !f.bare && !isBareMarker(f.opener+f.enter) {
		return "\t\r\n"
	}
	return " \t\r\n"
}

// inTag reports whether a literal name stands in a tag.
func (f *form) inTag() bool { return strings.HasPrefix(f.Head.End, ">") }

// unquoted is s without the double quotes around it.
func unquoted(s string) (string, bool) {
	if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1], true
	}
	return s, false
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// frameID reads an id after the name, or before it.
func (p *Parser) frameID(in string, i int) int {
	f := &p.frame
	ends := f.form.id
	if f.leads {
		ends = f.form.lead
	}
	for ; i < len(in); i++ {
		if in[i] == ends[0][0] {
			f.callID = trimBlanks(string(f.id))
			f.phase = frameIDEnd
			f.match.reset(ends)
			return i
		}
		if len(f.id) > maxName {
			return p.reject(in, i)
		}
		f.id = append(f.id, in[i])
	}
	return i
}

// frameIDEnd reads what ends the id.
func (p *Parser) frameIDEnd(in string, i int) int {
	which, next := p.frame.match.match(in, i)
	switch which {
	case matchMore:
		return next
	case matchNone:
		return p.reject(in, next)
	}
	if f := &p.frame; f.leads {
		f.leads, f.phase = false, frameName
		return next
	}
	return p.headEnds(in, next)
}

// emptySection is after a section without a call. It is no text.
func (p *Parser) emptySection(in string, i int) int {
	if f := &p.frame; !f.entered || len(trimBlanks(string(f.name))) > 0 || p.reasoning != nil {
		return p.reject(in, i)
	}
	return p.noise(&entry{}, in, i)
}

// headEnds is after the head.
func (p *Parser) headEnds(in string, i int) int {
	f := &p.frame
	f.body = p.at(i)
	if f.single {
		return p.emptyCall(in, i)
	}
	if f.form.Args.Form == ArgsPython {
		p.beginFrameArgs()
		return i
	}
	if f.form.Args.Form == ArgsYAML {
		p.beginYAMLFirst()
		return i
	}
	if len(f.form.firsts) == 0 {
		return p.openCallAt(in, i)
	}
	f.phase = frameFirst
	f.match.reset(f.form.firsts)
	return i
}

// emptyCall is after a head that is all of its call.
func (p *Parser) emptyCall(in string, i int) int {
	p.openCall(in)
	if p.call == nil {
		return i
	}
	p.call.out.Add("{}")
	return p.callCloses(in, i)
}

// frameFirst reads what follows the head. Only if it can follow there, was the
// head one.
func (p *Parser) frameFirst(in string, i int) int {
	f := &p.frame
	if f.match.untouched() {
		if i = skipBlanks(in, i); i == len(in) {
			return i
		}
	}
	which, next := f.match.match(in, i)
	switch which {
	case matchMore:
		return next
	case matchNone:
		return p.reject(in, next)
	}
	if which == 0 && p.keyTells() {
		f.phase, f.key = frameKey, f.key[:0]
		return next
	}
	return p.openCallAt(in, next)
}

// openCall begins the call whose head has become sure. There is none after it
// where there were too many.
func (p *Parser) openCall(in string) {
	f := &p.frame
	c := p.newCall(f.tool)
	c.callID = f.callID
	if f.form.Head.Form == HeadAttribute && p.tag.unquoted {
		c.tolerances |= toolcall.UnquotedAttribute
	}
	p.beginFramed(c, in)
	c.body = f.body
	if p.calls > p.opts.Limits.Calls {
		p.endCall(in, f.body, toolcall.Rejected, toolcall.ReasonTooManyCalls)
	}
}

// beginFramed is beginCall for a call in a frame.
func (p *Parser) beginFramed(c *call, in string) {
	f := &p.frame
	if f.form.enter != "" && !f.entered && !f.open {
		c.tolerances |= toolcall.MissingOpener
	}
	p.beginCall(c, in, f.form.whole)
	f.open = f.open || f.entered
	c.framed = true
}

// openCallAt begins the call whose head has become sure, and goes back to the
// end of the head.
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
	if form.Args.Form == ArgsJSON {
		p.beginJSON()
		p.state, p.frame.phase = stateFrame, frameNone
		p.frame.match.reset(form.after)
		return
	}
	if form.Args.Nested {
		p.useMachine(argsNested)
		return
	}
	p.useMachine(form.Args.Form)
}

// frameJSON reads the blanks before an envelope.
func (p *Parser) frameJSON(in string, i int) int {
	if i = skipBlanks(in, i); i == len(in) {
		return i
	}
	f := &p.frame
	if in[i] != '{' && (in[i] != '[' || !f.form.Head.Array) {
		return p.reject(in, i)
	}
	p.beginFramedEnvelope(in)
	return i
}
