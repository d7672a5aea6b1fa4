package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/all"
)

// translateFlags are the flags of the translate command.
type translateFlags struct {
	from, to format.Wire
	kind     format.Kind
	request  string // the file with the client's request
	opts     format.TranslateOptions
}

func (c *cli) translateCommand() *cobra.Command {
	f := translateFlags{kind: format.KindStream}
	cmd := &cobra.Command{
		Use:   "translate --from WIRE --to WIRE [--kind KIND] [FILE...]",
		Short: "Convert requests, responses, streams or tools between providers",
		Long: `translate converts a request, a response, a stream or a list of tools from one
provider's wire format to another's. It translates a stream as it arrives. For
everything that the target wire cannot express, it prints one line on standard
error: the field, the reason, and what it wrote instead.

An answer does not say how the client declared its tools. With --request, translate
reads the client's request, before its translation for the provider, from FILE. Calls
then have the names, namespaces and types that the request gives its tools, even if
the provider's wire format required other names.`,
		Example: `  # Convert a stream for an OpenAI client, while it arrives
  printf '{"message": {"content": "Hi"}, "done": true}\n' | toolparse translate --from ollama --to openai

  # Convert an OpenAI request to a request for Anthropic
  echo '{"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}' >/tmp/request.json
  toolparse translate --from openai --to anthropic --kind request /tmp/request.json

  # Convert an answer for a client whose request has a tool that takes free text
  echo '{"model": "m", "input": "Hi", "tools": [{"type": "custom", "name": "sh"}]}' >/tmp/asked.json
  echo '{"message": {"tool_calls": [{"function": {"name": "sh", "arguments": {"input": "ls"}}}]}}' >/tmp/answer.json
  toolparse translate --from ollama --to responses --kind response --request /tmp/asked.json /tmp/answer.json

  # Convert the tools of one provider to those of another
  echo '[{"name": "add", "input_schema": {"properties": {"a": {"type": "integer"}}}}]' >/tmp/tools.json
  toolparse translate --from anthropic --to openai --kind tools /tmp/tools.json`,
		RunE: func(_ *cobra.Command, args []string) error {
			names := fileNames(args)
			if err := f.check(names); err != nil {
				return err
			}
			return c.translateFiles(f, names)
		},
	}
	g := newFlagGroup("Flags")
	sources := append([]string{string(format.Auto)}, wires()...)
	g.Var(oneOf(&f.from, sources), "from", "the `WIRE` format of the input: auto, "+wireWords())
	g.Var(oneOf(&f.to, wires()), "to", "the `WIRE` format of the output")
	g.Var(oneOf(&f.kind, words(format.Kinds())), "kind", "the `KIND` of input: request, response, stream or tools")
	g.StringVar(&f.opts.Model, "model", "", "set the model of a request to `NAME`")
	g.StringVar(&f.request, "request", "", "read the client's request from `FILE`, in any wire format, and give calls the names and types of its tools")
	c.addLossFlag(g)
	g.BoolVar(&f.opts.VendorOnly, "vendor-only", false, "write only what the vendor documents, without common extensions")
	c.setHelp(cmd, exitCodes("done; standard error lists the losses",
		"input or output failed, or the provider reported an error; an output stream ends with the error, in the\n     form of the target wire"), g)
	return cmd
}

// check returns an error for flags that do not fit each other or the inputs.
func (f *translateFlags) check(names []string) error {
	switch {
	case f.from == "" || f.to == "":
		return usagef("translate needs --from WIRE and --to WIRE")
	case f.opts.Model != "" && f.kind != format.KindRequest:
		return usagef("--model is for --kind request")
	case f.request != "" && f.kind != format.KindResponse && f.kind != format.KindStream:
		return usagef("--request is for --kind response and --kind stream")
	case f.request == "-" && slices.Contains(names, "-"):
		return usagef("standard input cannot be both the request and the input")
	}
	return nil
}

// translateFiles translates one input after the other.
func (c *cli) translateFiles(f translateFlags, names []string) error {
	if f.request != "" {
		request, err := c.readRequest(f.request)
		if err != nil {
			c.warn("%s", translateHints.describe(f.request, err))
			return errReported
		}
		f.opts.Request = request
	}
	out := newOutput(c.stdout, outputText)
	return c.eachInput(names, translateHints.describe, func(name string) error {
		losses, err := c.translateFile(f, name, out)
		if failed := out.flush(); failed != nil || c.ctx.Err() != nil {
			return failed
		}
		c.tellLosses(name, losses)
		return err
	})
}

// readRequest reads a request of any wire.
func (c *cli) readRequest(name string) (*chat.Request, error) {
	body, err := c.readBody(name)
	if err != nil {
		return nil, err
	}
	wire, err := format.Guess(body, format.KindRequest)
	if err != nil {
		return nil, err
	}
	codec, err := all.CodecOf(wire)
	if err != nil {
		return nil, err
	}
	return codec.DecodeRequest(body)
}

func (c *cli) translateFile(f translateFlags, name string, out *output) ([]chat.Loss, error) {
	if f.kind == format.KindStream {
		in, err := c.open(name)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		return format.TranslateStream(out, newSource(c.ctx, in, out.flush), f.from, f.to, f.opts)
	}
	body, err := c.readBody(name)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, errors.New("the input is empty")
	}
	from := f.from
	if from == format.Auto {
		if from, err = format.Guess(body, f.kind); err != nil {
			return nil, fmt.Errorf("%w; name it with --from", err)
		}
	}
	text, losses, err := format.Translate(body, from, f.to, f.kind, f.opts)
	if text == nil {
		return nil, err
	}
	_, failed := fmt.Fprintln(out, strings.TrimRight(string(text), "\n"))
	return losses, errors.Join(failed, err)
}
