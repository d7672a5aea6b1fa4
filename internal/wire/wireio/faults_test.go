package wireio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Each value of a wrong type is null in the last pass, and a fault with its path.
func TestWithoutMistyped(t *testing.T) {
	for _, tt := range []struct {
		answer, read string // all strings in answer are of a wrong type
		faults       []string
	}{
		{`{"a":1,"b":[2,{"c":3}]}`, `{"a":1,"b":[2,{"c":3}]}`, nil},
		{` {"a":"x","b":[1,"",{"c":"y"}],"c":"\"}"}`, ` {"a":null,"b":[1,null,{"c":null}],"c":null}`, []string{"a", "b[1]", "b[2].c", "c"}},
		{`{"a":1,"inner":{"b":"x","last":2},"c":"y"}`, `{"a":1,"inner":null,"c":null}`, []string{"inner", "c"}},
		{` {"a":[` + strings.Repeat(`{"n":1},`, 500) + `"x"]}`, ` {"a":[` + strings.Repeat(`{"n":1},`, 500) + `null]}`, []string{"a[500]"}}, // with an index
		{`"x"`, `"x"`, nil},
	} {
		var last string
		faults, err := WithoutMistyped(frame.Event{Data: []byte(tt.answer)}, func(e frame.Event) ([]rawjson.Mistyped, error) {
			last = string(e.Data)
			r := Reader{IsAnswer: true}
			root, err := r.Body(e.Data)
			if err != nil {
				t.Fatal(err)
			}
			checkStrings(&r, root)
			return r.Mistyped(), r.Failure()
		})
		var fields []string
		for _, l := range faults {
			fields = append(fields, l.Field)
		}
		if diff := cmp.Diff(tt.faults, fields); diff != "" || last != tt.read || (err != nil) != strings.HasPrefix(last, `"`) {
			t.Errorf("%s is read as %s, error %v\n%s", tt.answer, last, err, diff)
		}
	}
}

// checkStrings makes strings in v, and the member "inner" after them, values of a wrong type.
func checkStrings(r *Reader, v rawjson.Value) {
	if v.Kind == rawjson.String {
		r.Object(v, "v")
	}
	for key, m := range v.Fields() {
		checkStrings(r, m)
		if string(key) == "inner" {
			r.Array(m, "inner")
		}
	}
	for item := range v.Items() {
		checkStrings(r, item)
	}
}

// A reader that stops at each value of a wrong type is called again within limits.
func TestWithoutManyMistyped(t *testing.T) {
	calls := 0
	list := "[" + strings.Repeat(`"x",`, maxPasses+1) + "1]"
	faults, err := WithoutMistyped(frame.Event{Data: []byte(list)}, func(e frame.Event) ([]rawjson.Mistyped, error) {
		calls++
		r := Reader{IsAnswer: true}
		root, _ := r.Body(e.Data)
		for item := range root.Items() {
			if r.Object(item, "[]"); item.Kind == rawjson.String {
				break
			}
		}
		return r.Mistyped(), r.Failure()
	})
	if calls != maxPasses || len(faults) != maxFaults || err == nil {
		t.Errorf("%d calls, %d faults, error %v", calls, len(faults), err)
	}
	if want := fmt.Sprintf("[%d]", maxFaults-1); faults[maxFaults-1].Field != want {
		t.Errorf("the last fault is %v", faults[maxFaults-1])
	}
}
