package unknown

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/toolcall"
)

func TestStream(t *testing.T) {
	var s Stream
	var got []toolcall.Delta
	for _, event := range []string{
		`{"tier":"a","scores":[1]}`,
		`{"tier":"a","scores":[1]}`,
		`{"tier":null}`,
		`{"tier":"b"}`,
	} {
		var r rawjson.Reader
		v, err := r.Open(frame.Event{Data: []byte(event)})
		if err != nil {
			t.Fatal(err)
		}
		got = s.Set(got, 1, "", []byte("tier"), v.Get("tier"))
		got = Add(got, 1, 2, "choices[]", []byte("scores"), v.Get("scores"))
	}
	want := []toolcall.Delta{
		{Kind: toolcall.DeltaExtra, Choice: 1, Index: toolcall.NoIndex, Name: "tier", Text: `"a"`},
		{Kind: toolcall.DeltaExtra, Choice: 1, Index: 2, Name: "choices[].scores", Text: "[1]"},
		{Kind: toolcall.DeltaExtra, Choice: 1, Index: 2, Name: "choices[].scores", Text: "[1]"},
		{Kind: toolcall.DeltaExtra, Choice: 1, Index: toolcall.NoIndex, Name: "tier", Text: `"b"`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStreamRepeatsWithoutAllocating(t *testing.T) {
	var r rawjson.Reader
	v, err := r.Open(frame.Event{Data: []byte(`{"tier":"a"}`)})
	if err != nil {
		t.Fatal(err)
	}
	var s Stream
	name, value := []byte("tier"), v.Get("tier")
	dst := s.Set(nil, 0, "", name, value)
	if n := testing.AllocsPerRun(100, func() { dst = s.Set(dst, 0, "", name, value) }); n != 0 || len(dst) != 1 {
		t.Errorf("%v allocations, %d deltas", n, len(dst))
	}
}

func TestSpellings(t *testing.T) {
	var s Stream
	var got []toolcall.Delta
	for choice := range 2 {
		for range 2 {
			got = s.NoteName(got, choice, "choices[].delta", "reasoning")
		}
	}
	want := []toolcall.Delta{
		{Kind: toolcall.DeltaExtra, Index: toolcall.NoIndex, Name: "choices[].delta.reasoning", Text: "null"},
		{Kind: toolcall.DeltaExtra, Choice: 1, Index: toolcall.NoIndex, Name: "choices[].delta.reasoning", Text: "null"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
