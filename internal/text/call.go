package text

import (
	"errors"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/syntax"
	"github.com/toolparse/toolparse/internal/syntax/all"
	"github.com/toolparse/toolparse/toolcall"
)

// call is a call to write.
type call struct {
	name   string
	id     string
	place  int // index in its message
	number int // number in the conversation
	args   *jsonvalue.Value
	schema *schema.Schema
}

// decodeCalls reads the arguments of calls.
func (w *Writer) decodeCalls(calls []toolcall.ToolInvocation, earlier int) ([]call, error) {
	list := make([]call, len(calls))
	for i, c := range calls {
		args := jsonvalue.NewObject()
		if len(c.Arguments) > 0 {
			var err error
			if args, err = syntax.Decode(c.Arguments); err != nil {
				return nil, w.place(err, c.Name, "")
			}
		}
		switch {
		case args.Kind != jsonvalue.Object:
			return nil, w.place(syntax.Reasonf("the arguments must be an object, not %s", args.Kind), c.Name, "")
		case c.Name == "":
			return nil, w.place(fault("a call has no name"), "", "")
		}
		if w.d.Written.Sorted {
			args = args.Sorted(jsonvalue.InAnyCase)
		}
		list[i] = call{name: c.Name, id: c.CallID, place: i, number: earlier + i, args: args, schema: w.schemas[c.Name]}
	}
	return list, nil
}

// appendCalls writes the calls of a message in their frame.
func (w *Writer) appendCalls(dst []byte, calls []call) ([]byte, error) {
	dst = append(dst, w.form.Open...)
	for i := range calls {
		if i > 0 {
			dst = append(dst, w.form.Between...)
		}
		var err error
		if dst, err = w.appendCall(dst, &calls[i]); err != nil {
			return dst, err
		}
	}
	return append(dst, w.form.Close...), nil
}

// appendCall writes one call.
func (w *Writer) appendCall(dst []byte, c *call) ([]byte, error) {
	if w.d.Head.Form == "" {
		return dst, w.place(fault("it has no calls in text"), c.name, "")
	}
	dst, err := w.appendArgs(w.appendPieces(dst, w.form.Before, c), c)
	return w.appendPieces(dst, w.form.After, c), err
}

// appendPieces writes the pieces around the arguments of a call.
func (w *Writer) appendPieces(dst []byte, list []Piece, c *call) []byte {
	for _, p := range list {
		switch p.Slot {
		case SlotText:
			dst = append(dst, p.Text...)
		case SlotName:
			dst = append(dst, c.name...)
		case SlotQuoted:
			dst = jsonvalue.AppendQuoted(dst, c.name)
		case SlotEscaped:
			dst = append(dst, lex.EscapeAttribute(c.name)...)
		case SlotID:
			dst = jsonvalue.AppendQuoted(dst, w.ownID(c))
		case SlotLead:
			dst = append(dst, c.leadID()...)
		case SlotIndex:
			dst = append(dst, w.index(c)...)
		case SlotCount:
			dst = strconv.AppendInt(dst, int64(c.place+1), 10)
		case SlotSuffix:
			if c.id != "" {
				dst = append(append(dst, w.d.Head.ID...), c.id...)
			}
		}
	}
	return dst
}

// ownID returns the call's id or, for dialects that require one, its index in the message
// or its number in the conversation.
func (w *Writer) ownID(c *call) string {
	if w.d.Written.Numbered {
		return strconv.Itoa(c.number)
	}
	if c.id != "" {
		return c.id
	}
	return strconv.Itoa(c.place)
}

// index returns the index in the call's id, or else that in its message.
func (w *Writer) index(c *call) string {
	head := &w.d.Head
	if rest, ok := strings.CutPrefix(c.id, head.Prefix+c.name+head.Index); ok && isDigits(rest) {
		return rest
	}
	return strconv.Itoa(c.place)
}

// leadID returns the id that precedes the name of a call: its own, or its index.
func (c *call) leadID() string {
	if c.id != "" && len(c.id) <= maxLeadID && !strings.ContainsAny(c.id, "<>\r\n") {
		return c.id
	}
	return strconv.Itoa(c.place)
}

// maxLeadID exceeds the length of any provider's ids.
const maxLeadID = 128

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// appendArgs writes the arguments of a call.
func (w *Writer) appendArgs(dst []byte, c *call) ([]byte, error) {
	switch {
	case w.d.Written.Empty != "" && len(c.args.List) == 0 && !w.form.envelope:
		return append(dst, w.d.Written.Empty...), nil
	case w.d.Args.Form == dialect.ArgsJSON || w.form.envelope:
		return w.layout.AppendAt(dst, c.args, w.form.depth), nil
	}
	s := all.Of(&w.d.Args)
	if s == nil {
		return dst, w.place(syntax.Reasonf("arguments as %s cannot be written yet", w.d.Args.Form), c.name, "")
	}
	dst, err := s.Write(dst, &syntax.Writing{Args: &w.d.Args, Values: c.args, Schema: c.schema, JSON: w.layout})
	if u := (*syntax.Unwritable)(nil); errors.As(err, &u) {
		err = w.place(u.Reason, c.name, u.Argument)
	}
	return dst, err
}
