package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/adapter"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/parser"
)

// The outputs of parse.
const (
	outputCalls  = "calls"
	outputEvents = "events"
	outputText   = "text"
)

var outputs = []string{outputCalls, outputEvents, outputText}

// wireNames are what -w takes, and what -o will take but for the first two.
func wireNames() []string {
	names := []string{string(format.Auto), string(format.Text)}
	for _, w := range format.Wires() {
		names = append(names, string(w))
	}
	return names
}

// parseFlags are the flags of the parse command.
type parseFlags struct {
	wire   string
	chunk  int
	choice int

	dialect          string
	tools            []string
	startInReasoning bool
	callsInReasoning bool
	callsInCode      bool
	coerce           bool

	output    string
	idPrefix  string
	randomIDs bool

	strict       bool
	maxCallBytes int
	maxCalls     int
	maxEvent     int
}

func (c *cli) parseCommand() *cobra.Command {
	f := parseFlags{wire: string(format.Auto), output: outputCalls}
	cmd := &cobra.Command{
		Use:   "parse [flags] [FILE...]",
		Short: "Print the tool calls, events or text of a model's output",
		Long: `parse reads what a model put out, a provider's stream or response or the raw
text of a model, and prints its tool calls, one JSON object a line, each as
soon as it is complete. It reads the FILEs one after the other, each as a stream
of its own; without one, or for "-", it reads standard input.`,
		Example: `  # The calls in a recorded stream of any provider
  toolparse parse cmd/toolparse/testdata/example/openai.sse

  # The calls in raw text, their values typed by the tools' schemas
  toolparse parse -d xml -t cmd/toolparse/testdata/example/tools.json cmd/toolparse/testdata/example/xml.txt

  # Every event of text that comes in, piece by piece
  cat cmd/toolparse/testdata/example/xml.txt | toolparse parse -o events --chunk 16`,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := c.newParsing(f)
			if err != nil {
				return err
			}
			return p.files(cmd.Context(), fileNames(args))
		},
	}
	setHelp(cmd, helpPage{groups: f.groups(), notes: parseNotes})
	completeWords(cmd, "wire", wireNames())
	completeWords(cmd, "dialect", dialectNames())
	completeWords(cmd, "output", outputs)
	return cmd
}

const parseNotes = `
Outputs:
  calls   {"id":"seg_2","name":"add","arguments":{"a":1},"status":"complete"}, as soon as the call has
          ended; a call that is incomplete or malformed comes with its "reason", and must not be run
  events  {"type":"SEGMENT_START","segment_id":"seg_2","segment_type":"tool_call","payload":{...},"raw":"..."}
          and SEGMENT_CONTENT, SEGMENT_END, as the input comes in; of raw text, "raw" joined is the input
  text    the visible text alone, without reasoning and calls

Exit codes:
  0  done
  1  input or output failed; what could be parsed was printed
  2  the command line was wrong
  3  --strict, and something was malformed or incomplete

Environment:
  TOOLPARSE_STREAM_PARSER  the dialect where -d is not given: xml, json (the profile of the provider),
                           sentinel, api_tool_call or any other that "toolparse dialects" lists`

// groups declares the flags.
func (f *parseFlags) groups() []flagGroup {
	input := newFlagGroup("Input")
	input.flags.VarP(oneOf{value: &f.wire, words: wireNames()}, "wire", "w",
		"the `WIRE` format: openai, responses, anthropic, gemini or ollama; text: none; auto: find out")
	input.flags.Var(count{&f.chunk, 1}, "chunk", "read at most `N` bytes at a time (default 4096)")
	input.flags.Var(count{&f.choice, 0}, "choice", "parse the response's candidate number `N`")

	syntax := newFlagGroup("Dialect and tools")
	syntax.flags.StringVarP(&f.dialect, "dialect", "d", "",
		"the `DIALECT` in which text holds calls; auto: any (default $"+envDialect+", else api_tool_call on a wire and auto on plain text)")
	syntax.flags.StringArrayVarP(&f.tools, "tools", "t", nil,
		"a `FILE` of the tools that were declared, in OpenAI, Anthropic, Gemini or MCP shape; may be repeated")
	syntax.flags.BoolVar(&f.startInReasoning, "start-in-reasoning", false, "the prompt's template opened the reasoning")
	syntax.flags.BoolVar(&f.callsInReasoning, "calls-in-reasoning", false, "calls inside reasoning count")
	syntax.flags.BoolVar(&f.callsInCode, "calls-in-code", false, "calls quoted in inline code and code fences count")
	syntax.flags.BoolVar(&f.coerce, "coerce", false, "convert arguments to the types of their tool's schema where nothing is lost")

	output := newFlagGroup("Output")
	output.flags.VarP(oneOf{value: &f.output, words: outputs, later: wireNames()[2:]}, "output", "o", "print `WHAT`: calls, events or text")
	output.flags.StringVar(&f.idPrefix, "id-prefix", "", "put `TEXT` before every id")
	output.flags.BoolVar(&f.randomIDs, "random-ids", false, "ids of nine random characters instead of seg_1, seg_2")

	limits := newFlagGroup("Strictness and limits")
	limits.flags.BoolVar(&f.strict, "strict", false, "repair nothing; exit with 3 where anything is malformed or incomplete")
	limits.flags.Var(count{&f.maxCallBytes, 1}, "max-call-bytes", "reject calls of more than `N` bytes (default 64 MiB)")
	limits.flags.Var(count{&f.maxCalls, 1}, "max-calls", "reject calls after the first `N` of a stream (default 10000)")
	limits.flags.Var(count{&f.maxEvent, 1}, "max-event-bytes", "fail at an event of the wire of more than `N` bytes (default 32 MiB)")
	return []flagGroup{input, syntax, output, limits}
}

// parser are what the flags ask of the parser, but for Dialects, which depend
// on the wire.
func (f *parseFlags) parser(tools []toolparse.ToolDefinition) parser.Options {
	return parser.Options{
		Tools:            tools,
		IDPrefix:         f.idPrefix,
		RandomIDs:        f.randomIDs,
		StartInReasoning: f.startInReasoning,
		CallsInReasoning: f.callsInReasoning,
		CallsInCode:      f.callsInCode,
		Strict:           f.strict,
		Choice:           f.choice,
		Limits:           parser.Limits{CallBytes: f.maxCallBytes, Calls: f.maxCalls},
	}
}

// adapter are what the flags ask of the adapter.
func (f *parseFlags) adapter(tools []toolparse.ToolDefinition) adapter.Options {
	return adapter.Options{Tools: tools, Coerce: f.coerce, Strict: f.strict}
}

// newParsing checks the flags and reads the tools.
func (c *cli) newParsing(f parseFlags) (*parsing, error) {
	dialect, err := c.dialectChoice(f.dialect)
	if err != nil {
		return nil, err
	}
	tools, err := readTools(f.tools)
	if err != nil {
		return nil, err
	}
	p := &parsing{
		cli: c, dialect: dialect, out: newOutput(c.stdout, f.output),
		format:  format.Options{Wire: format.Wire(f.wire), ChunkBytes: f.chunk, MaxEventBytes: f.maxEvent},
		parser:  f.parser(tools),
		adapter: f.adapter(tools),
	}
	// A schema that cannot be read is the tool file's fault, not an input's.
	if _, err := adapter.New(p.adapter); err != nil {
		return nil, err
	}
	return p, nil
}

// files parses one input after the other. An input that fails does not keep
// the next ones from being parsed.
func (p *parsing) files(ctx context.Context, names []string) error {
	failed := false
	for _, name := range names {
		err := p.file(ctx, name)
		if p.out.flush() != nil {
			return p.cli.stdout.err
		}
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err != nil {
			p.cli.warn("%s", describeInput(name, err))
			failed = true
		}
	}
	switch {
	case failed:
		return errReported
	case p.parser.Strict && p.unclean != (notCleanError{}):
		return &p.unclean
	}
	return nil
}
