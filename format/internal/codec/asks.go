package codec

import (
	"fmt"

	"github.com/toolparse/toolparse/format/internal/extra"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// asking are the members of requests that hold what is asked, and the wires that
// have them.
var asking = [...]struct{ member, wires string }{
	{"messages", "openai, anthropic or ollama"},
	{"input", "responses"},
	{"contents", "gemini"},
}

// Asks holds a request to hold what is asked: member, or one of those that some
// clients have in its place. One that has only the member of another wire is
// likely to be that wire's, and is refused.
func (r *Reader) Asks(request payload.Value, member string, instead ...string) {
	found, other := false, ""
	for key, v := range request.Fields() {
		switch {
		case !v.IsSet():
		case string(key) == member:
			return
		case extra.IsOneOf(instead, key):
			found = true
		default:
			for _, a := range asking {
				if a.member == string(key) {
					other = fmt.Sprintf("%s belongs to %s", a.member, a.wires)
				}
			}
		}
	}
	switch {
	case other != "":
		r.Fail(request, fmt.Errorf("%w, and %s", errMissing, other), member)
	case !found:
		r.Missing(request, member)
	}
}
