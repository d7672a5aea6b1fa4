package ollama

import "strings"

// The members of a line that deltas tell. All others are extras, but for those
// that mean nothing: the role, as an answer is the model's; the time of a line,
// beyond the seconds of the first; "type":"function" of a call; null.
const (
	fieldModel   = "model"
	fieldCreated = "created_at"
	fieldMessage = "message"
	fieldDone    = "done"
	fieldReason  = "done_reason"
	fieldInput   = "prompt_eval_count"
	fieldOutput  = "eval_count"
	fieldError   = "error"

	fieldRole     = "role"
	fieldContent  = "content"
	fieldThinking = "thinking"
	fieldCalls    = "tool_calls"

	fieldID        = "id"
	fieldType      = "type"
	fieldIndex     = "index"
	fieldName      = "name"
	fieldArguments = "arguments"
)

// inFunction is where a tool and a call say what they are.
const inFunction = "function"

// The objects of a line, as the paths of extras begin.
const (
	inLine         = ""
	inMessage      = fieldMessage
	inCall         = inMessage + "." + fieldCalls + "[]"
	inCallFunction = inCall + "." + inFunction
)

// splitPath returns the object that an extra belongs to, and its name there.
// fresh is whether it may be written: members that deltas tell are not extras,
// whatever a path says.
func splitPath(path string) (in, name string, fresh bool) {
	for _, in := range [...]string{inCallFunction, inCall, inMessage, fieldError} {
		if name, ok := strings.CutPrefix(path, in+"."); ok {
			return in, name, !isTold(in, name)
		}
	}
	return inLine, path, !isTold(inLine, path)
}

// isTold reports whether deltas tell a member of a line's object.
func isTold(in, name string) bool {
	switch in {
	case inLine:
		switch name {
		case fieldModel, fieldCreated, fieldMessage, fieldDone, fieldReason, fieldInput, fieldOutput, fieldError:
			return true
		}
	case inMessage:
		switch name {
		case fieldRole, fieldContent, fieldThinking, fieldCalls:
			return true
		}
	case inCall:
		return name == fieldID || name == inFunction
	case inCallFunction:
		return name == fieldIndex || name == fieldName || name == fieldArguments
	}
	return false
}
