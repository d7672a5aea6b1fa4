package bridge

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// instance is an instance of a class.
type instance struct {
	class      string
	attributes map[any]any
}

// global is a class.
type global string

// unpickle reads a pickle as Python does.
func unpickle(t fataler, piece string) []any {
	t.Helper()
	memo := map[int]any{}
	load(t, memo, string(Names))
	return load(t, memo, piece)
}

func load(t fataler, memo map[int]any, piece string) []any {
	t.Helper()
	var stack []any
	var marks []int
	take := func(n int) (taken string) { taken, piece = piece[:n], piece[n:]; return taken }
	pop := func() (v any) { v, stack = stack[len(stack)-1], stack[:len(stack)-1]; return v }
	sinceMark := func() (items []any) {
		from := marks[len(marks)-1]
		marks = marks[:len(marks)-1]
		items = append(items, stack[from:]...)
		stack = stack[:from]
		return items
	}
	int4 := func() int { return int(int32(binary.LittleEndian.Uint32([]byte(take(4))))) }
	push := func(v any) { stack = append(stack, v) }
	if take(2) != opProtocol || take(1) != opFrame {
		t.Fatal("no pickle of protocol 4 with a frame")
	}
	if size := binary.LittleEndian.Uint64([]byte(take(8))); size != uint64(len(piece)) {
		t.Fatalf("a frame of %d bytes, and %d follow", size, len(piece))
	}
	for {
		switch op := take(1)[0]; op {
		case opStop:
			if len(stack) != 1 || len(marks) != 0 || piece != "" {
				t.Fatalf("at the end: a stack of %d, %d marks, %q", len(stack), len(marks), piece)
			}
			return pop().([]any)
		case opMark:
			marks = append(marks, len(stack))
		case opGet:
			push(memo[int(take(1)[0])])
		case opLongGet:
			push(memo[int4()])
		case opNone:
			push(nil)
		case opTrue, opFalse:
			push(op == opTrue)
		case opInt1:
			push(int(take(1)[0]))
		case opInt4:
			push(int4())
		case opInteger:
			digits := strings.Index(piece, "L\n")
			push(global(take(digits)))
			take(len("L\n"))
		case opFloat:
			push(math.Float64frombits(binary.BigEndian.Uint64([]byte(take(8)))))
		case opText1, opBytes1:
			push(take(int(take(1)[0])))
		case opText4, opBytes4:
			push(take(int4()))
		case opEmptyTuple:
			push([]any(nil))
		case opTuple:
			push(sinceMark())
		case opEmptyList:
			push([]any(nil))
		case opEmptyDict:
			push(map[any]any{})
		case opAppends:
			items := sinceMark()
			push(append(pop().([]any), items...))
		case opSetItems:
			items := sinceMark()
			dict := stack[len(stack)-1].(map[any]any)
			for ; len(items) > 0; items = items[2:] {
				dict[items[0]] = items[1]
			}
		case opStackGlobal:
			name := pop().(string)
			push(global(pop().(string) + "." + name))
		case opNewObject:
			pop()
			push(instance{string(pop().(global)), map[any]any{}})
		case opPop:
			pop()
		case opPut:
			memo[int(take(1)[0])] = stack[len(stack)-1]
		case opLongPut:
			memo[int4()] = stack[len(stack)-1]
		case opTuple1:
			push([]any{pop()})
		case opReduce:
			argument := pop().([]any)[0]
			switch f := pop(); f {
			case global("builtins.vars"):
				push(argument.(instance).attributes)
			case global("sys.intern"):
				push(argument)
			default:
				t.Fatalf("a call of %v", f)
			}
		default:
			t.Fatalf("unknown operation %q", op)
		}
	}
}

func TestJSONObject(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, test := range []struct {
		document string
		want     any // a map[any]any, or nil if it is no object
	}{
		{`{}`, map[any]any{}},
		{` { "a" : [ 1 , -1, 256, -2147483648, {}, [] ] } `, map[any]any{"a": []any{1, -1, 256, math.MinInt32, map[any]any{}, []any(nil)}}},
		{`{"a":2147483648,"b":-9223372036854775809}`, map[any]any{"a": global("2147483648"), "b": global("-9223372036854775809")}},
		{`{"a":1.5,"b":-0.0,"c":1e999,"d":-0}`, map[any]any{"a": 1.5, "b": math.Copysign(0, -1), "c": math.Inf(1), "d": 0}},
		{`{"a":true,"b":false,"c":null,"a":null}`, map[any]any{"a": nil, "b": false, "c": nil}},
		{`{"\u00e9\n":"\ud834\udd1e\ud83d"}`, map[any]any{"é\n": "𝄞\ufffd"}},
		{"{\"a\":\"\xff\\n\xff\"}", map[any]any{"a": "\ufffd\n\ufffd"}},
		{`{"` + long + `":["` + long + `"]}`, map[any]any{long: []any{long}}},
		{`{"a":` + strings.Repeat("9", maxDigits+1) + `}`, map[any]any{"a": strings.Repeat("9", maxDigits+1)}},
		{`[1]`, nil}, {`{"a":`, nil}, {``, nil}, {`1`, nil}, {`{} {}`, nil},
	} {
		for _, isValid := range []bool{false, test.want != nil} {
			p := newPickler(0)
			if ok := p.jsonObject([]byte(test.document), isValid); ok != (test.want != nil) {
				t.Errorf("%s: %v", test.document, ok)
			}
			got := unpickle(t, string(p.end()))
			if test.want == nil && len(got) > 0 || test.want != nil && !cmp.Equal([]any{test.want}, got) {
				t.Errorf("%s: %s", test.document, cmp.Diff([]any{test.want}, got))
			}
			p.free()
		}
	}
}

// Texts are shared within the limits of the memo, and never mixed up.
func TestWords(t *testing.T) {
	p := newPickler(0)
	var want []any
	for range 2 {
		for n := range maxMemos + 500 {
			s := strings.Repeat("x", n%(maxMemo+3)) + string(rune('a'+n))
			word(p, s)
			want = append(want, s)
		}
		p.out = append(p.out, opNone)
		want = append(want, any(nil))
	}
	if diff := cmp.Diff(want, unpickle(t, string(p.end()))); diff != "" {
		t.Error(diff)
	}
}
