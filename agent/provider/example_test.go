package provider_test

import (
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/agent/provider"
)

// Run an agent with recorded answers instead of a model, such as in a test.
func ExampleReplay() {
	recording, err := provider.ReadRecording(fstest.MapFS{
		"weather/prompt.txt": {Data: []byte("How is the weather in Oslo?")},
		"weather/1.txt":      {Data: []byte("<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>")},
		"weather/2.txt":      {Data: []byte("It is sunny.")},
	}, "weather")
	if err != nil {
		log.Fatal(err)
	}
	replay := provider.Replay(recording, provider.Config{Dialect: "hermes"})
	type place struct {
		City string `json:"city"`
	}
	weather := agent.NewTool("get_weather", "Weather of a city.", func(_ context.Context, in place) (string, error) {
		return "Sunny in " + in.City + ".", nil
	})
	a, err := agent.New(agent.Config{Provider: replay, Tools: []agent.Tool{weather}, Policy: agent.Rules{Approve: "all"}.Policy()})
	if err != nil {
		log.Fatal(err)
	}
	for event, err := range a.Run(context.Background(), agent.NewSession(), agent.Say(recording.Prompt)) {
		if err != nil {
			log.Fatal(err)
		}
		switch event.Type {
		case agent.CallResult:
			fmt.Println(event.Call.Name, "=>", event.Result.Output)
		case agent.RunEnd:
			fmt.Println(event.Text)
		}
	}
	// Output:
	// get_weather => Sunny in Oslo.
	// It is sunny.
}
