package gemini

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// Server is how generateContent is spoken over HTTP.
var Server = chat.Server{
	Path: "/v1beta/models/{model}:generateContent", Stream: "/v1beta/models/{model}:streamGenerateContent?alt=sse", Models: "/v1beta/models?pageSize=1000",
	Key: [2]string{"X-Goog-Api-Key", ""}, StreamType: "text/event-stream",
	EncodeError: encodeError, EncodeModels: encodeModels, DecodeModels: wireio.DecodeModels("google"), EncodeCount: wireio.EncodeCount("totalTokens"),
}

func encodeError(status int, e chat.Error) []byte {
	w := jsonout.Writer{}
	w.Object()
	w.KeyObject("error")
	w.KeyInt("code", int64(status))
	w.KeyString("message", e.Message)
	w.Text("status", wireio.Word(wireio.ErrorOf(status, e.Code).Gemini, e.Code))
	w.EndObject()
	w.EndObject()
	return w.Out
}

func encodeModels(models []chat.Model) []byte {
	w := jsonout.Writer{}
	w.Object()
	w.KeyArray("models")
	for _, m := range models {
		w.Object()
		w.Text("name", wireio.ModelPrefix+m.ID)
		w.Text("displayName", m.Title())
		if m.Context > 0 {
			w.Number("inputTokenLimit", m.Context)
		}
		w.Strings("supportedGenerationMethods", []string{"generateContent", "streamGenerateContent", "countTokens"})
		w.EndObject()
	}
	w.EndArray()
	w.EndObject()
	return w.Out
}
