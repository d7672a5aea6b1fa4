package clients

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/wire"
)

// said is what a client makes of an answer.
type said struct {
	Text, Thinking string
	Calls          []call
	Finish         string // the reason's name, whatever the wire's word
	Failed         bool
}

type call struct {
	ID, Name  string
	Arguments string // compact JSON with sorted keys and exact numbers; else as they are
}

// end sets the finish reason from a wire's word.
func (s *said) end(w format.Wire, word string) {
	s.Finish = wire.WithCalls(wire.ReadFinish(string(w), word), len(s.Calls) > 0).Reason.String()
}

// canonical makes arguments comparable.
func canonical(arguments string) string {
	dec := json.NewDecoder(strings.NewReader(arguments))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil || dec.More() {
		return arguments
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return arguments
	}
	return strings.TrimSpace(out.String())
}

// contentType returns what a server says that a body is.
func contentType(w format.Wire, stream bool) string {
	switch {
	case !stream:
		return "application/json"
	case w == format.Ollama:
		return "application/x-ndjson"
	}
	return "text/event-stream"
}

// server answers every request with one body, on the loopback interface.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked []byte // the body of the last request
}

func serve(t testing.TB, kind string, body []byte) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked bytes.Buffer
		if _, err := asked.ReadFrom(r.Body); err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.asked = asked.Bytes()
		s.mu.Unlock()
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(body) // a client that has seen enough may be gone
	}))
	t.Cleanup(s.Close)
	return s
}

// request returns the body of the last request.
func (s *server) request() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// client is a vendor's own.
type client struct {
	wire format.Wire
	// stream asks a server for a stream, and puts it together by what the
	// client has for that.
	stream func(t testing.TB, url string) (said, error)
	// whole asks for a whole answer.
	whole func(t testing.TB, url string) (said, error)
	// ask sends a request of many parts; see request_test.go.
	ask func(t testing.TB, url string)
}

// clients are all of them.
var clients = []client{
	{format.OpenAI, streamChat, wholeChat, askChat},
	{format.Responses, streamResponses, wholeResponses, askResponses},
	{format.Anthropic, streamAnthropic, wholeAnthropic, askAnthropic},
	{format.Gemini, streamGemini, wholeGemini, askGemini},
	{format.Ollama, streamOllama, wholeOllama, askOllama},
}
