package parser_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// manyTools returns n tools with the schemas of the measured ones.
func manyTools(n int) []toolcall.ToolDefinition {
	given := benchtext.Tools()
	list := make([]toolcall.ToolDefinition, n)
	for i := range list {
		list[i] = given[i%len(given)]
		list[i].Name = fmt.Sprintf("%s_%d", list[i].Name, i)
	}
	return list
}

// compiledWith compiles the dialects that a name stands for, with n tools.
func compiledWith(tb testing.TB, dialectName string, n int) *parser.Compiled {
	tb.Helper()
	dialects, err := dialect.Named(dialectName, "")
	if err != nil {
		tb.Fatal(err)
	}
	c, err := parser.Compile(parser.Options{Dialects: dialects, Tools: manyTools(n)})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

var compiledDialects = []string{"hermes", "xml", "json-openai", "harmony", "auto"}

// TestNewParserIsCheap checks that a parser costs at most four allocations and an idle stream
// at most 2 KB, whatever the number of tools: a server has many streams.
func TestNewParserIsCheap(t *testing.T) {
	for _, dialect := range compiledDialects {
		c := compiledWith(t, dialect, 100)
		var p *parser.Parser
		if n := testing.AllocsPerRun(100, func() { p = c.New() }); n > 4 {
			t.Errorf("%s: %v allocations for a parser, want 4 at most", dialect, n)
		}
		runtime.KeepAlive(p)
		if size := idleBytes(c, 500); size > 2<<10 {
			t.Errorf("%s: %d bytes for an idle stream, want 2048 at most", dialect, size)
		}
	}
}

// idleBytes returns the memory of a stream that has read some text, and waits.
func idleBytes(c *parser.Compiled, n int) uint64 {
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	parsers := make([]*parser.Parser, n)
	var events [8]toolcall.Event
	before := heap()
	for i := range parsers {
		parsers[i] = c.New()
		parsers[i].Feed(events[:0], "Let me see: 1 < 2, and `x` is {y}. ")
	}
	after := heap()
	runtime.KeepAlive(parsers)
	return (max(after, before) - before) / uint64(n)
}

// TestReset checks that a parser that was reset, even in the middle of a stream, reads as a
// new one does.
func TestReset(t *testing.T) {
	for _, d := range dialect.All() {
		c, err := parser.Compile(parser.Options{Dialects: []*dialect.Dialect{d}, Recover: true, Tools: benchtext.Tools()})
		if err != nil {
			t.Fatal(err)
		}
		text := "Well.\n" + d.Example + "\nDone."
		fresh := c.New()
		want := fresh.Close(fresh.Feed(nil, text))
		used := c.New()
		for cut := 0; cut <= len(text); cut += 7 {
			used.Feed(nil, text[:cut])
			if cut%2 == 0 {
				used.Close(nil)
			}
			used.Reset()
			if diff := cmp.Diff(want, used.Close(used.Feed(nil, text))); diff != "" {
				t.Fatalf("%s, after %q: (-new +used again)\n%s", d.Name, text[:cut], diff)
			}
			used.Reset()
		}
	}
}

// TestResetForgetsCalls checks that a call is compared with those of its own stream alone.
func TestResetForgetsCalls(t *testing.T) {
	c := compiledWith(t, "hermes", 0)
	native := toolcall.Delta{Kind: toolcall.DeltaToolCall, Name: "f", Text: "{}", Whole: true, Done: true}
	text := toolcall.Delta{Kind: toolcall.DeltaText, Text: "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"}
	p := c.New()
	for i, stream := range [][]toolcall.Delta{{native}, {text}, {native, text}, {text}, {native, native}} {
		p.Reset()
		var events []toolcall.Event
		for _, d := range stream {
			events = p.FeedDelta(events, d)
		}
		rejected := 0
		for _, e := range p.Close(events) {
			if e.Status == toolcall.Rejected {
				rejected++
			}
		}
		if want := i == 2; want != (rejected == 1) {
			t.Errorf("stream %d: %d calls are rejected", i, rejected)
		}
	}
}

// TestCompiledIsShared parses many streams at once with one compiled value.
func TestCompiledIsShared(t *testing.T) {
	c := compiledWith(t, "auto", 10)
	dialects := dialect.All()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, d := range dialects {
				text := "<think>so</think>\n" + d.Example
				p := c.New()
				events := p.Close(p.Feed(nil, text))
				var raw strings.Builder
				for _, e := range events {
					raw.WriteString(e.Raw)
				}
				if raw.String() != text {
					t.Errorf("%s: the events have %q of %q", d.Name, raw.String(), text)
				}
			}
		})
	}
	wg.Wait()
}

// TestCompileFails checks that Compile returns the same error as New for the same options.
func TestCompileFails(t *testing.T) {
	bad := []toolcall.ToolDefinition{{Name: "f", Parameters: []byte(`{"type":"object","properties":1}`)}}
	for _, opts := range []parser.Options{{Tools: bad}, {Dialects: []*dialect.Dialect{{Name: "x", Args: dialect.Args{Form: "none such"}}}}} {
		_, want := parser.New(opts)
		_, err := parser.Compile(opts)
		if want == nil || err == nil || err.Error() != want.Error() {
			t.Errorf("Compile says %v, New %v", err, want)
		}
	}
}

// TestNotesAreEachStreamsOwn checks that the notes of two streams of one compiled value do not
// mix.
func TestNotesAreEachStreamsOwn(t *testing.T) {
	c := compiledWith(t, "hermes", 1)
	var first, second []toolcall.Note
	p, q := c.WithNotes(&first).New(), c.WithNotes(&second).New()
	p.Close(p.Feed(nil, "<tool_call>no</tool_call>"))
	q.Close(q.Feed(nil, "none"))
	if len(first) == 0 || len(second) != 0 {
		t.Errorf("notes %v and %v, want some, and none", first, second)
	}
}

// TestNotesChunkBlind checks that a byte with which an opener could begin gives no note where the
// input happens to end after it.
func TestNotesChunkBlind(t *testing.T) {
	for _, tt := range []struct{ dialect, text string }{
		{"yaml_xml", "1 < 2\n<get_weather>\na<b: 1\n</get_weather>"},
		{"lfm2", `<|tool_call_start|>[f(a=[{"b": 1}])]<|tool_call_end|>[f(a=[{"b": 1}])]`},
	} {
		c := compiledWith(t, tt.dialect, 1)
		var whole, split []toolcall.Note
		p, q := c.WithNotes(&whole).New(), c.WithNotes(&split).New()
		p.Close(p.Feed(nil, tt.text))
		for i := range len(tt.text) {
			q.Feed(nil, tt.text[i:i+1])
		}
		q.Close(nil)
		if diff := cmp.Diff(whole, split); diff != "" {
			t.Errorf("%s: notes of the whole text and byte by byte differ (-whole +split):\n%s", tt.dialect, diff)
		}
	}
}

// BenchmarkNewParser measures the cost of a stream before its first byte.
func BenchmarkNewParser(b *testing.B) {
	for _, dialect := range compiledDialects {
		c := compiledWith(b, dialect, 100)
		b.Run(dialect, func(b *testing.B) {
			b.ReportAllocs()
			var p *parser.Parser
			for b.Loop() {
				p = c.New()
			}
			runtime.KeepAlive(p)
		})
	}
}

// BenchmarkCompile measures the cost that all streams share before the first of them.
func BenchmarkCompile(b *testing.B) {
	for _, dialectName := range []string{"hermes", "auto"} {
		for _, n := range []int{100, 1000} {
			dialects, err := dialect.Named(dialectName, "")
			if err != nil {
				b.Fatal(err)
			}
			opts := parser.Options{Dialects: dialects, Tools: slices.Clip(manyTools(n))}
			b.Run(fmt.Sprintf("%s/tools=%d", dialectName, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := parser.Compile(opts); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
