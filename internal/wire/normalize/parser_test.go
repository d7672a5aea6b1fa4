package normalize

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// TestCallsAreThoseOfTheParser: whatever the deltas are, a target may run what package parser
// runs, with the same arguments, and nothing else. Package native judges the calls for both; what
// each makes of its judgement is tested here.
func TestCallsAreThoseOfTheParser(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deltas := drawDeltas(t)
		n := New("openai")
		var got []D
		for _, d := range deltas {
			got = n.Add(got, d)
		}
		got = n.Close(got)
		check(t, got)
		want, whole := parsed(deltas), wholeCalls(got)
		for _, call := range whole {
			at := slices.Index(want, call)
			if at < 0 {
				t.Fatalf("the parser would not run %v\nof %+v\ngives %+v", call, deltas, got)
			}
			want = slices.Delete(want, at, at+1)
		}
		if len(want) > 0 {
			t.Errorf("%v are lost\nof %+v\ngives %+v", want, deltas, got)
		}
	})
}

// drawDeltas draws the deltas of one choice, as servers send them and as they do not.
func drawDeltas(t *rapid.T) []D {
	texts := []string{
		"", "", "{", "}", "{}", `{"x":1}`, ` {"x": 1.0}`, `"x":1`, " ", "[1]", "1", `{"x":1}}`,
		`"{}"`, `"{\"x\"`, `:2}"`, `"x"`, "null", "n", "ull", "None", // in a string, or empty
		`{"x":1,}`, `{'x':True}`, `,`, "{x:[1}", "{\"x\":\"a\nb\"}", `{"x":NaN/**/}`, `"{\"x\":1"`, `'{"x":1,}'`, // repaired
	}
	var deltas []D
	for range rapid.IntRange(0, 12).Draw(t, "deltas") {
		deltas = append(deltas, D{
			Kind: rapid.SampledFrom([]toolcall.DeltaKind{
				piece, piece, piece, piece, piece, piece, toolcall.DeltaText, toolcall.DeltaReasoning, finish, toolcall.DeltaSignature,
			}).Draw(t, "kind"),
			Index:     rapid.IntRange(-1, 2).Draw(t, "index"),
			ID:        rapid.SampledFrom([]string{"", "", "", "a", "b"}).Draw(t, "id"),
			Name:      rapid.SampledFrom([]string{"", "", "", "f", "g", "ga", " "}).Draw(t, "name"),
			Text:      rapid.SampledFrom(texts).Draw(t, "text"),
			Whole:     rapid.SampledFrom([]bool{false, false, true}).Draw(t, "whole"),
			Done:      rapid.SampledFrom([]bool{false, false, true}).Draw(t, "done"),
			Truncated: rapid.Bool().Draw(t, "truncated"),
		})
	}
	return deltas
}

type ran struct{ Name, Arguments string }

// parsed returns the calls that package parser finds complete.
func parsed(deltas []D) (calls []ran) {
	p, err := parser.New(parser.Options{})
	if err != nil {
		panic(err)
	}
	var events []toolcall.Event
	for _, d := range deltas {
		events = p.FeedDelta(events, d)
	}
	open := map[string]*ran{}
	for _, e := range p.Close(events) {
		switch {
		case !e.Segment.IsCall():
		case e.Type == toolcall.SegmentStart:
			open[e.ID] = &ran{Name: e.Name}
		case e.Type == toolcall.SegmentContent:
			open[e.ID].Arguments += e.Payload
		case e.Status == toolcall.Complete:
			calls = append(calls, ran{open[e.ID].Name, compact(open[e.ID].Arguments)})
		}
	}
	return sorted(calls)
}

// wholeCalls returns the calls of deltas in normal form that are whole.
func wholeCalls(deltas []D) (calls []ran) {
	open := map[int]*ran{}
	for _, d := range deltas {
		if d.Kind != piece {
			continue
		}
		if open[d.Index] == nil {
			open[d.Index] = &ran{Name: d.Name}
		}
		open[d.Index].Arguments += d.Text
		if d.Done {
			calls = append(calls, ran{open[d.Index].Name, compact(open[d.Index].Arguments)})
		}
	}
	return sorted(calls)
}

func compact(text string) string {
	var out bytes.Buffer
	if json.Compact(&out, []byte(text)) != nil {
		return "broken: " + text
	}
	return out.String()
}

func sorted(calls []ran) []ran {
	slices.SortFunc(calls, func(a, b ran) int { return bytes.Compare([]byte(a.Name+a.Arguments), []byte(b.Name+b.Arguments)) })
	return calls
}
