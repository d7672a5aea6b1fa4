package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/grammar"
	"github.com/toolparse/toolparse/toolcall"
)

// grammarFlags are the flags of the grammar command.
type grammarFlags struct {
	dialect string
	choiceFlags
	format grammar.Format
}

func (c *cli) grammarCommand() *cobra.Command {
	f := grammarFlags{format: grammar.GBNF}
	cmd := &cobra.Command{
		Use:   "grammar -d DIALECT -t TOOLS [flags]",
		Short: "Print a grammar that limits a server to well-formed calls",
		Long: `grammar prints a grammar for constrained decoding: with it, a server generates only
well-formed calls of the given tools, with arguments that fit their schemas, in a
dialect that parse -d reads.

A gbnf grammar (llama.cpp) and a json-schema allow calls only: use them where the
answer must be a call, or use gbnf as a lazy grammar, with the triggers in its first
lines. A structural-tag (vLLM, SGLang) allows any text up to a trigger; with
--choice required or a tool's name, the answer must contain a call.
Only dialects that consist of JSON alone have a json-schema.

The grammar omits tools that cannot be called and optional parameters that no value
fits; standard error names them.`,
		Example: `  # For llama.cpp, vLLM and SGLang, and a server that takes a JSON Schema
  echo '[{"name": "add", "parameters": {"properties": {"a": {"type": "integer"}}}}]' >/tmp/tools.json
  toolparse grammar -d hermes -t /tmp/tools.json
  toolparse grammar -d qwen3_coder -t /tmp/tools.json --format structural-tag
  toolparse grammar -d json-openai -t /tmp/tools.json --format json-schema --choice add`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return c.printGrammar(f) },
	}
	what := newFlagGroup("What")
	what.StringVarP(&f.dialect, "dialect", "d", "", "write calls in this `DIALECT`, or in one from a file that defines it")
	f.declare(what, "auto, required", "allow calls only of the tools `NAMES`")
	output := newFlagGroup("Output")
	output.Var(oneOf(&f.format, words(grammar.Formats())), "format", "output `FORMAT`: gbnf, json-schema or structural-tag")
	c.setHelp(cmd, `
Exit codes:
  0  done
  1  a file could not be read, or a tool has no grammar
  2  the command line was wrong, or the dialect has no such format
`, what, output)
	return cmd
}

func (c *cli) printGrammar(f grammarFlags) error {
	choice, err := f.toolChoice("grammar")
	switch {
	case err != nil:
		return err
	case choice.Mode == chat.ChoiceNone:
		return usagef("--choice none: a model that calls no tool needs no grammar")
	}
	d, err := c.oneDialect(f.dialect)
	if err != nil {
		return err
	}
	var out []byte
	var losses []chat.Loss
	err = c.teach(f.tools, choice, func(tools []toolcall.ToolDefinition) (err error) {
		out, losses, err = grammar.Write(d, f.format, grammar.Options{Tools: tools, Choice: choice, Single: !f.parallel})
		return err
	})
	if _, ok := errors.AsType[*grammar.FormatError](err); ok {
		return usagef("%v", err)
	}
	if err != nil {
		return err
	}
	for _, l := range losses {
		c.warn("lost: %s", l)
	}
	_, err = c.stdout.Write(out)
	return err
}
