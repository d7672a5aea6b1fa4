package bridge

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/jsonindex"
)

// The operations of Python's pickle, protocol 4, that are needed here; see pickletools in
// Python's library. They work on a stack of values.
const (
	opProtocol    = "\x80\x04"
	opFrame       = "\x95" // with the size of the rest in eight bytes, so that it is read at once
	opStop        = '.'
	opMark        = '(' // begins a list of items
	opPop         = '0' // drops a value
	opPut         = 'q' // memoizes a value: its number in one byte
	opLongPut     = 'r' // in four
	opGet         = 'h' // a memoized value: its number in one byte
	opLongGet     = 'j' // in four
	opNone        = 'N'
	opTrue        = 0x88
	opFalse       = 0x89
	opInt1        = 'K' // an unsigned byte
	opInt4        = 'J' // a signed integer of 32 bits
	opInteger     = 'L' // decimal digits, "L" and a line feed
	opFloat       = 'G' // 64 bits, big-endian
	opText1       = 0x8c
	opText4       = 'X'
	opText8       = 0x8d
	opBytes1      = 'C'
	opBytes4      = 'B'
	opBytes8      = 0x8e
	opEmptyTuple  = ')'
	opTuple       = 't'  // of the items since the mark
	opTuple1      = 0x85 // of one value
	opEmptyList   = ']'
	opAppends     = 'e' // the items since the mark, to the list before it
	opEmptyDict   = '}'
	opSetItems    = 'u' // the keys and values since the mark, in the dict before it
	opStackGlobal = 0x93
	opNewObject   = 0x81
	opReduce      = 'R' // calls a function with a tuple of arguments
)

// pickler writes values as Python's pickle: unlike JSON, Python turns that into instances of
// the package's classes without running any of its own code, in less than half of the time.
// Values from outside become data only, as the length of each text comes before it.
type pickler struct {
	out   []byte
	memo  map[string]uint32 // numbers of the texts that have been memoized
	index jsonindex.Index
}

// maxMemo is the size of the longest text that is memoized, and maxMemos the number of those
// texts: names and keys, which are in most results.
const (
	maxMemo  = 48
	maxMemos = 1000
)

// picklers are those that are not in use. Their memory saves much work for the collector.
var picklers = sync.Pool{New: func() any { return &pickler{memo: map[string]uint32{}} }}

// head is what each pickle begins with: the size of its frame, which is still missing, and a
// list.
const head = opProtocol + opFrame + "\x00\x00\x00\x00\x00\x00\x00\x00" + "]("

// newPickler returns a pickler that has begun, for results of about this many bytes.
func newPickler(size int) *pickler {
	p := picklers.Get().(*pickler)
	clear(p.memo)
	p.out = append(slices.Grow(p.out[:0], len(head)+size), head...)
	return p
}

// maxKept is the size of the largest memory that a pickler keeps.
const maxKept = 1 << 20

// free makes the pickler, and what it has written, invalid.
func (p *pickler) free() {
	if cap(p.out) <= maxKept {
		picklers.Put(p)
	}
}

// end ends the list, and returns all that was written.
func (p *pickler) end() []byte {
	p.out = append(p.out, opAppends, opStop)
	const size = len(opProtocol + opFrame)
	binary.LittleEndian.PutUint64(p.out[size:], uint64(len(p.out)-size-8))
	return p.out
}

// name writes a memoized name.
func (p *pickler) name(n named) { p.out = append(p.out, opGet, byte(n)) }

// object begins an instance of a class; its attributes follow, each a name and a value. They
// go right into vars(instance): opBuild would take a dict of them and copy it.
func (p *pickler) object(class named) {
	p.name(class)
	instance := byte(class - classResult + instances)
	p.out = append(p.out, opEmptyTuple, opNewObject, opPut, instance)
	p.name(functionVars)
	p.out = append(p.out, opGet, instance, opTuple1, opReduce, opMark)
}

// endObject ends an instance, and leaves it on the stack.
func (p *pickler) endObject() { p.out = append(p.out, opSetItems, opPop) }

// text writes a text. Each byte of invalid UTF-8 becomes U+FFFD.
func (p *pickler) text(s string) {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	p.out = append(appendTextHead(p.out, len(s)), s...)
}

// bytes writes bytes.
func (p *pickler) bytes(s string) {
	p.out = append(appendHead(p.out, len(s), opBytes1, opBytes4, opBytes8), s...)
}

// appendTextHead appends what comes before the n bytes of a text.
func appendTextHead(dst []byte, n int) []byte { return appendHead(dst, n, opText1, opText4, opText8) }

// appendHead appends one of three operations, with a length of one, four or eight bytes.
func appendHead(dst []byte, n int, op1, op4, op8 byte) []byte {
	switch {
	case n <= math.MaxUint8:
		return append(dst, op1, byte(n))
	case uint64(n) <= math.MaxUint32:
		return binary.LittleEndian.AppendUint32(append(dst, op4), uint32(n))
	}
	return binary.LittleEndian.AppendUint64(append(dst, op8), uint64(n))
}

// word writes a text that is likely to be in other results, too, and shared with them.
func word[Text ~string | ~[]byte](p *pickler, s Text) {
	if len(s) > maxMemo {
		p.text(string(s))
		return
	}
	n, ok := p.memo[string(s)]
	if ok {
		p.out = appendNumber(p.out, n, opGet, opLongGet)
		return
	}
	p.text(string(s))
	if len(p.memo) < maxMemos {
		n = uint32(memoized) + uint32(len(p.memo))
		p.memo[string(s)] = n
		p.out = appendNumber(p.out, n, opPut, opLongPut)
	}
}

// appendNumber appends one of two operations, with a number of one or four bytes.
func appendNumber(dst []byte, n uint32, op1, op4 byte) []byte {
	if n <= math.MaxUint8 {
		return append(dst, op1, byte(n))
	}
	return binary.LittleEndian.AppendUint32(append(dst, op4), n)
}

func (p *pickler) mark() { p.out = append(p.out, opMark) }

// endTuple writes a tuple of what was written since the mark.
func (p *pickler) endTuple() { p.out = append(p.out, opTuple) }

func (p *pickler) none() { p.out = append(p.out, opNone) }

func (p *pickler) bool(b bool) {
	if b {
		p.out = append(p.out, opTrue)
	} else {
		p.out = append(p.out, opFalse)
	}
}

// integer writes a whole number.
func (p *pickler) integer(n int64) {
	switch {
	case 0 <= n && n <= math.MaxUint8:
		p.out = append(p.out, opInt1, byte(n))
	case math.MinInt32 <= n && n <= math.MaxInt32:
		p.out = binary.LittleEndian.AppendUint32(append(p.out, opInt4), uint32(n))
	default:
		p.out = append(strconv.AppendInt(append(p.out, opInteger), n, 10), "L\n"...)
	}
}

// jsonObject writes a JSON object as Python's json reads it, with two exceptions: half of
// a surrogate pair, which no file can hold, becomes U+FFFD, and a whole number of more
// than maxDigits digits stays a text. It writes nothing and returns false if raw is not a
// JSON object. isValid says that it is one.
func (p *pickler) jsonObject(raw []byte, isValid bool) bool {
	v, ok := jsonindex.Value{}, isValid
	if isValid {
		v = jsonindex.Small(raw)
	} else {
		v, ok = p.index.Read(raw)
	}
	if !ok || v.Kind != jsonindex.Object {
		return false
	}
	p.members(v)
	return true
}

// members writes an object.
func (p *pickler) members(v jsonindex.Value) {
	p.out = append(p.out, opEmptyDict, opMark)
	for key, member := range v.Fields() {
		word(p, key)
		p.json(member)
	}
	p.out = append(p.out, opSetItems)
}

func (p *pickler) json(v jsonindex.Value) {
	if (v.Kind == jsonindex.Object || v.Kind == jsonindex.Array) && !v.IsIndexed() && len(v.Raw) >= jsonindex.MinIndexed {
		v, _ = p.index.Read(v.Raw) // so that no level inside it is read twice
	}
	switch v.Kind {
	case jsonindex.String:
		p.jsonText(v)
	case jsonindex.Number:
		p.number(v.Raw)
	case jsonindex.Bool:
		p.bool(v.IsTrue())
	case jsonindex.Object:
		p.members(v)
	case jsonindex.Array:
		p.out = append(p.out, opEmptyList, opMark)
		for item := range v.Items() {
			p.json(item)
		}
		p.out = append(p.out, opAppends)
	default:
		p.none()
	}
}

// jsonText writes a string.
func (p *pickler) jsonText(v jsonindex.Value) {
	if !v.HasEscapes() {
		p.text(string(v.Raw))
		return
	}
	head := len(p.out)
	p.out = append(p.out, opText4, 0, 0, 0, 0)
	from := len(p.out)
	if text, ok := v.Decoded(); ok {
		p.out = append(p.out, text...)
	} else {
		p.out, _ = jsonindex.AppendUnescaped(p.out, v.Raw)
	}
	if text := p.out[from:]; utf8.Valid(text) {
		binary.LittleEndian.PutUint32(p.out[head+1:], uint32(len(text)))
	} else {
		p.out = p.out[:head]
		p.text(string(text))
	}
}

// maxDigits is the length of the longest number that Python reads; see
// sys.set_int_max_str_digits.
const maxDigits = 4300

// number writes a number as an int or a float.
func (p *pickler) number(raw []byte) {
	if bytes.ContainsAny(raw, ".eE") {
		f, _ := strconv.ParseFloat(string(raw), 64) // infinite if it is out of range, as in Python
		p.out = binary.BigEndian.AppendUint64(append(p.out, opFloat), math.Float64bits(f))
		return
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		p.integer(n)
	} else if len(raw) <= maxDigits {
		p.out = append(append(append(p.out, opInteger), raw...), "L\n"...)
	} else {
		p.text(string(raw))
	}
}
