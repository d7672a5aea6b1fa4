package main

import (
	"strings"

	"github.com/toolparse/toolparse/internal/near"
)

// maxSuggestions is how many near names a message shows.
const maxSuggestions = 3

// didYouMean returns the end of a message about an unknown name: the nearest
// of those known or, where none is near, all of them.
func didYouMean(name string, known []string) string {
	if names := near.Names(name, known, maxSuggestions); len(names) > 0 {
		return "; did you mean " + strings.Join(names, " or ") + "?"
	}
	return "; known are " + strings.Join(known, ", ")
}
