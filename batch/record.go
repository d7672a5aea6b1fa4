package batch

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/fieldpath"
	"github.com/toolparse/toolparse/internal/jsonindex"
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/notes"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/toolcall"
)

// worker reads records, one after another, in the same memory.
type worker struct {
	batch *Batch
	calls tally

	index   jsonindex.Index // of the record
	members []member        // of the record
	sources []source        // likewise
	answers []answer        // likewise
	sniffed format.Stream   // to find out whether a value is a body
	wrapped int             // how many shapes are around the one that is recognised
	size    int             // of the record, in bytes
}

// append reads a record, which is a line of JSON, appends its result to dst as one line
// without a line feed, and counts it. The error is the one in the result, if any.
func (w *worker) append(dst, text []byte, line int64) (_ []byte, err error) {
	b, from := w.batch, len(dst)
	w.renew(len(text))
	w.index.Lend() // nothing of a record is used after the next
	root, err := fieldpath.Read(text, &w.index)
	if err != nil {
		return b.appendFailure(dst, line, err), err
	}
	record := objectOf(root, w.members[:0])
	w.members = record.members
	answers := w.answers[:0]
	k, err := b.kitFor(record.Raw)
	if err == nil {
		answers, err = w.appendAnswers(answers, k, record)
	}
	defer w.keep(answers)
	if b.opts.ResultField != "" {
		dst = b.appendKept(dst, record)
	}
	dst = b.appendHead(dst, record, line)
	if err == nil || len(answers) > 0 {
		out := writer{b.opts.Unit, b.opts.Spans}
		dst = out.calls(printable.EscapeFrom(dst, from), answers)
		from = len(dst) // calls are escaped
		dst = out.answers(dst, answers, k, b.replaced(record))
		w.calls.count(answers)
	}
	if err != nil {
		dst = appendError(dst, err)
	}
	dst = append(dst, '}')
	if b.opts.ResultField != "" {
		dst = append(dst, '}')
	}
	return printable.EscapeFrom(dst, from), err
}

// maxKept is the size in bytes of the largest record after which its memory is used again.
const maxKept = 1 << 20

// keep keeps the memory of answers for the next record.
func (w *worker) keep(answers []answer) {
	for _, a := range answers {
		if a.free != nil {
			a.free()
		}
	}
	clear(answers)
	clear(w.sources)
	w.answers, w.sources = answers[:0], w.sources[:0]
}

// renew drops the memory of a large record before the next one, of this many bytes.
func (w *worker) renew(size int) {
	if w.size > maxKept {
		w.members, w.sources, w.answers, w.index, w.sniffed = nil, nil, nil, jsonindex.Index{}, format.Stream{}
	}
	w.size = size
}

// appendAnswers reads all answers of a record. With an error, it appends the answers before
// it, the last one in part.
func (w *worker) appendAnswers(dst []answer, k kitOf, record object) ([]answer, error) {
	if err := w.findSources(record); err != nil {
		return dst, err
	}
	for i := range w.sources {
		a, err := open(k.kit, w.batch.opts.Kit.Wire, &w.sources[i])
		if err == nil || len(a.Calls) > 0 || a.Text != "" || a.Reasoning != "" {
			dst = append(dst, a)
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// appendFailure appends the result for a line that is not a record.
func (b *Batch) appendFailure(dst []byte, line int64, err error) []byte {
	from := len(dst)
	dst = appendError(b.appendHead(dst, object{}, line), err)
	return printable.EscapeFrom(append(dst, '}'), from)
}

// appendHead appends the members that identify a record.
func (b *Batch) appendHead(dst []byte, record object, line int64) []byte {
	dst = strconv.AppendInt(append(dst, `{"line":`...), line, 10)
	if b.file != "" {
		dst = jsonvalue.AppendQuoted(append(dst, `,"file":`...), b.file)
	}
	for _, name := range idMembers {
		switch id := record.member(name); id.Kind {
		case jsonindex.String, jsonindex.Number, jsonindex.Bool:
			return id.AppendJSON(append(dst, `,"id":`...))
		}
	}
	return dst
}

// idMembers are the members that can identify a record, best first.
var idMembers = [...]string{"custom_id", "id", "key"}

func appendError(dst []byte, err error) []byte {
	return jsonvalue.AppendQuoted(append(dst, `,"error":`...), err.Error())
}

// replaced reports whether the result takes the place of a member of the record.
func (b *Batch) replaced(record object) bool {
	return b.opts.ResultField != "" && record.has(b.opts.ResultField)
}

// appendKept appends the record up to the new member, without an old one of the same
// name.
func (b *Batch) appendKept(dst []byte, record object) []byte {
	dst = append(dst, '{')
	for key, v := range record.Members {
		if key == b.opts.ResultField {
			continue
		}
		dst = append(jsonvalue.AppendQuoted(dst, key), ':')
		dst = append(v.AppendJSON(dst), ',')
	}
	return append(jsonvalue.AppendQuoted(dst, b.opts.ResultField), ':')
}

// writer writes answers.
type writer struct {
	unit  toolparse.Unit
	spans bool
}

// calls appends the calls of answers as a member, after a comma.
func (w writer) calls(dst []byte, answers []answer) []byte {
	dst = append(dst, `,"calls":[`...)
	for i := range answers {
		a := &answers[i]
		offsets := toolparse.NewOffsets(a.text, w.unit)
		for _, c := range a.Calls {
			if a.text != "" {
				c.Start, c.End = offsets.Of(c.Start), offsets.Of(c.End)
			}
			dst = endItem(c.AppendJSON(dst), answers, a.path)
		}
	}
	return endList(dst)
}

// endItem ends an object in a list with a comma. Of several answers it adds the path of the one
// that the object belongs to.
func endItem(dst []byte, answers []answer, path string) []byte {
	if len(answers) > 1 {
		from := len(dst) - 1
		dst = jsonvalue.AppendQuoted(append(dst[:from], `,"field":`...), path)
		dst = printable.EscapeFrom(append(dst, '}'), from)
	}
	return append(dst, ',')
}

// endList ends a list whose items end with commas.
func endList(dst []byte) []byte {
	return append(bytes.TrimSuffix(dst, []byte{','}), ']')
}

// answers appends the other members of a result, each after a comma.
func (w writer) answers(dst []byte, answers []answer, k kitOf, replaced bool) []byte {
	dst = appendJoined(append(dst, `,"text":`...), answers, func(a answer) string { return a.Text })
	dst = appendJoined(append(dst, `,"reasoning":`...), answers, func(a answer) string { return a.Reasoning })
	if slices.ContainsFunc(answers, func(a answer) bool { return a.Refusal != "" }) {
		dst = appendJoined(append(dst, `,"refusal":`...), answers, func(a answer) string { return a.Refusal })
	}
	if n := len(answers); n > 0 && answers[n-1].Finish.Reason != chat.FinishUnset {
		dst = jsonvalue.AppendQuoted(append(dst, `,"finish":`...), answers[n-1].Finish.Reason.String())
	}
	dst = jsonvalue.AppendQuoted(append(dst, `,"dialect":`...), dialectOf(answers, k))
	dst = appendNotes(dst, answers, k, replaced)
	if w.spans {
		dst = w.appendSpans(dst, answers)
	}
	return dst
}

// appendJoined appends the texts of several answers as one, separated by line feeds.
func appendJoined(dst []byte, answers []answer, text func(answer) string) []byte {
	dst = append(dst, '"')
	any := false
	for _, a := range answers {
		t := text(a)
		if t == "" {
			continue
		}
		if any {
			dst = append(dst, `\n`...)
		}
		any = true
		dst = jsonvalue.AppendEscaped(dst, t)
	}
	return append(dst, '"')
}

// dialectOf returns the dialect of the first call or, without calls, the dialect that was
// read.
func dialectOf(answers []answer, k kitOf) string {
	for _, a := range answers {
		for _, c := range a.Calls {
			if c.Dialect != "" {
				return c.Dialect
			}
		}
	}
	return k.kit.Dialect()
}

// appendNotes appends the notes of answers that are worth telling, if there are any.
func appendNotes(dst []byte, answers []answer, k kitOf, replaced bool) []byte {
	without := len(dst)
	dst = append(dst, `,"notes":[`...)
	empty := len(dst)
	if k.unknown {
		dst = append(dst, `{"kind":"model","rule":"the model is unknown: its text was read as with auto"},`...)
	}
	if replaced {
		dst = append(dst, `{"kind":"replaced","rule":"the record had this member, which the result replaces"},`...)
	}
	for _, a := range answers {
		for _, n := range notes.Told(a.Notes) {
			dst = jsonvalue.AppendQuoted(append(dst, `{"kind":`...), n.Kind.String())
			for _, member := range [...]struct{ key, value string }{{"dialect", n.Dialect}, {"tool", n.Tool}, {"rule", n.Rule}} {
				if member.value != "" {
					dst = append(jsonvalue.AppendQuoted(append(dst, ','), member.key), ':')
					dst = jsonvalue.AppendQuoted(dst, member.value)
				}
			}
			if n.Kind == toolcall.NoteChoice {
				dst = strconv.AppendInt(append(dst, `,"choice":`...), int64(n.Choice), 10)
			}
			dst = append(dst, "},"...)
		}
	}
	if len(dst) == empty {
		return dst[:without]
	}
	return endList(dst)
}

// appendSpans appends the spans of all answers.
func (w writer) appendSpans(dst []byte, answers []answer) []byte {
	dst = append(dst, `,"spans":[`...)
	for _, a := range answers {
		offsets := toolparse.NewOffsets(a.text, w.unit)
		for _, s := range a.Spans {
			s.Start, s.End = offsets.Of(s.Start), offsets.Of(s.End)
			dst = endItem(s.AppendJSON(dst), answers, a.path)
		}
	}
	return endList(dst)
}
