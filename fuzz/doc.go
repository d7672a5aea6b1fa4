// Package fuzz holds no code of its own, only tests: the invariants of the
// design as checks over recorded events, as properties over made-up streams
// of every strategy, and as native fuzz targets.
//
// The checks know the exported face of the packages and the written rules,
// never the parser's insides. Run a fuzz target with, for example,
//
//	go test ./fuzz -run '^$' -fuzz FuzzXML -fuzztime 30s
package fuzz
