package parser_test

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// TestTextAllocations checks that text between calls costs no allocation, however it is cut.
// Only what looks like the beginning of a call may cost some.
func TestTextAllocations(t *testing.T) {
	prose := benchtext.Reply(benchtext.Turns(8<<10), benchtext.None)
	isOpener := func(r rune) bool { return strings.ContainsRune("<{[", r) }
	plain := strings.Map(func(r rune) rune {
		if isOpener(r) || strings.ContainsRune("`~>*]", r) {
			return '|'
		}
		return r
	}, prose)
	openers := len(strings.FieldsFunc(prose, isOpener)) - 1
	for _, dialect := range []string{"xml", "json-openai", "json-gemini", "json-default", "sentinel", "api_tool_call", "auto"} {
		t.Run(dialect, func(t *testing.T) {
			for _, n := range chunkSizes {
				if got := textAllocations(t, dialect, plain, n); got != 0 {
					t.Errorf("plain text in chunks of %d: %v allocations, want 0", n, got)
				}
				if got := textAllocations(t, dialect, prose, n) / float64(openers); got > 2 {
					t.Errorf("prose about code in chunks of %d: %.2f allocations for each %s, want at most 2", n, got, "<, { and [")
				}
			}
		})
	}
}

// textAllocations returns how many allocations a text costs a parser that has read it before.
func textAllocations(t *testing.T, dialect, text string, n int) float64 {
	t.Helper()
	s := textStream(t, dialect, text)
	p, err := parser.New(s.opts)
	if err != nil {
		t.Fatal(err)
	}
	events := make([]toolcall.Event, 0, 64)
	return testing.AllocsPerRun(10, func() { s.parts[0].feed(p, n, events, nil) })
}

// TestCallAllocations bounds what a chunk of a long call costs: the deltas of its arguments
// are substrings of the chunk, or new strings.
func TestCallAllocations(t *testing.T) {
	const chunk, deltas = 4, 10_000
	for _, g := range growth {
		t.Run(g.name+"/"+g.tool, func(t *testing.T) {
			s := newStream(t, g.strategy, []benchtext.Turn{{Call: benchtext.LongCall(g.tool, chunk*deltas)}})
			s.check(t, chunk)
			run := s.workload(t, chunk).run
			if got := testing.AllocsPerRun(5, run) / float64(s.size/chunk); got > 1 {
				t.Errorf("%.2f allocations a chunk, want at most 1", got)
			} else {
				t.Logf("%.3f allocations a chunk", got)
			}
		})
	}
}

// TestFamilyAllocations checks, for every family, that plain words cost no allocation, and a
// chunk of a long call at most one.
func TestFamilyAllocations(t *testing.T) {
	const chunk, deltas = 4, 10_000
	words := strings.Repeat("so the answer is in the shadow of a doubt, and then some more\n", 50)
	for _, d := range families {
		t.Run(d, func(t *testing.T) {
			for _, n := range chunkSizes {
				if got := textAllocations(t, d, words, n); got != 0 {
					t.Errorf("text in chunks of %d: %v allocations, want 0", n, got)
				}
			}
			s := familyStream(t, d, d, []benchtext.Turn{{Call: benchtext.LongCall(benchtext.PutFile, chunk*deltas)}})
			s.check(t, chunk)
			if got := testing.AllocsPerRun(3, s.workload(t, chunk).run) / float64(s.size/chunk); got > 1 {
				t.Errorf("%.2f allocations a chunk of a call, want at most 1", got)
			}
		})
	}
}

// TestWireAllocations checks that a delta costs at most two allocations on the way from the
// bytes of a provider's stream to events.
func TestWireAllocations(t *testing.T) {
	const deltas = 10_000
	var sse strings.Builder
	event := func(function string) {
		fmt.Fprintf(&sse, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,%s}]}}]}`+"\n\n", function)
	}
	event(`"id":"call_1","type":"function","function":{"name":"put_file","arguments":""}`)
	for rest := benchtext.LongCall(benchtext.PutFile, 4*deltas).JSON(); rest != ""; {
		k := min(4, len(rest))
		piece, err := json.Marshal(rest[:k])
		if err != nil {
			t.Fatal(err)
		}
		event(`"function":{"arguments":` + string(piece) + `}`)
		rest = rest[k:]
	}
	sse.WriteString(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n")
	body := sse.String()
	complete := 0
	got := testing.AllocsPerRun(5, func() {
		complete = 0
		stream := format.NewStream(strings.NewReader(body), format.Options{Wire: format.OpenAI})
		for e, err := range parser.Events(stream.Deltas(), parser.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Type == toolcall.SegmentEnd && e.Status == toolcall.Complete {
				complete++
			}
		}
	})
	if complete != 1 {
		t.Fatalf("%d complete calls, want 1", complete)
	}
	if got > 2*deltas {
		t.Errorf("%.2f allocations a delta, want at most 2", got/deltas)
	}
}

// TestAllocationsPerCall bounds what a call of a page or two costs in chunks of 4 KB, apart
// from the parser itself: arguments that need no rewriting are substrings of the chunk, and
// names and ids are made once, or many at a time.
func TestAllocationsPerCall(t *testing.T) {
	if underRace() {
		t.Skip("code with the race detector's calls inlines less and allocates more")
	}
	const few, many, chunk = 50, 250, 4 << 10
	var calls []benchtext.Turn
	for k := range many {
		c := benchtext.LongCall(benchtext.PutFile, 1000+k)
		c.Line, c.Overwrite = k+1, true
		calls = append(calls, benchtext.Turn{Prose: "So I write the file.\n\n", Call: c})
	}
	check := func(name string, most float64, newStream func([]benchtext.Turn) stream) {
		t.Run(name, func(t *testing.T) {
			s := newStream(calls)
			s.check(t, chunk)
			all := testing.AllocsPerRun(3, s.workload(t, chunk).run)
			got := (all - testing.AllocsPerRun(3, newStream(calls[:few]).workload(t, chunk).run)) / (many - few)
			if t.Logf("%.2f allocations a call", got); got > most {
				t.Errorf("%.2f allocations a call, want at most %v", got, most)
			}
		})
	}
	check("api_tool_call", 1, func(turns []benchtext.Turn) stream { return newStream(t, apiCall, turns) })
	for _, d := range []string{"json-openai", "sentinel", "hermes", "mistral", "llama3_json", "phi4_mini_json", "deepseek_v31", "functionary_v31"} {
		check(d, 1, func(turns []benchtext.Turn) stream { return familyStream(t, d, d, turns) })
	}
	check("xml", 4, func(turns []benchtext.Turn) stream { return familyStream(t, "xml", "xml", turns) })             // its values become JSON
	check("kimi_k2", 3, func(turns []benchtext.Turn) stream { return familyStream(t, "kimi_k2", "kimi_k2", turns) }) // ids of its own
}

// underRace reports whether the test runs with the race detector.
func underRace() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
