package toolparse

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/recent"
)

// Kit reads answers and writes requests for one set of tools and one dialect. It is
// [Options], compiled. It is immutable and safe for concurrent use: make one and
// keep it.
type Kit struct {
	opts    Options
	parsers *parsers
	adapt   *adapter.Compiled
	prompts *prompters
	texts   *recent.Texts              // of recent prompts
	renamed map[Wire]map[string]string // see ownNames
}

// parsers holds the compiled parsers. Wires whose text is read in the same dialects
// share one.
type parsers struct {
	mu sync.Mutex
	of []wireParser // one for each list of dialects; the first is for plain text

	spare sync.Pool // of *Stream whose answers have been collected
}

type wireParser struct {
	wire     Wire
	dialects []*dialect.Dialect
	*parser.Compiled
}

// New compiles options. It fails if the parameters of a tool are not a JSON Schema,
// with the tool's place and name, and if the wire, the dialect or the model is unknown.
func New(opts Options) (*Kit, error) {
	k := &Kit{opts: opts, prompts: new(prompters), renamed: ownNames(opts.Tools)}
	if k.texts = recent.NewTexts(); opts.Share != nil {
		k.texts = opts.Share.texts
	}
	if _, err := format.ParseWire(string(opts.Wire)); err != nil {
		return nil, err
	}
	dialects, err := k.dialects(Text)
	if err != nil {
		return nil, err
	}
	prefill := opts.Prefill
	if w := dialects[0].Written; opts.Prompted && opts.Model != "" && w.Begun == "" && w.Prompt == "" {
		prefill = dialect.BegunBy(opts.Model) + prefill
	}
	text, err := parser.Compile(parser.Options{
		Dialects: dialects, Tools: opts.Tools, IDPrefix: opts.IDPrefix, RandomIDs: opts.RandomIDs,
		StartInReasoning: opts.StartInReasoning, CallsInReasoning: opts.CallsInReasoning, CallsInCode: opts.CallsInCode,
		Recover: opts.Recover, Prefill: prefill, Prompted: opts.Prompted, Strict: opts.Strict, Choice: opts.Choice, Limits: opts.Limits,
	})
	if err != nil {
		return nil, err
	}
	k.parsers = &parsers{of: []wireParser{{Text, dialects, text}}}
	if _, err := k.parserOf(OpenAI); err != nil {
		return nil, err
	}
	syntaxes := adapter.Syntaxes{}
	for segment, s := range opts.Syntaxes {
		syntaxes[segment] = adapter.Syntax{Tool: s.Tool, Build: s.Build}
	}
	k.adapt, err = adapter.Compile(adapter.Options{
		Tools: opts.Tools, Parser: text, Syntaxes: syntaxes, Coerce: opts.Coerce, Strict: opts.Strict,
	})
	if err != nil {
		return nil, err
	}
	return k, nil
}

// parserOf returns the parser for the text of a wire, and compiles it on first use.
func (k *Kit) parserOf(wire Wire) (wireParser, error) {
	p := k.parsers
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, known := range p.of {
		if known.wire == wire {
			return known, nil
		}
	}
	dialects, err := k.dialects(wire)
	if err != nil {
		return wireParser{}, err
	}
	key := wireParser{wire: wire, dialects: dialects}
	for _, known := range p.of {
		if slices.Equal(known.dialects, dialects) {
			key.Compiled = known.Compiled
		}
	}
	if key.Compiled == nil {
		if key.Compiled, err = p.of[0].WithDialects(dialects...); err != nil {
			return wireParser{}, err
		}
	}
	p.of = append(p.of, key)
	return key, nil
}

// Dialect returns the name of the dialect in which plain text is read, or "auto" if it
// is detected.
func (k *Kit) Dialect() string {
	dialects, err := k.dialects(Text)
	switch {
	case err == nil && len(dialects) == 1:
		return dialects[0].Name
	case k.opts.Dialect != "":
		return k.opts.Dialect
	}
	return "auto"
}

// dialects returns the dialects in which the text of a wire is read; wire may be Text.
func (k *Kit) dialects(wire Wire) ([]*dialect.Dialect, error) {
	set := 0
	for _, is := range []bool{k.opts.Dialect != "", k.opts.Model != "", k.opts.Custom != nil} {
		if is {
			set++
		}
	}
	if set > 1 {
		return nil, fmt.Errorf("toolparse: set only one of Dialect, Model and Custom")
	}
	if k.opts.Prompted && (set == 0 || k.opts.Dialect == "auto") {
		return nil, fmt.Errorf("toolparse: Prompted needs one dialect: set Options.Dialect, Model or Custom")
	}
	name, provider := k.opts.Dialect, string(wire)
	switch {
	case k.opts.Custom != nil:
		return []*dialect.Dialect{k.opts.Custom}, nil
	case k.opts.Model != "":
		d, ok := dialect.ForModel(k.opts.Model)
		if !ok {
			return nil, fmt.Errorf("toolparse: unknown model %q; set Dialect", k.opts.Model)
		}
		return []*dialect.Dialect{d}, nil
	case wire == Text:
		provider = ""
		if name == "" {
			name = "auto"
		}
	case name == "":
		name = "api_tool_call"
	}
	return dialect.Named(name, provider)
}

// Calls yields each call of a response body or a plain text as soon as the call ends.
// It also yields calls that are incomplete, malformed or rejected: check
// [ToolInvocation.Runnable]. An error comes last, after all calls: an error of r, a
// [format.SyntaxError], a [format.TruncatedError], or a [format.ReportedError] if the
// provider reported an error. The sequence is single-use.
func (k *Kit) Calls(r io.Reader) iter.Seq2[ToolInvocation, error] {
	return func(yield func(ToolInvocation, error) bool) {
		for e, err := range k.Events(r) {
			switch {
			case err != nil:
				yield(ToolInvocation{}, err)
				return
			case e.Call != nil:
				if !yield(*e.Call, nil) {
					return
				}
			}
		}
	}
}

// StreamEvent is an [Event] with the state of the call that it belongs to.
type StreamEvent struct {
	Event
	// Call is the finished invocation on the event that ends a call, else nil.
	Call *ToolInvocation

	progress *progress
}

// Events yields every event of a response body or a plain text as it arrives. An error
// comes last, as with [Kit.Calls]. The sequence is single-use.
func (k *Kit) Events(r io.Reader) iter.Seq2[StreamEvent, error] {
	return func(yield func(StreamEvent, error) bool) {
		s, err := k.Open(r)
		if err != nil {
			yield(StreamEvent{}, err)
			return
		}
		for e, err := range s.Events() {
			if !yield(e, err) {
				return
			}
		}
	}
}

// Parse reads the plain text of a model. Every text has a reading, so the error is
// nil; each call says what is wrong with it.
func (k *Kit) Parse(text string) (*Answer, error) { return k.parse(text, nil) }

// ParseSpecial is [Kit.Parse] for a text whose special tokens are known. special holds
// their byte ranges in ascending order, as in a tokenizer's offset mapping. A marker
// outside of them is text, because the model or a user spelled it out.
func (k *Kit) ParseSpecial(text string, special []Range) (*Answer, error) {
	if special == nil {
		special = []Range{}
	}
	return k.parse(text, special)
}

func (k *Kit) parse(text string, special []Range) (*Answer, error) {
	s, err := k.stream(Text, nil)
	if err != nil {
		return &Answer{}, err
	}
	if s.text = text; special != nil {
		s.parser = s.parser.WithSpecial(special)
	}
	return s.collect()
}
