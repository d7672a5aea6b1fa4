package adapter

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/jsonstream"
	"github.com/toolparse/toolparse/internal/native"
	"github.com/toolparse/toolparse/toolcall"
)

var repairs = []struct {
	name, text, want string
	used             toolcall.Tolerances
}{
	{"valid", ` {"a": [1, {"b":null}]} ` + "\n", `{"a": [1, {"b":null}]}`, 0},
	{"empty", `{}`, `{}`, 0},
	{"trailing commas", `{"a":[1,],}`, `{"a":[1]}`, toolcall.TrailingComma},
	{"missing commas", `{"a":1 "b":[1 2]}`, `{"a":1 ,"b":[1 ,2]}`, toolcall.MissingComma},
	{"single quotes", `{'a':'it"s'}`, `{"a":"it\"s"}`, toolcall.SingleQuotes},
	{"Python", `{"a":True,"b":None}`, `{"a":true,"b":null}`, toolcall.PythonLiteral},
	{"not finite", `{"a":NaN}`, `{"a":"NaN"}`, toolcall.NonFiniteNumber},
	{"raw newline", "{\"a\":\"x\ny\"}", `{"a":"x\ny"}`, toolcall.ControlCharacter},
	{"escape", `{"a":"\d"}`, `{"a":"\\d"}`, toolcall.InvalidEscape},
	{"bare key", `{a:1}`, `{"a":1}`, toolcall.UnquotedKey},
	{"missing closers", `{"a":[{"b":"c"}`, `{"a":[{"b":"c"}]}`, toolcall.MissingCloser},
}

func TestRepair(t *testing.T) {
	for _, tt := range repairs {
		t.Run(tt.name, func(t *testing.T) {
			got, used, err := repair(tt.text)
			if err != nil || string(got) != tt.want || used != tt.used {
				t.Errorf("Repair(%s) = %s, %v, %v, want %s, %v", tt.text, got, used, err, tt.want, tt.used)
			}
		})
	}
}

func TestRepairErrors(t *testing.T) {
	tests := []struct {
		name, text string
		offset     int
		err        error
	}{
		{"nothing", ``, 0, errNotAnObject},
		{"blanks", " \n", 0, errNotAnObject},
		{"array", ` [1]`, 1, errNotAnObject},
		{"prose", `see {"a":1}`, 0, errNotAnObject},
		{"cut string", `{"a":"b`, 7, jsonstream.ErrCut},
		{"cut number", `{"a":12`, 7, jsonstream.ErrCut},
		{"cut literal", `{"a":tr `, 7, jsonstream.ErrCut},
		{"cut key", `{"a`, 3, jsonstream.ErrCut},
		{"cut before a value", `{"a": `, 5, jsonstream.ErrCut},
		{"no colon", `{"a" 1}`, 5, jsonstream.ErrSyntax},
		{"prose inside", `{"a":é}`, 5, jsonstream.ErrSyntax},
		{"trailing", `{"a":1} {`, 7, jsonstream.ErrTrailing},
		{"too deep", strings.Repeat(`{"a":`, 200), 5 * native.MaxDepth, jsonstream.ErrDepth},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := repair(tt.text)
			var place *jsonstream.RepairError
			if got != nil || !errors.Is(err, tt.err) || !errors.As(err, &place) || place.Offset != tt.offset {
				t.Errorf("Repair(%.40s) = %s, %v, want byte %d: %v", tt.text, got, err, tt.offset, tt.err)
			}
		})
	}
}

func FuzzRepair(f *testing.F) {
	for _, tt := range repairs {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, used, err := repair(text)
		if err != nil {
			var place *jsonstream.RepairError
			if !errors.As(err, &place) || place.Offset < 0 || place.Offset > len(text) {
				t.Fatalf("Repair(%q): %#v", text, err)
			}
			return
		}
		if !isObject(got) {
			t.Errorf("Repair(%q) = %q, no object", text, got)
		}
		if used == 0 && string(got) != strings.Trim(text, " \t\r\n") {
			t.Errorf("Repair(%q) = %q, which mended nothing", text, got)
		}
		if used != 0 && json.Valid([]byte(text)) {
			t.Errorf("Repair(%q) mended %v, but it is valid", text, used)
		}
		again, more, err := repair(string(got))
		if err != nil || more != 0 || string(again) != string(got) {
			t.Errorf("Repair(%q) = %q, %v, %v", got, again, more, err)
		}
	})
}
