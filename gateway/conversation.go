package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway/internal/store"
	"github.com/toolparse/toolparse/internal/wire"
)

// Members of a Responses request that refer to a state.
const (
	memberPrevious     = "previous_response_id"
	memberConversation = "conversation"
	memberStore        = "store"
	memberBackground   = "background"
)

// unsupported is the code for requests that this server does not support.
const unsupported = "unsupported_parameter"

// storing is what to store about an answer.
type storing struct {
	turn         store.Turn
	conversation string
	wanted       bool   // the client says so; OpenAI's API keeps all that does not say otherwise
	release      func() // lets other requests continue the conversation; may be nil
}

// done ends the request. It may be called again.
func (k *storing) done() {
	if k != nil && k.release != nil {
		k.release()
	}
}

// recall adds the stored conversation to a request that continues one, and returns what
// to store about the answer. Without a store it rejects such requests: an answer without
// the conversation would be worse than an error.
func (t *target) recall(f *front, request *chat.Request) (*storing, error) {
	if !f.keeps || f.wire == t.Wire && t.Dialect == nil {
		return nil, nil // the upstream may store it
	}
	asked, rest := stateAsked(f, request.Extras)
	s := t.setup.store
	if err := asked.refusal(s != nil); err != nil || s == nil {
		return nil, err
	}
	k := &storing{wanted: string(asked[memberStore]) == "true"}
	err := k.follow(s, asked)
	if err == nil {
		err = k.addHistory(s, f, request)
	}
	if err != nil {
		k.done()
		return nil, err
	}
	k.wanted = k.wanted || k.turn.Previous != "" || k.conversation != ""
	request.Extras = rest
	if string(asked[memberStore]) == "false" && k.conversation == "" {
		return nil, nil
	}
	return k, nil
}

// state has the members of a request that refer to a state, by name.
type state map[string]json.RawMessage

// stateAsked separates the members that refer to a state from the rest.
func stateAsked(f *front, extras chat.Extras) (asked state, rest chat.Extras) {
	asked = state{}
	for _, x := range extras {
		switch x.Name {
		case memberPrevious, memberConversation, memberStore, memberBackground:
			if x.Wire == string(f.wire) && x.In == "" {
				asked[x.Name] = x.Value
				continue
			}
		}
		rest = append(rest, x)
	}
	return asked, rest
}

// refusal returns the error about the first member that this server does not support, or nil.
func (asked state) refusal(stores bool) error {
	for _, name := range []string{memberBackground, memberPrevious, memberConversation, memberStore} {
		value := string(asked[name])
		if value == "" || value == "null" || value == "false" {
			continue
		}
		refusal := &failure{status: http.StatusBadRequest, code: unsupported}
		switch {
		case name == memberBackground:
			refusal.message = name + " is not supported: this server answers a request while it is open; leave it out, and stream"
			return refusal
		case !stores:
			refusal.message = name + " is not supported: this server keeps no conversations; send the whole history as input"
			return refusal
		}
	}
	return nil
}

// addHistory puts the stored messages before those of the request.
func (k *storing) addHistory(s *store.Store, f *front, request *chat.Request) error {
	var history []chat.Message
	if k.turn.Previous != "" {
		var err error
		if history, err = s.History(k.turn.Previous); err != nil {
			return notKept(memberPrevious, k.turn.Previous, err)
		}
	}
	sent := request.Messages
	begin := 0
	if len(sent) > 0 && wire.UsesName(sent[0].Extras, string(f.wire), "instructions") {
		begin = 1 // instructions apply to one answer only
	}
	k.turn.Input = sent[begin:]
	request.Messages = slices.Concat(sent[:begin], history, sent[begin:])
	return nil
}

// follow reads which turn the request continues, and which conversation. It holds the
// conversation.
func (k *storing) follow(s *store.Store, asked state) error {
	if value := asked[memberPrevious]; len(value) > 0 && string(value) != "null" {
		if err := json.Unmarshal(value, &k.turn.Previous); err != nil || k.turn.Previous == "" {
			return refused(http.StatusBadRequest, memberPrevious+": expected the id of a response")
		}
	}
	value := asked[memberConversation]
	if len(value) == 0 || string(value) == "null" {
		return nil
	}
	var object struct{ ID string }
	if json.Unmarshal(value, &k.conversation) != nil && json.Unmarshal(value, &object) == nil {
		k.conversation = object.ID
	}
	switch {
	case k.conversation == "":
		return refused(http.StatusBadRequest, memberConversation+": expected an id")
	case k.turn.Previous != "":
		return refused(http.StatusBadRequest, memberPrevious+" and "+memberConversation+" exclude each other")
	}
	var err error
	if k.release, err = s.Hold(k.conversation); err != nil {
		return notKept(memberConversation, k.conversation, err)
	}
	c, err := s.Conversation(k.conversation)
	if err != nil {
		return notKept(memberConversation, k.conversation, err)
	}
	k.turn.Previous = c.Last
	return nil
}

// conversationLocked is OpenAI's code for a conversation that another request continues.
// Its clients repeat a request after status 409.
const conversationLocked = "conversation_locked"

// notKept is the failure for something that is not in the store, or is in use.
func notKept(what, id string, err error) error {
	if errors.Is(err, store.ErrBusy) {
		return &failure{status: http.StatusConflict, code: conversationLocked, retryAfter: "1", message: fmt.Sprintf("%s: %q is in use: %v; send this request again when that one is answered", what, id, err)}
	}
	if errors.Is(err, store.ErrNotFound) {
		return &failure{status: http.StatusNotFound, code: what + "_not_found", message: fmt.Sprintf("%s: %q is %v", what, id, err)}
	}
	return notStored(err)
}

// notStored is the failure of a store.
func notStored(err error) error {
	if errors.Is(err, store.ErrTooLarge) {
		return refused(http.StatusRequestEntityTooLarge, err.Error()+"; begin a new one, or see --store-bytes")
	}
	return refused(http.StatusInternalServerError, "the store of conversations: "+err.Error())
}

// keep stores an answer, if it is kept, before its client gets the end of it, because the
// client may then continue.
func (p *prepared) keep(id string, body []byte, a *toolparse.Answer) error {
	if p.kept == nil {
		return nil
	}
	turn := p.kept.turn
	turn.ID, turn.Body = id, body
	message := a.Message
	for i := range message.Parts {
		if call := message.Parts[i].Call; call != nil {
			renamed := *call
			renamed.Name, renamed.Native, renamed.Custom = p.names.Tool(call.Name)
			message.Parts[i].Call = &renamed
		}
	}
	turn.Output = &message
	err := p.target.setup.store.Put(turn, p.kept.conversation)
	p.kept.done() // before the client gets the end, because it may continue at once
	switch {
	case err == nil:
	case errors.Is(err, store.ErrTooLarge) && !p.kept.wanted: // the answer is worth more than its place in the store
	default:
		return notStored(err)
	}
	return nil
}

// storeAnswer answers a request about the stored object with this id.
type storeAnswer func(st *store.Store, id string, body []byte) ([]byte, error)

// storeRoutes registers the paths for stored objects.
func (s *Server) storeRoutes(mux *http.ServeMux) {
	handle := func(path, kind string, answer storeAnswer) {
		mux.Handle(path, s.guarded(keepingFront(), func(w http.ResponseWriter, r *http.Request) {
			s.answerFromStore(w, r, kind, answer)
		}))
	}
	handle("GET /v1/responses/{id}", "response", func(st *store.Store, id string, _ []byte) ([]byte, error) {
		turn, err := st.Turn(id)
		if err == nil && turn.Body == nil {
			err = store.ErrNotFound
		}
		return turn.Body, err
	})
	handle("DELETE /v1/responses/{id}", "response", func(st *store.Store, id string, _ []byte) ([]byte, error) {
		return deleted("response", id, st.Delete(id))
	})
	handle("POST /v1/conversations", "conversation", newConversation)
	handle("GET /v1/conversations/{id}", "conversation", func(st *store.Store, id string, _ []byte) ([]byte, error) {
		c, err := st.Conversation(id)
		return conversationBody(c, err)
	})
	handle("DELETE /v1/conversations/{id}", "conversation", func(st *store.Store, id string, _ []byte) ([]byte, error) {
		return deleted("conversation.deleted", id, st.DeleteConversation(id))
	})
}

// answerFromStore answers a request about a stored object of a kind.
func (s *Server) answerFromStore(w http.ResponseWriter, r *http.Request, kind string, answer storeAnswer) {
	f, u := keepingFront(), s.current.Load()
	if u.store == nil {
		tell(w, r, f, refused(http.StatusNotFound, "this server keeps no conversations; see --store"))
		return
	}
	body, err := u.readBody(w, r)
	if err == nil {
		body, err = answer(u.store, r.PathValue("id"), body)
	}
	if _, final := errors.AsType[*failure](err); err != nil && !final {
		err = notKept(kind, r.PathValue("id"), err)
	}
	if err != nil {
		tell(w, r, f, err)
		return
	}
	sendJSON(w, http.StatusOK, body)
}

// deleted returns the answer of the Responses API to a request to delete an object.
func deleted(object, id string, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"id": id, "object": object, "deleted": true})
}

// maxMetadata is the number of names that OpenAI's documentation allows.
const maxMetadata = 16

// newConversation makes a conversation with its first items. An empty body is valid.
func newConversation(st *store.Store, _ string, body []byte) ([]byte, error) {
	var asked struct {
		Items    json.RawMessage   `json:"items"`
		Metadata map[string]string `json:"metadata"`
	}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &asked); err != nil {
			return nil, refused(http.StatusBadRequest, "the request: "+err.Error())
		}
	}
	if n := len(asked.Metadata); n > maxMetadata {
		return nil, refused(http.StatusBadRequest, fmt.Sprintf("metadata: %d names, but at most %d are allowed", n, maxMetadata))
	}
	begin, err := messagesOf(asked.Items)
	if err != nil {
		return nil, err
	}
	c := store.Conversation{ID: "conv_" + newID(), Created: time.Now().Unix()}
	if asked.Metadata != nil {
		c.Metadata, _ = json.Marshal(asked.Metadata) // of strings it cannot fail
	}
	if err := st.PutConversation(c); err != nil {
		return nil, err
	}
	if len(begin) > 0 {
		err = st.Put(store.Turn{ID: "items_" + newID(), Input: begin}, c.ID)
	}
	return conversationBody(c, err)
}

// conversationBody returns the answer about a conversation, unless there is an error.
func conversationBody(c store.Conversation, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	if c.Metadata == nil {
		c.Metadata = json.RawMessage("{}")
	}
	return json.Marshal(map[string]any{"id": c.ID, "object": "conversation", "created_at": c.Created, "metadata": c.Metadata})
}

// messagesOf reads a list of items, which may be empty or null.
func messagesOf(items json.RawMessage) ([]chat.Message, error) {
	if len(items) == 0 || string(items) == "null" {
		return nil, nil
	}
	body, err := json.Marshal(map[string]json.RawMessage{"input": items})
	if err != nil {
		return nil, refused(http.StatusBadRequest, "items: "+err.Error())
	}
	request, err := keepingFront().codec.With(wire.RequestOptions{MaxValues: defaultValues}).DecodeRequest(body)
	if err != nil {
		return nil, unreadable("items", err)
	}
	return request.Messages, nil
}
