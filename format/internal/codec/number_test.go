package codec

import (
	"encoding/json"
	"testing"

	"github.com/toolparse/toolparse/format/chat"
)

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		body string
		want json.Number
		kept int
	}{
		{`{"n":0.50}`, "0.50", 0}, {`{"n":"hot"}`, "", 1}, {`{"n":null}`, "", 0},
	} {
		r := Reader{Wire: "ollama"}
		v, err := r.Body([]byte(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		keep := r.Keeper()
		if got := NumberOf(&keep, "options", []byte("n"), v.Get("n")); got != tt.want || len(keep.Extras) != tt.kept {
			t.Errorf("%s: %q, kept %v", tt.body, got, keep.Extras)
		}
	}
	w := NewWriter("ollama", chat.Options{}, chat.Rule{Any: true}, chat.Rule{Any: true})
	w.Object()
	w.Decimal("a", "0.50")
	w.Decimal("b", "")
	w.Decimal("c", "hot")
	w.EndObject()
	if string(w.Out) != `{"a":0.50}` || len(w.Log.Losses) != 1 {
		t.Errorf("%s, %v", w.Out, w.Log.Losses)
	}
}
