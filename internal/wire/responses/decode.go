package responses

import (
	"cmp"
	"errors"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/multitool"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// Decoder decodes the events of one response, of a stream or one whole body, into deltas.
// The zero value is ready for one response.
//
// A function_call item is a call with its output index; ids of items are not used,
// because some servers change them with every event. The arguments come as fragments and,
// if the wire repeats them at the end, once more as a Whole one, which takes precedence.
// The input of a custom tool becomes {"input":"..."}. Calls of multi_tool_use.parallel
// are unpacked.
//
// The encrypted content of reasoning is its signature or, without visible reasoning, the
// reasoning itself; its delta has the id of the item.
//
// Members that no other delta expresses become a DeltaExtra; see the package comment.
//
// The text of a DeltaFinish is the response's status; its name is the reason if it is
// incomplete.
type Decoder struct {
	wireio.Reader
	parallel multitool.Unpacker
	fields   fields
	items    items
	extras   unknown.Stream // of the response
	failed   string         // message of the last error
	ended    bool
	unopened bool // an item says that its call was cut before its arguments began

	meta chat.Meta
}

// Reset makes d ready for another response, and keeps memory.
func (d *Decoder) Reset() {
	d.Reader.Reset()
	*d = Decoder{Reader: d.Reader}
}

// Meta returns what is known about the answer so far.
func (d *Decoder) Meta() chat.Meta {
	m := d.meta
	m.Wire = Wire
	return m
}

var errNoType = errors.New("an event without a type")

// Feed decodes an event and appends its deltas to dst. It takes time linear in the event,
// and allocates little beyond the texts of the deltas. The error is a *frame.SyntaxError;
// dst then has the deltas before it.
func (d *Decoder) Feed(dst []toolcall.Delta, e frame.Event) ([]toolcall.Delta, error) {
	if e.IsDone() {
		return d.Close(dst), nil
	}
	root, err := d.Open(e)
	if err != nil || root.Kind == rawjson.Absent {
		return dst, err
	}
	if root = d.Object(root); root.Kind == rawjson.Absent {
		return dst, d.Err()
	}
	f := &d.fields
	f.read(root)
	name := d.Texts.Name(d.String(f.kind, "type"))
	if name == "" {
		name = e.Name
	}
	event, isResponse := strings.CutPrefix(name, "response.")
	switch {
	case isResponse:
		dst = d.event(dst, event, f)
	case f.object.Is("response"), name == "" && e.IsBody() && isAnswer(root):
		d.IsAnswer = e.IsBody()
		dst = d.over(d.learn(dst, root), root, "")
	case name == "error", f.failure.IsSet():
		dst = d.errorEvent(dst, root, f)
		// A body that is only an error is complete.
		d.ended = d.ended || e.IsBody()
	case name != "":
		dst = d.wholeEvent(dst, name, root)
	case !root.IsEmpty():
		d.Fail(root, errNoType, "type")
	}
	return dst, d.Err()
}

// Close appends what was held back, when no event follows: half a surrogate pair, or a
// parallel call that was not closed.
func (d *Decoder) Close(dst []toolcall.Delta) []toolcall.Delta {
	return d.parallel.FlushAll(d.Texts.DrainAll(dst))
}

// Ended reports whether the response has ended: completed, incomplete, failed or
// cancelled.
func (d *Decoder) Ended() bool { return d.ended }

// fields are the members of an event or of a whole body.
type fields struct {
	root, kind, index, contentIndex, summaryIndex, itemID, item, delta, text, arguments, input, refusal,
	part, annotation, response, failure, object, output rawjson.Value

	rest []member // that no delta expresses
}

type member struct {
	name  string
	value rawjson.Value
}

func (f *fields) read(event rawjson.Value) {
	rest := f.rest[:0]
	*f = fields{root: event, rest: rest}
	for key, v := range event.Fields() {
		switch string(key) {
		case "type":
			f.kind = v
		case "output_index":
			f.index = v
		case "content_index":
			f.contentIndex = v
		case "summary_index":
			f.summaryIndex = v
		case "item_id":
			f.itemID = v
		case "item":
			f.item = v
		case "delta":
			f.delta = v
		case "text":
			f.text = v
		case "arguments":
			f.arguments = v
		case "input":
			f.input = v
		case "refusal":
			f.refusal = v
		case "part":
			f.part = v
		case "annotation":
			f.annotation = v
		case "response":
			f.response = v
		case "error":
			f.failure = v
		case "object":
			f.object = v
		case "output":
			f.output = v
		default:
			if !isMeaningless(key, v) {
				f.rest = append(f.rest, member{string(key), v})
			}
		}
	}
}

// event decodes an event by its type without the prefix "response.".
func (d *Decoder) event(dst []toolcall.Delta, kind string, f *fields) []toolcall.Delta {
	if len(f.rest) > 0 && isEvent(kind) {
		dst = eventExtras(dst, kind, f)
	}
	switch kind {
	case "output_text.delta":
		return d.textDelta(dst, f, textPart)
	case "output_text.done":
		return d.textDone(dst, f, textPart)
	case "refusal.delta":
		return d.textDelta(dst, f, refusalPart)
	case "refusal.done":
		return d.textDone(dst, f, refusalPart)
	case "reasoning_text.delta":
		return d.textDelta(dst, f, thoughtPart)
	case "reasoning_text.done":
		return d.textDone(dst, f, thoughtPart)
	case "reasoning_summary_text.delta":
		return d.textDelta(dst, f, summaryPart)
	case "reasoning_summary_text.done":
		return d.textDone(dst, f, summaryPart)
	case "content_part.added", "reasoning_summary_part.added":
		return d.partAdded(dst, f)
	case "content_part.done", "reasoning_summary_part.done":
		return d.partDone(dst, f)
	case "output_text.annotation.added":
		return d.annotation(dst, f)
	case "function_call_arguments.delta":
		return d.callDelta(dst, f, functionItem)
	case "function_call_arguments.done":
		return d.argumentsDone(dst, f)
	case "custom_tool_call_input.delta":
		return d.callDelta(dst, f, customItem)
	case "custom_tool_call_input.done":
		return d.inputDone(dst, f)
	case "output_item.added":
		return d.itemAdded(dst, f)
	case "output_item.done":
		return d.itemDone(dst, f)
	case "created", "in_progress", "queued":
		return d.learn(dst, d.response(f))
	case "completed", "incomplete", "failed", "cancelled":
		response := d.response(f)
		return d.over(d.learn(dst, response), response, kind)
	case "done": // of OpenAI's Realtime API, with any status
		response := d.response(f)
		return d.over(d.learn(dst, response), response, d.Texts.Name(d.String(response.Get("status"), "response.status")))
	}
	if f.failure.IsSet() {
		return d.errorEvent(dst, f.root, f)
	}
	return d.wholeEvent(dst, kind, f.root)
}

var errNoResponse = errors.New("an event without its response")

// response returns the response in an event.
func (d *Decoder) response(f *fields) rawjson.Value {
	v := d.Object(f.response, "response")
	if v.Kind == rawjson.Absent {
		d.Fail(f.root, errNoResponse, "response")
	}
	return v
}

// learn decodes the members of a response besides its end and output, which over decodes.
func (d *Decoder) learn(dst []toolcall.Delta, response rawjson.Value) []toolcall.Delta {
	var id, model string
	d.Each(response, "response", func(key []byte, v rawjson.Value) {
		if !isDefault(key, v) {
			dst = d.extras.Set(dst, 0, "response", key, v)
		}
	}, "object", nil, "status", nil, "output", nil, "error", nil, "incomplete_details", nil, "id", wireio.NameMember(&id), "model", wireio.NameMember(&model),
		"created_at", func(v rawjson.Value) {
			if created := d.Time(v, "response.created_at"); d.meta.Created == 0 {
				d.meta.Created = created
			}
		},
		"usage", func(v rawjson.Value) {
			if v = d.Object(v, "response.usage"); v.IsSet() {
				d.meta.Usage = readUsage(&d.Reader, v, "response.usage", func(in string, key []byte, v rawjson.Value) {
					dst = d.extras.Set(dst, 0, "response."+in, key, v)
				})
			}
		})
	d.meta.ID, d.meta.Model = cmp.Or(d.meta.ID, id), cmp.Or(d.meta.Model, model)
	return dst
}
