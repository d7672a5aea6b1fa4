package conform

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/toolcall"
)

// Mismatch is one difference between an outcome and what it should be.
type Mismatch struct {
	Field     string // such as "text" or "call 2 (add): arguments"
	Want, Got string
}

// check compares an outcome with what the vector expects.
func (v Vector) check(o outcome) []Mismatch {
	var bad []Mismatch
	for _, t := range []struct {
		field string
		want  *string
		mode  TextMode
		of    toolcall.SegmentType
	}{
		{"text", v.Expect.Text, v.Compare.Text, toolcall.SegmentText},
		{"reasoning", v.Expect.Reasoning, v.Compare.Reasoning, toolcall.SegmentReasoning},
	} {
		if t.want == nil || t.mode == Unasserted {
			continue
		}
		if want, got := collapse(*t.want), collapse(o.content(t.of)); want != got {
			bad = append(bad, Mismatch{t.field, strconv.Quote(want), strconv.Quote(got)})
		}
	}
	if v.Expect.Calls != nil {
		bad = append(bad, v.checkCalls(*v.Expect.Calls, o.calls)...)
	}
	return bad
}

func (v Vector) checkCalls(want []Call, got []toolcall.ToolInvocation) []Mismatch {
	if v.Tier == TierMalformed && len(got) > len(want) {
		got = slices.DeleteFunc(slices.Clone(got), func(c toolcall.ToolInvocation) bool { return c.Status != toolcall.Complete })
	}
	w := names(want, func(c Call) string { return c.Name })
	if g := names(got, func(c toolcall.ToolInvocation) string { return c.Name }); w != g || len(want) != len(got) { // a name may be empty
		return []Mismatch{{"calls", w, g}}
	}
	var bad []Mismatch
	for i, w := range want {
		g := got[i]
		field := fmt.Sprintf("call %d (%s): ", i+1, g.Name)
		cut := v.Expect.Incomplete && i == len(want)-1
		if m, ok := checkStatus(w, g, cut, v.Compare.Args); !ok {
			m.Field = field + m.Field
			bad = append(bad, m)
		}
		if m, ok := checkArguments(w, g, cut, v.Compare.Args); !ok {
			m.Field = field + m.Field
			bad = append(bad, m)
		}
	}
	return bad
}

// checkStatus checks that a call that is cut off is incomplete, and that another call
// with an object as its arguments is complete.
func checkStatus(want Call, got toolcall.ToolInvocation, cut bool, mode ArgsMode) (Mismatch, bool) {
	switch {
	case cut:
		return Mismatch{"status", toolcall.Incomplete.String(), ending(got)}, got.Status == toolcall.Incomplete
	case mode != ArgsNameOnly && bytes.HasPrefix(want.Arguments, []byte("{")):
		return Mismatch{"status", toolcall.Complete.String(), ending(got)}, got.Status == toolcall.Complete
	}
	return Mismatch{"status", "complete or malformed", ending(got)}, got.Status != toolcall.Incomplete
}

func checkArguments(want Call, got toolcall.ToolInvocation, cut bool, mode ArgsMode) (Mismatch, bool) {
	if mode == ArgsNameOnly || len(want.Arguments) == 0 {
		return Mismatch{}, true
	}
	expected, _ := decode(string(want.Arguments)) // valid: it came from the vector's own JSON
	raw, isRaw := expected.Text, expected.Kind == jsonvalue.String
	text := string(got.Arguments)
	switch {
	case isRaw && mode == ArgsPrefix:
		w, g := squeeze(raw), squeeze(text)
		return Mismatch{"raw arguments, as a prefix", w, g}, strings.HasPrefix(w, g) || strings.HasPrefix(g, w)
	case isRaw:
		return Mismatch{"raw arguments", raw, text}, squeeze(raw) == squeeze(text) || sameValue(closeJSON(raw), closeJSON(text))
	case cut:
		text = closeJSON(text)
	}
	value, ok := decode(text)
	if !ok {
		return Mismatch{"arguments", render(expected), text + "  (not JSON)"}, false
	}
	return Mismatch{"arguments", render(expected), render(value)}, jsonvalue.Equal(expected, value)
}

// sameValue compares two texts as JSON values.
func sameValue(a, b string) bool {
	va, okA := decode(a)
	vb, okB := decode(b)
	return okA && okB && jsonvalue.Equal(va, vb)
}

// differ compares the outcome of a cut with that of the whole input. It returns only
// the first difference, because others usually follow from it.
func differ(whole, other outcome) (Mismatch, bool) {
	for i := range min(len(whole.segments), len(other.segments)) {
		w, o := whole.segments[i], other.segments[i]
		if w != o {
			return Mismatch{fmt.Sprintf("segment %d", i+1), describe(w), describe(o)}, true
		}
	}
	if w, o := len(whole.segments), len(other.segments); w != o {
		return Mismatch{"number of segments", strconv.Itoa(w), strconv.Itoa(o)}, true
	}
	if !slices.EqualFunc(whole.calls, other.calls, sameCall) {
		return Mismatch{"calls", describeCalls(whole.calls), describeCalls(other.calls)}, true
	}
	return Mismatch{}, false
}

func sameCall(a, b toolcall.ToolInvocation) bool {
	return a.ID == b.ID && a.CallID == b.CallID && a.Name == b.Name && string(a.Arguments) == string(b.Arguments) &&
		a.Status == b.Status && a.Reason == b.Reason && a.Tolerances == b.Tolerances && a.Unknown == b.Unknown &&
		slices.Equal(a.Problems, b.Problems)
}

func describe(s segment) string {
	text := fmt.Sprintf("%s %s %s", s.start.ID, s.start.Segment, s.start.Name)
	if s.start.Payload != "" {
		text += " " + s.start.Payload
	}
	text += fmt.Sprintf(" %q %v", s.content, s.end.Status)
	if s.end.Reason != toolcall.ReasonNone {
		text += " " + s.end.Reason.String()
	}
	if s.end.Tolerances != 0 {
		text += " " + s.end.Tolerances.String()
	}
	return text + s.end.Payload
}

func describeCalls(calls []toolcall.ToolInvocation) string {
	var b strings.Builder
	for _, c := range calls {
		line, err := c.MarshalJSON()
		if err != nil {
			line = []byte(err.Error())
		}
		b.Write(line)
	}
	return b.String()
}

// ending describes how a call ended.
func ending(c toolcall.ToolInvocation) string {
	if c.Reason == toolcall.ReasonNone {
		return c.Status.String()
	}
	return c.Status.String() + " (" + c.Reason.String() + ")"
}

// names returns the names of calls, such as "[add, add]".
func names[T any](calls []T, name func(T) string) string {
	all := make([]string, len(calls))
	for i, c := range calls {
		all[i] = name(c)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// collapse folds runs of white space to one space and trims the ends.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }
