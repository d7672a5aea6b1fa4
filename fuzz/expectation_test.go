package fuzz

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse/internal/streamgen"
	"github.com/toolparse/toolparse/toolcall"
)

// fulfils checks that a recording has what its generator expects, and that clean input
// needed no tolerance.
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
		if s.Status != toolcall.Complete {
			return fmt.Errorf("%s, a %s: %s, %s", s.ID, s.Type, s.Status, s.Reason)
		}
	}
	text, wantText := strings.TrimSpace(joined(segs, toolcall.SegmentText)), strings.TrimSpace(want.Text)
	if want.LooseBlanks {
		text, wantText = unspaced(text), unspaced(wantText)
	}
	if diff := cmp.Diff(wantText, text); diff != "" {
		return fmt.Errorf("text (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Reasoning, joined(segs, toolcall.SegmentReasoning)); diff != "" {
		return fmt.Errorf("reasoning (-want +got):\n%s", diff)
	}
	return fulfilsCalls(calls(segs), want.Calls)
}

func fulfilsCalls(got []call, want []streamgen.Call) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d calls, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Name != w.Name || g.Type != w.Segment || g.Status != toolcall.Complete {
			return fmt.Errorf("call %d: %s, a %s, %s; want %s, a %s", i, g.Name, g.Type, g.Status, w.Name, w.Segment)
		}
		if diff := cmp.Diff(decode(w.Arguments), decode(g.args)); diff != "" {
			return fmt.Errorf("call %d, %s: arguments (-want +got):\n%s", i, w.Name, diff)
		}
		if loose := g.Tolerances != 0; loose != w.Loose {
			return fmt.Errorf("call %d, %s: tolerances %s, want any: %v", i, w.Name, g.Tolerances, w.Loose)
		}
		if err := earlyPath(g, w); err != nil {
			return fmt.Errorf("call %d, %s: %w", i, w.Name, err)
		}
		if w.Verbatim != "" && g.Type == toolcall.SegmentToolCall && g.Payload != w.Verbatim {
			return fmt.Errorf("call %d, %s: arguments %q are not the model's own %q", i, w.Name, g.Payload, w.Verbatim)
		}
	}
	return nil
}

// earlyPath checks that the path of a file is known when its content starts.
func earlyPath(g call, want streamgen.Call) error {
	if _, ok := contentOf[g.Type]; !ok {
		return nil
	}
	wanted, _ := decode(want.Arguments).(map[string]any)
	got, _ := decode(g.StartMeta).(map[string]any)
	if diff := cmp.Diff(wanted["path"], got["path"]); diff != "" {
		return fmt.Errorf("the path in the metadata of the start (-want +got):\n%s", diff)
	}
	return nil
}

// decode reads JSON with exact numbers. Text that is not JSON becomes a string that no
// JSON value equals.
func decode(text string) any {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return fmt.Errorf("%q: %w", text, err).Error()
	}
	return v
}

// unspaced removes all white space.
func unspaced(s string) string { return strings.Join(strings.Fields(s), "") }
