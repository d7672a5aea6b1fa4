package normalize

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/toolcall"
)

type D = toolcall.Delta

const (
	piece  = toolcall.DeltaToolCall
	finish = toolcall.DeltaFinish
	none   = toolcall.NoIndex
)

func TestCalls(t *testing.T) {
	tests := []struct {
		name string
		in   []D
		want []D
		lost int
	}{
		{
			"pieces, ended by what they are",
			[]D{{Kind: piece, Index: 3, ID: "a", Name: "f"}, {Kind: piece, Index: 3, Text: `{"x":`}, {Kind: piece, Index: 3, Text: "1}"}, {Kind: finish, Text: "tool_calls"}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x":`}, {Kind: piece, Text: "1}", Done: true}, {Kind: finish, Text: "tool_calls"}}, 0,
		},
		{
			"one index for every call",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "{}"}, {Kind: piece, ID: "b", Name: "f", Text: "{}"}, {Kind: piece, Name: "g", Text: "{}", ID: "c"}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: piece, Text: "{}", Done: true}, {Kind: piece, Index: 1, ID: "b", Name: "f"}, {Kind: piece, Index: 1, Text: "{}", Done: true}, {Kind: piece, Index: 2, ID: "c", Name: "g"}, {Kind: piece, Index: 2, Text: "{}", Done: true}, {Kind: finish, Text: "stop"}}, 0,
		},
		{
			"one index and no ids",
			[]D{{Kind: piece, Name: "f", Text: "{}"}, {Kind: piece, Name: "f", Text: "{}", Done: true}},
			[]D{{Kind: piece, ID: wire.MakeID(wire.Seed(chat.Meta{}, 0), 0, "f"), Name: "f"}, {Kind: piece, Text: "{}", Done: true}, {Kind: piece, Index: 1, ID: wire.MakeID(wire.Seed(chat.Meta{}, 0), 1, "f"), Name: "f", Text: "{}", Done: true}}, 0,
		},
		{
			"id and name with every fragment",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x"`}, {Kind: piece, ID: "a", Name: "f", Text: ":1}", Done: true}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x"`}, {Kind: piece, Text: ":1}", Done: true}}, 0,
		},
		{
			"a whole text after its fragments",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x"`}, {Kind: piece, Text: `{"x":1}`, Whole: true, Done: true}, {Kind: piece, Text: `{"x":1}`, Whole: true, Done: true}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x"`}, {Kind: piece, Text: ":1}", Done: true}}, 0,
		},
		{
			"a whole text that spells them differently",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x": 1}`}, {Kind: piece, Text: `{"x":1}`, Whole: true}, {Kind: piece, Text: `{"x":1.0}`, Whole: true, Done: true}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: piece, Text: `{"x": 1}`, Done: true}, {Kind: finish, Text: "stop"}}, 0,
		},
		{
			"placeholders of calls that are interleaved",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "{}"}, {Kind: piece, Index: 1, ID: "b", Name: "g", Text: "{}"}, {Kind: piece, Text: `{"x":1}`}, {Kind: piece, Index: 1, Text: `{"y":2}`}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: piece, Index: 1, ID: "b", Name: "g"}, {Kind: piece, Text: `{"x":1}`, Done: true}, {Kind: piece, Index: 1, Text: `{"y":2}`, Done: true}, {Kind: finish, Text: "stop"}}, 2,
		},
		{
			"an error after a placeholder",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "{}"}, {Kind: toolcall.DeltaError, Text: "e"}},
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: toolcall.DeltaError, Text: "e"}}, 0,
		},
		{
			"a whole text that contradicts them",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x"`}, {Kind: piece, Text: `{"y":1}`, Whole: true, Done: true}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x"`}, {Kind: finish, Text: "stop", Truncated: true}}, 1,
		},
		{
			"no arguments",
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: piece, Done: true}, {Kind: piece, Index: 1, ID: "b", Name: "g", Text: " "}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "{}", Done: true}, {Kind: piece, Index: 1, ID: "b", Name: "g"}, {Kind: piece, Index: 1, Text: "{}", Done: true}, {Kind: finish, Text: "stop"}}, 0,
		},
		{
			"cut",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x":"y`}, {Kind: finish, Text: "tool_calls"}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x":"y`}, {Kind: finish, Text: "tool_calls", Truncated: true}}, 1,
		},
		{
			"cut before its arguments",
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: finish, Text: "length", Truncated: true}},
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: finish, Text: "length", Truncated: true}}, 0,
		},
		{
			"broken, and said to be done",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{x`}, {Kind: piece, Text: "}", Done: true}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{`}, {Kind: piece, Text: `"x"`}, {Kind: finish, Text: "stop", Truncated: true}}, 1,
		},
		{
			"null, and then something else",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "null"}, {Kind: piece, Text: "]", Done: true}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: finish, Text: "stop", Truncated: true}}, 1,
		},
		{
			"an empty string, and then something else",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `""`}, {Kind: piece, Text: "x", Done: true}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: finish, Text: "stop", Truncated: true}}, 1,
		},
		{
			"no indices: pieces follow their call",
			[]D{{Kind: piece, Index: none, Name: "f"}, {Kind: piece, Index: none, Text: `{"x":1`}, {Kind: piece, Index: none, Text: "}", Done: true}, {Kind: piece, Index: none, Name: "f", Text: "{}", Whole: true, Done: true}},
			[]D{{Kind: piece, ID: wire.MakeID(wire.Seed(chat.Meta{}, 0), 0, "f"), Name: "f", Text: `{"x":`}, {Kind: piece, Text: "1}", Done: true}, {Kind: piece, Index: 1, ID: wire.MakeID(wire.Seed(chat.Meta{}, 0), 1, "f"), Name: "f", Text: "{}", Done: true}}, 0,
		},
		{
			"the name comes after the arguments",
			[]D{{Kind: piece, ID: "a", Text: `{"x":`}, {Kind: piece, Name: "f"}, {Kind: piece, Text: "1}", Done: true}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x":`}, {Kind: piece, Text: "1}", Done: true}}, 0,
		},
		{"no name ever", []D{{Kind: piece, ID: "a", Text: `{}`}, {Kind: finish, Text: "stop"}}, []D{{Kind: finish, Text: "stop"}}, 1},
		{
			"side by side",
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: piece, Index: 1, ID: "b", Name: "g"}, {Kind: piece, Text: "{"}, {Kind: piece, Index: 1, Text: "{}"}, {Kind: piece, Text: "}"}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: piece, Text: "{"}, {Kind: piece, Index: 1, ID: "b", Name: "g"}, {Kind: piece, Text: "}", Done: true}, {Kind: piece, Index: 1, Text: "{}", Done: true}, {Kind: finish, Text: "stop"}}, 0,
		},
		{
			"choices count for themselves",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "{}", Done: true}, {Kind: piece, Choice: 1, ID: "a", Name: "f", Text: "{}", Done: true}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "{}", Done: true}, {Kind: piece, Choice: 1, ID: "a", Name: "f", Text: "{}", Done: true}}, 0,
		},
		{
			"a whole text that says more than the object that came",
			[]D{{Kind: piece, ID: "a", Name: "rm", Text: `{"path":"/tmp"}`}, {Kind: piece, Text: `{"path":"/tmp/x"}`, Whole: true, Done: true}, {Kind: finish, Text: "completed"}},
			[]D{{Kind: piece, ID: "a", Name: "rm"}, {Kind: finish, Text: "completed", Truncated: true}}, 1,
		},
		{
			"arguments that are not an object",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "[1]", Whole: true, Done: true}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "[1]"}, {Kind: finish, Text: "stop", Truncated: true}}, 1,
		},
		{
			"arguments in a string",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `"{\"x\`}, {Kind: piece, Text: `":1}"`, Done: true}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x`}, {Kind: piece, Text: `":1}`, Done: true}, {Kind: finish, Text: "stop"}}, 0,
		},
		{
			"arguments in a string that is cut",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `"{\"x\":`}, {Kind: piece, Text: `1}`}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x":`}, {Kind: finish, Text: "stop", Truncated: true}}, 1,
		},
		{
			"more than the arguments, in one fragment and in two",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: `{"x":1}}`}, {Kind: piece, Index: 1, ID: "b", Name: "f", Text: `{"x":1}`}, {Kind: piece, Index: 1, Text: "}"}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: piece, Index: 1, ID: "b", Name: "f"}, {Kind: finish, Text: "stop", Truncated: true}}, 2,
		},
		{
			"a name in pieces",
			[]D{{Kind: piece, ID: "a", Name: "get_"}, {Kind: piece, Name: "time"}, {Kind: piece, Text: "{}", Done: true}},
			[]D{{Kind: piece, ID: "a", Name: "get_time", Text: "{}", Done: true}}, 0,
		},
		{
			"begun anew after a call had begun",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "{"}, {Kind: toolcall.DeltaRestart}, {Kind: piece, ID: "a", Name: "f", Text: "{}"}},
			[]D{
				{Kind: piece, ID: "a", Name: "f", Text: "{"},
				{Kind: toolcall.DeltaError, Name: "message_restarted", Text: "the provider restarted its message after a call had begun"},
			}, 2,
		},
		{
			"begun anew with all calls whole",
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "{}", Done: true}, {Kind: toolcall.DeltaRestart}, {Kind: piece, ID: "b", Name: "f", Text: "{}", Done: true}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "{}", Done: true}, {Kind: piece, Index: 1, ID: "b", Name: "f", Text: "{}", Done: true}}, 1,
		},
		{
			"nothing that was written follows an error",
			[]D{{Kind: toolcall.DeltaError, Text: "e"}, {Kind: toolcall.DeltaText, Text: "a"}, {Kind: piece, ID: "a", Name: "f", Text: "{}"}, {Kind: finish, Text: "stop"}},
			[]D{{Kind: toolcall.DeltaError, Text: "e"}}, 2,
		},
		{
			"a call that is open at an error",
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: toolcall.DeltaError, Text: "e"}, {Kind: piece, Text: "{}"}, {Kind: finish, Text: "failed"}},
			[]D{{Kind: piece, ID: "a", Name: "f"}, {Kind: toolcall.DeltaError, Text: "e"}}, 1,
		},
		{
			"a finish reason before an error",
			[]D{{Kind: finish, Text: "length", Truncated: true}, {Kind: toolcall.DeltaError, Text: "e"}, {Kind: toolcall.DeltaError, Text: "e"}},
			[]D{{Kind: finish, Text: "length", Truncated: true}, {Kind: toolcall.DeltaError, Text: "e"}, {Kind: toolcall.DeltaError, Text: "e"}}, 0,
		},
		{
			"a finish reason that says no more than the error",
			[]D{{Kind: finish, Text: "error", Truncated: true}, {Kind: toolcall.DeltaError, Text: "e"}},
			[]D{{Kind: toolcall.DeltaError, Text: "e"}}, 0,
		},
		{
			"the signature of a call, and of none",
			[]D{{Kind: piece, Index: 5, ID: "a", Name: "f", Text: "{}", Done: true}, {Kind: toolcall.DeltaSignature, Index: 5, Name: toolcall.SignsCall, Text: "s"}, {Kind: toolcall.DeltaSignature, Index: 5, Text: "t"}},
			[]D{{Kind: piece, ID: "a", Name: "f", Text: "{}", Done: true}, {Kind: toolcall.DeltaSignature, Name: toolcall.SignsCall, Text: "s"}, {Kind: toolcall.DeltaSignature, Index: none, Text: "t"}}, 0,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := New("openai")
			var got []D
			for _, d := range tt.in {
				got = n.Add(got, d)
			}
			if tt.in[len(tt.in)-1].Kind == finish {
				got = n.Close(got)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(n.Log.Losses) != tt.lost {
				t.Errorf("losses %v, want %d", n.Log.Losses, tt.lost)
			}
		})
	}
}

// A target that holds calls until they are whole has written nothing of those
// that a restart voids: it is told to forget them.
func TestRestartForTargetsThatHoldCalls(t *testing.T) {
	n := New("ollama")
	var got []D
	for _, d := range []D{{Kind: piece, ID: "a", Name: "f", Text: "{"}, {Kind: toolcall.DeltaRestart}, {Kind: piece, ID: "b", Name: "g", Text: "{}", Done: true}, {Kind: finish, Text: "stop"}} {
		got = n.Add(got, d)
	}
	want := []D{
		{Kind: piece, ID: "a", Name: "f", Text: "{"}, {Kind: toolcall.DeltaRestart},
		{Kind: piece, Index: 1, ID: "b", Name: "g", Text: "{}", Done: true}, {Kind: finish, Text: "stop"},
	}
	if diff := cmp.Diff(want, n.Close(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n.IsRestarted() || len(n.Log.Losses) != 1 {
		t.Errorf("broken %v, losses %v", n.IsRestarted(), n.Log.Losses)
	}
}

// Where a target needs no ids, none are made but for those that come twice.
func TestIDsAreNotMadeForTargetsWithoutThem(t *testing.T) {
	for _, target := range []string{"gemini", "ollama"} {
		n := New(target)
		var got []D
		for _, id := range []string{"", "", "a", "a"} {
			got = n.Add(got, D{Kind: piece, Index: len(got), ID: id, Name: "f", Text: "{}", Done: true})
		}
		for i, id := range []string{"", "", "a", wire.MakeID(wire.Seed(chat.Meta{}, 0)+"a", 3, "f")} {
			if got[i].ID != id || got[i].Index != i {
				t.Errorf("to %s: %+v, want the id %q", target, got[i], id)
			}
		}
	}
}

// Servers that go on after a finish reason, and recordings of several messages.
func TestFinishComesLast(t *testing.T) {
	n := New("openai")
	var got []D
	for _, d := range []D{{Kind: finish, Text: "tool_calls"}, {Kind: toolcall.DeltaText, Text: "a"}, {Kind: finish, Text: "stop"}, {Kind: finish, Text: "stop"}} {
		got = n.Add(got, d)
	}
	want := []D{{Kind: toolcall.DeltaText, Text: "a"}, {Kind: finish, Text: "stop"}}
	if diff := cmp.Diff(want, n.Close(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = n.Add(nil, D{Kind: toolcall.DeltaError, Text: "e"})
	if diff := cmp.Diff([]D{{Kind: finish, Text: "stop"}, {Kind: toolcall.DeltaError, Text: "e"}}, n.Close(got)); diff != "" {
		t.Errorf("with an error (-want +got):\n%s", diff)
	}
}

func TestCloseGivesAFinishReason(t *testing.T) {
	n := New("openai")
	got := n.Add(nil, D{Kind: toolcall.DeltaText, Text: "a"})
	got = n.Add(got, D{Kind: piece, Choice: 1, ID: "a", Name: "f", Text: "{"})
	got = n.Add(got, D{Kind: piece, Choice: 2, ID: "a", Name: "f"}) // cut after its name
	got = n.Add(got, D{Kind: piece, Choice: 3, ID: "a", Name: "f", Text: "{}"})
	got = n.Close(got)
	want := []D{
		{Kind: toolcall.DeltaText, Text: "a"}, {Kind: piece, Choice: 1, ID: "a", Name: "f", Text: "{"},
		{Kind: piece, Choice: 3, ID: "a", Name: "f"},
		{Kind: finish, Text: "stop"}, {Kind: finish, Choice: 1, Text: "stop", Truncated: true},
		{Kind: piece, Choice: 2, ID: "a", Name: "f"}, {Kind: finish, Choice: 2, Text: "stop", Truncated: true},
		{Kind: piece, Choice: 3, Text: "{}", Done: true}, {Kind: finish, Choice: 3, Text: "stop"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Whatever comes, what goes out is in normal form.
func TestNormalForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := New("openai")
		var got []D
		for range rapid.IntRange(0, 30).Draw(t, "deltas") {
			got = n.Add(got, D{
				Kind:   rapid.SampledFrom([]toolcall.DeltaKind{piece, piece, piece, piece, toolcall.DeltaText, finish, toolcall.DeltaRestart, toolcall.DeltaSignature}).Draw(t, "kind"),
				Choice: rapid.IntRange(0, 1).Draw(t, "choice"),
				Index:  rapid.IntRange(-1, 2).Draw(t, "index"),
				ID:     rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(t, "id"),
				Name:   rapid.SampledFrom([]string{"", "", "f", "g", "call"}).Draw(t, "name"),
				Text:   rapid.SampledFrom([]string{"", "{", "}", "{}", `{"x":1}`, `"x":1`, " "}).Draw(t, "text"),
				Whole:  rapid.Bool().Draw(t, "whole"),
				Done:   rapid.Bool().Draw(t, "done"),
			})
		}
		check(t, n.Close(got))
	})
}

// check fails where deltas are not in normal form.
func check(t *rapid.T, deltas []D) {
	type key struct{ choice, index int }
	finished := map[int]bool{}
	count, texts, done, ids := map[int]int{}, map[key]string{}, map[key]bool{}, map[string]bool{}
	for _, d := range deltas {
		k := key{d.Choice, d.Index}
		if finished[d.Choice] && d.Kind != toolcall.DeltaError {
			t.Fatalf("%+v after the finish reason", d)
		}
		finished[d.Choice] = d.Kind == finish
		switch {
		case d.Kind == toolcall.DeltaRestart || d.Kind == piece && d.Whole:
			t.Fatalf("%+v", d)
		case d.Kind == toolcall.DeltaSignature && (d.Index < none || d.Index >= count[d.Choice]):
			t.Fatalf("%+v is of no call", d)
		case d.Kind != piece:
			continue
		case d.Index == count[d.Choice]:
			unique := string(rune('0'+d.Choice)) + d.ID
			if d.ID == "" || d.Name == "" || ids[unique] {
				t.Fatalf("%+v begins a call", d)
			}
			ids[unique] = true
			count[d.Choice]++
		case d.Index > count[d.Choice] || d.Index < 0 || d.ID != "" || d.Name != "" || done[k]:
			t.Fatalf("%+v goes on with a call", d)
		}
		texts[k] += d.Text
		if d.Done {
			done[k] = true
			var scan strictjson.Scanner
			if err := scan.Check([]byte(texts[k])); err != nil {
				t.Fatalf("%q is done: %v", texts[k], err)
			}
		}
	}
}
