// Package batch reads the answers of models in JSON Lines: logs, rollouts, batch outputs,
// data sets. It converts each record into one record of calls, text and reasoning, in the
// same order, on all cores and in bounded memory.
//
//	b, err := batch.New(batch.Options{Kit: toolparse.Options{Model: "qwen3-coder"}, Fields: []string{"completion"}})
//	stats, err := b.Run(ctx, w, r)
//
// A record that cannot be read becomes an error record with its line number, and the run
// continues. Records are independent: the concatenated outputs for the parts of an input
// are the output for the whole.
package batch
