package parser

import (
	"slices"
	"sync"

	"github.com/toolparse/toolparse/internal/dialect"
)

// foreignDialects returns the built-in dialects, for calls that are recovered.
var foreignDialects = sync.OnceValue(func() []*compiledDialect {
	var list []*compiledDialect
	for _, d := range dialect.All() {
		list = append(list, newDialect(d))
		list[len(list)-1].foreign = true
	}
	return list
})

// addForeign adds the openers of all dialects of the table except those asked for.
func (g *grammar) addForeign(asked []*compiledDialect) {
	seen := map[string]bool{} // the first of several forms with one surface counts
	for _, d := range foreignDialects() {
		known := func(a *compiledDialect) bool { return a.Name == d.Name }
		if slices.ContainsFunc(asked, known) {
			continue
		}
		g.addNewOpeners(d, func(f *form) bool {
			surface := f.surface()
			if seen[surface] {
				return false
			}
			seen[surface] = true
			return true
		})
		if headerForms(d.Dialect) > 0 {
			g.addHeaders(newChannelForm(d))
		}
	}
}
