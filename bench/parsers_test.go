package bench

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/benchtext"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/toolcall"
)

// contestant is a parser with the dialect that it reads.
type contestant struct {
	name    string
	dialect string // that its replies are written in

	// alone: it loses what comes after the first call of a reply, or of a chunk, so
	// each turn gets a parser of its own.
	alone bool
	// stop: it does not know this marker, at which a server would have stopped.
	stop string
	// escapes: it leaves the escapes in strings.
	escapes bool

	// read parses a reply in pieces with a new parser and returns the number of
	// complete calls. It calls see, where that is not nil, with the name and the
	// arguments of each.
	read func(tb testing.TB, pieces []string, see func(name, arguments string)) int

	// longest argument, in bytes, that it reads in bearable time
	longest int
}

// contestants are all parsers: for each dialect toolparse, then its peer.
func contestants() []contestant {
	list := []contestant{
		ours("xml"), ours("json-openai"), ours("sentinel"),
		{name: "toolparse-auto", dialect: "xml", read: readToolparse("auto"), longest: 10 << 20},
		ours("hermes"), ollama("qwen3", "hermes"),
		{name: "ollama-generic", dialect: "hermes", alone: true, read: readOllamaGeneric, longest: 100 << 10},
		ours("qwen3_coder"), ollama("qwen3-coder", "qwen3_coder"),
		ours("deepseek_v31"), ollama("deepseek3", "deepseek_v31"),
		ours("mistral"), ollama("ministral", "mistral"),
		ours("glm47"), ollama("glm-4.7", "glm47"),
		ours("lfm2"), ollama("lfm2", "lfm2"),
		ours("olmo3"), ollama("olmo3", "olmo3"),
		ours("openai"), ollama("harmony", "openai"),
	}
	for i := range list {
		switch c := &list[i]; c.name {
		case "ollama-ministral":
			c.longest = 100 << 10
		case "ollama-harmony":
			c.alone, c.stop = true, "<|call|>"
		case "ollama-olmo3":
			c.alone = true
		case "ollama-lfm2":
			c.escapes = true
		}
	}
	return list
}

func ours(dialect string) contestant {
	return contestant{name: "toolparse-" + dialect, dialect: dialect, read: readToolparse(dialect), longest: 10 << 20}
}

func ollama(family, dialect string) contestant {
	return contestant{name: "ollama-" + family, dialect: dialect, read: readOllama(family), longest: 1 << 20}
}

// tokens are the markers of dialects whose peers lose calls where one of them comes
// in pieces. For both they are one piece each, as from a server that sends tokens.
var tokens = map[string][]string{
	"deepseek_v31": {
		"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁sep｜>",
	},
	"lfm2": {"<|tool_call_start|>", "<|tool_call_end|>"},
}

// pieces cuts a reply in a dialect into chunks of n bytes.
func pieces(dialect, reply string, n int) []string {
	var list []string
	for reply != "" {
		k := min(n, len(reply))
		for _, t := range tokens[dialect] {
			switch at := strings.Index(reply[:min(len(reply), k+len(t)-1)], t); {
			case at == 0:
				k = len(t)
			case at > 0:
				k = min(k, at)
			}
		}
		list, reply = append(list, reply[:k]), reply[k:]
	}
	return list
}

// input is the replies that the contestant reads, in pieces of n bytes, and their
// size.
func (c contestant) input(tb testing.TB, turns []benchtext.Turn, n int) (replies [][]string, size int) {
	for _, r := range c.replies(tb, turns) {
		replies = append(replies, pieces(c.dialect, r, n))
		size += len(r)
	}
	return replies, size
}

// replies are the texts that the contestant reads, one after the other, as the
// dialect's own model writes them.
func (c contestant) replies(tb testing.TB, turns []benchtext.Turn) []string {
	tb.Helper()
	dialects, err := dialect.Named(c.dialect, "")
	if err != nil {
		tb.Fatal(err)
	}
	w, err := text.NewWriter(dialects[0], text.Options{Tools: benchtext.Tools(), Unchecked: true})
	if err != nil {
		tb.Fatal(err)
	}
	var replies []string
	var reply []byte
	for i, t := range turns {
		call := toolcall.ToolInvocation{Name: t.Call.Tool, Arguments: json.RawMessage(t.Call.JSON())}
		if reply, err = w.Append(reply, text.Message{Text: t.Prose, Calls: []toolcall.ToolInvocation{call}}); err != nil {
			tb.Fatal(err)
		}
		if c.alone || i == len(turns)-1 {
			replies, reply = append(replies, strings.TrimSuffix(string(reply), c.stop)), nil
		}
	}
	return replies
}
