package wireio

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
)

// ModelPrefix is the beginning of the names of Google's models.
const ModelPrefix = "models/"

// listedModel is an entry in a list of models, with the members of various servers.
type listedModel struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Model     string    `json:"model"`
	Title     string    `json:"displayName"`
	Shown     string    `json:"display_name"`
	Owner     string    `json:"owned_by"`
	Created   int64     `json:"created"`
	CreatedAt time.Time `json:"created_at"`
	Modified  time.Time `json:"modified_at"`
	Context   int       `json:"context_length"` // OpenRouter
	Max       int       `json:"max_model_len"`  // vLLM
	Limit     int       `json:"inputTokenLimit"`
}

// DecodeModels returns a decoder for the lists of models of a wire. Models without an
// owner get this one.
func DecodeModels(owner string) func(body []byte) ([]wire.Model, error) {
	return func(body []byte) ([]wire.Model, error) {
		var list struct {
			Data   []listedModel `json:"data"`
			Models []listedModel `json:"models"`
		}
		err := json.Unmarshal(body, &list)
		var models []wire.Model
		for _, m := range append(list.Data, list.Models...) {
			created := m.Created
			for _, t := range [...]time.Time{m.CreatedAt, m.Modified} {
				if !t.IsZero() {
					created = t.Unix()
				}
			}
			models = append(models, wire.Model{
				ID: cmp.Or(m.ID, m.Model, strings.TrimPrefix(m.Name, ModelPrefix)), Name: cmp.Or(m.Title, m.Shown),
				Owner: cmp.Or(m.Owner, owner), Created: created, Context: max(m.Context, m.Max, m.Limit),
			})
		}
		return models, err
	}
}

// EncodeCount returns an encoder for the number of tokens of a prompt, as this member.
func EncodeCount(member string) func(tokens int) []byte {
	return Body(func(w *jsonout.Writer, tokens int) {
		w.Object()
		w.KeyInt(member, int64(tokens))
		w.EndObject()
	})
}

// Body returns a function that writes a value as a whole body.
func Body[T any](write func(w *jsonout.Writer, v T)) func(T) []byte {
	return func(v T) []byte {
		var w jsonout.Writer
		write(&w, v)
		return w.Out
	}
}

// WriteList writes a member that is a list, with write for each element.
func WriteList[T any](w *jsonout.Writer, member string, list []T, write func(w *jsonout.Writer, element T)) {
	w.KeyArray(member)
	for _, element := range list {
		write(w, element)
	}
	w.EndArray()
}
