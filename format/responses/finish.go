package responses

import (
	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// finish decodes a response that is over: a whole body, or what the last event
// of a stream repeats. Its output counts only where no item was streamed.
func (d *Decoder) finish(dst []toolparse.Delta, v payload.Value) []toolparse.Delta {
	var status, output, failure, details payload.Value
	for key, member := range v.Fields() {
		switch string(key) {
		case "status":
			status = member
		case "output":
			output = member
		case "error":
			failure = member
		case "incomplete_details":
			details = member
		}
	}
	text := d.texts.Name(d.reader.String(status, "status"))
	if text == "in_progress" || text == "queued" { // a background response that was asked for too early
		return dst
	}
	d.ended = true
	dst = d.texts.DrainAll(dst)
	if !d.streamed {
		index := 0
		for item := range d.reader.Array(output, "output").Items() {
			dst = d.whole(dst, d.reader.Object(item, "output[]"), nil, index)
			index++
		}
	}
	dst = d.parallel.FlushAll(dst)
	if failure.IsSet() {
		dst = d.fail(dst, failure)
	}
	if text == "" {
		return dst
	}
	reason := d.reader.Object(details, "incomplete_details").Get("reason")
	return append(dst, toolparse.Delta{
		Kind: toolparse.DeltaFinish, Text: text, Name: d.texts.Name(reason), Truncated: text != "completed",
	})
}

// fail appends an error, unless it repeats the last one: a failed response
// tells again what an error event told before.
func (d *Decoder) fail(dst []toolparse.Delta, v payload.Value) []toolparse.Delta {
	delta := d.texts.Error(v)
	if delta.Text == d.failed {
		return dst
	}
	d.failed = delta.Text
	return append(dst, delta)
}
