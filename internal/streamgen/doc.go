// Package streamgen makes up model output: text in the dialects of the
// founding design, and provider deltas, each with what a parser must find in
// it. Property tests, fuzz targets, benchmarks and the generate command draw
// from it.
//
// Everything is decided by a [Source], so that a stream is reproducible from
// its seed, shrinks with the bytes of a [Tape], and needs no global state.
// The generators know the written rules of the dialects and nothing of the
// parser: what they expect is a second, independent reading of the design.
package streamgen
