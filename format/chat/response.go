package chat

import "cmp"

// Response is a whole answer.
type Response struct {
	Meta
	Choices []Choice // by their place; most answers have one
	Error   *Error   // in place of choices, or after those that came

	// Faults are members, and elements of lists, that were of a wrong type and left out.
	Faults []Loss

	Extras Extras
}

// Choice is one of the answers that were asked for.
type Choice struct {
	Message Message
	Finish  Finish

	Extras Extras
}

// Error is what a provider says when it fails.
type Error struct {
	Code    string // or type
	Message string
}

// Meta is what an answer tells beside its content. In a stream it comes bit by
// bit: a field is unset until the wire sends it.
type Meta struct {
	// Wire is whose answer it is, which tells whom signatures are from.
	Wire    string
	ID      string
	Model   string
	Created int64 // seconds since 1970
	Usage   Usage
}

// Usage counts tokens; its zero value says that nothing is known.
type Usage struct {
	Input       int `json:"input,omitempty"`        // all of the input: also what was cached
	Output      int `json:"output,omitempty"`       // all of the output: also reasoning
	CachedInput int `json:"cached_input,omitempty"` // of Input: read from the cache
	CacheWrite  int `json:"cache_write,omitempty"`  // of Input: written to the cache
	Reasoning   int `json:"reasoning,omitempty"`    // of Output
	Total       int `json:"total,omitempty"`        // as the wire counts; Input and Output where it does not
}

// Add returns the usage of both.
func (u Usage) Add(v Usage) Usage {
	if u == (Usage{}) || v == (Usage{}) {
		return cmp.Or(u, v)
	}
	u, v = u.WithTotal(), v.WithTotal()
	return Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output, CachedInput: u.CachedInput + v.CachedInput,
		CacheWrite: u.CacheWrite + v.CacheWrite, Reasoning: u.Reasoning + v.Reasoning, Total: u.Total + v.Total,
	}
}

// WithTotal fills in a missing total.
func (u Usage) WithTotal() Usage {
	if u.Total == 0 {
		u.Total = u.Input + u.Output
	}
	return u
}
