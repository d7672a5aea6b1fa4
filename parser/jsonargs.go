package parser

import (
	"errors"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// jsonArgs reads arguments in JSON: an object, a string that contains one, null, or an
// empty string; in some dialects also a string that is the value of one parameter. It writes them to the call's output or, for a file tool, extracts the
// content.
type jsonArgs struct {
	call  *call
	value jsonstream.Scanner // the object
	outer jsonstream.Scanner // the string around it
	form  argsForm
	stops *syntax.Stops // of the strings of the object

	// For a call that is, or may be, a file tool's:
	member jsonstream.Out // the current parameter, if it is metadata
	names  *lex.Recent
	key    string
	reads  argsRead

	// For a text in place of the object:
	param string // the parameter that receives it, or ""
	text  *textArg
}

// textArg writes arguments that are the text of a single parameter.
type textArg struct {
	syntax.Writer
	value syntax.Value
}

// argsForm says how the arguments are wrapped.
type argsForm uint8

const (
	argsUnknown argsForm = iota // only blanks so far
	argsObject
	argsString
	argsText // a string that contains no object
	argsNull
)

// argsRead says which part of a file tool's arguments is being read.
type argsRead uint8

const (
	readNothing argsRead = iota
	readMember           // a parameter that is metadata
	readContent          // the content
)

// argsResult is the result of reading arguments.
type argsResult uint8

const (
	argsMore    argsResult = iota // the input is used up, and more is needed
	argsDone                      // they are complete
	argsInvalid                   // not a JSON object; see reason
)

func (p *Parser) newJSONArgs(c *call) *jsonArgs {
	a := &jsonArgs{names: p.recent()}
	a.reset(c, p.opts.Limits)
	return a
}

// reset prepares a for the arguments of c, and keeps the memory.
func (a *jsonArgs) reset(c *call, limits Limits) {
	a.value.Reset()
	a.outer.Reset()
	a.member.Reset()
	a.call, a.form, a.key, a.reads, a.param = c, argsUnknown, "", readNothing, ""
	a.value.MaxDepth, a.value.Out, a.value.Quiet, a.value.Silent = limits.Depth, nil, false, false
	a.value.Loose, a.value.Closer, a.value.Stops, a.stops = false, "", false, syntax.JSONStops
	if c.file == nil {
		a.value.Out, a.value.Quiet, a.value.Silent = &c.out, true, c.may.tool == nil
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
		p.args.param = syntax.TextParam(&p.frame.form.Args, p.call.Schema())
	}
	if p.args.looseUpTo(p.argsCloser(p.call.framed)); p.args.value.Loose {
		p.args.value.Stops, p.args.stops = p.frame.form.runsOn != nil, p.frame.form.stringStops
	}
	if p.args.value.Keys = nil; p.args.value.Loose && p.envelope.dialect != nil {
		p.args.value.Keys = p.frame.form.keys
	}
	p.state = stateJSON
}

// looseUpTo allows unescaped quotes in strings if a closer shows, at the latest, where such
// a string must end.
func (a *jsonArgs) looseUpTo(closer string) {
	a.value.Loose, a.value.Closer = closer != "", closer
}

// argsCloser returns the constant prefix of the marker after the arguments, or "" if
// content could be mistaken for it.
func (p *Parser) argsCloser(framed bool) string {
	if !framed || p.frame.form.sealed {
		return ""
	}
	return p.frame.form.closing
}

// read consumes in from offset i. With argsDone, the offset it returns is the one after the
// value.
func (a *jsonArgs) read(in string, i int) (argsResult, int) {
	if a.form == argsUnknown {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return argsMore, i
		}
		switch in[i] {
		case '{':
			a.form = argsObject
		case '"', '\'':
			a.form, a.value.Stops = argsString, false
		case 'n', 'N':
			a.form = argsNull
		default:
			return argsInvalid, i
		}
	}
	switch a.form {
	case argsObject:
		return a.object(in, i)
	default:
		return a.wrapped(in, i)
	}
}

// wrapped reads a string that contains the object, or null.
func (a *jsonArgs) wrapped(in string, i int) (argsResult, int) {
	for {
		plain := i < len(in) && in[i] != '\\' && !a.outer.InEscape()
		kind, j := a.outer.Next(in, i)
		start := i
		i = j
		switch kind {
		case jsonstream.More:
			return argsMore, i
		case jsonstream.StringPart:
			part := a.outer.Part
			if a.form == argsText {
				a.text.value.Add(part, 0, len(part))
				continue
			}
			result, k := argsInvalid, 0
			if !a.value.Started() {
				if k = lex.SkipBlanks(part, 0); k == len(part) {
					continue
				}
			}
			if a.value.Started() || part[k] == '{' {
				result, k = a.object(part, k)
			} else if a.param != "" {
				a.beginText()
				a.text.value.Add(part, k, len(part))
				continue
			}
			if result == argsDone {
				k = lex.SkipBlanks(part, k)
			}
			if result == argsInvalid || result == argsDone && k < len(part) {
				if plain && len(part) == i-start { // the part is a substring of in
					i = start + k
				}
				return argsInvalid, i
			}
		case jsonstream.StringEnd:
			return a.stringEnds(), i
		case jsonstream.Scalar:
			if string(a.outer.Text()) != "null" {
				return argsInvalid, i
			}
			a.call.tolerances |= a.outer.Tolerances
			a.empty()
			return argsDone, i
		case jsonstream.StringStart:
		default:
			return argsInvalid, i
		}
	}
}

// beginText begins a text that is the value of a parameter.
func (a *jsonArgs) beginText() {
	if a.text == nil {
		a.text = new(textArg)
	}
	a.form = argsText
	a.text.Begin(a.call)
	a.text.Open(a.param)
	a.text.Writer.Value(&a.text.value, a.call.Schema().Property(a.param), "", 0)
}

// stringEnds handles the closing quote of a string around the arguments.
func (a *jsonArgs) stringEnds() argsResult {
	a.call.tolerances |= a.outer.Tolerances
	if a.form == argsText {
		a.call.Tolerate(a.text.value.End())
		a.text.Close()
		a.text.End()
		return argsDone
	}
	if !a.value.Started() {
		a.empty()
		return argsDone
	}
	a.call.cut = !a.value.Done()
	if a.call.cut && !a.close() {
		return argsInvalid
	}
	return argsDone
}

// end ends the arguments at the end of their text, and reports whether they are complete:
// null has no closer.
func (a *jsonArgs) end() bool {
	if a.form != argsNull || !a.outer.Close() || string(a.outer.Text()) != "null" {
		return false
	}
	a.call.tolerances |= a.outer.Tolerances
	a.empty()
	return true
}

// empty makes the arguments {}.
func (a *jsonArgs) empty() {
	if a.call.file == nil {
		a.call.out.Add("{}")
	}
}

// close adds missing closing brackets, and reports whether the arguments are complete then.
func (a *jsonArgs) close() bool {
	ok := a.value.Close()
	a.call.tolerances |= a.value.Tolerances
	return ok
}

// object reads the object itself.
func (a *jsonArgs) object(in string, i int) (argsResult, int) {
	for {
		kind, j := a.value.Next(in, i)
		i = j
		switch kind {
		case jsonstream.More:
			if a.value.Done() {
				a.call.tolerances |= a.value.Tolerances
				return argsDone, i
			}
			return argsMore, i
		case jsonstream.Invalid:
			a.call.tolerances |= a.value.Tolerances
			return argsInvalid, i
		}
		a.call.some = a.value.HasMembers()
		if a.value.Depth() == 0 && kind != jsonstream.ObjectEnd {
			return argsInvalid, i // a string, an array or a scalar
		}
		switch {
		case a.call.file != nil:
			a.extract(kind)
		case a.call.may.tool != nil:
			a.decide(kind)
		}
		if a.value.Done() {
			a.call.tolerances |= a.value.Tolerances
			return argsDone, i
		}
	}
}

// decide handles a token of arguments that may be a file tool's.
func (a *jsonArgs) decide(kind jsonstream.Kind) {
	c, s := a.call, &a.value
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
	c, s := a.call, &a.value
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

// reason returns why the arguments are malformed.
func (a *jsonArgs) reason() (toolcall.Status, toolcall.Reason) {
	switch {
	case errors.Is(a.value.Err, jsonstream.ErrDepth):
		return toolcall.Rejected, toolcall.ReasonTooDeep
	case errors.Is(a.value.Err, jsonstream.ErrLong):
		return toolcall.Rejected, toolcall.ReasonTooMuchHeld
	case a.value.Err == nil && a.outer.Err == nil:
		return toolcall.Malformed, toolcall.ReasonNotAnObject
	}
	return toolcall.Malformed, toolcall.ReasonInvalidJSON
}

// inJSON reads arguments written as JSON.
func (p *Parser) inJSON(in string, i int) int {
	result, j := p.args.read(in, i)
	p.deadline = 0
	closer := int64(p.args.value.InCloser())
	switch result {
	case argsDone:
		return p.jsonDone(in, j)
	case argsInvalid:
		if errors.Is(p.args.value.Err, jsonstream.ErrInString) {
			return p.beginRunOn(in, j)
		}
		p.call.status, p.call.reason = p.args.reason()
		if p.args.form == argsObject && errors.Is(p.args.value.Err, jsonstream.ErrMissingQuote) {
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
		if p.at(j) < p.noBlock && p.args.value.HidesCloser() {
			return p.jsonExpires(in, j)
		}
	}
	return j
}

// jsonExpires ends a call before the closer inside a comment without an end, which hides it.
func (p *Parser) jsonExpires(in string, i int) int {
	to := p.cand
	p.noBlock = max(p.noBlock, p.at(i))
	p.call.status, p.call.reason = toolcall.Malformed, toolcall.ReasonInvalidJSON
	p.jsonFails(in, i)
	return p.rewind(in, i, to)
}

// jsonDone runs after arguments written as JSON.
func (p *Parser) jsonDone(in string, i int) int {
	switch {
	case p.envelope.dialect != nil:
		return p.envelopeArgsDone(in, i)
	case p.frame.form.takes:
		p.state = stateArgs
		return p.machine.(syntax.Resumer).AfterJSON((*host)(p), in, i)
	}
	return p.argumentsDone(in, i)
}

// jsonFails handles arguments that are not JSON. In a frame, the rest up to the closer
// belongs to the call; a call without a frame ends here.
func (p *Parser) jsonFails(in string, i int) int {
	if p.envelope.dialect != nil && p.args.value.InCloser() == 0 {
		return p.argumentsBreak(in, i)
	}
	p.envelope.dialect = nil
	return p.argumentsFail(in, i, p.call.status, p.call.reason)
}

// passThrough says how chunks of the current string are passed on, and which bytes end it. The
// stops are nil outside strings.
func (a *jsonArgs) passThrough() (syntax.PassAs, *syntax.Stops) {
	switch {
	case a.form != argsObject:
	case a.call.file == nil && a.value.InPlainEscape():
		return syntax.PassJSON, syntax.AllStops
	case !a.value.InPlainString():
	case a.call.file == nil:
		return syntax.PassJSON, a.stops
	case a.reads == readContent:
		return syntax.PassPlain, a.stops
	}
	return 0, nil
}

// pass returns the payload for a chunk of the current string, if all of it is content that
// passThrough passes on as JSON. The chunk may split an escape.
func (a *jsonArgs) pass(memory *lex.Arena, chunk string) (payload string, ok bool) {
	before, payload, ok := a.value.PassRun(chunk)
	if before != "" {
		payload = memory.Join([]byte(before), payload)
	}
	return payload, ok
}
