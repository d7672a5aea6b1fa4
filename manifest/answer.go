package manifest

import (
	"encoding/json"
	"strings"
)

// AnswerWords returns sentences for a system prompt that ask for an answer of one JSON value,
// which must fit the schema unless that is nil. They replace the response format of a
// provider. calls means that answers may also be calls.
func AnswerWords(schema json.RawMessage, calls bool) string {
	var b strings.Builder
	if calls {
		b.WriteString("When you call no tool, answer")
	} else {
		b.WriteString("Answer")
	}
	b.WriteString(" with one JSON value and nothing else: no words before or after it, and no code fence around it.")
	if len(schema) > 0 {
		b.WriteString(" It must fit this JSON Schema:\n")
		b.Write(schema)
	}
	return b.String()
}
