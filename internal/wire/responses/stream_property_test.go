package responses_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/normalize"
)

// heard is what the deltas of an answer add up to.
type heard struct {
	Said   []string // runs of one kind, in their order
	Calls  []string
	Done   []bool
	Finish chat.FinishReason
	Failed bool
}

func hear(deltas []D) heard {
	var h heard
	last := D{}
	for _, d := range deltas {
		switch d.Kind {
		case text, reasoning, refusal, signature:
			if d.Kind != last.Kind || d.Kind == signature {
				h.Said = append(h.Said, d.Kind.String()+" ")
			}
			h.Said[len(h.Said)-1] += d.Text
			last = d
		case call:
			if d.Name != "" {
				h.Calls = append(h.Calls, d.ID+" "+d.Name+" ")
				h.Done = append(h.Done, false)
				last = D{}
			}
			h.Calls[d.Index] += d.Text
			h.Done[d.Index] = d.Done
		case finish:
			h.Finish = wire.FinishOf("responses", d, len(h.Calls) > 0).Reason
		case failure:
			h.Failed = true
		}
	}
	return h
}

// genDeltas draws an answer in normal form.
func genDeltas(t *rapid.T) []D {
	var deltas []D
	var open []int
	calls := 0
	thinking := false // the last word was reasoning that nothing has signed
	for range rapid.IntRange(0, 15).Draw(t, "deltas") {
		switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
		case kind == 0 && !thinking:
			deltas = append(deltas, D{Kind: reasoning, Text: genText(t, "reasoning")})
			thinking = true
			continue
		case kind == 0:
			deltas = append(deltas, D{Kind: signature, Index: -1, Text: "sig"})
		case kind == 1:
			deltas = append(deltas, D{Kind: text, Text: genText(t, "text")})
		case kind == 2:
			deltas = append(deltas, D{Kind: refusal, Text: genText(t, "refusal")})
		case kind == 3:
			deltas = append(deltas, D{Kind: call, Index: calls, ID: "c" + string(rune('a'+calls)), Name: "f", Text: rapid.SampledFrom([]string{"", `{"a":`}).Draw(t, "begin")})
			open = append(open, calls)
			calls++
		case len(open) > 0:
			at := rapid.IntRange(0, len(open)-1).Draw(t, "which")
			rest := `{"é":"\n"}`
			for _, d := range deltas {
				if d.Kind == call && d.Index == open[at] && d.Text != "" {
					rest = "1}"
				}
			}
			deltas = append(deltas, D{Kind: call, Index: open[at], Text: rest, Done: true})
			open = append(open[:at], open[at+1:]...)
		}
		thinking = false
	}
	switch rapid.IntRange(0, 3).Draw(t, "end") {
	case 0:
		return append(deltas, D{Kind: failure, Name: "c", Text: "m"})
	case 1:
		return append(deltas, D{Kind: finish, Text: "incomplete", Name: "max_output_tokens", Truncated: true})
	case 2:
		return append(deltas, D{Kind: finish, Text: "incomplete", Name: "content_filter", Truncated: true})
	}
	return append(deltas, D{Kind: finish, Text: "completed", Truncated: len(open) > 0})
}

// What is written as a stream is read as the same, and holds together.
func TestStreamRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		deltas := genDeltas(rt)
		m := meta
		m.Usage = wire.WithTotal(chat.Usage{Input: rapid.IntRange(0, 9).Draw(rt, "input"), Output: 2, CachedInput: 1, CacheWrite: 1, Reasoning: 1})
		out, losses := encode(t, m, deltas...)
		stream := format.NewStream(strings.NewReader(out), format.Options{})
		n := normalize.New("responses")
		var got []D
		for d, err := range stream.Deltas() {
			if err != nil {
				rt.Fatalf("%v\n%s", err, out)
			}
			got = n.Add(got, d)
		}
		got = n.Close(got)
		if diff := cmp.Diff(hear(deltas), hear(got)); diff != "" {
			rt.Fatalf("(-want +got):\n%s%s", diff, out)
		}
		if stream.Meta() != m || len(losses) > 0 || len(n.Log.Losses) > 0 {
			rt.Fatalf("%+v, %v, %v", stream.Meta(), losses, n.Log.Losses)
		}
		checkAgainstEnd(t, eventsOf(t, out))
	})
}

// Whatever comes in, what goes out holds together.
func FuzzEncoder(f *testing.F) {
	f.Add([]byte(`{"type":"response.output_text.delta","output_index":0,"delta":"a"}` + "\n" + `{"type":"response.completed","response":{"status":"completed"}}`))
	f.Add([]byte(bodies[0]))
	f.Add([]byte(rich))
	f.Fuzz(func(t *testing.T, body []byte) {
		var out bytes.Buffer
		if _, err := format.TranslateStream(&out, bytes.NewReader(body), format.Responses, format.Responses, format.TranslateOptions{}); out.Len() == 0 {
			t.Fatalf("%q becomes nothing: %v", body, err)
		}
		checkAgainstEnd(t, eventsOf(t, out.String()))
	})
}
