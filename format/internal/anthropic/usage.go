package anthropic

import (
	"math"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
	"github.com/toolparse/toolparse/toolcall"
)

// counts are the tokens as the wire counts them: what was read from the cache
// or written to it is no part of the input.
type counts struct {
	input, cached, written, output, reasoning int
}

// read reads usage. What it does not tell stays, since the events of a stream
// tell it bit by bit, and repeat what they told. What no count has goes to other,
// with the object that it stands in: "", or inDetails.
func (c *counts) read(r *rawjson.Reader, v rawjson.Value, other func(in string, key []byte, v rawjson.Value)) {
	set := func(n *int, v rawjson.Value, name string) {
		if v.IsSet() {
			*n = bounded(r.Count(v, "usage.", name))
		}
	}
	for key, member := range v.Fields() {
		switch string(key) {
		case "input_tokens":
			set(&c.input, member, "input_tokens")
		case "cache_read_input_tokens":
			set(&c.cached, member, "cache_read_input_tokens")
		case "cache_creation_input_tokens":
			set(&c.written, member, "cache_creation_input_tokens")
		case "output_tokens":
			set(&c.output, member, "output_tokens")
		case "output_tokens_details":
			for key, member := range r.Object(member, "usage.output_tokens_details").Fields() {
				if string(key) == "thinking_tokens" {
					set(&c.reasoning, member, "output_tokens_details.thinking_tokens")
				} else {
					other(inDetails, key, member)
				}
			}
		default:
			other("", key, member)
		}
	}
}

// usage reads the usage at a path of a stream.
func (d *Decoder) usage(dst []toolcall.Delta, in string, v rawjson.Value) []toolcall.Delta {
	d.counts.read(&d.reader, v, func(inner string, key []byte, member rawjson.Value) {
		dst = d.extras.Set(dst, 0, in+inner, key, member)
	})
	return dst
}

// usage reads the usage of a whole answer.
func (r *reading) usage(v rawjson.Value, keep *unknown.Keeper) chat.Usage {
	var c counts
	c.read(&r.Reader.Reader, v, func(in string, key []byte, member rawjson.Value) {
		keep.KeepSet("usage"+in, key, member)
	})
	if c.reasoning == 0 && v.Get(inDetails[1:]).IsSet() && !unknown.Has(keep.Extras, Wire, "usage"+inDetails) {
		keep.Spell("usage" + inDetails)
	}
	return c.usage()
}

// bounded keeps sums of counts from overflowing.
func bounded(n int) int { return min(max(n, 0), math.MaxInt/8) }

func (c counts) usage() chat.Usage {
	return chat.Usage{
		Input: c.input + c.cached + c.written, Output: c.output,
		CachedInput: c.cached, CacheWrite: c.written, Reasoning: c.reasoning,
	}.Settle()
}

// writeUsage writes usage as an object. Like the vendor it always has the counts of
// the cache.
func writeUsage(w *jsonout.Writer, u chat.Usage, x chat.Extras) {
	w.Object()
	for _, count := range [...]struct {
		name string
		n    int
	}{
		{"input_tokens", max(u.Input-u.CachedInput-u.CacheWrite, 0)},
		{"cache_creation_input_tokens", u.CacheWrite},
		{"cache_read_input_tokens", u.CachedInput},
		{"output_tokens", u.Output},
	} {
		w.KeyInt(count.name, int64(count.n))
	}
	const details = "usage" + inDetails
	if u.Reasoning > 0 || unknown.Has(x, Wire, details) || x.Spells(Wire, details) {
		w.KeyObject("output_tokens_details")
		w.KeyInt("thinking_tokens", int64(u.Reasoning))
		unknown.Write(w, x, Wire, details)
		w.EndObject()
	}
	unknown.Write(w, x, Wire, "usage")
	w.EndObject()
}
