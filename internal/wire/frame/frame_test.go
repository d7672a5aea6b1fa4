package frame_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/wire/frame"
)

// got is an event as the tests compare it.
type got struct {
	Name, Data string
	Cut        bool
}

// split gives the events of input, which comes in pieces of the sizes that
// size returns, and of what is wrong with it.
func split(f frame.Framing, max int, input []byte, size func() int) (events []frame.Event, err error) {
	s := frame.New(f, max)
	keep := func(e frame.Event) {
		e.Data = append([]byte{}, e.Data...) // no matter whether an empty one is nil
		events = append(events, e)
	}
	for len(input) > 0 {
		piece := bytes.Clone(input[:min(max1(size()), len(input))])
		input = input[len(piece):]
		for len(piece) > 0 {
			e, n, ok, err := s.Next(piece)
			if err != nil {
				return events, err
			}
			if ok {
				keep(e)
			} else if n != len(piece) {
				return events, errors.New("Next left bytes without giving an event")
			}
			piece = piece[n:]
		}
	}
	for {
		e, ok := s.End()
		if !ok {
			return events, nil
		}
		keep(e)
		if len(events) > 1 && e.Number == events[len(events)-2].Number {
			return events, errors.New("End repeats an event")
		}
	}
}

func max1(n int) int { return max(n, 1) }

func always(n int) func() int { return func() int { return n } }

func short(events []frame.Event) []got {
	var list []got
	for _, e := range events {
		list = append(list, got{e.Name, string(e.Data), e.Cut})
	}
	return list
}

// sizes are the piece sizes in which every input of the tables is tried.
var sizes = []int{1, 2, 3, 7, 1 << 20}

func TestSSE(t *testing.T) {
	tests := []struct {
		name, input string
		want        []got
	}{
		{"one event", "data: {\"a\":1}\n\n", []got{{Data: `{"a":1}`}}},
		{"no blank after the colon", "data:x\n\n", []got{{Data: "x"}}},
		{"only one blank goes", "data:  x\n\n", []got{{Data: " x"}}},
		{"byte order mark", "\ufeffdata: x\n\n", []got{{Data: "x"}}},
		{"two byte order marks", "\ufeff\ufeffdata: x\n\ndata: y\n\n", []got{{Data: "y"}}},
		{"half a byte order mark", "\xef\xbbdata: x\n\ndata: y\n\n", []got{{Data: "y"}}},
		{"CRLF", "data: x\r\n\r\ndata: y\r\n\r\n", []got{{Data: "x"}, {Data: "y"}}},
		{"CR", "data: x\r\rdata: y\r\r", []got{{Data: "x"}, {Data: "y"}}},
		{"mixed line ends", "data: x\r\n\ndata: y\n\r\ndata: z\r\r\n", []got{{Data: "x"}, {Data: "y"}, {Data: "z"}}},
		{"comments", ": hi\n\ndata: x\n: there\n\n:\n\n", []got{{Data: "x"}}},
		{"several data lines", "data: YHOO\ndata: +2\ndata: 10\n\n", []got{{Data: "YHOO\n+2\n10"}}},
		{"JSON over several data lines", "data: {\"a\":\ndata: 1}\n\n", []got{{Data: "{\"a\":\n1}"}}},
		{"event field first", "event: ping\ndata: x\n\ndata: y\n\n", []got{{Name: "ping", Data: "x"}, {Data: "y"}}},
		{"event field last", "data: x\nevent: ping\n\ndata: y\n\n", []got{{Name: "ping", Data: "x"}, {Data: "y"}}},
		{"the last event field counts", "event: a\nevent: b\ndata: x\n\n", []got{{Name: "b", Data: "x"}}},
		{"event without data", "event: ping\n\ndata: x\n\n", []got{{Data: "x"}}},
		{"empty data", "data:\n\ndata\n\n", []got{{}, {}}},
		{"two empty data lines", "data\ndata\n\n", []got{{Data: "\n"}}},
		{"id, retry, unknown and long fields", "id: 1\nretry: 5\nfoo: bar\ndatabases: z\nDATA: z\n data: z\ndata: x\n\n", []got{{Data: "x"}}},
		{"field without a colon", "foo\ndata: x\n\n", []got{{Data: "x"}}},
		{"colon in the value", "data: a: b:\n\n", []got{{Data: "a: b:"}}},
		{"field error", "data: {}\n\nerror: {\"a\":1}\n\n", []got{{Data: "{}"}, {Name: "error", Data: `{"a":1}`}}},
		{"field error without a blank line before", "data: {}\nerror:{\"a\":1}\ndata: {}\n\n", []got{{Data: "{}"}, {Name: "error", Data: `{"a":1}`}, {Data: "{}"}}},
		{"no blank line at the end", "data: x\n", []got{{Data: "x", Cut: true}}},
		{"no line end at the end", "event: e\ndata: x", []got{{Name: "e", Data: "x", Cut: true}}},
		{"a field cut short", "data: x\n\ndat", []got{{Data: "x"}}},
		{"end marker", "data: [DONE]\n\ndata:[DONE]\n\n", []got{{Data: "[DONE]"}, {Data: "[DONE]"}}},
		{"no blank lines between", "data: {\"a\":1}\ndata: {\"b\":2}\ndata: [DONE]\n", []got{{Data: `{"a":1}`}, {Data: `{"b":2}`}, {Data: "[DONE]"}}},
		{
			"no blank lines, with event fields", "event: a\ndata: {}\nevent: b\ndata: {\"b\":2}\n",
			[]got{{Name: "a", Data: `{}`}, {Name: "b", Data: `{"b":2}`}},
		},
		{"bare error at the end", "data: {}\n\n{\"error\":\n {\"a\":1}}\n", []got{{Data: "{}"}, {Data: "{\"error\":\n {\"a\":1}}"}}},
		{"bare array, then more", "[{}]\ndata: x\n\n", []got{{Data: "[{}]"}, {Data: "x"}}},
		{"bare JSON right after data", "data: {}\n{\"error\":1}\n\n", []got{{Data: "{}"}, {Data: `{"error":1}`}}},
		{"bare JSON cut short", "data: x\n\n{\"error\":\n", []got{{Data: "x"}, {Data: "{\"error\":\n", Cut: true}}},
		{"a bare line that is no JSON", "{oops}\ndata: x\n\n[DONE]\ndata: y\n\n", []got{{Data: "x"}, {Data: "y"}}},
		{"nothing", "", nil},
		{"blank", "\n\r\n\r", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range sizes {
				events, err := split(frame.SSE, 0, []byte(tt.input), always(size))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, short(events)); diff != "" {
					t.Errorf("in pieces of %d (-want +got):\n%s", size, diff)
				}
			}
		})
	}
}

func TestJSON(t *testing.T) {
	tests := []struct {
		name, input string
		want        []got
	}{
		{"lines", "{\"a\":1}\n{\"b\":2}\n", []got{{Data: `{"a":1}`}, {Data: `{"b":2}`}}},
		{"CRLF and blank lines", "\r\n{\"a\":1}\r\n\r\n \t{\"b\":2}", []got{{Data: `{"a":1}`}, {Data: `{"b":2}`}}},
		{"byte order mark", "\ufeff{}", []got{{Data: "{}"}}},
		{"no blanks between", "{}{\"a\":\"}{\"}", []got{{Data: "{}"}, {Data: `{"a":"}{"}`}}},
		{"a body over several lines", "{\n \"a\": [\n 1\n ]\n}\n", []got{{Data: "{\n \"a\": [\n 1\n ]\n}"}}},
		{"array", "[{\"a\":[1]}\n,\n{\"b\":{}}\n]\n", []got{{Data: `{"a":[1]}`}, {Data: `{"b":{}}`}}},
		{"empty array", "[]", nil},
		{"array left open", "[{},", []got{{Data: "{}"}}},
		{"arrays on lines", "[{}]\n[{},{}]\n", []got{{Data: "{}"}, {Data: "{}"}, {Data: "{}"}}},
		{"end marker", "{}\n[DONE]\n", []got{{Data: "{}"}, {Data: "[DONE]"}}},
		{"scalars", "1 \"x\" null", []got{{Data: "1"}, {Data: `"x"`}, {Data: "null"}}},
		{"cut short", "{\"a\":1}\n{\"b\":", []got{{Data: `{"a":1}`}, {Data: `{"b":`, Cut: true}}},
		{"escaped quotes", `{"a":"\\\"}"}{}`, []got{{Data: `{"a":"\\\"}"}`}, {Data: "{}"}}},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range sizes {
				events, err := split(frame.JSON, 0, []byte(tt.input), always(size))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, short(events)); diff != "" {
					t.Errorf("in pieces of %d (-want +got):\n%s", size, diff)
				}
			}
		})
	}
}

func TestJSONSyntaxErrors(t *testing.T) {
	tests := []struct {
		name, input string
		event       int
		offset      int64
	}{
		{"second line is cut short", "{\"a\":1}\n{\"b\":[1\n{\"c\":2}\n", 2, 16},
		{"line feed in a string", "{\"a\":\"x\n\"}", 1, 7},
		{"not valid JSON", "upstream gone", 1, 0},
		{"text after a body", "{} x", 2, 3},
		{"no comma in an array", "[{} {}]", 2, 4},
		{"comma before the end", "[{},]", 2, 4},
		{"nearly an end marker", "[DONE", 0, 0},
		{"no end marker", "[DON]", 1, 4},
		{"half a byte order mark", "\xef\xbb{}", 1, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range sizes {
				_, err := split(frame.JSON, 0, []byte(tt.input), always(size))
				if tt.event == 0 {
					if err != nil {
						t.Fatalf("error %v, want none", err)
					}
					continue
				}
				bad, ok := errors.AsType[*frame.SyntaxError](err)
				if !ok || bad.Event != tt.event || bad.Offset != tt.offset {
					t.Errorf("in pieces of %d: error %v, want event %d, byte %d", size, err, tt.event, tt.offset)
				}
			}
		})
	}
}

// An event must be out with its last byte, before anything after it is seen.
func TestPrompt(t *testing.T) {
	tests := []struct {
		name    string
		framing frame.Framing
		input   string
		ends    []int // lengths of input after which an event is out
	}{
		{"SSE", frame.SSE, "data: {}\n\ndata: {}\n\n", []int{10, 20}},
		{"SSE with CR", frame.SSE, "data: {}\r\rdata: {}\r\r", []int{10, 20}},
		{"SSE with CRLF", frame.SSE, "data: {}\r\n\r\ndata: {}\r\n\r\n", []int{11, 23}},
		{"SSE without blank lines", frame.SSE, "data: {}\ndata: {}\ndata: {}\n", []int{14, 18, 27}},
		{"SSE, bare JSON", frame.SSE, "{\"error\":{}}\n", []int{12}},
		{"JSON lines", frame.JSON, "{}\n{}\n", []int{2, 5}},
		{"JSON array", frame.JSON, "[{\"a\":[]},{}]", []int{9, 12}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := frame.New(tt.framing, 0)
			var ends []int
			for i := range len(tt.input) {
				for piece := []byte(tt.input[i : i+1]); ; {
					_, n, ok, err := s.Next(piece)
					if err != nil {
						t.Fatal(err)
					}
					if !ok {
						break
					}
					ends = append(ends, i+1)
					piece = piece[n:]
				}
			}
			if diff := cmp.Diff(tt.ends, ends); diff != "" {
				t.Errorf("events are out after (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOffsets(t *testing.T) {
	tests := []struct {
		framing frame.Framing
		input   string
		want    []int64
	}{
		{frame.SSE, "\ufeff: hi\r\nevent: a\r\ndata: {}\r\n\r\ndata:{}\n\n{}\n", []int64{25, 36, 40}},
		{frame.JSON, "\ufeff {}\r\n[{}, {}]\n[DONE]", []int64{4, 9, 13, 17}},
	}
	for _, tt := range tests {
		for _, size := range sizes {
			events, err := split(tt.framing, 0, []byte(tt.input), always(size))
			if err != nil {
				t.Fatal(err)
			}
			var offsets []int64
			for i, e := range events {
				offsets = append(offsets, e.Offset)
				if e.Number != i+1 {
					t.Errorf("event %d has number %d", i+1, e.Number)
				}
			}
			if diff := cmp.Diff(tt.want, offsets); diff != "" {
				t.Errorf("%q in pieces of %d (-want +got):\n%s", tt.input, size, diff)
			}
		}
	}
}

func TestEventSize(t *testing.T) {
	big := strings.Repeat("x", 200_000)
	tests := []struct {
		name    string
		framing frame.Framing
		max     int
		input   string
		large   int // the event that is too large; 0: none
	}{
		{"a long SSE line is no trouble", frame.SSE, 0, "data: {\"a\":\"" + big + "\"}\n\n", 0},
		{"a long JSON line is no trouble", frame.JSON, 0, "{\"a\":\"" + big + "\"}\n", 0},
		{"at the limit", frame.SSE, 10, "data: 0123456789\n\n", 0},
		{"over the limit", frame.SSE, 10, "data: x\n\ndata: 0123456789a\n\n", 2},
		{"over the limit in lines", frame.SSE, 10, "data: 01234\ndata: 56789\ndata: a\n\n", 1},
		{"long comments do not count", frame.SSE, 10, ":" + big + "\ndata: x\n\n", 0},
		{"long event fields do not count", frame.SSE, 10, "event: " + big + "\ndata: x\n\n", 0},
		{"JSON at the limit", frame.JSON, 10, `{"a":"12"}{"a":"12"}`, 0},
		{"JSON over the limit", frame.JSON, 10, `{"a":"12"}{"a":"123"}`, 2},
		{"bare JSON over the limit", frame.SSE, 10, "data: x\n\n" + `{"a":"123"}`, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{1, 4096} {
				_, err := split(tt.framing, tt.max, []byte(tt.input), always(size))
				large, ok := errors.AsType[*frame.TooLargeError](err)
				if tt.large == 0 && err != nil || tt.large != 0 && (!ok || large.Event != tt.large || large.Limit != tt.max) {
					t.Errorf("in pieces of %d: error %v, want event %d to be too large", size, err, tt.large)
				}
			}
		})
	}
}

func TestIsDone(t *testing.T) {
	for data, want := range map[string]bool{"[DONE]": true, " [DONE] ": true, "[DONE": false, "": false, "{}": false} {
		if got := (frame.Event{Data: []byte(data)}).IsDone(); got != want {
			t.Errorf("IsDone of %q = %v", data, got)
		}
	}
}

// Only what the splitter read to its end counts as JSON unseen, and no longer
// when somebody puts other data in its place.
func TestEventIsJSON(t *testing.T) {
	for _, tt := range []struct {
		framing frame.Framing
		input   string
		want    bool
	}{
		{frame.JSON, `{"a":1}`, true},
		{frame.JSON, `[{"a":1}`, true},
		{frame.JSON, `[DONE]`, false},
		{frame.SSE, "data: {}\n\n", false},
	} {
		s := frame.New(tt.framing, 0)
		if _, _, ok, err := s.Next([]byte(tt.input[:3])); ok || err != nil {
			t.Fatal(ok, err)
		}
		e, _, ok, err := s.Next([]byte(tt.input[3:]))
		if !ok || err != nil || e.IsJSON() != tt.want {
			t.Errorf("%q: %v, %v, IsJSON %v", tt.input, ok, err, e.IsJSON())
		}
		for _, data := range []string{"", "{", string(e.Data)} {
			other := e
			if other.Data = []byte(data); other.IsJSON() {
				t.Errorf("%q took the place of %q unseen", data, tt.input)
			}
		}
		if other := e; len(e.Data) > 1 {
			if other.Data = e.Data[:1]; other.IsJSON() {
				t.Errorf("a piece of %q is taken for JSON", tt.input)
			}
		}
	}
	s := frame.New(frame.JSON, 0)
	if _, _, ok, err := s.Next([]byte(`{"a":`)); ok || err != nil {
		t.Fatal(ok, err)
	}
	if e, ok := s.End(); !ok || e.IsJSON() {
		t.Errorf("%+v, %v", e, ok)
	}
}
