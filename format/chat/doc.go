// Package chat is the canonical chat, through which all wires are translated: what a
// caller asks ([Request]), the messages of both sides ([Message]), and the tools ([Tool]).
//
//	bytes of one wire -> Request, Message, Tool -> bytes of another, and a list of Loss
//
// The types hold what several wires have in common. A member that only one wire has is
// kept verbatim as one of the [Extras], with the name of its wire. The encoder of that
// wire writes it back; the others report a [Loss]. Nothing is dropped without a Loss.
//
// # Normal form
//
// What is read from a wire has this form. Encoders accept any form, but guarantee a round
// trip only for this one:
//
//   - A message has no empty text parts.
//   - A tool message contains only results. Decoders make one message for each result, in
//     the order of the wire; encoders accept several results in a message.
//   - The parts of an assistant message are in the order in which the model wrote them. If
//     the wire has no such order, they are: reasoning, text, refusals, calls.
//   - The arguments of a call are one JSON text, "{}" if the wire has none; the input of a
//     custom tool is {"input":"..."}.
//   - The id of a call is the one on the wire, or "". Decoders invent no ids.
//   - A message with calls never finishes with Stop, and one without calls never with
//     ToolCalls, whatever the server says.
//   - Usage counts cached input in Input and reasoning in Output, and has a Total.
package chat
