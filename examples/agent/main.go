// Command agent is the program of the README's section on agents.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
)

type place struct {
	City string `json:"city" jsonschema:"the city, e.g. Oslo"`
}

// work lets a model work on a task with a tool. With a dialect, the model writes its
// calls in text.
func work(url, model, dialect, task string) (string, error) {
	p, err := provider.New(provider.Config{Wire: toolparse.OpenAI, BaseURL: url, Model: model, Dialect: dialect})
	if err != nil {
		return "", err
	}
	weather, err := agent.NewTool("get_weather", "Weather of a city.", func(_ context.Context, in place) (string, error) {
		return "Sunny in " + in.City + ".", nil
	})
	if err != nil {
		return "", err
	}
	a, err := agent.New(agent.Config{Provider: p, Tools: []agent.Tool{weather}})
	if err != nil {
		return "", err
	}
	var answer string
	for event, err := range a.Run(context.Background(), agent.NewSession(), agent.Say(task)) {
		switch event.Type {
		case agent.Segment: // text, reasoning and calls, while the model writes them
		case agent.PermissionRequest: // of tools that are not safe: event.Answer(agent.AllowOnce)
		case agent.CallResult:
			fmt.Println(event.Call.Summary(), "=>", event.Result.Output)
		case agent.RunEnd: // always the last event
			if answer = event.Text; err != nil {
				return answer, err
			}
		}
	}
	return answer, nil
}

func main() { // for example: agent http://127.0.0.1:8080/v1 qwen3:8b hermes
	answer, err := work(os.Args[1], os.Args[2], os.Args[3], "How is the weather in Oslo?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}
