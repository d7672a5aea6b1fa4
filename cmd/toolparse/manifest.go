package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/near"
	"github.com/toolparse/toolparse/manifest"
	"github.com/toolparse/toolparse/parser"
)

// manifestFlags are the flags of the manifest command.
type manifestFlags struct {
	dialect, model, provider string
	tools                    []string
	system                   string

	choice   string
	allow    []string
	parallel bool

	compact, stats bool
}

func (c *cli) manifestCommand() *cobra.Command {
	f := manifestFlags{choice: "auto", parallel: true}
	cmd := &cobra.Command{
		Use:   "manifest (-d DIALECT | --model ID | --provider NAME) -t TOOLS [flags]",
		Short: "Print what tells a model its tools, in its system prompt",
		Long: `manifest prints the section of a system prompt that tells a model which tools it
has and how to call them, so that parse -d reads what it writes: the tools, a
call, several calls, when none is needed, and how results come back. With --system
it prints that prompt with the section at its end, or in the place of ` + manifest.Placeholder + `.

Providers with a form of their own are ` + strings.Join(manifest.Providers(), ", ") + `;
any other is taught plain JSON. $` + envDialect + ` overrides a provider's form.`,
		Example: `  # The tools, for a model that is asked to write XML
  toolparse manifest -d xml -t tools.json

  # A whole system prompt for a model of Gemini's
  toolparse manifest --provider gemini -t tools.json --system prompt.txt

  # What it costs
  toolparse manifest -d hermes -t tools.json --compact --stats`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return c.printManifest(f) },
	}
	target := newFlagGroup("For whom")
	target.flags.StringVarP(&f.dialect, "dialect", "d", "", "the `DIALECT` that is taught, or a file that defines it")
	target.flags.StringVar(&f.model, "model", "", "the dialect of a model, by its `ID`, such as Qwen/Qwen3-Coder-30B")
	target.flags.StringVar(&f.provider, "provider", "", "the provider `NAME` whose models are taught")
	what := newFlagGroup("What")
	what.flags.StringArrayVarP(&f.tools, "tools", "t", nil, "a `FILE` of tools, in OpenAI, Anthropic, Gemini or MCP shape; may be repeated")
	what.flags.StringVar(&f.system, "system", "", "a `FILE` with the system prompt that the section goes into; - is standard input")
	what.flags.StringVar(&f.choice, "choice", f.choice, "`CHOICE` of calls: auto, none, required, or the name of the one tool to call")
	what.flags.StringSliceVar(&f.allow, "allow", nil, "the `NAMES` of the only tools that may be called; all are shown")
	what.flags.BoolVar(&f.parallel, "parallel", true, "an answer may hold several calls")
	out := newFlagGroup("Output")
	out.flags.BoolVar(&f.compact, "compact", false, "each tool on one line, in fewer words")
	out.flags.BoolVar(&f.stats, "stats", false, "print bytes and estimated tokens, by tool and in all, instead")
	setHelp(cmd, helpPage{groups: []flagGroup{target, what, out}, notes: `
Exit codes:
  0  done
  1  a file could not be read, or a tool cannot be taught
  2  the command line was wrong
`})
	completeWords(cmd, "dialect", dialectNames())
	completeWords(cmd, "provider", manifest.Providers())
	return cmd
}

func (c *cli) printManifest(f manifestFlags) error {
	if len(f.tools) == 0 {
		return usagef("manifest needs -t TOOLS")
	}
	choice, err := toolChoice(f.choice, f.allow)
	if err != nil {
		return err
	}
	d, err := c.taughtDialect(f.dialect, f.model, f.provider)
	if err != nil {
		return err
	}
	tools, err := c.taughtTools(f.tools)
	if err != nil {
		return err
	}
	m, err := manifest.New(manifest.Of(tools...), manifest.Options{
		Dialect: d, Provider: f.provider, Compact: f.compact, Choice: choice, Parallel: chat.SwitchOf(f.parallel),
	})
	if err != nil {
		return err
	}
	for _, why := range m.Uncallable() {
		c.warn("%v", why)
	}
	if m.Text() == "" && len(tools) > 0 {
		c.warn("in %s calls are no text: send the tools to the provider's API", d.Name)
	}
	if f.stats {
		return c.printStats(m.Stats())
	}
	text := m.Text()
	if f.system != "" {
		system, err := c.readAll(f.system)
		if err != nil {
			return fmt.Errorf("--system: %s: %w", showName(f.system), err)
		}
		text = m.Inject(system)
	}
	_, err = io.WriteString(c.stdout, text)
	return err
}

// taughtDialect is the dialect that -d, --model and --provider, or the environment,
// ask for.
func (c *cli) taughtDialect(dialect, model, provider string) (*parser.Dialect, error) {
	if (dialect != "" || model != "") && provider != "" {
		return nil, usagef("-d and --model exclude --provider")
	}
	choice, err := c.modelChoice(dialect, model)
	switch {
	case err != nil:
		return nil, err
	case choice.own != nil:
		return choice.own, nil
	case choice.name == "" && provider == "":
		return nil, usagef("expected -d DIALECT, --model ID or --provider NAME")
	}
	if meant := nearProvider(provider); meant != "" {
		return nil, usagef("--provider: unknown provider %q; did you mean %s? One that has no form of its own is taught plain JSON: --provider default", provider, meant)
	}
	d, err := manifest.ForProvider(provider, choice.name)
	if err != nil {
		return nil, usagef("%s: %v", choice.from, err)
	}
	return d, nil
}

// nearProvider is the provider that a name which is none seems to be meant for; ""
// where it is known, or like none.
func nearProvider(name string) string {
	known := append(manifest.Providers(), "claude", "google", "xai", "default")
	for _, w := range format.Wires() {
		known = append(known, string(w))
	}
	if slices.Contains(known, strings.ToLower(name)) {
		return ""
	}
	return strings.Join(near.Names(strings.ToLower(name), known, 1), "")
}

// toolChoice reads --choice and --allow; allow is nil where the flag is not there.
func toolChoice(word string, allow []string) (chat.ToolChoice, error) {
	if allow != nil && len(allow) == 0 || slices.Contains(allow, "") {
		return chat.ToolChoice{}, usagef("--allow: expected NAMES of tools, none of them empty")
	}
	switch word {
	case "", "auto":
		return chat.ToolChoice{Mode: chat.ChoiceAuto, Tools: allow}, nil
	case "none":
		return chat.ToolChoice{Mode: chat.ChoiceNone}, nil
	case "required":
		return chat.ToolChoice{Mode: chat.ChoiceRequired, Tools: allow}, nil
	}
	if allow != nil && !slices.Contains(allow, word) {
		return chat.ToolChoice{}, usagef("--choice %s: --allow lets only %s be called", word, strings.Join(allow, ", "))
	}
	return chat.ToolChoice{Mode: chat.ChoiceOne, Tools: []string{word}}, nil
}

// readAll reads a FILE operand that is a text.
func (c *cli) readAll(name string) (string, error) {
	in, err := c.open(name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxBody+1))
	if len(text) > maxBody {
		return "", fmt.Errorf("longer than %d MiB", maxBody>>20)
	}
	return string(text), withoutPath(err)
}

func (c *cli) printStats(s manifest.Stats) error {
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TOOL\tBYTES\tTOKENS")
	for _, t := range s.Tools {
		fmt.Fprintf(w, "%s\t%d\t%d\n", t.Name, t.Bytes, t.Tokens)
	}
	fmt.Fprintf(w, "(fixed)\t%d\t%d\n", s.Fixed.Bytes, s.Fixed.Tokens)
	fmt.Fprintf(w, "(total)\t%d\t%d\n", s.Total.Bytes, s.Total.Tokens)
	return w.Flush()
}
