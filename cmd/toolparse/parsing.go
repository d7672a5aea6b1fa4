package main

import (
	"bytes"
	"context"
	"errors"
	"unicode/utf8"

	"github.com/toolparse/toolparse/adapter"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// parsing is one run of the parse command.
type parsing struct {
	cli     *cli
	dialect dialectChoice
	format  format.Options
	parser  parser.Options // without Dialects, which depend on the wire
	adapter adapter.Options
	out     *output
	explain bool
	several bool          // there is more than one input
	to      format.Wire   // "" unless the output is a wire
	model   string        // for the output
	unclean notCleanError // what has ended other than complete
}

// newParsing checks the flags and reads the tools.
func (c *cli) newParsing(f parseFlags) (*parsing, error) {
	dialect, err := c.modelChoice(f.dialect, f.model)
	if err != nil {
		return nil, err
	}
	if f.recover && len(f.tools) == 0 {
		return nil, usagef("--recover needs the declared tools: add -t FILE")
	}
	tools, err := readTools(f.tools)
	if err != nil {
		return nil, err
	}
	to, _ := wireOf(f.output)
	if err := errNoWire("-o, --output", to); to != "" && err != nil {
		return nil, err
	}
	p := &parsing{
		to: to, model: f.model,
		cli: c, dialect: dialect, out: newOutput(c.stdout, f.output),
		format:  format.Options{Wire: format.Wire(f.wire), ChunkBytes: f.chunk, MaxEventBytes: f.maxEvent},
		parser:  f.parser(tools),
		adapter: f.adapter(tools),
		explain: f.explain,
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
	p.several = len(names) > 1
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

// file parses one input as a stream of its own. Its error is that of the
// input; one of the output stays with p.out.
func (p *parsing) file(ctx context.Context, name string) error {
	in, err := p.cli.open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	in.any = p.format.Wire == format.Text

	stream := format.NewStream(newSource(ctx, in, p.out.flush), p.format)
	wire, err := stream.Wire()
	if err != nil {
		return err
	}
	if p.format.Wire == format.Auto && wire == format.Text {
		in.refusePages()
	}
	opts := p.parser
	if opts.Dialects, err = p.dialect.dialects(wire); err != nil {
		return err
	}
	if p.dialect.native != "" && wire == format.Text {
		p.cli.warn("%s: %s calls tools natively, in its provider's wire format: its plain text contains no calls", showName(name), p.dialect.native)
	}
	calls, err := adapter.New(p.adapter)
	if err != nil {
		return err
	}
	replaced := false // some arguments have what stands for bytes that are no UTF-8
	told := reported{choice: opts.Choice}
	deltas := told.watch(stream.Deltas())
	var again *reencoder
	if p.to != "" {
		if again, err = newReencoder(p.out, stream, p.to, format.EventOptions{Model: p.model, Choice: opts.Choice}); err != nil {
			return err
		}
		deltas = again.watch(deltas)
	}
	var why *explainer
	if p.explain {
		if why, err = p.cli.newExplainer(name, &opts); err != nil {
			return err
		}
		defer why.close()
		deltas = why.watch(deltas)
	}
	unread := parser.NewUnread(opts)
	defer func() { p.cli.tellUnread(name, unread.Notes(), opts.Dialects) }()
	for e, err := range parser.Events(deltas, opts) {
		if err != nil {
			if again != nil {
				if again.close(err) == nil {
					p.cli.tellLosses(name, again.enc.Losses())
				}
			}
			if p.out.reports(told.lines(), p.shown(name)) != nil {
				return nil // standard output keeps it
			}
			if _, cut := errors.AsType[*format.TruncatedError](err); cut && told.failed != nil {
				return told.failed // which is why it was cut
			}
			return err
		}
		unread.Add(e)
		call, ended := calls.Add(e)
		if why != nil {
			why.event(e)
		}
		if err := p.event(again, e, p.shown(name)); err != nil {
			return nil // standard output keeps it
		}
		if ended && why != nil {
			why.call(call)
		}
		if ended {
			replaced = replaced || bytes.ContainsRune(call.Arguments, utf8.RuneError)
			if wire != format.Text {
				call.Start, call.End = 0, 0 // they are of the text in the deltas, not of the input
			}
			if err := p.out.call(call, p.shown(name)); err != nil {
				return nil
			}
		}
		p.count(e, call, ended)
	}
	if again != nil {
		if err := again.close(nil); err != nil {
			return err
		}
		p.cli.tellLosses(name, again.enc.Losses())
	}
	if p.out.reports(told.lines(), p.shown(name)) != nil {
		return nil
	}
	if told.failed != nil {
		return told.failed
	}
	if odd, at, ok := in.garbledAt(); ok && replaced {
		p.cli.warn("%s: byte %d: 0x%02x is not UTF-8; the arguments of calls have U+FFFD in place of such bytes", showName(name), at, odd)
	}
	if err := told.missing(); err != nil {
		return err
	}
	if p.format.Wire == format.Auto && wire == format.Text && in.isErrorBody() {
		p.cli.warn("%s: no call found: this looks like the error of a server, in no known wire format", showName(name))
	}
	return nil
}

// shown is the name of an input as the output has it: "" where there is only one.
func (p *parsing) shown(name string) string {
	if p.several {
		return name
	}
	return ""
}

// event prints an event of a file as the output asks for.
func (p *parsing) event(again *reencoder, e toolcall.Event, file string) error {
	if again != nil {
		return again.event(e)
	}
	return p.out.event(e, file)
}

// count notes what did not end complete, and the calls that do not fit their tools.
func (p *parsing) count(e toolcall.Event, call toolcall.ToolInvocation, ended bool) {
	status := e.Status
	if ended {
		status = call.Status
	}
	switch {
	case e.Type != toolcall.SegmentEnd:
	case status == toolcall.Complete:
		if len(call.Problems) > 0 {
			p.unclean.misfits++
		}
		if call.Unknown {
			p.unclean.unknown++
		}
	case status == toolcall.Incomplete:
		p.unclean.incomplete++
	default:
		p.unclean.malformed++
	}
}
