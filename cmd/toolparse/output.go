package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/toolcall"
)

// The outputs of parse, besides the wires.
const (
	outputCalls  = "calls"
	outputEvents = "events"
	outputText   = "text"
)

var outputs = []string{outputCalls, outputEvents, outputText}

// output prints what was parsed. After an error it writes nothing more, and
// every method returns that error.
type output struct {
	what string // one of outputs, or a wire
	w    *bufio.Writer
}

func newOutput(w io.Writer, what string) *output {
	return &output{what: what, w: bufio.NewWriterSize(w, 64<<10)}
}

// event prints the part of an event that the output shows. file is "" if there is only
// one input.
func (o *output) event(e toolparse.StreamEvent, file string) error {
	switch {
	case o.what == outputEvents:
		return o.ofFile(e.Event, file)
	case o.what == outputCalls && e.Call != nil:
		return o.ofFile(*e.Call, file)
	case o.what == outputText && e.Type == toolcall.SegmentContent && e.Segment == toolcall.SegmentText:
		_, err := o.w.WriteString(e.Payload)
		return err
	}
	return nil
}

// ended prints, for the output events, how the provider ended the answer. err is the
// error with which the stream ended, or nil.
func (o *output) ended(stream *toolparse.Stream, err error, file string) error {
	if o.what != outputEvents {
		return nil
	}
	if word, detail := stream.FinishWords(); word != "" {
		metadata := map[string]string{"finish_reason": word}
		if detail != "" {
			metadata["detail"] = detail
		}
		if err := o.ofFile(answerLine("FINISH", metadata), file); err != nil {
			return err
		}
	}
	if failed, ok := errors.AsType[*format.ReportedError](err); ok {
		metadata := map[string]string{"message": failed.Message}
		if failed.Code != "" {
			metadata["code"] = failed.Code
		}
		return o.ofFile(answerLine("ERROR", metadata), file)
	}
	return nil
}

// answerLine returns a line of the output events about the whole answer.
func answerLine(kind string, metadata map[string]string) json.RawMessage {
	text, _ := json.Marshal(metadata) // of strings it cannot fail
	return printable.JSON(fmt.Appendf(nil, `{"type":%q,"segment_id":"","payload":{"metadata":%s}}`, kind, text))
}

// ofFile prints what was found in a file as a line. Ids begin anew in each file.
func (o *output) ofFile(v json.Marshaler, file string) error {
	text, err := v.MarshalJSON()
	if err != nil {
		return err
	}
	if file != "" {
		name, _ := json.Marshal(file) // of a string it cannot fail
		text = append(append(append(text[:len(text)-1], `,"file":`...), printable.JSON(name)...), '}')
	}
	o.w.Write(text) // an error stays with the writer
	return o.w.WriteByte('\n')
}

// Write implements [io.Writer].
func (o *output) Write(b []byte) (int, error) { return o.w.Write(b) }

// flush writes everything that was printed.
func (o *output) flush() error { return o.w.Flush() }

// newTable returns a table on stdout. Its cells end with a tab, and it is written by Flush.
func (c *cli) newTable() *tabwriter.Writer { return tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0) }

// writeLines writes each value as writeLine does.
func writeLines[T any](w io.Writer, list []T) error {
	for _, v := range list {
		if err := writeLine(w, v); err != nil {
			return err
		}
	}
	return nil
}

// writeLine writes v as one line of JSON that every reader of lines takes as one.
func writeLine(w io.Writer, v any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(printable.JSON(line.Bytes()))
	return err
}
