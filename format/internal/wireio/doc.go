// Package wireio is what the codecs of all wires read and write whole bodies
// with. A wire embeds its Reader and Writer and adds its own.
//
// # Writing a wire
//
// A wire is a [chat.Codec], a type without fields in the wire's package, a row in the
// table of package format, and one in that of format/internal/features (wire.go), by
// which the other wires know it: none compares its name. Package
// format/internal/openai is the model: codec.go, request.go, response.go, tools.go
// with the choice among them, usage.go (each both ways), message_read.go and message_write.go,
// encode_stream.go, and tests beside them, which keep what is particular to the
// wire: packages codectest and wiretest (format/internal/test) ask every codec and
// every decoder the same. A wire has these helpers:
//
//   - format/internal/wireio: the Reader and the Writer that a wire embeds in
//     its own. They bring rawjson.Reader (fields, checked types, errors with
//     offset and path), [Reader.Members] (an object by the names of its members), jsonout.Writer (JSON by appending), unknown.Keeper (the
//     members that are not known), ids and names as the wire accepts them, and
//     the log of losses.
//   - format/internal/features: what each wire does with each feature. table.go has what
//     is usual, and one file a wire where it differs. A Log takes the words of a loss
//     from there, and the documentation is made from it: to report something, find its
//     Feature or add one. Its settings.go lists the members of requests that several
//     wires have, though no field here: add a row, and they are carried.
//   - [chat.Link] and [chat.LinkResponse] for ids, and the names of results; encoders
//     call them first.
//   - [chat.ReadFinish] and [chat.FinishOf]: one list of words for all wires.
//
// The decoder of a wire's streams gets a method Meta() [chat.Meta].
//
// What a wire tells in a stream that no other delta has, a decoder hands on as a
// DeltaExtra (format/internal/unknown makes them), in its place among the others.
// The encoder of the same wire, which it knows by [chat.Meta].Wire, writes it back
// where it stood, as near as it can; the others report it as a loss, once for
// each path. A null one tells that encoder by which of several names the wire has
// what another delta tells. A decoder leaves out, and documents, only what means
// nothing, such as padding.
package wireio
