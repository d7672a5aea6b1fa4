package frame

import (
	"errors"

	"github.com/toolparse/toolparse/internal/strictjson"
)

// jsonSplitter returns successive JSON values, with or without white space between them,
// such as lines or a single body. It returns the elements of an array one by one, each
// when it is complete. The text [DONE] counts as a value, although it is not JSON.
type jsonSplitter struct {
	max   int
	state jsonState
	scan  strictjson.Scanner
	data  []byte // the beginning of the value, from earlier pieces
	mark  int    // matched bytes of the byte order mark, or of [DONE]

	number  int
	offset  int64 // of the next piece in the input
	started int64 // where the value began
}

type jsonState uint8

const (
	jsonStart      jsonState = iota // a byte order mark may come
	jsonBetween                     // at the top level, outside of values
	jsonInValue                     // in a value of the top level
	jsonFirst                       // after '[': an element or ']'
	jsonBefore                      // after ',' in the array
	jsonInElement                   // in an element of the array
	jsonAfter                       // after an element: ',' or ']'
	jsonDoneMarker                  // in "[DONE]"
)

var (
	errNoValue = errors.New("invalid JSON: expected a value")
	errNoComma = errors.New("invalid JSON: expected a comma or the end of the array")
)

const (
	byteOrderMark = "\ufeff"
	doneMarker    = "[DONE]"
)

func (s *jsonSplitter) Next(p []byte) (e Event, n int, ok bool, err error) {
	defer func() { s.offset += int64(n) }()
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch s.state {
		case jsonStart:
			switch {
			case c == byteOrderMark[s.mark]:
				if s.mark++; s.mark < len(byteOrderMark) {
					continue
				}
			case s.mark > 0:
				return e, i, false, s.syntax(i, errNoValue)
			default:
				i--
			}
			s.state = jsonBetween

		case jsonBetween, jsonFirst, jsonBefore, jsonAfter:
			if strictjson.IsBlank(c) {
				continue
			}
			switch {
			case s.state == jsonBetween && c == '[':
				s.state = jsonFirst
			case s.state == jsonFirst && c == 'D':
				s.state, s.mark = jsonDoneMarker, 2
				s.started = s.offset + int64(i) - 1
			case s.state == jsonFirst && c == ']', s.state == jsonAfter && c == ']':
				s.state = jsonBetween
			case s.state == jsonAfter && c == ',':
				s.state = jsonBefore
			case s.state == jsonAfter:
				return e, i, false, s.syntax(i, errNoComma)
			default:
				s.started = s.offset + int64(i)
				s.data = s.data[:0]
				s.scan.Reset()
				if s.state == jsonBetween {
					s.state = jsonInValue
				} else {
					s.state = jsonInElement
				}
				i--
			}

		case jsonInValue, jsonInElement:
			room := min(s.max-len(s.data), len(p)-i)
			took, done, err := s.scan.Scan(p[i : i+room])
			if err != nil {
				return e, i + took, false, s.syntax(i+took, err)
			}
			data := p[i : i+took]
			if !done {
				if i += room; i < len(p) {
					return e, i, false, &TooLargeError{s.max, s.number + 1, s.started}
				}
				s.data = append(s.data, data...)
				return e, i, false, nil
			}
			if len(s.data) > 0 {
				s.data = append(s.data, data...)
				data = s.data
			}
			isElement := s.state == jsonInElement
			if s.state = jsonBetween; isElement {
				s.state = jsonAfter
			}
			e = s.event(data, false)
			e.known, e.Element = data, isElement
			return e, i + took, true, nil

		case jsonDoneMarker:
			if c != doneMarker[s.mark] {
				return e, i, false, s.syntax(i, errNoValue)
			}
			if s.mark++; s.mark == len(doneMarker) {
				s.state = jsonBetween
				s.data = append(s.data[:0], doneMarker...)
				return s.event(s.data, false), i + 1, true, nil
			}
		}
	}
	return e, len(p), false, nil
}

func (s *jsonSplitter) End() (Event, bool) {
	if s.state != jsonInValue && s.state != jsonInElement {
		return Event{}, false
	}
	s.state = jsonBetween
	return s.event(s.data, true), true
}

func (s *jsonSplitter) event(data []byte, cut bool) Event {
	s.number++
	return Event{Framing: JSON, Number: s.number, Offset: s.started, Cut: cut, Data: data}
}

func (s *jsonSplitter) syntax(at int, err error) error {
	return &SyntaxError{Event: s.number + 1, Offset: s.offset + int64(at), Err: err}
}
