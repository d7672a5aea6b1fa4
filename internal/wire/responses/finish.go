package responses

import (
	"fmt"
	"slices"

	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// over decodes a response that has ended: a whole body, or the repetition in the last
// event of a stream.
func (d *Decoder) over(dst []toolcall.Delta, v rawjson.Value, event string) []toolcall.Delta {
	var status, output, failure, details rawjson.Value
	d.Each(v, "response", nil, "status", &status, "output", &output, "error", &failure, "incomplete_details", &details)
	details = d.Object(details, "response.incomplete_details")
	word := statusOf(&d.Texts, d.String(status, "response.status"), details)
	switch {
	case event == "":
		if lacksOutput(output, word, !failure.IsZero()) {
			d.Fault("output", wireio.ErrMissing)
		}
		if word == "in_progress" || word == "queued" { // a background response that was requested too early
			d.Fail(status, fmt.Errorf("%w: it is %s", wire.ErrUnfinished, word), "status")
			return dst
		}
	case word == "", word == "in_progress", word == "queued", event != "completed" && !isCut(word), event == "failed":
		word = event // the event takes precedence over the status
	}
	output = d.Array(output, "response.output")
	if d.Err() != nil {
		return dst
	}
	d.ended = true
	items := slices.Collect(output.Items())
	for index, item := range items {
		cut := index == len(items)-1 && isCut(word)
		dst = d.unseen(dst, d.Object(item, "response.output[]"), index, item, cut)
	}
	dst = d.parallel.FlushAll(d.Texts.DrainAll(dst))
	if !failure.IsZero() {
		dst = d.fail(dst, failure, rawjson.Value{}, "response.error")
	}
	if word == "completed" {
		d.checkEnded(v)
	}
	reason := d.String(details.Get("reason"), "response.incomplete_details.reason")
	for key, member := range details.Fields() {
		if string(key) != "reason" {
			dst = d.extras.Set(dst, 0, "response.incomplete_details", key, member)
		}
	}
	if word == "" && d.unopened {
		word = "incomplete"
	}
	if word == "" || d.Err() != nil {
		return dst
	}
	return append(dst, toolcall.Delta{
		Kind: toolcall.DeltaFinish, Text: word, Name: d.Texts.Name(reason), Truncated: word != "completed" || d.unopened,
	})
}

// unseen decodes an item of a response that has ended, unless it was streamed.
func (d *Decoder) unseen(dst []toolcall.Delta, v rawjson.Value, index int, raw rawjson.Value, cut bool) []toolcall.Delta {
	if v.Kind == rawjson.Absent {
		return dst
	}
	o := d.output(v, "response.output[]")
	o.cut = o.cut || cut && o.kind.isCall() && !o.status.Is("completed")
	if it := d.items.unfinished(&o, index); it != nil && o.kind != otherItem {
		dst = d.whole(dst, &o, it)
		d.end(it)
		return dst
	} else if it != nil {
		d.end(it)
	} else if d.items.streamed(&o, index) {
		d.checkRepeated(&o, "response.output[]")
		return dst
	}
	it := &item{index: index, identity: o.identity}
	if o.kind != otherItem {
		return d.whole(dst, &o, it)
	}
	event := append([]byte(`{"type":"response.output_item.done","item":`), raw.Raw...)
	return asked(wholeItem(dst, &o, rawjson.Value{Kind: rawjson.Object, Raw: append(event, '}')}), &o, index)
}

// unfinished returns the item that has begun, is not done, and is this one; or nil.
func (s *items) unfinished(o *output, index int) *item {
	if it := s.at(index); it != nil && it.kind == o.kind && (!o.kind.isCall() || it.callID == o.callID) {
		return it
	}
	return s.last(func(it *item) bool { return o.same(it.identity) })
}

// streamed reports whether an item was streamed. The ids and indices of its events may
// differ.
func (s *items) streamed(o *output, index int) bool {
	if was, ok := s.past[index]; ok && was.kind == o.kind {
		return true
	}
	if !o.kind.isCall() {
		return s.kinds[o.kind]
	}
	_, ok := s.calls[o.callID]
	it := s.at(index)
	return ok || it != nil && it.kind == o.kind
}

// errorEvent decodes an error event, or a body that is an error. Servers put an error
// into the event itself, into a member of it, or into both, as our encoder does: then the
// member counts, unless only the event has a message.
func (d *Decoder) errorEvent(dst []toolcall.Delta, root rawjson.Value, f *fields) []toolcall.Delta {
	switch {
	case !f.failure.IsSet():
		return d.fail(dst, root, rawjson.Value{}, "error")
	case !hasMessage(f.failure) && hasMessage(root):
		return d.fail(dst, root, f.failure, "error")
	}
	return d.fail(dst, f.failure, root, "error")
}

func hasMessage(v rawjson.Value) bool { return v.Get("message").Kind == rawjson.String }

// fail appends an error, unless it repeats the last one, as a failed response does,
// except for new members. The other members of the error are in v, and in another object
// next to or around it.
func (d *Decoder) fail(dst []toolcall.Delta, v, beside rawjson.Value, path string) []toolcall.Delta {
	delta := d.Texts.Error(v)
	repeats := delta.Text == d.failed
	if repeats && path == "error" {
		return dst
	}
	d.failed = delta.Text
	inner := map[string]bool{}
	if beside.IsSet() {
		for key := range v.Fields() {
			inner[string(key)] = true
		}
	}
	for at, object := range [...]rawjson.Value{beside, v} {
		for key, member := range object.Fields() {
			switch name := string(key); {
			case name == "message", name == "code", isMeaningless(key, member):
			case name == "error" && at == 0, name == "error" && beside.IsSet() && member.Kind == rawjson.Object:
			case (name == "type" || name == "status") && (member.Is("error") || member.Is(delta.Name)):
			case at == 0 && inner[name]:
			default:
				dst = unknown.Add(dst, 0, toolcall.NoIndex, path, key, member)
			}
		}
	}
	if repeats {
		return dst
	}
	return append(dst, delta)
}
