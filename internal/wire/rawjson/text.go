package rawjson

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/jsonindex"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/toolcall"
)

// Channel is a text that deltas add to: the visible text of a choice, or the arguments of
// one call.
type Channel struct {
	Kind          toolcall.DeltaKind
	Choice, Index int
}

// Texts decodes JSON strings. It joins a character that a server has split over two
// events as "\ud83d" and "\ude00": it holds the first half until the channel continues. A
// half alone becomes U+FFFD in texts, and stays an escape in arguments, which are JSON
// text. Invalid UTF-8 stays as it is. The zero value is ready.
type Texts struct {
	held    []half
	scratch []byte // for unescape

	recent [8]string // names that were returned recently
	next   int       // index of the next one

	batches bool             // see Batch
	texts   *strings.Builder // the current batch
	values  []byte           // likewise, of Copy
}

// Batch makes Whole and Copy allocate for many short texts at once. Each of them then keeps
// up to batchSize bytes of others in memory.
func (t *Texts) Batch() { t.batches = true }

const (
	batchSize = 4 << 10
	maxBatch  = batchSize / 4 // longer texts are allocated alone
)

// text returns a copy of raw, which has no escapes.
func (t *Texts) text(raw []byte) string {
	if !t.batches || len(raw) > maxBatch {
		return string(raw)
	}
	if t.texts == nil || t.texts.Cap()-t.texts.Len() < len(raw) {
		t.texts = new(strings.Builder)
		t.texts.Grow(batchSize)
	}
	from := t.texts.Len()
	t.texts.Write(raw)
	return t.texts.String()[from:]
}

// Copy returns a copy of an object or an array as in the data, as [Value.JSON] does.
func (t *Texts) Copy(v Value) json.RawMessage {
	n := len(v.Raw)
	if v.Kind < Array || !t.batches || n > maxBatch {
		return v.JSON()
	}
	if cap(t.values)-len(t.values) < n {
		t.values = make([]byte, 0, batchSize)
	}
	from := len(t.values)
	t.values = append(t.values, v.Raw...)
	return t.values[from : from+n : from+n]
}

// half is the first half of a surrogate pair.
type half struct {
	channel Channel
	unit    rune
}

// maxHeld limits the halves that are held, at most one for each channel.
const maxHeld = 64

// Piece decodes a string that adds to a channel; any other value is "".
func (t *Texts) Piece(c Channel, v Value) string {
	if v.Kind != String || len(v.Raw) == 0 {
		return ""
	}
	if len(t.held) == 0 {
		if text, ok := v.Lent(); ok {
			return text
		}
		if text, whole := t.unescape(v); whole {
			return string(text)
		}
	}
	var out strings.Builder
	out.Grow(len(v.Raw))
	if high := addText(&out, c.Kind, t.take(c), v.Raw); high != 0 {
		if len(t.held) < maxHeld {
			t.held = append(t.held, half{c, high})
		} else {
			addLone(&out, c.Kind, high)
		}
	}
	return out.String()
}

// Arguments returns what a call's arguments add to the channel: a string is decoded, any
// other value except null stays as it is. whole reports such a value, which cannot be a
// fragment.
func (t *Texts) Arguments(c Channel, v Value) (text string, whole bool) {
	switch v.Kind {
	case Absent, Null:
		return "", false
	case String:
		return t.Piece(c, v), false
	}
	return string(v.Raw), true
}

// Whole decodes a string that belongs to no channel; any other value is "".
func (t *Texts) Whole(v Value) string {
	if v.Kind != String {
		return ""
	}
	text, _ := t.unescape(v)
	return t.text(text)
}

// Reset makes t ready for another stream, and keeps memory.
func (t *Texts) Reset() {
	t.held, t.batches, t.texts, t.values = t.held[:0], false, nil, nil
}

// maxScratch limits the memory that is kept for unescaping or an index, in bytes.
const maxScratch = 64 << 10

// unescape decodes a string. The text is valid until the next call. whole is false if it
// has U+FFFD instead of half of a surrogate pair.
func (t *Texts) unescape(v Value) (text []byte, whole bool) {
	if !v.HasEscapes() {
		return v.Raw, true
	}
	if text, whole = v.Decoded(); whole {
		return text, true
	}
	text, whole = jsonindex.AppendUnescaped(t.scratch[:0], v.Raw)
	if t.scratch = text; cap(text) > maxScratch {
		t.scratch = nil
	}
	return text, whole
}

// Name decodes a string that is likely to occur again, such as a name, an id or a finish
// reason, without allocating when it does. A number becomes its digits, any other value
// "".
func (t *Texts) Name(v Value) string {
	if v.Kind != String && v.Kind != Number {
		return ""
	}
	for _, s := range t.recent {
		if s == string(v.Raw) {
			return s
		}
	}
	if v.HasEscapes() {
		return t.Whole(v)
	}
	s := t.text(v.Raw)
	if len(s) <= 128 {
		t.recent[t.next] = s
		t.next = (t.next + 1) % len(t.recent)
	}
	return s
}

// Rest ends a channel, and returns what was held of it, usually nothing.
func (t *Texts) Rest(c Channel) string {
	high := t.take(c)
	if high == 0 {
		return ""
	}
	return lone(c.Kind, high)
}

// Drain ends all channels of a choice and appends what was held of them.
func (t *Texts) Drain(dst []toolcall.Delta, choice int) []toolcall.Delta {
	rest := t.held[:0]
	for _, h := range t.held {
		if h.channel.Choice != choice {
			rest = append(rest, h)
			continue
		}
		dst = append(dst, toolcall.Delta{
			Kind: h.channel.Kind, Choice: choice, Index: h.channel.Index,
			Text: lone(h.channel.Kind, h.unit),
		})
	}
	t.held = rest
	return dst
}

// DrainAll ends all channels and appends what was held of them.
func (t *Texts) DrainAll(dst []toolcall.Delta) []toolcall.Delta {
	for len(t.held) > 0 {
		dst = t.Drain(dst, t.held[0].channel.Choice)
	}
	return dst
}

func (t *Texts) take(c Channel) rune {
	for i, h := range t.held {
		if h.channel == c {
			t.held = append(t.held[:i], t.held[i+1:]...)
			return h.unit
		}
	}
	return 0
}

// addText decodes raw after the first half of a pair, or 0. It returns such a half at the
// end of raw, or 0.
func addText(out *strings.Builder, kind toolcall.DeltaKind, high rune, raw []byte) rune {
	for len(raw) > 0 {
		if raw[0] != '\\' || raw[1] != 'u' {
			if high != 0 {
				addLone(out, kind, high)
				high = 0
			}
			if raw[0] == '\\' {
				out.WriteByte(bytescan.Meaning(raw[1]))
				raw = raw[2:]
				continue
			}
			run := raw
			if i := bytes.IndexByte(raw, '\\'); i >= 0 {
				run = raw[:i]
			}
			out.Write(run)
			raw = raw[len(run):]
			continue
		}
		unit := strictjson.CodeUnit(raw[2:6])
		raw = raw[6:]
		if high != 0 {
			if r := utf16.DecodeRune(high, unit); r != utf8.RuneError {
				out.WriteRune(r)
				high = 0
				continue
			}
			addLone(out, kind, high)
			high = 0
		}
		switch {
		case unit >= 0xd800 && unit < 0xdc00:
			high = unit
		case utf16.IsSurrogate(unit):
			addLone(out, kind, unit)
		default:
			out.WriteRune(unit)
		}
	}
	return high
}

// addLone adds a half of a surrogate pair that has no other half.
func addLone(out *strings.Builder, kind toolcall.DeltaKind, unit rune) {
	out.WriteString(lone(kind, unit))
}

// lone returns the replacement for such a half.
func lone(kind toolcall.DeltaKind, unit rune) string {
	if kind != toolcall.DeltaToolCall {
		return string(utf8.RuneError)
	}
	const digits = "0123456789abcdef"
	return string([]byte{'\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15]})
}

// AppendQuoted appends s as a JSON string, with the escapes of package printable in
// addition to those that JSON requires. Invalid UTF-8 becomes U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	if strictjson.IsPlainASCII(s) {
		dst = append(append(dst, '"'), s...)
		return append(dst, '"')
	}
	return printable.EscapeFrom(jsonvalue.AppendQuoted(dst, s), len(dst))
}

// Error returns a delta for a provider's error in any of the known forms: an object with
// a message and some of code, status and type, or a text.
func (t *Texts) Error(v Value) toolcall.Delta {
	d := toolcall.Delta{Kind: toolcall.DeltaError}
	if v.Kind != Object {
		if d.Text = t.Whole(v); d.Text == "" {
			d.Text = string(v.Raw)
		}
		return d
	}
	_, code := CodeOf(v)
	d.Name = t.Name(code)
	if d.Text = t.Whole(v.Get("message")); d.Text == "" {
		d.Text = string(v.Raw)
	}
	return d
}

// ErrorRest yields the members of an error object that [Texts.Error] does not express:
// neither its message nor its code. They may include a number beside a code that is a word.
func (t *Texts) ErrorRest(v Value) iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		code := t.Error(v).Name
		for key, member := range v.Fields() {
			switch string(key) {
			case "message":
				continue
			case "code", "status", "type":
				if t.Name(member) == code {
					continue
				}
			}
			if !yield(key, member) {
				return
			}
		}
	}
}

// CodeOf returns the member of an error that is its code: the first one that is a text,
// or else the number of a status.
func CodeOf(v Value) (name string, code Value) {
	codes := [...]string{"code", "status", "type"}
	var members [len(codes)]Value
	for key, member := range v.Fields() {
		if i := slices.Index(codes[:], string(key)); i >= 0 {
			members[i] = member
		}
	}
	at := slices.IndexFunc(members[:], func(m Value) bool { return m.Kind == String && len(m.Raw) > 0 })
	return codes[max(at, 0)], members[max(at, 0)]
}

// WholeArguments returns a call's arguments as one text: a string is decoded, any other
// value stays as it is, and absence is "{}".
func (t *Texts) WholeArguments(v Value) string {
	c := Channel{Kind: toolcall.DeltaToolCall, Index: toolcall.NoIndex}
	text, _ := t.Arguments(c, v)
	if text += t.Rest(c); strings.Trim(text, " \t\r\n") == "" {
		return "{}"
	}
	return text
}
