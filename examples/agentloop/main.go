// Command agentloop is the loop of docs/library.md, with the root package alone.
package main

import (
	"bytes"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/toolparse/toolparse"
)

type place struct {
	City string `json:"city" jsonschema:"the city, e.g. Oslo"`
}

// weather runs a call whose arguments fit the tool's schema.
func weather(call toolparse.ToolInvocation) (string, error) {
	return fmt.Sprintf("Sunny. (%s)", call.Arguments), nil
}

// ask lets a model answer. With a dialect, tools and calls are text in the prompt and
// the answer; without, they go by the server's own tool calls.
func ask(url, model, dialect, question string) (string, error) {
	tool, err := toolparse.Tool[place]("get_weather", "Weather of a city.")
	if err != nil {
		return "", err
	}
	kit, err := toolparse.New(toolparse.Options{Tools: []toolparse.ToolDefinition{tool}, Dialect: dialect})
	if err != nil {
		return "", err
	}
	chat := toolparse.Request{Model: model, Stream: true, Messages: []toolparse.Message{toolparse.User(question)}}
	for range 10 {
		body, _, err := kit.Request(toolparse.OpenAI, &chat)
		if err != nil {
			return "", err
		}
		response, err := http.Post(url+"/v1/chat/completions", "application/json", bytes.NewReader(body))
		if err != nil {
			return "", err
		}
		answer, err := kit.Collect(response.Body)
		response.Body.Close()
		if err != nil || len(answer.Calls) == 0 {
			return answer.Text, err
		}
		chat.Messages = append(chat.Messages, kit.Respond(answer, weather)...)
	}
	return "", fmt.Errorf("no answer in ten turns")
}

func main() { // for example: agentloop http://127.0.0.1:11434 qwen3:8b hermes
	answer, err := ask(os.Args[1], os.Args[2], os.Args[3], "How is the weather in Oslo?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}
