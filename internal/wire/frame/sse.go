package frame

import (
	"bytes"

	"github.com/toolparse/toolparse/internal/strictjson"
)

// sseSplitter returns server-sent events by the rules of WHATWG, with these tolerances,
// which do not affect valid streams of JSON:
//
//   - Data lines that each contain a whole JSON value are separate events, even without
//     blank lines between them.
//   - A line that begins with '{' or '[' begins bare JSON on one or several lines, because
//     some servers break off a stream with an unframed error.
//   - A field "error" is the data of an event with this name, as older builds of llama.cpp
//     write the error that ends a stream.
//   - The last event needs no blank line; it is marked Cut.
type sseSplitter struct {
	max   int
	state sseState
	mark  int  // matched bytes of the byte order mark
	cr    bool // the last byte was a CR, which includes a following LF

	field  [8]byte // the beginning of the field's name; longer names are unknown
	fieldN int     // length of the name, also of longer ones
	kind   sseField

	data     []byte // of the current event
	lines    int    // number of data lines
	returned bool   // data was returned, and must be cleared before more is added
	started  int64  // offset of data
	name     []byte // the event field, if it preceded the data
	late     []byte // the event field, if it followed some data
	last     string // the last name that was returned, so that repetitions cost nothing

	// scan has read data[:scanned], to find out whether it is one whole value. It lags
	// behind, because plain streams do not need it.
	scan    strictjson.Scanner
	scanned int
	whole   bool // data[:scanned] is one value
	broken  bool // or not JSON

	loose bool // a data line followed a whole value, so that each line is an event

	number int
	offset int64
}

type sseState uint8

const (
	sseStart   sseState = iota // a byte order mark may come
	sseLine                    // at the start of a line
	sseName                    // in a field's name
	sseSpace                   // after the colon: one blank is skipped
	sseValue                   // in a field's value
	sseBare                    // in bare JSON
	sseBareEnd                 // after bare JSON, in its last line
)

type sseField uint8

const (
	fieldOther sseField = iota // also comments
	fieldData
	fieldEvent
	fieldError
)

// isData reports whether the field's value is data of an event.
func (f sseField) isData() bool { return f == fieldData || f == fieldError }

const errorField = "error"

// maxEventName limits the event field; longer ones are cut.
const maxEventName = 256

func (s *sseSplitter) Next(p []byte) (e Event, n int, ok bool, err error) {
	defer func() { s.offset += int64(n) }()
	if s.returned {
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
			// The matched part of a mark begins an unknown field's name.
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
				if s.kind.isData() && s.startsAnew() {
					return s.earlyEvent(), i, true, nil
				}
			case '\n', '\r':
				s.kind = s.fieldKind()
				if s.kind.isData() && s.startsAnew() {
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
			if s.loose && s.kind.isData() && (s.isWhole() || string(s.data) == doneMarker) {
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
	if s.returned {
		s.clear()
	}
	if s.lines == 0 {
		return Event{}, false
	}
	return s.event(true), true
}

// begin begins the value of a field at index i of the piece.
func (s *sseSplitter) begin(i int) {
	switch s.kind {
	case fieldError:
		*s.nameField() = append((*s.nameField())[:0], errorField...)
		fallthrough
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
	case fieldData, fieldError:
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
	case errorField:
		return fieldError
	}
	return fieldOther
}

// startsAnew reports whether a data line that begins here begins an event, because the
// data are one whole value.
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

// event returns the event that ends with a blank line, bare JSON or the input.
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

// earlyEvent returns an event before its blank line. An event field after the data
// belongs to the next event, unless there is no other one.
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
	s.returned = true
	return Event{Framing: SSE, Number: s.number, Offset: s.started, Name: s.last, Data: s.data}
}

// nameField returns the field for the current event name.
func (s *sseSplitter) nameField() *[]byte {
	if s.lines > 0 {
		return &s.late
	}
	return &s.name
}

// clear prepares for the data of another event.
func (s *sseSplitter) clear() {
	s.data, s.lines, s.scanned = s.data[:0], 0, 0
	s.whole, s.broken, s.returned = false, false, false
}

// lineEnd returns the index of the first CR or LF, or len(p). It searches in short
// windows, so that neither search goes far beyond the other's result.
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
