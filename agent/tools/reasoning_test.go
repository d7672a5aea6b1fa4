package tools_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/toolparse/toolparse/agent"
)

// talk calls tools one after another, and keeps the session's data between the calls.
type talk struct {
	*workspace
	data map[string]json.RawMessage
}

func (k *talk) use(name string, in args) (agent.Result, error) {
	k.Helper()
	list, err := k.set.Tools(name)
	if err != nil {
		k.Fatal(err)
	}
	text, err := json.Marshal(in)
	if err != nil {
		k.Fatal(err)
	}
	result, err := list[0].Call(k.Context(), agent.Call{Name: name, Arguments: text, Data: k.data})
	maps.Copy(k.data, result.Data)
	return result, err
}

// Tasks are in the data of the session, and survive marshalling it.
func TestTasks(t *testing.T) {
	k := &talk{within(t, nil), map[string]json.RawMessage{}}
	if result, err := k.use("list_tasks", nil); err != nil || result.Output != "[]" {
		t.Errorf("%+v, %v", result, err)
	}
	for i, content := range []string{"look", "mend <it>"} {
		if result, err := k.use("add_task", args{"content": content}); err != nil || result.Output != []string{"task_1", "task_2"}[i] {
			t.Errorf("%+v, %v", result, err)
		}
	}
	session := agent.NewSession()
	session.Data = k.data
	text, err := json.Marshal(session)
	if err != nil {
		t.Fatal(err)
	}
	var again agent.Session
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	k.data = again.Data
	if result, err := k.use("update_task", args{"task_id": "task_1", "status": "completed"}); err != nil || result.Output != "task_1 is completed" {
		t.Errorf("%+v, %v", result, err)
	}
	const want = `[{"id":"task_1","status":"completed","content":"look"},{"id":"task_2","status":"pending","content":"mend <it>"}]`
	if result, err := k.use("list_tasks", nil); err != nil || result.Output != want {
		t.Errorf("%+v, %v", result, err)
	}
	for _, bad := range []struct {
		name string
		in   args
		want agent.Category
	}{
		{"update_task", args{"task_id": "task_9", "status": "completed"}, agent.NotFound},
		{"update_task", args{"task_id": "task_1", "status": "done"}, agent.Validation},
		{"add_task", args{"content": " "}, agent.Validation},
		{"add_task", args{"content": strings.Repeat("x", 5000)}, agent.Validation},
		{"plan", args{"steps": []string{}}, agent.Validation},
	} {
		if _, err := k.use(bad.name, bad.in); err == nil || agent.Categorize(err).Category != bad.want {
			t.Errorf("%s(%v): %v", bad.name, bad.in, err)
		}
	}
	k.data["tasks"] = json.RawMessage(`"broken"`)
	if _, err := k.use("list_tasks", nil); err == nil || agent.Categorize(err).Category != agent.Resource {
		t.Errorf("%v", err)
	}
}

// The other tools of reasoning and control.
func TestReasoning(t *testing.T) {
	k := &talk{within(t, nil), map[string]json.RawMessage{}}
	result, err := k.use("plan", args{"goal": "green", "steps": []string{"look", "mend"}})
	if err != nil || result.Output != "1. look\n2. mend\n" || string(k.data["plan"]) != `{"goal":"green","steps":["look","mend"]}` {
		t.Errorf("%+v, %v", result, err)
	}
	if result, err := k.use("think", args{"thought": "hm"}); err != nil || len(result.Changes)+len(result.Data) > 0 {
		t.Errorf("%+v, %v", result, err)
	}
	if result, err := k.use("get_working_directory", nil); err != nil || result.Output != k.dir {
		t.Errorf("%+v, %v", result, err)
	}
	result, err = k.use("get_current_time", nil)
	if at, bad := time.Parse(time.RFC3339, result.Output); err != nil || bad != nil || time.Since(at) > time.Hour {
		t.Errorf("%+v, %v", result, err)
	}
	result, err = k.use("abort", args{"reason": "no disk"})
	if err != nil || result.Output != "aborted: no disk" || result.Metadata["aborted"] != true {
		t.Errorf("%+v, %v", result, err)
	}
	list, err := k.set.Tools("abort", "ask_user")
	if err != nil || !list[0].Info().Terminal || list[1].Info().Kind != agent.Function {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := k.use("ask_user", args{"question": "which?"}); err == nil {
		t.Error("the program answered for the user")
	}
}
