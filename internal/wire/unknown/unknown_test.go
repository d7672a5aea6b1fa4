package unknown

import (
	"encoding/json"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
)

func TestWriteAndHas(t *testing.T) {
	x := chat.Extras{
		{Wire: "a", Name: "top", Value: json.RawMessage("1")},
		{Wire: "a", In: "in", Name: "inner", Value: json.RawMessage("2")},
		{Wire: "a", In: "deep.er", Name: "x", Value: json.RawMessage("3")},
		{Wire: "b", Name: "other", Value: json.RawMessage("4")},
		{Wire: "a", Name: "spelled", Spelling: true},
	}
	for in, want := range map[string]string{"": `{"top":1}`, "in": `{"inner":2}`, "deep.er": `{"x":3}`, "deep": "{}"} {
		var w jsonout.Writer
		w.Object()
		Write(&w, x, "a", in)
		w.EndObject()
		if string(w.Out) != want {
			t.Errorf("in %q: %s, want %s", in, w.Out, want)
		}
	}
	for in, want := range map[string]bool{"": true, "in": true, "deep": true, "deep.er": true, "dee": false, "inner": false} {
		if got := Has(x, "a", in); got != want {
			t.Errorf("Has in %q is %v", in, got)
		}
	}
	if Has(x, "c", "") || Has(chat.Extras{{Wire: "a", Name: "s", Spelling: true}}, "a", "") {
		t.Error("there is nothing of that wire")
	}
}
