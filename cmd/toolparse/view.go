package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/view"
)

func (c *cli) viewCommand() *cobra.Command {
	f := parseFlags{opts: toolparse.Options{Wire: toolparse.Auto}, output: outputCalls}
	var out string
	cmd := &cobra.Command{
		Use:   "view [flags] [FILE]",
		Short: "Draw a stream or a text as a web page",
		Long: `view reads a model's output as parse does, and writes a self-contained HTML page: the
raw text with its segments in colours, the calls with their problems, the tolerated
errors, the notes, and every event. It takes one FILE.`,
		Example: `  # Draw a model's text
  printf 'On it. <tool name="add"><a>1</a></tool>' | toolparse view -o /tmp/answer.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("unexpected argument %q: view draws one FILE", args[1])
			}
			return c.view(cmd.Context(), f, fileNames(args)[0], out)
		},
	}
	input := newFlagGroup("Input")
	f.wireFlag(input, "")
	input.Var(count(&f.opts.Choice, 0), "choice", "draw candidate number `N` of the response")
	output := newFlagGroup("Output")
	output.StringVarP(&out, "output", "o", "", "write the page to `FILE` instead of standard output")
	notes := exitCodes("done", "input or output failed; the page shows what could be parsed")
	c.setHelp(cmd, notes, input, f.syntaxGroup("api_tool_call on a wire and auto on plain text"), output)
	return cmd
}

// view writes the page of an input.
func (c *cli) view(ctx context.Context, f parseFlags, name, to string) error {
	p, err := c.newParsing(f)
	if err != nil {
		return err
	}
	if err := c.refuseInput(to, []string{name}); err != nil {
		return err
	}
	in, err := c.open(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer in.Close()
	picture := view.Picture{Title: showName(name)}
	failed := p.draw(ctx, in, &picture)
	var page bytes.Buffer
	if err := picture.Page(&page); err != nil {
		return err
	}
	if to == "" {
		if _, err := c.stdout.Write(page.Bytes()); err != nil {
			return err
		}
	} else if err := os.WriteFile(to, page.Bytes(), 0o600); err != nil {
		return err
	}
	if failed != nil {
		return fmt.Errorf("%s", parseHints.describe(name, failed))
	}
	return nil
}

// draw reads an input into a picture. It returns only errors of the input.
func (p *parsing) draw(ctx context.Context, in *inputFile, to *view.Picture) error {
	in.any, in.noPage = p.opts.Wire == toolparse.Text, p.opts.Wire == toolparse.Auto
	read := newSource(ctx, in, nil)
	stream, err := p.kit.Open(read)
	if err != nil {
		to.Error = err.Error()
		return err
	}
	var written int64 // raw bytes of the events so far
	for e, failed := range stream.Events() {
		if failed != nil {
			to.Error, err = failed.Error(), failed
			break
		}
		at := read.offset
		if stream.Wire() == toolparse.Text {
			at = written
		}
		written += int64(len(e.Raw))
		to.Add(e, "byte "+strconv.FormatInt(at, 10))
	}
	to.AddNotes(stream.Notes())
	fact := func(name, value string) { to.Facts = append(to.Facts, view.Fact{Name: name, Value: value}) }
	fact("wire", string(stream.Wire()))
	if asked := stream.Dialects(); len(asked) == 1 {
		fact("dialect", asked[0].Name)
	} else {
		fact("dialect", "auto")
	}
	fact("bytes", strconv.FormatInt(read.offset, 10))
	if word, _ := stream.FinishWords(); word != "" {
		fact("finish", word)
	}
	if usage := stream.Meta().Usage; usage.Total > 0 {
		fact("tokens", fmt.Sprintf("%d in, %d out", usage.Input, usage.Output))
	}
	return err
}
