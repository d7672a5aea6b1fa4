package main

import (
	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/format"
)

func (c *cli) parseCommand() *cobra.Command {
	f := parseFlags{wire: string(format.Auto), output: outputCalls}
	cmd := &cobra.Command{
		Use:   "parse [flags] [FILE...]",
		Short: "Print the tool calls, events or text of a model's output",
		Long: `parse reads what a model put out, a provider's stream or response or the raw
text of a model, and prints its tool calls, one JSON object a line, each as
soon as it is complete. It reads the FILEs one after the other, each as a stream
of its own; without one, or for "-", it reads standard input.`,
		Example: `  # The calls in a model's text; the dialect is found out
  printf '<function=add><parameter=a>1</parameter></function>' | toolparse parse

  # The same with the tools' schemas, which type the value: 1 and not "1"
  echo '[{"name": "add", "parameters": {"properties": {"a": {"type": "integer"}}}}]' >/tmp/tools.json
  printf '<function=add><parameter=a>1</parameter></function>' | toolparse parse -t /tmp/tools.json

  # Every event while the text comes in, 16 bytes at a time
  printf 'On it. <tool name="add"><a>1</a></tool>' | toolparse parse -o events --chunk 16

  # The calls of a provider's stream, and then only the text
  echo '{"message": {"content": "Hi", "tool_calls": [{"function": {"name": "f"}}]}, "done": true}' >/tmp/reply.json
  toolparse parse -w ollama /tmp/reply.json
  toolparse parse -w ollama -o text /tmp/reply.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := c.newParsing(f)
			if err != nil {
				return err
			}
			return p.files(cmd.Context(), fileNames(args))
		},
	}
	groups := f.groups()
	c.addLossFlag(groups[2])
	setHelp(cmd, helpPage{groups: groups, notes: parseNotes})
	completeWords(cmd, "wire", wireNames())
	completeWords(cmd, "dialect", dialectNames())
	completeWords(cmd, "output", outputNames())
	return cmd
}

const parseNotes = `
Outputs:
  calls   {"id":"seg_2","name":"add","arguments":{"a":1},"status":"complete"}, as soon as the call has
          ended; a call that is incomplete or malformed comes with its "reason", and must not be run
  events  {"type":"SEGMENT_START","segment_id":"seg_2","segment_type":"tool_call","payload":{...},"raw":"..."}
          and SEGMENT_CONTENT, SEGMENT_END, as the input comes in; of raw text, "raw" joined is the input;
          of a wire, last {"type":"FINISH",...,"payload":{"metadata":{"finish_reason":"stop"}}} and ERROR, if any
  text    the visible text alone, without reasoning and calls
  openai  (responses, anthropic, gemini, ollama) the stream as that provider would send it: calls found in
          text come out as native ones, their arguments in pieces; what it cannot hold is told on stderr

Exit codes:
  0  done
  1  input or output failed; what could be parsed was printed
  2  the command line was wrong
  3  --strict, and something was malformed or incomplete, or broke its schema

Environment:
  TOOLPARSE_STREAM_PARSER  the dialect where -d is not given: xml, json (the profile of the provider),
                           sentinel, api_tool_call or any other that "toolparse dialects" lists`
