// Command textmodel simulates a server without tool calling, to try toolparse serve and
// real coding clients without a model. It writes each call as text in a dialect:
//
//	textmodel -d hermes &
//	toolparse serve --upstream http://127.0.0.1:8080/v1 -d hermes
//
// For any request it writes hello.txt with the client's tool for shell commands; if the
// user asks when the tides are, it calls the tool with that name. After the result it ends. For
// a client without tools that wants whole files in the answer, as aider does, it writes one.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/text"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/toolcall"
)

const command = `printf 'Hello from a text model.\n' > hello.txt`

// shells are the tools for shell commands that coding clients have.
var shells = []struct{ name, arguments string }{
	{"exec_command", `{"cmd":%q}`},
	{"run_shell_command", `{"command":%q,"description":"Writes hello.txt"}`},
	{"bash", `{"command":%q,"description":"Writes hello.txt"}`},
	{"Bash", `{"command":%q,"description":"Writes hello.txt"}`},
}

// declared returns the first tool that a prompt declares, in whichever form a dialect does,
// and whose name matches the pattern; or "".
func declared(prompt, pattern string) string {
	forms := `"name": ?"|'name': '|name="|<name>|### |## |declaration:|type |def |FUNCTION #\d+: |TOOL_NAME: |^`
	if m := regexp.MustCompile(`(?m)(?:` + forms + `)(` + pattern + `)\b`).FindStringSubmatch(prompt); m != nil {
		return m[1]
	}
	return ""
}

// listing is the answer for a client that has no tools and asks for file listings.
const listing = "hello.txt\n```\nHello from a text model.\n```\n"

// hasCall reports whether the model wrote a text of the history, which is one of its calls.
func hasCall(text string) bool {
	return strings.Contains(text, "Hello from a text model.") || strings.Contains(text, "Bergen")
}

// model writes calls in a dialect.
type model struct {
	codec  wire.Codec
	writer *text.Writer
}

func newModel(name string) (*model, error) {
	dialects, err := dialect.Named(name, "")
	if err != nil {
		return nil, err
	}
	if len(dialects) != 1 || dialects[0].Native() {
		return nil, fmt.Errorf("%s is not one dialect in which calls are text", name)
	}
	writer, err := text.NewWriter(dialects[0], text.Options{})
	if err != nil {
		return nil, err
	}
	codec, err := all.CodecOf(format.OpenAI)
	return &model{codec, writer}, err
}

// ServeHTTP answers Chat Completions requests.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"textmodel","object":"model","created":0,"owned_by":"toolparse"}]}`)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = m.answer(w, body)
	}
	if err != nil {
		log.Print(err)
		http.Error(w, fmt.Sprintf(`{"error":{"message":%q}}`, err), http.StatusBadRequest)
	}
}

func (m *model) answer(w http.ResponseWriter, body []byte) error {
	request, err := m.codec.DecodeRequest(body)
	if err != nil {
		return err
	}
	text, err := m.say(request)
	if err != nil {
		return err
	}
	meta := chat.Meta{Wire: string(format.OpenAI), ID: "chatcmpl-textmodel", Model: "textmodel", Created: time.Now().Unix(), Usage: wire.WithTotal(chat.Usage{Input: len(body) / 4, Output: len(text) / 4})}
	if !request.Stream {
		message := chat.Message{Role: chat.Assistant, Parts: []chat.Part{chat.TextPart(text)}}
		out, _ := m.codec.EncodeResponse(&wire.Response{Meta: meta, Choices: []wire.Choice{{Message: message, Finish: chat.Finish{Reason: chat.FinishStop}}}}, wire.Options{})
		_, err = w.Write(out)
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	enc := m.codec.NewEncoder(wire.Options{})
	enc.SetMeta(meta)
	for piece := range strings.SplitAfterSeq(text, " ") {
		_, _ = w.Write(enc.Append(nil, toolcall.Delta{Kind: toolcall.DeltaText, Text: piece})) // a client that is gone ends the request
		_ = http.NewResponseController(w).Flush()
	}
	_, _ = w.Write(enc.Close(enc.Append(nil, toolcall.Delta{Kind: toolcall.DeltaFinish, Text: "stop"})))
	return nil
}

// say returns the model's output: a call, or an answer if it already made one.
func (m *model) say(request *chat.Request) (string, error) {
	if len(request.Tools) > 0 {
		return "", errors.New("this server has no tool calling: 'tools' is not supported")
	}
	var system, user string // some dialects declare tools to the user
	for _, msg := range request.Messages {
		if msg.Role == chat.ToolRole || msg.HasCalls() {
			return "", errors.New("this server has no tool calling: the history has calls or results")
		}
		for _, p := range msg.Parts {
			switch {
			case msg.Role == chat.Assistant && hasCall(p.Text):
				return "Done. I have seen the result.", nil
			case msg.Role == chat.Assistant: // some clients begin with one
			case msg.Role == chat.System:
				system += p.Text
			default:
				user += p.Text
			}
		}
	}
	call := toolcall.ToolInvocation{}
	if strings.Contains(user, "When are the tides") {
		call.Name, call.Arguments = declared(system+user, `[\w.-]*tides`), json.RawMessage(`{"port":"Bergen"}`)
	}
	for _, shell := range shells {
		if call.Name == "" && declared(system+user, shell.name) != "" {
			call.Name, call.Arguments = shell.name, fmt.Appendf(nil, shell.arguments, command)
		}
	}
	switch {
	case call.Name == "" && strings.Contains(system, "*file listing*"):
		return listing, nil
	case call.Name == "":
		return "Hello", nil
	}
	calls := []toolcall.ToolInvocation{call}
	out, err := m.writer.Append(nil, text.Message{Text: "I call " + call.Name + ".\n", Calls: calls})
	if err != nil { // in some dialects a call must come first
		out, err = m.writer.Append(nil, text.Message{Calls: calls})
	}
	return string(out), err
}

func main() {
	address := flag.String("listen", "127.0.0.1:8080", "address to listen on; port 0 picks one")
	dialect := flag.String("d", "hermes", "dialect of the calls")
	flag.Parse()
	m, err := newModel(*dialect)
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Addr: *address, Handler: m, ReadHeaderTimeout: 10 * time.Second}
	listener, err := net.Listen("tcp", server.Addr)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("textmodel writes %s at http://%s/v1", *dialect, listener.Addr())
	log.Fatal(server.Serve(listener))
}
