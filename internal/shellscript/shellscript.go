// Package shellscript parses shell scripts that nobody trusts.
package shellscript

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Limits of a script. The parser calls itself for each level of nesting. It takes up to 10 KB
// of stack for a bracket and 1.2 KB for any other byte, and a stack of more than 250 MB (1 GB
// where an address has 64 bits) ends the whole program.
const (
	maxBytes    = 100 << 10
	maxBrackets = 8000
)

// ErrTooNested means that a script is too long to be parsed, or may be too nested.
var ErrTooNested = errors.New("the script is too long, or has too many brackets, to be parsed here")

// Parse parses a script of bash. name is for positions. The error is ErrTooNested, or one of
// the parser, such as a [syntax.ParseError].
func Parse(script, name string) (*syntax.File, error) {
	if len(script) > maxBytes || strings.Count(script, "(")+strings.Count(script, "[") > maxBrackets {
		return nil, ErrTooNested
	}
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), name)
}
