// Package bench measures toolparse beside its peers, on the same text in the
// same run. It is a module of its own, so that what the peers need is none of
// toolparse's dependencies. It has only benchmarks, and tests that every
// parser in them finds the same calls; see README.md.
package bench
