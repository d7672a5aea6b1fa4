package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/internal/conform"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/vectorgen"
)

// generateRun is one run of the generate command.
type generateRun struct {
	cli     *cli
	dialect string
	seed    uint64
	count   int
	mutate  bool
	raw     string // a folder; "" prints vectors
}

func (c *cli) generateCommand() *cobra.Command {
	r := generateRun{cli: c, seed: 1, count: 10}
	cmd := &cobra.Command{
		Use:   "generate -d DIALECT|all [flags]",
		Short: "Generate conformance vectors",
		Long: `generate creates random messages (reasoning, text, calls with arguments of all
types), writes them in a dialect as its models do, and prints them as conformance
vectors for "toolparse conform", one per line. The same seed gives the same
vectors.

With --mutate it damages each vector or surrounds it with confusing text: it cuts
it off, damages, drops or doubles a marker, quotes the opener in prose or a whole
call in a code fence, or puts letters of other scripts next to it. If it only quotes
the call, or puts text next to it, it knows the expected result, and the tier is core.
For damaged input it expects what this build of toolparse reads: the tier is
malformed, and a note says so. Use such vectors to compare versions of the parser.

With --raw it writes the inputs as files instead, for the tests and fuzzers of
other parsers: clean and damaged ones (with --mutate only damaged ones), each as
plain text and as a seed for Go's fuzzer, and a manifest that describes them.`,
		Example: `  toolparse generate -d hermes --count 3
  toolparse generate -d all --count 1 --seed 7 --mutate | toolparse conform

  # Files for another parser
  toolparse generate -d hermes --count 3 --raw /tmp/corpus`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd.Context()) },
	}
	choose := newFlagGroup("Which vectors")
	choose.StringVarP(&r.dialect, "dialect", "d", "", "vectors of this `DIALECT`, or of a file that defines one (./mine.json); all: every dialect")
	choose.Var(count(&r.seed, 0), "seed", "random seed `N`")
	choose.Var(count(&r.count, 0), "count", "`N` vectors per dialect")
	choose.BoolVar(&r.mutate, "mutate", false, "damage the vectors")
	choose.StringVar(&r.raw, "raw", "", "write the inputs as files into `DIR`")
	c.setHelp(cmd, `
Files of --raw:
  DIR/DIALECT/clean-SEED-N.txt     an input, byte for byte; damaged ones are mutated-SEED-N.txt
  DIR/go/DIALECT/clean-SEED-N      the same in the format of Go's fuzzer, for a target that takes a string:
                                   copy them to testdata/fuzz/FuzzName
  DIR/manifest.jsonl               a line for each: "file", "go", and what to expect
`+exitCodes("done", "the output failed"), choose)
	return cmd
}

func (r *generateRun) run(ctx context.Context) error {
	dialects, err := r.dialects()
	if err != nil {
		return err
	}
	if r.raw != "" {
		return r.writeRaw(ctx, dialects)
	}
	out := bufio.NewWriter(r.cli.stdout)
	for _, d := range dialects {
		for n := range r.count {
			v, err := r.vector(ctx, d, n, r.mutate)
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

// dialects returns the dialects that -d names.
func (r *generateRun) dialects() ([]*dialect.Dialect, error) {
	switch strings.ToLower(r.dialect) {
	case "":
		return nil, usagef("expected -d, --dialect: a dialect's name, or all")
	case "all":
		return dialect.All(), nil
	}
	d, err := r.cli.oneDialect(r.dialect)
	return []*dialect.Dialect{d}, err
}

// vector returns the vector number n of a dialect, from 0.
func (r *generateRun) vector(ctx context.Context, d *dialect.Dialect, n int, mutate bool) (conform.Vector, error) {
	if ctx.Err() != nil {
		return conform.Vector{}, errInterrupted
	}
	src := vectorgen.NewSource(r.seed, d.Name, n)
	way, name := vectorgen.Clean, "generated"
	if mutate {
		way, name = vectorgen.Mutated, "mutated"
	}
	v, err := way(src, d)
	if err != nil {
		return v, fmt.Errorf("%s: %w", d.Name, err)
	}
	v.ID = fmt.Sprintf("%s/%s-%d-%d", d.Name, name, r.seed, n+1)
	return v, nil
}

// rawLine is a line of the manifest of raw inputs.
type rawLine struct {
	File string `json:"file"`
	Go   string `json:"go"`
	conform.Vector
	Input string `json:"input,omitempty"` // hides that of the vector, which File contains
}

// writeRaw writes the inputs as files. It writes the manifest last, so that all files
// which a manifest names exist.
func (r *generateRun) writeRaw(ctx context.Context, dialects []*dialect.Dialect) error {
	ways := []bool{false, true} // whether to mutate
	if r.mutate {
		ways = ways[1:]
	}
	var list bytes.Buffer
	for _, d := range dialects {
		for _, mutate := range ways {
			for n := range r.count {
				v, err := r.vector(ctx, d, n, mutate)
				if err != nil {
					return err
				}
				name := fmt.Sprintf("clean-%d-%d", r.seed, n+1)
				if mutate {
					name = fmt.Sprintf("mutated-%d-%d", r.seed, n+1)
				}
				l := rawLine{File: path.Join(d.Name, name+".txt"), Go: path.Join("go", d.Name, name), Vector: v}
				if err := r.writeFile(l.File, []byte(v.Input)); err != nil {
					return err
				}
				if err := r.writeFile(l.Go, fmt.Appendf(nil, "go test fuzz v1\nstring(%q)\n", v.Input)); err != nil {
					return err
				}
				if err := writeLine(&list, l); err != nil {
					return err
				}
			}
		}
	}
	return r.writeFile("manifest.jsonl", list.Bytes())
}

// writeFile writes a file below the folder of raw inputs.
func (r *generateRun) writeFile(name string, data []byte) error {
	file := filepath.Join(r.raw, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}
