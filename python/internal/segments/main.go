// Command segments prints the segments that the Go library finds in conformance vectors,
// a line of JSON for each vector. A test compares them with those of the Python package.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/toolparse/toolparse/internal/conform"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// reading is a vector's input, its options, and the segments that the library finds.
type reading struct {
	ID       string                    `json:"id"`
	Dialect  string                    `json:"dialect"`
	Start    bool                      `json:"start_in_reasoning"`
	Tools    []toolcall.ToolDefinition `json:"tools"`
	Input    []byte                    `json:"input"`
	Segments []*segment                `json:"segments"`
}

// segment is a segment with its events joined.
type segment struct {
	Type     string          `json:"type"`
	Name     string          `json:"name"`
	Content  string          `json:"content"`
	Raw      []byte          `json:"raw"`
	Metadata json.RawMessage `json:"metadata"` // of its end
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	for _, name := range os.Args[1:] {
		if err := file(out, name); err != nil {
			fmt.Fprintf(os.Stderr, "segments: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "segments:", err)
		os.Exit(1)
	}
}

// file prints the segments of the vectors in a file.
func file(out *bufio.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for v, err := range conform.Vectors(f) {
		if err != nil {
			return err
		}
		r := reading{ID: v.ID, Dialect: v.Dialect, Start: v.Start != "", Tools: v.Definitions(), Input: []byte(v.Input)}
		if err := r.read(); err != nil {
			return fmt.Errorf("%s: %w", v.ID, err)
		}
		if err := json.NewEncoder(out).Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// read finds the segments of the input.
func (r *reading) read() error {
	dialects, err := dialect.Named(r.Dialect, "")
	if err != nil {
		return err
	}
	p, err := parser.New(parser.Options{Dialects: dialects, Tools: r.Tools, StartInReasoning: r.Start})
	if err != nil {
		return err
	}
	open := map[string]*segment{}
	for _, e := range p.Close(p.Feed(nil, string(r.Input))) {
		s := open[e.ID]
		if e.Type == toolcall.SegmentStart {
			s = &segment{Type: string(e.Segment), Name: e.Name}
			open[e.ID], r.Segments = s, append(r.Segments, s)
		}
		s.Content += e.Delta()
		s.Raw = append(s.Raw, e.Raw...)
		if e.Type == toolcall.SegmentEnd {
			var form struct {
				Payload struct{ Metadata json.RawMessage }
			}
			text, err := e.MarshalJSON()
			if err == nil {
				err = json.Unmarshal(text, &form)
			}
			if err != nil {
				return err
			}
			s.Metadata = form.Payload.Metadata
		}
	}
	return nil
}
