// Package conform runs conformance vectors: inputs in a text dialect, with the text, the
// reasoning and the calls that a parser must find. It parses every input whole and cut
// in many ways, and each cut must give the same segments and calls. A file of vectors is
// JSON Lines; see [Vectors].
package conform

import (
	"fmt"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/printable"
)

// Result is the result of one vector.
type Result struct {
	ID      string `json:"id"`
	Dialect string `json:"dialect"`
	Tier    string `json:"tier"`
	Pass    bool   `json:"pass"`
	Why     string `json:"why"` // on one line; "" if it passed

	Input      string     `json:"-"`
	Cut        string     `json:"-"` // how the input was cut when it failed, such as "cut at byte 7"
	Mismatches []Mismatch `json:"-"` // empty if the parser itself failed

	// Sampled means that the input is too long to try every two-way cut.
	Sampled bool `json:"-"`
}

// Options configure a run.
type Options struct {
	// Dialect replaces the vector's dialect, if it is not "".
	Dialect string
	// Own replaces both, if it is not nil.
	Own *dialect.Dialect
}

// Run parses the vector's input whole, in the vector's own chunks, in chunks of 1, 2, 3
// and 7 bytes, and cut in two at every byte. The whole input must give what the vector
// expects, and every cut the same segments and calls. The events must account for every
// byte of the input. If the parser panics, the vector fails.
func Run(v Vector, opts Options) Result {
	r := Result{ID: v.ID, Dialect: v.Dialect, Tier: v.Tier, Input: v.Input}
	name := v.Dialect
	if opts.Dialect != "" {
		name = opts.Dialect
	}
	dialects, err := dialect.Named(name, "")
	if opts.Own != nil {
		dialects, err = []*dialect.Dialect{opts.Own}, nil
	}
	if err != nil {
		return r.fail(fmt.Sprintf("unknown dialect %q", name))
	}
	read, err := v.reader(dialects)
	if err != nil {
		return r.fail(err.Error())
	}
	var whole outcome
	for c, chunks := range v.cuts() {
		r.Cut = c.String()
		got, err := read.parse(chunks)
		if err != nil {
			return r.fail(fmt.Sprintf("%s: %v", c, err))
		}
		if c.kind == cutNowhere {
			whole = got
			r.Mismatches = v.check(got)
		} else if m, ok := differ(whole, got); ok {
			r.Mismatches = []Mismatch{m}
		}
		if len(r.Mismatches) > 0 {
			return r.fail(r.firstMismatch())
		}
	}
	r.Pass, r.Cut, r.Sampled = true, "", v.sampled()
	return r
}

func (r Result) fail(why string) Result {
	r.Why = why
	return r
}

func (r Result) firstMismatch() string {
	m := r.Mismatches[0]
	want, got := printable.Fit(oneLine(m.Want), diffWidth), printable.Fit(oneLine(m.Got), diffWidth)
	why := fmt.Sprintf("%s: %s: want %s, got %s", r.Cut, m.Field, want, got)
	if n := len(r.Mismatches) - 1; n > 0 {
		why += fmt.Sprintf("; and %d more", n)
	}
	return why
}
