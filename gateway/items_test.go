package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/gateway/store"
)

// itemList is a page of a list of items.
type itemList struct {
	Data []struct {
		ID, Type, Role, Status string
		Content                []struct{ Text string }
	}
	FirstID string `json:"first_id"`
	LastID  string `json:"last_id"`
	HasMore bool   `json:"has_more"`
}

func (l itemList) String() string {
	var words []string
	for _, i := range l.Data {
		word := i.Type
		for _, c := range i.Content {
			word = i.Role + ": " + c.Text
		}
		words = append(words, word)
	}
	return strings.Join(words, " | ")
}

// TestItems: the items of a conversation and the input of a response can be listed in
// pages, read one by one, and added to.
func TestItems(t *testing.T) {
	u := newUpstream(t, format.OpenAI)
	u.script = [][]chat.Part{{chat.CallPart("call_1", "get_weather", arguments)}, {chat.TextPart("Sunny.")}}
	server := newGateway(t, u, func(o *gateway.Options) { o.Store = openStore(t) })
	list := func(path string) itemList {
		t.Helper()
		var page itemList
		if err := json.Unmarshal([]byte(get(t, server.URL+path)), &page); err != nil {
			t.Fatal(err)
		}
		return page
	}
	_, made := do(t, http.MethodPost, server.URL+"/v1/conversations", `{"items":[{"role":"user","content":"I am Ada."}]}`)
	conversation := idOf(t, made, false)
	say := func(input string) string {
		t.Helper()
		status, body := do(t, http.MethodPost, server.URL+"/v1/responses", fmt.Sprintf(`{"model":"m","conversation":%q,"input":%s,"tools":[{"type":"function","name":"get_weather"}]}`, conversation, input))
		if status != http.StatusOK {
			t.Fatal(body)
		}
		return idOf(t, body, false)
	}
	say(`"And in Oslo?"`)
	items := "/v1/conversations/" + conversation + "/items"
	if status, body := do(t, http.MethodPost, server.URL+items, `{"items":[{"type":"function_call_output","call_id":"call_1","output":"Sun"}]}`); status != http.StatusOK || !strings.Contains(body, `"fco_`) {
		t.Fatal(status, body)
	}
	last := say(`[{"role":"user","content":"Tell me."},{"role":"user","content":"Now."}]`)
	want := "user: I am Ada. | user: And in Oslo? | function_call | function_call_output | user: Tell me. | user: Now. | assistant: Sunny."
	all := list(items + "?order=asc")
	if diff := cmp.Diff(want, all.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !u.last(t).Messages[2].HasCalls() {
		t.Errorf("the model reads %+v", u.last(t).Messages)
	}
	ids := map[string]bool{}
	for _, i := range all.Data {
		if i.ID == "" || ids[i.ID] || i.Status != "completed" {
			t.Errorf("item %+v", i)
		}
		ids[i.ID] = true
	}
	var paged []string
	for after := ""; ; {
		page := list(items + "?limit=2&after=" + after)
		paged = append([]string{page.String()}, paged...)
		if after = page.LastID; !page.HasMore {
			break
		}
	}
	if len(paged) != 4 || paged[3] != "assistant: Sunny. | user: Now." || paged[0] != "user: I am Ada." {
		t.Errorf("pages %q", paged)
	}
	if one := get(t, server.URL+items+"/"+all.Data[0].ID); !strings.Contains(one, "I am Ada.") {
		t.Errorf("the first item is %s", one)
	}
	if got := list("/v1/responses/" + last + "/input_items").String(); got != "user: Now. | user: Tell me." {
		t.Errorf("the last response was asked %s", got)
	}
	answer := all.Data[len(all.Data)-1].ID
	for _, i := range []int{4, 0, 2, 6} { // of a request, of the beginning, a call of an answer, and all of one
		id := all.Data[i].ID
		if status, body := do(t, http.MethodDelete, server.URL+items+"/"+id, ""); status != 200 || !strings.Contains(body, `"object":"conversation"`) {
			t.Errorf("delete %s: %d %s", id, status, body)
		}
		for _, method := range []string{http.MethodGet, http.MethodDelete} {
			if status, body := do(t, method, server.URL+items+"/"+id, ""); status != 404 {
				t.Errorf("%s %s: %d %s", method, id, status, body)
			}
		}
	}
	left := list(items + "?order=asc")
	if got := left.String(); got != "user: And in Oslo? | user: Sun | user: Now." { // a result without its call is user text
		t.Errorf("left are %q", got)
	}
	if left.Data[0].ID != all.Data[1].ID || left.Data[2].ID != all.Data[5].ID {
		t.Errorf("ids change: %+v", left.Data)
	}
	if got := get(t, server.URL+"/v1/responses/"+last); strings.Contains(got, "Sunny.") || strings.Contains(got, answer) {
		t.Errorf("the response still has what is deleted: %s", got)
	}
	say(`"Go on."`)
	if sent, err := json.Marshal(u.last(t).Messages); err != nil || strings.Contains(string(sent), "Ada") || strings.Contains(string(sent), "Tell me.") || !strings.Contains(string(sent), "Now.") {
		t.Errorf("the model reads %s %v", sent, err)
	}
	for path, status := range map[string]int{
		items + "?limit=0": 400, items + "?limit=x": 400, items + "?order=up": 400, items + "?after=none": 400,
		items + "/none": 404, "/v1/conversations/none/items": 404, "/v1/responses/none/input_items": 404,
	} {
		if got, body := do(t, http.MethodGet, server.URL+path, ""); got != status || !strings.Contains(body, `"error"`) {
			t.Errorf("%s: %d %s", path, got, body)
		}
	}
	for _, body := range []string{`{`, `{}`, `{"items":[]}`, `{"items":7}`, `{"items":[7]}`} {
		if got, told := do(t, http.MethodPost, server.URL+items, body); got != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, got, told)
		}
	}
	if got, told := do(t, http.MethodPost, server.URL+"/v1/responses", `{"model":"m","input":"Hi","background":true}`); got != 400 || !strings.Contains(told, "background is not supported") || !strings.Contains(told, `"unsupported_parameter"`) {
		t.Errorf("%d %s", got, told)
	}
}

// TestUnreadableStored: a stored body that cannot be read is the server's fault, not an
// upstream's.
func TestUnreadableStored(t *testing.T) {
	s := openStore(t)
	if err := s.PutConversation(store.Conversation{ID: "conv_1"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(store.Turn{ID: "resp_1", Body: []byte(`{"output":7}`)}, "conv_1"); err != nil {
		t.Fatal(err)
	}
	server := newGateway(t, newUpstream(t, format.OpenAI), func(o *gateway.Options) { o.Store = s })
	status, body := do(t, http.MethodGet, server.URL+"/v1/conversations/conv_1/items", "")
	if status != http.StatusInternalServerError || !strings.Contains(body, "the store of conversations") {
		t.Errorf("%d %s", status, body)
	}
}
