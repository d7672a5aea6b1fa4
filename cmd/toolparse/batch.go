package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/batch"
)

// batchRun is one run of the batch command.
type batchRun struct {
	cli    *cli
	syntax parseFlags
	opts   batch.Options

	unit   string
	output string
	resume bool
	stats  bool
	quiet  bool
}

func (c *cli) batchCommand() *cobra.Command {
	r := batchRun{cli: c, syntax: parseFlags{opts: toolparse.Options{Wire: toolparse.Auto}}, unit: toolparse.Bytes.String()}
	cmd := &cobra.Command{
		Use:   "batch [flags] [FILE...]",
		Short: "Read the answers in JSON Lines, one result per record",
		Long: `batch reads JSON Lines (logs, rollouts, batch outputs, data sets; plain, gzip or
zstd) and prints one result for each record, in the same order. It uses all cores
and little memory, whatever the size of the input. A record that cannot be read
becomes a result with "error", and the run goes on. It reads one FILE after the
other; without a FILE, or for "-", it reads standard input.`,
		Example: `  # The calls of a data set with the model's text in one field
  echo '{"completion": "<tool_call>{\"name\": \"add\", \"arguments\": {}}</tool_call>"}' >/tmp/data.jsonl
  toolparse batch --field completion /tmp/data.jsonl

  # The same without --field, because batch recognises the shape; and a table of the counts
  toolparse batch --stats -o /tmp/calls.jsonl /tmp/data.jsonl

  # Continue that run after an interruption
  toolparse batch --resume -o /tmp/calls.jsonl /tmp/data.jsonl

  # The same with the span of each part, in characters, as Python counts them
  toolparse batch --offsets chars /tmp/data.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.opts.Spans = cmd.Flags().Changed("offsets")
			return r.run(cmd.Context(), fileNames(args))
		},
	}
	groups := r.groups()
	c.setHelp(cmd, batchNotes, groups...)
	return cmd
}

var unitNames = []string{toolparse.Bytes.String(), toolparse.Chars.String(), toolparse.UTF16.String()}

// groups declares the flags.
func (r *batchRun) groups() []flagGroup {
	input := newFlagGroup("Input")
	input.StringArrayVar(&r.opts.Fields, "field", nil, "read the field at `PATH`, in the syntax of gjson; may be repeated (default: recognise the record)")
	r.syntax.wireFlag(input, " of bodies and streams")
	input.Var(count(&r.opts.FirstLine, 1), "first-line", "number the first line `N`, if the input is a part of a larger one (default 1)")
	input.Var(count(&r.opts.MaxRecordBytes, 1), "max-record-bytes", "report an error for a record of more than `N` bytes (default 32 MiB)")

	syntax := r.syntax.syntaxGroup("auto")
	syntax.StringVar(&r.opts.ModelField, "model-field", "", "use the dialect of the model that the field at `PATH` names")
	syntax.StringVar(&r.opts.ToolsField, "tools-field", "", "read the declared tools of a record from the list at `PATH`")

	syntax.StringVar(&r.opts.SpecialField, "special-field", "", "treat a marker as text unless a [start, end] in the list at `PATH` contains it: the places of special tokens, in the unit of --offsets")

	output := newFlagGroup("Output")
	output.StringVarP(&r.output, "output", "o", "", "write to `FILE` instead of standard output")
	output.StringVar(&r.opts.ResultField, "keep", "", "put the result into the record, as its member `KEY`")
	output.Var(oneOf(&r.unit, unitNames), "offsets", "add the spans of calls, names, arguments, text and reasoning, in `UNIT`: bytes, chars (Python) or utf16 (JavaScript, Java)")
	output.BoolVar(&r.stats, "stats", false, "print a table by dialect, status, reason, tolerance and tool on standard error")
	output.BoolVarP(&r.quiet, "quiet", "q", false, "show no progress; without this, batch shows it if standard error is a terminal")

	running := newFlagGroup("Running")
	running.VarP(count(&r.opts.Workers, 1), "jobs", "j", "read `N` records in parallel (default: one for each core)")
	running.BoolVar(&r.resume, "resume", false, "continue after the last complete line of the output (needs -o and the same input)")
	running.BoolVar(&r.opts.Strict, "strict", false, "stop at the first record that cannot be read, and exit with 1")
	return []flagGroup{input, syntax, output, running}
}

const batchNotes = `
Results:
  {"line":1,"id":7,"calls":[{"id":"seg_1","name":"add","arguments":{"a":1},"status":"complete",
   "dialect":"hermes","start":0,"end":63}],"text":"","reasoning":"","dialect":"hermes"}

  {"line":2,"error":"the record is not JSON"}

  id is the record's own custom_id, id or key. Calls have the form of parse -o calls; start and end are
  offsets in the text, and a provider's native calls have none. batch joins several answers in a record,
  and each call names its "field". finish, notes and file appear only if they are not empty.
  With --offsets, "spans" gives the place of each part: [{"kind":"name","id":"seg_1","start":21,"end":24}, ...].
  With --keep, batch prints the record with the result under KEY; a note reports a member that it replaces.

Records that are recognised without --field, in this order:
  a provider's body     {"choices":[..]}, {"candidates":[..]}, {"content":[..],"role":..}, {"output":[..]}, ...
  a batch's output      {"custom_id":..,"response":{"body":{..}}}, {"custom_id":..,"result":{"message":{..}}},
                        {"key":..,"response":{..}}; the error of a request that failed
  a log                 {"request":{..},"response":{..}}: the response
  a recorded stream     a text or a list of events as "stream", "events" or "chunks"
  a text                "completion", "response", "output", "generated_text", "generation", "prediction",
                        "answer", "output_text", "text" or "content"; each of a list of texts
  a conversation        "messages" (OpenAI, Anthropic, Ollama), "contents" (Gemini), "input" (Responses),
                        "conversations" ({"from":"gpt","value":..}): every message of the assistant

  The value of a --field may also be any of these, a message, or a list of texts. A text may be a recorded
  stream or a body. batch searches text for calls in every dialect with a marker of its own, unless -d, --model
  or --model-field names one. It does the same for an unknown model in --model-field, and adds a note.

Parts:
  batch reads records independently: if --first-line gives each part of an input the number of its first
  line, the outputs of the parts, joined, are the output of the whole.

Exit codes:
  0  done, also if there are results with "error"
  1  input or output failed, or the run was interrupted: the output ends with a complete line, unless the
     disk was full, and --resume continues after it; or --strict, and a record could not be read
  2  the command line was wrong

Environment:
  TOOLPARSE_STREAM_PARSER  the dialect if -d, --model and --model-field are missing`

// run reads all inputs.
func (r *batchRun) run(ctx context.Context, names []string) error {
	b, err := r.batch()
	if err != nil {
		return err
	}
	out := r.cli.stdout
	if r.output != "" {
		if err := r.cli.refuseInput(r.output, names); err != nil {
			return err
		}
		mode := os.O_RDWR | os.O_CREATE
		if !r.resume {
			mode |= os.O_TRUNC
		}
		f, err := os.OpenFile(r.output, mode, 0o666)
		if err != nil {
			return fmt.Errorf("%s: %w", r.output, withoutPath(err))
		}
		defer f.Close()
		if r.resume {
			if b, err = b.Resume(f); err != nil {
				return fmt.Errorf("%s: %w", r.output, withoutPath(err))
			}
		}
		out = &stdout{w: f}
	}
	tuneMemory()
	show := r.newProgress(names)
	current := "" // the input that is being read
	stats, err := b.RunFiles(ctx, show.writer(out), names, func(name string) (io.ReadCloser, error) {
		current = name
		return r.open(ctx, name, show)
	})
	show.close()
	if r.stats {
		if err := stats.Write(r.cli.stderr); err != nil {
			return err
		}
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return r.goOn(errInterrupted)
	case r.cli.stdout.err != nil:
		return r.cli.stdout.err
	case out.err != nil:
		return r.goOn(fmt.Errorf("%s: %w", r.output, withoutPath(errors.Unwrap(out.err))))
	}
	return fmt.Errorf("%s: %w", showName(current), withoutPath(err))
}

// tuneMemory makes garbage collections rarer, because a run makes much garbage for each
// record and keeps little. It respects the user's settings.
func tuneMemory() {
	const percent, limit = 800, 160 << 20
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// batch checks the flags and compiles the options.
func (r *batchRun) batch() (*batch.Batch, error) {
	if r.resume && r.output == "" {
		return nil, usagef("--resume needs the output to continue: add -o FILE")
	}
	if r.opts.ModelField != "" && (r.syntax.dialect != "" || r.syntax.opts.Model != "") {
		return nil, usagef("-d, --model and --model-field exclude each other")
	}
	if r.opts.ToolsField != "" && len(r.syntax.tools) > 0 {
		return nil, usagef("-t and --tools-field exclude each other")
	}
	if r.syntax.opts.Recover && len(r.syntax.tools) == 0 && r.opts.ToolsField == "" {
		return nil, usagef("--recover needs the declared tools: add -t FILE or --tools-field PATH")
	}
	var dialect dialectChoice
	var err error
	if r.opts.ModelField == "" {
		if dialect, err = r.cli.modelChoice(r.syntax.dialect, r.syntax.opts.Model); err != nil {
			return nil, err
		}
	}
	opts := r.opts
	opts.Kit = r.syntax.options(dialect)
	if opts.Kit.Tools, err = r.cli.readTools(r.syntax.tools); err != nil {
		return nil, err
	}
	if opts.Unit, err = toolparse.ParseUnit(r.unit); err != nil {
		return nil, err
	}
	return batch.New(opts)
}

// goOn adds to an error that the run can go on, if its output can be read again.
func (r *batchRun) goOn(err error) error {
	if info, failed := os.Stat(r.output); failed != nil || !info.Mode().IsRegular() {
		return err
	}
	return fmt.Errorf("%w; continue with --resume", err)
}

// open opens an input.
func (r *batchRun) open(ctx context.Context, name string, show *progress) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(show.reader(newSource(ctx, r.cli.stdin, nil))), nil
	}
	f, err := r.cli.openFile(name)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{show.reader(newSource(ctx, f, nil)), f}, nil
}
