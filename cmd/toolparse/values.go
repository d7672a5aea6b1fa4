package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/toolparse/toolparse/internal/toolfile"
	"github.com/toolparse/toolparse/toolcall"
)

// oneOf returns a flag that takes one of a few words.
func oneOf[T ~string](value *T, words []string) pflag.Value { return word[T]{value, words} }

type word[T ~string] struct {
	value *T
	words []string
}

func (f word[T]) String() string    { return string(*f.value) }
func (f word[T]) Type() string      { return "string" }
func (f word[T]) choices() []string { return f.words }

func (f word[T]) Set(s string) error {
	if slices.Contains(f.words, s) {
		*f.value = T(s)
		return nil
	}
	return fmt.Errorf("expected one of %s, got %q", strings.Join(f.words, ", "), s)
}

// count returns a flag that takes an integer of at least least.
func count[T int | int64 | uint64](value *T, least T) pflag.Value { return number[T]{value, least} }

type number[T int | int64 | uint64] struct {
	value *T
	least T
}

func (f number[T]) Type() string { return "int" }

// String returns "" for 0 below least, which leaves the default to the library.
func (f number[T]) String() string {
	if *f.value < f.least {
		return ""
	}
	return fmt.Sprint(*f.value)
}

func (f number[T]) Set(s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if (err == nil && n != int64(T(n)) || errors.Is(err, strconv.ErrRange)) && !strings.HasPrefix(s, "-") {
		return fmt.Errorf("%q is too large", s)
	}
	if err != nil || n != int64(T(n)) || T(n) < f.least {
		return fmt.Errorf("expected a whole number of at least %d, got %q", f.least, s)
	}
	*f.value = T(n)
	return nil
}

// readTools reads the tool definitions of several files.
func (c *cli) readTools(files []string) ([]toolcall.ToolDefinition, error) {
	list, err := c.readToolList(files)
	c.tellWarnings(list, nil)
	return list.Definitions(), err
}

// tellWarnings prints the warnings of a list, except those about words that err names.
func (c *cli) tellWarnings(list toolfile.List, err error) {
	for _, w := range list.Warnings {
		if err == nil || w.Word == "" || !strings.Contains(err.Error(), strconv.Quote(w.Word)) {
			c.warn("%s", w.Text)
		}
	}
}

// readToolList reads the tools of several files, and fails if two declare the same
// tool. The warnings name the file.
func (c *cli) readToolList(files []string) (toolfile.List, error) {
	var all toolfile.List
	home := map[string]string{}
	for _, file := range files {
		text, err := c.readFile(file)
		if err != nil {
			return toolfile.List{}, err
		}
		list, err := toolfile.ParseList(text)
		if broken, ok := errors.AsType[*toolfile.Error](err); ok {
			broken.File = showName(file)
		}
		if err != nil {
			return toolfile.List{}, err
		}
		for _, w := range list.Warnings {
			w.Text = showName(file) + ": " + w.Text
			all.Warnings = append(all.Warnings, w)
		}
		for _, t := range list.Tools {
			if first, dup := home[t.Name]; dup {
				return toolfile.List{}, fmt.Errorf("%s: tool %q is also declared in %s", showName(file), t.Name, showName(first))
			}
			home[t.Name] = file
		}
		all.Tools, all.Hosted = append(all.Tools, list.Tools...), append(all.Hosted, list.Hosted...)
	}
	return all, nil
}
