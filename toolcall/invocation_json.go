package toolcall

import (
	"bytes"
	"strconv"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// MarshalJSON encodes the invocation as [ToolInvocation.AppendJSON] does. It never
// fails.
func (t ToolInvocation) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// AppendJSON appends the invocation as JSON on one line, without the line break:
//
//	{"id":"seg_2","name":"add","arguments":{"a":1},"status":"complete"}
//
// The members call_id, reason, tolerances, unknown, problems, unchecked, dialect, start
// and end are added if they are set. Arguments that are not valid JSON, such as those
// of an incomplete call, become the string raw_arguments beside "arguments":null. It
// does not escape markup as HTML, but escapes control characters and line separators.
// Invalid UTF-8 becomes U+FFFD.
func (t ToolInvocation) AppendJSON(dst []byte) []byte {
	from := len(dst)
	dst = jsonvalue.AppendQuoted(append(dst, `{"id":`...), t.ID)
	if t.CallID != "" {
		dst = jsonvalue.AppendQuoted(append(dst, `,"call_id":`...), t.CallID)
	}
	dst = jsonvalue.AppendQuoted(append(dst, `,"name":`...), t.Name)
	dst = append(dst, `,"arguments":`...)
	args := len(dst)
	var ok bool
	if dst, ok = strictjson.AppendCompact(dst, t.Arguments); ok {
		if !bytescan.IsUTF8(dst[args:]) {
			dst = append(dst[:args], bytes.ToValidUTF8(dst[args:], []byte("\uFFFD"))...)
		}
	} else {
		dst = append(dst, "null"...)
		if len(t.Arguments) > 0 {
			dst = jsonvalue.AppendQuoted(append(dst, `,"raw_arguments":`...), string(t.Arguments))
		}
	}
	dst = jsonvalue.AppendQuoted(append(dst, `,"status":`...), t.Status.String())
	if t.Reason != ReasonNone {
		dst = jsonvalue.AppendQuoted(append(dst, `,"reason":`...), t.Reason.String())
	}
	dst = appendList(dst, "tolerances", t.Tolerances.Names())
	if t.Unknown {
		dst = append(dst, `,"unknown":true`...)
	}
	for i, p := range t.Problems {
		dst = append(dst, separators(i, "problems")...)
		dst = jsonvalue.AppendQuoted(append(dst, `{"path":`...), p.Path)
		dst = jsonvalue.AppendQuoted(append(dst, `,"rule":`...), p.Rule)
		dst = jsonvalue.AppendQuoted(append(dst, `,"message":`...), p.Message)
		dst = append(dst, '}')
	}
	if len(t.Problems) > 0 {
		dst = append(dst, ']')
	}
	dst = appendList(dst, "unchecked", t.Unchecked)
	if t.Dialect != "" {
		dst = jsonvalue.AppendQuoted(append(dst, `,"dialect":`...), t.Dialect)
	}
	if t.End > 0 {
		dst = strconv.AppendInt(append(dst, `,"start":`...), t.Start, 10)
		dst = strconv.AppendInt(append(dst, `,"end":`...), t.End, 10)
	}
	return printable.EscapeFrom(append(dst, '}'), from)
}

// appendList appends a member that is a list of texts, if there are any.
func appendList(dst []byte, key string, texts []string) []byte {
	for i, text := range texts {
		dst = jsonvalue.AppendQuoted(append(dst, separators(i, key)...), text)
	}
	if len(texts) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// separators returns the text before element i of a list under a key.
func separators(i int, key string) string {
	if i > 0 {
		return ","
	}
	return `,"` + key + `":[`
}
