package fuzz

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/toolcall"
)

// honest checks invariant 8 on one recording: every end has a status that the
// adapter respects, and complete calls carry JSON objects.
func honest(r recording) error {
	a, err := adapter.New(adapter.Options{Tools: r.opts.Tools})
	if err != nil {
		return err
	}
	segs, err := segments(r.events())
	if err != nil {
		return err
	}
	byID := map[string]call{}
	for _, c := range calls(segs) {
		byID[c.ID] = c
	}
	for i, e := range r.events() {
		inv, ok := a.Add(e)
		if e.Type == toolcall.SegmentEnd && e.Segment.IsCall() != ok {
			return fmt.Errorf("event %d: an invocation: %v, at the end of a %s", i, ok, e.Segment)
		}
		if !ok {
			continue
		}
		switch {
		case inv.ID != e.ID:
			return fmt.Errorf("event %d: invocation id %q, segment id %q", i, inv.ID, e.ID)
		case inv.Status == toolcall.Complete && e.Status != toolcall.Complete:
			return fmt.Errorf("event %d: %s became complete", i, e.Status)
		case inv.Status != toolcall.Complete && inv.Runnable():
			return fmt.Errorf("event %d: %s and runnable", i, inv.Status)
		case inv.Runnable() && !declared(r.opts.Tools, inv.Name):
			return fmt.Errorf("event %d: %s is undeclared and runnable", i, inv.Name)
		// The adapter itself finds bytes that are no UTF-8; it is not strict here, so that
		// all others show whether the parser was.
		case r.opts.Strict && inv.Runnable() && inv.Tolerances&^toolcall.InvalidUTF8 != 0:
			return fmt.Errorf("event %d: strict and runnable with %s", i, inv.Tolerances)
		}
		if inv.Status == toolcall.Complete {
			var object map[string]json.RawMessage
			if err := json.Unmarshal(inv.Arguments, &object); err != nil || object == nil {
				return fmt.Errorf("event %d: arguments %q are no object: %v", i, inv.Arguments, err)
			}
			if diff := cmp.Diff(decode(byID[e.ID].args), decode(string(inv.Arguments))); diff != "" {
				return fmt.Errorf("event %d: arguments (-segment +adapter):\n%s", i, diff)
			}
		}
	}
	return nil
}

// declared reports whether a tool with the name is declared, or none is.
func declared(tools []toolcall.ToolDefinition, name string) bool {
	return len(tools) == 0 || slices.ContainsFunc(tools, func(t toolcall.ToolDefinition) bool { return t.Name == name })
}

// cutHonestly checks the other half of invariant 8: if the stream is cut after at, no
// complete call has other arguments than in the whole stream.
func cutHonestly(r recording, at int) error {
	want, err := segments(r.events())
	if err != nil {
		return err
	}
	cut, err := record(r.opts, []string{r.input()[:at]})
	if err != nil {
		return err
	}
	if err := honest(cut); err != nil {
		return fmt.Errorf("cut at %d: %w", at, err)
	}
	got, err := segments(cut.events())
	if err != nil {
		return fmt.Errorf("cut at %d: %w", at, err)
	}
	for i, g := range got {
		if !g.Type.IsCall() || g.Status != toolcall.Complete {
			continue
		}
		if i >= len(want) || !want[i].Type.IsCall() {
			return fmt.Errorf("cut at %d: a complete call %s(%.80s), which the whole stream has not", at, g.Name, g.Payload)
		}
		w := want[i]
		if g.Name != w.Name || w.Status == toolcall.Complete && (g.Payload != w.Payload || g.StartMeta != w.StartMeta) {
			return fmt.Errorf("cut at %d: complete call %s %s(%.80s), in the whole stream %s %s(%.80s)",
				at, g.Name, g.StartMeta, g.Payload, w.Name, w.StartMeta, w.Payload)
		}
	}
	return nil
}
