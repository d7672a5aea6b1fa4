package batch

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/toolcall"
)

// Stats are the counts of a run.
type Stats struct {
	Records, Errors int64
	Calls           int64
	Time            time.Duration

	// Calls by dialect, status, reason for not being complete, tolerance, and tool.
	Dialects, Statuses, Reasons, Tolerances, Tools map[string]int64
}

func newStats() *Stats {
	return &Stats{
		Dialects: map[string]int64{}, Statuses: map[string]int64{}, Reasons: map[string]int64{},
		Tolerances: map[string]int64{}, Tools: map[string]int64{},
	}
}

// maxNames limits the tools and dialects that are counted by name, because models invent
// names. The rest counts as otherNames.
const (
	maxNames   = 10000
	otherNames = "(others)"
)

func bump(counts map[string]int64, name string, n int64) {
	if len(counts) >= maxNames {
		if _, known := counts[name]; !known {
			name = otherNames
		}
	}
	counts[name] += n
}

// tally counts the calls of a chunk. Many calls are counted under the same names, so that one
// look-up serves them all.
type tally struct {
	known   map[callKind]*callCount
	counted []*callCount // in this chunk, in the order of their first calls
}

// callKind is what calls are counted by.
type callKind struct {
	dialect, tool string
	status        toolcall.Status
	reason        toolcall.Reason
	tolerances    toolcall.Tolerances
}

type callCount struct {
	callKind
	n int64
}

// count counts the calls of answers.
func (t *tally) count(answers []answer) {
	for i := range answers {
		for j := range answers[i].Calls {
			c := &answers[i].Calls[j]
			k := t.of(callKind{c.Dialect, c.Name, c.Status, c.Reason, c.Tolerances})
			if k.n == 0 {
				t.counted = append(t.counted, k)
			}
			k.n++
		}
	}
}

// of returns the count of a kind.
func (t *tally) of(kind callKind) *callCount {
	if known := t.known[kind]; known != nil {
		return known
	}
	kind.tool = strings.Clone(kind.tool) // its memory is that of the record
	k := &callCount{callKind: kind}
	if len(t.known) < maxNames {
		t.known[kind] = k
	}
	return k
}

// addTo adds the counts to s, and begins another chunk.
func (t *tally) addTo(s *Stats) {
	for _, k := range t.counted {
		s.Calls += k.n
		bump(s.Dialects, k.dialect, k.n)
		bump(s.Statuses, k.status.String(), k.n)
		bump(s.Tools, k.tool, k.n)
		if k.reason != toolcall.ReasonNone {
			bump(s.Reasons, k.reason.String(), k.n)
		}
		for _, name := range k.tolerances.Names() {
			bump(s.Tolerances, name, k.n)
		}
		k.n = 0
	}
	t.counted = t.counted[:0]
}

// add adds the counts and the time of another run.
func (s *Stats) add(other *Stats) {
	s.Time += other.Time
	s.Records += other.Records
	s.Errors += other.Errors
	s.Calls += other.Calls
	for _, pair := range [...]struct{ to, from map[string]int64 }{
		{s.Dialects, other.Dialects}, {s.Statuses, other.Statuses}, {s.Reasons, other.Reasons},
		{s.Tolerances, other.Tolerances}, {s.Tools, other.Tools},
	} {
		for name, n := range pair.from {
			bump(pair.to, name, n)
		}
	}
}

// maxRows limits the rows of each part of the table.
const maxRows = 20

// Write writes the counts as a table.
func (s *Stats) Write(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "RECORDS\t%d\nERRORS\t%d\nCALLS\t%d\n", s.Records, s.Errors, s.Calls)
	for _, part := range [...]struct {
		title  string
		counts map[string]int64
	}{{"DIALECT", s.Dialects}, {"STATUS", s.Statuses}, {"REASON", s.Reasons}, {"TOLERANCE", s.Tolerances}, {"TOOL", s.Tools}} {
		if len(part.counts) == 0 {
			continue
		}
		fmt.Fprintf(table, "\n%s\tCALLS\n", part.title)
		names := slices.SortedFunc(maps.Keys(part.counts), func(a, b string) int {
			return cmp.Or(cmp.Compare(part.counts[b], part.counts[a]), strings.Compare(a, b))
		})
		for i, name := range names {
			if i == maxRows {
				fmt.Fprintf(table, "(%d more)\t\n", len(names)-i)
				break
			}
			fmt.Fprintf(table, "%s\t%d\n", cmp.Or(printable.Text(name), "(none)"), part.counts[name])
		}
	}
	return table.Flush()
}
