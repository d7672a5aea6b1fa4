package openai

import (
	"maps"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// ownExtras are extras of this wire about the answer as a whole.
type ownExtras struct {
	head    unknown.Members // for every chunk
	top     unknown.Members // for the next chunk
	groq    unknown.Members // for x_groq, in the next chunk
	usage   chat.Extras     // for the usage, which comes last
	failure chat.Extras     // for the next error
}

func (x *ownExtras) wait() bool { return len(x.top)+len(x.groq) > 0 }

// write appends the members that belong at the end of a chunk.
func (x *ownExtras) write(dst []byte) []byte {
	if len(x.groq) > 0 {
		dst = append(x.groq.TakeAll(append(dst, `,"x_groq":{`...)), '}')
	}
	return x.top.TakeAll(dst)
}

// answerExtras are extras of this wire about a choice.
type answerExtras struct {
	choice  unknown.Members // for its next chunk
	delta   unknown.Members // for the delta in that chunk
	detail  unknown.Members // for the next element of reasoning_details
	details unknown.Members // for each of these elements
	spelled spellings
}

func (x *answerExtras) wait() bool { return len(x.choice)+len(x.delta) > 0 }

// maxAnswers limits the choices that extras can begin.
const maxAnswers = 1 << 10

// extra keeps an extra for the next chunk that can contain it.
func (e *encoder) extra(dst []byte, d toolcall.Delta) []byte {
	if e.w.Log.ReportForeign(e.meta.Wire, d) {
		return dst
	}
	if rest, ok := strings.CutPrefix(d.Name, inMessage); ok {
		d.Name = inDelta + rest // a body that is written as a stream
	}
	if name, ok := strings.CutPrefix(d.Name, inChoice+"."); ok {
		return e.choiceExtra(dst, d, name)
	}
	for _, in := range [...]string{inPrompt, inCompletion, inUsage, inError, inGroq} {
		name, ok := strings.CutPrefix(d.Name, in+".")
		switch {
		case !ok:
		case in == inError:
			e.keepLast(&e.extras.failure, d, in, name)
			return dst
		case in == inGroq:
			return e.wait(dst, &e.extras.groq, d, name)
		default:
			e.keepLast(&e.extras.usage, d, in, name)
			return dst
		}
	}
	if d.Name == "id" { // clients require one in all chunks
		e.w.Log.AddOnce(features.ResponseID, "stream.id", "the first one stays")
		return dst
	}
	if d.Name == serviceTier || d.Name == fingerprint {
		dst = e.flush(dst) // it came before
		if e.head == nil && e.extras.head.Has(d.Name) {
			dst = e.end(e.chunkHead(dst)) // the last one was in no chunk
		}
		e.head = nil
		e.extras.head.Replace(d.Name, d.Text)
		return dst
	}
	return e.wait(dst, &e.extras.top, d, d.Name)
}

// maxKept limits the members that are kept for the usage, or an error.
const maxKept = 256

// keepLast keeps a member, or a spelling, instead of an earlier one with its name.
func (e *encoder) keepLast(list *chat.Extras, d toolcall.Delta, in, name string) {
	x := chat.Extra{Wire: Wire, In: in, Name: name, Value: jsonout.OneLine([]byte(d.Text))}
	if d.Text == "null" {
		x = chat.Extra{Wire: Wire, Name: d.Name, Spelling: true}
	}
	if !unknown.Replace(list, x, maxKept) {
		e.w.Log.ReportUnplaced(d)
	}
}

// wait keeps a member for the next chunk. If one with its name is already waiting, a
// chunk without choices is written first.
func (e *encoder) wait(dst []byte, list *unknown.Members, d toolcall.Delta, name string) []byte {
	if !list.Add(name, d.Text) {
		dst = e.end(e.chunkHead(dst))
		list.Add(name, d.Text)
	}
	return dst
}

// choiceExtra keeps an extra for the next chunk of its choice.
func (e *encoder) choiceExtra(dst []byte, d toolcall.Delta, name string) []byte {
	if e.choices[d.Choice] == nil && len(e.choices) == maxAnswers {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	a := e.answer(d.Choice)
	if a.finished {
		e.w.Log.ReportUnplaced(d)
		return dst
	}
	list := &a.extras.choice
	switch {
	case d.Text != "null":
	case a.extras.spelled.spell(d.Name):
		return dst
	case d.Name == inDelta+inPart+".thinking": // OpenAI's client fails at a list in a stream
		e.w.Log.AddOnce(features.OwnExtra, "stream.content", "its thinking is written as reasoning_content")
		return dst
	}
	if rest, ok := strings.CutPrefix(d.Name, inDelta); ok {
		list, name = &a.extras.delta, rest[1:]
		if detail, ok := strings.CutPrefix(rest, inDetail); ok && !e.w.VendorOnly {
			return e.detailExtra(dst, d, a, strings.TrimPrefix(detail, "."))
		}
		if slices.ContainsFunc(innerPaths, func(in string) bool { return rest == in || strings.HasPrefix(rest, in+".") }) {
			e.w.Log.ReportUnplaced(d)
			return dst
		}
	}
	if !list.Add(name, d.Text) {
		dst = e.endDelta(e.begin(dst, d.Choice), a, "")
		list.Add(name, d.Text)
	}
	return dst
}

// innerPaths are the objects in a delta whose members do not come back: calls and parts, whose
// places another chunk has.
var innerPaths = []string{inCall, inPart, inGoogle, inDetail}

// detailExtra writes an element of reasoning_details that is an extra as a whole, or keeps
// a member of the next one.
func (e *encoder) detailExtra(dst []byte, d toolcall.Delta, a *answer, name string) []byte {
	switch name {
	case "":
		dst = append(e.begin(dst, d.Choice), `"reasoning_details":[`...)
		dst = append(jsonout.AppendLine(dst, d.Text), ']')
		return e.endDelta(dst, a, "")
	case "format", "index":
		a.extras.details.Replace(name, d.Text)
	default:
		if !a.extras.detail.Add(name, d.Text) {
			e.w.Log.ReportUnplaced(d)
		}
	}
	return dst
}

// flush writes what is waiting for a chunk.
func (e *encoder) flush(dst []byte) []byte {
	for _, choice := range slices.Sorted(maps.Keys(e.choices)) {
		if a := e.choices[choice]; a.extras.wait() && !a.finished {
			dst = e.endDelta(e.begin(dst, choice), a, "")
		}
	}
	if e.extras.wait() {
		dst = e.end(e.chunkHead(dst))
	}
	return dst
}

// unplaced reports extras whose object does not come.
func (e *encoder) unplaced(a *answer) {
	for _, m := range a.extras.detail {
		e.w.Log.ReportUnplaced(toolcall.Delta{Name: inDelta + inDetail + "." + m.Name})
	}
}
