// Package wireio has what the codecs of all wires need to read and write whole bodies. A
// codec embeds its Reader and Writer and adds its own methods.
//
// # Adding a wire
//
// A wire consists of a package of its own, with a [Codec] and a Decoder; a row in the table
// of internal/wire/all; and a row in that of internal/wire/features (wire.go), by which
// other wires know it, because no code compares names of wires. Package
// internal/wire/ollama is the smallest, and internal/wire/openai has everything:
//
//	bytes of a request or a tool  -request.go, tools.go, message_read.go->  chat.Request
//	bytes of a whole answer       -response.go, message_read.go->           wire.Response
//	events of an answer           -decode.go, call.go, message.go->         deltas
//	chat.Request                  -request.go, tools.go, message_write.go-> bytes
//	wire.Response                 -response.go, message_write.go->          bytes
//	deltas                        -encode_stream.go, encode_call.go->       events
//
// Its tests cover only what is particular to the wire: packages codectest and wiretest
// (internal/wire/test) test every codec and every decoder in the same way.
//
// These packages help:
//
//   - internal/wire/wireio: Reader brings rawjson.Reader (fields, checked types, errors
//     with offset and path), [Reader.Members] (an object by the names of its members) and
//     unknown.Keeper (the members that are not known). Writer brings jsonout.Writer (JSON by
//     appending), ids and names that the wire accepts, and the log of losses.
//   - internal/wire/features: what each wire does with each feature. features.go has the
//     defaults, and each wire has a file with its exceptions. A Log takes the texts of
//     losses from there, and the documentation is generated from it: to report something,
//     use its Feature or add one. settings.go lists the members of requests that several
//     wires share although the canonical chat has no field for them: add a row, and they
//     are carried.
//   - internal/wire/normalize brings deltas into normal form before an encoder gets them: it
//     need not find the call of a fragment, repair arguments, make ids unique or wait for the
//     last of several finish reasons. [HeldCalls] holds calls for wires that write them whole.
//   - [WithoutMistyped] lets readers of whole answers be strict: it leaves out values of a
//     wrong type. [Turn] collects results for wires that want those of a turn in one message.
//   - [wire.Link] and [wire.LinkResponse], which encoders call first, for ids and the names
//     of results.
//   - [wire.ReadFinish] and [wire.FinishOf], with one list of words for all wires.
//
// The decoder of a wire's streams has a method Meta() [chat.Meta].
//
// A decoder returns members of a stream that no other delta expresses as a DeltaExtra
// (made by internal/wire/unknown), in their place among the others. The encoder of the
// same wire, which it recognises by [chat.Meta].Wire, writes them back, as near to their
// place as possible; other encoders report each path once as a loss. A DeltaExtra with
// null tells that encoder which of several names the wire uses for what another delta
// expresses. A decoder may leave out only meaningless members, such as padding, and
// documents them.
package wireio
