package streamgen

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/toolcall"
)

// NewDeltas generates the deltas of a provider's stream: text, reasoning and native
// calls, numbered and cut as real servers do. The fragments of parallel calls may
// alternate.
func NewDeltas(src Source) ([]toolcall.Delta, Want) {
	n := &native{src: src, style: pick(src, styles...)}
	g := &generator{src: src, dialect: "api_tool_call"}
	g.tools = newTools(src, g.dialect)
	if chance(src, 3) {
		n.text(toolcall.DeltaReasoning, &n.want.Reasoning)
	}
	if src.IntN(2) == 1 {
		n.text(toolcall.DeltaText, &n.want.Text)
	}
	var calls []call
	for range src.IntN(4) {
		calls = append(calls, newCall(src, "json-native", pick(src, g.tools...), true))
	}
	n.calls(calls)
	if !n.style.done || len(calls) == 0 || src.IntN(2) == 1 { // else nothing ends the last segment
		n.deltas = append(n.deltas, toolcall.Delta{Kind: toolcall.DeltaFinish, Text: "tool_calls"})
	}
	return n.deltas, n.want
}

// nativeStyle is how a server distinguishes its calls.
type nativeStyle struct {
	index   bool // each call has its own index
	zero    bool // the index is always 0
	ids     bool // the first fragment has an id
	allIDs  bool // every fragment has the id
	allName bool // every fragment has the name
	whole   bool // the arguments come in one piece
	done    bool // the server reports the end of a call
	overlap bool // the fragments of calls alternate
}

var styles = []nativeStyle{
	{index: true, ids: true},
	{index: true, ids: true, done: true},
	{index: true, ids: true, overlap: true},
	{index: true, ids: true, allIDs: true, allName: true},
	{index: true, done: true},
	{ids: true, allIDs: true},
	{ids: true},
	{zero: true, ids: true},
	{zero: true, ids: true, allIDs: true},
	{whole: true, done: true},
	{whole: true, ids: true, done: true, zero: true},
}

type native struct {
	src    Source
	style  nativeStyle
	deltas []toolcall.Delta
	want   Want
}

func (n *native) text(kind toolcall.DeltaKind, want *string) {
	for i := range 1 + n.src.IntN(4) {
		s := pick(n.src, words...)
		if i > 0 {
			s = pick(n.src, " ", "\n") + s
		}
		n.deltas = append(n.deltas, toolcall.Delta{Kind: kind, Text: s})
		*want += s
	}
}

func (n *native) calls(calls []call) {
	queues := make([][]toolcall.Delta, len(calls))
	for i, c := range calls {
		var b strings.Builder
		newJSONStyle(n.src).write(&b, c.object())
		args := b.String()
		queues[i] = n.fragments(i, c.tool.name, args)
		n.want.Calls = append(n.want.Calls, Call{
			Name: c.tool.name, Segment: c.tool.segment, Arguments: encode(c.object()), Verbatim: args,
		})
	}
	if !n.style.overlap {
		for _, q := range queues {
			n.deltas = append(n.deltas, q...)
		}
		return
	}
	// Heads first, so that calls begin in the order of their indexes.
	for i, q := range queues {
		n.deltas, queues[i] = append(n.deltas, q[0]), q[1:]
	}
	for left := true; left; {
		left = false
		for i, q := range queues {
			if len(q) > 0 {
				n.deltas, queues[i], left = append(n.deltas, q[0]), q[1:], true
			}
		}
	}
}

// fragments cuts one call into deltas.
func (n *native) fragments(i int, name, args string) []toolcall.Delta {
	s := n.style
	base := toolcall.Delta{Kind: toolcall.DeltaToolCall, Index: toolcall.NoIndex, Whole: s.whole}
	switch {
	case s.index:
		base.Index = i
	case s.zero:
		base.Index = 0
	}
	head := base
	head.Name = name
	if s.ids {
		head.ID = fmt.Sprintf("call_%d", i)
	}
	if s.allIDs {
		base.ID = head.ID
	}
	if s.allName {
		base.Name = name
	}
	if s.whole {
		head.Text, head.Done = args, s.done
		return []toolcall.Delta{head}
	}
	out := []toolcall.Delta{head}
	for _, piece := range Split(n.src, args) {
		d := base
		d.Text = piece
		out = append(out, d)
	}
	if s.done {
		out[len(out)-1].Done = true
	}
	return out
}

// Deltas generates deltas that no server should send: fragments without a call, calls
// without a name, ends without a start.
func Deltas(src Source) []toolcall.Delta {
	var out []toolcall.Delta
	for range src.IntN(24) {
		d := toolcall.Delta{
			Kind: toolcall.DeltaKind(1 + src.IntN(int(toolcall.DeltaError)+1)), Index: src.IntN(4) - 1,
			Whole: chance(src, 4), Done: chance(src, 4), Truncated: chance(src, 4), Choice: src.IntN(8) / 7,
			ID:   pick(src, "", "", "a", "b", "c", "call_1"),
			Name: pick(src, "", "", "t", "u", "write_file", "edit_file", "run_bash", "wri", "te_file"),
			Text: pick(src, "", "{}", "{", "}", `{"a":1}`, `{"path":"/a","content":"x`, `y"}`, `"command":"ls"`, "null", `"a":`, "[1]", ",",
				`{"a":"\u00`, `e9"}`, "True", "word", "<think>", "</think>", `"{}"`, " ", "\xff", `{"content":"z","path":"/b"}`),
		}
		if chance(src, 6) {
			d.Text = pick(src, markers...)
		}
		out = append(out, d)
	}
	return out
}
