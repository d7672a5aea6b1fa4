package ollama

import (
	"errors"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// Decoder decodes the lines of one response, or its one whole body, into deltas. The zero
// value is ready for one response. Calls are Whole and Done, as Ollama sends them.
type Decoder struct {
	wireio.Reader
	extras unknown.Stream
	meta   chat.Meta
	next   int  // the lowest index that no call has used
	done   bool // the line with done has come
	only   bool // there is one line, with content but without done
	ended  bool // the response is complete
}

var errAfterEnd = errors.New("output after the last line")

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

// Feed decodes an event and appends its deltas to dst. It takes time linear in the event,
// and allocates little beyond the texts of the deltas. The error is a *frame.SyntaxError;
// dst then has the deltas before it.
func (d *Decoder) Feed(dst []toolcall.Delta, e frame.Event) ([]toolcall.Delta, error) {
	if e.IsDone() { // not Ollama's, but a proxy may add it
		d.ended = true
		return d.Close(dst), nil
	}
	root, err := d.Open(e)
	if err != nil {
		return dst, err
	}
	d.only = e.IsBody() && hasContent(root) && !root.Get("done").IsSet()
	if d.IsAnswer = d.only || e.IsBody() && isAnswer(root); d.IsAnswer {
		d.ended = !d.only
	}
	var message, failure, done, reason rawjson.Value
	generated := isGenerated(root)
	for key, v := range d.Object(root).Fields() {
		switch string(key) {
		case "message":
			message = v
		case "error":
			failure = v
		case "done":
			done = v
		case "done_reason":
			reason = v
		case "model":
			if v = d.String(v, "model"); d.meta.Model == "" {
				d.meta.Model = d.Texts.Name(v)
			}
		case "created_at":
			if v = d.String(v, "created_at"); e.Number == 1 {
				dst = d.created(dst, v)
			}
		case "prompt_eval_count":
			d.meta.Usage.Input = d.Tokens(v, "prompt_eval_count")
		case "eval_count":
			d.meta.Usage.Output = d.Tokens(v, "eval_count")
		case cachedCount:
			if n := d.Tokens(v, cachedCount); n > 0 {
				d.meta.Usage.CachedInput = n
			} else {
				dst = d.extra(dst, inLine, key, v)
			}
		default:
			if !generated || !isOutput(key) {
				dst = d.extra(dst, inLine, key, v)
			}
		}
	}
	if generated {
		thinking, text, calls := d.String(root.Get("thinking"), "thinking"), d.String(root.Get("response"), "response"), d.Array(root.Get("tool_calls"), "tool_calls")
		dst = d.addContent(dst, root, thinking, text, calls)
	} else {
		dst = d.message(dst, d.Object(message, "message"))
	}
	dst = d.failure(dst, failure, e.Number == 1)
	dst = d.finish(dst, d.Bool(done, "done"), d.String(reason, "done_reason"))
	return dst, d.Err()
}

// Close appends what was held back, when no event follows: half a surrogate pair.
func (d *Decoder) Close(dst []toolcall.Delta) []toolcall.Delta { return d.Texts.DrainAll(dst) }

// Ended reports whether the response is complete: by "done":true, or as a body without
// it.
func (d *Decoder) Ended() bool { return d.ended || d.only }

// created takes the time of the first line as that of the answer.
func (d *Decoder) created(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	var exact bool
	if d.meta.Created, exact = wireio.ParseTime(d.Texts.Whole(v)); !exact {
		dst = unknown.Add(dst, 0, toolcall.NoIndex, "created_at", []byte(inFraction), v)
	}
	return dst
}

func (d *Decoder) message(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	var thinking, content, calls rawjson.Value
	for key, member := range v.Fields() {
		switch string(key) {
		case "role":
			d.String(member, "message.role")
		case "thinking":
			thinking = d.String(member, "message.thinking")
		case "content":
			content = d.String(member, "message.content")
		case "tool_calls":
			calls = d.Array(member, "message.tool_calls")
		default:
			dst = d.extra(dst, inMessage, key, member)
		}
	}
	return d.addContent(dst, v, thinking, content, calls)
}

// addContent decodes the model's output in v: a message, or a line of /api/generate, which has
// its members.
func (d *Decoder) addContent(dst []toolcall.Delta, v, thinking, content, calls rawjson.Value) []toolcall.Delta {
	before := len(dst)
	dst = d.text(dst, toolcall.DeltaReasoning, thinking)
	dst = d.text(dst, toolcall.DeltaText, content)
	for call := range calls.Items() {
		dst = d.call(dst, d.Object(call, inCall))
	}
	if d.done && len(dst) > before {
		d.Fail(v, errAfterEnd, inMessage)
		dst = dst[:before]
	}
	return dst
}

func (d *Decoder) text(dst []toolcall.Delta, kind toolcall.DeltaKind, v rawjson.Value) []toolcall.Delta {
	if text := d.Texts.Piece(rawjson.Channel{Kind: kind}, v); text != "" {
		dst = append(dst, toolcall.Delta{Kind: kind, Text: text})
	}
	return dst
}

func (d *Decoder) call(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	if !v.IsSet() {
		return dst
	}
	var function, name, arguments rawjson.Value
	call := toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: toolcall.NoIndex, Whole: true, Done: true}
	d.Each(v, inCall, func(key []byte, v rawjson.Value) { dst = d.callExtra(dst, inCall, key, v) },
		"id", func(id rawjson.Value) { call.ID = d.Texts.Name(d.Label(id, inCall+".id")) },
		inFunction, wireio.ObjectMember(&function))
	d.Each(function, inCallFunction, func(key []byte, v rawjson.Value) { dst = d.callExtra(dst, inCallFunction, key, v) },
		"index", func(v rawjson.Value) { // older builds give all calls the same index
			if n, ok := d.Index(v, inCallFunction+".index"); ok && n >= d.next {
				call.Index, d.next = n, n+1
			}
		},
		"name", wireio.TextMember(&name), "arguments", &arguments)
	if call.Name = d.Texts.Name(name); call.Name == "" && call.ID == "" && arguments.IsZero() {
		return dst // members without a value are not a call
	}
	c := rawjson.Channel{Kind: toolcall.DeltaToolCall, Index: call.Index}
	call.Text, _ = d.Texts.Arguments(c, arguments)
	call.Text += d.Texts.Rest(c)
	return append(dst, call)
}

// failure ends the answer with an error, unless that is "", as the client does. An answer
// that is only an error is complete.
func (d *Decoder) failure(dst []toolcall.Delta, v rawjson.Value, first bool) []toolcall.Delta {
	if !v.IsSet() || v.Is("") {
		return dst
	}
	d.ended = d.ended || first
	failure := d.Texts.Error(v)
	for key, member := range d.Texts.ErrorRest(v) {
		dst = unknown.Add(dst, 0, toolcall.NoIndex, "error", key, member)
	}
	return append(dst, failure)
}

func (d *Decoder) finish(dst []toolcall.Delta, done bool, reason rawjson.Value) []toolcall.Delta {
	if done {
		d.done, d.ended = true, true
		d.meta.Usage.Total = d.meta.Usage.Input + d.meta.Usage.Output
		dst = d.Texts.DrainAll(dst)
	}
	if word := d.Texts.Name(reason); word != "" {
		cut := wire.IsCut(wire.ReadFinish(Wire, word).Reason)
		dst = append(dst, toolcall.Delta{Kind: toolcall.DeltaFinish, Text: word, Truncated: cut})
	}
	return dst
}

// isAnswer reports whether a line is a whole answer, and not the first line of a stream.
func isAnswer(line rawjson.Value) bool {
	done := line.Get("done")
	return done.IsTrue() || done.IsSet() && done.Kind != rawjson.Bool && hasContent(line)
}

// hasContent reports whether a line may contain output of the model.
func hasContent(line rawjson.Value) bool {
	return line.Get("message").Kind != rawjson.Absent || isGenerated(line)
}

// isGenerated reports whether a line comes from /api/generate.
func isGenerated(line rawjson.Value) bool {
	return !line.Get("message").IsSet() && line.Get("response").Kind != rawjson.Absent
}

// extra appends a member of a line or of its message that no other delta expresses. Lists
// add up, such as logprobs; others are states.
func (d *Decoder) extra(dst []toolcall.Delta, in string, key []byte, v rawjson.Value) []toolcall.Delta {
	if v.Kind != rawjson.Array || v.IsEmpty() {
		return d.extras.Set(dst, 0, in, key, v)
	}
	return unknown.Add(dst, 0, toolcall.NoIndex, in, key, v)
}

// callExtra appends a member of a call, before the call, which is whole.
func (d *Decoder) callExtra(dst []toolcall.Delta, in string, key []byte, v rawjson.Value) []toolcall.Delta {
	if string(key) == "type" && v.Is(inFunction) {
		return dst
	}
	return unknown.Add(dst, 0, toolcall.NoIndex, in, key, v)
}
