package gateway_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/toolparse/toolparse/gateway"
	"github.com/toolparse/toolparse/internal/dialect"
)

// Serve a model that writes calls in text to a client that expects native calls.
func Example() {
	model := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",
			"content":"<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>"}}]}`)
	})
	upstream := httptest.NewServer(model)
	defer upstream.Close()

	hermes, err := dialect.Named("hermes", "")
	if err != nil {
		log.Fatal(err)
	}
	server, err := gateway.New(gateway.Options{Targets: []gateway.Target{{Upstream: upstream.URL + "/v1", Dialect: hermes[0]}}})
	if err != nil {
		log.Fatal(err)
	}
	front := httptest.NewServer(server)
	defer front.Close()

	response, err := http.Post(front.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{
		"model": "m", "messages": [{"role": "user", "content": "The weather in Oslo?"}],
		"tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"properties": {"city": {"type": "string"}}}}}]}`))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(gjson.GetBytes(body, "choices.0.message.tool_calls.0.function"))
	// Output:
	// {"name":"get_weather","arguments":"{\"city\": \"Oslo\"}"}
}

// Read the configuration of a gateway with one upstream.
func ExampleReadConfig() {
	const file = `
[upstreams.local]
url = "http://127.0.0.1:8080/v1"

[models.coder]
upstream = "local"
model = "Qwen3-Coder-30B"
aliases = ["gpt-5*"]
dialect = "qwen3_coder"
`
	named := func(name string) (*dialect.Dialect, error) {
		dialects, err := dialect.Named(name, "")
		if err != nil {
			return nil, err
		}
		return dialects[0], nil
	}
	options, err := gateway.ReadConfig([]byte(file), os.Getenv, named)
	if err != nil {
		log.Fatal(err)
	}
	for _, target := range options.Targets {
		fmt.Println(target.Names, target.Upstream, target.Model, target.Dialect.Name)
	}
	// Output:
	// [coder gpt-5*] http://127.0.0.1:8080/v1 Qwen3-Coder-30B qwen3_coder
}
