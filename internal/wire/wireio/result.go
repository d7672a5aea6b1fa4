package wireio

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
)

// ErrorMark begins the text of a result that is an error, on wires without a flag for it.
const ErrorMark = "[tool_error] "

// TakeErrorMark removes the mark from the first text of a result, and reports whether
// there was one.
func TakeErrorMark(r *chat.Result) bool {
	if len(r.Parts) > 0 && r.Parts[0].Kind == chat.PartText {
		if r.Parts[0].Text, r.IsError = strings.CutPrefix(r.Parts[0].Text, ErrorMark); r.IsError && r.Parts[0].Text == "" && len(r.Parts[0].Extras) == 0 {
			r.Parts = r.Parts[1:]
		}
	}
	if len(r.Parts) == 0 {
		r.Parts = nil
	}
	return r.IsError
}

// AddErrorMark inserts the mark before the first text.
func AddErrorMark(parts []Located) []Located {
	if len(parts) == 0 || parts[0].Kind != chat.PartText {
		return append([]Located{{Part: chat.TextPart(ErrorMark)}}, parts...)
	}
	parts[0].Text = ErrorMark + parts[0].Text
	return parts
}

// SplitResults appends a message to dst. If it is the user's, each result in it becomes a
// message of its own. The members of the message itself belong to the first of them.
func SplitResults(dst []chat.Message, m chat.Message) []chat.Message {
	parts := m.Parts
	if m.Role != chat.User || len(parts) == 0 {
		return append(dst, m)
	}
	for from := 0; from < len(parts); m.Extras = nil {
		to := from + 1
		if m.Role = chat.ToolRole; parts[from].Kind != chat.PartResult {
			for m.Role = chat.User; to < len(parts) && parts[to].Kind != chat.PartResult; to++ {
			}
		}
		m.Parts = parts[from:to:to]
		dst = append(dst, m)
		from = to
	}
	return dst
}

// ReportSignature reports a signature of a part that cannot have one on the wire.
func (w *Writer) ReportSignature(p Located) {
	feature := features.Signature
	if p.SignedBy != w.wire {
		feature = features.ForeignSignature
	}
	w.Log.Add(feature, p.Field+".signature")
}

// TextArguments returns the arguments of a call for a wire where they are a text.
func TextArguments(c *chat.Call) string {
	if c.Arguments == "" && !c.Cut {
		return "{}"
	}
	return c.Arguments
}

// StreamedArguments writes the arguments of a streamed call, which are one JSON value, as
// an object on one line. It wraps anything that is not an object.
func (w *Writer) StreamedArguments(out *jsonout.Writer, args []byte) {
	args = jsonout.OneLine(args)
	if FirstByte(args) == '{' {
		out.Raw(args)
		return
	}
	w.Log.AddOnce(features.NotObject, "stream.calls.arguments")
	out.Object()
	out.Member("input", args)
	out.EndObject()
}

// FirstByte returns the first byte that is not blank, or 0.
func FirstByte[T ~string | ~[]byte](text T) byte {
	for i := range len(text) {
		if c := text[i]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}
