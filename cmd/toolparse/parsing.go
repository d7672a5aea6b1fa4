package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// parsing is one run of the parse command.
type parsing struct {
	cli     *cli
	opts    toolparse.Options
	kit     *toolparse.Kit
	out     *output
	flags   parseFlags
	several bool          // there is more than one input
	to      format.Wire   // "" unless the output is a wire
	unclean notCleanError // counts what did not end complete
}

// newParsing checks the flags and reads the tools.
func (c *cli) newParsing(f parseFlags) (*parsing, error) {
	dialect, err := c.modelChoice(f.dialect, f.opts.Model)
	if err != nil {
		return nil, err
	}
	if f.opts.Recover && len(f.tools) == 0 {
		return nil, usagef("--recover needs the declared tools: add -t FILE")
	}
	if f.opts.Prompted && dialect.custom == nil && (dialect.name == "" || dialect.name == "auto") {
		return nil, usagef("--prompted needs one dialect: add -d DIALECT or --model ID")
	}
	p := &parsing{cli: c, out: newOutput(c.stdout, f.output), flags: f}
	if slices.Contains(format.Wires(), format.Wire(f.output)) {
		p.to = format.Wire(f.output)
	}
	p.opts = f.options(dialect)
	if p.opts.Tools, err = c.readTools(f.tools); err != nil {
		return nil, err
	}
	p.kit, err = toolparse.New(p.opts)
	return p, err
}

// files parses one input after the other, and continues after an input that fails.
func (p *parsing) files(names []string) error {
	p.several = len(names) > 1
	err := p.cli.eachInput(names, parseHints.describe, func(name string) error {
		err := p.file(name)
		return errors.Join(err, p.out.flush())
	})
	if err == nil && p.opts.Strict && p.unclean != (notCleanError{}) {
		return &p.unclean
	}
	return err
}

// file parses one input as a separate stream. It returns only errors of the input; p.out
// keeps those of the output.
func (p *parsing) file(name string) error {
	in, err := p.cli.open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	in.any, in.noPage = p.opts.Wire == toolparse.Text, p.opts.Wire == toolparse.Auto

	read := newSource(p.cli.ctx, in, p.out.flush)
	read.most = p.flags.chunk
	stream, err := p.kit.Open(read)
	if err != nil {
		return err
	}
	if p.to != "" {
		if err := stream.Encode(p.out, p.to); err != nil {
			return err
		}
		defer func() { p.cli.tellLosses(name, stream.Losses()) }()
	}
	var why *explainer
	if p.flags.explain {
		why = &explainer{cli: p.cli, name: showName(name), stream: stream}
	}
	silent := silence{parsing: p, name: name, plain: stream.Wire() == toolparse.Text}
	silent.tellNative()
	for e, failed := range stream.Events() {
		if failed != nil {
			err = failed
			break
		}
		why.event(e)
		silent.event(e)
		if p.out.event(e, p.label(name)) != nil {
			return nil // standard output keeps it
		}
		p.count(e)
	}
	why.close()
	p.cli.tellUnread(name, stream.Notes(), stream.Dialects())
	p.countNotes(stream.Notes())
	if p.out.ended(stream, err, p.label(name)) != nil {
		return nil
	}
	if err == nil {
		silent.tellReplaced()
		silent.explain(in, stream)
	}
	return err
}

// label returns the name of an input in the output, or "" if there is only one input.
func (p *parsing) label(name string) string {
	if p.several {
		return name
	}
	return ""
}

// count counts segments that did not end complete, and calls that do not fit their
// tools.
func (p *parsing) count(e toolparse.StreamEvent) {
	status := e.Status
	if e.Call != nil {
		status = e.Call.Status
	}
	switch {
	case e.Type != toolcall.SegmentEnd:
	case status == toolcall.Incomplete:
		p.unclean.incomplete++
	case status != toolcall.Complete:
		p.unclean.malformed++
	case e.Call != nil:
		if len(e.Call.Problems) > 0 {
			p.unclean.misfits++
		}
		if e.Call.Unknown {
			p.unclean.unknown++
		}
	}
}

// countNotes counts faults of an answer that is in no event.
func (p *parsing) countNotes(notes []toolcall.Note) {
	for _, n := range notes {
		if n.Kind == toolcall.NoteFault {
			p.unclean.malformed++
		}
	}
}

// tellLosses prints losses, and minor ones only with --all-losses.
func (c *cli) tellLosses(name string, losses []chat.Loss) {
	for _, l := range losses {
		if !l.Minor || c.allLosses {
			c.warn("%s: lost: %s", showName(name), l)
		}
	}
}

// addLossFlag adds the flag --all-losses.
func (c *cli) addLossFlag(g flagGroup) {
	g.BoolVar(&c.allLosses, "all-losses", false, "also report minor losses, such as the time of an answer")
}

// tellUnread reports calls in what was read as text or reasoning, and the flags that
// would find them. Otherwise the user would not notice them.
func (c *cli) tellUnread(file string, notes []toolcall.Note, asked []*dialect.Dialect) {
	for _, n := range notes {
		reads := func(d *dialect.Dialect) bool { return d.Name == n.Dialect }
		switch {
		case n.Kind == toolcall.NoteUnread && n.Rule != "":
			c.warn("%s: the text contains a call in dialect %s, which was not read; use -d %[2]s", showName(file), n.Dialect)
		case n.Kind == toolcall.NoteUnread && len(asked) > 1:
			c.warn("%s: the text contains a call in dialect %s after one in another, which was not read; use -d %[2]s, or --recover with -t", showName(file), n.Dialect)
		case n.Kind == toolcall.NoteUnread:
			c.warn("%s: the text contains a call in dialect %s, which was not read; use -d %[2]s (or -d auto)", showName(file), n.Dialect)
		case n.Kind == toolcall.NoteCut:
			c.warn("%s: the text after the call of %s looks like the rest of its arguments: a quote in a string seems to lack its backslash", showName(file), n.Tool)
		case n.Kind == toolcall.NoteFault:
			c.warn("%s: %s", showName(file), n.Rule)
		case n.Kind == toolcall.NoteChoice:
			c.warn("%s: candidate %d of the answer makes a call, which was not read; use --choice %[2]d", showName(file), n.Choice)
		case n.Kind == toolcall.NoteReasoning:
			use := "--calls-in-reasoning"
			if !slices.ContainsFunc(asked, reads) && !readsCallsOf(asked, n.Dialect) {
				use = fmt.Sprintf("-d %s %s", n.Dialect, use)
			}
			c.warn("%s: the reasoning contains a call in dialect %s, which was not read; use %s", showName(file), n.Dialect, use)
		}
	}
}

// readsCallsOf reports whether one of the dialects reads the calls of another.
func readsCallsOf(asked []*dialect.Dialect, name string) bool {
	other, err := dialect.Named(name, "")
	if err != nil {
		return false
	}
	return firstCall([]byte(other[0].Example), parser.Options{Dialects: asked}) != ""
}
