package wireio

import (
	"cmp"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
)

// Turn gathers what stands between two turns of the model, for wires that want all results
// in one message: in the order of the calls, and before what the user says.
type Turn struct {
	Results  []TurnResult
	Messages []UserMessage

	calls  map[string]int // the model's, by their ids, to their places
	fields []string       // of the calls
	late   bool           // a result came after what the user says
}

// TurnResult is a result, with the message that it is from.
type TurnResult struct {
	Located
	From   string
	Extras chat.Extras // the message's, if it is the first of it

	call int // its place
}

// UserMessage is a message of the user without its results.
type UserMessage struct {
	Parts  []Located
	From   string
	Extras chat.Extras
}

// AddCall notes a call of the model.
func (t *Turn) AddCall(p Located) {
	if t.calls == nil {
		t.calls = map[string]int{}
	}
	t.calls[p.Call.ID] = len(t.calls)
	t.fields = append(t.fields, p.Field)
}

// HasCalls reports whether the model has made any calls in the turn.
func (t *Turn) HasCalls() bool { return len(t.calls) > 0 }

// HasCall reports whether a result answers a call of the turn.
func (t *Turn) HasCall(p Located) bool {
	_, ok := t.calls[p.Result.CallID]
	return ok
}

// AddResult adds a result.
func (t *Turn) AddResult(p Located, from string, extras chat.Extras) {
	t.late = t.late || len(t.Messages) > 0
	t.Results = append(t.Results, TurnResult{p, from, extras, t.calls[p.Result.CallID]})
}

// ReportUnanswered reports the calls of a turn without a result.
func (w *Writer) ReportUnanswered(t *Turn) {
	for call, field := range t.fields {
		if !slices.ContainsFunc(t.Results, func(r TurnResult) bool { return r.call == call }) {
			w.Log.Add(features.UnansweredCall, field)
		}
	}
}

// SortResults puts the results into the order of their calls, and reports, at a field,
// that they were in another, or behind what the user says.
func (w *Writer) SortResults(t *Turn, field string) {
	byCall := func(a, b TurnResult) int { return cmp.Compare(a.call, b.call) }
	if t.late || !slices.IsSortedFunc(t.Results, byCall) {
		w.Log.Add(features.ParallelResults, field)
	}
	slices.SortStableFunc(t.Results, byCall)
}
