package chat

import "cmp"

// Usage counts tokens. Its zero value means that nothing is known.
type Usage struct {
	Input       int `json:"input,omitempty"`        // including cached input
	Output      int `json:"output,omitempty"`       // including reasoning
	CachedInput int `json:"cached_input,omitempty"` // part of Input: read from the cache
	CacheWrite  int `json:"cache_write,omitempty"`  // part of Input: written to the cache
	Reasoning   int `json:"reasoning,omitempty"`    // part of Output
	Total       int `json:"total,omitempty"`        // as the wire counts, or else Input plus Output
}

// Add returns the sum.
func (u Usage) Add(v Usage) Usage {
	if u == (Usage{}) || v == (Usage{}) {
		return cmp.Or(u, v)
	}
	return Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output, CachedInput: u.CachedInput + v.CachedInput,
		CacheWrite: u.CacheWrite + v.CacheWrite, Reasoning: u.Reasoning + v.Reasoning, Total: u.total() + v.total(),
	}
}

func (u Usage) total() int { return cmp.Or(u.Total, u.Input+u.Output) }

// Meta describes an answer. In a stream, a field is unset until the wire sends it.
type Meta struct {
	// Wire is the wire of the answer, and thereby of its signatures.
	Wire    string
	ID      string
	Model   string
	Created int64 // seconds since 1970
	Usage   Usage
}
