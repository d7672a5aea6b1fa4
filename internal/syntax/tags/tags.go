// Package tags reads arguments that are written as one tag for each value, with the
// parameter's name as an attribute: <arg name="city">Oslo</arg>.
package tags

import (
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/toolcall"
)

// Syntax is the syntax of tags with the parameter's name as an attribute.
var Syntax = syntax.Syntax{
	New:     func(limits syntax.Limits) syntax.Machine { return &machine{limits: limits} },
	Compile: func(f *syntax.Form) any { return compile(f.Form) },
	Fault: func(f *dialect.Form) (field, wrong string) {
		if f.Frame.Call.Close == "" {
			return "frame.call.close", "is empty"
		}
		return "", ""
	},
	Attributes: true,
	Sure:       true,
	Write:      write,
	Grammar:    grammar,
	About: func(a *dialect.Args, code func(string) string) (written, typed string) {
		return "a tag " + code("<"+dialect.ArgTag+">") + " for each argument", syntax.TypedBySchema(a, code)
	},
}

// machine reads one tag for each value, with nested tags for objects and arrays. It also
// reads what follows the arguments up to the call's closer, because text may precede the
// closer and the tags around the arguments may be missing.
//
// A value's text is not reliably escaped, so a closing tag inside it counts only if the
// next token is one that may follow (readCloser, readAfter). closerEnd is the offset after the
// closing tag during that look. If the look fails, Expire makes its first byte content and
// rewinds.
type machine struct {
	syntax.Writer
	limits syntax.Limits
	form   *syntax.Form
	args   *dialect.Args
	plain  *plain
	tool   *schema.Schema // of all arguments, while reading ahead
	call   string         // the name of the call's own tag

	phase     phase
	look      lex.Look
	tag       lex.Tag
	value     syntax.Value
	frames    []frame     // the open containers
	closer    string      // the tag that closes the open value
	start     int64       // stream offset of the value's first byte
	closerEnd int64       // stream offset after the value's own closer, during a look past it
	upper     int         // the container that a closer inside the value belongs to, during a look past it
	comment   lex.Literal // the end of a comment
	then      phase       // after the comment
	cdata     lex.Literal // the end of a CDATA section
	entity    lex.EntityReader
	ending    lex.Literal // an end or start marker of raw content
	marked    bool        // the open value is between such markers
	strayText bool        // there is text between or after the arguments
}

// frame is an open container: the arguments themselves, an object or an array.
type frame struct {
	array   bool
	schema  *schema.Schema
	closer  string // the tag that closes it; "" for the arguments without a wrapper
	named   string // the tag that opens its values, if they are named like their parameter
	members int
	names   syntax.Names // of an object's members
}

// phase is the position of the machine.
type phase uint8

const (
	between     phase = iota // between values
	inWrapper                // in the wrapper's opening tag
	inValueTag               // in a value's opening tag
	inComment                // in a comment
	atStart                  // before a value, which may be a container
	inValue                  // in a value
	inEntity                 // in a possible entity
	inCDATA                  // in a CDATA section
	atCloser                 // at a possible closing tag, or CDATA
	afterCloser              // after a closing tag, at what must follow
	atMarker                 // before a file's content, at a possible start marker
	inMarked                 // between raw markers
	atMarkedEnd              // at a possible end marker
	inTail                   // after the arguments, before the call's closer
)

func (m *machine) Begin(h syntax.Host, c syntax.Call, f *syntax.Form) {
	m.Writer.Begin(c)
	m.args, m.plain, m.call = &f.Args, f.Compiled.(*plain), callName(f.Form)
	m.frames = m.frames[:0]
	m.push(frame{schema: m.Schema()})
	m.look.Reset()
	m.phase, m.ending, m.marked, m.strayText = between, lex.Literal{}, false, false
}

// callName returns the name of the call's own tag.
func callName(f *dialect.Form) string { return strings.TrimPrefix(f.Frame.Call.Close, "</") }

// AddAttribute adds an argument that is an attribute of the call's own tag.
func (m *machine) AddAttribute(name, text string) {
	m.beginValue(name)
	m.value.Lead, m.value.Trail = syntax.LeadNone, false
	m.value.AddText(text)
	m.endValue()
}

// EndAtHead ends a call whose own tag is self-closing.
func (m *machine) EndAtHead(h syntax.Host, in string, i int) int {
	return m.endArguments(h, in, i, true)
}

// AfterJSON continues after a JSON object in place of the tags.
func (m *machine) AfterJSON(h syntax.Host, in string, i int) int { return m.beginTail(h, in, i) }

func (m *machine) Read(h syntax.Host, in string, i int) int {
	switch m.phase {
	case between:
		return m.readBetween(h, in, i)
	case inWrapper, inValueTag:
		return m.readTag(h, in, i)
	case inComment:
		return m.readComment(in, i)
	case atStart:
		return m.readStart(h, in, i)
	case inValue:
		return m.readValue(h, in, i)
	case inEntity:
		return m.readEntity(h, in, i)
	case inCDATA:
		return m.readCDATA(in, i)
	case atCloser:
		return m.readCloser(h, in, i)
	case afterCloser:
		return m.readAfter(h, in, i)
	case atMarker:
		return m.readMarker(h, in, i)
	case inMarked:
		return m.readMarked(h, in, i)
	case inTail:
		return m.readTail(h, in, i)
	default:
		return m.readMarkedEnd(h, in, i)
	}
}

// push opens a container. It reuses the memory of the previous container at that depth.
func (m *machine) push(f frame) {
	if n := len(m.frames); n < cap(m.frames) {
		f.names = m.frames[:n+1][n].names
		f.names.Reset()
	}
	m.frames = append(m.frames, f)
}

// top returns the innermost open container.
func (m *machine) top() *frame { return &m.frames[len(m.frames)-1] }

// readBetween reads the input between two values.
func (m *machine) readBetween(h syntax.Host, in string, i int) int {
	if !h.Looking() {
		if i = lex.SkipBlanks(in, i); i == len(in) {
			return i
		}
		if j := m.readPlain(h, in, i); j > 0 {
			return j
		}
		h.Look(i)
		m.look.Reset()
	}
	tok, j := m.look.Read(in, i)
	if tok == lex.TokenMore {
		return j
	}
	return m.betweenEnds(h, in, j, tok)
}

// betweenEnds handles the token between two values that ends before in[j].
func (m *machine) betweenEnds(h syntax.Host, in string, j int, tok lex.Token) int {
	switch tok {
	case lex.TokenOpen:
		if phase, ok := m.valueOpener(); ok {
			m.phase = phase
			m.tag.Reset()
			return j
		}
	case lex.TokenClose:
		if k, ok := m.closes(); ok {
			h.Decide()
			return m.closeFrames(h, in, j, k)
		}
	case lex.TokenComment:
		m.beginComment()
		h.Decide()
		return j
	case lex.TokenBrace:
		if len(m.frames) == 1 && m.Members() == 0 {
			h.Decide()
			m.Call.Tolerate(toolcall.JSONBody)
			h.JSON()
			return j
		}
	}
	return m.Expire(h, in, j)
}

// valueOpener decides what the opening tag just read between two values opens.
func (m *machine) valueOpener() (phase, bool) {
	top := m.top()
	switch {
	case top.array:
		return inValueTag, m.look.Is(dialect.ItemTag)
	case m.look.Is(dialect.WrapperTag) && len(m.frames) == 1 && top.closer == "":
		return inWrapper, true
	}
	return inValueTag, true
}

// readTag reads the attributes of a wrapper or a value.
func (m *machine) readTag(h syntax.Host, in string, i int) int {
	verdict, j := m.tag.Read(in, i)
	switch verdict {
	case lex.TagMore:
		return j
	case lex.TagBroken: // a value is lost with the tag
		m.phase = between
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
		return m.Expire(h, in, j)
	}
	key, ok := m.tag.Attr(m.args.Key)
	if m.phase == inValueTag && ok && m.look.Is(m.call) {
		return m.isCut(h, in, j)
	}
	h.Decide()
	if m.tag.Unquoted {
		m.Call.Tolerate(toolcall.UnquotedAttribute)
	}
	if m.phase == inWrapper {
		m.top().closer = dialect.WrapperTag
		m.phase = between
		if m.tag.SelfClose {
			return m.closeFrames(h, in, j, 0)
		}
		return j
	}
	switch top := m.top(); {
	case top.array:
		key, m.closer = "", dialect.ItemTag
	case m.look.Is(dialect.ArgTag) && ok:
		m.closer = dialect.ArgTag
	default:
		m.Call.Tolerate(toolcall.NamedTag)
		key = string(m.look.Name)
		m.closer, top.named = key, key
	}
	if m.beginTagged(h, key, j); m.tag.SelfClose {
		h.Decide()
		m.endValue()
	}
	return j
}

// beginTagged begins the value of the opening tag that ends before in[i].
func (m *machine) beginTagged(h syntax.Host, key string, i int) {
	if len(m.frames) == 1 && m.frames[0].closer == "" {
		m.Call.Tolerate(toolcall.MissingWrapper)
	}
	m.beginValue(key)
	if m.start = h.At(i); m.phase != inValue {
		h.Look(i)
		m.look.Reset()
	}
}

func (m *machine) beginComment() {
	m.then, m.phase, m.comment = m.phase, inComment, lex.Literal{Text: lex.CommentClose}
}

// readComment skips a comment between values, or after the arguments.
func (m *machine) readComment(in string, i int) int {
	next, done := lex.SkipComment(&m.comment, in, i)
	if done {
		m.phase = m.then
		m.look.Reset()
	}
	return next
}

// separate writes what precedes a member or element of a container, and returns the schema of
// its value.
func (m *machine) separate(key string) *schema.Schema {
	top := m.top()
	if top.members++; top.members > 1 {
		m.Out.AddByte(',')
	}
	if top.array {
		return top.schema.Element(top.members - 1)
	}
	m.Out.AddQuoted(key)
	m.Out.AddByte(':')
	return top.schema.Property(key)
}

// openFrame makes the current value a container.
func (m *machine) openFrame(array bool) {
	f := frame{array: array, schema: m.value.Schema, closer: m.closer}
	if array {
		m.Out.AddByte('[')
	} else {
		m.Out.AddByte('{')
	}
	m.push(f)
	m.phase = between
}

// callLevel is what closes returns for the call itself.
const callLevel = -1

// closes returns what the closing tag just read closes: an index in frames, or callLevel.
func (m *machine) closes() (level int, ok bool) {
	for k := len(m.frames) - 1; k >= 0; k-- {
		if m.look.Is(m.frames[k].closer) {
			return k, true
		}
	}
	return callLevel, m.look.Is(m.call)
}

// closeFrames closes the open containers down to level, whose closing tag ends before
// in[i].
func (m *machine) closeFrames(h syntax.Host, in string, i, level int) int {
	wrapped := m.frames[0].closer != ""
	for k := len(m.frames) - 1; k > max(level, 0); k-- {
		m.Call.Tolerate(toolcall.MissingCloser)
		m.closeFrame()
	}
	if level > 0 {
		m.closeFrame()
		return i
	}
	if level == 0 {
		return m.endArguments(h, in, i, false)
	}
	if wrapped {
		m.Call.Tolerate(toolcall.MissingCloser)
	}
	return m.endArguments(h, in, i, true)
}

// closeFrame closes the innermost container, which must not be the arguments.
func (m *machine) closeFrame() {
	if m.top().array {
		m.Out.AddByte(']')
	} else {
		m.Out.AddByte('}')
	}
	m.frames = m.frames[:len(m.frames)-1]
	m.endMember()
}

// endArguments ends the arguments at in[i]: with the whole call, or before its closer.
func (m *machine) endArguments(h syntax.Host, in string, i int, whole bool) int {
	if m.strayText && m.Key == "" { // the text may have been all arguments
		m.Call.Break(toolcall.Malformed, toolcall.ReasonUnreadArgument)
	}
	m.strayText = false
	m.End()
	h.ContentEnds(h.From())
	if whole {
		return h.Close(in, i, h.At(i), toolcall.Complete, toolcall.ReasonNone)
	}
	return m.beginTail(h, in, i)
}

// Expire decides that the pending bytes are content, or nothing, and continues after the
// first of them.
func (m *machine) Expire(h syntax.Host, in string, i int) int {
	switch m.phase {
	case inTail, inComment:
		return m.lacksCloser(h, in, i)
	case between, inWrapper, inValueTag:
		m.phase, m.strayText = between, true
		m.Call.Tolerate(toolcall.TextBetween)
	case atStart, atMarker:
		m.phase = inValue
		return h.Rewind(in, i, m.start)
	default:
		stops := "<&"
		if m.phase = inValue; m.marked {
			m.phase, stops = inMarked, "_"
		}
		return syntax.NotMarkup(h, in, i, stops, m.value.Add)
	}
	return h.Rewind(in, i, h.From()+1)
}

func (m *machine) Finish(h syntax.Host) bool {
	switch m.phase {
	case inTail:
		if !m.strayText && m.look.MayClose(m.call) {
			return true
		}
		m.lacksCloser(h, "", 0)
	case inComment:
		if m.then == inTail {
			m.lacksCloser(h, "", 0)
		}
	case afterCloser:
		if m.closerEnd != 0 {
			h.Decide()
			m.endValue()
		}
	}
	return false
}

func (m *machine) PassThrough() (syntax.PassAs, *syntax.Stops) {
	switch {
	case !m.Direct():
	case m.phase == inValue:
		return m.value.PassThrough(valueStops)
	case m.phase == inMarked:
		return m.value.PassThrough(markedStops)
	}
	return 0, nil
}

// The stops inside a value, and inside content between raw markers.
var (
	valueStops  = syntax.NewStops("<&", true)
	markedStops = syntax.NewStops("_", true)
)
