package format_test

import (
	"testing"

	"github.com/toolparse/toolparse/format"
)

// Media are written if the target accepts their type, and otherwise named.
func TestMediaByType(t *testing.T) {
	const (
		noModel   = "model: the URL names the model; left out"
		noLimit   = "max_tokens: the wire requires a limit; a limit of 4096 tokens is set"
		audio     = "messages[0].parts[0]: files are documents, and audio is WAV or MP3; a text names it"
		ofGoogle  = "messages[0].parts[0]: the provider can fetch public URLs only; a text names it"
		documents = "messages[0].parts[0]: images must be JPEG, PNG, GIF or WebP, and documents PDF or text; a text names it"
		named     = "messages[0].parts[0].media.name: a file needs a name; named file.pdf"
	)
	chatPart := func(part string) string {
		return `{"model":"m","messages":[{"role":"user","content":[` + part + `]}]}`
	}
	part := func(part string) string { return `{"model":"m","contents":[{"role":"user","parts":[` + part + `]}]}` }
	wav := part(`{"inlineData":{"mimeType":"audio/wav","data":"UklGRg=="}}`)
	for _, tt := range []struct {
		name, body string
		from       format.Wire
		want       []translated
	}{
		{"input_audio", chatPart(`{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"mp3"}}`), format.OpenAI, []translated{
			{format.Gemini, `{"inlineData":{"mimeType":"audio/mp3","data":"UklGRg=="}}`, "", []string{noModel}},
			{format.OpenAI, `{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"mp3"}}`, "", nil},
			{format.Anthropic, `"content":"[file audio/mp3]"`, "UklG", []string{noLimit, documents}},
			{format.Responses, `"text":"[file audio/mp3]"`, "UklG", []string{"messages[0].parts[0]: files are documents; a text names it"}},
		}},
		{"audio", wav, format.Gemini, []translated{
			{format.OpenAI, `{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}`, "", nil},
			{format.Anthropic, `"content":"[file audio/wav]"`, "UklG", []string{noLimit, documents}},
			{format.Gemini, `{"inlineData":{"mimeType":"audio/wav","data":"UklGRg=="}}`, "", nil},
		}},
		{"audio that has no word", part(`{"inlineData":{"mimeType":"audio/flac","data":"UklGRg=="}}`), format.Gemini, []translated{
			{format.OpenAI, `"text":"[file audio/flac]"`, "UklG", []string{audio}},
		}},
		{"a URL of Google's own", part(`{"fileData":{"mimeType":"image/png","fileUri":"gs://b/a.png"}}`), format.Gemini, []translated{
			{format.OpenAI, `"text":"[image gs://b/a.png]"`, "url", []string{ofGoogle}},
			{format.Anthropic, `"content":"[image gs://b/a.png]"`, "url", []string{noLimit, ofGoogle}},
			{format.Gemini, `"fileUri":"gs://b/a.png"`, "", nil},
		}},
		{"a file without a name", part(`{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0="}}`), format.Gemini, []translated{
			{format.OpenAI, `"filename":"file.pdf"`, "", []string{named}},
			{format.Anthropic, `"media_type":"application/pdf"`, "title", []string{noLimit}},
		}},
		{"no name, as it came", chatPart(`{"type":"file","file":{"file_data":"data:application/pdf;base64,JVBERi0="}}`), format.OpenAI, []translated{
			{format.OpenAI, `"file_data":"data:application/pdf;base64,JVBERi0="`, "filename", nil},
			{format.Responses, `"filename":"file.pdf"`, "", []string{named}},
		}},
	} {
		for _, w := range tt.want {
			t.Run(tt.name+" to "+string(w.to), func(t *testing.T) { w.check(t, tt.from, format.KindRequest, tt.body) })
		}
	}
}
