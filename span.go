package toolparse

import (
	"fmt"
	"html"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// Span is a place in the parsed text, for example for a loss mask over the tokens of a
// transcript. Start and End are byte offsets, End exclusive; [Offsets] converts them to
// other units.
type Span struct {
	Kind       SpanKind
	ID         string // id of its segment
	Start, End int64
}

// AppendJSON appends the span as {"kind":"call","id":"seg_1","start":0,"end":12}.
func (s Span) AppendJSON(dst []byte) []byte {
	dst = jsonvalue.AppendQuoted(append(dst, `{"kind":`...), string(s.Kind))
	dst = jsonvalue.AppendQuoted(append(dst, `,"id":`...), s.ID)
	dst = strconv.AppendInt(append(dst, `,"start":`...), s.Start, 10)
	dst = strconv.AppendInt(append(dst, `,"end":`...), s.End, 10)
	return append(dst, '}')
}

// SpanKind says what a [Span] contains.
type SpanKind string

// The kinds of span. A name and an arguments span lie inside the span of their call.
const (
	SpanText      SpanKind = "text"      // text for the user
	SpanReasoning SpanKind = "reasoning" // without its markers
	SpanCall      SpanKind = "call"      // with its markers
	SpanName      SpanKind = "name"      // the tool's name as it is written, with escapes; missing if the call only implies it
	SpanArguments SpanKind = "arguments" // all arguments, without blanks around them, and what is between them
)

// spanner finds the spans of a text from its events.
type spanner struct {
	dialects []*dialect.Dialect // that are read

	spans  []Span
	offset int64
	last   int // index of the span of the open text or reasoning, plus 1
	call   callText
}

// callText is the raw text of the open call.
type callText struct {
	id, name, opener string
	dialect          *dialect.Dialect // nil if it is not known
	start            int64
	body, content    strings.Builder
	file             bool     // content is one of the arguments
	beside           []string // names of arguments beside the content, which may be in the opener
}

// add reads the next event.
func (s *spanner) add(e Event) {
	start := s.offset
	s.offset += int64(len(e.Raw))
	switch {
	case e.Segment.IsCall():
		s.addCall(e, start)
	case e.Type != SegmentContent || e.Payload == "" || e.Raw == "":
	case e.Segment != SegmentText && e.Segment != SegmentReasoning:
	case s.last > 0 && s.spans[s.last-1].ID == e.ID && s.spans[s.last-1].End == start:
		s.spans[s.last-1].End = s.offset
	default:
		s.spans = append(s.spans, Span{SpanKind(e.Segment), e.ID, start, s.offset})
		s.last = len(s.spans)
	}
}

func (s *spanner) addCall(e Event, start int64) {
	switch e.Type {
	case SegmentStart:
		s.call = callText{id: e.ID, name: e.Name, opener: e.Raw, start: start, file: e.ContentParameter() != ""}
		if s.call.file {
			for name := range e.Parameters() {
				if s.call.beside = append(s.call.beside, name); len(s.call.beside) == maxBeside {
					break
				}
			}
		}
		name := e.Dialect()
		if i := slices.IndexFunc(s.dialects, func(d *dialect.Dialect) bool { return d.Name == name }); i >= 0 {
			s.call.dialect = s.dialects[i]
		}
	case SegmentContent:
		s.call.body.WriteString(e.Raw)
		s.call.content.WriteString(e.Payload)
	case SegmentEnd:
		s.endCall(s.offset)
	}
}

// endCall adds the spans of the open call, which ends at the offset end.
func (s *spanner) endCall(end int64) {
	c := &s.call
	s.spans = append(s.spans, Span{SpanCall, c.id, c.start, end})
	if from, to := c.nameSpan(); from < to {
		s.spans = append(s.spans, Span{SpanName, c.id, c.start + int64(from), c.start + int64(to)})
	}
	if from, to := c.arguments(); from < to {
		s.spans = append(s.spans, Span{SpanArguments, c.id, c.start + int64(from), c.start + int64(to)})
	}
}

// arguments returns the offsets of the arguments in the call. Arguments that were
// written as JSON are found verbatim, or as a JSON string, before the name or after it.
// Otherwise the whole body counts as the arguments, and those in the opener do, too.
func (c *callText) arguments() (from, to int) {
	const blanks = " \t\r\n"
	body, content := c.body.String(), strings.Trim(c.content.String(), blanks)
	from = len(c.opener) + len(body) - len(strings.TrimLeft(body, blanks))
	to = len(c.opener) + len(strings.TrimRight(body, blanks))
	if c.file {
		if at := strings.LastIndex(body, c.content.String()); at >= 0 { // its blanks are its own
			from, to = min(from, len(c.opener)+at), max(to, len(c.opener)+at+c.content.Len())
		}
		first, end := c.inOpener()
		if from >= to { // no content
			return first, end
		}
		return min(from, first), to
	}
	if content == "" {
		return from, to
	}
	text := c.opener + body
	if strings.HasPrefix(text[min(from, len(text)):], content) {
		return from, from + len(content)
	}
	if at := strings.Index(text, content); at >= 0 {
		return at, at + len(content)
	}
	if first, end := quotedIn(text, content); first < end {
		return first, end
	}
	return from, to
}

// inOpener returns the offsets in the opener of the arguments with the names in beside.
// Without any, both are the end of the opener.
func (c *callText) inOpener() (first, end int) {
	first, end = len(c.opener), 0
	for _, name := range c.beside {
		at := strings.LastIndex(c.opener, name)
		if at < 0 {
			continue
		}
		from, to, ok := nextString(c.opener, at+len(name)+1)
		if !ok || c.opener[from:to] == c.name { // the word is that of the tool's own name
			continue
		}
		if at > 0 && c.opener[at-1] == '"' {
			at--
		}
		first, end = min(first, at), max(end, to+1)
	}
	if end == 0 {
		return len(c.opener), len(c.opener)
	}
	return first, end
}

// maxBeside limits the arguments that are looked for in the opener.
const maxBeside = 16

// nextString returns the offsets of the text of the next string in double or single
// quotes.
func nextString(text string, at int) (from, to int, ok bool) {
	if at > len(text) {
		return 0, 0, false
	}
	n := strings.IndexAny(text[at:], `"'`)
	if n < 0 {
		return 0, 0, false
	}
	from = at + n + 1
	for to = from; to < len(text) && text[to] != text[from-1]; to++ {
		if text[to] == '\\' {
			to++
		}
	}
	return from, to, to < len(text)
}

// quotedIn returns the offsets of the last JSON string in a text whose value is want,
// without blanks around it, and that is not a key. It returns 0, 0 if there is none.
func quotedIn(text, want string) (from, to int) {
	doc := []byte(text)
	for at := 0; ; {
		n := strings.IndexByte(text[at:], '"')
		if n < 0 {
			return from, to
		}
		begin := at + n + 1
		end := jsonvalue.StringEnd(doc, begin)
		if end == len(text) {
			return from, to
		}
		value, err := jsonvalue.Parse(text[begin-1 : end+1])
		if err == nil && strings.Trim(value.Text, " \t\r\n") == want && !isKeyEnd(text[end:]) {
			from, to = begin, end
		}
		at = end + 1
	}
}

// nameSpan returns the offsets of the tool's name in the opener of its call, or 0, 0.
func (c *callText) nameSpan() (from, to int) {
	if at := c.nameAt(); at >= 0 {
		return at, at + len(c.name)
	}
	if c.name == "" {
		return 0, 0
	}
	if escaped := html.EscapeString(c.name); escaped != c.name {
		if at := strings.LastIndex(c.opener, escaped); at >= 0 {
			return at, at + len(escaped)
		}
	}
	if strings.IndexByte(c.opener, '\\') < 0 {
		return 0, 0
	}
	return quotedIn(c.opener, c.name)
}

// nameAt returns the offset of the tool's name in the opener of its call, or -1. The
// name may stand there more than once, as in a call of a tool "json": the surest place
// counts, and of several the last.
func (c *callText) nameAt() int {
	best, surest := -1, noName
	for end := len(c.opener); c.name != ""; {
		at := strings.LastIndex(c.opener[:end], c.name)
		if at < 0 {
			break
		}
		if place := c.placeOf(at); place > surest {
			best, surest = at, place
		}
		end = at + len(c.name) - 1
	}
	return best
}

// namePlace says how sure it is that a name stands at an offset.
type namePlace uint8

const (
	noName     namePlace = iota // it is part of another word
	keyName                     // it is a key of JSON
	bareName                    // it is a word
	quotedName                  // it is a word in quotes
	ownName                     // the dialect's own markup for a name is next to it
)

func (c *callText) placeOf(at int) namePlace {
	before, after := c.opener[:at], c.opener[at+len(c.name):]
	switch {
	case isWordByte(c.opener, at-1) || isWordByte(c.opener, at+len(c.name)):
		return noName
	case isKeyEnd(after):
		return keyName
	case c.dialect != nil && isNextToName(c.dialect, before, after):
		return ownName
	case before != "" && after != "" && before[len(before)-1] == after[0] && (after[0] == '"' || after[0] == '\''):
		return quotedName
	}
	return bareName
}

// isNextToName reports whether the markup before or after a text is what the dialect
// has around a name: a recipient, or the end of a literal name.
func isNextToName(d *dialect.Dialect, before, after string) bool {
	if to := d.Channels.To; to != "" && (strings.HasSuffix(before, to) || strings.HasSuffix(before, to+d.Head.Prefix)) {
		return true
	}
	const blanks = " \t\r\n"
	after = strings.TrimLeft(after, blanks)
	endsWith := func(h dialect.Head) bool {
		end := strings.Trim(h.End, blanks)
		return h.Form == dialect.HeadLiteral && end != "" && strings.HasPrefix(after, end)
	}
	return endsWith(d.Head) || slices.ContainsFunc(d.Also, func(f dialect.Form) bool { return endsWith(f.Head) })
}

// isKeyEnd reports whether the text before after was a JSON key: a quote and a colon
// follow.
func isKeyEnd(after string) bool {
	unquoted := strings.TrimLeft(after, `"'`)
	return len(unquoted) < len(after) && strings.HasPrefix(strings.TrimLeft(unquoted, " \t\r\n"), ":")
}

// isWordByte reports whether s[i] may be a part of a name.
func isWordByte(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] == '_' || s[i] == '-' || '0' <= s[i] && s[i] <= '9' || 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z')
}

// Unit is the unit in which an offset is counted.
type Unit uint8

// The units.
const (
	Bytes Unit = iota // bytes of UTF-8, as in Go and Rust
	Chars             // Unicode code points, as in Python; an invalid byte counts as one
	UTF16             // UTF-16 code units, as in JavaScript, Java and C#
)

var unitNames = [...]string{"bytes", "chars", "utf16"}

// ParseUnit returns the unit with the given name: bytes, chars or utf16.
func ParseUnit(name string) (Unit, error) {
	for u, known := range unitNames {
		if name == known {
			return Unit(u), nil
		}
	}
	return 0, fmt.Errorf("unknown unit %q, want one of %s", name, strings.Join(unitNames[:], ", "))
}

// String returns the unit's name.
func (u Unit) String() string {
	if int(u) < len(unitNames) {
		return unitNames[u]
	}
	return "unknown"
}

// Offsets converts between byte offsets in a text and offsets in another unit.
type Offsets struct {
	text  string
	unit  Unit
	known []counted // see Unit.count
}

// counted is the offset of one character in bytes and in units.
type counted struct{ at, units int64 }

// offsetStep bounds how many bytes one conversion reads.
const offsetStep = 256

// NewOffsets indexes a text, in time linear in its length. Each conversion then takes
// constant time.
func NewOffsets(text string, unit Unit) *Offsets {
	return &Offsets{text, unit, unit.count(text)}
}

// count returns one offset for every offsetStep bytes of a text, or nil if both offsets are
// always equal.
func (u Unit) count(text string) (known []counted) {
	if u == Bytes || bytescan.IsASCII(text) {
		return nil
	}
	for at, units := 0, int64(0); at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if len(known)*offsetStep < at+size {
			known = append(known, counted{int64(at), units})
		}
		units += u.width(r)
		at += size
	}
	return known
}

// width returns the number of units of a character.
func (u Unit) width(r rune) int64 {
	if u == UTF16 && r > 0xFFFF {
		return 2
	}
	return 1
}

// Of converts a byte offset to units. An offset inside a character counts as that
// character's.
func (o *Offsets) Of(at int64) int64 {
	if o.known == nil {
		return at
	}
	at = min(max(at, 0), int64(len(o.text)))
	from := o.known[min(int(at)/offsetStep, len(o.known)-1)]
	for from.at < at {
		r, size := utf8.DecodeRuneInString(o.text[from.at:])
		if from.at+int64(size) > at {
			break
		}
		from.at, from.units = from.at+int64(size), from.units+o.unit.width(r)
	}
	return from.units
}

// Byte converts an offset in units to bytes.
func (o *Offsets) Byte(units int64) int64 {
	if o.known == nil {
		return min(max(units, 0), int64(len(o.text)))
	}
	next := sort.Search(len(o.known), func(i int) bool { return o.known[i].units > units })
	from := o.known[max(next-1, 0)]
	for from.units < units && from.at < int64(len(o.text)) {
		r, size := utf8.DecodeRuneInString(o.text[from.at:])
		from.at, from.units = from.at+int64(size), from.units+o.unit.width(r)
	}
	return from.at
}
