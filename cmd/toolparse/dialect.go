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
	name   string           // "" if the user named none
	from   string           // the flag or variable that named it, for messages
	custom *dialect.Dialect // from a dialect file; may be nil
	// native is the model that the user named, if it calls tools only natively.
	native string
}

// dialectChoice returns the dialect of the flag, or else of the environment. It fails
// if there is no such dialect.
func (c *cli) dialectChoice(flag string) (dialectChoice, error) {
	choice := dialectChoice{name: flag, from: "-d, --dialect"}
	if flag == "" {
		choice = dialectChoice{name: c.getenv(envDialect), from: "$" + envDialect}
	}
	if choice.name == "" {
		return choice, nil
	}
	if isDialectFile(choice.name) {
		custom, err := c.readDialect(choice.name)
		if err != nil {
			return choice, fmt.Errorf("%s: %w", choice.from, err)
		}
		choice.custom = custom
		return choice, nil
	}
	if _, err := dialect.Named(choice.name, ""); err != nil {
		return choice, usagef("%s: %v", choice.from, dialectError(choice.name, err))
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
	choice := dialectChoice{name: d.Name, from: "--model"}
	if d.Native() {
		choice.native = model
	}
	return choice, nil
}

// one returns the dialect, and fails if the name stands for several.
func (d dialectChoice) one() (*dialect.Dialect, error) {
	if d.custom != nil {
		return d.custom, nil
	}
	dialects, err := dialect.Named(d.name, "")
	switch {
	case err != nil:
		return nil, err
	case len(dialects) > 1:
		return nil, usagef("%s: %q means several dialects; choose one", d.from, d.name)
	}
	return dialects[0], nil
}

// isDialectFile reports whether a name is a file's and not a dialect's.
func isDialectFile(name string) bool {
	return strings.HasSuffix(name, ".json") || strings.ContainsAny(name, `/\`)
}

// readDialect reads a dialect from a file.
func (c *cli) readDialect(name string) (*dialect.Dialect, error) {
	data, err := c.readFile(name)
	if err != nil {
		return nil, err
	}
	d, err := parser.ReadDialect(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// dialectError words the error of dialect.Named for a user.
func dialectError(name string, err error) error {
	if _, ok := errors.AsType[*dialect.UnknownError](err); !ok {
		return err
	}
	return fmt.Errorf("unknown dialect %q%s (toolparse dialects lists them)", name, didYouMean(name, dialectNames()))
}

// dialectNames lists the values of -d, without aliases.
func dialectNames() []string {
	names := []string{"auto", "json"}
	for _, d := range dialect.All() {
		names = append(names, d.Name)
	}
	return names
}
