package parser

import (
	"strings"
	"sync"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
)

// autoDialects returns the dialects that a stream of unknown dialect may use.
var autoDialects = sync.OnceValue(func() []*compiledDialect {
	list, _ := compileDialects(dialect.Auto()) // they are built in
	return list
})

// surface returns a string that identifies a form while the dialect is unknown. Of two
// forms with the same surface only the first counts.
func (f *form) surface() string {
	a := &f.Args
	parts := []string{
		string(f.enter), string(f.opener), string(f.Head.Form), f.Head.End, f.Head.ID, string(f.Frame.At), string(a.Form),
		a.KeyMark.Open, a.ValueMark.Open, a.Type, strings.Join(f.Head.Name, "|"), strings.Join(a.Keys, "|"),
	}
	return strings.Join(parts, "\x00")
}

// owners maps the surfaces that several dialects share to the dialect that owns them: the
// first that writes its calls so, or else the first that reads them.
type owners map[string]*compiledDialect

func ownersOf(dialects []*compiledDialect) owners {
	of := owners{}
	for _, writes := range []bool{true, false} {
		for _, d := range dialects {
			for k, f := range d.compiled() {
				if (k == 0) != writes || k < headerForms(d.Dialect) || !f.isMarked() {
					continue
				}
				if surface := f.surface(); of[surface] == nil {
					of[surface] = d
				}
			}
		}
	}
	return of
}

// addOrphans adds the closers of the sections in which other dialects write f's calls. A
// model that forgets the opener often still writes the closer. They count directly after a
// call.
func (g *grammar) addOrphans(f *form, dialects []*compiledDialect) {
	added := map[lex.Pattern]bool{f.leave: true, "": true}
	for _, d := range dialects {
		for _, other := range d.compiled() {
			if other.opener == f.opener && !other.bare && !added[other.leave] {
				added[other.leave] = true
				g.addLeave(other.leave)
			}
		}
	}
}
