package codec

import (
	"slices"

	"github.com/toolparse/toolparse/format/chat"
)

// SortByIndex puts choices and their indices in the order of these.
func SortByIndex(choices []chat.Choice, indices []int) {
	if slices.IsSorted(indices) {
		return
	}
	order := Places(choices)
	slices.SortStableFunc(order, func(a, b int) int { return indices[a] - indices[b] })
	sorted := make([]chat.Choice, len(choices))
	for i, from := range order {
		sorted[i] = choices[from]
	}
	copy(choices, sorted)
	slices.Sort(indices)
}
