package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/format"
)

// OwnTools returns toolparse's own functions as tools: parse, translate and detect. They
// only compute.
func OwnTools() []agent.Tool {
	return []agent.Tool{
		ownTool("parse", "Finds the tool calls in a model's text or in a provider's answer, in whatever dialect they are written. "+
			"Returns the calls with their arguments and status, and the text and reasoning around them.", parseText),
		ownTool("translate", "Converts a request, a response, a stream or a list of tools from one provider's wire format to another's. "+
			"Returns the body and what could not be carried over.", translateBody),
		ownTool("detect", "Finds out in which dialects a model's text, or a chat template, writes tool calls.", detectDialect),
	}
}

// ownTool returns a tool whose result is JSON. Its errors are for the model to correct.
func ownTool[In, Out any](name, description string, run func(In) (Out, error)) agent.Tool {
	return agent.NewTool(name, description, func(_ context.Context, in In) (Out, error) {
		out, err := run(in)
		if err != nil {
			return out, agent.Failure(agent.Validation, "%w", err)
		}
		return out, nil
	}, func(i *agent.Info) { i.Parallel, i.Repeatable = true, true })
}

type parseIn struct {
	Text    string `json:"text" jsonschema:"the model's text, or the body or stream of an answer"`
	Dialect string `json:"dialect,omitempty" jsonschema:"the dialect of calls in text, such as hermes; found out if it is left out"`
	Tools   []any  `json:"tools,omitempty" jsonschema:"the tools that may be called, in the shape of any provider"`
}

type parseOut struct {
	Text      string                     `json:"text,omitempty"`
	Reasoning string                     `json:"reasoning,omitempty"`
	Calls     []toolparse.ToolInvocation `json:"calls"`
}

func parseText(in parseIn) (*parseOut, error) {
	opts := toolparse.Options{Dialect: in.Dialect}
	if len(in.Tools) > 0 {
		list, err := json.Marshal(in.Tools)
		if err != nil {
			return nil, err
		}
		if opts.Tools, err = toolparse.ReadTools(list); err != nil {
			return nil, err
		}
	}
	kit, err := toolparse.New(opts)
	if err != nil {
		return nil, err
	}
	answer, err := kit.Collect(strings.NewReader(in.Text))
	if err != nil {
		return nil, err
	}
	out := &parseOut{answer.Text, answer.Reasoning, answer.Calls}
	if out.Calls == nil {
		out.Calls = []toolparse.ToolInvocation{}
	}
	return out, nil
}

type translateIn struct {
	Body string `json:"body" jsonschema:"the body or stream to convert"`
	From string `json:"from,omitempty" jsonschema:"its wire format: openai, responses, anthropic, gemini or ollama; found out if it is left out"`
	To   string `json:"to" jsonschema:"the wire format to write: openai, responses, anthropic, gemini or ollama"`
	Kind string `json:"kind,omitempty" jsonschema:"what the body is: request, response, stream or tools; request if it is left out"`
}

type translateOut struct {
	Body   string   `json:"body"`
	Losses []string `json:"losses,omitempty"`
}

func translateBody(in translateIn) (*translateOut, error) {
	from, kind := cmp.Or(format.Wire(in.From), format.Auto), cmp.Or(format.Kind(in.Kind), format.KindRequest)
	body, losses, err := format.Translate([]byte(in.Body), from, format.Wire(in.To), kind, format.TranslateOptions{})
	if err != nil {
		return nil, err
	}
	out := &translateOut{Body: string(body)}
	for _, loss := range losses {
		if !loss.Minor {
			out.Losses = append(out.Losses, fmt.Sprint(loss))
		}
	}
	return out, nil
}

type detectIn struct {
	Text string `json:"text" jsonschema:"the model's text, or the source of a chat template"`
}

type detectOut struct {
	Dialect    string  `json:"dialect"`
	Confidence float64 `json:"confidence"`
	Calls      int     `json:"calls"`
}

func detectDialect(in detectIn) ([]detectOut, error) {
	out := []detectOut{}
	for _, guess := range dialect.Detect(in.Text) {
		out = append(out, detectOut{guess.Dialect.Name, guess.Confidence, guess.Calls})
	}
	return out, nil
}
