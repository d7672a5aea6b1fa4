package conform

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/printable"
)

// Widths of a diff, in characters.
const (
	diffLead  = 40  // before the first difference
	diffWidth = 140 // in all
)

// Diff explains a failure on several lines: the vector, how its input was cut, the
// wanted and the actual value, and a mark at their first difference.
func (r Result) Diff() string {
	var b strings.Builder
	fmt.Fprintf(&b, "FAIL %s (%s)", r.ID, r.Tier)
	if len(r.Mismatches) == 0 {
		fmt.Fprintf(&b, ": %s\n", r.Why)
	} else {
		fmt.Fprintf(&b, ", %s\n", r.Cut)
	}
	for _, m := range r.Mismatches {
		fmt.Fprintf(&b, "  %s\n", m.Field)
		want, got, mark := align(oneLine(m.Want), oneLine(m.Got))
		fmt.Fprintf(&b, "    want  %s\n    got   %s\n          %s^\n", want, got, strings.Repeat(" ", mark))
	}
	fmt.Fprintf(&b, "  input   %s\n", clip(r.Input))
	return b.String()
}

// align shortens two texts to the part around their first difference, and returns the
// column of the difference.
func align(want, got string) (w, g string, mark int) {
	same := 0
	for same < len(want) && same < len(got) {
		r, k := utf8.DecodeRuneInString(want[same:])
		if q, l := utf8.DecodeRuneInString(got[same:]); q != r || l != k {
			break
		}
		same += k
	}
	lead := []rune(want[:same])
	front := ""
	if len(lead) > diffLead {
		front = "…" + string(lead[len(lead)-diffLead+1:])
	} else {
		front = string(lead)
	}
	room := diffWidth - utf8.RuneCountInString(front)
	return front + printable.Fit(want[same:], room), front + printable.Fit(got[same:], room), utf8.RuneCountInString(front)
}

// clip quotes a text for one line and shortens it.
func clip(s string) string { return printable.Fit(fmt.Sprintf("%q", s), diffWidth) }

// oneLine makes line breaks visible.
func oneLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(s)
}
