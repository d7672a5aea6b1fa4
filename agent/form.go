package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/internal/schema"
)

// answerForm is the required form of the final answer; nil means any text.
type answerForm struct {
	raw    json.RawMessage
	schema *schema.Schema
}

const wrongForm = "its answer does not have the required form"

func newAnswerForm(raw json.RawMessage) (*answerForm, error) {
	if raw == nil {
		return nil, nil
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, errors.New("agent: the schema of the answer is empty; give a JSON Schema")
	}
	err := schema.Check(raw)
	var s *schema.Schema
	if err == nil {
		s, err = schema.Compile(raw)
	}
	if err != nil {
		return nil, fmt.Errorf("agent: the schema of the answer: %w", err)
	}
	return &answerForm{raw, s}, nil
}

// words returns the system prompt with the instructions for the form.
func (f *answerForm) words(system string, tools bool) string {
	if f == nil {
		return system
	}
	return strings.TrimPrefix(system+"\n\n", "\n\n") + manifest.AnswerWords(f.raw, tools)
}

// ask requests the form from the provider, unless tools are offered: JSON mode would
// apply to everything that the model writes, including calls.
func (f *answerForm) ask(request *toolparse.Request, can Capabilities) {
	if f == nil || !can.JSONMode || len(request.Tools) > 0 {
		return
	}
	value := fmt.Appendf(nil, `{"type":"json_schema","json_schema":{"name":"answer","schema":%s}}`, f.raw)
	request.Extras = append(request.Extras, chat.Extra{Wire: string(toolparse.OpenAI), Name: "response_format", Value: value})
}

// check returns the JSON value in an answer, without a code fence around it, or describes
// for the model what is wrong with the answer.
func (f *answerForm) check(text string) (value, problem string) {
	if f == nil {
		return text, ""
	}
	value = strings.TrimSpace(text)
	if inner, ok := strings.CutSuffix(value, "```"); ok && strings.HasPrefix(inner, "```") {
		_, inner, _ = strings.Cut(inner, "\n")
		value = strings.TrimSpace(inner)
	}
	return value, f.schema.AnswerProblem(value)
}
