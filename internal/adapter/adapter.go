package adapter

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/collect"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// Adapter collects the call segments of one conversation into invocations. It keeps the
// content of open calls and the ids of ended calls. It is not safe for concurrent use.
type Adapter struct {
	compiled *Compiled
	open     map[string]*segment
	current  *segment        // the open segment of the last event, or nil
	finished map[string]bool // ids of calls that have ended
	spare    *segment        // an ended call, whose memory is reused
	lends    bool            // see Lend
	started  int
	offset   int64 // raw bytes of the events so far
}

// segment is a call that has started.
type segment struct {
	collect.Call
	number   int   // counts the starts
	offset   int64 // offset of its first raw byte
	bytes    int   // raw bytes so far
	disorder bool  // its events came in an impossible order
}

// Compiled holds compiled options, which the adapters of many conversations share. It
// is immutable and safe for concurrent use.
type Compiled struct {
	opts  Options
	tools map[string]*schema.Schema // nil if no tools were declared
}

// Compile compiles options. It fails if it cannot read the schema of a tool; the error
// names the tool and the place in the schema.
func Compile(opts Options) (*Compiled, error) {
	opts.Syntaxes = maps.Clone(opts.Syntaxes)
	if opts.Parser != nil {
		return &Compiled{opts, opts.Parser.Schemas()}, nil
	}
	tools, err := schema.CompileTools(opts.Tools)
	if err != nil {
		return nil, err
	}
	return &Compiled{opts, tools}, nil
}

// New returns an adapter for one conversation.
func (c *Compiled) New() *Adapter { return &Adapter{compiled: c} }

// New returns an adapter for one conversation. It calls [Compile] and [Compiled.New].
func New(opts Options) (*Adapter, error) {
	c, err := Compile(opts)
	if err != nil {
		return nil, err
	}
	return c.New(), nil
}

// Lend makes the arguments of the conversation's calls valid only until Reset, which saves
// a copy of them.
func (a *Adapter) Lend() { a.lends = true }

// Reset prepares a for another conversation, as if it were new, but keeps its memory.
func (a *Adapter) Reset() {
	clear(a.open)
	clear(a.finished)
	if a.spare != nil {
		a.spare.empty()
	}
	*a = Adapter{compiled: a.compiled, open: a.open, finished: a.finished, spare: a.spare}
}

// Add reads the next event. If the event ends a call, Add returns the invocation and
// true. It ignores events of text and reasoning, and events that belong to no open
// call. A call is malformed if its events come in an impossible order or reuse the id
// of an earlier call.
//
// If you use the invocations' Start and End, pass every event of the stream to Add,
// including text and reasoning, because it counts the events' raw bytes.
func (a *Adapter) Add(e toolcall.Event) (toolcall.ToolInvocation, bool) {
	a.offset += int64(len(e.Raw))
	s := a.current
	if s == nil || s.Start.ID != e.ID {
		if s = a.open[e.ID]; s == nil {
			if e.Type == toolcall.SegmentStart && e.Segment.IsCall() {
				a.start(e)
			}
			return toolcall.ToolInvocation{}, false
		}
		a.current = s
	}
	s.bytes += len(e.Raw)
	if e.Segment != "" && e.Segment != s.Start.Segment || e.Type == toolcall.SegmentStart {
		s.disorder = true
	}
	s.Add(&e)
	if e.Type == toolcall.SegmentEnd {
		return a.finish(s, e.Status, e.Reason, e.Tolerances), true
	}
	return toolcall.ToolInvocation{}, false
}

// Close ends the open calls as incomplete and returns them in the order of their
// starts. The Adapter can still be used after that.
func (a *Adapter) Close() []toolcall.ToolInvocation {
	var calls []toolcall.ToolInvocation
	left := slices.SortedFunc(maps.Values(a.open), func(s, t *segment) int { return cmp.Compare(s.number, t.number) })
	for _, s := range left {
		calls = append(calls, a.finish(s, toolcall.Incomplete, toolcall.ReasonEndOfStream, 0))
	}
	return calls
}

func (a *Adapter) start(e toolcall.Event) {
	if a.started++; a.open == nil {
		a.open, a.finished = map[string]*segment{}, map[string]bool{}
	}
	s := a.spare
	if a.spare = nil; s == nil || a.lends && len(s.Content) > 0 {
		s = new(segment)
	}
	*s = segment{
		Call: collect.Call{Start: e, Content: s.Content[:0]}, number: a.started,
		offset: a.offset - int64(len(e.Raw)), bytes: len(e.Raw),
		disorder: e.ID == "" || a.finished[e.ID],
	}
	a.open[e.ID] = s
}

// maxSpare limits the memory of a call that is kept for the next one, in bytes.
const maxSpare = 64 << 10

// own returns the content of a call as its arguments.
func (a *Adapter) own(content []byte) []byte {
	switch {
	case len(content) == 0:
		return nil
	case a.lends:
		return slices.Clip(content)
	}
	return bytes.Clone(content)
}

// drop makes the memory of an ended call available to the next one; after Lend, to the next
// conversation.
func (a *Adapter) drop(s *segment) {
	if cap(s.Content) > maxSpare {
		return
	}
	if !a.lends {
		s.empty()
	}
	a.spare = s
}

// empty keeps nothing of s but memory: no strings of its events.
func (s *segment) empty() { *s = segment{Call: collect.Call{Content: s.Content[:0]}} }

// finish returns the invocation of a segment that has ended.
func (a *Adapter) finish(s *segment, status toolcall.Status, reason toolcall.Reason, used toolcall.Tolerances) toolcall.ToolInvocation {
	delete(a.open, s.Start.ID)
	a.current = nil
	a.finished[s.Start.ID] = true
	defer a.drop(s)

	metadata := s.metadata()
	call := toolcall.ToolInvocation{ID: s.Start.ID, Name: s.Start.Name, Status: status, Reason: reason, Tolerances: used, Dialect: s.Start.Dialect()}
	if s.bytes > 0 {
		call.Start, call.End = s.offset, a.offset
	}
	call.CallID, _ = metadata["call_id"].(string)
	if call.Name == "" {
		call.Name, _ = metadata["tool_name"].(string)
	}
	syntax := a.compiled.opts.Syntaxes[s.Start.Segment]
	unknown := metadata["unknown_tool"] == true
	if syntax.Tool != "" && syntax.Tool != call.Name {
		call.Name, unknown = syntax.Tool, false // the parser did not know this name
	}
	_, declared := a.compiled.tools[call.Name]
	call.Unknown = unknown || a.compiled.tools != nil && !declared

	isText := bytescan.IsUTF8(s.Content)
	switch {
	case syntax.Build != nil:
		a.build(&call, syntax, s)
	case s.Start.ContentParameter() != "":
		call.Arguments = s.Arguments()
	case s.Start.Segment == toolcall.SegmentToolCall:
		call.Arguments = a.own(s.Content)
		if trusted := a.compiled.opts.Parser != nil && s.Start.Name != "" && isText; !trusted {
			a.mendJSON(&call)
		}
	default:
		call.Arguments = a.own(s.Content)
		refuse(&call, toolcall.Rejected, toolcall.ReasonNone, "syntax", fmt.Sprintf("no ToolSyntax names the parameter for the content of segment type %q", s.Start.Segment))
	}
	if !isText || !bytes.Equal(call.Arguments, s.Content) && !bytescan.IsUTF8(call.Arguments) {
		call.Arguments = json.RawMessage(bytescan.ToUTF8(string(call.Arguments)))
		call.Tolerances |= toolcall.InvalidUTF8
	}
	a.judge(&call, s)
	return call
}

// metadata merges the metadata of the start and the end; the end wins.
func (s *segment) metadata() map[string]any {
	merged, end := s.Start.Metadata(), s.End.Metadata()
	if merged == nil {
		return end
	}
	maps.Copy(merged, end)
	return merged
}

// parameters returns the metadata that are arguments, for a Builder.
func (s *segment) parameters() map[string]any {
	merged := map[string]any{}
	for _, e := range [...]*toolcall.Event{&s.Start, &s.End} {
		for name, value := range e.Parameters() {
			dec := json.NewDecoder(bytes.NewReader(value))
			dec.UseNumber()
			var v any
			if dec.Decode(&v) == nil {
				merged[name] = v
			}
		}
	}
	return merged
}

// mendJSON checks the arguments of a complete call, and repairs what is almost JSON.
func (a *Adapter) mendJSON(call *toolcall.ToolInvocation) {
	if call.Status != toolcall.Complete || isObject(call.Arguments) {
		return
	}
	args, used, err := repair(string(call.Arguments))
	switch {
	case errors.Is(err, errNotAnObject):
		refuse(call, toolcall.Malformed, toolcall.ReasonNotAnObject, "", "")
	case err != nil:
		refuse(call, toolcall.Malformed, toolcall.ReasonInvalidJSON, "", "")
	default:
		call.Arguments, call.Tolerances = args, call.Tolerances|used
	}
}

// build sets the arguments of a segment that has a registered syntax.
func (a *Adapter) build(call *toolcall.ToolInvocation, syntax Syntax, s *segment) {
	args, err := syntax.arguments(s.parameters(), string(s.Content))
	if err == nil {
		call.Arguments = args
		return
	}
	reason := toolcall.ReasonMissingContent
	if errors.Is(err, errNotAnObject) {
		reason = toolcall.ReasonNotAnObject
	}
	call.Arguments = a.own(s.Content)
	refuse(call, toolcall.Malformed, reason, "syntax", err.Error())
}

// refuse makes a complete call one that cannot run. Calls of another status keep their
// own reason.
func refuse(call *toolcall.ToolInvocation, status toolcall.Status, reason toolcall.Reason, rule, problem string) {
	if call.Status != toolcall.Complete {
		return
	}
	call.Status, call.Reason = status, reason
	if problem != "" {
		call.Problems = append(call.Problems, toolcall.Problem{Rule: rule, Message: problem})
	}
}

// judge decides whether a call can run, and records why not.
func (a *Adapter) judge(call *toolcall.ToolInvocation, s *segment) {
	if call.Status < toolcall.Complete || call.Status > toolcall.Rejected {
		call.Status = toolcall.Malformed
	}
	if !bytescan.IsUTF8(call.Name) {
		call.Name = bytescan.ToUTF8(call.Name)
		call.Tolerances |= toolcall.InvalidUTF8
	}
	if s.disorder {
		refuse(call, toolcall.Malformed, toolcall.ReasonNone, "events", "the events of this call are out of order, or reuse the id of an earlier call")
	}
	if call.Name == "" {
		refuse(call, toolcall.Malformed, toolcall.ReasonNoName, "", "")
	}
	if a.compiled.opts.Strict && call.Tolerances != 0 {
		refuse(call, toolcall.Malformed, toolcall.ReasonToleranceForbidden, "", "")
	}
	if call.Status == toolcall.Complete && !call.Unknown {
		a.check(call)
	}
}

// check coerces complete arguments if the options say so, and validates them.
func (a *Adapter) check(call *toolcall.ToolInvocation) {
	s := a.compiled.tools[call.Name]
	if a.compiled.opts.Coerce && !a.compiled.opts.Strict {
		args, used := s.Coerce(call.Arguments)
		call.Arguments, call.Tolerances = json.RawMessage(args), call.Tolerances|used
	}
	problems, unchecked := s.Validate(call.Arguments)
	call.Problems = append(call.Problems, problems...)
	if a.compiled.opts.Strict {
		call.Problems = append(call.Problems, unchecked...)
		return
	}
	for _, u := range unchecked {
		call.Unchecked = append(call.Unchecked, u.Error())
	}
}
