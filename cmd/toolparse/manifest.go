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
		Short: "Print the tool section of a system prompt",
		Long: `manifest prints the section of a system prompt that tells a model which tools it
has and how to call them in a dialect that parse -d reads: the tools, an example
of one call and of several, what to do if no tool is needed, and how results come
back. With --system it prints the whole prompt, with the section at its end or in
place of ` + manifest.Placeholder + `.

These providers have a form of their own: ` + strings.Join(manifest.Providers(), ", ") + `.
The models of any other learn plain JSON. $` + envDialect + ` overrides the form of a provider.`,
		Example: `  # The tools, for a model that should write XML
  toolparse manifest -d xml -t tools.json

  # A whole system prompt for a model of Gemini's
  toolparse manifest --provider gemini -t tools.json --system prompt.txt

  # How many bytes and tokens it costs
  toolparse manifest -d hermes -t tools.json --compact --stats`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return c.printManifest(f) },
	}
	target := newFlagGroup("For whom")
	target.flags.StringVarP(&f.dialect, "dialect", "d", "", "teach this `DIALECT`, or one from a file that defines it")
	target.flags.StringVar(&f.model, "model", "", "use the dialect of the model `ID`, such as Qwen/Qwen3-Coder-30B")
	target.flags.StringVar(&f.provider, "provider", "", "teach the models of the provider `NAME`")
	what := newFlagGroup("What")
	what.flags.StringArrayVarP(&f.tools, "tools", "t", nil, "a `FILE` with tools, in the shape of OpenAI, Anthropic, Gemini or MCP; may be repeated")
	what.flags.StringVar(&f.system, "system", "", "insert the section into the system prompt in `FILE`; - is standard input")
	what.flags.StringVar(&f.choice, "choice", f.choice, "tool `CHOICE`: auto, none, required, or the name of the one tool to call")
	what.flags.StringSliceVar(&f.allow, "allow", nil, "show all tools, but allow calls only of these `NAMES`")
	what.flags.BoolVar(&f.parallel, "parallel", true, "allow several calls in one answer")
	out := newFlagGroup("Output")
	out.flags.BoolVar(&f.compact, "compact", false, "print each tool on one line, in fewer words")
	out.flags.BoolVar(&f.stats, "stats", false, "print bytes and estimated tokens, per tool and in total, instead")
	setHelp(cmd, helpPage{groups: []flagGroup{target, what, out}, notes: `
Exit codes:
  0  done
  1  a file could not be read, or the dialect cannot express a tool
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
		c.warn("calls in %s are not text: send the tools to the provider's API", d.Name)
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
		return nil, usagef("--provider: unknown provider %q; did you mean %s? For plain JSON use --provider default", provider, meant)
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
		return chat.ToolChoice{}, usagef("--choice %s: --allow permits only %s", word, strings.Join(allow, ", "))
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
