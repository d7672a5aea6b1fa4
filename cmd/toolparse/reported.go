package main

import (
	"iter"

	"github.com/toolparse/toolparse"
)

// reportedError is an error that the provider reported inside its stream.
type reportedError struct{ message, code string }

func (e *reportedError) Error() string {
	text := "the provider reported an error"
	if e.code != "" {
		text += " (" + e.code + ")"
	}
	if e.message != "" {
		text += ": " + e.message
	}
	return text
}

// watch passes deltas on and notes the first error that the provider reports
// among them.
func watch(deltas iter.Seq2[toolparse.Delta, error], told **reportedError) iter.Seq2[toolparse.Delta, error] {
	return func(yield func(toolparse.Delta, error) bool) {
		for d, err := range deltas {
			if err == nil && d.Kind == toolparse.DeltaError && *told == nil {
				*told = &reportedError{message: d.Text, code: d.Name}
			}
			if !yield(d, err) {
				return
			}
		}
	}
}
