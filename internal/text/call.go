package text

import (
	"errors"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
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
			args = args.Sorted(inAnyCase)
		}
		list[i] = call{name: c.Name, id: c.CallID, place: i, number: earlier + i, args: args, schema: w.schemas[c.Name]}
	}
	return list, nil
}

func inAnyCase(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }

// appendCalls writes the calls of a message in their frame.
func (w *Writer) appendCalls(dst []byte, calls []call) ([]byte, error) {
	f := &w.d.Frame
	if w.d.Written.List.Open != "" {
		return w.appendList(dst, calls)
	}
	if !f.Single {
		dst = append(dst, f.Section.Open...)
	}
	for i := range calls {
		if i > 0 {
			dst = append(dst, f.Between...)
		}
		around := &w.d.Written.Call
		dst = append(dst, strings.ReplaceAll(around.Open, "{name}", calls[i].name)...)
		if f.Single {
			dst = append(dst, f.Section.Open...)
		}
		var err error
		if dst, err = w.appendCall(dst, &calls[i]); err != nil {
			return dst, err
		}
		if f.Single {
			dst = append(dst, f.Section.Close...)
		}
		dst = append(dst, around.Close...)
	}
	if !f.Single {
		dst = append(dst, f.Section.Close...)
	}
	return dst, nil
}

// appendList writes calls as one list in one frame.
func (w *Writer) appendList(dst []byte, calls []call) ([]byte, error) {
	f, list := &w.d.Frame, &w.d.Written.List
	dst = append(append(append(dst, f.Section.Open...), f.Call.Open...), list.Open...)
	between := f.Between
	if between == "" {
		between = w.layout().Comma
	}
	for i := range calls {
		if i > 0 {
			dst = append(dst, between...)
		}
		var err error
		if dst, err = w.appendHead(dst, &calls[i]); err != nil {
			return dst, err
		}
	}
	return append(append(append(dst, list.Close...), f.Call.Close...), f.Section.Close...), nil
}

// appendCall writes one call in its frame.
func (w *Writer) appendCall(dst []byte, c *call) ([]byte, error) {
	f := &w.d.Frame.Call
	dst, err := w.appendHead(append(dst, f.Open...), c)
	if err != nil {
		return dst, err
	}
	dst = append(dst, strings.ReplaceAll(f.Close, "{name}", c.name)...)
	if w.d.Args.Form == dialect.ArgsTags {
		dst = append(dst, '>') // in the founding dialects, the closer is a tag with attributes
	}
	return dst, nil
}

// appendHead writes the head of a call and its arguments.
func (w *Writer) appendHead(dst []byte, c *call) ([]byte, error) {
	head := &w.d.Head
	switch head.Form {
	case dialect.HeadEnvelope, dialect.HeadKey:
		return w.appendEnvelope(dst, c)
	case dialect.HeadHeader:
		return w.appendHeader(dst, c), nil
	case dialect.HeadAttribute:
		dst = syntax.AppendAttribute(dst, head.Name[0], c.name)
		if count := w.d.Written.Count; count != "" {
			dst = syntax.AppendAttribute(dst, count, strconv.Itoa(c.place+1))
		}
		if head.End == "" {
			dst = append(dst, '>')
		}
	case dialect.HeadLiteral:
		if head.Lead != "" {
			dst = append(append(dst, w.leadID(c)...), head.Lead...)
		}
		dst = append(append(dst, head.Prefix...), c.name...)
		dst = w.appendID(dst, c)
	default:
		return dst, w.place(fault("it has no calls in text"), c.name, "")
	}
	dst = append(dst, head.End...)
	if w.d.Written.Empty != "" && len(c.args.List) == 0 {
		return append(dst, w.d.Written.Empty...), nil
	}
	return w.appendArgs(dst, c)
}

// appendID writes the id of a call whose name is literal.
func (w *Writer) appendID(dst []byte, c *call) []byte {
	head := &w.d.Head
	switch {
	case head.Index != "":
		index := strconv.Itoa(c.place)
		if rest, ok := strings.CutPrefix(c.id, head.Prefix+c.name+head.Index); ok && isDigits(rest) {
			index = rest
		}
		return append(append(dst, head.Index...), index...)
	case head.ID != "" && c.id != "" && w.refersToIDs():
		return append(append(dst, head.ID...), c.id...)
	}
	return dst
}

// refersToIDs reports whether results name the call that they belong to by its id.
func (w *Writer) refersToIDs() bool {
	results := w.d.ResultForm()
	return strings.Contains(results.Result.Open+results.Result.Close, "{id}")
}

// leadID returns the id that precedes the name of a call: its own, or its index.
func (w *Writer) leadID(c *call) string {
	if c.id != "" && len(c.id) <= maxLeadID && !strings.ContainsAny(c.id, "<>\r\n") {
		return c.id
	}
	return strconv.Itoa(c.place)
}

// maxLeadID exceeds the length of any provider's ids.
const maxLeadID = 128

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// appendArgs writes the arguments of a call, after its head.
func (w *Writer) appendArgs(dst []byte, c *call) ([]byte, error) {
	if w.d.Args.Form == dialect.ArgsJSON {
		return w.layout().AppendAt(dst, c.args, 0), nil
	}
	s := all.Of(&w.d.Args)
	if s == nil {
		return dst, w.place(syntax.Reasonf("arguments as %s cannot be written yet", w.d.Args.Form), c.name, "")
	}
	dst, err := s.Write(dst, &syntax.Writing{Args: &w.d.Args, Values: c.args, Schema: c.schema, JSON: w.layout()})
	if u := (*syntax.Unwritable)(nil); errors.As(err, &u) {
		err = w.place(u.Reason, c.name, u.Argument)
	}
	return dst, err
}
