// Package chat is the one chat that all wires are translated through: what a
// caller asks ([Request]), what a model answers ([Response]), the messages of
// both, and the tools.
//
//	bytes -Codec of one wire-> Request, Response, []Tool -Codec of another-> bytes, []Loss
//
// The types hold what several wires have a word for. What only one wire knows
// stays beside it, verbatim, as [Extras] that are tagged with that wire: they
// are put back when the same wire is written, and are a [Loss] on any other.
// Nothing is dropped without a Loss.
//
// # Normal form
//
// Decoders make it, encoders bear anything but promise to bring back only this:
//
//   - A message has no empty text parts. A text without content is no part.
//   - A tool message holds results and nothing else, and a decoder makes one
//     message for each result, in the order of the wire. Encoders accept several.
//   - An assistant's parts are in the order in which the model wrote them, where
//     the wire has one, else reasoning, text, refusals, calls.
//   - The arguments of a call are one JSON text, "{}" where the wire has none;
//     the input of a custom tool is {"input":"..."}.
//   - A call id is what the wire gave, or "": [Link] makes the missing ones, so
//     that decoding invents nothing.
//   - Stop with calls in the message is ToolCalls, and ToolCalls without any is
//     Stop: what the message holds decides, not the server's word.
//   - Usage counts cached input in Input and reasoning in Output, and has a Total.
//
// # Writing a wire
//
// A wire is a [Codec], a type without fields in the wire's package, and a row
// in the table of package format. Package format/openai is the model: codec.go,
// request.go, response.go, tools.go, choice.go, usage.go (each both ways),
// message_read.go and message_write.go, encode_stream.go, and tests beside
// them, which keep what is particular to the wire: format/internal/codectest
// and wiretest ask every codec and every decoder the same. A wire
// has these helpers:
//
//   - format/internal/codec: the Reader and the Writer that a wire embeds in
//     its own. They bring payload.Reader (fields, checked types, errors with
//     offset and path), jsonout.Writer (JSON by appending), extra.Keeper (the
//     members that are not known), ids and names as the wire accepts them, and
//     the log of losses.
//   - format/internal/carry: what each wire does with each feature, one file a
//     wire. A Log takes the words of a loss from there, and the documentation
//     is made from it: to report something, find its Feature or add one.
//     Its settings.go lists the members of requests that several wires have,
//     though no field here: add a row, and they are carried.
//   - [Link] and [LinkResponse] for ids, and the names of results; encoders
//     call them first.
//   - [ReadFinish] and [FinishOf]: one list of words for all wires.
//
// The decoder of a wire's streams gets a method Meta() [Meta].
//
// # Streams
//
// Decoders hand on what servers send. Before an encoder gets them, package
// format/internal/normal brings deltas into normal form: the calls of a choice
// are numbered from 0, begin with their id and name, go on with text alone, and
// end with Done when their arguments are one JSON value; those that were cut
// are never Done, and the finish reason, which comes last and once, then has
// Truncated. Calls may be open side by side. A stream with an error has a
// DeltaError, and nothing that the model wrote behind it. A DeltaRestart, for
// encoders that hold calls until they are whole, voids those that are open. The first delta of a call tells with Custom
// that its tool takes free text.
//
// What a wire tells in a stream that no other delta has, a decoder hands on as a
// DeltaExtra (format/internal/extra makes them), in its place among the others.
// The encoder of the same wire, which it knows by [Meta].Wire, writes it back
// where it stood, as near as it can; the others report it as a loss, once for
// each path. A null one tells that encoder by which of several names the wire has
// what another delta tells. A decoder leaves out, and documents, only what means
// nothing, such as padding.
package chat
