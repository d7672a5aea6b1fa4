package responses

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/wire/customtool"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// items are the output items of a stream. Servers repeat what an item says up to four times:
// in pieces, at the end of a part, at the end of the item and in the whole response. Each of
// these may be missing, so that each adds what did not come before:
//
//	(unknown) -output_item.added, or a piece of a text-> open -output_item.done-> past
//	(unknown) ------------output_item.done, or the whole response------------> past
//
// An item that is past is only compared with what repeats it.
type items struct {
	open  []*item              // in the order in which they began
	past  map[int]identity     // items that are done, by output index
	calls map[string]identity  // those that are calls, by id
	kinds [customItem + 1]bool // kinds of items that came
}

// identity is what identifies an output item. It is kept of an item that is done.
type identity struct {
	kind           itemKind
	itemID, callID string

	name  string // of a call
	whole string // arguments or input of a call, when its item is done
}

// item is an open output item of the decoder.
type item struct {
	identity
	index   int
	aside   bool // another item has begun at its index, as Ollama does while a message is open
	added   bool // its start came
	started bool // a delta of it was emitted
	sent    bool // some arguments or input came
	closed  bool // the input of a custom call ended

	members unknown.Stream
	emitted [lists]int // bytes of text
	parts   [lists]int // number of parts that have begun
	ended   [lists]int // number of parts that have ended
	part    part       // the last one

	again  wireio.Repeated // pieces of arguments after whole ones
	passed map[uint64]bool // members of parts that were appended; see partMember
}

const (
	maxItems = 1000    // open at the same time
	maxPast  = 1 << 16 // that were
)

var (
	errManyItems = errors.New("too many output items")
	errTwice     = errors.New("the output item is already open")
	errLate      = errors.New("deltas of the output item came before its start")
	errNoStart   = errors.New("a delta for an item that was not opened")
	errOver      = errors.New("a delta for an item that is done")
	errKind      = errors.New("a delta for an item of another kind")
	errNotDone   = errors.New("the response is completed, but an output item is not done")
	errOtherName = errors.New("the name of the call differs from the one that was streamed")
	errOtherArgs = errors.New("the arguments of the call differ from those that were streamed")
)

// indexOf returns the output index of an event, or NoIndex.
func (d *Decoder) indexOf(f *fields) int {
	index, ok := d.Index(f.index, "output_index")
	if !ok {
		return toolcall.NoIndex
	}
	return index
}

// last returns the item that began last of the open ones of which is holds, or nil.
func (s *items) last(is func(*item) bool) *item {
	for _, it := range slices.Backward(s.open) {
		if is(it) {
			return it
		}
	}
	return nil
}

// at returns the open item at an index, or nil.
func (s *items) at(index int) *item {
	return s.last(func(it *item) bool { return it.index == index && !it.aside })
}

// find returns the open item of a kind at an index or, for servers that leave out the
// index, with an id.
func (s *items) find(index int, kind itemKind, id rawjson.Value) *item {
	if index == toolcall.NoIndex && id.Kind == rawjson.String && len(id.Raw) > 0 {
		if it := s.last(func(it *item) bool { return it.kind == kind && it.itemID == string(id.Raw) }); it != nil {
			return it
		}
	}
	for _, it := range slices.Backward(s.open) {
		if it.index == index && it.kind == kind {
			return it
		}
	}
	return nil
}

// piece returns the item of a kind for an event with a piece. A text may lack its start,
// because it is complete without one. nil is an error.
func (d *Decoder) piece(f *fields, kind itemKind) *item {
	index := d.indexOf(f)
	if it := d.items.find(index, kind, d.String(f.itemID, "item_id")); it != nil {
		return it
	}
	err := error(nil)
	if index != toolcall.NoIndex {
		was, over := d.items.past[index]
		switch {
		case d.items.at(index) != nil:
			err = errKind
		case over && was.kind == kind:
			err = errOver
		}
	}
	if err == nil && kind.isCall() {
		err = errNoStart
	}
	if err != nil || d.Err() != nil {
		d.Fail(f.index, err, "output_index")
		return nil
	}
	return d.begin(f, &item{index: index, identity: identity{kind: kind, itemID: d.Texts.Name(f.itemID)}})
}

// ending is piece for an event that repeats what came. It returns nil for an item that is
// done, or has not begun.
func (d *Decoder) ending(f *fields, kind itemKind) *item {
	return d.items.find(d.indexOf(f), kind, d.String(f.itemID, "item_id"))
}

// begin keeps an item that opens here. nil is an error.
func (d *Decoder) begin(f *fields, it *item) *item {
	s := &d.items
	if len(s.open) >= maxItems {
		d.Fail(f.index, errManyItems, "output_index")
		return nil
	}
	if other := s.at(it.index); other != nil {
		other.aside = true
	}
	s.open = append(s.open, it)
	s.kinds[it.kind] = true
	return it
}

// end drops an item, except that it existed.
func (d *Decoder) end(it *item) {
	s := &d.items
	s.open = slices.DeleteFunc(s.open, func(other *item) bool { return other == it })
	s.kinds[it.kind] = true
	if len(s.past) == maxPast {
		return
	}
	if s.past == nil {
		s.past, s.calls = map[int]identity{}, map[string]identity{}
	}
	s.past[it.index] = it.identity
	if it.kind.isCall() {
		s.calls[it.callID] = it.identity
	}
}

// same reports whether an item has one of the ids of another.
func (o identity) same(was identity) bool {
	return o.kind == was.kind && (o.itemID != "" && o.itemID == was.itemID || o.kind.isCall() && o.callID != "" && o.callID == was.callID)
}

// itemAdded opens an item. Its type comes before its first text. An event without its item, which
// some servers send, announces nothing.
func (d *Decoder) itemAdded(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	if !f.item.IsSet() {
		return dst
	}
	o, index := d.itemOf(f)
	if d.Err() != nil {
		return dst
	}
	if old := d.items.at(index); old != nil && index != toolcall.NoIndex {
		switch {
		case o.same(old.identity) && o.arguments.IsZero() && o.input.IsZero():
			return dst // some servers announce an item again
		case o.same(old.identity):
			d.Fail(f.item, errTwice, "item")
			return dst
		case !old.added && old.kind == o.kind:
			d.Fail(f.item, errLate, "item")
			return dst
		}
	}
	if was, ok := d.items.past[index]; ok && index != toolcall.NoIndex && o.same(was) {
		d.Fail(f.item, errTwice, "item")
		return dst
	}
	it := d.begin(f, &item{index: index, identity: o.identity, added: true})
	if it == nil {
		return dst
	}
	if o.kind == otherItem {
		return wholeItem(dst, &o, f.root)
	}
	dst = d.announce(eventExtras(dst, "output_item.added", f), it, &o)
	if it.kind == reasoningItem {
		dst = d.itemExtra(dst, it, "item", []byte("status"), o.status)
	}
	if !it.kind.isCall() {
		return dst
	}
	call := o.call(index)
	if it.kind == functionItem {
		text, whole := d.Texts.Arguments(argumentsOf(index), o.arguments)
		call.Text = it.again.Begin(text)
		it.sent = call.Text != ""
		call.Whole = whole && it.sent
	} else {
		call.Text, it.sent = customtool.Opener+string(o.input.Raw), len(o.input.Raw) > 0
	}
	it.started = true
	return d.give(dst, it.kind, call)
}

// announce appends where an item begins, with the members that no other delta expresses.
func (d *Decoder) announce(dst []toolcall.Delta, it *item, o *output) []toolcall.Delta {
	kind := rawjson.Value{Kind: rawjson.String, Raw: []byte(itemShapes[it.kind].kind)}
	dst = it.members.Set(dst, 0, "item", []byte("type"), kind)
	if it.itemID != "" {
		dst = it.members.Set(dst, 0, "item", []byte("id"), rawjson.Value{Kind: rawjson.String, Raw: []byte(it.itemID)})
	}
	return d.itemExtras(dst, it, o)
}

// itemExtras appends the members of an item that no other delta expresses.
func (d *Decoder) itemExtras(dst []toolcall.Delta, it *item, o *output) []toolcall.Delta {
	for _, m := range o.rest {
		dst = d.itemExtra(dst, it, "item", []byte(m.name), m.value)
	}
	return dst
}

// noItem is the remark about an item that ends without being repeated.
var noItem = chat.Loss{Field: "item", Reason: "the event output_item.done has none", Action: "read from the other events", Minor: true}

// itemDone closes an item, and decodes what did not come in pieces.
func (d *Decoder) itemDone(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	if !f.item.IsSet() {
		d.Note(noItem)
		return d.endHere(dst, d.indexOf(f))
	}
	o, index := d.itemOf(f)
	if d.Err() != nil {
		return dst
	}
	it := d.items.find(index, o.kind, o.idValue)
	if it != nil && it.callID != "" && o.callID != "" && it.callID != o.callID {
		it = nil // of another call, which stays open
	}
	if it == nil {
		was, ok := d.items.past[index]
		if ok && index != toolcall.NoIndex && o.same(was) {
			d.checkRepeated(&o, "item")
			return dst
		}
		it = &item{index: index, identity: o.identity}
	}
	if o.kind == otherItem {
		d.end(it)
		return asked(wholeItem(dst, &o, f.root), &o, index)
	}
	dst = d.whole(eventExtras(dst, "output_item.done", f), &o, it)
	d.end(it)
	return dst
}

// endHere closes the item at an index, whose end does not repeat it. A call of which nothing
// has come stays open, because the end of the response may have its arguments.
func (d *Decoder) endHere(dst []toolcall.Delta, index int) []toolcall.Delta {
	it := d.items.at(index)
	if it == nil || it.kind.isCall() && !it.sent {
		return dst
	}
	switch dst = d.flush(dst, it); {
	case it.kind == functionItem:
		dst = d.parallel.Add(d.half(dst, it), toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: index, Done: true})
	case it.kind == customItem:
		end := toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: index, Done: true}
		if !it.closed {
			end.Text = customtool.Closer
		}
		dst = append(dst, end)
	}
	d.end(it)
	return dst
}

// checkRepeated rejects a repetition of a call, at a path, that differs from the call as it
// was streamed: the call may already be running, so that the answer must not look complete.
func (d *Decoder) checkRepeated(o *output, path string) {
	was, ok := d.items.calls[o.callID]
	if !ok || o.callID == "" || was.kind != o.kind {
		return
	}
	if was.name != "" && o.name != "" && o.name != was.name {
		d.Fail(o.value, errOtherName, path, ".name")
	}
	if whole := d.wholeOf(o); whole != "" && was.whole != "" && !jsonvalue.EqualTexts(whole, was.whole) {
		d.Fail(o.value, errOtherArgs, path)
	}
}

// wholeOf returns the arguments or the input of a call in its whole item.
func (d *Decoder) wholeOf(o *output) string {
	if o.kind == customItem {
		return string(o.input.JSON())
	}
	return d.wholeArguments(o.arguments, toolcall.NoIndex)
}

// itemOf returns the item of an event with its output index.
func (d *Decoder) itemOf(f *fields) (output, int) {
	return d.output(d.Object(f.item, "item"), "item"), d.indexOf(f)
}

// wholeItem appends an item that no delta expresses, with its event.
func wholeItem(dst []toolcall.Delta, o *output, event rawjson.Value) []toolcall.Delta {
	in := "output[]"
	if o.client != nil && o.callID != "" {
		in = "call[]" // it is a call as well
	}
	return unknown.Add(dst, 0, toolcall.NoIndex, in, []byte(o.kindName), event)
}

// asked appends the call for an item that requests something of the client. The item
// itself comes before it, for the encoder of this wire.
func asked(dst []toolcall.Delta, o *output, index int) []toolcall.Delta {
	if o.client == nil {
		return dst
	}
	call := toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: index, ID: o.callID, Name: o.name}
	call.Text = o.client.arguments(o.value)
	if o.isUnfinished() { // so that the arguments are incomplete, too, even if they look complete
		call.Text = strings.TrimSuffix(call.Text, "}")
		return append(dst, call)
	}
	call.Whole, call.Done = true, true
	return append(dst, call)
}

// checkEnded rejects a completed response if a call has begun and is not done. Nobody
// waits for the end of other items.
func (d *Decoder) checkEnded(response rawjson.Value) {
	var first *item
	for _, it := range d.items.open {
		if it.added && it.kind.isCall() && (first == nil || it.index < first.index) {
			first = it
		}
	}
	if first != nil {
		d.Fail(response, fmt.Errorf("%w: index %d", errNotDone, first.index), "response")
	}
}
