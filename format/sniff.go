package format

import (
	"bytes"
	"strings"

	"github.com/toolparse/toolparse/format/internal/frame"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// sniffer finds out from its beginning what an input is. It takes linear time.
// Text that begins like no wire is known by its first byte. JSON is known by the
// members that identify an envelope or a call, wherever they stand: a member that
// nobody knows decides nothing.
type sniffer struct {
	max  int // bytes of one event
	size int // bytes so far

	state sniffState
	mark  int // matched bytes of the byte order mark

	json jsonSniffer
	sse  sseSniffer
}

type sniffState uint8

const (
	sniffStart sniffState = iota // a byte order mark, or blanks
	sniffJSON
	sniffSSE
)

// maxSniffed bounds the input that is held until it is known whose it is, where
// an event may not be larger anyway.
const maxSniffed = 1 << 20

// verdict is what an input is.
type verdict struct {
	wire    Wire
	framing frame.Framing
	err     error // of a first event that is too large, or a *RequestError
}

var isText = verdict{wire: Text}

// add looks at the next bytes. ok tells whether that decides it.
func (s *sniffer) add(p []byte) (v verdict, ok bool) {
	for i, c := range p {
		if s.state != sniffStart {
			return s.rest(p[i:])
		}
		const mark = "\ufeff"
		switch {
		case s.mark < len(mark) && c == mark[s.mark] && s.size == s.mark:
			s.mark++
		case s.mark%len(mark) != 0: // a part of a mark
			return isText, true
		case strictjson.IsBlank(c):
		case c == '{' || c == '[':
			s.state = sniffJSON
			return s.rest(p[i:])
		case strings.IndexByte("deir:", c) >= 0:
			s.state = sniffSSE
			s.sse.split = frame.New(frame.SSE, s.max)
			return s.rest(p[i:])
		default:
			return isText, true
		}
		if s.size++; s.size > maxSniffed {
			return isText, true
		}
	}
	return verdict{}, false
}

func (s *sniffer) rest(p []byte) (verdict, bool) {
	s.size += len(p)
	if s.state == sniffJSON {
		wire, ok := s.json.add(p)
		if !ok && s.size > max(s.max, maxSniffed) {
			wire, ok = s.json.guess(), true
		}
		return verdict{wire, frame.JSON, s.json.refused()}, ok
	}
	wire, ok, err := s.sse.add(p)
	if !ok && s.size > max(s.max, maxSniffed) {
		wire, ok = Text, true
	}
	return verdict{wire, frame.SSE, err}, ok
}

// end decides it, with no more to come.
func (s *sniffer) end() verdict {
	switch s.state {
	case sniffJSON:
		return verdict{s.json.guess(), frame.JSON, s.json.refused()}
	case sniffSSE:
		return verdict{wire: s.sse.end(), framing: frame.SSE}
	}
	return isText
}

// jsonSniffer looks at the first object of an input: the first line, the first
// element, or all of the body.
type jsonSniffer struct {
	scan strictjson.Scanner
	data []byte // the object so far

	inArray bool // the input began with '['
	begun   bool // the object has begun

	depth    int
	inString bool
	escaped  bool
	inKey    bool   // the string at hand, or the next one, is a key of the object
	value    bool   // the value of key comes next
	first    bool   // the first element of the list that is the value of key comes next
	token    []byte // the string at hand, if it is a key or a value of the object
	key      string
	seen     outline
	bare     bool // the object is an error and nothing else
	request  Wire // whose request the object is, with no text behind it; "" for none
}

// maxToken bounds the strings that are looked at; no envelope has longer ones.
const maxToken = 40

// add looks at the next bytes and returns the wire once it is sure.
func (s *jsonSniffer) add(p []byte) (Wire, bool) {
	for i, c := range p {
		if s.begun && !s.bare && s.request == "" {
			return s.object(p[i:])
		}
		switch {
		case strictjson.IsBlank(c):
		case s.request != "" && c == '{': // one of a list of requests
			return Text, true
		case s.bare, s.request != "": // a server says no more than its error, nor does a client
			s.request = ""
			return Text, true
		case c == '{':
			s.begun = true
			return s.object(p[i:])
		case c == '[' && !s.inArray:
			s.inArray = true
		default:
			return Text, true
		}
	}
	return "", false
}

func (s *jsonSniffer) object(p []byte) (Wire, bool) {
	n, done, err := s.scan.Scan(p)
	for i := 0; i < n; i++ {
		if s.inString && !s.escaped && (s.depth > 1 || len(s.token) > maxToken) { // which tells nothing
			if i += strictjson.PlainRun(p[i:n]); i == n {
				break
			}
		}
		if wire, ok := s.step(p[i]); ok {
			return wire, true
		}
	}
	s.data = append(s.data, p[:n]...)
	switch {
	case err != nil:
		return Text, true
	case done:
		v, err := rawjson.Parse(s.data)
		if err != nil { // which cannot be: it was scanned
			return Text, true
		}
		wire := classify(v)
		if wire == "" && !s.inArray {
			if isAnthropicTurn(v) {
				return Anthropic, true
			}
			s.bare, s.request = isBareError(v), requestOf(v)
		}
		if s.bare || s.request != "" {
			return s.add(p[n:])
		}
		return orText(wire), true
	}
	return "", false
}

// step follows the members of the object. It returns the wire once a member
// decides it.
func (s *jsonSniffer) step(c byte) (Wire, bool) {
	if s.inString {
		switch {
		case s.escaped:
			s.escaped = false
		case c == '\\':
			s.escaped = true
		case c == '"':
			s.inString = false
			if s.depth == 1 {
				return s.string()
			}
			return "", false
		}
		if s.depth == 1 && len(s.token) <= maxToken {
			s.token = append(s.token, c)
		}
		return "", false
	}
	if strictjson.IsBlank(c) || c == ':' {
		return "", false
	}
	if s.value || s.first {
		s.seen.member(s.key, c, s.first)
		s.first = s.value && c == '['
		s.value = false
	}
	switch c {
	case '"':
		s.inString, s.token = true, s.token[:0]
	case '{', '[':
		s.depth++
		s.inKey = s.depth == 1
	case '}', ']':
		s.depth--
	case ',':
		s.inKey = s.depth == 1
	}
	return "", false
}

// string takes a key of the object or a string that is a member's value.
func (s *jsonSniffer) string() (Wire, bool) {
	token := string(s.token)
	if s.inKey {
		s.key, s.inKey, s.value = token, false, true
		if s.seen.isCall(token) {
			return Text, true
		}
		return "", false
	}
	return s.seen.word(s.key, token)
}

// guess decides an object that is not whole, or a bare error that nothing follows.
func (s *jsonSniffer) guess() Wire {
	if s.bare {
		return Ollama
	}
	return orText(s.seen.wire())
}

// refused returns the error of an object that is a request.
func (s *jsonSniffer) refused() error {
	if s.request == "" {
		return nil
	}
	return &RequestError{s.request}
}

// maxUnknown is how many events of no known wire, such as a gateway may send
// first, make a stream text.
const maxUnknown = 16

// sseSniffer looks at lines, which must all be those of events, and at the
// events, until one is of a known wire.
type sseSniffer struct {
	split frame.Splitter

	unknown int  // events of no known wire
	bare    bool // one of them is an error and nothing else

	name  []byte // the field's name so far
	named bool   // it is over: the value, or a comment, is at hand
	data  bool   // the value is that of a data line and has not begun
	more  bool   // the event has data already: further lines go on with it
}

// add looks at the next bytes and returns the wire once it is sure. The error is
// that of an event that is too large.
func (s *sseSniffer) add(p []byte) (Wire, bool, error) {
	for len(p) > 0 {
		// By the byte, but in a value: what is behind an event does not count.
		n := 1
		if s.named && !s.data && p[0] != '\n' && p[0] != '\r' {
			if n = bytes.IndexAny(p, "\r\n"); n < 0 {
				n = len(p)
			}
		} else if !s.line(p[0]) {
			return Text, true, nil
		}
		if wire, ok, err := s.events(p[:n]); ok {
			return wire, true, err
		}
		p = p[n:]
	}
	return "", false, nil
}

// events looks at the events that end in the next bytes.
func (s *sseSniffer) events(p []byte) (Wire, bool, error) {
	for {
		e, n, ok, err := s.split.Next(p)
		if err != nil {
			return Text, true, err
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
			return Text, true, nil
		}
		p = p[n:]
	}
}

// line follows the lines by one byte. It reports whether they may be those of
// events with JSON.
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
		s.named, s.data = true, string(s.name) == "data"
		return isField(string(s.name), true)
	case len(s.name) == 0 && (c == '{' || c == '['): // bare JSON, see package frame
		s.named = true
		return true
	}
	s.name = append(s.name, c)
	return isField(string(s.name), false)
}

// isField reports whether name is that of a field of an event, or of a comment
// or blank line, or, unless it is whole, may become one.
func isField(name string, whole bool) bool {
	for _, f := range [...]string{"", "data", "event", "id", "retry"} {
		if name == f || !whole && strings.HasPrefix(f, name) {
			return true
		}
	}
	return false
}

func (s *sseSniffer) end() Wire {
	e, ok := s.split.End()
	wire, bare := classifyData(e.Data)
	switch {
	case wire != "":
		return wire
	case s.bare || bare: // OpenAI's servers stream errors so
		return OpenAI
	case !ok:
		return Text
	}
	var cut jsonSniffer
	if wire, ok := cut.add(e.Data); ok {
		return wire
	}
	return cut.guess()
}

// classifyData classifies the data of an event, or the first element of an
// array. bare tells that they are nobody's error; see isBareError.
func classifyData(data []byte) (wire Wire, bare bool) {
	v, err := rawjson.Parse(bytes.TrimSpace(data))
	if err != nil {
		return "", false
	}
	wire = classify(firstOf(v))
	return wire, wire == "" && isBareError(v)
}

// firstOf returns the first element of an array that has any, and else v.
func firstOf(v rawjson.Value) rawjson.Value {
	for first := range v.Items() {
		return first
	}
	return v
}

func orText(w Wire) Wire {
	if w == "" {
		return Text
	}
	return w
}
