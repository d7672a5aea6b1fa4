package gemini

import (
	"strconv"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// Server describes generateContent over HTTP.
var Server = wire.Server{
	Base: "https://generativelanguage.googleapis.com", Path: "/v1beta/models/{model}:generateContent", Stream: "/v1beta/models/{model}:streamGenerateContent?alt=sse", Models: "/v1beta/models?pageSize=1000",
	KeyName: "GEMINI_API_KEY", Key: [2]string{"X-Goog-Api-Key", ""}, StreamType: "text/event-stream", SignsCalls: true,
	EncodeError: encodeError, EncodeModels: wireio.Body(writeModels), EncodeModel: wireio.Body(writeModel), DecodeModels: wireio.DecodeModels("google"), EncodeCount: wireio.EncodeCount("totalTokens"),
}

func encodeError(status int, e wire.Error) []byte {
	w := jsonout.Writer{}
	w.Object()
	w.KeyObject("error")
	w.KeyInt("code", int64(status))
	w.KeyString("message", e.Message)
	w.Text("status", wireio.ErrorWord(wireio.ErrorOf(status, e.Code).Gemini, e.Code))
	w.EndObject()
	w.EndObject()
	return w.Out
}

func writeModels(w *jsonout.Writer, models []wire.Model) {
	w.Object()
	wireio.WriteList(w, "models", models, writeModel)
	w.EndObject()
}

func writeModel(w *jsonout.Writer, m wire.Model) {
	w.Object()
	w.Text("name", wireio.ModelPrefix+m.ID)
	w.Text("displayName", m.DisplayName())
	if m.Context > 0 {
		w.Number("inputTokenLimit", m.Context)
	}
	w.Strings("supportedGenerationMethods", []string{"generateContent", "streamGenerateContent", "countTokens"})
	w.EndObject()
}

// failure writes an error as an object. The vendor's clients require a number other
// than 0 in it. sameWire means that the error is of this wire; the code of another provider's
// error, at field, is replaced by the status with the same meaning, which is reported.
func (w *writing) failure(e wire.Error, x chat.Extras, sameWire bool, field string) {
	kind := wireio.ErrorOf(0, e.Code)
	status, code := e.Code, kind.Status
	if n, err := strconv.Atoi(e.Code); err == nil && n > 0 && strconv.Itoa(n) == e.Code {
		code, status = n, ""
	}
	if !sameWire || e.Code == wireio.StreamError {
		if status = wireio.ErrorWord(kind.Gemini, e.Code); status != e.Code && e.Code != "" && e.Code != wireio.StreamError {
			w.Log.AddOnce(features.Failure, field, status+" stands for it")
		}
	}
	w.Object()
	if x.Get(Wire, inError, "code") == nil {
		w.KeyInt("code", int64(code))
	}
	w.KeyString("message", e.Message)
	if x.Get(Wire, inError, "status") == nil {
		w.Text("status", status)
	}
	w.EndWith(x, inError)
}
