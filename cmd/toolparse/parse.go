package main

import (
	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse"
)

func (c *cli) parseCommand() *cobra.Command {
	f := parseFlags{opts: toolparse.Options{Wire: toolparse.Auto}, output: outputCalls}
	cmd := &cobra.Command{
		Use:   "parse [flags] [FILE...]",
		Short: "Print the tool calls, events or text of a model's output",
		Long: `parse reads a model's output (a provider's stream or response, or the model's
plain text) and prints its tool calls, one JSON object per line, each as soon as
it is complete. It reads every FILE as a separate stream; without a FILE, or for
"-", it reads standard input.`,
		Example: `  # The calls in a model's text; toolparse detects the dialect
  printf '<function=add><parameter=a>1</parameter></function>' | toolparse parse

  # With the tool's schema, the value gets its type: 1 and not "1"
  echo '[{"name": "add", "parameters": {"properties": {"a": {"type": "integer"}}}}]' >/tmp/tools.json
  printf '<function=add><parameter=a>1</parameter></function>' | toolparse parse -t /tmp/tools.json

  # Every event as the text arrives, 16 bytes at a time
  printf 'On it. <tool name="add"><a>1</a></tool>' | toolparse parse -o events --chunk 16

  # The calls of a provider's stream, and then only the text
  echo '{"message": {"content": "Hi", "tool_calls": [{"function": {"name": "f"}}]}, "done": true}' >/tmp/reply.json
  toolparse parse -w ollama /tmp/reply.json
  toolparse parse -w ollama -o text /tmp/reply.json`,
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := c.newParsing(f)
			if err != nil {
				return err
			}
			return p.files(fileNames(args))
		},
	}
	groups := f.groups()
	c.addLossFlag(groups[2])
	c.setHelp(cmd, parseNotes, groups...)
	return cmd
}

const parseNotes = `
Outputs:
  calls   {"id":"seg_2","name":"add","arguments":{"a":1},"status":"complete"}, as soon as the call has
          ended; an incomplete or malformed call has a "reason", and must not be run
  events  {"type":"SEGMENT_START","segment_id":"seg_2","segment_type":"tool_call","payload":{...},"raw":"..."}
          and SEGMENT_CONTENT, SEGMENT_END, as the input arrives; for plain text, all "raw" joined are the input;
          a wire ends with {"type":"FINISH",...,"payload":{"metadata":{"finish_reason":"stop"}}} and any ERROR
  text    only the visible text, without reasoning and calls
  openai  (responses, anthropic, gemini, ollama) the stream as that provider would send it: calls found in
          text become native ones that stream; stderr reports what the wire cannot express

Exit codes:
  0  done
  1  input or output failed, after printing what could be parsed
  2  the command line was wrong
  3  --strict, and a call was malformed or incomplete, broke its schema or was of no declared tool

Environment:
  TOOLPARSE_STREAM_PARSER  the dialect if -d is missing: xml, json (the profile of the provider),
                           sentinel, api_tool_call or any other in "toolparse dialects"`
