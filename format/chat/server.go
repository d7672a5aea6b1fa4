package chat

import (
	"cmp"
	"net/url"
	"strings"
)

// Server is how a wire is spoken over HTTP, beside the bodies that a Codec reads and
// writes. Nothing changes it.
type Server struct {
	// Paths below the base URL that the vendor documents; {model} stands for the
	// model. Stream is "" where streams come from where whole answers do.
	Path, Stream string
	Models       string            // where the list of models is
	Key          [2]string         // the header for an API key, and what stands before the key in it
	Headers      map[string]string // what else every request needs
	StreamType   string            // the media type of a stream

	// EncodeError writes an error as the body of an answer with an HTTP status. A code
	// that the wire does not have gives way to the wire's word for the status.
	EncodeError  func(status int, e Error) []byte
	EncodeModels func([]Model) []byte
	DecodeModels func(body []byte) ([]Model, error)
	// EncodeCount writes how many tokens a prompt is; nil where nobody can ask.
	EncodeCount func(tokens int) []byte
}

// Model is an entry of a server's list of models.
type Model struct {
	ID      string
	Name    string // for people; "" is the ID
	Owner   string
	Created int64 // seconds since 1970
	Context int   // tokens; 0 is unknown
}

// DisplayName returns the name for people.
func (m Model) DisplayName() string { return cmp.Or(m.Name, m.ID) }

// URL returns where a server takes a request.
func (s *Server) URL(base, model string, stream bool) string {
	path := s.Path
	if stream && s.Stream != "" {
		path = s.Stream
	}
	return join(base, strings.ReplaceAll(path, "{model}", url.PathEscape(strings.TrimPrefix(model, "models/"))))
}

// ModelsURL returns where a server lists its models.
func (s *Server) ModelsURL(base string) string { return join(base, s.Models) }

func join(base, path string) string { return strings.TrimRight(base, "/") + path }
