package unknown

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
)

func TestPlacesOf(t *testing.T) {
	places := Places{{In: "a.b[]"}, {In: "a"}, {In: ""}}
	for path, want := range map[string][2]string{
		"a.b[].c": {"a.b[]", "c"}, "a.b[]": {"a.b[]", ""}, "a.b[]x": {"a", "b[]x"}, "a.c.d": {"a", "c.d"},
		"a": {"", "a"}, "ab": {"", "ab"}, "c.a": {"", "c.a"},
	} {
		if at, name := places.Of(path); at.In != want[0] || name != want[1] {
			t.Errorf("%s is %q in %q", path, name, at.In)
		}
	}
	if at, name := (Places{{In: "a"}}).Of("b"); at.In != "" || name != "b" {
		t.Errorf("%q in %q", name, at.In)
	}
}

// Each object takes what waits for it, under the policy for a second member of one name.
func TestWaitingPolicies(t *testing.T) {
	for _, tt := range []struct {
		keeps         Policy
		values        string // of members x, one a byte
		written, last string // objects that are written meanwhile, and at the end
		losses        int
	}{
		{First, "12", "", `{"x":1`, 1},
		{Last, "12", "", `{"x":2`, 0},
		{Each, "123", `{"x":1}{"x":2}`, `{"x":3`, 0},
		{Nowhere, "1", "", `{`, 1},
	} {
		var w Waiting
		log := features.Log{Wire: "openai"}
		write := func(dst []byte) []byte { return append(w.Take(append(dst, '{'), "in"), '}') }
		var written []byte
		for _, v := range tt.values {
			d := toolcall.Delta{Name: "in.x", Text: string(v)}
			written = w.Put(written, Place{In: "in", Keeps: tt.keeps}, "x", d, &log, write)
		}
		if has := w.Has("other", "in"); has != (tt.last != "{") || w.Has("other") {
			t.Errorf("policy %d: %v", tt.keeps, has)
		}
		last := string(w.Take([]byte("{"), "in"))
		if string(written) != tt.written || last != tt.last || len(log.Losses) != tt.losses || w.Has("in") {
			t.Errorf("policy %d: %s, then %s with %v", tt.keeps, written, last, log.Losses)
		}
	}
}

func TestWaitingLimits(t *testing.T) {
	for _, tt := range []struct {
		place        Place
		put, waiting int
		losses       int
	}{
		{Place{Keeps: First}, maxMembers + 2, maxMembers, 2},
		{Place{Keeps: Last, Most: 3}, 4, 3, 1},
		{Place{Keeps: Each}, maxMembers + 1, 1, 0},
	} {
		var w Waiting
		log := features.Log{Wire: "openai"}
		for i := range tt.put {
			name := fmt.Sprint(i)
			d := toolcall.Delta{Name: name, Text: "0"}
			w.Put(nil, tt.place, name, d, &log, func(dst []byte) []byte { return w.Take(dst, "") })
		}
		if len(w.Of("")) != tt.waiting || w.count != tt.waiting || len(log.Losses) != tt.losses {
			t.Errorf("%v: %d wait, %d losses", tt.place, len(w.Of("")), len(log.Losses))
		}
		if dropped := w.Drop(""); len(dropped) != tt.waiting || w.count != 0 || w.Has("") {
			t.Errorf("%v: %d dropped", tt.place, len(dropped))
		}
	}
}

func TestWaitingAsExtras(t *testing.T) {
	var w Waiting
	log := features.Log{Wire: "openai"}
	for _, x := range [][2]string{{"n", "[\n1]"}, {"inner.n", "2"}, {"name", "null"}, {"name", "3"}, {"name", "4"}} {
		w.Put(nil, Place{In: "usage", Keeps: Last}, x[0], toolcall.Delta{Text: x[1]}, &log, nil)
	}
	want := chat.Extras{
		{Wire: "w", In: "use", Name: "n", Value: []byte("[ 1]")},
		{Wire: "w", In: "use.inner", Name: "n", Value: []byte("2")},
		{Wire: "w", Name: "usage.name", Spelling: true},
		{Wire: "w", In: "use", Name: "name", Value: []byte("4")},
	}
	if diff := cmp.Diff(want, w.Extras("usage", "w", "use", "use.inner")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	w.Put(nil, Place{}, "b", toolcall.Delta{Text: "1"}, &log, nil)
	w.Unplaced(&log)
	var lost []string
	for _, l := range log.Losses {
		lost = append(lost, l.Field)
	}
	if diff := cmp.Diff([]string{"stream.b", "stream.usage.n", "stream.usage.inner.n", "stream.usage.name"}, lost); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Members that come and go with each event need no memory of their own.
func TestWaitingWithoutAllocating(t *testing.T) {
	var w Waiting
	log := features.Log{Wire: "openai"}
	d := toolcall.Delta{Name: "x", Text: "1"}
	write := func(dst []byte) []byte { return w.Take(dst, "") }
	dst := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { w.Take(w.Put(dst, Place{Keeps: Each}, "x", d, &log, write), "") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
