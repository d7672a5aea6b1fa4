package parser_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// families lists a dialect or two for every way to write a call. The others are compared with
// the first.
var families = []string{
	"hermes", "xml", "json-openai", "sentinel", // JSON between tags; the founding strategies
	"mistral", "llama3_json", "phi4_mini_json", // JSON after a marker, or without one
	"deepseek_v31", "kimi_k2", "functionary_v31", // a name, then JSON
	"qwen3_coder", "deepseek_v32", "anthropic_invoke", // tags with attributes
	"glm45", "hy_v3", "minimax_m3", "morphxml", // keys and values; tags named like parameters
	"openai", "muse", "kimi_k3", "inkling", // channels
	"gemma4", "pythonic", "granite_pythonic", "olmo3", "lfm2", "yaml_xml", "react", // literals, Python, YAML, raw text
}

// familyStream returns turns as a dialect's own model writes them, for a parser of the dialect
// reader.
func familyStream(tb testing.TB, dialectName, reader string, turns []benchtext.Turn) stream {
	tb.Helper()
	written, err := dialect.Named(dialectName, "")
	if err != nil {
		tb.Fatal(err)
	}
	w, err := text.NewWriter(written[0], text.Options{Tools: benchtext.Tools(), Unchecked: true})
	if err != nil {
		tb.Fatal(err)
	}
	var reply []byte
	calls := 0
	for _, t := range turns {
		m := text.Message{Text: t.Prose}
		if t.Call.Tool != "" {
			m.Calls = []toolcall.ToolInvocation{{Name: t.Call.Tool, Arguments: json.RawMessage(t.Call.JSON())}}
			calls++
		}
		if reply, err = w.Append(reply, m); err != nil {
			tb.Fatal(err)
		}
	}
	s := newStream(tb, strategy{dialect: reader, write: benchtext.None}, nil)
	s.parts, s.calls, s.size = []part{{text: string(reply)}}, calls, len(reply)
	return s
}

// proseOf returns the text of turns without their calls, as one turn.
func proseOf(turns []benchtext.Turn) []benchtext.Turn {
	var b strings.Builder
	for _, t := range turns {
		b.WriteString(t.Prose)
	}
	return []benchtext.Turn{{Prose: b.String()}}
}

// BenchmarkFamily parses the same prose, alone and with a call every 2 KB, in every family.
// x-hermes is the time per byte relative to hermes, measured in turns with it: on prose, the
// slowest family should take at most twice as long as the fastest.
func BenchmarkFamily(b *testing.B) {
	turns := benchtext.Turns(replyBytes / 4)
	prose := proseOf(turns)
	for _, kind := range []struct {
		name  string
		turns []benchtext.Turn
	}{{"prose", prose}, {"calls", turns}} {
		for _, n := range chunkSizes {
			for _, d := range families {
				b.Run(fmt.Sprintf("%s/chunk=%d/%s", kind.name, n, d), func(b *testing.B) {
					s, first := familyStream(b, d, d, kind.turns), familyStream(b, families[0], families[0], kind.turns)
					s.check(b, n)
					s.workload(b, n).benchBeside(b, first.workload(b, n), "x-"+families[0])
				})
			}
		}
	}
}

// notInAuto lists families that auto does not read, because their calls begin with a word.
var notInAuto = map[string]bool{"granite_pythonic": true, "react": true}

// BenchmarkFamilyAuto parses every family with auto. x-single is the time relative to the
// dialect alone, measured in turns: the aim is 2, which prose in large chunks misses.
func BenchmarkFamilyAuto(b *testing.B) {
	turns := benchtext.Turns(replyBytes / 4)
	prose := proseOf(turns)
	for _, kind := range []struct {
		name  string
		turns []benchtext.Turn
	}{{"prose", prose}, {"calls", turns}} {
		for _, n := range chunkSizes {
			for _, d := range families {
				if notInAuto[d] {
					continue
				}
				b.Run(fmt.Sprintf("%s/chunk=%d/%s", kind.name, n, d), func(b *testing.B) {
					s, single := familyStream(b, d, "auto", kind.turns), familyStream(b, d, d, kind.turns)
					s.check(b, n)
					s.workload(b, n).benchBeside(b, single.workload(b, n), "x-single")
				})
			}
		}
	}
}

// BenchmarkFamilyGrowth parses a call with an argument of 10 MB in every family. x-1MB is the
// time per byte relative to an argument of 1 MB, measured in turns: it must stay below 1.5.
func BenchmarkFamilyGrowth(b *testing.B) {
	for _, n := range []int{4, 4 << 10} {
		for _, d := range families {
			b.Run(fmt.Sprintf("chunk=%d/%s", n, d), func(b *testing.B) {
				long := func(size int) stream {
					s := familyStream(b, d, d, []benchtext.Turn{{Call: benchtext.LongCall(benchtext.PutFile, size)}})
					s.check(b, n)
					return s
				}
				long(10<<20).workload(b, n).benchBeside(b, long(1<<20).workload(b, n), "x-1MB")
			})
		}
	}
}
