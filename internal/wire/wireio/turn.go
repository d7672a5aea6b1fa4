package wireio

import (
	"cmp"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
)

// Turn collects the messages between two turns of the model, for wires that require all
// results in one message, in the order of the calls, and before the user's text.
type Turn struct {
	Results  []TurnResult
	Messages []UserMessage

	calls  map[string]int // indices of the model's calls, by id
	fields []string       // of the calls
	late   bool           // a result came after the user's text
}

// TurnResult is a result, and the message that it comes from.
type TurnResult struct {
	Located
	From   string
	Extras chat.Extras // of the message, with its first result

	call int // the index of the call
}

// UserMessage is a user message without its results.
type UserMessage struct {
	Parts  []Located
	From   string
	Extras chat.Extras
}

// AddCall records a call of the model.
func (t *Turn) AddCall(p Located) {
	if t.calls == nil {
		t.calls = map[string]int{}
	}
	t.calls[p.Call.ID] = len(t.calls)
	t.fields = append(t.fields, p.Field)
}

// HasCalls reports whether the model has made calls in this turn.
func (t *Turn) HasCalls() bool { return len(t.calls) > 0 }

// HasCall reports whether a result answers a call of this turn.
func (t *Turn) HasCall(p Located) bool {
	_, ok := t.calls[p.Result.CallID]
	return ok
}

// AddResult adds a result.
func (t *Turn) AddResult(p Located, from string, extras chat.Extras) {
	t.late = t.late || len(t.Messages) > 0
	t.Results = append(t.Results, TurnResult{p, from, extras, t.calls[p.Result.CallID]})
}

// ReportUnanswered reports the turn's calls without a result.
func (w *Writer) ReportUnanswered(t *Turn) {
	for call, field := range t.fields {
		if !slices.ContainsFunc(t.Results, func(r TurnResult) bool { return r.call == call }) {
			w.Log.Add(features.UnansweredCall, field)
		}
	}
}

// SortResults sorts the results in the order of their calls, and reports, for a field,
// that they were in another order or after the user's text.
func (w *Writer) SortResults(t *Turn, field string) {
	byCall := func(a, b TurnResult) int { return cmp.Compare(a.call, b.call) }
	if t.late || !slices.IsSortedFunc(t.Results, byCall) {
		w.Log.Add(features.ParallelResults, field)
	}
	slices.SortStableFunc(t.Results, byCall)
}
