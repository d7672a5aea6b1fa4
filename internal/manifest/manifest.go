// Package manifest writes the section of a system prompt that tells a model which tools
// it has and how to call them, so that package parser can read the calls.
//
// [New] composes the section for one dialect or provider: the tools, one call, several
// calls, what to do when no call is needed, how results come back, and the tool choice.
// Before it shows an example, it validates the arguments against the tool's schema and
// reads the call back with the parser. A text whose pattern it cannot satisfy is shown as
// "...": give an example in [Options.Examples] to replace it.
package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/neutralize"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/recent"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/internal/toolset"
	"github.com/toolparse/toolparse/toolcall"
)

// Options choose the model that a manifest addresses, and its form.
type Options struct {
	// Dialect is the syntax of calls to teach. If it is nil, [ForProvider] chooses one.
	Dialect *dialect.Dialect
	// Provider names the provider whose models read the manifest; it may be empty. It
	// decides whether there is a prefill, and limits the names of tools to what
	// providers accept.
	Provider string

	// Style chooses between the form of the models' own chat template and a text that
	// teaches any model. By default it is the template's, where the dialect knows one.
	Style Style

	// Choice restricts which tools may be called. The manifest shows all tools anyway.
	Choice chat.ToolChoice
	// Parallel set to chat.Off asks the model for no more than one call in an answer.
	Parallel chat.Switch

	// Examples are calls to show to the model, by the name of the tool, besides those made
	// from its schema. Their arguments must fit the schema. Those of other tools are ignored.
	Examples map[string][]Example

	// Texts remembers the system prompts that the manifest was put into. Nil remembers none.
	Texts *recent.Texts

	// Formatters replace the built-in form of tools and calls. The key is the name of a
	// provider or, if the provider has no entry, of a dialect.
	Formatters map[string]Formatter
}

// Style is the form of a manifest.
type Style uint8

// The styles.
const (
	StyleAuto Style = iota
	// StyleTemplate shows the tools as the chat template of the dialect's models does: in
	// the same form and at the same place, but with our sentences.
	StyleTemplate
	// StyleTeach explains a dialect to models that were not trained on it, with examples.
	StyleTeach
	// StyleCompact is a short form of StyleTeach: each tool is a signature on one line, with
	// fewer sentences around the tools. It leaves out the descriptions of nested members,
	// titles, examples, and the keywords deprecated, readOnly and writeOnly.
	StyleCompact
)

// HasTemplate reports whether the form of the models' own chat template is known.
func HasTemplate(d *dialect.Dialect) bool { return d.Show.Template != "" }

// templated reports whether the manifest has the form of the models' own template.
func (o *Options) templated() bool {
	return o.Style == StyleTemplate || o.Style == StyleAuto && o.Dialect != nil && HasTemplate(o.Dialect)
}

// Formatter writes tools and calls for a manifest. A nil function means the built-in
// form.
type Formatter struct {
	// Schema writes the definition of a tool.
	Schema func(toolcall.ToolDefinition) (string, error)
	// Example writes the calls of one turn. [New] fails if the dialect's parser does not
	// read those calls back.
	Example func(calls []toolcall.ToolInvocation) (string, error)
}

// Manifest is the section of a system prompt that describes tools to a model. It is
// immutable and safe for concurrent use.
type Manifest struct {
	dialect    *dialect.Dialect
	opts       Options
	text       string
	closing    string // text of a message after the conversation
	stop       []string
	prefill    string
	stats      Stats
	uncallable []error
	maker      uint64 // of what Options.Texts keeps
}

// New composes a manifest. The manifest is empty if there are no tools, or if the
// dialect's calls are not text. Errors name the tool and the place in its schema.
func New(tools []toolcall.ToolDefinition, opts Options) (*Manifest, error) {
	list, err := checked(tools, &opts)
	if err != nil {
		return nil, err
	}
	m := &Manifest{dialect: opts.Dialect, opts: opts, maker: opts.Texts.NewMaker()}
	if len(list) == 0 || opts.Dialect.Head.Form == "" {
		return m, nil
	}
	c, err := newComposer(opts.Dialect, list, &opts)
	if err == nil {
		err = c.checkMarkup()
	}
	if err != nil {
		return nil, err
	}
	if m.text, err = c.compose(); err != nil {
		return nil, err
	}
	m.closing = c.closing()
	m.stats, m.uncallable = c.stats, c.uncallable
	m.stop, m.prefill = c.stops(), c.prefill()
	return m, nil
}

// Text returns the section, followed by the text that the template has after the
// conversation.
func (m *Manifest) Text() string {
	if m.closing == "" {
		return m.text
	}
	return strings.TrimRight(m.text, "\n") + "\n\n" + m.closing
}

// Uncallable returns an error for each tool that cannot be called in the dialect, and for
// each parameter that the dialect cannot write because its name is empty. The manifest
// shows them, but the model has no way to use them.
func (m *Manifest) Uncallable() []error { return slices.Clone(m.uncallable) }

// Stop returns at most four stop sequences for the request: anything the model writes
// after one of them would be a result that it made up.
func (m *Manifest) Stop() []string { return slices.Clone(m.stop) }

// Prefill returns the beginning of the answer if the tool choice requires a call and the
// provider continues a message of the assistant; otherwise it returns "". Feed it to the
// parser before the answer.
func (m *Manifest) Prefill() string { return m.prefill }

// composer writes the parts of a manifest.
type composer struct {
	dialect *dialect.Dialect
	opts    *Options
	tools   []*tool
	stats   Stats

	parser      *parser.Compiled
	writer      *text.Writer
	neutralizer *neutralize.Neutralizer

	single, double []toolcall.ToolInvocation
	example        string // the text of single
	uncallable     []error
}

func newComposer(d *dialect.Dialect, tools []*tool, opts *Options) (*composer, error) {
	c := &composer{dialect: d, opts: opts, tools: tools}
	for _, t := range tools {
		t.examples = opts.Examples[t.Name]
	}
	defs, compiled := definitions(tools), schemas(tools)
	var err error
	if c.parser, err = parser.Compile(parser.Options{Dialects: []*dialect.Dialect{c.dialect}, Tools: defs, Schemas: compiled}); err != nil {
		return nil, err
	}
	c.writer, err = text.NewWriter(c.dialect, text.Options{Tools: defs, Schemas: compiled})
	return c, err
}

func (c *composer) compose() (string, error) {
	if err := c.sample(); err != nil {
		return "", err
	}
	tools, err := c.toolTexts()
	if err != nil {
		return "", err
	}
	examples, err := c.examples()
	if err != nil {
		return "", err
	}
	if c.example, err = c.write(c.single); err != nil {
		return "", err
	}
	var text string
	if c.opts.templated() {
		text = c.templated(tools, examples)
	} else if text, err = c.teaching(tools, examples); err != nil {
		return "", err
	}
	c.stats.total(text + c.closing())
	return text, nil
}

// templated returns the section in the form of the models' own template. It adds only the
// examples from the options, and the tool choice.
func (c *composer) templated(tools, examples string) string {
	s := c.style()
	show := c.dialect.ShowForm()
	text := show.Before
	if show.Each != "" {
		for _, t := range c.tools {
			text += strings.ReplaceAll(show.Each, "{name}", t.Name)
		}
	}
	text += s.open + tools + s.close + show.After
	for _, more := range []string{examples, chosen(c.opts.Choice, c.opts.Parallel, "")} {
		if more = strings.TrimSuffix(more, "\n"); more != "" {
			text = strings.TrimRight(text, "\n") + "\n\n" + strings.TrimRight(more, "\n")
		}
	}
	return text
}

// closing returns the text that the template has after the conversation to ask for calls.
func (c *composer) closing() string {
	if !c.opts.templated() || c.opts.Choice.Mode == chat.ChoiceNone {
		return ""
	}
	return c.dialect.ShowForm().Closing
}

// teaching returns the section with sentences that explain the dialect to any model.
func (c *composer) teaching(tools, examples string) (string, error) {
	w := &fullWording
	if c.opts.Style == StyleCompact {
		w = &compactWording
	}
	two := "" // several calls, if a turn may have them
	if c.opts.Parallel != chat.Off {
		var err error
		if two, err = c.write(c.double); err != nil {
			return "", err
		}
	}
	result, err := toolset.Result(c.dialect, c.single[0].Name, resultShown)
	if err != nil {
		return "", err
	}
	s := c.style()
	var b strings.Builder
	b.WriteString(heading)
	if s.guide != noGuide {
		guide := w.guides[s.guide]
		if s.guide == tagGuide && c.hasFreeObject() {
			guide += w.free
		}
		b.WriteString(guide + "\n\n")
	}
	b.WriteString(s.open + tools + s.close + "\n\n" + examples)
	b.WriteString(w.one + closed(c.example) + "\n")
	if two != "" {
		several := w.several
		if c.lists() {
			several = w.list
		}
		b.WriteString(several + closed(two) + "\n")
	}
	b.WriteString(w.rules + chosen(c.opts.Choice, c.opts.Parallel, w.none) + w.results + closed(result))
	return b.String(), nil
}

// lists reports whether the calls of one turn are shown as one list.
func (c *composer) lists() bool {
	opens := func(s string) bool { return strings.HasSuffix(strings.TrimSpace(s), "[") }
	return c.formatter().Example == nil && (opens(c.dialect.Frame.Section.Open) || opens(c.dialect.Written.List.Open))
}

// style returns how this manifest shows its tools.
func (c *composer) style() style {
	s := styleOf(c.dialect, c.opts.templated())
	if c.opts.Style == StyleCompact {
		s = style{schema: signatureForm, between: "\n", guide: s.guide}
	}
	if f := c.formatter(); f.Schema != nil {
		s.schema, s.callers = func(t *tool, _ int) (string, error) { return f.Schema(t.ToolDefinition) }, true
	}
	return s
}

// formatter returns the caller's formatter for this manifest.
func (c *composer) formatter() Formatter {
	if f, ok := c.opts.Formatters[c.opts.Provider]; ok && c.opts.Provider != "" {
		return f
	}
	return c.opts.Formatters[c.dialect.Name]
}

// toolTexts returns all tools in the form of the style.
func (c *composer) toolTexts() (string, error) {
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

// examples returns the examples of single tools: those from the options, which are
// checked even if the tool choice hides them, and those that a tool needs (needsExample).
func (c *composer) examples() (string, error) {
	var b strings.Builder
	// The compact form shows only once how lists and objects are written.
	nested := nests(c.single[0].Arguments)
	for _, t := range c.tools {
		calls, err := t.checkedExamples()
		if err != nil {
			return "", err
		}
		if !c.showsCalls(t) {
			continue
		}
		if calls == nil && !c.opts.templated() && c.needsExample(t) && !(c.opts.Style == StyleCompact && nested) {
			nested, calls = true, []toolcall.ToolInvocation{t.full}
		}
		for i, call := range calls {
			text, err := c.write([]toolcall.ToolInvocation{call})
			if err != nil {
				return "", fmt.Errorf("tool %q: example %d: %w", t.Name, i+1, err)
			}
			about := "a call of " + t.Name
			if i < len(t.examples) && t.examples[i].About != "" {
				about = c.harmless().text(oneLine(t.examples[i].About))
			}
			text = "Example, " + about + ":\n" + text + "\n\n"
			b.WriteString(text)
			c.stats.add(t.Name, text)
		}
	}
	return b.String(), nil
}

// needsExample reports whether a tool needs an example of its own: its arguments contain
// lists or objects, and the dialect does not write arguments as JSON.
func (c *composer) needsExample(t *tool) bool {
	return t.full.Name != "" && c.dialect.Args.Form != dialect.ArgsJSON && nests(t.full.Arguments)
}

// nests reports whether arguments contain a list or an object.
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

// sample makes calls of all tools, and chooses the shortest ones to show.
func (c *composer) sample() error {
	var short []*tool
	size := map[*tool]int{}
	for _, t := range c.tools {
		if err := t.sample(c.written); err != nil {
			return err
		}
		if t.full.Name == "" {
			c.uncallable = append(c.uncallable, fmt.Errorf("tool %q: the dialect cannot express a call of it: %w", t.Name, t.why))
			continue
		}
		if err := t.checkParameters(c.dialect); err != nil {
			c.uncallable = append(c.uncallable, err)
		}
		if c.showsCalls(t) {
			// A call without arguments shows too little.
			size[t] = len(t.full.Arguments)
			switch {
			case t.loose:
				size[t] = 2 * maxSample
			case size[t] == len("{}"):
				size[t] = maxSample
			}
			short = append(short, t)
		}
	}
	if len(short) == 0 {
		if len(c.uncallable) > 0 {
			return c.uncallable[0]
		}
		return errors.New("tool choice: no tool may be called")
	}
	slices.SortStableFunc(short, func(a, b *tool) int { return size[a] - size[b] })
	c.single = []toolcall.ToolInvocation{short[0].full}
	if c.opts.templated() {
		return nil
	}
	short = short[:min(2, len(short))]
	for _, t := range short {
		t.vary(c.written)
	}
	// The two calls lack optional parameters, to show that these are optional.
	c.double = []toolcall.ToolInvocation{short[0].least, short[0].other}
	if len(short) > 1 {
		c.double[1] = short[1].least
	}
	return nil
}

// write writes calls as one turn, after checking that the parser reads them back.
func (c *composer) write(calls []toolcall.ToolInvocation) (string, error) {
	if f := c.formatter(); f.Example != nil {
		text, err := f.Example(calls)
		if err != nil {
			return "", fmt.Errorf("example formatter: %w", err)
		}
		return text, c.check(text, calls)
	}
	return c.written(calls...)
}

// written writes calls as one turn, and checks that the parser reads them back.
func (c *composer) written(calls ...toolcall.ToolInvocation) (string, error) {
	out, err := c.writer.Append(nil, text.Message{Calls: calls})
	return string(out), err
}
