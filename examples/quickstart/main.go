// Command quickstart is the program on the first screen of the README.
package main

import (
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/toolparse/toolparse"
)

type weather struct {
	City string `json:"city" jsonschema:"the city, e.g. Oslo"`
	Days int    `json:"days,omitempty"`
}

func main() {
	tool, err := toolparse.Tool[weather]("get_weather", "Weather of a city.")
	if err != nil {
		log.Fatal(err)
	}
	// Compiled once, safe to share between goroutines.
	kit, err := toolparse.New(toolparse.Options{Tools: []toolparse.ToolDefinition{tool}})
	if err != nil {
		log.Fatal(err)
	}

	// What a model wrote, in whatever dialect: text, reasoning, calls, notes.
	answer, err := kit.Parse("<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>")
	if err != nil {
		log.Fatal(err)
	}
	for _, call := range answer.Runnable() {
		fmt.Println(call.Name, string(call.Arguments))
	}

	// A provider's streamed answer: each call as soon as it is complete.
	response, err := http.Post("http://127.0.0.1:8080/v1/chat/completions", "application/json", strings.NewReader(`{}`))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	for call, err := range kit.Calls(response.Body) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(call.Name, string(call.Arguments), call.Status)
	}
}
