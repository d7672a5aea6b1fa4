package conform

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/toolparse/toolparse/internal/printable"
)

// Table counts results by dialect and tier. The zero value is ready for use.
type Table struct {
	Passed, Failed int
	Sampled        int // vectors too long for every two-way cut

	rows map[string]map[string]tally // dialect, tier
}

type tally struct{ passed, total int }

func (t tally) String() string {
	if t.total == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", t.passed, t.total)
}

// Add counts a result.
func (t *Table) Add(r Result) {
	if t.rows == nil {
		t.rows = map[string]map[string]tally{}
	}
	row := t.rows[r.Dialect]
	if row == nil {
		row = map[string]tally{}
		t.rows[r.Dialect] = row
	}
	n := row[r.Tier]
	n.total++
	if r.Pass {
		t.Passed++
		n.passed++
	} else {
		t.Failed++
	}
	row[r.Tier] = n
	if r.Sampled {
		t.Sampled++
	}
}

// Write writes the table: a line for each dialect, a column for each tier with the
// passed and all vectors, and the sums if there are several dialects.
func (t *Table) Write(w io.Writer) error {
	tiers := t.tiers()
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name string, row map[string]tally) {
		fmt.Fprint(tw, printable.Text(name))
		for _, tier := range tiers {
			fmt.Fprintf(tw, "\t%s", row[tier])
		}
		fmt.Fprintln(tw)
	}
	headings := ""
	for _, tier := range tiers {
		headings += "\t" + printable.Text(strings.ToUpper(tier))
	}
	fmt.Fprintf(tw, "DIALECT%s\n", headings)
	sums := map[string]tally{}
	for _, name := range slices.Sorted(maps.Keys(t.rows)) {
		line(name, t.rows[name])
		for tier, n := range t.rows[name] {
			sum := sums[tier]
			sums[tier] = tally{sum.passed + n.passed, sum.total + n.total}
		}
	}
	if len(t.rows) > 1 {
		line("all", sums)
	}
	return tw.Flush()
}

// tiers returns the tiers that occur, the known ones first.
func (t *Table) tiers() []string {
	seen := map[string]bool{}
	for _, row := range t.rows {
		for tier := range row {
			seen[tier] = true
		}
	}
	all := slices.DeleteFunc(slices.Clone(Tiers), func(tier string) bool { return !seen[tier] })
	for _, tier := range slices.Sorted(maps.Keys(seen)) {
		if !slices.Contains(Tiers, tier) {
			all = append(all, tier)
		}
	}
	return all
}
