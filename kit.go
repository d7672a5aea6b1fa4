package toolparse

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/toolparse/toolparse/adapter"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/parser"
)

// Options say what a [Kit] reads and writes. The zero value reads whatever it is
// given: any provider's stream or body, or a model's text in any dialect that has
// a marker of its own.
type Options struct {
	// Tools are the tools that the model was told of. Their schemas type the
	// values of dialects that write text alone, arguments are validated against
	// them, and a call of any other tool is marked Unknown. Without tools every
	// name counts as known and nothing is validated; [Answer.Notes] says so.
	Tools []ToolDefinition

	// Dialect is how the model writes calls inside its text: a dialect's name or
	// alias, "auto", or "json" for the JSON that the wire's provider is taught.
	// Where it is "" and Model and Custom are not set, the text of a wire holds
	// no calls, and plain text is searched as by "auto".
	Dialect string
	// Model stands for the dialect that a model writes, by its id or file name,
	// such as "qwen3-coder:30b".
	Model string
	// Custom is a dialect of your own; see [parser.ReadDialect].
	Custom *parser.Dialect

	// Wire is the wire format of what is read; Auto where it is "".
	Wire Wire

	// Choice is the candidate of the answer that is read.
	Choice int

	// Strict turns every tolerance into a malformed call.
	Strict bool
	// Coerce converts values to the type that the tool's schema wants where
	// nothing is lost by it.
	Coerce bool
	// Recover looks in text for calls of Tools in every other dialect, too.
	Recover bool
	// StartInReasoning: the prompt's template opened the reasoning, so the answer
	// begins inside it.
	StartInReasoning bool
	// CallsInReasoning: calls inside reasoning count.
	CallsInReasoning bool
	// CallsInCode: calls quoted in inline code or in a code fence count.
	CallsInCode bool
	// Prefill is what the prompt had already begun of the answer. It is parsed,
	// but belongs to no event.
	Prefill string

	// IDPrefix goes before every segment id. Where a conversation has several
	// answers, it keeps their ids apart.
	IDPrefix string
	// RandomIDs makes ids of nine random alphanumerics, which every wire accepts.
	RandomIDs bool

	// Spans asks for the places of calls, names, arguments, text and reasoning in a
	// plain text: [Answer.Spans].
	Spans bool

	// Syntaxes say what segments of a type of your own call; see package adapter.
	Syntaxes adapter.Syntaxes

	Limits Limits
	// MaxEventBytes bounds one event of a wire; 32 MiB where it is 0.
	MaxEventBytes int
}

// Kit reads and writes answers for one set of tools and one dialect. It holds
// what was compiled of [Options], does not change, and is safe for concurrent
// use: make one and keep it.
type Kit struct {
	opts    Options
	parsers *parsers
	adapt   *adapter.Compiled
	prompts *prompters
	renamed map[Wire]map[string]string // see ownNames
}

// parsers are those of the wires. What a wire reads in the same dialects as
// another, it shares with it.
type parsers struct {
	mu sync.Mutex
	of []wireParser // that of plain text is the first
}

type wireParser struct {
	wire     Wire
	dialects []*parser.Dialect
	*parser.Compiled
}

// New compiles options. It fails on a tool whose parameters are no JSON Schema,
// with the tool's place and name, and on a dialect or a model that is not known.
func New(opts Options) (*Kit, error) {
	k := &Kit{opts: opts, prompts: new(prompters), renamed: ownNames(opts.Tools)}
	if _, err := format.ParseWire(string(opts.wire())); err != nil {
		return nil, err
	}
	dialects, err := k.dialects(Text)
	if err != nil {
		return nil, err
	}
	text, err := parser.Compile(parser.Options{
		Dialects: dialects, Tools: opts.Tools, IDPrefix: opts.IDPrefix, RandomIDs: opts.RandomIDs,
		StartInReasoning: opts.StartInReasoning, CallsInReasoning: opts.CallsInReasoning, CallsInCode: opts.CallsInCode,
		Recover: opts.Recover, Prefill: opts.Prefill, Strict: opts.Strict, Choice: opts.Choice, Limits: opts.Limits,
	})
	if err != nil {
		return nil, err
	}
	k.parsers = &parsers{of: []wireParser{{Text, dialects, text}}}
	if _, err := k.parserOf(OpenAI); err != nil {
		return nil, err
	}
	k.adapt, err = adapter.Compile(adapter.Options{
		Tools: opts.Tools, Parser: text, Syntaxes: opts.Syntaxes, Coerce: opts.Coerce, Strict: opts.Strict,
	})
	if err != nil {
		return nil, err
	}
	return k, nil
}

// parserOf is what reads the text of a wire. It is compiled when it is first asked
// for.
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
	own := wireParser{wire: wire, dialects: dialects}
	for _, known := range p.of {
		if slices.Equal(known.dialects, dialects) {
			own.Compiled = known.Compiled
		}
	}
	if own.Compiled == nil {
		if own.Compiled, err = p.of[0].WithDialects(dialects...); err != nil {
			return wireParser{}, err
		}
	}
	p.of = append(p.of, own)
	return own, nil
}

func (o *Options) wire() Wire {
	if o.Wire == "" {
		return Auto
	}
	return o.Wire
}

// Dialect names the dialect that plain text is read in: "auto" where it is to be found
// out.
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

// dialects are those that text is read in, on a wire or without.
func (k *Kit) dialects(wire Wire) ([]*parser.Dialect, error) {
	set := 0
	for _, is := range []bool{k.opts.Dialect != "", k.opts.Model != "", k.opts.Custom != nil} {
		if is {
			set++
		}
	}
	if set > 1 {
		return nil, fmt.Errorf("toolparse: Dialect, Model and Custom exclude each other")
	}
	name, provider := k.opts.Dialect, string(wire)
	switch {
	case k.opts.Custom != nil:
		return []*parser.Dialect{k.opts.Custom}, nil
	case k.opts.Model != "":
		d, ok := parser.ForModel(k.opts.Model)
		if !ok {
			return nil, fmt.Errorf("toolparse: unknown model %q; set Dialect", k.opts.Model)
		}
		return []*parser.Dialect{d}, nil
	case wire == Text:
		provider = ""
		if name == "" {
			name = "auto"
		}
	case name == "":
		name = "api_tool_call"
	}
	return parser.Named(name, provider)
}

// Calls yields each call of a provider's body, or of a model's text, as soon as it
// is complete. Calls that were cut short, broken or refused come, too: ask
// [ToolInvocation.Runnable]. An error comes last, after all calls: that of r, a
// [format.SyntaxError], a [format.TruncatedError], or what the provider reported,
// a [format.ReportedError]. The sequence can be used once.
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

// StreamEvent is an [Event] of a stream at hand.
type StreamEvent struct {
	Event
	// Call is the invocation, on the event that ends a call.
	Call *ToolInvocation

	progress *progress
}

// Events yields every event of a provider's body, or of a model's text, while it
// comes. An error comes last, as in [Kit.Calls]. The sequence can be used once.
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

// Parse reads what a model wrote, without any wire format. The error is nil: a
// text always has a reading, and what is wrong with its calls stands on them.
func (k *Kit) Parse(text string) (*Answer, error) { return k.parse(text, nil) }

// ParseSpecial is [Kit.Parse] for a text of which it is known what came as special tokens
// of the model: special are their bytes, in their order, as a tokenizer's offset map tells
// them. A marker that is none of them is text, as where a model or a user spells it out.
func (k *Kit) ParseSpecial(text string, special []Range) (*Answer, error) {
	if special == nil {
		special = []Range{}
	}
	return k.parse(text, special)
}

func (k *Kit) parse(text string, special []Range) (*Answer, error) {
	plain := *k
	plain.opts.Wire = Text
	s, err := plain.stream(Text, nil)
	if err != nil {
		return &Answer{}, err
	}
	if s.text = text; special != nil {
		s.parser = s.parser.WithSpecial(special)
	}
	return s.collect()
}
