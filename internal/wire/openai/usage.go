package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/wireio"
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

	// answerHere counts all output tokens. As a spelling it is the count of xAI and of
	// Vercel's gateway to Gemini, which leaves out the reasoning. Vercel's total does, too.
	answerHere = "completion_tokens"
	totalHere  = "total_tokens"
)

// readUsage reads usage. It passes to other the members that chat.Usage does not have,
// including counts of 0, which are unset there, and the names of the counts of the cache
// that are not OpenAI's.
func readUsage(r *wireio.Reader, v rawjson.Value, other keepFunc) chat.Usage {
	var u chat.Usage
	count := func(n *int, in string, key []byte, v rawjson.Value, isOther bool) {
		*n = max(*n, r.Tokens(v, in, ".", string(key)))
		switch {
		case !isCount(v):
			other(in, key, v)
		case isOther:
			other(in, key, nameOnly)
		}
	}
	for key, m := range v.Fields() {
		switch string(key) {
		case "prompt_tokens":
			u.Input = r.Tokens(m, inUsage, ".prompt_tokens")
		case answerHere:
			u.Output = r.Tokens(m, inUsage, "."+answerHere)
		case totalHere:
			u.Total = r.Tokens(m, inUsage, "."+totalHere)
		case cachedHere, cacheHits:
			count(&u.CachedInput, inUsage, key, m, true)
		case "prompt_tokens_details":
			beside := isCount(v.Get(cachedHere)) || isCount(v.Get(cacheHits))
			for key, m := range r.Object(m, inPrompt).Fields() {
				switch string(key) {
				case cachedHere:
					count(&u.CachedInput, inPrompt, key, m, beside)
				case cacheWritten:
					count(&u.CacheWrite, inPrompt, key, m, false)
				case cacheCreation:
					count(&u.CacheWrite, inPrompt, key, m, true)
				default:
					other(inPrompt, key, m)
				}
			}
		case "completion_tokens_details":
			for key, m := range r.Object(m, inCompletion).Fields() {
				if string(key) == reasoningHere {
					count(&u.Reasoning, inCompletion, key, m, false)
				} else {
					other(inCompletion, key, m)
				}
			}
		default:
			other(inUsage, key, m)
		}
	}
	if u.Reasoning > u.Output || u.Reasoning > 0 && u.Total == u.Input+u.Output+u.Reasoning {
		u.Output += u.Reasoning
		other(inUsage, []byte(answerHere), nameOnly)
		if 0 < u.Total && u.Total < u.Input+u.Output {
			u.Total = 0
			other(inUsage, []byte(totalHere), nameOnly)
		}
	}
	return wire.WithTotal(u)
}

func isCount(v rawjson.Value) bool {
	n, ok := v.Int()
	return ok && n > 0
}

// usage writes usage as an object.
func (w *writing) usage(u chat.Usage, x chat.Extras) {
	u = wire.WithTotal(u)
	w.Object()
	w.KeyInt("prompt_tokens", int64(u.Input))
	output, total := u.Output, u.Total
	if wire.UsesName(x, Wire, inUsage+"."+answerHere) {
		output = max(0, output-u.Reasoning)
	}
	if wire.UsesName(x, Wire, inUsage+"."+totalHere) {
		total = max(0, total-u.Reasoning)
	}
	w.KeyInt(answerHere, int64(output))
	w.KeyInt(totalHere, int64(total))
	cached, written := u.CachedInput, cacheWritten
	for _, name := range [...]string{cachedHere, cacheHits} {
		if wire.UsesName(x, Wire, inUsage+"."+name) {
			w.Number(name, u.CachedInput)
			if !wire.UsesName(x, Wire, inPrompt+"."+cachedHere) {
				cached = 0
			}
		}
	}
	if wire.UsesName(x, Wire, inPrompt+"."+cacheCreation) {
		written = cacheCreation
	}
	if cached > 0 || u.CacheWrite > 0 || w.HasExtras(x, inPrompt) {
		w.KeyObject("prompt_tokens_details")
		w.Number(cachedHere, cached)
		w.Number(written, u.CacheWrite)
		w.EndWith(x, inPrompt)
	}
	if u.Reasoning > 0 || w.HasExtras(x, inCompletion) {
		w.KeyObject("completion_tokens_details")
		w.Number(reasoningHere, u.Reasoning)
		w.EndWith(x, inCompletion)
	}
	w.EndWith(x, inUsage)
}
