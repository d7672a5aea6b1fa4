package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/toolparse/toolparse/internal/recent"
)

// maxMessage limits a message of a server, in bytes.
const maxMessage = 16 << 20

// wiretap inspects the messages of a server before the SDK reads them, for what the SDK
// drops: the order of parameters, the digits of numbers, and that the list of tools has
// changed, which must be known before the result of the call that changed it.
type wiretap struct {
	changed func()                                 // called when the server says that its list has changed
	schemas *recent.Cache[string, json.RawMessage] // by the server's name of the tool
}

func newWiretap(changed func()) *wiretap {
	return &wiretap{changed, recent.New[string, json.RawMessage](maxNames, maxSchemas)}
}

// maxSchemas limits the bytes of the schemas that are kept, in case a server changes its list
// again and again.
const maxSchemas = 64 << 20

const methodListChanged = "notifications/tools/list_changed"

// look inspects a message.
func (w *wiretap) look(message []byte) {
	listed := bytes.Contains(message, []byte(`"inputSchema"`))
	if !listed && !bytes.Contains(message, []byte(methodListChanged)) {
		return
	}
	var m struct {
		Method string `json:"method"`
		Result struct {
			Tools []struct {
				Name        string          `json:"name"`
				InputSchema json.RawMessage `json:"inputSchema"`
			} `json:"tools"`
		} `json:"result"`
	}
	if json.Unmarshal(message, &m) != nil {
		return
	}
	if m.Method == methodListChanged {
		w.changed()
	}
	for _, tool := range m.Result.Tools {
		if len(tool.InputSchema) <= maxSchema && len(tool.Name) <= maxName { // others are not offered
			w.schemas.Put(tool.Name, len(tool.Name)+len(tool.InputSchema), tool.InputSchema)
		}
	}
}

// schema returns the parameters of a tool as the server wrote them, or nil if they are
// unknown.
func (w *wiretap) schema(tool string) json.RawMessage {
	schema, _ := w.schemas.Get(tool)
	return schema
}

// messageLines returns those lines of a server's output that are messages. It sends
// others, such as log lines that a server wrongly prints there, to other.
type messageLines struct {
	from  *bufio.Scanner
	is    func(line []byte) bool
	look  func(message []byte)
	other func(line []byte)
	rest  []byte // of the current line
}

func newMessageLines(from io.Reader, look, other func([]byte)) *messageLines {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 64<<10), maxMessage)
	return &messageLines{from: lines, is: isMessage, look: look, other: other}
}

// Read implements [io.Reader].
func (l *messageLines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if !l.from.Scan() {
			err := cmp.Or(l.from.Err(), io.EOF)
			if errors.Is(err, bufio.ErrTooLong) {
				err = fmt.Errorf("a message of more than %d MiB", maxMessage>>20)
			}
			return 0, err
		}
		switch line := l.from.Bytes(); {
		case len(bytes.TrimSpace(line)) == 0:
		case l.is(line):
			l.look(line)
			l.rest = append(line, '\n') // the scanner reads on when this is read
		default:
			l.other(line)
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// isMessage reports whether a line is a JSON-RPC message or a list of them.
func isMessage(line []byte) bool {
	line = bytes.TrimSpace(line)
	if line[0] == '[' {
		var batch []json.RawMessage
		return json.Unmarshal(line, &batch) == nil && len(batch) > 0 && isMessage(batch[0])
	}
	var m struct {
		Version string `json:"jsonrpc"`
	}
	return line[0] == '{' && json.Unmarshal(line, &m) == nil && m.Version == "2.0"
}

// tappedBody inspects the messages in the body of an HTTP response: the whole body, or
// the data of each event.
type tappedBody struct {
	io.ReadCloser
	look    func(message []byte)
	events  bool
	partial []byte
}

// Read implements [io.Reader].
func (b *tappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		piece, after, ended := rest, []byte(nil), false
		if b.events {
			piece, after, ended = bytes.Cut(rest, []byte("\n"))
		}
		if len(b.partial)+len(piece) <= maxMessage {
			b.partial = append(b.partial, piece...)
		}
		if ended {
			b.end()
		}
		rest = after
	}
	if err != nil {
		b.end()
	}
	return n, err
}

func (b *tappedBody) end() {
	message := b.partial
	if b.events {
		message = bytes.TrimPrefix(message, []byte("data:"))
	}
	b.look(message)
	b.partial = b.partial[:0]
}
