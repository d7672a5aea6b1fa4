// Package wire says what a wire is to the rest of the module: a [Codec] for bodies and
// streams, and a [Server] for HTTP. Each wire has a package below, and package all lists
// them.
//
//	bytes -Codec of one wire-> chat.Request, Response, []chat.Tool -Codec of another-> bytes, []chat.Loss
//
// # Streams
//
// Decoders return what servers send. Package normalize brings it into normal form for
// encoders:
//
//   - The calls of a choice are numbered from 0. Several may be open at the same time.
//   - The first delta of a call has its id and name, and Custom if its tool takes free text.
//     The other deltas add text.
//   - The last delta has Done if the arguments are one JSON value. A truncated call never
//     has it.
//   - The finish reason comes once and last. It has Truncated if a call was truncated.
//   - A DeltaError ends the stream: nothing that the model wrote follows it.
//   - A DeltaRestart voids the open calls, for encoders that hold calls until they are
//     complete.
package wire
