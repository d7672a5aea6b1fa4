package main

import (
	"iter"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
)

// watch passes deltas on and notes the first error that the provider reports
// among them.
func watch(deltas iter.Seq2[toolparse.Delta, error], told **format.ReportedError) iter.Seq2[toolparse.Delta, error] {
	return func(yield func(toolparse.Delta, error) bool) {
		for d, err := range deltas {
			if err == nil && *told == nil {
				*told = format.Reported(d)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}
