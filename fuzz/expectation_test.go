package fuzz

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/internal/streamgen"
)

// fulfils checks that a recording gives what its generator expects of it, and
// that clean input needed no tolerance.
func fulfils(r recording, want streamgen.Want) error {
	segs, err := segments(r.events())
	if err != nil {
		return err
	}
	for _, s := range segs {
		if s.Tolerances != 0 {
			return fmt.Errorf("%s, a %s: tolerances %s", s.ID, s.Type, s.Tolerances)
		}
	}
	return fulfilsLoosely(r, want)
}

// fulfilsLoosely is fulfils for input that may need tolerances.
func fulfilsLoosely(r recording, want streamgen.Want) error {
	segs, err := segments(r.events())
	if err != nil {
		return err
	}
	for _, s := range segs {
		if s.Status != toolparse.Complete {
			return fmt.Errorf("%s, a %s: %s, %s", s.ID, s.Type, s.Status, s.Reason)
		}
	}
	text, wantText := strings.TrimSpace(joined(segs, toolparse.SegmentText)), strings.TrimSpace(want.Text)
	if want.LooseBlanks {
		text, wantText = fold(text), fold(wantText)
	}
	if diff := cmp.Diff(wantText, text); diff != "" {
		return fmt.Errorf("text (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Reasoning, joined(segs, toolparse.SegmentReasoning)); diff != "" {
		return fmt.Errorf("reasoning (-want +got):\n%s", diff)
	}
	return fulfilsCalls(r, segs, want.Calls)
}

func fulfilsCalls(r recording, segs []segment, want []streamgen.Call) error {
	got, err := invocations(r)
	if err != nil {
		return err
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d calls, want %d", len(got), len(want))
	}
	byID := map[string]segment{}
	for _, s := range segs {
		byID[s.ID] = s
	}
	for i, w := range want {
		g := got[i]
		if g.Name != w.Name || g.Status != toolparse.Complete {
			return fmt.Errorf("call %d: %s, %s, want %s", i, g.Name, g.Status, w.Name)
		}
		if diff := cmp.Diff(decode(w.Arguments), decode(string(g.Arguments))); diff != "" {
			return fmt.Errorf("call %d, %s: arguments (-want +got):\n%s", i, w.Name, diff)
		}
		s := byID[g.ID]
		if s.Type != w.Segment {
			return fmt.Errorf("call %d, %s: segment %s, want %s", i, w.Name, s.Type, w.Segment)
		}
		if w.Verbatim != "" && s.Type == toolparse.SegmentToolCall && s.Payload != w.Verbatim {
			return fmt.Errorf("call %d, %s: arguments %q are not the model's own %q", i, w.Name, s.Payload, w.Verbatim)
		}
		if !g.Runnable() {
			return fmt.Errorf("call %d, %s: not runnable: unknown %v, problems %v", i, w.Name, g.Unknown, g.Problems)
		}
	}
	return nil
}

// decode reads JSON with exact numbers. What is no JSON stays a string that
// no JSON value equals.
func decode(text string) any {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return fmt.Errorf("%q: %w", text, err).Error()
	}
	return v
}

// fold makes every run of white space one space.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }
