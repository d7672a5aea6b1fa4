package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/internal/near"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

// manifestFlags are the flags of the manifest command.
type manifestFlags struct {
	dialect, model, provider string
	choiceFlags
	system, style  string
	compact, stats bool
}

func (c *cli) manifestCommand() *cobra.Command {
	var f manifestFlags
	cmd := &cobra.Command{
		Use:   "manifest (-d DIALECT | --model ID | --provider NAME) -t TOOLS [flags]",
		Short: "Print the tool section of a system prompt",
		Long: `manifest prints the section of a system prompt that tells a model which tools it
has and how to call them in a dialect that parse -d reads. If toolparse knows the chat
template of the dialect's models, the section lists the tools in the template's form,
byte for byte (--style template). Otherwise, or with --style teach, it teaches any model:
it lists the tools, shows one call and several, and says what to do if no tool is needed
and how results come back. With --system it prints the whole prompt, with the section
where the template has it, at the end, or in place of ` + manifest.Placeholder + `.

These providers have a form of their own: ` + strings.Join(manifest.Providers(), ", ") + `.
The models of other providers learn plain JSON. $` + envDialect + ` overrides the form of a provider.`,
		Example: `  # The tools, for a model that should write XML
  echo '[{"name": "add", "parameters": {"properties": {"a": {"type": "integer"}}}}]' >/tmp/tools.json
  toolparse manifest -d xml -t /tmp/tools.json

  # A whole system prompt for one of Gemini's models
  echo 'Answer briefly.' >/tmp/prompt.txt
  toolparse manifest --provider gemini -t /tmp/tools.json --system /tmp/prompt.txt

  # How many bytes and tokens it costs
  toolparse manifest -d hermes -t /tmp/tools.json --compact --stats`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return c.printManifest(f) },
	}
	target := newFlagGroup("For whom")
	target.StringVarP(&f.dialect, "dialect", "d", "", "teach this `DIALECT`, or one from a file that defines it")
	target.StringVar(&f.model, "model", "", "use the dialect of the model `ID`, such as Qwen/Qwen3-Coder-30B")
	target.StringVar(&f.provider, "provider", "", "teach the models of the provider `NAME`")
	what := newFlagGroup("What")
	f.declare(what, "auto, none, required", "show all tools, but allow calls only of these `NAMES`")
	what.StringVar(&f.system, "system", "", "insert the section into the system prompt in `FILE`; - is standard input")
	out := newFlagGroup("Output")
	out.Var(oneOf(&f.style, slices.Sorted(maps.Keys(styles))), "style", "`STYLE` of the section: template (the default where the models' template is known) or teach")
	out.BoolVar(&f.compact, "compact", false, "print each tool on one line, in fewer words; implies --style teach")
	out.BoolVar(&f.stats, "stats", false, "print bytes and estimated tokens in each style, per tool and in total, instead")
	c.setHelp(cmd, exitCodes("done", "a file could not be read, or the dialect cannot express a tool"), target, what, out)
	return cmd
}

// manifestOptions returns the options that the flags choose.
func (c *cli) manifestOptions(f manifestFlags) (opts manifest.Options, err error) {
	opts = manifest.Options{Provider: f.provider, Parallel: wire.SwitchOf(f.parallel)}
	if opts.Choice, err = f.toolChoice("manifest"); err != nil {
		return opts, err
	}
	opts.Style = styles[f.style] // or the zero value, StyleAuto
	switch {
	case opts.Style == manifest.StyleTemplate && f.compact:
		return opts, usagef("--compact is a form of --style teach")
	case f.compact:
		opts.Style = manifest.StyleCompact
	}
	if opts.Dialect, err = c.taughtDialect(f.dialect, f.model, f.provider); err != nil {
		return opts, err
	}
	if d := opts.Dialect; opts.Style == manifest.StyleTemplate && !d.Native() && !manifest.HasTemplate(d) {
		return opts, usagef("--style template: no chat template is known for %s; use teach", d.Name)
	}
	return opts, nil
}

func (c *cli) printManifest(f manifestFlags) error {
	opts, err := c.manifestOptions(f)
	if err != nil {
		return err
	}
	var m *manifest.Manifest
	var tools []toolcall.ToolDefinition
	err = c.teach(f.tools, opts.Choice, func(list []toolcall.ToolDefinition) (err error) {
		tools = list
		m, err = manifest.New(tools, opts)
		return err
	})
	if err != nil {
		return err
	}
	for _, why := range m.Uncallable() {
		c.warn("%v", why)
	}
	if m.Text() == "" && opts.Dialect.Native() {
		c.warn("calls in %s are not text: send the tools to the provider's API", opts.Dialect.Name)
	}
	if f.stats {
		return c.printStats(tools, opts)
	}
	text := m.Text()
	if f.system != "" {
		system, err := c.readFile(f.system)
		if err != nil {
			return fmt.Errorf("--system: %w", err)
		}
		text = m.Inject(string(system))
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err = io.WriteString(c.stdout, text)
	return err
}

// taughtDialect returns the dialect that -d, --model, --provider or the environment
// selects.
func (c *cli) taughtDialect(dialect, model, provider string) (*dialect.Dialect, error) {
	if (dialect != "" || model != "") && provider != "" {
		return nil, usagef("-d and --model cannot be combined with --provider")
	}
	choice, err := c.modelChoice(dialect, model)
	switch {
	case err != nil:
		return nil, err
	case choice.custom != nil:
		return choice.custom, nil
	case choice.name == "" && provider == "":
		return nil, usagef("expected -d DIALECT, --model ID or --provider NAME")
	}
	if similar := nearProvider(provider); similar != "" {
		return nil, usagef("--provider: unknown provider %q; did you mean %s? For plain JSON use --provider default", provider, similar)
	}
	d, err := manifest.ForProvider(provider, choice.name)
	if err != nil {
		return nil, usagef("%s: %v", choice.from, err)
	}
	return d, nil
}

// nearProvider returns the provider that a misspelt name seems to mean, or "" if the
// name is known or similar to none.
func nearProvider(name string) string {
	known := slices.Concat(manifest.Providers(), []string{"claude", "google", "xai", "default"}, wires())
	if slices.Contains(known, strings.ToLower(name)) {
		return ""
	}
	return strings.Join(near.Names(strings.ToLower(name), known, 1), "")
}

// styles are the values of --style.
var styles = map[string]manifest.Style{"template": manifest.StyleTemplate, "teach": manifest.StyleTeach}

// printStats prints the size of the tools as JSON, and in each style that the dialect
// has.
func (c *cli) printStats(tools []toolcall.ToolDefinition, opts manifest.Options) error {
	w := c.newTable()
	head, rows := "TOOL\tJSON", make([]string, len(tools)+2)
	raw := 0
	for i, t := range tools {
		body, err := json.Marshal(map[string]any{"type": "function", "function": t})
		if err != nil {
			return err
		}
		raw += len(body)
		rows[i] = fmt.Sprintf("%s\t%d", t.Name, len(body))
	}
	rows[len(tools)], rows[len(tools)+1] = "(fixed)\t0", fmt.Sprintf("(total)\t%d", raw)
	compact := opts.Style == manifest.StyleCompact
	for _, name := range []string{"template", "teach"} {
		opts.Style = styles[name]
		if opts.Style == manifest.StyleTemplate && (compact || !manifest.HasTemplate(opts.Dialect)) {
			continue
		}
		if compact {
			opts.Style = manifest.StyleCompact
		}
		m, err := manifest.New(tools, opts)
		if err != nil {
			return err
		}
		s := m.Stats()
		if len(s.Tools) != len(tools) { // calls in the dialect are not text
			continue
		}
		head += "\t" + strings.ToUpper(name) + "\tTOKENS"
		for i, cost := range append(s.Tools, s.Fixed, s.Total) {
			rows[i] += fmt.Sprintf("\t%d\t%d", cost.Bytes, cost.Tokens)
		}
	}
	fmt.Fprintln(w, head+"\n"+strings.Join(rows, "\n"))
	return w.Flush()
}
