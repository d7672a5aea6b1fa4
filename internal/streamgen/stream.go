// Package streamgen generates model output for tests: text in the dialects of the
// founding design, and provider deltas, each with what a parser must find in it.
// Property tests, fuzz targets and benchmarks use it; the shipped program does not.
//
// All choices come from a [Source], so that a stream is reproducible from a seed and
// shrinks with the bytes of a [Tape].
//
// The generators implement the written rules of the dialects and use neither the parser
// nor its table. What they expect is a second, independent reading of the design.
package streamgen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// Stream is one generated output of a model.
type Stream struct {
	Dialect     string
	Tools       []toolcall.ToolDefinition // the declared tools; nil if none are
	Callable    []toolcall.ToolDefinition // every tool that the stream may call
	InReasoning bool                      // the stream begins inside reasoning
	Text        string                    // the output
	Want        Want

	// Prompt holds ascending offsets in Text. When a parser has read up to one, it
	// must have passed on all of Text before it.
	Prompt []int
	// Ends holds places at which every call before them must have ended.
	Ends []End
}

// End is a place in a stream and the number of calls that have ended there.
type End struct{ Offset, Calls int }

// Want is what a parser must find in a stream.
type Want struct {
	Text      string // without regard to white space at both ends
	Reasoning string
	Calls     []Call

	// LooseBlanks means that white space between text and a call does not count
	// either, because the call stands in a fence.
	LooseBlanks bool
}

// Call is one expected call.
type Call struct {
	Name      string
	Segment   toolcall.SegmentType
	Arguments string // a JSON object, to compare as a value
	// Verbatim is the argument text as the model wrote it, if the dialect passes on
	// the model's own bytes; else "".
	Verbatim string
	// Loose means that the call needs a tolerance.
	Loose bool
}

// ErrDialect is wrapped by the error of [New] for a dialect without a generator.
var ErrDialect = errors.New("streamgen: no generator for this dialect")

// callWriter writes calls one after the other, with only blanks between them, and
// records what to expect.
type callWriter func(g *generator, calls []call)

// writer writes the calls of a dialect.
type writer struct {
	dialect string
	write   callWriter
	lures   []string // texts that look like calls but are prose
}

var writers = []writer{
	{"xml", writeXML, xmlLures},
	{"json-openai", writeOpenAI, openAILures},
	{"json-gemini", writeGemini, geminiLures},
	{"json-default", writeDefault, defaultLures},
	{"sentinel", writeSentinel, sentinelLures},
	{"api_tool_call", nil, nativeLures},
}

// Dialects returns the names that [New] accepts, in a fixed order.
func Dialects() []string {
	var names []string
	for _, w := range writers {
		names = append(names, w.dialect)
	}
	return names
}

// New generates a clean stream, which needs no tolerance, of a few bytes to a few KB.
// The error wraps [ErrDialect].
func New(src Source, dialect string) (Stream, error) { return generate(src, dialect, false) }

// NewLoose generates a stream whose calls deviate from the dialect in ways that a parser
// tolerates. The parser must find the same calls, with tolerances.
func NewLoose(src Source, dialect string) (Stream, error) { return generate(src, dialect, true) }

func generate(src Source, dialect string, loose bool) (Stream, error) {
	i := slices.IndexFunc(writers, func(w writer) bool { return w.dialect == dialect })
	if i < 0 {
		return Stream{}, fmt.Errorf("%w: %q", ErrDialect, dialect)
	}
	g := &generator{src: src, dialect: dialect, lures: writers[i].lures, loose: loose}
	g.stream(writers[i].write)
	return Stream{
		Dialect: dialect, Tools: g.declared, Callable: definitions(g.tools), InReasoning: g.inReasoning,
		Text: g.out.String(), Prompt: g.prompt, Ends: g.ends,
		Want: Want{Text: g.text.String(), Reasoning: g.reasoning.String(), Calls: g.calls, LooseBlanks: g.looseBlanks},
	}, nil
}

// generator writes one stream.
type generator struct {
	src     Source
	dialect string
	lures   []string
	loose   bool

	declared    []toolcall.ToolDefinition
	tools       []tool
	inReasoning bool

	out         strings.Builder
	text        strings.Builder
	reasoning   strings.Builder
	calls       []Call
	prompt      []int
	ends        []End
	looseBlanks bool
}

// stream writes reasoning, then prose and calls in turn.
func (g *generator) stream(write callWriter) {
	g.tools = newTools(g.src, g.dialect)
	if g.src.IntN(2) == 1 {
		g.declared = definitions(g.tools)
	}
	if chance(g.src, 4) {
		g.inReasoning = chance(g.src, 2)
		g.think()
	}
	if write == nil {
		g.prose()
		return
	}
	for i, parts := 0, g.src.IntN(4); i < parts; i++ {
		if g.src.IntN(3) > 0 {
			g.prose()
		}
		g.run(write)
	}
	if g.src.IntN(2) == 1 {
		g.prose()
	}
	if g.out.Len() == 0 {
		g.run(write)
	}
}

func (g *generator) run(write callWriter) {
	calls := make([]call, 1+pick(g.src, 0, 0, 0, 1, 2))
	for i := range calls {
		calls[i] = newCall(g.src, g.dialect, pick(g.src, g.tools...), g.declared != nil)
	}
	write(g, calls)
}

// raw writes markup, which is no segment's content.
func (g *generator) raw(s string) { g.out.WriteString(s) }

// blank writes white space, or none.
func (g *generator) blank() { g.raw(pick(g.src, "", "", " ", "\n", "\n  ", "\t", " \r\n")) }

// style picks how JSON is written.
func (g *generator) style() jsonStyle {
	if g.loose {
		return newLooseStyle(g.src)
	}
	return newJSONStyle(g.src)
}

// sure records that a parser must have passed on everything written so far.
func (g *generator) sure() {
	if n := g.out.Len(); n > 0 && (len(g.prompt) == 0 || g.prompt[len(g.prompt)-1] < n) {
		g.prompt = append(g.prompt, n)
	}
}

// ended records that every call so far must have ended, with nothing held back.
func (g *generator) ended() {
	g.sure()
	g.ends = append(g.ends, End{g.out.Len(), len(g.calls)})
}

// expect records a call. Repaired arguments are not the model's own bytes.
func (g *generator) expect(c call, verbatim string, loose bool) {
	if loose {
		verbatim = ""
	}
	g.calls = append(g.calls, Call{
		Name: c.tool.name, Segment: c.tool.segment, Arguments: encode(c.object()), Verbatim: verbatim, Loose: loose,
	})
}
