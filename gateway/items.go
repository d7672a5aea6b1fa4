package gateway

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway/store"
)

// item is an item in a list of Responses, in the form for clients.
type item struct {
	id   string
	body json.RawMessage
}

// inputItems answers with the items that were new in the request for a response.
func inputItems(st *store.Store, r *http.Request, _ []byte) ([]byte, error) {
	turns, err := st.Turns(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	last := len(turns) - 1
	items, err := itemsOf(turns[last], messagesIn(turns[:last]))
	if err != nil {
		return nil, err
	}
	return listed(items, r)
}

// conversationItems answers with all items of a conversation.
func conversationItems(st *store.Store, r *http.Request, _ []byte) ([]byte, error) {
	items, err := allItems(st, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return listed(items, r)
}

// conversationItem answers with one item of a conversation.
func conversationItem(st *store.Store, r *http.Request, _ []byte) ([]byte, error) {
	items, err := allItems(st, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(items, func(i item) bool { return i.id == r.PathValue("item") })
	if at < 0 {
		return nil, notKept("item", r.PathValue("item"), store.ErrNotFound)
	}
	return items[at].body, nil
}

// addItems adds items to a conversation, and answers with them.
func addItems(st *store.Store, r *http.Request, body []byte) ([]byte, error) {
	var asked struct {
		Items json.RawMessage `json:"items"`
	}
	if err := readObject(body, &asked); err != nil {
		return nil, err
	}
	release, err := st.Hold(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	defer release()
	c, err := st.Conversation(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	messages, err := messagesOf(asked.Items)
	if err != nil {
		return nil, err
	}
	if len(messages) == 0 {
		return nil, refused(http.StatusBadRequest, "items: expected a list of at least one item")
	}
	history, err := st.History(c.Last)
	if err != nil {
		return nil, err
	}
	turn := store.Turn{ID: "items_" + newID(), Previous: c.Last, Input: messages}
	if err := st.Put(turn, c.ID); err != nil {
		return nil, err
	}
	items, err := itemsOf(turn, history)
	if err != nil {
		return nil, err
	}
	return encodeItems(items, false)
}

// deleteItem deletes an item of a conversation, and answers with the conversation. The
// item also disappears from the response that it was part of.
func deleteItem(st *store.Store, r *http.Request, _ []byte) ([]byte, error) {
	id, name := r.PathValue("id"), r.PathValue("item")
	c, err := st.Conversation(id)
	if err != nil {
		return nil, err
	}
	turns, err := st.Turns(c.Last)
	if err != nil {
		return nil, err
	}
	for i, turn := range turns {
		history := messagesIn(turns[:i])
		found, err := withoutItem(&turn, history, name)
		if found && err == nil {
			err = st.Change(turn.ID, func(t *store.Turn) error {
				_, err := withoutItem(t, history, name)
				return err
			})
		}
		if err != nil {
			return nil, err
		}
		if found {
			return conversationBody(c)
		}
	}
	return nil, notKept("item", name, store.ErrNotFound)
}

// withoutItem removes the item with this id from a turn that follows a history, and
// reports whether the turn had it.
func withoutItem(t *store.Turn, history []chat.Message, id string) (bool, error) {
	asked, err := itemsOf(*t, history)
	if err != nil {
		return false, err
	}
	if rest := slices.DeleteFunc(slices.Clone(asked), func(i item) bool { return i.id == id }); len(rest) < len(asked) {
		t.Input, err = messagesFrom(rest)
		return true, err
	}
	output, err := outputItems(t)
	if err != nil {
		return false, err
	}
	rest := slices.DeleteFunc(slices.Clone(output), func(i item) bool { return i.id == id })
	if len(rest) == len(output) {
		return false, nil
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal(t.Body, &body); err != nil {
		return false, err
	}
	if body["output"], err = json.Marshal(bodiesOf(rest)); err != nil {
		return false, err
	}
	if t.Body, err = json.Marshal(body); err != nil {
		return false, err
	}
	messages, err := messagesFrom(rest)
	t.Output = nil
	for i := range messages {
		if t.Output == nil {
			t.Output = &messages[i]
			continue
		}
		t.Output.Parts = append(t.Output.Parts, messages[i].Parts...)
	}
	return true, err
}

func bodiesOf(items []item) []json.RawMessage {
	list := []json.RawMessage{}
	for i := range items {
		list = append(list, items[i].body)
	}
	return list
}

// messagesFrom converts items to messages.
func messagesFrom(items []item) ([]chat.Message, error) {
	list, err := json.Marshal(bodiesOf(items))
	if err != nil {
		return nil, err
	}
	return messagesOf(list)
}

// outputItems returns the items of a turn's answer.
func outputItems(t *store.Turn) ([]item, error) {
	if t.Body == nil {
		return nil, nil
	}
	var answer struct {
		Output []json.RawMessage `json:"output"`
	}
	if err := json.Unmarshal(t.Body, &answer); err != nil {
		return nil, err
	}
	var items []item
	for _, body := range answer.Output {
		var named struct{ ID string }
		if err := json.Unmarshal(body, &named); err != nil {
			return nil, err
		}
		items = append(items, item{named.ID, body})
	}
	return items, nil
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
	request, err := keepingFront().codec.With(chat.RequestOptions{MaxValues: defaultValues}).DecodeRequest(body)
	if err != nil {
		return nil, unreadable("items", err)
	}
	return request.Messages, nil
}

// allItems returns the items of a conversation, oldest first.
func allItems(st *store.Store, id string) ([]item, error) {
	c, err := st.Conversation(id)
	if err != nil {
		return nil, err
	}
	turns, err := st.Turns(c.Last)
	if err != nil {
		return nil, err
	}
	var items []item
	for i, turn := range turns {
		asked, err := itemsOf(turn, messagesIn(turns[:i]))
		if err != nil {
			return nil, err
		}
		output, err := outputItems(&turn)
		if err != nil {
			return nil, err
		}
		items = append(append(items, asked...), output...)
	}
	return items, nil
}

// itemPrefixes are the beginnings of items' ids, by type.
var itemPrefixes = map[string]string{"message": "msg_", "function_call": "fc_", "function_call_output": "fco_", "reasoning": "rs_"}

// messagesIn returns the messages of turns, in order.
func messagesIn(turns []store.Turn) (messages []chat.Message) {
	for _, t := range turns {
		messages = append(messages, t.Messages()...)
	}
	return messages
}

// itemsOf returns the items that a client sent in a turn that follows a history. An item
// without an id gets one that depends only on the turn and the item's index.
func itemsOf(turn store.Turn, history []chat.Message) ([]item, error) {
	history = callsOf(history, turn.Input)
	before, err := encodeInput(history)
	if err != nil {
		return nil, err
	}
	list, err := encodeInput(slices.Concat(history, turn.Input))
	if err != nil {
		return nil, err
	}
	list = list[min(len(before), len(list)):]
	items := make([]item, len(list))
	for i, members := range list {
		var id, kind string
		_ = json.Unmarshal(members["id"], &id)     // without one, it is generated
		_ = json.Unmarshal(members["type"], &kind) // messages may lack it
		if kind == "" {
			kind = "message"
			members["type"] = quoted(kind)
		}
		if id == "" {
			id = cmp.Or(itemPrefixes[kind], "item_") + turn.ID + "_" + strconv.Itoa(i)
			members["id"] = quoted(id)
		}
		var text string
		if json.Unmarshal(members["content"], &text) == nil && kind == "message" { // the short form
			content := map[string]any{"type": "input_text", "text": text}
			if string(members["role"]) == `"assistant"` {
				content = map[string]any{"type": "output_text", "text": text, "annotations": []any{}}
			}
			if members["content"], err = json.Marshal([]any{content}); err != nil {
				return nil, err
			}
		}
		if _, ok := members["status"]; !ok {
			members["status"] = quoted("completed")
		}
		one, err := json.Marshal(members)
		if err != nil {
			return nil, err
		}
		items[i] = item{id, one}
	}
	return items, nil
}

// callsOf returns messages with the calls of a history that results belong to. Results
// are encoded together with these: encoding the whole history for each turn would take
// quadratic time.
func callsOf(history, results []chat.Message) (calls []chat.Message) {
	wanted := map[string]bool{}
	for _, m := range results {
		for _, p := range m.Parts {
			if p.Result != nil {
				wanted[p.Result.CallID] = true
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	for _, m := range history {
		if slices.ContainsFunc(m.Parts, func(p chat.Part) bool { return p.Call != nil && wanted[p.Call.ID] }) {
			calls = append(calls, m)
		}
	}
	return calls
}

// encodeInput encodes messages as the items of a request, as their members.
func encodeInput(messages []chat.Message) ([]map[string]json.RawMessage, error) {
	if len(messages) == 0 {
		return nil, nil
	}
	body, _ := keepingFront().codec.EncodeRequest(&chat.Request{Model: "none", Messages: messages}, chat.Options{})
	var request struct {
		Input json.RawMessage `json:"input"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	var text string
	if json.Unmarshal(request.Input, &text) == nil { // a single user message
		return []map[string]json.RawMessage{{"role": json.RawMessage(`"user"`), "content": request.Input}}, nil
	}
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(request.Input, &list); err != nil {
		return nil, err
	}
	return list, nil
}

// Limits for a page of a list.
const (
	usualItems = 20
	maxItems   = 100
)

// listed answers with a page of items, given oldest first: at most the query's limit,
// after the item that the query's after names, newest first unless order is asc.
func listed(items []item, r *http.Request) ([]byte, error) {
	query := r.URL.Query()
	limit := usualItems
	if text := query.Get("limit"); text != "" {
		var err error
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > maxItems {
			return nil, refused(http.StatusBadRequest, "limit: expected a number from 1 to "+strconv.Itoa(maxItems))
		}
	}
	switch query.Get("order") {
	case "asc":
	case "", "desc":
		slices.Reverse(items)
	default:
		return nil, refused(http.StatusBadRequest, "order: expected asc or desc")
	}
	if after := query.Get("after"); after != "" {
		at := slices.IndexFunc(items, func(i item) bool { return i.id == after })
		if at < 0 {
			return nil, refused(http.StatusBadRequest, "after: there is no item "+strconv.Quote(after))
		}
		items = items[at+1:]
	}
	more := len(items) > limit
	if more {
		items = items[:limit]
	}
	return encodeItems(items, more)
}

func encodeItems(items []item, more bool) ([]byte, error) {
	list := struct {
		Object string            `json:"object"`
		Data   []json.RawMessage `json:"data"`
		First  *string           `json:"first_id"`
		Last   *string           `json:"last_id"`
		More   bool              `json:"has_more"`
	}{Object: "list", Data: bodiesOf(items), More: more}
	if n := len(items); n > 0 {
		list.First, list.Last = &items[0].id, &items[n-1].id
	}
	return json.Marshal(list)
}
