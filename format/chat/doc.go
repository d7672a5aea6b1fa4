// Package chat is the canonical chat, through which all wires are translated: what a
// caller asks ([Request]), what a model answers ([Response]), their messages, and the
// tools.
//
//	bytes -Codec of one wire-> Request, Response, []Tool -Codec of another-> bytes, []Loss
//
// The types hold what several wires have in common. A member that only one wire has is
// kept verbatim as one of the [Extras], with the name of its wire. The encoder of that
// wire writes it back; the others report a [Loss]. Nothing is dropped without a Loss.
//
// # Normal form
//
// Decoders return this form. Encoders accept any form, but guarantee a round trip only
// for this one:
//
//   - A message has no empty text parts.
//   - A tool message contains only results. Decoders make one message for each result, in
//     the order of the wire; encoders accept several results in a message.
//   - The parts of an assistant message are in the order in which the model wrote them. If
//     the wire has no such order, they are: reasoning, text, refusals, calls.
//   - The arguments of a call are one JSON text, "{}" if the wire has none; the input of a
//     custom tool is {"input":"..."}.
//   - The id of a call is the one on the wire, or "". Decoders invent no ids; [Link] does.
//   - A message with calls never finishes with Stop, and one without calls never with
//     ToolCalls, whatever the server says.
//   - Usage counts cached input in Input and reasoning in Output, and has a Total.
//
// # Streams
//
// Decoders return what servers send. Package internal/wire/normalize brings it into
// normal form for encoders:
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
package chat
