package main

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
)

// wireNames returns the values of -w: auto, text and the wires.
func wireNames() []string {
	return append([]string{string(format.Auto), string(format.Text)}, wires()...)
}

// wires returns the names of the wires.
func wires() []string { return words(format.Wires()) }

// wireWords lists the wires for a help text.
func wireWords() string {
	names := wires()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// words returns words of a type of their own as strings.
func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, word := range list {
		out[i] = string(word)
	}
	return out
}

// parseFlags are the flags of the parse command.
type parseFlags struct {
	opts    toolparse.Options // without the dialect and the tools
	dialect string
	tools   []string

	chunk   int
	output  string
	explain bool
}

// groups declares the flags.
func (f *parseFlags) groups() []flagGroup {
	input := newFlagGroup("Input")
	f.wireFlag(input, "")
	input.Var(count(&f.chunk, 1), "chunk", "read at most `N` bytes at a time (default 4096)")
	input.Var(count(&f.opts.Choice, 0), "choice", "parse candidate number `N` of the response")

	output := newFlagGroup("Output")
	output.VarP(oneOf(&f.output, slices.Concat(outputs, wires())), "output", "o", "print `WHAT`: calls, events, text, or the stream of a wire")
	output.BoolVar(&f.explain, "explain", false, "explain on standard error why candidates are not calls, and which errors in calls were tolerated")
	output.StringVar(&f.opts.IDPrefix, "id-prefix", "", "put `TEXT` before every id")
	output.BoolVar(&f.opts.RandomIDs, "random-ids", false, "use ids of nine random characters instead of seg_1, seg_2")

	limits := newFlagGroup("Strictness and limits")
	limits.BoolVar(&f.opts.Strict, "strict", false, "repair nothing; exit with 3 if a call is malformed or incomplete, breaks its schema or is of no declared tool")
	limits.Var(count(&f.opts.Limits.CallBytes, 1), "max-call-bytes", "reject calls of more than `N` bytes (default 64 MiB)")
	limits.Var(count(&f.opts.Limits.Calls, 1), "max-calls", "reject calls after the first `N` of a stream (default 10000)")
	limits.Var(count(&f.opts.MaxEventBytes, 1), "max-event-bytes", "fail at a wire event of more than `N` bytes (default 32 MiB)")
	return []flagGroup{input, f.syntaxGroup("api_tool_call on a wire and auto on plain text"), output, limits}
}

// wireFlag declares the flag -w; of says of what it is the format, if that is not clear.
func (f *parseFlags) wireFlag(g flagGroup, of string) {
	g.VarP(oneOf(&f.opts.Wire, wireNames()), "wire", "w", "the `WIRE` format"+of+": "+wireWords()+"; text: plain text; auto: detect it")
}

// syntaxGroup declares the flags that say how calls are written in text. otherwise
// describes the default dialect.
func (f *parseFlags) syntaxGroup(otherwise string) flagGroup {
	syntax := newFlagGroup("Dialect and tools")
	syntax.StringVarP(&f.dialect, "dialect", "d", "",
		"the `DIALECT` of calls in text, or a file that defines it (./mine.json); auto: detect it (default $"+envDialect+", else "+otherwise+")")
	syntax.StringArrayVarP(&f.tools, "tools", "t", nil,
		"a `FILE` with the declared tools, in the shape of OpenAI, Anthropic, Gemini or MCP; may be repeated")
	syntax.BoolVar(&f.opts.StartInReasoning, "start-in-reasoning", false, "the prompt already opened the reasoning")
	syntax.StringVar(&f.opts.Prefill, "prefill", "", "`TEXT` of the answer that the prompt already contained, such as <think>: parsed but not printed")
	syntax.BoolVar(&f.opts.Prompted, "prompted", false, "the prompt ended as the model's own chat template ends it, such as with <think> (needs -d or --model)")
	syntax.BoolVar(&f.opts.CallsInReasoning, "calls-in-reasoning", false, "accept calls inside reasoning")
	syntax.BoolVar(&f.opts.CallsInCode, "calls-in-code", false, "accept calls quoted in inline code and code fences")
	syntax.BoolVar(&f.opts.Recover, "recover", false, "also look for calls of declared tools in every other dialect (needs -t)")
	syntax.StringVar(&f.opts.Model, "model", "", "use the dialect of the model `ID`, such as Qwen/Qwen3-Coder-30B")
	syntax.BoolVar(&f.opts.Coerce, "coerce", false, "convert arguments to the types in the tool's schema if nothing is lost")
	return syntax
}

// options returns the library's options for the flags, without the tools.
func (f *parseFlags) options(dialect dialectChoice) toolparse.Options {
	opts := f.opts
	if opts.Custom = dialect.custom; opts.Custom == nil && opts.Model == "" {
		opts.Dialect = dialect.name
	}
	return opts
}
