package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/internal/conform"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/printable"
)

// conformRun is one run of the conform command.
type conformRun struct {
	cli     *cli
	dialect string // of the vectors to run; "" for all
	tier    string // likewise
	opts    conform.Options
	asJSON  bool

	out    *bufio.Writer
	table  conform.Table
	broken bool // an input was not a file of vectors
}

func (c *cli) conformCommand() *cobra.Command {
	r := conformRun{cli: c, out: bufio.NewWriter(c.stdout)}
	cmd := &cobra.Command{
		Use:   "conform [flags] [FILE...]",
		Short: "Run conformance vectors",
		Long: `conform reads conformance vectors: JSON Lines, each with an input and the text, the
reasoning and the calls that a parser must find in it. It parses each input whole,
in the vector's own chunks, in chunks of 1, 2, 3 and 7 bytes, and cut in two at
every byte (inputs above 5 KB at evenly spread bytes). It prints the differences, a
table by dialect, and last "N passed, N failed".`,
		Example: `  # Generate vectors from a dialect's definition, and run them
  toolparse generate -d hermes --count 5 >/tmp/vectors.jsonl
  toolparse conform /tmp/vectors.jsonl
  toolparse conform -d hermes --tier core --json /tmp/vectors.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), fileNames(args)) },
	}
	choose := newFlagGroup("Which vectors")
	choose.StringVarP(&r.dialect, "dialect", "d", "",
		"run only vectors of this `DIALECT`; auto: all vectors, with the dialect detected; a file (./mine.json): all vectors, parsed in the dialect that it defines")
	choose.Var(oneOf(&r.tier, conform.Tiers), "tier", "run only vectors of this `TIER`: core, malformed or policy")
	output := newFlagGroup("Output")
	output.BoolVar(&r.asJSON, "json", false, "print one line of JSON per vector, and the counts on standard error")
	c.setHelp(cmd, exitCodes("every vector passed", "a vector failed, or a file could not be read"), choose, output)
	return cmd
}

func (r *conformRun) run(ctx context.Context, files []string) error {
	switch {
	case r.dialect == "auto":
		r.opts.Dialect, r.dialect = r.dialect, ""
	case isDialectFile(r.dialect):
		choice, err := r.cli.dialectChoice(r.dialect)
		if err != nil {
			return err
		}
		r.opts.Own, r.dialect = choice.custom, ""
	}
	err := r.cli.eachInput(files, hints{}.describe, func(name string) error { return r.file(ctx, name) })
	if err != nil && err != errReported {
		return err
	}
	r.broken = r.broken || err != nil
	if err := r.checkDialect(); err != nil {
		return err
	}
	if err := r.summary(); err != nil {
		return err
	}
	if r.broken || r.table.Failed > 0 {
		return errReported
	}
	return nil
}

// maxBadLines bounds how many lines of a file are reported that are not vectors: a file with
// more is none of vectors.
const maxBadLines = 20

// file runs the vectors of one file.
func (r *conformRun) file(ctx context.Context, name string) error {
	in, err := r.cli.open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	bad, empty := 0, true
	for v, err := range conform.Vectors(newSource(ctx, in, r.out.Flush)) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		empty = false
		broken, isLine := errors.AsType[*conform.LineError](err)
		switch {
		case isLine:
			r.cli.warn("%s: %v", showName(name), broken)
			r.broken = true
			if bad++; bad == maxBadLines {
				return fmt.Errorf("skipping the rest, after %d lines that are not vectors", bad)
			}
		case err != nil:
			return err
		case r.tier != "" && v.Tier != r.tier || !r.wants(v.Dialect):
		default:
			result := conform.Run(v, r.opts)
			r.table.Add(result)
			if err := r.report(result); err != nil {
				return err
			}
		}
	}
	if empty { // which a test must not take for success
		return errors.New("no vectors in it")
	}
	return nil
}

// wants reports whether to run the vectors of a dialect. The user may have named the
// dialect by any of its names, and may name one that this build does not have.
func (r *conformRun) wants(dialectName string) bool {
	if r.dialect == "" || r.dialect == dialectName {
		return true
	}
	asked, err := dialect.Named(r.dialect, "")
	if err != nil {
		return false
	}
	its, err := dialect.Named(dialectName, "")
	return err == nil && slices.Equal(asked, its)
}

// checkDialect fails if -d names a dialect that occurs neither in the vectors nor in
// the table of dialects.
func (r *conformRun) checkDialect() error {
	if r.dialect == "" || r.table.Passed+r.table.Failed > 0 {
		return nil
	}
	if _, err := r.cli.dialectChoice(r.dialect); err != nil {
		return err
	}
	r.cli.warn("no vectors for dialect %s", r.dialect)
	return nil
}

// report prints the result of one vector: as JSON, or its differences.
func (r *conformRun) report(result conform.Result) error {
	switch {
	case r.asJSON:
		if err := writeLine(r.out, result); err != nil {
			return err
		}
	case !result.Pass:
		fmt.Fprintln(r.out, printable.Lines(result.Diff())) // an error stays with the writer until Flush
	}
	return r.out.Flush()
}

func (r *conformRun) summary() error {
	var counts io.Writer = r.out
	if r.asJSON {
		counts = r.cli.stderr
	} else if r.table.Passed+r.table.Failed > 0 {
		if err := r.table.Write(r.out); err != nil {
			return err
		}
		fmt.Fprintln(r.out)
	}
	if r.table.Sampled > 0 {
		fmt.Fprintf(counts, "%d long inputs were not split at every byte\n", r.table.Sampled)
	}
	fmt.Fprintf(counts, "%d passed, %d failed\n", r.table.Passed, r.table.Failed)
	return r.out.Flush()
}
