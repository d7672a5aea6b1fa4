package ollama

import (
	"time"

	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// Server describes Ollama's chat over HTTP. A local server needs no key; the vendor's
// requires a bearer token.
var Server = wire.Server{
	Base: "http://127.0.0.1:11434", Path: "/api/chat", Models: "/api/tags", Key: [2]string{"Authorization", "Bearer "}, StreamType: "application/x-ndjson",
	EncodeError: encodeError, EncodeModels: encodeModels, DecodeModels: wireio.DecodeModels("library"),
}

func encodeError(_ int, e wire.Error) []byte {
	w := jsonout.Writer{}
	w.Object()
	w.Text("error", errorText(e))
	w.EndObject()
	return w.Out
}

func encodeModels(models []wire.Model) []byte {
	w := jsonout.Writer{}
	w.Object()
	w.KeyArray("models")
	for _, m := range models {
		w.Object()
		w.Text("name", m.ID)
		w.Text("model", m.ID)
		w.Text("modified_at", time.Unix(m.Created, 0).UTC().Format(time.RFC3339))
		w.KeyInt("size", 0)
		w.KeyString("digest", "")
		w.KeyObject("details")
		w.EndObject()
		w.EndObject()
	}
	w.EndArray()
	w.EndObject()
	return w.Out
}
