package anthropic

import (
	"time"

	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// Server describes Messages over HTTP.
var Server = wire.Server{
	Base: "https://api.anthropic.com", Path: "/v1/messages", Models: "/v1/models?limit=1000",
	KeyName: "ANTHROPIC_API_KEY", Key: [2]string{"X-Api-Key", ""}, Headers: map[string]string{"Anthropic-Version": "2023-06-01"},
	StreamType: "text/event-stream", EncodeError: encodeError, EncodeModels: wireio.Body(writeModels), EncodeModel: wireio.Body(writeModel), DecodeModels: wireio.DecodeModels(Wire), EncodeCount: wireio.EncodeCount("input_tokens"),
}

func encodeError(status int, e wire.Error) []byte {
	w := jsonout.Writer{}
	w.Object()
	w.Text("type", "error")
	w.KeyObject("error")
	w.Text("type", wireio.ErrorWord(wireio.ErrorOf(status, e.Code).Anthropic, e.Code))
	w.KeyString("message", e.Message)
	w.EndObject()
	w.EndObject()
	return w.Out
}

func writeModels(w *jsonout.Writer, models []wire.Model) {
	w.Object()
	wireio.WriteList(w, "data", models, writeModel)
	w.KeyBool("has_more", false)
	var first, last wire.Model
	if n := len(models); n > 0 {
		first, last = models[0], models[n-1]
	}
	w.KeyOrNull("first_id", first.ID)
	w.KeyOrNull("last_id", last.ID)
	w.EndObject()
}

func writeModel(w *jsonout.Writer, m wire.Model) {
	w.Object()
	w.Text("type", "model")
	w.Text("id", m.ID)
	w.Text("display_name", m.DisplayName())
	w.Text("created_at", time.Unix(m.Created, 0).UTC().Format(time.RFC3339))
	w.EndObject()
}
