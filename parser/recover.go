package parser

import (
	"slices"
	"sync"
)

// foreignDialects returns copies of the table's dialects, for calls that are recovered. The
// copies and their forms are made once.
var foreignDialects = sync.OnceValue(func() []*Dialect {
	list := make([]*Dialect, len(table))
	for i, d := range table {
		own := *d
		own.foreign = true
		own.compileOnce()
		list[i] = &own
	}
	return list
})

// addForeign adds the openers of all dialects of the table except those asked for.
func (g *grammar) addForeign(asked []*Dialect) {
	seen := map[string]bool{} // the first of several forms with one surface counts
	for _, d := range foreignDialects() {
		known := func(a *Dialect) bool { return a.Name == d.Name }
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
		if d.Channels.forms() > 0 {
			g.addHeaders(newChannelForm(d))
		}
	}
}
