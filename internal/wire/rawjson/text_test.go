package rawjson

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/toolcall"
)

func TestPiece(t *testing.T) {
	tests := []struct {
		name      string
		kind      toolcall.DeltaKind
		raws      []string
		want      []string
		wantDrain string
	}{
		{"plain", toolcall.DeltaText, []string{"a", "", "é"}, []string{"a", "", "é"}, ""},
		{"escapes", toolcall.DeltaText, []string{`\"\\\/\b\f\n\r\t\u00e9\u0000x`}, []string{"\"\\/\b\f\n\r\té\x00x"}, ""},
		{"pair", toolcall.DeltaText, []string{`\ud83d\ude00\uD83D\uDE00`}, []string{"😀😀"}, ""},
		{"pair over two", toolcall.DeltaText, []string{`a\ud83d`, `\ude00b`}, []string{"a", "😀b"}, ""},
		{"pair over three", toolcall.DeltaText, []string{`\ud83d`, ``, `\ude00`}, []string{"", "", "😀"}, ""},
		{"half, then text", toolcall.DeltaText, []string{`\ud83d`, `b`}, []string{"", "\ufffdb"}, ""},
		{"half, then an escape", toolcall.DeltaText, []string{`\ud83d`, `\n`}, []string{"", "\ufffd\n"}, ""},
		{"half at the end", toolcall.DeltaText, []string{`a\ud83d`}, []string{"a"}, "\ufffd"},
		{"second half first", toolcall.DeltaText, []string{`\ude00\ud83d`}, []string{"\ufffd"}, "\ufffd"},
		{"two first halves", toolcall.DeltaText, []string{`\ud83d\ud83d\ude00`}, []string{"\ufffd😀"}, ""},
		{"half in arguments", toolcall.DeltaToolCall, []string{`\"\ud83d`, `\"`, `\ude00`}, []string{`"`, `\ud83d"`, `\ude00`}, ""},
		{"half at the end of arguments", toolcall.DeltaToolCall, []string{`\ud83d`}, []string{""}, `\ud83d`},
		{"pair over two in arguments", toolcall.DeltaToolCall, []string{`\ud83d`, `\ude00`}, []string{"", "😀"}, ""},
		{"no UTF-8", toolcall.DeltaText, []string{"\xe2\x98", "\x83"}, []string{"\xe2\x98", "\x83"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var texts Texts
			c := Channel{Kind: tt.kind, Index: 3}
			var got []string
			for _, raw := range tt.raws {
				got = append(got, texts.Piece(c, Value{Kind: String, Raw: []byte(raw)}))
				texts.Piece(Channel{Kind: tt.kind, Index: 4}, Value{Kind: String, Raw: []byte("between")})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var rest string
			for _, d := range texts.DrainAll(nil) {
				if rest += d.Text; d.Index != 3 || d.Kind != tt.kind {
					t.Errorf("drained %+v", d)
				}
			}
			if rest != tt.wantDrain {
				t.Errorf("drained %q, want %q", rest, tt.wantDrain)
			}
		})
	}
}

func TestHeldHalvesAreBounded(t *testing.T) {
	var texts Texts
	for i := range 10 * maxHeld {
		texts.Piece(Channel{Kind: toolcall.DeltaToolCall, Index: i}, Value{Kind: String, Raw: []byte(`\ud83d`)})
	}
	if n := len(texts.DrainAll(nil)); n != maxHeld {
		t.Errorf("%d halves were held", n)
	}
}

// However a JSON string is cut between characters and escapes, its pieces give
// what encoding/json makes of the whole.
func TestPieceAgreesWithEncodingJSON(t *testing.T) {
	unit := rapid.SampledFrom([]string{`a`, `é`, `😀`, `\n`, `\"`, `\\`, `\u0041`, `\ud83d`, `\ude00`, `\uDBFF`, `\udfff`, `\ud7ff`, `\ue000`})
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.Map(rapid.SliceOf(unit), func(u []string) string { return strings.Join(u, "") })).Draw(t, "pieces")
		var texts Texts
		var got strings.Builder
		for _, p := range pieces {
			got.WriteString(texts.Piece(Channel{Kind: toolcall.DeltaText}, Value{Kind: String, Raw: []byte(p)}))
		}
		for _, d := range texts.DrainAll(nil) {
			got.WriteString(d.Text)
		}
		var want string
		if err := json.Unmarshal([]byte(`"`+strings.Join(pieces, "")+`"`), &want); err != nil {
			t.Fatal(err)
		}
		if got.String() != want {
			t.Fatalf("got %q, want %q", got.String(), want)
		}
	})
}

func TestName(t *testing.T) {
	var texts Texts
	id := Value{Kind: String, Raw: []byte("call_1")}
	if n := testing.AllocsPerRun(100, func() { texts.Name(id) }); n > 0 {
		t.Errorf("a repeated name costs %v allocations", n)
	}
	for _, tt := range []struct {
		v    Value
		want string
	}{{id, "call_1"}, {Value{Kind: Number, Raw: []byte("7")}, "7"}, {Value{Kind: Null, Raw: []byte("null")}, ""}, {Value{}, ""}, {Value{Kind: String, Raw: []byte(`a\u0062`)}, "ab"}} {
		if got := texts.Name(tt.v); got != tt.want {
			t.Errorf("Name(%s) = %q, want %q", tt.v.Raw, got, tt.want)
		}
	}
}

func TestArguments(t *testing.T) {
	tests := []struct {
		v     Value
		text  string
		whole bool
	}{
		{Value{Kind: Object, Raw: []byte(`{"a": 10000000000000001}`)}, `{"a": 10000000000000001}`, true},
		{Value{Kind: Array, Raw: []byte(`[1]`)}, `[1]`, true},
		{Value{Kind: String, Raw: []byte(`{\"a\"`)}, `{"a"`, false},
		{Value{Kind: Null, Raw: []byte(`null`)}, "", false},
		{Value{}, "", false},
	}
	for _, tt := range tests {
		text, whole := new(Texts).Arguments(Channel{Kind: toolcall.DeltaToolCall}, tt.v)
		if text != tt.text || whole != tt.whole {
			t.Errorf("Arguments(%s) = %q, %v; want %q, %v", tt.v.Raw, text, whole, tt.text, tt.whole)
		}
	}
}

func TestError(t *testing.T) {
	tests := []struct{ data, name, text string }{
		{`{"message":"m","type":"t","code":"c"}`, "c", "m"},
		{`{"message":"m","type":"t","code":null}`, "t", "m"},
		{`{"code":400,"message":"m","status":"INVALID_ARGUMENT"}`, "INVALID_ARGUMENT", "m"},
		{`{"code":400,"message":"m"}`, "400", "m"},
		{`"just\ntext"`, "", "just\ntext"},
		{`{"odd":1}`, "", `{"odd":1}`},
		{`true`, "", "true"},
	}
	for _, tt := range tests {
		d := new(Texts).Error(open(t, tt.data))
		if d.Kind != toolcall.DeltaError || d.Name != tt.name || d.Text != tt.text {
			t.Errorf("Error(%s) = %+v", tt.data, d)
		}
	}
}

func TestAppendQuoted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		var back string
		if err := json.Unmarshal(AppendQuoted(nil, s), &back); err != nil || back != s {
			t.Fatalf("%q came back as %q: %v", s, back, err)
		}
	})
}

// TestBatch checks that texts and values of a batch are copies, and that appending to one
// value does not change the next.
func TestBatch(t *testing.T) {
	data := []byte(`{"a":"one","b":{"c":1},"d":{"e":2},"f":"two"}`)
	v, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	var texts Texts
	texts.Batch()
	var got []string
	var values []json.RawMessage
	for _, member := range v.Fields() {
		if got = append(got, texts.Whole(member)); member.Kind == Object {
			values = append(values, texts.Copy(member))
		}
	}
	long := texts.Whole(Value{Kind: String, Raw: []byte(strings.Repeat("x", 2*batchSize))})
	for i := range data {
		data[i] = '-'
	}
	_ = append(values[0], "overwritten"...)
	if diff := cmp.Diff([]string{"one", "", "", "two"}, got); diff != "" || len(long) != 2*batchSize {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if string(values[0]) != `{"c":1}` || string(values[1]) != `{"e":2}` {
		t.Errorf("values %s", values)
	}
}
