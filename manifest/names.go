package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/manifest/internal/neutral"
	"github.com/toolparse/toolparse/parser"
)

// What a tool's name may be made of beside ASCII letters and digits, and how long it may
// be: no markup is made of these. That providers take less in their own APIs is nothing to
// calls that are text.
const (
	nameBytes = "_-.:/"
	maxName   = 128
)

// reservedNames are words of a tool choice, which could not be told from a tool.
var reservedNames = []string{"auto", "none", "required", "any"}

// pythonKeywords are words that no function can be named.
var pythonKeywords = strings.Fields(`False None True and as assert async await break class continue def del elif else
	except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`)

// checkName refuses a tool's name that a prompt or the dialect could not carry.
func checkName(name string, d *parser.Dialect) error {
	if slices.Contains(reservedNames, name) {
		return fmt.Errorf("tool %q: name: the name is reserved for the tool choice", name)
	}
	if d.Args.Form == parser.ArgsPython && slices.Contains(pythonKeywords, name) {
		return fmt.Errorf("tool %q: name: it is a reserved word of Python, the syntax of calls in %s", name, d.Name)
	}
	if len(name) > maxName {
		return fmt.Errorf("tool %q: name: a manifest allows at most %d bytes", name, maxName)
	}
	for i, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && !('0' <= r && r <= '9') && !strings.ContainsRune(nameBytes, r) {
			return fmt.Errorf("tool %q: name: a manifest does not allow %q at byte %d: only letters, digits and %s", name, r, i, nameBytes)
		}
	}
	return sayable(name, d)
}

// sayable refuses a name that would not be read back: a word that the dialect has
// another meaning for.
func sayable(name string, d *parser.Dialect) error {
	if err := Writable(d, name, "x", true); err != nil && Writable(d, "get_weather", "x", true) == nil {
		return fmt.Errorf("tool %q: name: the parser would not read it back: %w", name, err)
	}
	return nil
}

// checkMarkup refuses a name that the markup around tools and results has, too.
func (c *composer) checkMarkup() error {
	s := c.style()
	around := []string{s.open, s.markup(), s.close}
	for _, t := range c.tools {
		if marker := neutral.Reserved(c.dialect, t.Name, around...); marker != "" {
			return fmt.Errorf("tool %q: name: %s has the marker %s around tools or results, which would be a call of the tool", t.Name, c.dialect.Name, marker)
		}
	}
	return nil
}
