package openai

import (
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// Server describes Chat Completions over HTTP. OpenAI's other API has the same errors and
// list of models.
var Server = wire.Server{
	Base: "https://api.openai.com/v1", Path: "/chat/completions", Models: "/models",
	KeyName: "OPENAI_API_KEY", Key: [2]string{"Authorization", "Bearer "}, StreamType: "text/event-stream",
	EncodeError: EncodeError, EncodeModels: wireio.Body(writeModels), EncodeModel: wireio.Body(writeModel), DecodeModels: wireio.DecodeModels(""),
}

// EncodeError writes an error as the body of an answer with an HTTP status.
func EncodeError(status int, e wire.Error) []byte {
	w := jsonout.Writer{}
	w.Object()
	w.KeyObject("error")
	w.KeyString("message", e.Message)
	w.Text("type", wireio.ErrorOf(status, "").OpenAI)
	w.KeyNull("param")
	w.KeyOrNull("code", e.Code)
	w.EndObject()
	w.EndObject()
	return w.Out
}

func writeModels(w *jsonout.Writer, models []wire.Model) {
	w.Object()
	w.Text("object", "list")
	wireio.WriteList(w, "data", models, writeModel)
	w.EndObject()
}

func writeModel(w *jsonout.Writer, m wire.Model) {
	w.Object()
	w.Text("id", m.ID)
	w.Text("object", "model")
	w.KeyInt("created", m.Created)
	w.KeyString("owned_by", m.Owner)
	if m.Context > 0 {
		w.Number("context_length", m.Context)
	}
	w.EndObject()
}
