package toolparse

import (
	"encoding/json"
	"fmt"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/grammar"
	"github.com/toolparse/toolparse/internal/manifest"
)

// ManifestOptions choose the form of a [Manifest]. The zero value is the usual one.
type ManifestOptions struct {
	// Provider names the provider whose models read the manifest. It limits the names of
	// tools to what that provider accepts, and decides whether there is a prefill.
	Provider string
	// Style is "template" for the form of the models' own chat template, "teach" for a text
	// that teaches any model, or "compact" for a short one. "" means "template" where the
	// dialect knows one, or else "teach".
	Style string
	// Choice restricts which tools may be called. The manifest shows all tools anyway.
	Choice chat.ToolChoice
	// Parallel set to chat.Off asks the model for no more than one call in an answer.
	Parallel chat.Switch
	// Examples are calls to show to the model, by the name of the tool, besides those made
	// from its schema. Their arguments must fit the schema.
	Examples map[string][]Example
	// Formatters replace the built-in form of tools and calls. The key is the name of a
	// provider or, if the provider has no entry, of a dialect.
	Formatters map[string]Formatter
}

// Example is a call of a tool.
type Example struct {
	About     string          // what the call does; may be empty
	Arguments json.RawMessage // a JSON object
}

// Formatter writes tools and calls for a manifest. A nil function means the built-in form.
type Formatter struct {
	// Schema writes the definition of a tool.
	Schema func(ToolDefinition) (string, error)
	// Example writes the calls of one turn. [Kit.Manifest] fails if the kit's dialect does
	// not read those calls back.
	Example func([]ToolInvocation) (string, error)
}

// Manifest is the section of a system prompt that describes the kit's tools to a model. It is
// immutable and safe for concurrent use.
type Manifest struct{ of *manifest.Manifest }

// Manifest composes the manifest of the kit's tools in its dialect. [Kit.Prompt] puts one into
// a whole request. The manifest is empty if there are no tools, or if the dialect's calls are
// not text. Manifest fails if the kit has no single dialect; other errors name the tool and the
// place in its schema.
func (k *Kit) Manifest(opts ManifestOptions) (*Manifest, error) {
	d, err := k.onlyDialect("Manifest")
	if err != nil {
		return nil, err
	}
	style, ok := map[string]manifest.Style{
		"": manifest.StyleAuto, "template": manifest.StyleTemplate, "teach": manifest.StyleTeach, "compact": manifest.StyleCompact,
	}[opts.Style]
	if !ok {
		return nil, fmt.Errorf("toolparse: unknown style %q of a manifest; want template, teach or compact", opts.Style)
	}
	internal := manifest.Options{
		Dialect: d, Provider: opts.Provider, Style: style, Choice: opts.Choice, Parallel: opts.Parallel, Texts: k.texts,
		Examples: map[string][]manifest.Example{}, Formatters: map[string]manifest.Formatter{},
	}
	for tool, list := range opts.Examples {
		for _, e := range list {
			internal.Examples[tool] = append(internal.Examples[tool], manifest.Example(e))
		}
	}
	for name, f := range opts.Formatters {
		internal.Formatters[name] = manifest.Formatter(f)
	}
	m, err := manifest.New(k.opts.Tools, internal)
	if err != nil {
		return nil, err
	}
	return &Manifest{m}, nil
}

// onlyDialect returns the kit's dialect, for a method that needs exactly one.
func (k *Kit) onlyDialect(method string) (*dialect.Dialect, error) {
	dialects, err := k.dialects(Text)
	if err == nil && len(dialects) != 1 {
		err = fmt.Errorf("toolparse: %s needs one dialect: set Options.Dialect, Model or Custom", method)
	}
	if err != nil {
		return nil, err
	}
	return dialects[0], nil
}

// Text returns the section, followed by the text that the template has after the conversation.
func (m *Manifest) Text() string { return m.of.Text() }

// Inject returns a system prompt with the manifest in it: at the placeholder {{tools}}, or else
// where the template has it, which is mostly the end. A prompt that already contains the
// manifest stays as it is.
func (m *Manifest) Inject(system string) string { return m.of.Inject(system) }

// Stop returns at most four stop sequences for the request: anything that the model writes
// after one of them would be a result that it made up.
func (m *Manifest) Stop() []string { return m.of.Stop() }

// Prefill returns the beginning of the answer if the tool choice requires a call and the
// provider continues a message of the assistant; otherwise "". It belongs in [Options.Prefill]
// of the kit that reads the answer.
func (m *Manifest) Prefill() string { return m.of.Prefill() }

// GrammarOptions choose the calls that a grammar allows.
type GrammarOptions struct {
	// Choice says which tools may be called, and whether a call is required.
	Choice chat.ToolChoice
	// Single allows at most one call in a message.
	Single bool
	// Text makes a GBNF grammar allow any text before the calls, and text alone if no call
	// is required, for servers without lazy grammars.
	Text bool
}

// Grammar returns a grammar that makes a server sample only calls of the kit's tools in its
// dialect, with arguments that fit their schemas. The format is "gbnf" for llama.cpp,
// "json-schema" for dialects that are pure JSON, or "structural-tag" for vLLM and SGLang. The
// losses list the tools and the optional parameters that the grammar leaves out, each with the
// reason. Grammar fails if the kit has no single dialect, if the format cannot express the
// dialect, and if no call would be allowed.
func (k *Kit) Grammar(format string, opts GrammarOptions) ([]byte, []Loss, error) {
	d, err := k.onlyDialect("Grammar")
	if err != nil {
		return nil, nil, err
	}
	return grammar.Write(d, grammar.Format(format), grammar.Options{Tools: k.opts.Tools, Choice: opts.Choice, Single: opts.Single, Text: opts.Text})
}
