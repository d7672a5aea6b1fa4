package bench

import (
	"testing"

	"github.com/toolparse/toolparse/internal/benchtext"
)

// contestant is a parser with the dialect that it reads.
type contestant struct {
	name  string
	write func(benchtext.Call) string

	// alone: it loses what comes after the first call of a reply, so each
	// turn gets a parser of its own.
	alone bool

	// read parses a reply in chunks of n bytes with a new parser and returns
	// the number of complete calls. It calls see, where that is not nil, with
	// the name and the arguments of each.
	read func(tb testing.TB, reply string, n int, see func(name, arguments string)) int

	// longest argument, in bytes, that it reads in bearable time
	longest int
}

// contestants are all parsers, toolparse first.
func contestants() []contestant {
	return []contestant{
		{name: "toolparse-xml", write: benchtext.XML, read: readToolparse("xml"), longest: 10 << 20},
		{name: "toolparse-json-openai", write: benchtext.OpenAI, read: readToolparse("json-openai"), longest: 10 << 20},
		{name: "toolparse-sentinel", write: benchtext.Sentinel, read: readToolparse("sentinel"), longest: 10 << 20},
		{name: "toolparse-auto", write: benchtext.XML, read: readToolparse("auto"), longest: 10 << 20},
		{name: "toolparse-hermes", write: benchtext.Hermes, read: readToolparse("hermes"), longest: 10 << 20},
		{name: "toolparse-qwen3_coder", write: benchtext.QwenCoder, read: readToolparse("qwen3_coder"), longest: 10 << 20},
		{name: "ollama-qwen3", write: benchtext.Hermes, read: readOllama("qwen3"), longest: 1 << 20},
		{name: "ollama-qwen3-coder", write: benchtext.QwenCoder, read: readOllama("qwen3-coder"), longest: 1 << 20},
		{name: "ollama-generic", write: benchtext.Hermes, alone: true, read: readOllamaGeneric, longest: 100 << 10},
	}
}

// replies are the texts that the contestant reads, one after the other.
func (c contestant) replies(turns []benchtext.Turn) []string {
	if !c.alone {
		return []string{benchtext.Reply(turns, c.write)}
	}
	var replies []string
	for i := range turns {
		replies = append(replies, benchtext.Reply(turns[i:i+1], c.write))
	}
	return replies
}
