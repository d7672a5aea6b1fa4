package format_test

import (
	"strings"
	"testing"

	"github.com/toolparse/toolparse/format"
)

// What a vendor refuses becomes something that it accepts, and is reported. What a caller of the
// same wire writes stays as it is.
func TestVendorsRules(t *testing.T) {
	gemini := func(config string) string {
		return `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{` + config + `}}`
	}
	const tool = `"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}`
	const think = `"thinkingConfig":{"thinkingBudget":24576}`
	const own = `{"model":"m","max_tokens":9,"thinking":{"type":"enabled","budget_tokens":1024},"temperature":0.5,"top_k":4,"messages":[{"role":"user","content":"hi"}]}`
	openAIFile := `{"model":"m","messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"file-1"}}]}]}`
	stops := `{"model":"m","max_tokens":9,"stop_sequences":["1","2","3","4","5","6"],"messages":[{"role":"user","content":"hi"}]}`
	tests := []struct {
		from, to format.Wire
		kind     format.Kind
		vendor   bool
		body     string
		want     []string // in the result; those with a ! are not
		losses   []string // their fields
	}{
		{from: format.Gemini, to: format.Anthropic, body: gemini(think), want: []string{`"max_tokens":28672`, `"budget_tokens":24576`}, losses: []string{"max_tokens"}},
		{from: format.Gemini, to: format.Anthropic, body: gemini(`"maxOutputTokens":4000,` + think), want: []string{`"max_tokens":4000`, `"budget_tokens":2000`}, losses: []string{"thinking.budget_tokens"}},
		{from: format.Gemini, to: format.Anthropic, body: gemini(`"maxOutputTokens":100,` + think), want: []string{`"max_tokens":100`, `!thinking`}, losses: []string{"thinking"}},
		{
			from: format.Gemini, to: format.Anthropic, body: gemini(`"maxOutputTokens":30000,"temperature":0.5,"topP":0.5,"topK":40,` + think),
			want: []string{`"budget_tokens":24576`, "!temperature", "!top_p", "!top_k"}, losses: []string{"temperature", "top_k", "top_p"},
		},
		{
			from: format.Gemini, to: format.Anthropic, body: strings.TrimSuffix(gemini(`"maxOutputTokens":30000,"temperature":0.5,`+think), "}") + "," + tool + "}",
			want: []string{"!thinking", `"temperature":0.5`, `"type":"any"`}, losses: []string{"thinking"},
		},
		{from: format.Anthropic, to: format.Anthropic, body: own, want: []string{`"max_tokens":9`, `"budget_tokens":1024`, `"temperature":0.5`, `"top_k":4`}},

		{from: format.OpenAI, to: format.Anthropic, body: openAIFile, want: []string{`[file file-1]`, `!file_id`}, losses: []string{"messages[0].parts[0]"}},
		{from: format.OpenAI, to: format.Responses, body: openAIFile, want: []string{`"file_id":"file-1"`}},
		{from: format.OpenAI, to: format.OpenAI, body: openAIFile, want: []string{`"file_id":"file-1"`}},
		{
			from: format.Gemini, to: format.Anthropic,
			body: `{"contents":[{"role":"user","parts":[{"fileData":{"mimeType":"video/mp4","fileUri":"https://example.com/v"}},{"fileData":{"mimeType":"application/pdf","fileUri":"https://example.com/p"}}]}]}`,
			want: []string{`[file https://example.com/v]`, `"url":"https://example.com/p"`}, losses: []string{"max_tokens", "messages[0].parts[0]", "messages[0].parts[1].media.type"},
		},

		{from: format.Anthropic, to: format.OpenAI, body: stops, want: []string{`"stop":["1","2","3","4","5","6"]`}},
		{from: format.Anthropic, to: format.OpenAI, vendor: true, body: stops, want: []string{`"stop":["1","2","3","4"]`}, losses: []string{"stop[4]", "stop[5]"}},

		{
			from: format.Anthropic, to: format.OpenAI, kind: format.KindTools,
			body: `[{"name":"f","input_schema":{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"array"}}}]}}]`,
			want: []string{`"parameters":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{}}}`, "!oneOf"}, losses: []string{"tools[0].parameters"},
		},
		{
			from: format.Anthropic, to: format.Responses, kind: format.KindTools, body: `[{"name":"f","input_schema":{"properties":{"a":{"type":"integer"}}}}]`,
			want: []string{`"parameters":{"type":"object","properties":{"a":{"type":"integer"}}}`},
		},
		{
			from: format.OpenAI, to: format.OpenAI, kind: format.KindTools, body: `[{"type":"function","function":{"name":"f","parameters":{"anyOf":[{"required":["a"]}]}}}]`,
			want: []string{`"parameters":{"anyOf":[{"required":["a"]}]}`},
		},
	}
	for _, tt := range tests {
		if tt.kind == "" {
			tt.kind = format.KindRequest
		}
		out, losses, err := format.Translate([]byte(tt.body), tt.from, tt.to, tt.kind, format.TranslateOptions{VendorOnly: tt.vendor, Model: "m"})
		if err != nil {
			t.Errorf("%s: %v", tt.body, err)
		}
		for _, want := range tt.want {
			absent := strings.HasPrefix(want, "!")
			if strings.Contains(string(out), strings.TrimPrefix(want, "!")) == absent {
				t.Errorf("%s to %s, %s: %s\nwant %s", tt.from, tt.to, tt.body, out, want)
			}
		}
		reported := map[string]bool{}
		for _, loss := range losses {
			reported[loss.Field] = true
		}
		for _, field := range tt.losses {
			if !reported[field] {
				t.Errorf("%s to %s, %s: %v\nwant a loss of %s", tt.from, tt.to, tt.body, losses, field)
			}
		}
		if len(tt.losses) == 0 && len(losses) > 0 {
			t.Errorf("%s to %s, %s: %v", tt.from, tt.to, tt.body, losses)
		}
	}
}
