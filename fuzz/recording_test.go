package fuzz

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/toolcall"
)

// recording is what a parser made of a stream, step by step.
type recording struct {
	opts  parser.Options
	steps []step
}

// step is what one chunk led to; the last step is that of Close.
type step struct {
	chunk  string
	events []toolcall.Event
}

// record feeds chunks to a new parser and closes it. A panic is an error that
// names the input.
func record(opts parser.Options, chunks []string) (r recording, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\nchunks %.2000q\n%s", p, chunks, debug.Stack())
		}
	}()
	p, err := parser.New(opts)
	if err != nil {
		return recording{}, err
	}
	r = recording{opts: opts}
	for _, c := range chunks {
		r.steps = append(r.steps, step{c, p.Feed(nil, c)})
	}
	r.steps = append(r.steps, step{"", p.Close(nil)})
	return r, nil
}

// recordDeltas is record for a provider's stream.
func recordDeltas(opts parser.Options, deltas []toolcall.Delta) (r recording, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	p, err := parser.New(opts)
	if err != nil {
		return recording{}, err
	}
	r = recording{opts: opts}
	for _, d := range deltas {
		r.steps = append(r.steps, step{d.Text, p.FeedDelta(nil, d)})
	}
	r.steps = append(r.steps, step{"", p.Close(nil)})
	return r, nil
}

func (r recording) events() []toolcall.Event {
	var all []toolcall.Event
	for _, s := range r.steps {
		all = append(all, s.events...)
	}
	return all
}

func (r recording) input() string {
	var b strings.Builder
	for _, s := range r.steps {
		b.WriteString(s.chunk)
	}
	return b.String()
}

// optionsFor returns options for a dialect by name, failing where the build
// does not have it.
func optionsFor(dialectName string) (parser.Options, error) {
	ds, err := dialect.Named(dialectName, "")
	if err != nil {
		return parser.Options{}, err
	}
	if len(ds) == 0 && dialectName != "api_tool_call" {
		return parser.Options{}, fmt.Errorf("%s: no dialect", dialectName)
	}
	return parser.Options{Dialects: ds}, nil
}

// streamOptions returns the options that a made-up stream asks for.
func streamOptions(s streamgen.Stream) (parser.Options, error) {
	opts, err := optionsFor(s.Dialect)
	opts.Tools, opts.StartInReasoning = s.Tools, s.InReasoning
	return opts, err
}
