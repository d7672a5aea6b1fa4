package gemini

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// ownExtras are extras of this wire that wait for a chunk.
type ownExtras struct {
	top      unknown.Members
	feedback unknown.Members
	usage    chat.Extras // the last values, for the last chunk
	failure  chat.Extras
	created  []byte // with fractions of a second, in every chunk
}

func (x *ownExtras) waits() bool { return len(x.top) > 0 || len(x.feedback) > 0 }

// write writes the members that are not of a candidate, and why the prompt was blocked,
// if it was.
func (x *ownExtras) write(w *jsonout.Writer, blocked string) {
	if blocked != "" || len(x.feedback) > 0 {
		w.KeyObject(inFeedback)
		w.Text("blockReason", blocked)
		w.Out = x.feedback.TakeAll(w.Out)
		w.EndObject()
	}
	if len(x.top) > 0 {
		w.Out = x.top.TakeAll(w.Out)
		w.Next()
	}
}

// answerExtras are extras of a candidate that wait for a chunk of it.
type answerExtras struct {
	candidate, content unknown.Members
	part               unknown.Members // of the next part
	open               []byte          // a part that is an extra, without its brace: a signature may follow
}

func (x *answerExtras) waits() bool {
	return len(x.candidate) > 0 || len(x.content) > 0 || len(x.part) > 0 || len(x.open) > 0
}

// extra writes an extra in its place, or as near to it as possible: those of parts into a
// part of their own or the next one, others into the next or the last chunk.
func (e *encoder) extra(dst []byte, d toolcall.Delta) []byte {
	if e.w.Log.ReportForeign(e.meta.Wire, d) {
		return dst
	}
	if e.choices[d.Choice] == nil && len(e.choices) == maxAnswers {
		e.w.Log.AddOnce(features.Choices, "stream.choices", "left out: there are too many")
		return dst
	}
	m := unknown.Member{Name: d.Name, Value: d.Text}
	in := func(path string) (ok bool) {
		m.Name, ok = strings.CutPrefix(d.Name, path+".")
		return ok
	}
	switch {
	case in(inPartialArg):
		e.w.Log.ReportUnplaced(d) // calls are written whole
	case in(callPath):
		return e.callExtra(dst, d, m)
	case in(inPart), d.Name == inPart:
		return e.partExtra(dst, d, m)
	case in(inContent):
		a := e.answer(d.Choice)
		return e.wait(dst, d.Choice, a, &a.extras.content, m)
	case in(inCandidate):
		a := e.answer(d.Choice)
		return e.wait(dst, d.Choice, a, &a.extras.candidate, m)
	case in(inUsage):
		e.keep(&e.extras.usage, inUsage, d, m)
	case in(inError):
		e.keep(&e.extras.failure, inError, d, m)
	case in(inFeedback):
		return e.wait(dst, 0, nil, &e.extras.feedback, m)
	case d.Name == inTime+"."+exactTime:
		e.extras.created = jsonout.OneLine([]byte(d.Text))
		e.tail = e.chunkTail()
	default:
		m.Name = d.Name
		return e.wait(dst, 0, nil, &e.extras.top, m)
	}
	return dst
}

// wait keeps a member in a list for the next chunk; a is the answer that it belongs to,
// if any. If one with its name or too many are already waiting, those get a chunk of
// their own.
func (e *encoder) wait(dst []byte, choice int, a *answer, list *unknown.Members, m unknown.Member) []byte {
	if a == nil {
		dst = e.releaseAll(dst) // that came before
	} else {
		a.spoke = true
		dst = e.release(e.setPart(dst, choice, a, ""), choice, a)
	}
	if list.Add(m.Name, m.Value) {
		return dst
	}
	if a == nil {
		w := e.w
		w.On(append(dst, "data: "...))
		w.Object()
		e.extras.write(&w.Writer.Writer, "")
		e.about()
		w.EndObject()
		dst = append(w.Out, lineEnd...)
	} else {
		dst = e.textPart(dst, choice, a, "", false, "")
	}
	list.Add(m.Name, m.Value)
	return dst
}

// maxAnswers limits the candidates that extras can begin.
const maxAnswers = 1 << 10

// maxWaiting limits the members that wait for the last chunk.
const maxWaiting = 64

// keep keeps a member instead of earlier ones with its name.
func (e *encoder) keep(list *chat.Extras, in string, d toolcall.Delta, m unknown.Member) {
	if !unknown.Replace(list, chat.Extra{Wire: Wire, In: in, Name: m.Name, Value: jsonout.OneLine([]byte(m.Value))}, maxWaiting) {
		e.w.Log.ReportUnplaced(d)
	}
}

// callExtra adds an extra to the call before it.
func (e *encoder) callExtra(dst []byte, d toolcall.Delta, m unknown.Member) []byte {
	a := e.answer(d.Choice)
	if len(a.calls.Pending) == 0 {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	if !a.calls.Pending[len(a.calls.Pending)-1].Own.own.Add(m.Name, m.Value) {
		e.w.Log.ReportUnplaced(d)
	}
	return dst
}

// partExtra begins a part that is neither text nor a call, or keeps a member of the next
// part.
func (e *encoder) partExtra(dst []byte, d toolcall.Delta, m unknown.Member) []byte {
	a := e.answer(d.Choice)
	if a.finished {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	dst = e.setPart(dst, d.Choice, a, "")
	whole := d.Name == inPart
	if !whole && !isPartKind(m.Name) {
		if !a.extras.part.Add(m.Name, m.Value) {
			e.w.Log.ReportUnplaced(d)
		}
		return dst
	}
	dst = e.release(dst, d.Choice, a)
	if len(a.calls.Pending) > 0 {
		e.w.Log.AddOnce(features.InterleavedCalls, "stream.calls")
	}
	a.spoke = true
	if text, ok := strings.CutSuffix(d.Text, "}"); whole && ok {
		a.extras.open = jsonout.OneLine([]byte(strings.TrimRight(text, " \t\r\n")))
		return dst
	} else if whole {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	w := jsonout.Writer{}
	w.Object()
	w.Member(m.Name, jsonout.OneLine([]byte(m.Value)))
	a.extras.open = a.extras.part.TakeAll(w.Out)
	return dst
}

// setPart writes the part that an extra began.
func (e *encoder) setPart(dst []byte, choice int, a *answer, signature string) []byte {
	if len(a.extras.open) == 0 {
		return dst
	}
	w := jsonout.Writer{Out: append(e.begin(dst), a.extras.open...)}
	if w.Out[len(w.Out)-1] != '{' {
		w.Next()
	}
	w.Text("thoughtSignature", signature)
	w.EndObject()
	a.extras.open, a.thinks = nil, false
	return e.end(w.Out, choice, a)
}
