// Package jsonstream reads one JSON value that arrives in pieces, and repairs it on the way
// if a model wrote something that is nearly JSON.
//
// The [Scanner] returns tokens and, inside strings, parts of them, so that a long string
// argument can stream. It can also copy the repaired value to an [Out]. Two invariants hold
// for that copy: valid input is copied byte for byte, and at every moment the copy is a
// prefix of the final one, so that nothing emitted is ever taken back.
//
// The Scanner repairs trailing and missing commas, single quotes, Python literals,
// non-finite numbers (they become strings), raw control characters and unknown escapes in
// strings, unquoted keys, comments, and missing closing brackets; with [Scanner.Loose] also
// unescaped quotes inside strings. It records each repair in [Scanner.Tolerances].
// Everything else that is not JSON makes the value invalid: the Scanner does not guess.
//
// [Arguments] reads the arguments of a call, which may be in a string, or missing.
//
// The time is linear in the input, whatever the pieces. The memory is proportional to the
// nesting and to the token that is held back: a key, a number, or a comma with its blanks.
package jsonstream
