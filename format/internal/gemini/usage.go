package gemini

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/unknown"
)

const (
	inUsage = "usageMetadata"
	toolUse = "toolUsePromptTokenCount"
)

// counted are the members of usageMetadata that a chat.Usage holds in full.
var counted = [...]string{"promptTokenCount", "cachedContentTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount"}

// readUsage reads usageMetadata, and tells whether it has members beside those
// that are counted. What the provider's own tools read is input; thoughts are
// not among the candidates' tokens here.
func readUsage(r *rawjson.Reader, v rawjson.Value) (u chat.Usage, others bool) {
	for key, member := range members(v) {
		var into *int
		var thoughts int
		var name string // not the key, which would have to be copied
		switch string(key) {
		case counted[0]:
			name, into = counted[0], &u.Input
		case counted[1]:
			name, into = counted[1], &u.CachedInput
		case counted[2]:
			name, into = counted[2], &u.Output
		case counted[3]:
			name, into = counted[3], &thoughts
		case counted[4]:
			name, into = counted[4], &u.Total
		case toolUse:
			name, into, others = toolUse, &u.Input, true
		default:
			others = true
			continue
		}
		*into += r.Count(member, inUsage, ".", name)
		u.Reasoning += thoughts
		u.Output += thoughts
	}
	return u.Settle(), others
}

// writeUsage writes usage as an object.
func writeUsage(w *jsonout.Writer, u chat.Usage, x chat.Extras) {
	input := u.Input
	if raw := x.Get(Wire, inUsage, toolUse); raw != nil {
		if v, err := rawjson.Parse(string(raw)); err == nil {
			n, _ := v.Int()
			input -= n
		}
	}
	w.Object()
	w.Number("promptTokenCount", max(input, 0))
	w.Number("cachedContentTokenCount", u.CachedInput)
	w.Number("candidatesTokenCount", max(u.Output-u.Reasoning, 0))
	w.Number("thoughtsTokenCount", u.Reasoning)
	w.Number("totalTokenCount", u.Settle().Total)
	unknown.Write(w, x, Wire, inUsage)
	w.EndObject()
}
