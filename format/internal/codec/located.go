package codec

import (
	"github.com/toolparse/toolparse/format/chat"
)

// Located is a part with the path that names it.
type Located struct {
	chat.Part
	Field string
}

// Locate returns parts of what stands at a field, with their paths. What an image
// has of another wire is this one's where it has the same.
func (w *Writer) Locate(parts []chat.Part, field string) []Located {
	located := make([]Located, len(parts))
	for i, p := range parts {
		if p.Kind == chat.PartImage {
			p.Extras = w.Log.AdoptImage(p.Extras)
		}
		located[i] = Located{p, At(field+".parts", i)}
	}
	return located
}

// Stray returns what a result says, as the words of a user: no server accepts
// one without its call.
func (w *Writer) Stray(p Located) []Located {
	what := "result"
	if p.Result.IsError {
		what = "error"
	}
	said := []Located{{chat.TextPart("[" + what + " of the call " + p.Result.CallID + "]"), p.Field}}
	return append(said, w.Locate(p.Result.Parts, p.Field+".result")...)
}
