package syntax

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/toolcall"
)

// TestValueLayout checks that one newline on each side is layout, and the rest content.
func TestValueLayout(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		lead       string // what is left where only the newline at the beginning is layout
		both       string // where the one at the end is, too
	}{
		{"nothing", "", "", ""},
		{"text", "a", "a", "a"},
		{"LF", "\na\n", "a\n", "a"},
		{"CRLF", "\r\na\r\n", "a\r\n", "a"},
		{"two each", "\n\na\n\n", "\na\n\n", "\na\n"},
		{"bare CR", "\ra\r", "\ra\r", "\ra\r"},
		{"CR CR LF", "\r\r\na", "\r\r\na", "\r\r\na"},
		{"only LF", "\n", "", ""},
		{"only CRLF", "\r\n", "", ""},
		{"only CR", "\r", "\r", "\r"},
		{"two LF", "\n\n", "\n", ""},
		{"the closer is indented", "a\n  \t", "a\n  \t", "a"},
		{"indented lines", "\n  a\n  b\n", "  a\n  b\n", "  a\n  b"},
		{"tabs", "a\n\t\tb\n\t", "a\n\t\tb\n\t", "a\n\t\tb"},
		{"blanks before the newline stay", "a  \n", "a  \n", "a  "},
		{"blanks before the first newline", "  \na", "  \na", "  \na"},
		{"blanks alone", "  ", "  ", "  "},
		{"CR at the end of a line", "a\r\nb\rc", "a\r\nb\rc", "a\r\nb\rc"},
		{"CR behind the newline", "a\n\r", "a\n\r", "a\n\r"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for cut := range len(tt.text) + 1 {
				for trail, want := range map[bool]string{false: tt.lead, true: tt.both} {
					var out jsonstream.Out
					v := Value{Sink: Plain, Out: &out, Lead: LeadOpen, Trail: trail, Limit: 1 << 10}
					v.Add(tt.text, 0, cut)
					out.Spill()
					v.Add(tt.text[cut:], 0, len(tt.text)-cut)
					v.End()
					if got := out.Take(); got != want {
						t.Errorf("trail %v, cut at %d: %q, want %q", trail, cut, got, want)
					}
				}
			}
		})
	}
}

// TestValueKeepsLittle checks that blanks that may be layout are held only up to a limit.
func TestValueKeepsLittle(t *testing.T) {
	var out jsonstream.Out
	v := Value{Sink: Plain, Out: &out, Trail: true, Limit: 8}
	text := "a\n" + strings.Repeat(" ", 100)
	for i := range len(text) {
		v.Add(text[i:i+1], 0, 1)
		out.Spill()
		if len(v.layout) > 9 {
			t.Fatalf("%d bytes are kept", len(v.layout))
		}
	}
	v.End()
	if got := out.Take(); got != text {
		t.Errorf("got %q", got)
	}
}

// TestValueTyped checks what a value becomes by its schema, however it is cut, and that
// nothing written is taken back.
func TestValueTyped(t *testing.T) {
	for _, tt := range []struct {
		name, schema, text, want string
		used                     toolcall.Tolerances
	}{
		{"string", `{"type":"string"}`, "a\"b\\c\x01\n", `"a\"b\\c\u0001\n"`, 0},
		{"integer", `{"type":"integer"}`, " 12 ", `12`, 0},
		{"no integer", `{"type":"integer"}`, "12 apples", `"12 apples"`, toolcall.UnconvertedValue},
		{"boolean", `{"type":"boolean"}`, "True", `true`, 0},
		{"null or string", `{"type":["null","string"]}`, "null", `null`, 0},
		{"string that is null", `{"type":"string"}`, "null", `"null"`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := compiled(t, tt.schema)
			for cut := range len(tt.text) + 1 {
				var out jsonstream.Out
				v := Value{Sink: Typed, Out: &out, Schema: s, Limit: 1 << 10}
				v.Add(tt.text, 0, cut)
				sent := out.Take()
				v.Add(tt.text[cut:], 0, len(tt.text)-cut)
				used := v.End()
				if got := sent + out.Take(); got != tt.want || used != tt.used {
					t.Errorf("cut at %d: %s (%v), want %s (%v)", cut, got, used, tt.want, tt.used)
				} else if !json.Valid([]byte(got)) {
					t.Errorf("cut at %d: %s is no JSON", cut, got)
				}
			}
		})
	}
}

// TestValueDropped checks that nothing of a dropped value is written.
func TestValueDropped(t *testing.T) {
	var out jsonstream.Out
	v := Value{Sink: Drop, Out: &out, Lead: LeadOpen, Trail: true, Limit: 8}
	v.Add("\n1\n", 0, 3)
	v.AddText("&")
	if used := v.End(); used != 0 || out.Len() != 0 {
		t.Errorf("%q came out, with %v", out.Take(), used)
	}
}

func compiled(t *testing.T, text string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAddLast checks that AddLast does the same as Add and End, whatever was added before.
func TestAddLast(t *testing.T) {
	schemas := []*schema.Schema{nil, schema.Any}
	for _, text := range []string{`{"type":"integer"}`, `{"type":["number","string"]}`, `{"enum":[1,"b"]}`, `{"type":["array","null"]}`} {
		schemas = append(schemas, compiled(t, text))
	}
	layouts := []Value{
		{}, {Lead: LeadOpen, Trail: true}, {Trail: true, onlyUnclosed: true}, {Lead: leadBlanks, Trail: true, trim: true},
		{Lead: LeadOpen, Trail: true, block: true}, {Lead: LeadOpen, Trail: true, edge: true}, {Skip: "\n "}, {quote: quoteMaybe},
	}
	parts := []string{"a", "b", "1", "12", "null", "[", "]", `"`, `\`, "\r", "\n", " ", "\t", "     "}
	rapid.Check(t, func(t *rapid.T) {
		layout := rapid.SampledFrom(layouts).Draw(t, "layout")
		layout.Sink = rapid.SampledFrom([]Sink{Drop, Plain, Typed}).Draw(t, "sink")
		layout.Schema, layout.Limit = rapid.SampledFrom(schemas).Draw(t, "schema"), 4
		isString := layout.Sink == Typed && rapid.Bool().Draw(t, "string")
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 6).Draw(t, "text"), "")
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		read := func(end func(v *Value) toolcall.Tolerances) (string, toolcall.Tolerances) {
			var out jsonstream.Out
			v := layout
			if v.Out = &out; isString {
				v.BeginString()
			}
			v.Add(text, 0, cut)
			used := end(&v)
			return out.Take(), used
		}
		got, used := read(func(v *Value) toolcall.Tolerances { return v.AddLast(text, cut, len(text)) })
		want, wantUsed := read(func(v *Value) toolcall.Tolerances {
			v.Add(text, cut, len(text))
			return v.End()
		})
		if got != want || used != wantUsed {
			t.Errorf("%s (%v), want %s (%v)", got, used, want, wantUsed)
		}
	})
}
