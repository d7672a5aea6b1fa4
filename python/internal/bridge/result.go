package bridge

import (
	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/notes"
	"github.com/toolparse/toolparse/toolcall"
)

// named is the number of what [Names] memoizes: classes of the Python package, functions,
// names of attributes, and common values.
type named byte

const (
	classResult named = iota
	classCall
	classProblem
	classNote
	classSpan
	classEvent
	functionVars
	functionIntern
	nameCalls
	nameText
	nameReasoning
	nameDialect
	nameRefusal
	nameFinish
	nameNotes
	nameSpans
	nameID
	nameName
	nameArguments
	nameStatus
	nameRawArguments
	nameCallID
	nameReason
	nameTolerances
	nameUnknown
	nameProblems
	nameUnchecked
	nameStart
	nameEnd
	namePath
	nameRule
	nameMessage
	nameKind
	nameTool
	nameChoice
	nameType
	nameSegment
	nameDelta
	nameMetadata
	nameRaw
	nameToolName
	valueComplete
	valueEmpty
	instances // for each class the instance that was begun last
	memoized  = instances + functionVars
)

var names = [instances]string{
	"Result", "Call", "Problem", "Note", "Span", "Event", "vars", "intern",
	"calls", "text", "reasoning", "dialect", "refusal", "finish", "notes", "spans",
	"id", "name", "arguments", "status", "raw_arguments", "call_id", "reason", "tolerances", "unknown", "problems", "unchecked", "start", "end",
	"path", "rule", "message", "kind", "tool", "choice",
	"type", "segment", "delta", "metadata", "raw", "tool_name", toolcall.Complete.String(), "",
}

// Names is a pickle that memoizes what all results have in common, which saves reading that
// again with each of them. Strings are interned, as attributes are found faster then. An
// unpickler must load it before any other pickle of this package. It must not be changed.
var Names = func() []byte {
	p := pickler{out: append([]byte(nil), head...)}
	global := func(module string, n named) {
		p.text(module)
		p.text(names[n])
		p.out = append(p.out, opStackGlobal, opPut, byte(n))
	}
	for class := classResult; class <= classEvent; class++ {
		global("toolparse", class)
	}
	global("builtins", functionVars)
	global("sys", functionIntern)
	for n := functionIntern + 1; n < instances; n++ {
		p.name(functionIntern)
		p.text(names[n])
		p.out = append(p.out, opTuple1, opReduce, opPut, byte(n))
	}
	return p.end()
}()

// answer writes an answer as an instance of Result. Offsets are those of text, in
// characters.
func (p *pickler) answer(a *toolparse.Answer, k *kit, text string) {
	offsets := toolparse.NewOffsets(text, toolparse.Chars)
	p.object(classResult)
	p.name(nameCalls)
	p.mark()
	dialect := ""
	for i := range a.Calls {
		c := a.Calls[i]
		if text != "" {
			c.Start, c.End = offsets.Of(c.Start), offsets.Of(c.End)
		}
		if dialect == "" {
			dialect = c.Dialect
		}
		p.call(&c)
	}
	p.endTuple()
	if dialect == "" {
		dialect = k.Dialect()
	}
	p.name(nameText)
	p.text(a.Text)
	p.name(nameReasoning)
	p.text(a.Reasoning)
	p.required(nameDialect, dialect)
	p.attribute(nameRefusal, a.Refusal)
	if a.Finish.Reason != chat.FinishUnset {
		p.attribute(nameFinish, a.Finish.Reason.String())
	}
	if chosen := notes.Told(a.Notes); len(chosen) > 0 {
		p.name(nameNotes)
		p.mark()
		for _, n := range chosen {
			p.note(n)
		}
		p.endTuple()
	}
	if k.opts.Spans {
		p.name(nameSpans)
		p.mark()
		for _, s := range a.Spans {
			p.object(classSpan)
			p.required(nameKind, string(s.Kind))
			p.required(nameID, s.ID)
			p.place(offsets.Of(s.Start), offsets.Of(s.End))
			p.endObject()
		}
		p.endTuple()
	}
	p.endObject()
}

// call writes a call as an instance of Call.
func (p *pickler) call(c *toolparse.ToolInvocation) {
	p.object(classCall)
	p.required(nameID, c.ID)
	p.required(nameName, c.Name)
	p.name(nameArguments)
	isRaw := !p.jsonObject(c.Arguments, c.Status == toolcall.Complete)
	if isRaw {
		p.none()
	}
	p.name(nameStatus)
	if c.Status == toolcall.Complete {
		p.name(valueComplete)
	} else {
		word(p, c.Status.String())
	}
	if isRaw {
		p.attribute(nameRawArguments, string(c.Arguments))
	}
	p.attribute(nameCallID, c.CallID)
	if c.Reason != toolcall.ReasonNone {
		p.attribute(nameReason, c.Reason.String())
	}
	p.tuple(nameTolerances, c.Tolerances.Names())
	if c.Unknown {
		p.name(nameUnknown)
		p.bool(true)
	}
	if len(c.Problems) > 0 {
		p.name(nameProblems)
		p.mark()
		for _, problem := range c.Problems {
			p.object(classProblem)
			p.required(namePath, problem.Path)
			p.required(nameRule, problem.Rule)
			p.required(nameMessage, problem.Message)
			p.endObject()
		}
		p.endTuple()
	}
	p.tuple(nameUnchecked, c.Unchecked)
	p.attribute(nameDialect, c.Dialect)
	if c.End > 0 {
		p.place(c.Start, c.End)
	}
	p.endObject()
}

// note writes a note as an instance of Note.
func (p *pickler) note(n toolparse.Note) {
	p.object(classNote)
	p.required(nameKind, n.Kind.String())
	p.attribute(nameDialect, n.Dialect)
	p.attribute(nameTool, n.Tool)
	p.attribute(nameRule, n.Rule)
	if n.Kind == toolcall.NoteChoice {
		p.name(nameChoice)
		p.integer(int64(n.Choice))
	}
	p.endObject()
}

// event writes an event as an instance of Event. Its metadata are those that
// [toolcall.Event.MarshalJSON] writes.
func (p *pickler) event(e toolcall.Event) {
	p.object(classEvent)
	p.required(nameType, e.Type.String())
	p.required(nameID, e.ID)
	p.required(nameSegment, string(e.Segment))
	if delta := e.Delta(); delta != "" {
		p.name(nameDelta)
		p.text(delta)
	}
	p.name(nameMetadata)
	p.out = append(p.out, opEmptyDict, opMark)
	if e.Type != toolcall.SegmentContent {
		p.metadata(e)
	}
	p.out = append(p.out, opSetItems)
	p.attribute(nameDialect, e.Dialect())
	if e.Raw != "" {
		p.name(nameRaw)
		p.bytes(e.Raw)
	}
	p.endObject()
}

// metadata writes the metadata of the start or the end of a segment.
func (p *pickler) metadata(e toolcall.Event) {
	p.attribute(nameToolName, e.Name)
	if e.Type == toolcall.SegmentEnd {
		p.required(nameStatus, e.Status.String())
		if e.Reason != toolcall.ReasonNone {
			p.required(nameReason, e.Reason.String())
		}
	}
	if names := e.Tolerances.Names(); len(names) > 0 {
		p.name(nameTolerances)
		p.out = append(p.out, opEmptyList, opMark)
		for _, name := range names {
			word(p, name)
		}
		p.out = append(p.out, opAppends)
	}
	if v, ok := p.index.Read([]byte(e.Payload)); ok {
		for key, member := range v.Fields() {
			word(p, key)
			p.json(member)
		}
	}
}

// place writes the attributes start and end.
func (p *pickler) place(start, end int64) {
	p.name(nameStart)
	p.integer(start)
	p.name(nameEnd)
	p.integer(end)
}

// required writes an attribute that is a text.
func (p *pickler) required(name named, s string) {
	p.name(name)
	if s == "" {
		p.name(valueEmpty)
	} else {
		word(p, s)
	}
}

// attribute writes an attribute whose default is an empty text, unless it is empty.
func (p *pickler) attribute(name named, s string) {
	if s != "" {
		p.name(name)
		word(p, s)
	}
}

// tuple writes an attribute whose default is an empty tuple, unless it is empty.
func (p *pickler) tuple(name named, list []string) {
	if len(list) == 0 {
		return
	}
	p.name(name)
	p.mark()
	for _, s := range list {
		word(p, s)
	}
	p.endTuple()
}
