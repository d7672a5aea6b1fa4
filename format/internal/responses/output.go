package responses

import (
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/wireio"
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

var itemShapes = [...]struct{ kind, prefix string }{ // prefix is the beginning of its ids
	messageItem: {"message", "msg_"}, reasoningItem: {"reasoning", "rs_"},
	functionItem: {"function_call", "fc_"}, customItem: {"custom_tool_call", "ctc_"},
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
	says                toolcall.DeltaKind
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
	kind     itemKind
	kindName string
	value    rawjson.Value
	idValue  rawjson.Value
	status   rawjson.Value
	cut      bool        // an incomplete call
	client   *clientItem // the kind of request to the client
	itemID   string
	id, name string // of a call

	arguments, input, summary, content, encrypted rawjson.Value
	rest                                          []member
}

// output reads an item at a path.
func (d *Decoder) output(v rawjson.Value, path string) output {
	o := output{value: v}
	var kind, callID, name, namespace, role rawjson.Value
	d.Each(v, path, func(key []byte, v rawjson.Value) { o.keep(string(key), v) }, "type", wireio.TextMember(&kind), "id", &o.idValue, "call_id", &callID,
		"name", &name, "status", wireio.TextMember(&o.status), "role", &role, "arguments", &o.arguments, "input", &o.input, "summary", &o.summary,
		"content", &o.content, "encrypted_content", &o.encrypted,
		"namespace", func(v rawjson.Value) {
			namespace = v
			o.keep("namespace", v)
		})
	if o.kindName = d.Texts.Name(kind); !kind.IsSet() {
		o.kindName = typeOfItem(v)
	}
	o.kind = itemKindOf(o.kindName)
	if o.itemID = d.Texts.Name(d.String(o.idValue, path, ".id")); o.kind == otherItem {
		if o.client = clientItemOf(v); o.client != nil {
			o.id, o.name = d.Texts.Name(d.String(v.Get(o.client.id), path, ".", o.client.id)), o.client.name
		}
		if o.id == "" {
			o.id = o.itemID
		}
		return o
	}
	if o.kind != reasoningItem {
		o.keep("encrypted_content", o.encrypted)
		o.keep("summary", o.summary)
		o.summary, o.encrypted = rawjson.Value{}, rawjson.Value{}
	}
	if !o.kind.isCall() {
		o.summary = d.Array(o.summary, path, ".summary")
		o.content = d.Array(o.content, path, ".content")
		o.encrypted = d.String(o.encrypted, path, ".encrypted_content")
		for _, m := range [...]member{{"call_id", callID}, {"name", name}, {"arguments", o.arguments}, {"input", o.input}} {
			o.keep(m.name, m.value)
		}
		if o.kind == reasoningItem || !role.Is("assistant") {
			o.keep("role", role)
		}
		return o
	}
	o.keep("content", o.content)
	o.keep("role", role)
	o.cut = o.isUnfinished()
	o.id, o.name = d.Texts.Name(d.String(callID, path, ".call_id")), d.Texts.Name(d.String(name, path, ".name"))
	if namespace.IsSet() && o.name != "" {
		o.name = wireio.JoinName(d.Texts.Name(d.String(namespace, path, ".namespace")), o.name)
	}
	if o.id == "" {
		o.id = o.itemID
	}
	if o.kind == customItem {
		o.keep("arguments", o.arguments)
		o.input = d.String(o.input, path, ".input")
		return o
	}
	o.keep("input", o.input)
	return o
}

// isUnfinished reports whether the item is not finished, whatever its event says.
func (o *output) isUnfinished() bool { return isUnfinished(o.status) }

func isUnfinished(status rawjson.Value) bool {
	return status.Is("incomplete") || status.Is("in_progress")
}

// keep keeps a member that no delta expresses.
func (o *output) keep(name string, v rawjson.Value) {
	if v.IsSet() {
		o.rest = append(o.rest, member{name, v})
	}
}

// call returns a delta of the call that the item is.
func (o *output) call(index int) toolcall.Delta {
	return toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: index, ID: o.id, Name: o.name, Custom: o.kind == customItem}
}

// again returns another delta of the call. Without its name, unless that has changed, it
// does not begin a second call after the end of the first.
func (o *output) again(it *item) toolcall.Delta {
	call := o.call(it.index)
	if it.begun && call.Name == it.name {
		call.Name = ""
	}
	return call
}

func argumentsOf(index int) rawjson.Channel {
	return rawjson.Channel{Kind: toolcall.DeltaToolCall, Index: index}
}

// whole decodes a whole item, except what was already decoded of it.
func (d *Decoder) whole(dst []toolcall.Delta, o *output, it *item) []toolcall.Delta {
	if it.begun || it.added {
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
	if !it.hasText() {
		signature.Name = toolcall.SignsRedacted
	}
	return append(dst, signature)
}
