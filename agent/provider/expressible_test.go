package provider_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
	"github.com/toolparse/toolparse/agent/tools"
)

// The standard tools can be used with every dialect. A tool whose calls a dialect cannot
// express, because it is named like a tag, is left out, and this is reported once.
func TestStandardToolsInEveryDialect(t *testing.T) {
	set, err := tools.Workspace(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	list, err := set.Tools()
	if err != nil {
		t.Fatal(err)
	}
	look := agent.NewTool("look", "Looks.", func(context.Context, struct{}) (string, error) { return "seen", nil })
	var prompts []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		prompts = append(prompts, string(body))
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello.\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	for _, dialect := range []string{"cline", "morphxml", "yaml_xml", "hermes", "xml"} {
		p := provider.New(provider.Config{Wire: toolparse.OpenAI, BaseURL: server.URL, Model: "m", Dialect: dialect})
		a, err := agent.New(agent.Config{Provider: p, Tools: append(list[:len(list):len(list)], look)})
		if err != nil {
			t.Fatal(err)
		}
		prompts = nil
		var notices []string
		for range 2 {
			for e, err := range a.Run(t.Context(), agent.NewSession(), agent.Say("Hi.")) {
				if err != nil {
					t.Errorf("%s: %v", dialect, err)
				}
				if e.Type == agent.Notice {
					notices = append(notices, e.Text)
				}
			}
		}
		if len(prompts) != 2 || !strings.Contains(prompts[1], "edit_file") || !strings.Contains(prompts[1], "look") {
			t.Errorf("%s: %d prompts", dialect, len(prompts))
		}
		want := "[not offered, since the dialect cannot express a call: think]"
		if dialect == "hermes" || dialect == "xml" {
			want = "[]"
		}
		if got := fmt.Sprint(notices); got != want {
			t.Errorf("%s: %s, want %s", dialect, got, want)
		}
	}
}
