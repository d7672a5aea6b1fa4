package codec

import "github.com/toolparse/toolparse/format/chat"

// Located is a part with the path that names it.
type Located struct {
	chat.Part
	Field string
}

// Locate returns a message's parts with their paths.
func Locate(m chat.Message, field string) []Located {
	parts := make([]Located, len(m.Parts))
	for i, p := range m.Parts {
		parts[i] = Located{p, At(field+".parts", i)}
	}
	return parts
}

// Stray returns what a result says, as the words of a user: no server accepts
// one without its call.
func Stray(p Located) []Located {
	what := "result"
	if p.Result.IsError {
		what = "error"
	}
	said := []Located{{chat.TextPart("[" + what + " of the call " + p.Result.CallID + "]"), p.Field}}
	for i, inner := range p.Result.Parts {
		said = append(said, Located{inner, At(p.Field+".result.parts", i)})
	}
	return said
}
