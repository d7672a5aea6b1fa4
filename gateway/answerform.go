package gateway

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/internal/schema"
	"github.com/toolparse/toolparse/internal/wire/features"
)

// answerForm is the required format of an answer's text: JSON that fits a schema.
type answerForm struct {
	schema *schema.Schema // nil means any JSON
}

// formAnswer handles the format that a request requires for the answer. It instructs the
// model, and also sets the upstream's own option if the answer can only be text: that
// option applies to everything that a model writes, and would leave no room for calls.
func (p *prepared) formAnswer(r *chat.Request) error {
	want, rest := features.TakeAnswer(r.Extras)
	alone := !mayCall(r) && len(p.target.Dialect.Channels.Open) == 0
	switch {
	case want.Unknown != "" && !alone:
		return refused(http.StatusBadRequest, fmt.Sprintf("%s: the model of this server writes its calls as text, and its answer can only be required to be text or JSON", want.Unknown))
	case !want.JSON:
		return nil
	}
	form := new(answerForm)
	if want.Schema != nil {
		s, err := schema.Compile(want.Schema)
		if err != nil {
			return refused(http.StatusBadRequest, "the schema of the answer: "+err.Error())
		}
		form.schema = s
	}
	if !alone {
		r.Extras = rest
	}
	if mustCall(r) {
		return nil // the answer will be calls
	}
	p.form = form
	r.Messages = instructed(r.Messages, manifest.AnswerWords(want.Schema, mayCall(r)))
	return nil
}

// instructed returns messages with words added to the system message.
func instructed(messages []chat.Message, words string) []chat.Message {
	at := slices.IndexFunc(messages, func(m chat.Message) bool { return m.Role == chat.System || m.Role == chat.Developer })
	if at < 0 {
		return append([]chat.Message{{Role: chat.System, Parts: []chat.Part{chat.TextPart(words)}}}, messages...)
	}
	out := slices.Clone(messages)
	out[at].Parts = append(slices.Clone(out[at].Parts), chat.TextPart("\n\n"+words))
	return out
}
