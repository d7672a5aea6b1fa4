package responses

import (
	"cmp"

	"github.com/toolparse/toolparse/internal/wire/customtool"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// itemKind is the kind of an output item.
type itemKind uint8

const (
	otherItem itemKind = iota // run by the server, or unknown
	messageItem
	reasoningItem
	functionItem
	customItem
)

// itemShapes are the names of an item on the wire: its type, the beginning of its ids and,
// of a call, the type of its result, the member with its arguments, and the events of that.
var itemShapes = [...]struct{ kind, prefix, answer, member, event string }{
	messageItem: {kind: "message", prefix: "msg_"}, reasoningItem: {kind: "reasoning", prefix: "rs_"},
	functionItem: {"function_call", "fc_", functionAnswer, "arguments", "function_call_arguments"},
	customItem:   {"custom_tool_call", "ctc_", customAnswer, "input", "custom_tool_call_input"},
}

func itemKindOf(name string) itemKind {
	for kind := messageItem; kind <= customItem; kind++ {
		if name == itemShapes[kind].kind {
			return kind
		}
	}
	return otherItem
}

func (k itemKind) isCall() bool { return k == functionItem || k == customItem }

// partKind is the kind of a part of an item.
type partKind uint8

const (
	noPart partKind = iota
	textPart
	refusalPart
	summaryPart // of reasoning
	thoughtPart // reasoning in the model's own words
	partKinds
)

// list is a list of an item's parts.
type list uint8

const (
	inContent list = iota
	inSummary
	lists
)

// listShapes are the names of a list on the wire: its member of the item, the member with
// the index of its parts in events, and the events of a part.
var listShapes = [lists]struct{ member, index, added, done string }{
	inContent: {"content", "content_index", "content_part.added", "content_part.done"},
	inSummary: {"summary", "summary_index", "reasoning_summary_part.added", "reasoning_summary_part.done"},
}

// partShapes are the names of a part on the wire: its type, the member with its text, and
// the events of the text.
var partShapes = [partKinds]struct {
	item                itemKind
	list                list
	emits               toolcall.DeltaKind
	kind, member        string
	delta, done         string
	deltaPath, typePath string // path of an event's delta; path of the type, as an extra
}{
	textPart: {
		messageItem, inContent, toolcall.DeltaText, "output_text", "text", "output_text.delta", "output_text.done",
		"response.output_text.delta", "item.content[].type",
	},
	refusalPart: {
		messageItem, inContent, toolcall.DeltaRefusal, "refusal", "refusal", "refusal.delta", "refusal.done",
		"response.refusal.delta", "item.content[].type",
	},
	summaryPart: {
		reasoningItem, inSummary, toolcall.DeltaReasoning, "summary_text", "text", "reasoning_summary_text.delta", "reasoning_summary_text.done",
		"response.reasoning_summary_text.delta", "item.summary[].type",
	},
	thoughtPart: {
		reasoningItem, inContent, toolcall.DeltaReasoning, "reasoning_text", "text", "reasoning_text.delta", "reasoning_text.done",
		"response.reasoning_text.delta", "item.content[].type",
	},
}

func partKindOf(name string) partKind {
	for kind := textPart; kind < partKinds; kind++ {
		if name == partShapes[kind].kind {
			return kind
		}
	}
	return noPart
}

// output is an output item as on the wire.
type output struct {
	identity
	kindName string
	value    rawjson.Value
	idValue  rawjson.Value
	status   rawjson.Value
	cut      bool        // an incomplete call
	client   *clientItem // the kind of request to the client

	arguments, input, summary, content, encrypted rawjson.Value
	rest                                          []member // that no delta expresses
}

// output reads an item at a path.
func (d *Decoder) output(v rawjson.Value, path string) output {
	o := output{value: v}
	kind := d.String(v.Get("type"), path, ".type")
	if o.kindName = d.Texts.Name(kind); !kind.IsSet() {
		o.kindName = typeOfItem(v)
	}
	o.kind = itemKindOf(o.kindName)
	var namespace string
	known := []any{"type", nil, "id", &o.idValue, "status", wireio.TextMember(&o.status)}
	switch o.kind {
	case messageItem:
		known = append(known, "content", func(v rawjson.Value) { o.content = d.content(v, path) }, "role", func(key []byte, role rawjson.Value) {
			if !role.Is("assistant") {
				o.keep(key, role)
			}
		})
	case reasoningItem:
		known = append(known, "content", wireio.ListMember(&o.content), "summary", wireio.ListMember(&o.summary),
			"encrypted_content", wireio.TextMember(&o.encrypted))
	case functionItem, customItem:
		known = append(known, "call_id", wireio.NameMember(&o.callID), "name", wireio.NameMember(&o.name),
			"namespace", func(key []byte, v rawjson.Value) {
				namespace = d.Texts.Name(d.String(v, path, ".namespace"))
				o.keep(key, v)
			})
		if o.kind == functionItem {
			known = append(known, "arguments", &o.arguments)
		} else {
			known = append(known, "input", func(input rawjson.Value) {
				o.input = customtool.Text(&d.Reader.Reader, v, input, path, ".input")
			})
		}
	}
	d.Each(v, path, o.keep, known...)
	o.itemID = d.Texts.Name(d.String(o.idValue, path, ".id"))
	switch {
	case o.kind == otherItem:
		if o.client = clientItemOf(v); o.client != nil {
			o.callID, o.name = d.Texts.Name(d.String(v.Get(o.client.id), path, ".", o.client.id)), o.client.name
		}
	case !o.kind.isCall():
		return o
	default:
		o.cut = o.isUnfinished()
		if o.name != "" {
			o.name = wireio.JoinName(namespace, o.name)
		}
	}
	o.callID = cmp.Or(o.callID, o.itemID)
	return o
}

// isUnfinished reports whether the item is not finished, whatever its event says.
func (o *output) isUnfinished() bool { return isUnfinished(o.status) }

func isUnfinished(status rawjson.Value) bool {
	return status.Is("incomplete") || status.Is("in_progress")
}

// content returns the parts of a message. Some servers send a text instead.
func (d *Decoder) content(v rawjson.Value, path string) rawjson.Value {
	if v.Kind == rawjson.Array {
		return v
	}
	if v = d.String(v, path, ".content"); !v.IsSet() {
		return v
	}
	list, _ := rawjson.Parse(`[{"type":"output_text","text":` + string(v.JSON()) + `}]`)
	return list
}

// keep keeps a member that no delta expresses.
func (o *output) keep(key []byte, v rawjson.Value) {
	if v.IsSet() {
		o.rest = append(o.rest, member{string(key), v})
	}
}

// call returns a delta of the call that the item is.
func (o *output) call(index int) toolcall.Delta {
	return toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: index, ID: o.callID, Name: o.name, Custom: o.kind == customItem}
}

// again returns another delta of the call. Without its name, unless that has changed, it
// does not begin a second call after the end of the first.
func (o *output) again(it *item) toolcall.Delta {
	call := o.call(it.index)
	if it.started && call.Name == it.name {
		call.Name = ""
	}
	return call
}

func argumentsOf(index int) rawjson.Channel {
	return rawjson.Channel{Kind: toolcall.DeltaToolCall, Index: index}
}

// whole decodes a whole item, except what was already decoded of it.
func (d *Decoder) whole(dst []toolcall.Delta, o *output, it *item) []toolcall.Delta {
	if it.started || it.added {
		dst = d.itemExtras(d.flush(dst, it), it, o)
	} else {
		dst = d.announce(dst, it, o)
	}
	if o.kind != messageItem || !o.status.Is("completed") {
		// For a call that has begun it comes last, which tells the encoder of the same
		// wire that nothing more follows.
		dst = d.itemExtra(dst, it, "item", []byte("status"), o.status)
	}
	switch o.kind {
	case functionItem:
		return d.functionDone(dst, o, it)
	case customItem:
		return d.customDone(dst, o, it)
	}
	dst = d.parts(dst, o, it)
	if o.encrypted.Kind != rawjson.String || len(o.encrypted.Raw) == 0 {
		return dst
	}
	signature := toolcall.Delta{
		Kind: toolcall.DeltaSignature, Index: toolcall.NoIndex, ID: o.itemID, Text: d.Texts.Whole(o.encrypted),
	}
	if it.emitted == [lists]int{} {
		signature.Name = toolcall.SignsRedacted
	}
	return append(dst, signature)
}
