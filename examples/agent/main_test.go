package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// The program calls its tool natively and in text, and comes to its answer.
func TestProgram(t *testing.T) {
	args, stdout := os.Args, os.Stdout
	defer func() { os.Args, os.Stdout = args, stdout }()
	for dialect, call := range map[string]string{
		"":       `{"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "get_weather", "arguments": "{\"city\": \"Oslo\"}"}}]}`,
		"hermes": `{"role": "assistant", "content": "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>"}`,
	} {
		var told string // the last message of the last request
		answers := []string{call, `{"role": "assistant", "content": "It is sunny."}`}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var request struct{ Messages []json.RawMessage }
			if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
				t.Error(err)
			}
			told = string(request.Messages[len(request.Messages)-1])
			w.Write([]byte(`{"choices": [{"index": 0, "message": ` + answers[0] + `, "finish_reason": "stop"}]}`))
			answers = answers[1:]
		}))
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		os.Args, os.Stdout = []string{"agent", server.URL + "/v1", "m", dialect}, write
		main()
		write.Close()
		server.Close()
		answer, err := io.ReadAll(read)
		if err != nil || string(answer) != "It is sunny.\n" {
			t.Errorf("%q: %q, %v", dialect, answer, err)
		}
		if !strings.Contains(told, "Sunny in Oslo.") {
			t.Errorf("%q: the model was told %s", dialect, told)
		}
	}
}
