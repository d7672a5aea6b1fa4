// Package streamgen generates model output for tests: text in the dialects of the
// founding design, and provider deltas, each with what a parser must find in it.
// Property tests, fuzz targets and benchmarks use it; the shipped program does not.
//
// All choices come from a [Source], so that a stream is reproducible from a seed and
// shrinks with the bytes of a [Tape].
//
// The generators implement the written rules of the dialects and use neither the parser
// nor its table. What they expect is a second, independent reading of the design.
package streamgen
