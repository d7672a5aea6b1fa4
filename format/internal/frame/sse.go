package frame

import (
	"bytes"

	"github.com/toolparse/toolparse/internal/strictjson"
)

// sseSplitter gives server-sent events by the rules of WHATWG, but for these
// leniencies, none of which changes a stream of JSON that keeps to the rules:
//
//   - data lines that each hold one whole JSON value are events of their own,
//     also without blank lines between them;
//   - a line that begins with '{' or '[' begins bare JSON, of one line or
//     several: some servers break off a stream with an unframed error;
//   - the last event needs no blank line; it is marked Cut.
type sseSplitter struct {
	max   int
	state sseState
	mark  int  // matched bytes of the byte order mark
	cr    bool // the last byte was a CR: an LF that follows belongs to it

	field  [8]byte // the field's name so far; longer ones are unknown
	fieldN int     // its length, also of longer ones
	kind   sseField

	data    []byte // of the event so far
	lines   int    // data lines so far
	given   bool   // data was handed out and must go before more is added
	started int64  // where data began
	name    []byte // the event field, where it came before the data
	late    []byte // the event field, where it came after some
	last    string // the name handed out last, so that repeats cost nothing

	// scan has seen data[:scanned], to tell whether it is one whole value. It
	// lags behind: a plain stream never asks.
	scan    strictjson.Scanner
	scanned int
	whole   bool // data[:scanned] is one value
	broken  bool // or is no JSON

	loose bool // a data line followed whole data: each line is an event

	number int
	offset int64
}

type sseState uint8

const (
	sseStart   sseState = iota // a byte order mark may come
	sseLine                    // at the start of a line
	sseName                    // in a field's name
	sseSpace                   // after the colon: one blank may go
	sseValue                   // in a field's value
	sseBare                    // in bare JSON
	sseBareEnd                 // after bare JSON, in its last line
)

type sseField uint8

const (
	fieldOther sseField = iota // comments too
	fieldData
	fieldEvent
)

// maxEventName bounds the event field; what is longer is cut.
const maxEventName = 256

func (s *sseSplitter) Next(p []byte) (e Event, n int, ok bool, err error) {
	defer func() { s.offset += int64(n) }()
	if s.given {
		s.clear()
	}
	for i := 0; i < len(p); {
		c := p[i]
		if s.cr {
			if s.cr = false; c == '\n' {
				i++
				continue
			}
		}
		switch s.state {
		case sseStart:
			if c == byteOrderMark[s.mark] {
				i++
				if s.mark++; s.mark == len(byteOrderMark) {
					s.state = sseLine
				}
				continue
			}
			// What matched of a mark is the start of an unknown field's name.
			s.state, s.fieldN = sseName, s.mark
			if s.mark == 0 {
				s.state = sseLine
			}

		case sseLine:
			s.fieldN, s.kind = 0, fieldOther
			switch c {
			case '\n', '\r':
				i++
				s.cr = c == '\r'
				if s.lines > 0 {
					return s.event(false), i, true, nil
				}
				s.name = s.name[:0]
			case '{', '[':
				if s.lines > 0 && !s.isWhole() {
					s.state = sseName
					break
				}
				s.state = sseBare
				if s.lines > 0 {
					return s.earlyEvent(), i, true, nil
				}
			default:
				s.state = sseName
			}

		case sseName:
			i++
			switch c {
			case ':':
				s.kind = s.fieldKind()
				s.state = sseSpace
				if s.kind == fieldData && s.startsAnew() {
					return s.earlyEvent(), i, true, nil
				}
			case '\n', '\r':
				s.kind = s.fieldKind()
				if s.kind == fieldData && s.startsAnew() {
					s.state = sseSpace
					return s.earlyEvent(), i - 1, true, nil
				}
				s.begin(i - 1)
				s.state, s.cr = sseLine, c == '\r'
			default:
				if s.fieldN < len(s.field) {
					s.field[s.fieldN] = c
				}
				s.fieldN++
			}

		case sseSpace:
			if c == ' ' {
				i++
			}
			s.begin(i)
			s.state = sseValue

		case sseValue:
			end := lineEnd(p[i:])
			if err := s.add(p[i : i+end]); err != nil {
				return e, i, false, err
			}
			if i += end; i == len(p) {
				break
			}
			s.cr = p[i] == '\r'
			i++
			s.state = sseLine
			if s.loose && s.kind == fieldData && (s.isWhole() || string(s.data) == doneMarker) {
				return s.earlyEvent(), i, true, nil
			}

		case sseBare:
			if s.lines == 0 {
				s.lines, s.started = 1, s.offset+int64(i)
				s.scan.Reset()
			}
			room := min(s.max-len(s.data), len(p)-i)
			took, done, err := s.scan.Scan(p[i : i+room])
			if err != nil { // an unknown field after all
				s.clear()
				s.state = sseBareEnd
				i += took
				break
			}
			s.data = append(s.data, p[i:i+took]...)
			i += took
			if !done && i < len(p) {
				return e, i, false, s.tooLarge()
			}
			if done {
				s.state = sseBareEnd
				return s.event(false), i, true, nil
			}

		case sseBareEnd:
			if i += lineEnd(p[i:]); i < len(p) {
				s.cr = p[i] == '\r'
				i++
				s.state = sseLine
			}
		}
	}
	return e, len(p), false, nil
}

func (s *sseSplitter) End() (Event, bool) {
	if s.given {
		s.clear()
	}
	if s.lines == 0 {
		return Event{}, false
	}
	return s.event(true), true
}

// begin starts the value of a field at index i of the piece.
func (s *sseSplitter) begin(i int) {
	switch s.kind {
	case fieldData:
		if s.lines++; s.lines == 1 {
			s.started = s.offset + int64(i)
		} else {
			s.data = append(s.data, '\n')
		}
	case fieldEvent:
		*s.nameField() = (*s.nameField())[:0]
	}
}

// add adds to the value of the field.
func (s *sseSplitter) add(value []byte) error {
	switch s.kind {
	case fieldData:
		if len(s.data)+len(value) > s.max {
			return s.tooLarge()
		}
		s.data = append(s.data, value...)
	case fieldEvent:
		name := s.nameField()
		room := maxEventName - len(*name)
		*name = append(*name, value[:min(room, len(value))]...)
	}
	return nil
}

func (s *sseSplitter) tooLarge() error {
	return &TooLargeError{s.max, s.number + 1, s.started}
}

func (s *sseSplitter) fieldKind() sseField {
	if s.fieldN > len(s.field) {
		return fieldOther
	}
	switch string(s.field[:s.fieldN]) {
	case "data":
		return fieldData
	case "event":
		return fieldEvent
	}
	return fieldOther
}

// startsAnew reports whether a data line that begins here begins an event,
// because the data so far are one whole value.
func (s *sseSplitter) startsAnew() bool {
	if s.lines == 0 || !s.isWhole() {
		return false
	}
	s.loose = true
	return true
}

// isWhole reports whether the data so far are one JSON object or array.
func (s *sseSplitter) isWhole() bool {
	for !s.whole && !s.broken && s.scanned < len(s.data) {
		if s.scanned == 0 {
			s.scan.Reset()
			first := bytes.TrimLeft(s.data, " \t")
			if s.broken = len(first) == 0 || first[0] != '{' && first[0] != '['; s.broken {
				break
			}
		}
		n, done, err := s.scan.Scan(s.data[s.scanned:])
		s.scanned += n
		if done {
			rest := bytes.TrimLeft(s.data[s.scanned:], " \t")
			s.whole, s.broken = len(rest) == 0, len(rest) > 0
		}
		s.broken = s.broken || err != nil
	}
	return s.whole
}

// event hands out the event that a blank line, the end of a bare value or of
// the input ends.
func (s *sseSplitter) event(cut bool) Event {
	name := s.late
	if len(name) == 0 {
		name = s.name
	}
	e := s.named(name)
	e.Cut = cut
	s.name, s.late = s.name[:0], s.late[:0]
	return e
}

// earlyEvent hands out an event before its blank line. An event field that
// came after its data is taken for the next one's, unless there is no other.
func (s *sseSplitter) earlyEvent() Event {
	if len(s.name) == 0 {
		s.name, s.late = s.late, s.name
	}
	e := s.named(s.name)
	s.name, s.late = s.late, s.name[:0]
	return e
}

func (s *sseSplitter) named(name []byte) Event {
	s.number++
	if string(name) != s.last {
		s.last = string(name)
	}
	s.given = true
	return Event{Framing: SSE, Number: s.number, Offset: s.started, Name: s.last, Data: s.data}
}

// nameField returns where an event field that comes now is kept.
func (s *sseSplitter) nameField() *[]byte {
	if s.lines > 0 {
		return &s.late
	}
	return &s.name
}

// clear makes room for the data of another event.
func (s *sseSplitter) clear() {
	s.data, s.lines, s.scanned = s.data[:0], 0, 0
	s.whole, s.broken, s.given = false, false, false
}

// lineEnd returns the index of the first CR or LF, or len(p). It looks in
// short windows, so that neither search runs far past the other's find.
func lineEnd(p []byte) int {
	const window = 512
	for at := 0; ; at += window {
		w := p[at:min(at+window, len(p))]
		if lf := bytes.IndexByte(w, '\n'); lf >= 0 {
			if cr := bytes.IndexByte(w[:lf], '\r'); cr >= 0 {
				return at + cr
			}
			return at + lf
		}
		if cr := bytes.IndexByte(w, '\r'); cr >= 0 {
			return at + cr
		}
		if at+window >= len(p) {
			return len(p)
		}
	}
}
