package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/internal/printable"
)

// maxDetected bounds how many bytes of an input detect reads.
const maxDetected = 1 << 20

// detected is a line of detect --json.
type detected struct {
	File   string `json:"file,omitempty"`
	Model  string `json:"model,omitempty"`
	Native bool   `json:"native,omitempty"` // the model calls tools only natively
	dialect.Guess
}

func (c *cli) detectCommand() *cobra.Command {
	var asJSON bool
	var model string
	cmd := &cobra.Command{
		Use:   "detect [flags] [FILE...]",
		Short: "Find out which dialect a text or a chat template uses",
		Long: `detect finds the dialect of a model's reply, or the dialect that a model's chat
template (its Jinja source) teaches. It lists the likeliest first, with a confidence
from 0 to 1, the number of calls in a reply, and the markers that it found, with
their byte offsets. It reads the first MiB.

With --model it looks up a model in the table of well-known models instead, by its
name on Hugging Face, Ollama or LM Studio, or by the name of a GGUF file. Models
that call tools only natively, such as gpt-4o, have the dialect api_tool_call.`,
		Example: `  # Which dialect is this reply written in?
  printf '<function=add><parameter=a>1</parameter></function>' | toolparse detect

  # Which dialect does a model's template teach? (tokenizer_config.json has it as chat_template)
  printf '<tool_call>\n{"name": {{ f.name }}, "arguments": {{ f.arguments }}}\n</tool_call>' | toolparse detect

  # Which dialect does this model write?
  toolparse detect --model Qwen/Qwen3-Coder-30B-A3B-Instruct`,
		RunE: func(_ *cobra.Command, args []string) error {
			show := c.showGuesses
			if asJSON {
				show = func(guesses []detected) error { return writeLines(c.stdout, guesses) }
			}
			if model != "" {
				if len(args) > 0 {
					return usagef("--model needs no FILE")
				}
				return c.detectModel(model, show)
			}
			return c.detectFiles(fileNames(args), show)
		},
	}
	g := newFlagGroup("Flags")
	g.BoolVar(&asJSON, "json", false, "print one line of JSON per guess")
	g.StringVar(&model, "model", "", "look up the dialect of the model `ID`")
	c.setHelp(cmd, exitCodes("a dialect was found in every input", "an input could not be read, or contains no known dialect"), g)
	return cmd
}

func (c *cli) detectModel(model string, show func([]detected) error) error {
	d, ok := dialect.ForModel(model)
	if !ok {
		c.warn("unknown model %q; toolparse detect finds the dialect from its chat template", model)
		return errReported
	}
	guess := dialect.Guess{Dialect: d, Name: d.Name, Confidence: 1, Evidence: []dialect.Evidence{}}
	return show([]detected{{Model: model, Native: d.Native(), Guess: guess}})
}

func (c *cli) detectFiles(names []string, show func([]detected) error) error {
	return c.eachInput(names, hints{}.describe, func(name string) error {
		guesses, err := c.detectFile(name)
		if err == nil && len(guesses) == 0 {
			err = errors.New("no known dialect found")
		}
		if err != nil {
			return err
		}
		return show(guesses)
	})
}

func (c *cli) detectFile(name string) ([]detected, error) {
	in, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(newSource(c.ctx, in, nil), maxDetected))
	if err != nil {
		return nil, err
	}
	var list []detected
	for _, g := range dialect.Detect(string(text)) {
		list = append(list, detected{File: showName(name), Guess: g})
	}
	return list, nil
}

func (c *cli) showGuesses(guesses []detected) error {
	w := c.newTable()
	fmt.Fprintln(w, "DIALECT\tCONFIDENCE\tCALLS\tEVIDENCE")
	names := len("DIALECT")
	for _, g := range guesses {
		names = max(names, len(g.Name))
	}
	columns, known := c.width() // without a known width, the evidence is printed in full
	room := max(columns-names-len("  CONFIDENCE  CALLS  "), len("EVIDENCE"))
	for _, g := range guesses {
		var evidence []string
		for _, e := range g.Evidence {
			evidence = append(evidence, fmt.Sprintf("%s at %d", printable.Text(e.Marker), e.Offset))
		}
		if g.Model != "" {
			evidence = []string{"the table of models"}
		}
		if g.Native {
			evidence = append(evidence, "it calls natively, by its provider's wire format")
		}
		summary := strings.Join(evidence, ", ")
		if known {
			summary = printable.Fit(summary, room)
		}
		fmt.Fprintf(w, "%s\t%.2f\t%d\t%s\n", g.Name, g.Confidence, g.Calls, summary)
	}
	return w.Flush()
}
