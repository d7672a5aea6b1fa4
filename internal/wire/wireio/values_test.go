package wireio

import (
	"encoding/json"
	"testing"

	"github.com/toolparse/toolparse/internal/wire"
)

func TestObjectArguments(t *testing.T) {
	for _, tt := range []struct {
		arguments, want, back string
		losses                int
	}{
		{"", "{}", "{}", 0},
		{" {\"a\": 1.50} ", `{"a": 1.50}`, `{"a": 1.50}`, 0},
		{"[1]", `{"input":[1]}`, `{"input":[1]}`, 1},
		{`{"cut":"o`, `{"INVALID_JSON":"{\"cut\":\"o"}`, `{"cut":"o`, 1},
		{`{"INVALID_JSON":"{}"}`, `{"INVALID_JSON":"{}"}`, `{"INVALID_JSON":"{}"}`, 0},
		{`{"INVALID_JSON":"{","a":1}`, `{"INVALID_JSON":"{","a":1}`, `{"INVALID_JSON":"{","a":1}`, 0},
	} {
		w := NewWriter("ollama", wire.Options{}, wire.Rule{AnyChars: true}, wire.Rule{AnyChars: true})
		w.ObjectArguments(tt.arguments, "arguments")
		if string(w.Out) != tt.want || len(w.Log.Losses) != tt.losses {
			t.Errorf("%q is written %s, losses %v", tt.arguments, w.Out, w.Log.Losses)
		}
		r := Reader{Wire: "ollama"}
		v, err := r.Body(w.Out)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.ObjectArguments(v); got != tt.back {
			t.Errorf("%q comes back as %q", tt.arguments, got)
		}
	}
}

func TestMedia(t *testing.T) {
	for data, want := range map[string]string{"iVBORw0KGgoAAAA=": "image/png", "/9j/4AAQ": "image/jpeg", "AAAA": "", "": ""} {
		if got := MediaTypeOf(data); got != want {
			t.Errorf("%q is %q", data, got)
		}
	}
	for data, want := range map[string]bool{"": true, "AA==": true, "AAA=": true, "a+/9": true, "AAA": false, "A===": false, "AA=A": false, "a-_9": false, "AAA\n": false} {
		if got := IsBase64(data); got != want {
			t.Errorf("%q: %v", data, got)
		}
	}
}

func TestTime(t *testing.T) {
	for text, want := range map[string]struct {
		seconds int64
		exact   bool
	}{
		"":                                   {0, true},
		"1970-01-01T00:00:00Z":               {0, true},
		"2026-11-20T15:38:10Z":               {1795189090, true},
		"2026-11-20T16:38:10.81561305+01:00": {1795189090, false},
		"yesterday":                          {0, false},
	} {
		if seconds, exact := ParseTime(text); seconds != want.seconds || exact != want.exact {
			t.Errorf("%q: %d, %v", text, seconds, exact)
		}
	}
	for _, seconds := range []int64{1 << 40, -1 << 40, 1<<63 - 1, -1 << 63} {
		if text := FormatTime(seconds); text != "1970-01-01T00:00:00Z" {
			t.Errorf("%d is %q", seconds, text)
		}
	}
}

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
		var got json.Number
		if r.Members(v, "options", &keep, "options", "n", &got); got != tt.want || len(keep.Extras) != tt.kept {
			t.Errorf("%s: %q, kept %v", tt.body, got, keep.Extras)
		}
	}
	w := NewWriter("ollama", wire.Options{}, wire.Rule{AnyChars: true}, wire.Rule{AnyChars: true})
	w.Object()
	w.Decimal("a", "0.50")
	w.Decimal("b", "")
	w.Decimal("c", "hot")
	w.EndObject()
	if string(w.Out) != `{"a":0.50}` || len(w.Log.Losses) != 1 {
		t.Errorf("%s, %v", w.Out, w.Log.Losses)
	}
}
