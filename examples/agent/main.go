// Command agent lets a model work with a tool, natively or, with a dialect, in its text.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
)

type place struct {
	City string `json:"city" jsonschema:"the city, e.g. Oslo"`
}

func weather(_ context.Context, in place) (string, error) { return "Sunny in " + in.City + ".", nil }

func main() { // for example: agent http://127.0.0.1:8080/v1 qwen3:8b hermes
	answer, err := agent.Do(context.Background(), agent.Config{
		Provider: provider.New(provider.Config{BaseURL: os.Args[1], Model: os.Args[2], Dialect: os.Args[3]}),
		Tools:    []agent.Tool{agent.NewTool("get_weather", "Weather of a city.", weather)},
	}, "How is the weather in Oslo?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}
