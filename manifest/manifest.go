package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/manifest/internal/neutral"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// Options say for whom a manifest is.
type Options struct {
	// Dialect is the syntax that is taught. Without one it is that of [ForProvider].
	Dialect *parser.Dialect
	// Provider is whose models are taught; it may be empty. Its rule for prefills is
	// kept. Its rule for names of tools is not, since the calls are text.
	Provider string

	// Compact shows each tool as a signature on one line, in fewer words. Of a schema
	// it leaves out what members within parameters are for, titles, examples, and
	// whether values are deprecated, or are only read or written.
	Compact bool

	// Choice restricts the calls. All tools are shown, whatever it says.
	Choice chat.ToolChoice
	// Parallel: chat.Off asks for one call an answer.
	Parallel chat.Switch

	// Formatters replace built-in ways to show tools and calls, by the name of a
	// provider or, where it has none there, of a dialect.
	Formatters map[string]Formatter
}

// Formatter is how tools and calls are shown. A nil member is the built-in way.
type Formatter struct {
	// Schema writes what a tool is.
	Schema func(toolcall.ToolDefinition) (string, error)
	// Example writes the calls of one turn, as the dialect's parser reads them.
	Example func(calls []toolcall.ToolInvocation) (string, error)
}

// Manifest is the section of a system prompt that tells a model its tools. It does
// not change and is safe for concurrent use.
type Manifest struct {
	dialect *parser.Dialect
	opts    Options
	text    string
	stop    []string
	prefill string
	stats   Stats
	silent  []error
}

// New composes a manifest. Without tools, and for a dialect whose calls are not text,
// it is empty. An error names the tool, and the place in its schema.
func New(defs []Definition, opts Options) (*Manifest, error) {
	tools, err := checked(defs, &opts)
	if err != nil {
		return nil, err
	}
	m := &Manifest{dialect: opts.Dialect, opts: opts}
	if len(tools) == 0 || opts.Dialect.Head.Form == "" {
		return m, nil
	}
	c := composer{dialect: opts.Dialect, opts: &opts, tools: tools}
	if m.text, err = c.compose(); err != nil {
		return nil, err
	}
	m.stats, m.silent = c.stats, c.silent
	m.stop, m.prefill = c.stops(), c.prefill()
	return m, nil
}

// Text returns the section, which begins with its heading.
func (m *Manifest) Text() string { return m.text }

// Dialect returns the dialect that is taught.
func (m *Manifest) Dialect() *parser.Dialect { return m.dialect }

// Uncallable tells for which of the tools no call could be written in the dialect, and
// why: a model that is shown them has no way to call them.
func (m *Manifest) Uncallable() []error { return append([]error(nil), m.silent...) }

// Stop returns sequences at which an answer may be cut: what comes after them is the
// model's own idea of a result. There are no more than four.
func (m *Manifest) Stop() []string { return append([]string(nil), m.stop...) }

// Prefill returns the beginning of an answer that must be a call, where the tool
// choice asks for one and the provider lets an answer be begun, and else "". Feed it
// to the parser before the answer.
func (m *Manifest) Prefill() string { return m.prefill }

// composer writes the parts of a manifest.
type composer struct {
	dialect *parser.Dialect
	opts    *Options
	tools   []*tool
	stats   Stats

	breaker *neutral.Breaker

	single, double []toolcall.ToolInvocation
	example        string // the text of single
	silent         []error
}

func (c *composer) compose() (string, error) {
	if err := c.sample(); err != nil {
		return "", err
	}
	p := parts{}
	var err error
	if p.tools, err = c.shown(); err != nil {
		return "", err
	}
	if p.examples, err = c.examples(); err != nil {
		return "", err
	}
	if c.example, err = c.write(c.single); err != nil {
		return "", err
	}
	if c.opts.Parallel != chat.Off {
		if p.two, err = c.write(c.double); err != nil {
			return "", err
		}
	}
	return c.say(&p)
}

// parts are what a manifest is put together of, beside words.
type parts struct {
	tools    string // what they are
	examples string // calls of some of them
	two      string // calls at once; "" where there is to be no more than one
}

// say puts the parts together in the words that there is room for.
func (c *composer) say(p *parts) (text string, err error) {
	list, most := wordings, maxFixed
	if c.opts.Compact {
		list, most = wordings[1:], maxFixedCompact
	}
	tools := c.stats
	for i := range list {
		if text, err = c.inWords(&list[i], p); err != nil {
			return "", err
		}
		c.stats = tools
		if c.stats.total(text); c.stats.Fixed.Bytes < most {
			break
		}
	}
	return text, nil
}

func (c *composer) inWords(w *words, p *parts) (string, error) {
	results, err := c.results(w.result)
	if err != nil {
		return "", err
	}
	s := c.style()
	if w.bare && s.loose {
		s.open, s.close = "", ""
	}
	var b strings.Builder
	b.WriteString(heading)
	if s.guide != noGuide {
		guide := w.guides[s.guide]
		if s.guide == tagGuide && c.hasFreeObject() {
			guide += w.free
		}
		b.WriteString(guide + "\n\n")
	}
	b.WriteString(s.open + p.tools + s.close + "\n\n" + p.examples)
	b.WriteString(w.one + closed(c.example) + "\n")
	if p.two != "" {
		several := w.two
		if c.lists() {
			several = w.list
		}
		b.WriteString(several + closed(p.two) + "\n")
	}
	b.WriteString(w.around + chosen(c.opts.Choice, c.opts.Parallel, w.none) + w.results + closed(results))
	return b.String(), nil
}

// lists reports whether the calls of one turn are shown as one list.
func (c *composer) lists() bool {
	opens := func(s string) bool { return strings.HasSuffix(strings.TrimSpace(s), "[") }
	return c.formatter().Example == nil && (opens(c.dialect.Frame.Section.Open) || opens(c.dialect.Written.List.Open))
}

// style is how this manifest shows its tools.
func (c *composer) style() style {
	s := styleOf(c.dialect)
	if c.opts.Compact {
		s = style{schema: signatureForm, between: "\n", guide: s.guide}
	}
	if f := c.formatter(); f.Schema != nil {
		s.schema, s.own = func(t *tool, _ int) (string, error) { return f.Schema(t.ToolDefinition) }, true
	}
	return s
}

// formatter is the one that the options have for this manifest.
func (c *composer) formatter() Formatter {
	if f, ok := c.opts.Formatters[c.opts.Provider]; ok && c.opts.Provider != "" {
		return f
	}
	return c.opts.Formatters[c.dialect.Name]
}

// shown is what each tool is.
func (c *composer) shown() (string, error) {
	s := c.style()
	var b strings.Builder
	for i, t := range c.tools {
		from := b.Len()
		if i > 0 {
			b.WriteString(s.between)
		}
		body, err := c.body(&s, t, i+1)
		if err != nil {
			return "", err
		}
		b.WriteString(body)
		c.stats.add(t.Name, b.String()[from:])
	}
	return b.String(), nil
}

// examples are those that the tools need, beside the ones for all of them. Examples
// that came with a tool are checked even where the choice hides them.
func (c *composer) examples() (string, error) {
	var b strings.Builder
	// The compact form shows how lists and objects are written once.
	nested := nests(c.single[0].Arguments)
	for _, t := range c.tools {
		calls, err := t.given()
		if err != nil {
			return "", err
		}
		if !c.showsCalls(t) {
			continue
		}
		for i, call := range calls {
			text, err := c.write([]toolcall.ToolInvocation{call})
			if err != nil {
				return "", fmt.Errorf("tool %q: example %d: %w", t.Name, i+1, err)
			}
			about := "a call of " + t.Name
			if own := t.own[i].About; own != "" {
				about = c.harmless().text(oneLine(own))
			}
			text = "Example, " + about + ":\n" + text + "\n\n"
			b.WriteString(text)
			c.stats.add(t.Name, text)
		}
		if calls == nil && c.telling(t) && !(c.opts.Compact && nested) {
			nested = true
			text, err := c.write([]toolcall.ToolInvocation{t.full})
			if err != nil {
				return "", err
			}
			text = "Example, a call of " + t.Name + ":\n" + text + "\n\n"
			b.WriteString(text)
			c.stats.add(t.Name, text)
		}
	}
	return b.String(), nil
}

// telling reports whether a tool needs an example of its own: where its arguments
// hold lists or objects, and the dialect writes them otherwise than its schema does.
func (c *composer) telling(t *tool) bool {
	return t.full.Name != "" && c.dialect.Args.Form != parser.ArgsJSON && nests(t.full.Arguments)
}

// nests reports whether arguments hold a list or an object.
func nests(arguments json.RawMessage) bool {
	args, err := parseNode(arguments)
	if err != nil {
		return false
	}
	for _, v := range args.List {
		if v.Is(jsonvalue.Object) || v.Is(jsonvalue.Array) {
			return true
		}
	}
	return false
}

// sample makes the calls that are shown, and chooses those of the fewest bytes.
func (c *composer) sample() error {
	var short []*tool
	size := map[*tool]int{}
	for _, t := range c.tools {
		write, err := writer(c.dialect, t)
		if err != nil {
			return err
		}
		if err := t.sample(write); err != nil {
			return err
		}
		if t.full.Name == "" {
			c.silent = append(c.silent, fmt.Errorf("tool %q: the dialect cannot express a call of it: %w", t.Name, t.why))
			continue
		}
		if c.showsCalls(t) {
			// A call without arguments shows too little.
			size[t] = len(t.full.Arguments)
			if size[t] == len("{}") {
				size[t] = maxSample
			}
			short = append(short, t)
		}
	}
	if len(short) == 0 {
		if len(c.silent) > 0 {
			return c.silent[0]
		}
		return errors.New("tool choice: no tool may be called")
	}
	best := short[0]
	for _, t := range short {
		if size[t] < size[best] {
			best = t
		}
	}
	c.single = []toolcall.ToolInvocation{best.full}
	var second *tool
	for _, t := range short {
		if t != best && (second == nil || size[t] < size[second]) {
			second = t
		}
	}
	// What may be left out is left out of two calls: that it can be is to be seen,
	// too.
	c.double = []toolcall.ToolInvocation{best.least, best.other}
	if second != nil {
		c.double[1] = second.least
	}
	return nil
}

// write writes calls as one turn, and has made sure that they read back.
func (c *composer) write(calls []toolcall.ToolInvocation) (string, error) {
	if f := c.formatter(); f.Example != nil {
		text, err := f.Example(calls)
		if err != nil {
			return "", fmt.Errorf("example formatter: %w", err)
		}
		return text, c.check(text, calls)
	}
	var shown []*tool
	for _, t := range c.tools {
		for _, call := range calls {
			if call.Name == t.Name {
				shown = append(shown, t)
				break
			}
		}
	}
	write, err := writer(c.dialect, shown...)
	if err != nil {
		return "", err
	}
	return write(calls...)
}
