package gateway

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
)

// models answers with the list of models.
func (s *Server) models(f *front, w http.ResponseWriter, r *http.Request) {
	list, err := s.current.Load().models(r.Context(), keyOf(r))
	if err != nil {
		tell(w, r, f, err)
		return
	}
	sendJSON(w, http.StatusOK, f.server.EncodeModels(list))
}

// model answers with one model.
func (s *Server) model(f *front, w http.ResponseWriter, r *http.Request) {
	m, err := s.current.Load().model(r.Context(), keyOf(r), r.PathValue("id"))
	switch {
	case err != nil:
		tell(w, r, f, err)
	case f.server.EncodeModel == nil:
		s.notFound(w, r)
	default:
		sendJSON(w, http.StatusOK, f.server.EncodeModel(m))
	}
}

// sharedModels handles the path that three fronts share for their list. Codex, which is
// recognised by its version parameter, expects a list of another kind, with prompts and
// much else that only its vendor knows; with an empty list it uses its own.
func (s *Server) sharedModels(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("client_version") {
		sendJSON(w, http.StatusOK, []byte(`{"models":[]}`))
		return
	}
	s.models(frontOf(r), w, r)
}

// noModel is the failure for a model that does not exist.
func noModel(name string) *failure {
	if name == "" {
		return refused(http.StatusBadRequest, "the request names no model")
	}
	return &failure{status: http.StatusNotFound, code: "model_not_found", message: fmt.Sprintf("there is no model %q here; /v1/models lists the models", name)}
}

// ollamaVersion is the version whose API the server implements.
const ollamaVersion = "0.32.0"

func version(_ *Server, _ *front, w http.ResponseWriter, _ *http.Request) {
	sendJSON(w, http.StatusOK, []byte(`{"version":"`+ollamaVersion+`"}`))
}

func running(_ *Server, _ *front, w http.ResponseWriter, _ *http.Request) {
	fmt.Fprint(w, "Ollama is running") // clients look for this text
}

// describeModel describes a model to clients that check its capabilities before they send
// tools.
func (u *setup) describeModel(f *front, body []byte, w http.ResponseWriter) {
	var asked struct{ Model, Name string }
	if err := json.Unmarshal(body, &asked); err != nil {
		refused(http.StatusBadRequest, "the request is not a JSON object with a model").send(w, f)
		return
	}
	if name := cmp.Or(asked.Model, asked.Name); u.target(name) == nil {
		noModel(name).send(w, f)
		return
	}
	sendJSON(w, http.StatusOK, []byte(`{"capabilities":["completion","tools","thinking"],"details":{},"model_info":{}}`))
}

// unwrapped returns the request inside a request to count tokens in Gemini's wire.
func unwrapped(body []byte) []byte {
	var outer struct {
		Request json.RawMessage `json:"generateContentRequest"`
	}
	if json.Unmarshal(body, &outer) == nil && outer.Request != nil {
		return outer.Request
	}
	return body
}
