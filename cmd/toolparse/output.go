package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/toolparse/toolparse/internal/printable"
	"github.com/toolparse/toolparse/toolcall"
)

// What parse can print.
const (
	outputCalls  = "calls"
	outputEvents = "events"
	outputText   = "text"
)

var outputs = []string{outputCalls, outputEvents, outputText}

// outputNames are what -o takes.
func outputNames() []string { return append(outputs[:len(outputs):len(outputs)], wireNames()[2:]...) }

// output prints what was parsed. After an error it writes nothing more, and
// every method returns that error.
type output struct {
	what string // one of outputs, or a wire
	w    *bufio.Writer
}

func newOutput(w io.Writer, what string) *output {
	return &output{what: what, w: bufio.NewWriterSize(w, 64<<10)}
}

// event prints an event of a file, where events or text are asked for. file is
// "" where it needs no name.
func (o *output) event(e toolcall.Event, file string) error {
	switch {
	case o.what == outputEvents:
		return o.ofFile(e, file)
	case o.what == outputText && e.Type == toolcall.SegmentContent && e.Segment == toolcall.SegmentText:
		_, err := o.w.WriteString(e.Payload)
		return err
	}
	return nil
}

// call prints a call of a file, where calls are asked for.
func (o *output) call(call toolcall.ToolInvocation, file string) error {
	if o.what != outputCalls {
		return nil
	}
	return o.ofFile(call, file)
}

// reports prints what a provider says of the end of an answer, where events are asked
// for.
func (o *output) reports(lines []reportLine, file string) error {
	if o.what != outputEvents {
		return nil
	}
	for _, line := range lines {
		if err := o.ofFile(line, file); err != nil {
			return err
		}
	}
	return nil
}

// ofFile prints what was found in a file as a line. Ids begin anew in each file.
func (o *output) ofFile(v json.Marshaler, file string) error {
	text, err := v.MarshalJSON()
	if err == nil && file != "" {
		name, _ := json.Marshal(file) // of a string it cannot fail
		text = append(append(append(text[:len(text)-1], `,"file":`...), printable.JSON(name)...), '}')
	}
	return o.line(text, err)
}

func (o *output) line(text []byte, err error) error {
	if err != nil {
		return err
	}
	if _, err := o.w.Write(text); err != nil {
		return err
	}
	return o.w.WriteByte('\n')
}

// raw prints bytes that are ready.
func (o *output) raw(b []byte) error {
	_, err := o.w.Write(b)
	return err
}

// Write implements [io.Writer].
func (o *output) Write(b []byte) (int, error) { return o.w.Write(b) }

// flush hands on all that was printed.
func (o *output) flush() error { return o.w.Flush() }

// writeLine writes v as one line of JSON, for every reader of lines.
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
