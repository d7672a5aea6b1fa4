package fuzz

import (
	"fmt"

	"github.com/google/go-cmp/cmp"
)

// chunkBlind checks invariant 2: the stream, cut in another way, gives the
// same segments as in the recording.
func chunkBlind(r recording, chunks []string) error {
	other, err := record(r.opts, chunks)
	if err != nil {
		return err
	}
	want, err := segments(r.events())
	if err != nil {
		return err
	}
	got, err := segments(other.events())
	if err != nil {
		return fmt.Errorf("in chunks %.200q: %w", chunks, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("chunks %.300q give other segments (-whole +chunks):\n%s", chunks, diff)
	}
	return nil
}
