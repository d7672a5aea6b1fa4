package parser

import (
	"errors"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// jsonArgs reads arguments in JSON, and writes them to the call's output or, for a file tool,
// extracts the content. In some dialects a string may stand in place of the object.
type jsonArgs struct {
	opaque
	jsonstream.Arguments
	call  *call
	stops *syntax.Stops // of the strings of the object

	// For a call that is, or may be, a file tool's:
	member jsonstream.Out // the current parameter, if it is metadata
	names  *lex.Recent
	key    string
	reads  argsRead

	text *textArg // for a string in place of the object; nil until it is needed
}

// textArg makes arguments of a text, as the value of one parameter. An answer is the text itself.
type textArg struct {
	call   *call
	param  string
	writer syntax.Writer
	value  syntax.Value
}

// takeText lets a string in place of the object be the value of a parameter, unless that
// is "".
func (a *jsonArgs) takeText(param string) {
	if param == "" {
		return
	}
	if a.text == nil {
		a.text = new(textArg)
	}
	a.text.call, a.text.param = a.call, param
	a.Text = a.text
}

func (t *textArg) Begin() {
	if !t.call.segment.IsCall() {
		t.value.Reset(syntax.Plain, t.call.Out(), nil, 0)
		return
	}
	t.writer.Begin(t.call)
	t.writer.Open(t.param)
	t.writer.Value(&t.value, t.call.Schema().Property(t.param), "", 0)
}

func (t *textArg) Add(text string) { t.value.Add(text, 0, len(text)) }

func (t *textArg) End() {
	t.call.Tolerate(t.value.End())
	if !t.call.segment.IsCall() {
		return
	}
	t.writer.Close()
	t.writer.End()
}

// argsRead says which part of a file tool's arguments is being read.
type argsRead uint8

const (
	readNothing argsRead = iota
	readMember           // a parameter that is metadata
	readContent          // the content
)

func (p *Parser) newJSONArgs(c *call) *jsonArgs {
	a := &jsonArgs{names: p.recent()}
	a.Token = a.token
	a.reset(c, p.opts.Limits)
	return a
}

// reset prepares a for the arguments of c, and keeps the memory.
func (a *jsonArgs) reset(c *call, limits toolcall.Limits) {
	a.Reset()
	a.member.Reset()
	a.call, a.key, a.reads, a.Text = c, "", readNothing, nil
	a.Value.MaxDepth, a.Value.Out, a.Value.Quiet, a.Value.Silent = limits.Depth, nil, false, false
	a.Value.Loose, a.Value.Closer, a.Value.Stops, a.stops = false, "", false, syntax.JSONStops
	if c.file == nil {
		a.Value.Out, a.Value.Quiet, a.Value.Silent = &c.out, true, c.may.tool == nil
	}
}

// beginJSON begins arguments of the current call that are written as JSON.
func (p *Parser) beginJSON() {
	if p.args == nil {
		p.args = p.newJSONArgs(p.call)
	} else {
		p.args.reset(p.call, p.opts.Limits)
	}
	if p.call.framed && p.frame.form.Args.Param != "" {
		p.args.takeText(syntax.TextParam(&p.frame.form.Args, p.call.Schema()))
	}
	p.args.looseUpTo(p.argsCloser(p.call.framed))
	if f := p.frame.form; p.args.Value.Loose || p.call.framed && f.runsOn != nil {
		p.args.Value.Closer, p.args.Value.Stops, p.args.stops = f.runsOnAt, f.runsOn != nil, f.stringStops
	}
	if p.args.Value.Keys = nil; p.args.Value.Loose && p.envelope.dialect != nil {
		p.args.Value.Keys = p.frame.form.keys
	}
	p.stage = p.args
}

// looseUpTo allows unescaped quotes in strings if a closer shows, at the latest, where such
// a string must end.
func (a *jsonArgs) looseUpTo(closer string) {
	a.Value.Loose, a.Value.Closer = closer != "", closer
}

// argsCloser returns the constant prefix of the marker after the arguments, or "" if
// content could be mistaken for it.
func (p *Parser) argsCloser(framed bool) string {
	if !framed || p.frame.form.sealed {
		return ""
	}
	return p.frame.form.closing
}

// readMore is Read, and records in the call what it tells about the arguments.
func (a *jsonArgs) readMore(in string, i int) (jsonstream.Progress, int) {
	progress, i := a.Read(in, i)
	a.call.some, a.call.cut = a.Value.HasMembers(), a.Cut
	if progress != jsonstream.Unfinished {
		a.call.tolerances |= a.Tolerances()
	}
	return progress, i
}

// token handles a token of the object.
func (a *jsonArgs) token(kind jsonstream.Kind) {
	switch {
	case a.call.file != nil:
		a.extract(kind)
	case a.call.may.tool != nil:
		a.decide(kind)
	}
}

// decide handles a token of arguments that may be a file tool's.
func (a *jsonArgs) decide(kind jsonstream.Kind) {
	c, s := a.call, &a.Value
	if s.Depth() != 1 {
		return
	}
	switch kind {
	case jsonstream.Key:
		a.key = a.names.String(s.Text())
		c.BeginArgument(a.key)
	case jsonstream.StringStart:
		if a.key == c.may.tool.Content && c.textBegins() {
			a.reads, s.Out, s.Quiet = readContent, nil, false
		}
	case jsonstream.StringEnd, jsonstream.Scalar, jsonstream.ObjectEnd, jsonstream.ArrayEnd:
		if c.hasArgument(a.key) {
			s.Out, s.Quiet = nil, false
		}
	}
}

// extract handles a token of a file tool's arguments.
func (a *jsonArgs) extract(kind jsonstream.Kind) {
	c, s := a.call, &a.Value
	if s.Depth() != 1 {
		return
	}
	switch kind {
	case jsonstream.Key:
		a.key, a.reads = a.names.String(s.Text()), readMember
		if a.key == c.file.Content { // the first one counts
			a.reads = readNothing
			c.tolerances |= toolcall.DuplicateArgument
		}
	case jsonstream.Colon:
		if a.member.Reset(); a.reads == readMember {
			s.Out = &a.member
		}
	case jsonstream.StringPart:
		if a.reads == readContent {
			c.out.Pass(s.Part, 0, len(s.Part))
		}
	case jsonstream.StringEnd, jsonstream.Scalar, jsonstream.ObjectEnd, jsonstream.ArrayEnd:
		if a.reads == readMember {
			c.SetMeta(a.key, lex.TrimBlanks(a.member.Take()))
		}
		a.reads, s.Out = readNothing, nil
	}
}

// read reads arguments written as JSON.
func (a *jsonArgs) read(p *Parser, in string, i int) int {
	progress, j := a.readMore(in, i)
	p.deadline = 0
	closer := int64(p.args.Value.InCloser())
	switch progress {
	case jsonstream.Finished:
		return p.jsonDone(in, j)
	case jsonstream.Broken:
		if errors.Is(p.args.Value.Err, jsonstream.ErrInString) {
			if a.Value.SingleQuoted() { // it may contain the quotes of a call
				a.keepCloser()
				return j
			}
			return p.beginRunOn(in, j)
		}
		p.call.status, p.call.reason = p.args.Fault()
		if p.args.Form == jsonstream.FormObject && errors.Is(p.args.Value.Err, jsonstream.ErrMissingQuote) {
			return p.nextSwallowed(in, j)
		}
		if closer > 0 {
			p.jsonFails(in, j)
			return p.rewind(in, j, p.at(j)-closer)
		}
		return p.jsonFails(in, j)
	}
	if closer > 0 {
		p.cand = p.at(j) - closer
		p.deadline = min(p.heldLimit(), p.cand+closerBytes)
		if p.fails(endHiding, p.at(j)) && p.args.Value.HidesCloser() {
			return a.expire(p, in, j)
		}
	}
	return j
}

// expire ends a call before the closer inside a comment without an end, which hides it.
func (a *jsonArgs) expire(p *Parser, in string, i int) int {
	to := p.cand
	p.fail(endHiding, p.at(i))
	p.call.status, p.call.reason = toolcall.Malformed, toolcall.ReasonInvalidJSON
	p.jsonFails(in, i)
	return p.rewind(in, i, to)
}

func (a *jsonArgs) end(p *Parser) bool {
	if p.looking() && a.Value.HidesCloser() {
		a.expire(p, "", 0)
		return true
	}
	return p.endCutOff(false)
}

// isJSON reports whether the parser is in arguments written as JSON.
func (p *Parser) isJSON() bool { return p.stage == stage(p.args) }

// jsonDone runs after arguments written as JSON.
func (p *Parser) jsonDone(in string, i int) int {
	if p.envelope.dialect != nil {
		return p.envelopeArgsDone(in, i)
	}
	if p.frame.form.syntax != nil {
		if m, ok := p.machine.(syntax.Resumer); ok {
			p.stage = inArgs{}
			return m.AfterJSON((*host)(p), in, i)
		}
	}
	return p.argumentsDone(in, i)
}

// jsonFails handles arguments that are not JSON. In a frame, the rest up to the closer
// belongs to the call; a call without a frame ends here.
func (p *Parser) jsonFails(in string, i int) int {
	if p.envelope.dialect != nil && p.args.Value.InCloser() == 0 {
		return p.argumentsBreak(in, i)
	}
	p.envelope.dialect = nil
	i = p.argumentsFail(in, i, p.call.status, p.call.reason)
	p.frame.quotes = p.args.quotes()
	return i
}

// quotes returns how far the quotes in the rest of broken arguments can be trusted.
func (a *jsonArgs) quotes() quotes {
	switch err := a.Value.Err; {
	case a.Form != jsonstream.FormObject, errors.Is(err, jsonstream.ErrMissingQuote), errors.Is(err, jsonstream.ErrInString), errors.Is(err, jsonstream.ErrCloser):
		return quotes{}
	}
	return quotes{trusted: true, open: a.Value.OpenQuote()}
}

// passes says how chunks of the current string are passed on, and which bytes end it. The
// stops are nil outside strings.
func (a *jsonArgs) passes(*Parser) (syntax.PassAs, *syntax.Stops) {
	switch {
	case a.Form != jsonstream.FormObject:
	case a.call.file == nil && a.Value.InPlainEscape():
		return syntax.PassJSON, syntax.AllStops
	case !a.Value.InPlainString():
	case a.call.file == nil:
		return syntax.PassJSON, a.stops
	case a.reads == readContent:
		return syntax.PassPlain, a.stops
	}
	return 0, nil
}

// pass returns the payload for a chunk of the current string, if all of it is content that
// passes passes on as JSON. The chunk may split an escape.
func (a *jsonArgs) pass(memory *lex.Arena, chunk string) (payload string, ok bool) {
	before, payload, ok := a.Value.PassRun(chunk)
	if before != "" {
		payload = memory.Join([]byte(before), payload)
	}
	return payload, ok
}
