package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/internal/vectorgen"
	"github.com/toolparse/toolparse/parser"
)

// generateRun is one run of the generate command.
type generateRun struct {
	cli     *cli
	dialect string
	seed    uint64
	count   int
	mutate  bool
}

func (c *cli) generateCommand() *cobra.Command {
	r := generateRun{cli: c, count: 10}
	cmd := &cobra.Command{
		Use:   "generate -d DIALECT|all [flags]",
		Short: "Generate conformance vectors",
		Long: `generate creates random messages (reasoning, text, calls with arguments of all
types), writes them in a dialect as its models do, and prints them as conformance
vectors for "toolparse conform", one per line. The same seed gives the same
vectors.

With --mutate it damages each vector or surrounds it with confusing text: it cuts
it off, damages, drops or doubles a marker, quotes the opener in prose or a whole
call in a code fence, or puts letters of other scripts next to it. If the call is
only quoted, or text touches it, the expected result is known and the tier is core.
For damaged input the expected result is what this build of toolparse reads: the
tier is malformed, and a note says so. Use such vectors to compare versions of the
parser.`,
		Example: `  toolparse generate -d hermes --count 3
  toolparse generate -d all --seed 7 --mutate | toolparse conform`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd.Context()) },
	}
	choose := newFlagGroup("Which vectors")
	choose.flags.StringVarP(&r.dialect, "dialect", "d", "", "vectors of this `DIALECT`, or of a file that defines one (./mine.json); all: every dialect")
	choose.flags.Uint64Var(&r.seed, "seed", 1, "random seed `N`")
	choose.flags.IntVar(&r.count, "count", r.count, "`N` vectors per dialect")
	choose.flags.BoolVar(&r.mutate, "mutate", false, "damage the vectors")
	setHelp(cmd, helpPage{groups: []flagGroup{choose}, notes: `
Exit codes:
  0  done
  1  the output failed
  2  the command line was wrong`})
	completeWords(cmd, "dialect", append([]string{"all"}, dialectNames()...))
	return cmd
}

func (r *generateRun) run(ctx context.Context) error {
	dialects, err := r.dialects()
	if err != nil {
		return err
	}
	if r.count < 0 {
		return usagef("--count: expected a number of vectors, got %d", r.count)
	}
	out := bufio.NewWriter(r.cli.stdout)
	for _, d := range dialects {
		for n := range r.count {
			if ctx.Err() != nil {
				return errInterrupted
			}
			v, err := r.vector(d, n)
			if err != nil {
				return err
			}
			if err := writeLine(out, v); err != nil {
				return err
			}
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// dialects are those that were asked for.
func (r *generateRun) dialects() ([]*parser.Dialect, error) {
	switch strings.ToLower(r.dialect) {
	case "":
		return nil, usagef("expected -d, --dialect: a dialect's name, or all")
	case "all":
		return parser.Dialects(), nil
	}
	choice, err := r.cli.dialectChoice(r.dialect)
	if err != nil {
		return nil, err
	}
	d, err := choice.one()
	if err != nil {
		return nil, err
	}
	return []*parser.Dialect{d}, nil
}

func (r *generateRun) vector(d *parser.Dialect, n int) (vectorgen.Vector, error) {
	src := vectorgen.Source(r.seed, d.Name, n)
	way, name := vectorgen.Clean, "generated"
	if r.mutate {
		way, name = vectorgen.Mutated, "mutated"
	}
	v, err := way(src, d)
	if err != nil {
		return v, fmt.Errorf("%s: %w", d.Name, err)
	}
	v.ID = fmt.Sprintf("%s/%s-%d-%d", d.Name, name, r.seed, n+1)
	return v, nil
}
