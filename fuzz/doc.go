// Package fuzz contains only tests: the invariants in ARCHITECTURE.md as checks over
// recorded events, as properties over generated streams of every strategy, and as fuzz
// targets.
//
// The checks use only the exported API of the packages and the written rules, not the
// parser's internals. Run a fuzz target like this:
//
//	go test ./fuzz -run '^$' -fuzz FuzzXML -fuzztime 30s
package fuzz
