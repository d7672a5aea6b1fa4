package wireio

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

func TestReaderNamesItsWire(t *testing.T) {
	for _, body := range []string{`{"a":`, `{"a":1}`} {
		r := Reader{Wire: "ollama"}
		v, err := r.Body([]byte(body))
		if err == nil {
			r.Text(v.Get("a"), "a")
			err = r.Failure()
		}
		bad, ok := errors.AsType[*frame.SyntaxError](err)
		if !ok || bad.Wire != "ollama" || bad.Offset != 5 {
			t.Errorf("%s: %+v", body, err)
		}
	}
	r := Reader{Wire: "ollama"}
	_, err := r.Body([]byte("{\"a\":\"b\xff\"}"))
	if bad, ok := errors.AsType[*frame.SyntaxError](err); !ok || bad.Offset != 7 || !errors.Is(err, rawjson.ErrNotText) {
		t.Errorf("%v", err)
	}
	if _, err := r.Body([]byte(`{}`)); err != nil || r.Failure() != nil {
		t.Errorf("%v, %v", err, r.Failure())
	}
}

func TestWriterReportsAChangeOnce(t *testing.T) {
	w := NewWriter("openai", wire.Options{}, wire.Rule{Max: 3, Min: 3}, wire.Rule{OtherChars: "_"})
	if w.ID("", "x") != "" {
		t.Error("an id was made of nothing")
	}
	first, again := w.ID("long", "a"), w.ID("long", "b")
	if first != again || len(first) != 3 || w.ID("abc", "c") != "abc" {
		t.Errorf("%q, %q", first, again)
	}
	w.Name("x.y", "d")
	w.Link([]chat.Message{{Parts: []chat.Part{chat.CallPart("a", "f", ""), chat.CallPart("a", "f", ""), chat.CallPart("", "f", "")}}})
	var fields []string
	for _, l := range w.Log.Losses {
		fields = append(fields, l.Field)
	}
	if diff := cmp.Diff([]string{"a", "d", "messages[0].parts[1].call.id"}, fields); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
