package fuzz

import (
	"fmt"

	"github.com/toolparse/toolparse/internal/parser"
)

// invariants checks everything that holds for any text with any options, in
// one chunk and in the given ones.
func invariants(opts parser.Options, input string, chunks []string) error {
	r, err := record(opts, chunks)
	if err != nil {
		return err
	}
	if err := checkText(r); err != nil {
		return fmt.Errorf("%w\nin %.200q", err, chunks)
	}
	one, err := record(opts, []string{input})
	if err != nil {
		return err
	}
	if err := checkText(one); err != nil {
		return fmt.Errorf("in one chunk: %w", err)
	}
	if opts.RandomIDs {
		return nil
	}
	return chunkBlind(one, chunks)
}

// checkText runs the checks of one recording of text.
func checkText(r recording) error {
	events := r.events()
	for _, check := range []struct {
		name string
		run  func() error
	}{
		{"order", func() error { return ordered(events, false) }},
		{"parser.Order", func() error { return legal(events) }},
		{"lossless", func() error { return lossless(r) }},
		{"causal", func() error { return causal(r) }},
		{"json", func() error { return jsonOut(r) }},
		{"ids", func() error { return ids(r) }},
		{"honest", func() error { return honest(r) }},
		{"bounded", func() error { return bounded(r) }},
		{"whole", func() error {
			segs, err := segments(events)
			if err != nil {
				return err
			}
			return whole(segs)
		}},
	} {
		if err := check.run(); err != nil {
			return fmt.Errorf("%s: %w", check.name, err)
		}
	}
	return nil
}

// checkDeltas runs those of a recording of native deltas.
func checkDeltas(r recording) error {
	for _, check := range []struct {
		name string
		err  error
	}{
		{"order", ordered(r.events(), true)},
		{"parser.Order", legal(r.events())},
		{"json", jsonOut(r)},
		{"ids", ids(r)},
		{"honest", honest(r)},
	} {
		if check.err != nil {
			return fmt.Errorf("%s: %w", check.name, check.err)
		}
	}
	return nil
}
