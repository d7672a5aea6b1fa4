// Package all lists the argument syntaxes. A new one is a folder beside this one and a line
// in list.
package all

import (
	"iter"
	"maps"
	"slices"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/internal/syntax/gemma"
	"github.com/toolparse/toolparse/internal/syntax/nested"
	"github.com/toolparse/toolparse/internal/syntax/pairs"
	"github.com/toolparse/toolparse/internal/syntax/python"
	"github.com/toolparse/toolparse/internal/syntax/raw"
	"github.com/toolparse/toolparse/internal/syntax/tags"
	"github.com/toolparse/toolparse/internal/syntax/yaml"
)

// JSON is not listed: the parser reads it itself, as it reads JSON elsewhere.
var list = map[dialect.ArgsForm]*syntax.Syntax{
	dialect.ArgsGemma:  &gemma.Syntax,
	dialect.ArgsPairs:  &pairs.Syntax,
	dialect.ArgsPython: &python.Syntax,
	dialect.ArgsRaw:    &raw.Syntax,
	dialect.ArgsTags:   &tags.Syntax,
	dialect.ArgsYAML:   &yaml.Syntax,
}

// Of returns the syntax of a form of arguments, or nil.
func Of(a *dialect.Args) *syntax.Syntax {
	if a.Form == dialect.ArgsPairs && a.Nested {
		return &nested.Syntax
	}
	return list[a.Form]
}

// Syntaxes yields all of them, each with arguments of its form.
func Syntaxes() iter.Seq2[dialect.Args, *syntax.Syntax] {
	return func(yield func(dialect.Args, *syntax.Syntax) bool) {
		for form, s := range list {
			if !yield(dialect.Args{Form: form}, s) {
				return
			}
		}
		yield(dialect.Args{Form: dialect.ArgsPairs, Nested: true}, &nested.Syntax)
	}
}

// Forms returns the forms of arguments in the list, sorted.
func Forms() []dialect.ArgsForm { return slices.Sorted(maps.Keys(list)) }
