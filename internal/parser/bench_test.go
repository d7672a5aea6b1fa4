package parser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// replyBytes is the size of a reply.
const replyBytes = 1 << 20

// chunkSizes are typical sizes of a token, a batch of tokens, and a read from a socket.
var chunkSizes = []int{4, 64, 4 << 10}

// strategy is a way to write calls, and the dialect that reads them.
type strategy struct {
	name    string
	dialect string
	write   func(benchtext.Call) string // nil: calls are deltas of their own
}

var (
	xmlTags    = strategy{"xml", "xml", benchtext.XML}
	jsonOpenAI = strategy{"json-openai", "json-openai", benchtext.OpenAI}
	sentinel   = strategy{"sentinel", "sentinel", benchtext.Sentinel}
	shorthand  = strategy{"xml-shorthand", "xml", benchtext.Shorthand}
	apiCall    = strategy{"api_tool_call", "api_tool_call", nil}
	auto       = strategy{"auto", "auto", benchtext.XML}
)

// stream is the input of a parser: text, and native calls between it.
type stream struct {
	opts  parser.Options
	parts []part
	calls int
	size  int // bytes of text and arguments
}

// part is text, or the arguments of a native call.
type part struct {
	text  string
	call  string // the tool's name; "" for text
	index int
}

func newStream(tb testing.TB, s strategy, turns []benchtext.Turn) stream {
	tb.Helper()
	dialects, err := dialect.Named(s.dialect, "")
	if err != nil {
		tb.Fatal(err)
	}
	out := stream{opts: parser.Options{Dialects: dialects, Tools: benchtext.Tools()}, calls: len(turns)}
	if s.write != nil {
		out.parts = []part{{text: benchtext.Reply(turns, s.write)}}
	} else {
		for i, t := range turns {
			if t.Prose != "" {
				out.parts = append(out.parts, part{text: t.Prose})
			}
			out.parts = append(out.parts, part{text: t.Call.JSON(), call: t.Call.Tool, index: i})
		}
	}
	for _, p := range out.parts {
		out.size += len(p.text)
	}
	return out
}

// textStream returns text alone, in a dialect without declared tools.
func textStream(tb testing.TB, dialectName, text string) stream {
	tb.Helper()
	dialects, err := dialect.Named(dialectName, "")
	if err != nil {
		tb.Fatal(err)
	}
	return stream{opts: parser.Options{Dialects: dialects}, parts: []part{{text: text}}, size: len(text)}
}

// run parses the stream in chunks of n bytes with a new parser. The next chunk overwrites the
// events of a chunk, as with a consumer that passes them on. If see is not nil, it gets them
// before that.
func (s stream) run(tb testing.TB, n int, events []toolcall.Event, see func([]toolcall.Event)) []toolcall.Event {
	p, err := parser.New(s.opts)
	if err != nil {
		tb.Fatal(err)
	}
	for _, part := range s.parts {
		events = part.feed(p, n, events, see)
	}
	events = p.FeedDelta(events[:0], toolcall.Delta{Kind: toolcall.DeltaFinish})
	events = p.Close(events)
	if see != nil {
		see(events)
	}
	return events
}

// feed passes the part to p in chunks of n bytes. Text has a loop of its own, because it is
// measured: what the loop does besides Feed counts as well.
func (t part) feed(p *parser.Parser, n int, events []toolcall.Event, see func([]toolcall.Event)) []toolcall.Event {
	if t.call != "" {
		return t.feedCall(p, n, events, see)
	}
	for text := t.text; text != ""; {
		k := min(n, len(text))
		events = p.Feed(events[:0], text[:k])
		text = text[k:]
		if see != nil {
			see(events)
		}
	}
	return events
}

// feedCall is feed for the arguments of a native call.
func (t part) feedCall(p *parser.Parser, n int, events []toolcall.Event, see func([]toolcall.Event)) []toolcall.Event {
	d := toolcall.Delta{Kind: toolcall.DeltaToolCall, Name: t.call, Index: t.index}
	for text := t.text; text != ""; {
		k := min(n, len(text))
		d.Text = text[:k]
		events = p.FeedDelta(events[:0], d)
		d.Name, text = "", text[k:]
		if see != nil {
			see(events)
		}
	}
	return events
}

// check fails unless every call of the stream ends complete, because the speed of a parser
// that skips calls means nothing.
func (s stream) check(tb testing.TB, n int) {
	tb.Helper()
	complete := 0
	s.run(tb, n, nil, func(events []toolcall.Event) {
		for _, e := range events {
			if e.Type == toolcall.SegmentEnd && e.Segment.IsCall() && e.Status == toolcall.Complete && e.Tolerances == 0 {
				complete++
			}
		}
	})
	if complete != s.calls {
		tb.Fatalf("%d complete calls in chunks of %d bytes, want %d", complete, n, s.calls)
	}
}

// BenchmarkReply parses prose with a call every 2 KB. The floor is the time that IndexByte
// takes on each chunk; x-floor is the time relative to the floor, measured in turns.
func BenchmarkReply(b *testing.B) {
	turns := benchtext.Turns(replyBytes)
	text := benchtext.Reply(turns, benchtext.XML)
	for _, n := range chunkSizes {
		floor := workload{len(text), func() { indexEach(text, n) }}
		b.Run(fmt.Sprintf("floor/chunk=%d", n), floor.bench)
		for _, s := range []strategy{xmlTags, jsonOpenAI, sentinel, apiCall, auto} {
			b.Run(fmt.Sprintf("%s/chunk=%d", s.name, n), func(b *testing.B) {
				s := newStream(b, s, turns)
				s.check(b, n)
				s.workload(b, n).benchBeside(b, floor, "x-floor")
			})
		}
	}
}

// indexEach searches each chunk of text for a byte that does not occur in it.
func indexEach(text string, n int) {
	for text != "" {
		k := min(n, len(text))
		if strings.IndexByte(text[:k], 0) >= 0 {
			panic("a zero byte in the text")
		}
		text = text[k:]
	}
}
