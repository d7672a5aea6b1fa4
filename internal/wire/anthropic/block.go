package anthropic

import (
	"bytes"
	"errors"

	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// blockKind is the kind of a content block.
type blockKind uint8

const (
	noBlock blockKind = iota
	textBlock
	thinkingBlock
	redactedBlock
	toolBlock
	otherBlock // no delta expresses its content, such as that of a call that the server runs
)

// kinds are the blocks that deltas express, with their own members.
var kinds = [...]struct {
	name    string
	in      string // path of other members in the block's start
	members []string
}{
	textBlock:     {"text", inBlockStart + ".text", []string{"type", "text"}},
	thinkingBlock: {"thinking", inBlockStart + ".thinking", []string{"type", "thinking", "signature"}},
	redactedBlock: {"redacted_thinking", inBlockStart + ".redacted_thinking", []string{"type", "data"}},
	toolBlock:     {"tool_use", inBlockStart + ".tool_use", []string{"type", "id", "name", "input", "caller"}},
}

// kindOf returns the kind of a block with this type.
func kindOf(name rawjson.Value) blockKind {
	for kind := textBlock; kind < otherBlock; kind++ {
		if name.Is(kinds[kind].name) {
			return kind
		}
	}
	return otherBlock
}

// pieceKind is a kind of delta of a block that our deltas express.
type pieceKind uint8

const (
	otherPiece pieceKind = iota
	textPiece
	thinkingPiece
	signaturePiece
	inputPiece
)

// pieces are these kinds of deltas.
var pieces = [...]struct {
	name, field string
	of          blockKind
	in          string // path of other members in it
	begin       string // the text that precedes its text
}{
	textPiece:      {"text_delta", "text", textBlock, inBlockDelta + ".text_delta", `"text_delta","text":`},
	thinkingPiece:  {"thinking_delta", "thinking", thinkingBlock, inBlockDelta + ".thinking_delta", `"thinking_delta","thinking":`},
	signaturePiece: {"signature_delta", "signature", thinkingBlock, inBlockDelta + ".signature_delta", `"signature_delta","signature":`},
	inputPiece:     {"input_json_delta", "partial_json", toolBlock, inBlockDelta + ".input_json_delta", `"input_json_delta","partial_json":`},
}

// pieceOf returns the kind of a delta with this type.
func pieceOf(name rawjson.Value) pieceKind {
	for kind := textPiece; kind <= inputPiece; kind++ {
		if name.Is(pieces[kind].name) {
			return kind
		}
	}
	return otherPiece
}

// block is an open content block.
type block struct {
	index     int
	kind      blockKind
	name      string    // type of an otherBlock
	piece     pieceKind // the last of its deltas
	hasExtras bool      // it has extras that wait for the delta that they belong to
	hasDelta  bool      // a delta came
	again     wireio.Repeated
}

// maxBlocks limits the blocks that are open at the same time.
const maxBlocks = 10_000

var errManyBlocks = errors.New("too many content blocks are open")

// blockAt returns the open block of an event, or nil, which is the event's error.
func (d *Decoder) blockAt(f *fields) *block {
	index := d.place(f)
	if d.last != nil && d.last.index == index {
		return d.last
	}
	if d.last = d.open[index]; d.last == nil {
		d.Fail(f.index, errClosed, "index")
	}
	return d.last
}

// place returns the index of the event's block.
func (d *Decoder) place(f *fields) int {
	if n, ok := d.Index(f.index, "index"); ok {
		return n
	}
	return toolcall.NoIndex
}

// blockStart opens a block, and decodes its content: nearly always none, but some servers
// send all of it here.
func (d *Decoder) blockStart(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	index := d.place(f)
	dst = d.announce(dst, index)
	v, ok := d.Need(f.block, rawjson.Object, "content_block")
	switch {
	case !ok || d.Err() != nil:
		return dst
	case d.state == stopped:
		d.Fail(f.kind, errStopped, "type")
		return dst
	case d.open[index] != nil:
		d.Fail(f.index, errOpen, "index")
		return dst
	case len(d.open) == maxBlocks:
		d.Fail(f.index, errManyBlocks, "index")
		return dst
	}
	d.state = under
	b, dst := d.block(dst, v, index, f)
	if b == nil {
		return dst
	}
	if d.open == nil {
		d.open = make(map[int]*block)
	}
	d.open[index], d.last = b, b
	return dst
}

// blockDelta decodes a piece of a block.
func (d *Decoder) blockDelta(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	b, delta := d.blockAt(f), f.delta
	if b == nil {
		return dst
	}
	if delta.Kind != rawjson.Object {
		d.Need(delta, rawjson.Object, "delta")
		return dst
	}
	if b.kind == otherBlock {
		d.recent = b
		return whole(dst, inBlock, b.name, f.root)
	}
	var kind, text rawjson.Value
	members := 0 // of the delta
	for key, v := range delta.Fields() {
		members++
		switch string(key) {
		case "type":
			kind = v
		case "text", "thinking", "signature", "partial_json":
			text = v
		}
	}
	piece := b.piece
	if !kind.Is(pieces[piece].name) {
		piece = pieceOf(kind)
		b.piece = piece
	}
	of := &pieces[piece]
	switch {
	case kind.Kind != rawjson.String:
		d.Need(kind, rawjson.String, "delta.type")
		return dst
	case piece == otherPiece:
		dst = d.pieceExtras(dst, b, f, delta, otherPiece)
		b.hasDelta = true
		return unknown.Add(dst, 0, b.callIndex(), inBlockDelta+"."+kinds[b.kind].name, kind.Raw, delta)
	case !b.kind.accepts(of.of):
		d.Fail(kind, errForeign, "delta.type")
		return dst
	case members != 2:
		text = delta.Get(of.field)
	}
	if f.count != 2 || f.index.Kind == rawjson.Absent || members != 2 || text.Kind == rawjson.Absent {
		dst = d.pieceExtras(dst, b, f, delta, piece)
	}
	switch piece {
	case textPiece:
		return d.text(dst, b, toolcall.DeltaText, d.String(text, "delta.text"))
	case thinkingPiece:
		return d.text(dst, b, toolcall.DeltaReasoning, d.String(text, "delta.thinking"))
	case signaturePiece:
		return d.signature(dst, b, "", d.String(text, "delta.signature"))
	}
	return d.input(dst, b, text)
}

// pieceExtras appends the extras of an event with a delta.
func (d *Decoder) pieceExtras(dst []toolcall.Delta, b *block, f *fields, delta rawjson.Value, piece pieceKind) []toolcall.Delta {
	dst = d.enter(dst, b)
	from := len(dst)
	dst = f.rest(dst, b.callIndex(), inBlockDelta, "index", "delta")
	if piece != otherPiece {
		dst = rest(dst, b.callIndex(), pieces[piece].in, delta, "type", pieces[piece].field)
	}
	b.hasExtras = b.hasExtras || len(dst) > from
	return dst
}

// accepts reports whether a block may have the deltas of another kind of block. Text and
// thinking say themselves what they are, and some servers stream both in one block.
func (k blockKind) accepts(of blockKind) bool {
	isProse := func(k blockKind) bool { return k == textBlock || k == thinkingBlock }
	return k == of || isProse(k) && isProse(of)
}

// callIndex returns the index for extras of a block.
func (b *block) callIndex() int {
	if b.kind == toolBlock {
		return b.index
	}
	return toolcall.NoIndex
}

// input decodes a piece of a call's input.
func (d *Decoder) input(dst []toolcall.Delta, b *block, v rawjson.Value) []toolcall.Delta {
	if v.Kind != rawjson.Object { // some servers send the whole input
		v = d.String(v, "delta.partial_json")
	}
	c := rawjson.Channel{Kind: toolcall.DeltaToolCall, Index: b.index}
	text, whole := d.Texts.Arguments(c, v)
	if !whole {
		text = b.again.Add(text)
	}
	if text != "" {
		dst = append(dst, toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: b.index, Text: text, Whole: whole})
	}
	return dst
}

// blockStop closes a block, and its call.
func (d *Decoder) blockStop(dst []toolcall.Delta, f *fields) []toolcall.Delta {
	b := d.blockAt(f)
	if b == nil {
		return dst
	}
	delete(d.open, b.index)
	d.last = nil
	if b.kind == otherBlock {
		return whole(dst, inBlock, b.name, f.root)
	}
	dst = f.rest(dst, b.callIndex(), inBlockStop, "index")
	if b.kind == toolBlock {
		rest := b.again.Add(d.Texts.Rest(rawjson.Channel{Kind: toolcall.DeltaToolCall, Index: b.index}))
		rest += b.again.End()
		dst = append(dst, toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: b.index, Text: rest, Done: true})
	}
	dst = d.Texts.DrainAll(dst)
	if b.hasExtras && !b.hasDelta {
		dst = ends(dst, b.index, false)
	}
	return dst
}

// enter records that something of a block follows. If the last delta was of another block
// of the same kind, it appends the extra that separates them.
func (d *Decoder) enter(dst []toolcall.Delta, b *block) []toolcall.Delta {
	if d.recent == b {
		return dst
	}
	if d.recent != nil && d.recent.kind == b.kind && b.kind <= thinkingBlock {
		dst = ends(dst, d.recent.index, true)
	}
	d.recent = b
	return dst
}

// block decodes the start of a content block. f is the members of its event; nil in a
// whole message.
func (d *Decoder) block(dst []toolcall.Delta, v rawjson.Value, index int, f *fields) (*block, []toolcall.Delta) {
	var kind, text, thinking, signature, data, id, name, toolset, input, caller rawjson.Value
	d.Each(v, "content_block", nil, "type", &kind, "text", &text, "thinking", &thinking, "signature", &signature, "data", &data,
		"id", &id, "name", &name, toolsetName, &toolset, "input", &input, "caller", &caller)
	if _, ok := d.Need(kind, rawjson.String, "content_block.type"); !ok {
		return nil, dst
	}
	b := &block{index: index, kind: kindOf(kind)}
	if b.kind == otherBlock {
		b.name = d.Texts.Name(kind)
		event := eventOf(inBlockStart, index, v)
		if f != nil {
			event = f.root
		}
		d.recent = b
		return b, whole(dst, inBlock, b.name, event)
	}
	from := len(dst)
	if f != nil {
		dst = f.rest(dst, toolcall.NoIndex, inBlockStart, "index", "content_block")
	}
	of := &kinds[b.kind]
	dst = rest(dst, toolcall.NoIndex, of.in, v, of.members...)
	b.hasExtras = len(dst) > from
	switch b.kind {
	case textBlock:
		dst = d.text(dst, b, toolcall.DeltaText, d.String(text, "content_block.text"))
	case thinkingBlock:
		dst = d.text(dst, b, toolcall.DeltaReasoning, d.String(thinking, "content_block.thinking"))
		dst = d.signature(dst, b, "", d.String(signature, "content_block.signature"))
	case redactedBlock:
		dst = d.signature(dst, b, toolcall.SignsRedacted, d.String(data, "content_block.data"))
	default:
		dst = d.caller(dst, caller)
		from := len(dst)
		if dst = d.call(dst, b, id, name, input); len(dst) > from && toolset.IsSet() {
			call := &dst[len(dst)-1]
			call.Name = wireio.JoinName(d.Texts.Name(d.String(toolset, "content_block."+toolsetName)), call.Name)
		}
	}
	return b, dst
}

// toolsetName is the member of a call with the toolset of the tool.
const toolsetName = "toolset_name"

// caller appends who makes a call. The model itself is the default, which only this wire
// reports.
func (d *Decoder) caller(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	if !v.IsSet() {
		return dst
	}
	text := string(v.JSON())
	if isDirect(v) {
		text = "null"
	}
	return append(dst, toolcall.Delta{Kind: toolcall.DeltaExtra, Index: toolcall.NoIndex, Name: callerPath, Text: text})
}

// call appends the beginning of a call.
func (d *Decoder) call(dst []toolcall.Delta, b *block, id, name, input rawjson.Value) []toolcall.Delta {
	call := toolcall.Delta{
		Kind: toolcall.DeltaToolCall, Index: b.index,
		ID: d.Texts.Name(d.String(id, "content_block.id")),
	}
	call.Name = d.Texts.Name(d.String(name, "content_block.name"))
	if input.IsSet() && !isEmpty(input) {
		text := string(input.Raw)         // with another type, the call is malformed
		if input.Kind == rawjson.String { // some servers send a string
			text = d.Texts.Whole(input)
		}
		call.Text = b.again.Begin(text)
		call.Whole = call.Text != ""
	}
	if d.Err() != nil {
		return dst
	}
	d.recent, b.hasDelta = b, true
	return append(dst, call)
}

// eventOf returns an event for a block in a whole message.
func eventOf(kind string, index int, v rawjson.Value) rawjson.Value {
	var w jsonout.Writer
	w.Object()
	w.Text("type", kind)
	w.KeyInt("index", int64(index))
	if v.IsSet() {
		w.Member("content_block", v.JSON())
	}
	w.EndObject()
	return rawjson.Value{Kind: rawjson.Object, Raw: w.Out}
}

// isEmpty reports whether the input at a block's start is the placeholder {}, which
// input_json_delta replaces.
func isEmpty(input rawjson.Value) bool {
	return len(input.Raw) == 0 || string(input.Raw) == "{}" || input.Kind == rawjson.Object && len(bytes.TrimSpace(input.Raw[1:len(input.Raw)-1])) == 0
}

func (d *Decoder) text(dst []toolcall.Delta, b *block, kind toolcall.DeltaKind, v rawjson.Value) []toolcall.Delta {
	if len(v.Raw) == 0 {
		return dst
	}
	dst = d.enter(dst, b)
	if text := d.Texts.Piece(rawjson.Channel{Kind: kind}, v); text != "" {
		dst = append(dst, toolcall.Delta{Kind: kind, Text: text})
	}
	b.hasDelta = true
	return dst
}

// signature appends the signature of the reasoning before it, or encrypted reasoning. It
// is the last delta of its block.
func (d *Decoder) signature(dst []toolcall.Delta, b *block, of string, v rawjson.Value) []toolcall.Delta {
	if text := d.Texts.Whole(v); text != "" {
		dst = append(d.enter(dst, b), toolcall.Delta{Kind: toolcall.DeltaSignature, Index: toolcall.NoIndex, Name: of, Text: text})
		d.recent, b.hasDelta = nil, true
	}
	return dst
}
