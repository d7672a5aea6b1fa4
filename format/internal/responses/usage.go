package responses

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
)

// Where the details of a usage stand.
const (
	inputDetails  = "usage.input_tokens_details"
	outputDetails = "usage.output_tokens_details"
)

// keepFunc takes a member that stands in in, of a response.
type keepFunc func(in string, key []byte, v rawjson.Value)

// readUsage reads a usage at a path.
func readUsage(r *rawjson.Reader, v rawjson.Value, path string, keep keepFunc) chat.Usage {
	var u chat.Usage
	for key, member := range v.Fields() {
		switch string(key) {
		case "input_tokens":
			u.Input = r.Count(member, path, ".input_tokens")
		case "output_tokens":
			u.Output = r.Count(member, path, ".output_tokens")
		case "total_tokens":
			u.Total = r.Count(member, path, ".total_tokens")
		case "input_tokens_details":
			for key, member := range r.Object(member, path, ".input_tokens_details").Fields() {
				switch string(key) {
				case "cached_tokens":
					u.CachedInput = r.Count(member, path, ".input_tokens_details.cached_tokens")
				case "cache_write_tokens":
					u.CacheWrite = r.Count(member, path, ".input_tokens_details.cache_write_tokens")
				default:
					keep(inputDetails, key, member)
				}
			}
		case "output_tokens_details":
			for key, member := range r.Object(member, path, ".output_tokens_details").Fields() {
				if string(key) == "reasoning_tokens" {
					u.Reasoning = r.Count(member, path, ".output_tokens_details.reasoning_tokens")
				} else {
					keep(outputDetails, key, member)
				}
			}
		default:
			keep("usage", key, member)
		}
	}
	return u.Settle()
}

// writeUsage writes usage as an object. Clients want all of its counts.
func writeUsage(w *jsonout.Writer, u chat.Usage, x chat.Extras) {
	u = u.Settle()
	number := func(name string, n int) {
		w.KeyInt(name, int64(n))
	}
	w.Object()
	number("input_tokens", u.Input)
	w.KeyObject("input_tokens_details")
	number("cached_tokens", u.CachedInput)
	number("cache_write_tokens", u.CacheWrite)
	unknown.Write(w, x, Wire, inputDetails)
	w.EndObject()
	number("output_tokens", u.Output)
	w.KeyObject("output_tokens_details")
	number("reasoning_tokens", u.Reasoning)
	unknown.Write(w, x, Wire, outputDetails)
	w.EndObject()
	number("total_tokens", u.Total)
	unknown.Write(w, x, Wire, "usage")
	w.EndObject()
}
