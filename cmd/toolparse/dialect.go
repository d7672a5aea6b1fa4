package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
)

// dialectChoice is the dialect that the user named.
type dialectChoice struct {
	name   string             // "" if the user named none
	from   string             // the flag or variable that named it, for messages
	list   []*dialect.Dialect // what the name stands for
	custom *dialect.Dialect   // from a dialect file; may be nil
}

// dialectChoice returns the dialect of the flag, or else of the environment. It fails
// if there is no such dialect.
func (c *cli) dialectChoice(flag string) (choice dialectChoice, err error) {
	choice = dialectChoice{name: flag, from: "-d, --dialect"}
	if flag == "" {
		choice = dialectChoice{name: c.getenv(envDialect), from: "$" + envDialect}
	}
	if choice.name == "" {
		return choice, nil
	}
	if choice.list, err = c.dialects(choice.name); err != nil {
		return choice, fmt.Errorf("%s: %w", choice.from, err)
	}
	if isDialectFile(choice.name) {
		choice.custom = choice.list[0]
	}
	return choice, nil
}

// modelChoice is dialectChoice for commands that also take --model.
func (c *cli) modelChoice(dialectName, model string) (dialectChoice, error) {
	switch {
	case model == "":
		return c.dialectChoice(dialectName)
	case dialectName != "":
		return dialectChoice{}, usagef("-d and --model cannot be combined")
	}
	d, ok := dialect.ForModel(model)
	if !ok {
		return dialectChoice{}, usagef("--model: unknown model %q; name the dialect with -d (toolparse detect finds it from the model's chat template)", model)
	}
	return dialectChoice{name: d.Name, from: "--model", list: []*dialect.Dialect{d}}, nil
}

// oneDialect returns the dialect of the flag or of the environment, and fails if there is
// none, or if the name stands for several.
func (c *cli) oneDialect(flag string) (*dialect.Dialect, error) {
	choice, err := c.dialectChoice(flag)
	switch {
	case err != nil:
		return nil, err
	case choice.name == "":
		return nil, usagef("expected -d with one DIALECT")
	case len(choice.list) > 1:
		return nil, usagef("%s: %q means several dialects; choose one", choice.from, choice.name)
	}
	return choice.list[0], nil
}

// dialects returns what a name stands for: of a file, the dialect that it defines.
func (c *cli) dialects(name string) ([]*dialect.Dialect, error) {
	if !isDialectFile(name) {
		list, err := dialect.Named(name, "")
		if _, unknown := errors.AsType[*dialect.UnknownError](err); unknown {
			err = usagef("unknown dialect %q%s (toolparse dialects lists them)", name, didYouMean(name, dialectNames()))
		}
		return list, err
	}
	data, err := c.readFile(name)
	if err != nil {
		return nil, err
	}
	d, err := parser.ReadDialect(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return []*dialect.Dialect{d}, nil
}

// isDialectFile reports whether a name is a file's and not a dialect's.
func isDialectFile(name string) bool {
	return strings.HasSuffix(name, ".json") || strings.ContainsAny(name, `/\`)
}

// dialectNames lists the values of -d, without aliases.
func dialectNames() []string {
	names := []string{"auto", "json"}
	for _, d := range dialect.All() {
		names = append(names, d.Name)
	}
	return names
}
