package mcp

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/printable"
)

// Limits for results, apart from text.
const (
	maxMedia = 4 << 20 // bytes of one image or file; providers take about 5 MB
	maxParts = 10      // images and files
)

// readResult converts the result of a server's tool for the model: texts, each with its
// source; images and documents; and structured content, unless a text says the same. It
// returns an error if the result says that it is one.
func readResult(from *sdk.CallToolResult) (agent.Result, error) {
	r := resultReader{}
	for _, content := range from.Content {
		r.content(content)
	}
	if r.places == len(r.texts) { // there are only images
		r.texts = nil
	}
	if from.StructuredContent != nil {
		r.result.Metadata = map[string]any{"structured_content": from.StructuredContent}
		r.structured(from.StructuredContent)
	}
	r.result.Output = strings.Join(r.texts, "\n")
	if !from.IsError {
		return r.result, nil
	}
	message := strings.TrimPrefix(printable.Short(r.result.Output, maxErrorText), "Error: ") // the model reads it after this word
	switch {
	case strings.TrimSpace(message) == "":
		message = "the tool failed, and does not say why"
	case len(r.result.Output) <= maxErrorText:
		r.result.Output = ""
	}
	return r.result, &agent.Error{Category: agent.Execution, Message: message}
}

// resultReader builds a result.
type resultReader struct {
	result agent.Result
	texts  []string
	places int // number of texts that only mark the place of an image
}

func (r *resultReader) text(format string, args ...any) {
	r.texts = append(r.texts, fmt.Sprintf(format, args...))
}

func (r *resultReader) content(content sdk.Content) {
	switch c := content.(type) {
	case *sdk.TextContent:
		r.texts = append(r.texts, c.Text)
	case *sdk.ImageContent:
		r.media("image", c.MIMEType, "", c.Data)
	case *sdk.AudioContent:
		r.text("[audio %s, %d bytes: not shown]", line(c.MIMEType), len(c.Data))
	case *sdk.ResourceLink:
		r.link(c)
	case *sdk.EmbeddedResource:
		r.embedded(c.Resource)
	default:
		r.text("[content of an unknown type: not shown]")
	}
}

// structured adds structured content, unless a text contains the same JSON.
func (r *resultReader) structured(content any) {
	for _, text := range r.texts {
		var same any
		if json.Unmarshal([]byte(text), &same) == nil && reflect.DeepEqual(same, content) {
			return
		}
	}
	if text, err := json.Marshal(content); err == nil { // it came as JSON
		r.texts = append(r.texts, string(text))
	}
}

// link describes a resource and its location.
func (r *resultReader) link(c *sdk.ResourceLink) {
	about := []string{line(c.URI)}
	if c.MIMEType != "" {
		about = append(about, line(c.MIMEType))
	}
	if c.Size != nil {
		about = append(about, fmt.Sprintf("%d bytes", *c.Size))
	}
	text := fmt.Sprintf("[resource %s: %s]", line(c.Name), strings.Join(about, ", "))
	if c.Description != "" {
		text += " " + clean(c.Description, maxDescription)
	}
	r.texts = append(r.texts, text)
}

// embedded adds the content of a resource.
func (r *resultReader) embedded(c *sdk.ResourceContents) {
	switch {
	case c == nil:
		r.text("[resource: empty]")
	case c.Blob != nil:
		r.media("resource", c.MIMEType, c.URI, c.Blob)
	default:
		r.text("[resource %s]\n%s", line(strings.TrimSpace(c.URI+" "+c.MIMEType)), c.Text)
	}
}

// images are the types of images that all providers accept.
var images = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// media adds an image or a document, and marks its place in the text. If models cannot
// read its type, it only says that it exists.
func (r *resultReader) media(what, kind, uri string, data []byte) {
	part := chat.Part{Kind: chat.PartImage, Media: &chat.Media{Type: kind, Data: base64.StdEncoding.EncodeToString(data)}}
	name := uri[strings.LastIndexByte(uri, '/')+1:]
	if kind == "application/pdf" {
		part.Kind, part.Media.Name = chat.PartFile, line(name)
	}
	about := strings.TrimSpace(what + " " + strings.TrimSpace(line(uri)+" "+line(kind)))
	switch {
	case len(data) == 0:
		r.text("[%s: empty]", about)
	case part.Kind == chat.PartImage && !slices.Contains(images, kind):
		r.text("[%s, %d bytes: not shown]", about, len(data))
	case len(data) > maxMedia, len(r.result.Parts) == maxParts:
		r.text("[%s, %d bytes: too much to show]", about, len(data))
	default:
		r.result.Parts = append(r.result.Parts, part)
		place := fmt.Sprintf("[%s %d]", part.Kind, len(r.result.Parts))
		if uri != "" {
			place = fmt.Sprintf("[%s %d: %s]", part.Kind, len(r.result.Parts), about)
		} else {
			r.places++
		}
		r.texts = append(r.texts, place)
	}
}

// line returns a text of the server on one line, shortened.
func line(text string) string {
	return strings.Join(strings.Fields(clean(text, maxName)), " ")
}
