package openai

import (
	"iter"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// The details of the usage, and other servers' names of its counts.
const (
	inPrompt     = inUsage + ".prompt_tokens_details"
	inCompletion = inUsage + ".completion_tokens_details"

	cachedHere    = "cached_tokens"
	cacheHits     = "prompt_cache_hit_tokens" // DeepSeek; without details, like Moonshot
	cacheWritten  = "cache_write_tokens"
	cacheCreation = "cache_creation_tokens"
	reasoningHere = "reasoning_tokens"
)

// readUsage reads usage.
func readUsage(r *wireio.Reader, v rawjson.Value) chat.Usage {
	var u chat.Usage
	most := func(n *int, in string) func([]byte, rawjson.Value) {
		return func(key []byte, v rawjson.Value) { *n = max(*n, r.Tokens(v, in, ".", string(key))) }
	}
	cached, written := most(&u.CachedInput, inPrompt), most(&u.CacheWrite, inPrompt)
	r.Each(v, inUsage, nil, "prompt_tokens", &u.Input, "completion_tokens", &u.Output, "total_tokens", &u.Total,
		cachedHere, most(&u.CachedInput, inUsage), cacheHits, most(&u.CachedInput, inUsage),
		"prompt_tokens_details", func(v rawjson.Value) {
			r.Each(r.Object(v, inPrompt), inPrompt, nil, cachedHere, cached, cacheWritten, written, cacheCreation, written)
		},
		"completion_tokens_details", func(v rawjson.Value) {
			u.Reasoning = r.Tokens(r.Object(v, inCompletion).Get(reasoningHere), inCompletion, ".", reasoningHere)
		})
	return u.WithTotal()
}

// usageRest yields the members of a usage that chat.Usage does not have, including counts
// of 0, which are unset there, and the names of the counts of the cache that are not
// OpenAI's.
func usageRest(v rawjson.Value) iter.Seq[member] {
	return func(yield func(member) bool) {
		plain := !isCount(v.Get(cachedHere)) && !isCount(v.Get(cacheHits))
		for key, v := range v.Fields() {
			ok := true
			switch name := string(key); name {
			case "prompt_tokens", "completion_tokens", "total_tokens":
			case cachedHere, cacheHits:
				ok = yield(member{inUsage, name, v, isCount(v)})
			case "prompt_tokens_details":
				ok = promptRest(v, plain, yield)
			case "completion_tokens_details":
				ok = completionRest(v, yield)
			default:
				ok = yield(member{inUsage, name, v, false})
			}
			if !ok {
				return
			}
		}
	}
}

func promptRest(v rawjson.Value, plain bool, yield func(member) bool) bool {
	for key, v := range v.Fields() {
		name, counts := string(key), isCount(v)
		switch {
		case counts && (name == cachedHere && plain || name == cacheWritten):
			continue
		case name != cachedHere && name != cacheCreation:
			counts = false
		}
		if !yield(member{inPrompt, name, v, counts}) {
			return false
		}
	}
	return true
}

func completionRest(v rawjson.Value, yield func(member) bool) bool {
	for key, v := range v.Fields() {
		if name := string(key); (name != reasoningHere || !isCount(v)) && !yield(member{inCompletion, name, v, false}) {
			return false
		}
	}
	return true
}

func isCount(v rawjson.Value) bool {
	n, ok := v.Int()
	return ok && n > 0
}

// writeUsage writes usage as an object.
func writeUsage(w *jsonout.Writer, u chat.Usage, x chat.Extras) {
	u = u.WithTotal()
	w.Object()
	w.KeyInt("prompt_tokens", int64(u.Input))
	w.KeyInt("completion_tokens", int64(u.Output))
	w.KeyInt("total_tokens", int64(u.Total))
	cached, written := u.CachedInput, cacheWritten
	for _, name := range [...]string{cachedHere, cacheHits} {
		if x.UsesName(Wire, inUsage+"."+name) {
			w.Number(name, u.CachedInput)
			if !x.UsesName(Wire, inPrompt+"."+cachedHere) {
				cached = 0
			}
		}
	}
	if x.UsesName(Wire, inPrompt+"."+cacheCreation) {
		written = cacheCreation
	}
	if cached > 0 || u.CacheWrite > 0 || unknown.Has(x, Wire, inPrompt) {
		w.KeyObject("prompt_tokens_details")
		w.Number(cachedHere, cached)
		w.Number(written, u.CacheWrite)
		unknown.Write(w, x, Wire, inPrompt)
		w.EndObject()
	}
	if u.Reasoning > 0 || unknown.Has(x, Wire, inCompletion) {
		w.KeyObject("completion_tokens_details")
		w.Number(reasoningHere, u.Reasoning)
		unknown.Write(w, x, Wire, inCompletion)
		w.EndObject()
	}
	unknown.Write(w, x, Wire, inUsage)
	w.EndObject()
}
