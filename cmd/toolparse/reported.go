package main

import (
	"encoding/json"
	"fmt"
	"iter"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/toolcall"
)

// reported is what a provider says of the end of an answer, which is no segment.
type reported struct {
	choice int
	found  bool                  // the choice is there
	others int                   // choices up to the last that is there
	finish toolcall.Delta        // of no kind where there is none
	failed *format.ReportedError // the first
}

// watch hands the deltas on and notes how the answer ends.
func (r *reported) watch(deltas iter.Seq2[toolcall.Delta, error]) iter.Seq2[toolcall.Delta, error] {
	return func(yield func(toolcall.Delta, error) bool) {
		for d, err := range deltas {
			if err == nil {
				r.found = r.found || d.Choice == r.choice
				r.others = max(r.others, d.Choice+1)
			}
			if err == nil && r.failed == nil {
				r.failed = format.Reported(d)
			}
			if err == nil && d.Kind == toolcall.DeltaFinish && d.Choice == r.choice {
				r.finish = d
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// missing returns the error of a choice that an answer, which has others, lacks.
func (r *reported) missing() error {
	if r.found || r.others == 0 || r.failed != nil {
		return nil
	}
	return fmt.Errorf("--choice %d: the answer has no such candidate, the last is %d", r.choice, r.others-1)
}

// reportLine is a line of the events that is about the answer, and no segment.
type reportLine struct {
	kind     string
	metadata map[string]string
}

// MarshalJSON renders the line in the shape of an event.
func (l reportLine) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(struct {
		Type    string `json:"type"`
		ID      string `json:"segment_id"`
		Payload any    `json:"payload"`
	}{l.kind, "", struct {
		Metadata map[string]string `json:"metadata"`
	}{l.metadata}})
	return printable.JSON(text), err
}

// lines returns what there is to print of the end.
func (r *reported) lines() (lines []reportLine) {
	if r.finish.Kind == toolcall.DeltaFinish {
		metadata := map[string]string{"finish_reason": r.finish.Text}
		if r.finish.Name != "" {
			metadata["detail"] = r.finish.Name
		}
		lines = append(lines, reportLine{"FINISH", metadata})
	}
	if r.failed != nil {
		metadata := map[string]string{"message": r.failed.Message}
		if r.failed.Code != "" {
			metadata["code"] = r.failed.Code
		}
		lines = append(lines, reportLine{"ERROR", metadata})
	}
	return lines
}
