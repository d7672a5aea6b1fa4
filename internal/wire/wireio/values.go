package wireio

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
)

// Decimal writes a member that is a number as written, unless it is "". A caller may have
// set something that is not a number.
func (w *Writer) Decimal(name string, n json.Number) {
	switch {
	case n == "":
	case !json.Valid([]byte(n)):
		w.Log.Add(features.ForeignExtra, name, string(n)+" is left out: not a number")
	default:
		w.Member(name, []byte(n))
	}
}

// ParseTime parses a time as seconds since 1970. exact reports whether FormatTime returns
// the same text.
func ParseTime(text string) (seconds int64, exact bool) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, text == ""
	}
	return t.Unix(), FormatTime(t.Unix()) == text
}

// FormatTime formats a time. If the year has more than four digits, it returns the
// beginning of 1970, as for no time.
func FormatTime(seconds int64) string {
	t := time.Unix(seconds, 0).UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		t = time.Unix(0, 0).UTC()
	}
	return t.Format(time.RFC3339)
}

// SortByIndex sorts choices, and their indices, by index.
func SortByIndex(choices []wire.Choice, indices []int) {
	if slices.IsSorted(indices) {
		return
	}
	order := Indices(choices)
	slices.SortStableFunc(order, func(a, b int) int { return indices[a] - indices[b] })
	sorted := make([]wire.Choice, len(choices))
	for i, from := range order {
		sorted[i] = choices[from]
	}
	copy(choices, sorted)
	slices.Sort(indices)
}

// GeneratedIDs are the ids that [wire.Link] made for calls without one. Wires that need
// no ids leave them out.
type GeneratedIDs map[string]bool

// Add adds the ids of parts that had none before linking.
func (m GeneratedIDs) Add(before, linked []chat.Part) {
	for i, p := range before {
		if p.Kind == chat.PartCall && p.Call != nil && p.Call.ID == "" {
			m[linked[i].Call.ID] = true
		}
	}
}

// Visible returns the id to write: "" for a generated one.
func (m GeneratedIDs) Visible(id string) string {
	if m[id] {
		return ""
	}
	return id
}

// Entry returns the entry of a map, and adds an empty one if there is none.
func Entry[K comparable, V any](m map[K]*V, key K) *V {
	v := m[key]
	if v == nil {
		v = new(V)
		m[key] = v
	}
	return v
}
