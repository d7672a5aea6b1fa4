package dialectdoc

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/history"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/toolcall"
)

// shownTool returns the tool of the prompts on the page, with one parameter.
func shownTool(param string) toolcall.ToolDefinition {
	return toolcall.ToolDefinition{
		Name: "get_weather", Description: "The weather at a place.",
		Parameters: []byte(`{"type":"object","properties":{"` + param + `":{"type":"string","description":"Name of the city"}},"required":["` + param + `"]}`),
	}
}

// writePrompt writes a whole prompt in a dialect: the tools, a call and its result.
func writePrompt(b *bufio.Writer, d *dialect.Dialect) error {
	if d.Head.Form == "" {
		return nil
	}
	param := "city"
	if d.Args.Param != "" && !d.Args.Object {
		param = d.Args.Param
	}
	tools := []toolcall.ToolDefinition{shownTool(param)}
	m, err := manifest.New(tools, manifest.Options{Dialect: d})
	if err != nil {
		return fmt.Errorf("%s: %w", d.Name, err)
	}
	turns, err := history.New(d, history.Options{Tools: tools})
	if err != nil {
		return err
	}
	result := chat.Result{CallID: "call00000", Name: "get_weather", Parts: []chat.Part{chat.TextPart("12 °C, rain")}}
	messages, _ := turns.Render([]chat.Message{
		{Role: chat.System, Parts: []chat.Part{chat.TextPart("You help travellers.")}},
		{Role: chat.User, Parts: []chat.Part{chat.TextPart("Do I need an umbrella in Oslo?")}},
		{Role: chat.Assistant, Parts: []chat.Part{chat.CallPart("call00000", "get_weather", `{"`+param+`":"Oslo"}`)}},
		{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: &result}}},
	})
	var text strings.Builder
	for _, msg := range m.InjectChat(&chat.Request{Messages: messages}).Messages {
		fmt.Fprintf(&text, "[%s]\n", msg.Role)
		for _, p := range msg.Parts {
			text.WriteString(p.Text + "\n")
		}
	}
	fence := "```"
	for strings.Contains(text.String(), fence) {
		fence += "`"
	}
	after := "no chat template of its models is known, so the prompt teaches it"
	if manifest.HasTemplate(d) {
		after = "after the template of " + d.Show.Template
		if role := d.Results.Role; role != "" {
			after += ", which has results in turns of the role " + code(role)
		}
	}
	fmt.Fprintf(b, "\nA prompt, %s:\n\n%stext\n%s\n%s\n", after, fence, strings.TrimRight(text.String(), "\n"), fence)
	return nil
}
