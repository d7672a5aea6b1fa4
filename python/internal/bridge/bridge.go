// Package bridge is the library's interface for Python: operations by name, with JSON in
// and JSON out, handles for values that live longer than a call, and results as pickles.
// Package main in python/lib exports it to C.
package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/batch"
	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/toolcall"
)

// Options are the options of a kit.
type Options struct {
	Dialect          string          `json:"dialect"`
	DialectFile      json.RawMessage `json:"dialect_file"` // a dialect of the caller's own
	DialectPath      string          `json:"dialect_path"` // where that comes from
	Model            string          `json:"model"`
	Tools            json.RawMessage `json:"tools"`
	Wire             string          `json:"wire"`
	Strict           bool            `json:"strict"`
	Coerce           bool            `json:"coerce"`
	Recover          bool            `json:"recover"`
	StartInReasoning bool            `json:"start_in_reasoning"`
	CallsInReasoning bool            `json:"calls_in_reasoning"`
	CallsInCode      bool            `json:"calls_in_code"`
	Prefill          string          `json:"prefill"`
	Spans            bool            `json:"spans"`
}

// kit is a compiled kit and its options.
type kit struct {
	*toolparse.Kit
	opts toolparse.Options
}

// handles maps numbers, from 1, to values.
type handles[T any] struct {
	mu   sync.Mutex
	last int64
	of   map[int64]T
}

func (h *handles[T]) add(v T) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of == nil {
		h.of = map[int64]T{}
	}
	h.last++
	h.of[h.last] = v
	return h.last
}

func (h *handles[T]) get(n int64) (T, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v, ok := h.of[n]
	if !ok {
		return v, fmt.Errorf("there is no handle %d", n)
	}
	return v, nil
}

// drop removes a value and returns it.
func (h *handles[T]) drop(n int64) (v T, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v, ok = h.of[n]
	delete(h.of, n)
	return v, ok
}

var (
	kits    handles[*kit]
	streams handles[*push]
)

// operations holds the operations of [Call] by name.
var operations = map[string]func(in []byte) (any, error){
	"kit": operation(newKit), "drop_kit": operation(dropKit), "open": operation(open), "detect": operation(guessDialects),
	"records": operation(records.read), "write": operation(message.write), "manifest": operation(section.write),
}

// operation returns run as a function of JSON.
func operation[T any](run func(in T) (any, error)) func([]byte) (any, error) {
	return func(in []byte) (any, error) {
		var value T
		if err := json.Unmarshal(in, &value); err != nil {
			return nil, err
		}
		return run(value)
	}
}

// Call runs an operation. It returns {"ok":...}, or {"error":"...","place":"..."} if the
// operation fails.
func Call(operation string, in []byte) []byte {
	run, ok := operations[operation]
	if !ok {
		return Failure(fmt.Errorf("there is no operation %q", operation))
	}
	v, err := run(in)
	if err != nil {
		return Failure(err)
	}
	out, err := json.Marshal(map[string]any{"ok": v})
	if err != nil {
		return Failure(err)
	}
	return out
}

// Failure encodes an error for the caller: its message and, if known, its place in the
// input.
func Failure(err error) []byte {
	out := map[string]string{"error": err.Error()}
	if bad, ok := errors.AsType[*toolfile.Error](err); ok {
		out["place"] = bad.Path
		if bad.Line > 0 {
			out["place"] = fmt.Sprintf("line %d, column %d", bad.Line, bad.Column)
		}
	}
	if _, ok := errors.AsType[*dialect.UnknownError](err); ok { // whose message names a function of Go
		out["place"], out["error"] = "dialect", strings.Replace(err.Error(), "dialect.All", `the command "toolparse dialects"`, 1)
	}
	if bad, ok := errors.AsType[*text.Error](err); ok && bad.Tool != "" {
		out["place"] = strings.TrimSuffix(bad.Tool+"."+bad.Argument, ".")
	}
	if bad, ok := errors.AsType[*placed](err); ok {
		out["place"] = bad.place
	}
	b, _ := json.Marshal(out) // of strings it cannot fail
	return b
}

// placed is an error with its place in what the caller has passed.
type placed struct {
	place string
	err   error
}

func (p *placed) Error() string { return p.place + ": " + p.err.Error() }
func (p *placed) Unwrap() error { return p.err }

func newKit(o Options) (any, error) {
	opts, err := o.kit()
	if err != nil {
		return nil, err
	}
	k, err := toolparse.New(opts)
	if err != nil {
		return nil, err
	}
	return kits.add(&kit{k, opts}), nil
}

// kit returns the library's options. It checks the model, which the library would not name.
func (o Options) kit() (toolparse.Options, error) {
	opts := toolparse.Options{
		Dialect: o.Dialect, Model: o.Model, Wire: toolparse.Wire(o.Wire), Strict: o.Strict, Coerce: o.Coerce, Recover: o.Recover,
		StartInReasoning: o.StartInReasoning, CallsInReasoning: o.CallsInReasoning, CallsInCode: o.CallsInCode,
		Prefill: o.Prefill, Spans: o.Spans, NoMessage: true,
	}
	if _, ok := dialect.ForModel(o.Model); o.Model != "" && !ok {
		return opts, &placed{"model", fmt.Errorf("no dialect is known for %q; give the dialect (toolparse.detect finds it in a reply or a chat template)", o.Model)}
	}
	var err error
	if len(o.Tools) > 0 && string(o.Tools) != "null" {
		if opts.Tools, err = toolfile.Parse(o.Tools); err != nil {
			return opts, err
		}
	}
	if len(o.DialectFile) > 0 && string(o.DialectFile) != "null" {
		if opts.Custom, err = parser.ReadDialect(o.DialectFile); err != nil {
			return opts, &placed{o.DialectPath, err}
		}
	}
	return opts, nil
}

// dropped is the number of kits that have been dropped, and collectEvery how many of them
// start a collection of garbage. A kit has pools, whose memory outlives two collections. So
// for a caller with ever new tools, the kits since the last collection counted as live, and
// each collection came later than the one before.
var dropped atomic.Int64

const collectEvery = 64

func dropKit(handle int64) (any, error) {
	if _, ok := kits.drop(handle); ok && dropped.Add(1)%collectEvery == 0 {
		go runtime.GC()
	}
	return nil, nil
}

// records are lines of JSON, and how they are read.
type records struct {
	Options
	Lines        string   `json:"lines"`
	Fields       []string `json:"fields"`
	ModelField   string   `json:"model_field"`
	ToolsField   string   `json:"tools_field"`
	SpecialField string   `json:"special_field"`
	Keep         string   `json:"keep"`
	FirstLine    int64    `json:"first_line"`
}

// read reads records as the command batch does, and returns lines of JSON.
func (r records) read() (any, error) {
	opts, err := r.kit()
	if err != nil {
		return nil, err
	}
	b, err := batch.New(batch.Options{
		Kit: opts, Fields: r.Fields, ModelField: r.ModelField, ToolsField: r.ToolsField, SpecialField: r.SpecialField,
		ResultField: r.Keep, Spans: opts.Spans, Unit: toolparse.Chars, FirstLine: r.FirstLine,
	})
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	if _, err := b.Run(context.Background(), &out, strings.NewReader(r.Lines)); err != nil {
		return nil, err
	}
	return out.String(), nil
}

// message is a model's message to write.
type message struct {
	Options
	Text      string `json:"text"`
	Reasoning string `json:"reasoning"`
	Calls     []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		CallID    string          `json:"call_id"`
	} `json:"calls"`
}

// write writes the message in a dialect.
func (m message) write() (any, error) {
	d, opts, err := m.oneDialect()
	if err != nil {
		return nil, err
	}
	w, err := text.NewWriter(d, text.Options{Tools: opts.Tools})
	if err != nil {
		return nil, err
	}
	message := text.Message{Text: m.Text, Reasoning: m.Reasoning}
	for _, c := range m.Calls {
		message.Calls = append(message.Calls, toolcall.ToolInvocation{Name: c.Name, Arguments: c.Arguments, CallID: c.CallID})
	}
	out, err := w.Append(nil, message)
	return string(out), err
}

// oneDialect returns the single dialect that the options select, and the library's options.
func (o Options) oneDialect() (*dialect.Dialect, toolparse.Options, error) {
	opts, err := o.kit()
	switch {
	case err != nil:
		return nil, opts, err
	case opts.Custom != nil:
		return opts.Custom, opts, nil
	case opts.Model != "":
		d, _ := dialect.ForModel(opts.Model) // which kit has checked
		return d, opts, nil
	case opts.Dialect == "":
		return nil, opts, errors.New("give the dialect or the model")
	}
	dialects, err := dialect.Named(opts.Dialect, "")
	switch {
	case err != nil:
		return nil, opts, err
	case len(dialects) != 1:
		return nil, opts, fmt.Errorf("%q means several dialects; choose one", opts.Dialect)
	}
	return dialects[0], opts, nil
}

// section is the section of a system prompt that describes tools, and the prompt to put it into.
type section struct {
	Options
	Compact bool   `json:"compact"`
	System  string `json:"system"`
}

func (s section) write() (any, error) {
	d, opts, err := s.oneDialect()
	if err != nil {
		return nil, err
	}
	style := manifest.StyleAuto
	if s.Compact {
		style = manifest.StyleCompact
	}
	m, err := manifest.New(opts.Tools, manifest.Options{Dialect: d, Style: style})
	if err != nil {
		return nil, err
	}
	return m.Inject(s.System), nil
}

// guessDialects returns the dialects in which a text may be written.
func guessDialects(text string) (any, error) {
	return append([]dialect.Guess{}, dialect.Detect(text)...), nil
}

// open opens a stream with a kit.
func open(handle int64) (any, error) {
	k, err := kits.get(handle)
	if err != nil {
		return nil, err
	}
	return streams.add(newPush(k.Kit)), nil
}
