// Package sniff recognises what a body is: the wire of an answer or a request, plain text,
// or an answer of an API that is in no wire format.
package sniff

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/envelope"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Sniffer determines what an input is from its beginning, in linear time. Text that
// begins like no wire is recognised by its first byte. JSON is recognised by the members
// that identify an envelope or a call, wherever they are; unknown members decide nothing.
type Sniffer struct {
	Max  int // bytes of one event
	size int // bytes so far

	state sniffState
	mark  int // matched bytes of the byte order mark

	json jsonSniffer
	sse  sseSniffer
}

type sniffState uint8

const (
	sniffStart sniffState = iota // at a byte order mark, or blanks
	sniffJSON
	sniffSSE
)

// MaxHeld limits the input that is held until its kind is known, unless events must be
// smaller anyway.
const MaxHeld = 1 << 20

// Verdict is the kind of an input.
type Verdict struct {
	Wire    string // or [all.Text]
	Framing frame.Framing
	Err     error // for a first event that is too large, or a *RequestError
	Known   bool  // an event of the wire has come
}

var isText, isJSONText = Verdict{Wire: all.Text}, Verdict{Wire: all.Text, Framing: frame.JSON}

// RequestError means that a body is a request to a provider instead of an answer. The
// calls in its history are not new.
type RequestError struct{ Wire string }

// Error names the wire of the request.
func (e *RequestError) Error() string {
	return fmt.Sprintf("the body is a request of the wire format %s, not an answer", e.Wire)
}

// Add inspects the next bytes. ok reports whether the kind is known.
func (s *Sniffer) Add(p []byte) (v Verdict, ok bool) {
	for i, c := range p {
		if s.state != sniffStart {
			return s.rest(p[i:])
		}
		const mark = "\ufeff"
		switch {
		case s.mark < len(mark) && c == mark[s.mark] && s.size == s.mark:
			s.mark++
		case s.mark%len(mark) != 0: // inside a byte order mark
			return isText, true
		case strictjson.IsBlank(c):
		case c == '{' || c == '[':
			s.state = sniffJSON
			return s.rest(p[i:])
		case strings.IndexByte("deir:", c) >= 0:
			s.state = sniffSSE
			s.sse.split = frame.New(frame.SSE, s.Max)
			return s.rest(p[i:])
		default:
			return isText, true
		}
		if s.size++; s.size > MaxHeld {
			return isText, true
		}
	}
	return Verdict{}, false
}

func (s *Sniffer) rest(p []byte) (Verdict, bool) {
	s.size += len(p)
	if s.state == sniffJSON {
		wire, ok := s.json.add(p)
		if !ok && s.size > max(s.Max, MaxHeld) {
			wire, ok = s.json.guess(), true
		}
		return Verdict{wire, frame.JSON, s.json.refused(), s.json.known}, ok
	}
	wire, ok, err := s.sse.add(p)
	if !ok && s.size > max(s.Max, MaxHeld) {
		wire, ok = all.Text, true
	}
	return Verdict{wire, frame.SSE, err, ok && wire != all.Text}, ok
}

// End decides at the end of the input.
func (s *Sniffer) End() Verdict {
	switch s.state {
	case sniffJSON:
		return Verdict{Wire: s.json.guess(), Framing: frame.JSON, Err: s.json.refused()}
	case sniffSSE:
		return Verdict{Wire: s.sse.end(), Framing: frame.SSE}
	}
	return isText
}

// jsonSniffer inspects the first object of an input: the first line, the first element,
// or all of the body.
type jsonSniffer struct {
	scan strictjson.Scanner // stops where the object is not JSON
	data []byte             // the object so far

	inArray bool // the input began with '['
	started bool // the object has begun

	tokens  jsonstream.Scanner
	key     string // the member that was read last,
	value   string // and the beginning of its value, if that is a string
	noted   bool   // the outline records this member
	first   bool   // the first element of the list in key comes next
	seen    envelope.Outline
	known   bool   // the object is an event of a wire
	bare    bool   // the object contains only an error
	request string // the wire, if the object is a request and no text has followed it; or ""
}

// maxWord is longer than the words that distinguish envelopes.
const maxWord = 40

// add inspects the next bytes, and returns the wire once it is certain.
func (s *jsonSniffer) add(p []byte) (string, bool) {
	for i, c := range p {
		if s.started && !s.bare && s.request == "" {
			return s.object(p[i:])
		}
		switch {
		case strictjson.IsBlank(c):
		case s.request != "" && c == '{': // a list of requests
			return all.Text, true
		case s.bare, s.request != "": // nothing else follows a server's error or a client's request
			s.request = ""
			return all.Text, true
		case c == '{':
			s.started = true
			return s.object(p[i:])
		case c == '[' && !s.inArray:
			s.inArray = true
		default:
			return all.Text, true
		}
	}
	return "", false
}

func (s *jsonSniffer) object(p []byte) (string, bool) {
	n, done, err := s.scan.Scan(p)
	if wire, ok := s.members(p[:n]); ok {
		return wire, true
	}
	s.data = append(s.data, p[:n]...)
	switch {
	case err != nil:
		return all.Text, true
	case done:
		v, err := rawjson.Parse(s.data)
		if err != nil { // cannot happen: it was scanned
			return all.Text, true
		}
		wire := classify(v)
		s.known = wire != ""
		if wire == "" && !s.inArray {
			if turn := wireOfTurn(v); turn != "" {
				return turn, true
			}
			s.bare, s.request = envelope.IsBareError(v), requestOf(v)
		}
		if s.bare || s.request != "" {
			return s.add(p[n:])
		}
		return orText(wire), true
	}
	return "", false
}

// Object returns what a [Sniffer] finds out about an input that is one object. The
// object has been indexed, so that no byte of it is read again.
func Object(v rawjson.Value) Verdict {
	var seen envelope.Outline
	for key, member := range v.Fields() {
		if seen.IsCall(string(key)) {
			return isJSONText
		}
		word := ""
		switch string(key) {
		case "type":
			word = "type"
		case "object":
			word = "object"
		case "name":
			kind := jsonstream.ArrayStart // not a text, which is all that counts
			if member.Kind == rawjson.String {
				kind = jsonstream.StringStart
			}
			seen.Add("name", kind, false)
		}
		if word == "" || member.Kind != rawjson.String {
			continue
		}
		if wire, ok := readWord(&seen, word, member.Text()); ok {
			return Verdict{Wire: wire, Framing: frame.JSON, Known: wire != all.Text}
		}
	}
	wire := classify(v)
	known := wire != ""
	switch {
	case known:
	case wireOfTurn(v) != "":
		wire = wireOfTurn(v)
	case envelope.IsBareError(v):
		wire = wireOfBareError(frame.JSON)
	case requestOf(v) != "":
		return Verdict{Wire: all.Text, Framing: frame.JSON, Err: &RequestError{requestOf(v)}}
	}
	return Verdict{Wire: orText(wire), Framing: frame.JSON, Known: known}
}

// members reads the members of the object. It returns the wire once a member decides.
func (s *jsonSniffer) members(data []byte) (wire string, ok bool) {
	if s.tokens.Quiet && s.tokens.InPlainString() { // nothing in it decides
		data = data[bytescan.PlainEnd(data, 0):]
	}
	p := string(data)
	for i := 0; !ok; {
		var kind jsonstream.Kind
		depth := s.tokens.Depth()
		s.tokens.Quiet = depth > 1 || len(s.value) > maxWord
		if kind, i = s.tokens.Next(p, i); kind == jsonstream.More || kind == jsonstream.Invalid {
			break
		}
		if s.first {
			s.seen.Add(s.key, kind, true)
			s.first = false
		}
		switch {
		case depth != 1:
		case kind == jsonstream.Key:
			s.key, s.value = string(s.tokens.Text()), ""
			s.noted = outlined(s.key)
			wire, ok = all.Text, s.seen.IsCall(s.key)
		case kind == jsonstream.StringPart:
			s.value += s.tokens.Part
		case kind == jsonstream.StringEnd:
			wire, ok = readWord(&s.seen, s.key, s.value)
			s.known = ok && wire != all.Text
		case s.noted && kind != jsonstream.ObjectEnd:
			s.seen.Add(s.key, kind, false)
			s.first = kind == jsonstream.ArrayStart
		}
	}
	return wire, ok
}

// readWord records a member's string value. If that decides, it returns the wire, or Text.
func readWord(o *envelope.Outline, member, value string) (wire string, ok bool) {
	switch member {
	case "type":
		switch value {
		case "function", "function_call", "tool_call", "tool_use":
			return all.Text, true
		}
	case "object":
	default:
		return "", false
	}
	if wire = wireOfWord(member, value); wire == "" {
		o.AddWord(member, value)
	}
	return wire, wire != ""
}

// guess decides about an incomplete object, or a bare error that nothing follows.
func (s *jsonSniffer) guess() string {
	if s.bare {
		return wireOfBareError(frame.JSON)
	}
	return orText(wireOfOutline(&s.seen))
}

// refused returns the error for an object that is a request.
func (s *jsonSniffer) refused() error {
	if s.request == "" {
		return nil
	}
	return &RequestError{s.request}
}

// maxUnknown is the number of unknown events, such as a gateway may send first, that make
// a stream plain text.
const maxUnknown = 16

// sseSniffer inspects lines, all of which must be those of events, and the events, until
// one is of a known wire.
type sseSniffer struct {
	split frame.Splitter

	unknown int  // number of events of no known wire
	bare    bool // one of them contains only an error

	name  []byte // the field's name so far
	named bool   // the name has ended: a value or a comment follows
	data  bool   // the value of a data line has not begun
	more  bool   // the event already has data, which further lines continue
}

// add inspects the next bytes, and returns the wire once it is certain. The error is that
// of an event that is too large.
func (s *sseSniffer) add(p []byte) (string, bool, error) {
	for len(p) > 0 {
		// Inspect byte by byte, except in values, so that what follows an event does not
		// matter.
		n := 1
		if s.named && !s.data && p[0] != '\n' && p[0] != '\r' {
			if n = bytes.IndexAny(p, "\r\n"); n < 0 {
				n = len(p)
			}
		} else if !s.line(p[0]) {
			return all.Text, true, nil
		}
		if wire, ok, err := s.events(p[:n]); ok {
			return wire, true, err
		}
		p = p[n:]
	}
	return "", false, nil
}

// events inspects the events that end in the next bytes.
func (s *sseSniffer) events(p []byte) (string, bool, error) {
	for {
		e, n, ok, err := s.split.Next(p)
		if err != nil {
			return all.Text, true, err
		}
		if !ok {
			return "", false, nil
		}
		wire, bare := classifyData(e.Data)
		if wire != "" {
			return wire, true, nil
		}
		s.bare = s.bare || bare
		if s.unknown++; s.unknown == maxUnknown {
			return all.Text, true, nil
		}
		p = p[n:]
	}
}

// line tracks the lines by one byte. It reports whether they may be those of events with
// JSON.
func (s *sseSniffer) line(c byte) bool {
	switch {
	case c == '\n' || c == '\r':
		ok := s.named || isField(string(s.name), true)
		if !s.named && len(s.name) == 0 { // a blank line ends the event
			s.more = false
		}
		s.name, s.named, s.data = s.name[:0], false, false
		return ok
	case s.data && c != ' ' && c != '\t':
		ok := s.more || c == '{' || c == '['
		s.data, s.more = false, true
		return ok
	case s.named:
		return true
	case c == ':':
		s.named, s.data = true, string(s.name) == "data" || string(s.name) == "error"
		return isField(string(s.name), true)
	case len(s.name) == 0 && (c == '{' || c == '['): // bare JSON, see package frame
		s.named = true
		return true
	}
	s.name = append(s.name, c)
	return isField(string(s.name), false)
}

// isField reports whether name is the name of a field, a comment or a blank line, or,
// unless whole, may become one.
func isField(name string, whole bool) bool {
	for _, f := range [...]string{"", "data", "event", "id", "retry", "error"} {
		if name == f || !whole && strings.HasPrefix(f, name) {
			return true
		}
	}
	return false
}

func (s *sseSniffer) end() string {
	e, ok := s.split.End()
	wire, bare := classifyData(e.Data)
	switch {
	case wire != "":
		return wire
	case s.bare || bare: // OpenAI's servers stream errors like this
		return wireOfBareError(frame.SSE)
	case !ok:
		return all.Text
	}
	var cut jsonSniffer
	if wire, ok := cut.add(e.Data); ok {
		return wire
	}
	return cut.guess()
}

// classifyData returns the wire of an event's data, or of the first element of an array.
// bare reports that they are an error of an unknown wire; see [envelope.IsBareError].
func classifyData(data []byte) (wire string, bare bool) {
	v, err := rawjson.Parse(bytes.TrimSpace(data))
	if err != nil {
		return "", false
	}
	wire = classify(rawjson.First(v))
	return wire, wire == "" && envelope.IsBareError(v)
}

func orText(w string) string {
	if w == "" {
		return all.Text
	}
	return w
}

// IsEvents reports whether a body with this beginning may consist of events.
func IsEvents(head []byte) bool {
	var lines sseSniffer
	for _, c := range bytes.TrimPrefix(head, []byte("\ufeff")) {
		if !lines.line(c) {
			return false
		}
	}
	return true
}
