package clients

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/toolparse/toolparse/format"
)

func openaiClient(url string) openai.Client {
	return openai.NewClient(option.WithBaseURL(url+"/v1/"), option.WithAPIKey("none"), option.WithMaxRetries(0))
}

// hello is the shortest request.
func hello() openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hello")}}
}

func streamChat(t testing.TB, url string) (said, error) {
	client := openaiClient(url)
	stream := client.Chat.Completions.NewStreaming(t.Context(), hello())
	var acc openai.ChatCompletionAccumulator
	var thinking string
	for stream.Next() {
		chunk := stream.Current()
		if !acc.AddChunk(chunk) {
			return said{}, errors.New("the accumulator does not take a chunk: " + chunk.RawJSON())
		}
		for _, choice := range chunk.Choices {
			thinking += extraText(choice.Delta.JSON.ExtraFields["reasoning_content"].Raw())
		}
	}
	s := saidByChat(acc.ChatCompletion)
	s.Thinking = thinking
	return s, stream.Err()
}

func wholeChat(t testing.TB, url string) (said, error) {
	client := openaiClient(url)
	res, err := client.Chat.Completions.New(t.Context(), hello())
	if err != nil {
		return said{}, err
	}
	s := saidByChat(*res)
	if len(res.Choices) > 0 {
		s.Thinking = extraText(res.Choices[0].Message.JSON.ExtraFields["reasoning_content"].Raw())
	}
	return s, nil
}

// extraText decodes a text that the client does not know.
func extraText(raw string) (text string) {
	_ = json.Unmarshal([]byte(raw), &text)
	return text
}

func saidByChat(c openai.ChatCompletion) said {
	var s said
	if len(c.Choices) == 0 {
		return s
	}
	m := c.Choices[0].Message
	s.Text = m.Content + m.Refusal
	for _, tc := range m.ToolCalls {
		if tc.Type == "custom" {
			s.Calls = append(s.Calls, call{tc.ID, tc.Custom.Name, inputOf(tc.Custom.Input)})
			continue
		}
		s.Calls = append(s.Calls, call{tc.ID, tc.Function.Name, canonical(tc.Function.Arguments)})
	}
	s.end(format.OpenAI, c.Choices[0].FinishReason)
	return s
}

func askChat(t testing.TB, url string) {
	client := openaiClient(url)
	function := func(name, description string) openai.ChatCompletionToolUnionParam {
		return openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: name, Description: openai.String(description), Parameters: schemaOf(name),
		})
	}
	toolCall := func(id, name, arguments string) openai.ChatCompletionMessageToolCallUnionParam {
		return openai.ChatCompletionMessageToolCallUnionParam{OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
			ID: id, Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: name, Arguments: arguments},
		}}
	}
	assistant := openai.ChatCompletionAssistantMessageParam{
		ToolCalls: []openai.ChatCompletionMessageToolCallUnionParam{
			toolCall("call_1", "get_weather", `{"city":"Oslo","days":10000000000000001}`), toolCall("call_2", "take_picture", `{}`),
		},
	}
	assistant.Content.OfString = openai.String(spoken)
	_, _ = client.Chat.Completions.New(t.Context(), openai.ChatCompletionNewParams{
		Model: model,
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage(system),
			openai.UserMessage([]openai.ChatCompletionContentPartUnionParam{
				openai.TextContentPart(question),
				openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: "data:image/png;base64," + picture}),
			}),
			{OfAssistant: &assistant},
			openai.ToolMessage(weather, "call_1"),
			openai.ToolMessage(failure, "call_2"),
			openai.UserMessage(thanks),
		},
		Tools:               []openai.ChatCompletionToolUnionParam{function("get_weather", "Tells the weather."), function("take_picture", "Takes a picture.")},
		ToolChoice:          openai.ToolChoiceOptionFunctionToolChoice(openai.ChatCompletionNamedToolChoiceFunctionParam{Name: "get_weather"}),
		MaxCompletionTokens: openai.Int(maxTokens),
		Temperature:         openai.Float(0.5),
		ParallelToolCalls:   openai.Bool(false),
	})
}
