package wire

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
)

// Server says how to speak a wire over HTTP, apart from the bodies, which a Codec reads
// and writes. It is read-only.
type Server struct {
	// Path and Stream are the vendor's paths below the base URL, for whole answers and
	// for streams; {model} stands for the model. An empty Stream means Path.
	Path, Stream string
	Models       string            // path of the list of models
	Base         string            // the vendor's own server
	KeyName      string            // the environment variable with a key for it; "" if it needs none
	Key          [2]string         // the header for an API key, and the text before the key in it
	Headers      map[string]string // required in every request
	StreamType   string            // media type of a stream
	Extras       chat.Extras       // to add to every request
	SignsCalls   bool              // the models sign their calls, and need the signatures back

	// EncodeError writes an error as a body for an HTTP status. It replaces a code that
	// the wire does not know with the wire's word for the status.
	EncodeError  func(status int, e Error) []byte
	EncodeModels func([]Model) []byte
	// EncodeModel writes one model, as an answer of its own; nil where nobody can ask.
	EncodeModel  func(Model) []byte
	DecodeModels func(body []byte) ([]Model, error)
	// EncodeCount writes the number of tokens of a prompt; nil if the wire has no such
	// request.
	EncodeCount func(tokens int) []byte
}

// Model is an entry of a server's list of models.
type Model struct {
	ID      string
	Name    string // for people; "" means ID
	Owner   string
	Created int64 // seconds since 1970
	Context int   // tokens; 0 if unknown
}

// DisplayName returns the name to show to people.
func (m Model) DisplayName() string { return cmp.Or(m.Name, m.ID) }

// URL returns the URL for a request.
func (s *Server) URL(base, model string, stream bool) string {
	path := s.Path
	if stream && s.Stream != "" {
		path = s.Stream
	}
	return join(base, strings.ReplaceAll(path, "{model}", url.PathEscape(strings.TrimPrefix(model, "models/"))))
}

// ModelsURL returns the URL of the list of models.
func (s *Server) ModelsURL(base string) string { return join(base, s.Models) }

func join(base, path string) string { return strings.TrimRight(base, "/") + path }
