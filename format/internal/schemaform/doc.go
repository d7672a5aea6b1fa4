// Package schemaform rewrites the JSON Schema of tools into the forms that some
// providers take, and keeps a record of what it changed.
package schemaform

// Change is one thing that was rewritten.
type Change struct {
	Path string // from the root, such as .properties.city.format
	Done string // what was done
}

const (
	maxSchemas  = 2_000    // that are read for one root, since references can multiply
	maxBytes    = 32 << 20 // of these
	maxWritten  = 20_000   // that are written, since alternatives can multiply
	maxOutput   = 4 << 20  // bytes of these
	maxWalks    = 200      // to what references lead to, outside of the definitions
	maxNesting  = 64
	maxChanges  = 1_000
	maxNote     = 2_000  // bytes of a keyword that a description notes
	maxBranches = 64     // of one choice
	maxNamed    = 10_000 // definitions that are remembered
)

// record collects changes.
type record struct{ changes []Change }

func (r *record) add(path, done string) {
	switch n := len(r.changes); {
	case n < maxChanges:
		r.changes = append(r.changes, Change{path, done})
	case n == maxChanges:
		r.changes = append(r.changes, Change{"", "more rewrites than are listed"})
	}
}
