package gemini

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/carry"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// members are members of an object that wait for it.
type members []member

type member struct{ name, value string }

func (m members) has(name string) bool {
	return slices.ContainsFunc(m, func(x member) bool { return x.name == name })
}

// appendTo appends them behind another member. They wait no longer.
func (m *members) appendTo(dst []byte) []byte {
	for _, x := range *m {
		dst = append(dst, ',')
		dst = payload.AppendQuoted(dst, x.name)
		dst = append(dst, ':')
		dst = appendLine(dst, x.value)
	}
	*m = nil
	return dst
}

// ownExtras are extras of this wire that wait for a chunk.
type ownExtras struct {
	top      members
	feedback members
	usage    chat.Extras // the last ones, for the last chunk
	failure  chat.Extras
	created  []byte // with its fraction, which every chunk has
}

func (x *ownExtras) waits() bool { return len(x.top) > 0 || len(x.feedback) > 0 }

// write writes what is not of a candidate, and why the prompt was blocked, if it
// was.
func (x *ownExtras) write(w *jsonout.Writer, blocked string) {
	if blocked != "" || len(x.feedback) > 0 {
		w.Key(inFeedback)
		w.Object()
		w.Text("blockReason", blocked)
		writeMembers(w, &x.feedback)
		w.EndObject()
	}
	writeMembers(w, &x.top)
}

func writeMembers(w *jsonout.Writer, list *members) {
	for _, x := range *list {
		w.Key(x.name)
		w.Raw(appendLine(nil, x.value))
	}
	*list = nil
}

// answerExtras are extras of a candidate that wait for a chunk of it.
type answerExtras struct {
	candidate, content members
	part               members // of the next part
	open               []byte  // a part that is one itself, but for its brace: its signature may follow
}

func (x *answerExtras) waits() bool {
	return len(x.candidate) > 0 || len(x.content) > 0 || len(x.part) > 0 || len(x.open) > 0
}

// extra puts an extra where it stood, or as near to it as can be: those of parts
// into a part of their own or the next one, the others into the next chunk, or
// the last one.
func (e *encoder) extra(dst []byte, d toolparse.Delta) []byte {
	if e.w.Log.Foreign(e.meta.Wire, d) {
		return dst
	}
	if e.choices[d.Choice] == nil && len(e.choices) == maxAnswers {
		e.w.Log.AddOnce(carry.Choices, "stream.choices", "left out: there are too many")
		return dst
	}
	m := member{d.Name, d.Text}
	in := func(path string) (ok bool) {
		m.name, ok = strings.CutPrefix(d.Name, path+".")
		return ok
	}
	switch {
	case in(inPartialArg):
		e.w.Log.Unplaced(d) // calls are written whole
	case in(callPath):
		return e.callExtra(dst, d, m)
	case in(inPart), d.Name == inPart:
		return e.partExtra(dst, d, m)
	case in(inContent):
		a := e.answer(d.Choice)
		return e.wait(dst, d.Choice, a, &a.own.content, m)
	case in(inCandidate):
		a := e.answer(d.Choice)
		return e.wait(dst, d.Choice, a, &a.own.candidate, m)
	case in(inUsage):
		e.keep(&e.own.usage, inUsage, d, m)
	case in(inError):
		e.keep(&e.own.failure, inError, d, m)
	case in(inFeedback):
		return e.wait(dst, 0, nil, &e.own.feedback, m)
	case d.Name == inTime+"."+exactTime:
		e.own.created = appendLine(nil, d.Text)
		e.tail = e.chunkTail()
	default:
		m.name = d.Name
		return e.wait(dst, 0, nil, &e.own.top, m)
	}
	return dst
}

// wait lets a member wait in a list for the next chunk; a is the answer that it
// is about, if it is one. Where one of its name waits already, or many do, those
// get a chunk of their own.
func (e *encoder) wait(dst []byte, choice int, a *answer, list *members, m member) []byte {
	full := list.has(m.name) || len(*list) == maxWaiting
	if a == nil {
		dst = e.releaseAll(dst)
	}
	switch {
	case a == nil && full:
		w := jsonout.Writer{Out: append(dst, "data: "...)}
		w.Object()
		e.own.write(&w, "")
		e.about(&w)
		w.EndObject()
		dst = append(w.Out, lineEnd...)
	case a != nil:
		a.said = true
		dst = e.release(e.setPart(dst, choice, a, ""), choice, a) // which came before
		if full && len(*list) > 0 {
			dst = e.textPart(dst, choice, a, "", false, "")
		}
	}
	*list = append(*list, m)
	return dst
}

// maxAnswers bounds the candidates that extras can begin.
const maxAnswers = 1 << 10

// maxWaiting bounds the members that wait for one chunk.
const maxWaiting = 64

// keep keeps a member in place of those of its name.
func (e *encoder) keep(list *chat.Extras, in string, d toolparse.Delta, m member) {
	*list = slices.DeleteFunc(*list, func(x chat.Extra) bool { return x.Name == m.name })
	if len(*list) == maxWaiting {
		e.w.Log.Unplaced(d)
		return
	}
	*list = append(*list, chat.Extra{Wire: Wire, In: in, Name: m.name, Value: appendLine(nil, m.value)})
}

// callExtra puts an extra into the call before it.
func (e *encoder) callExtra(dst []byte, d toolparse.Delta, m member) []byte {
	a := e.answer(d.Choice)
	if len(a.pending) == 0 {
		e.w.Log.Unplaced(d)
		return dst
	}
	c := a.pending[len(a.pending)-1]
	c.own = append(c.own, m)
	return dst
}

// partExtra begins a part that is neither text nor call, or keeps a member of
// the part that follows.
func (e *encoder) partExtra(dst []byte, d toolparse.Delta, m member) []byte {
	a := e.answer(d.Choice)
	if a.finished {
		e.w.Log.Unplaced(d)
		return dst
	}
	dst = e.setPart(dst, d.Choice, a, "")
	whole := d.Name == inPart
	if !whole && !isPartKind(m.name) {
		a.own.part = append(a.own.part, m)
		return dst
	}
	dst = e.release(dst, d.Choice, a)
	if len(a.pending) > 0 {
		e.w.Log.AddOnce(carry.InterleavedCalls, "stream.calls")
	}
	a.said = true
	if text, ok := strings.CutSuffix(d.Text, "}"); whole && ok {
		a.own.open = appendLine(nil, strings.TrimRight(text, " \t\r\n"))
		return dst
	} else if whole {
		e.w.Log.Unplaced(d)
		return dst
	}
	w := jsonout.Writer{}
	w.Object()
	w.Key(m.name)
	w.Raw(appendLine(nil, m.value))
	a.own.open = a.own.part.appendTo(w.Out)
	return dst
}

// setPart writes the part that an extra began.
func (e *encoder) setPart(dst []byte, choice int, a *answer, signature string) []byte {
	if len(a.own.open) == 0 {
		return dst
	}
	w := jsonout.Writer{Out: append(e.begin(dst), a.own.open...)}
	if w.Out[len(w.Out)-1] != '{' {
		w.Next()
	}
	w.Text("thoughtSignature", signature)
	w.EndObject()
	a.own.open, a.thinks = nil, false
	return e.end(w.Out, choice, a)
}

// appendLine appends JSON as one line.
func appendLine(dst []byte, text string) []byte {
	from := len(dst)
	dst = append(dst, text...)
	oneLine(dst[from:])
	return dst
}
