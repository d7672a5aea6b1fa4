package conform

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/toolparse/toolparse/internal/toolfile"
)

// LineError reports a line that is not a vector.
type LineError struct {
	Line int    // from 1
	ID   string // id of the vector, if it could be read
	Err  error
}

// Error returns the line, the vector and what is wrong.
func (e *LineError) Error() string {
	if e.ID == "" {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("line %d (%s): %v", e.Line, e.ID, e.Err)
}

// Unwrap returns Err.
func (e *LineError) Unwrap() error { return e.Err }

// Vectors reads JSON Lines with a vector each:
//
//	{"id":"xml/one-1","dialect":"xml","tier":"core","tools":[...],"start":"reasoning",
//	 "input":"..." or "chunks":["...","..."],
//	 "expect":{"text":"","reasoning":"","calls":[{"name":"f","arguments":{}}],"incomplete":true},
//	 "compare":{"text":"collapsed","reasoning":"collapsed","args":"json"}}
//
// It skips empty lines and ignores unknown members. For a line that is not a vector it
// yields a [*LineError] with as much of the vector as it could read, and continues. An
// error of r comes last. The iterator is lazy and single-use.
func Vectors(r io.Reader) iter.Seq2[Vector, error] {
	return func(yield func(Vector, error) bool) {
		br := bufio.NewReader(r)
		for n := 1; ; n++ {
			line, err := br.ReadBytes('\n')
			if err != nil && err != io.EOF {
				yield(Vector{}, err)
				return
			}
			if line := bytes.TrimSpace(line); len(line) > 0 {
				v, bad := decodeVector(line)
				if bad != nil {
					bad = &LineError{Line: n, ID: v.ID, Err: bad}
				}
				if !yield(v, bad) {
					return
				}
			}
			if err == io.EOF {
				return
			}
		}
	}
}

// decodeVector reads one line. With an error it returns what it could read.
func decodeVector(line []byte) (Vector, error) {
	var v Vector
	in := struct { // what is required, and what may have another form
		*Vector
		Tools  json.RawMessage `json:"tools"`
		Input  *string         `json:"input"`
		Expect *Expectation    `json:"expect"`
	}{Vector: &v}
	if err := json.Unmarshal(line, &in); err != nil {
		return v, err
	}
	switch {
	case in.ID == "":
		return v, errors.New("id: expected a name for the vector, got nothing")
	case in.Dialect == "":
		return v, errors.New("dialect: expected a dialect's name, got nothing")
	case in.Expect == nil:
		return v, errors.New("expect: expected an object, got nothing")
	case in.Start != "" && in.Start != "reasoning":
		return v, fmt.Errorf(`start: expected "reasoning", got %q`, in.Start)
	case (in.Input == nil) == (in.Chunks == nil):
		return v, errors.New("expected either input or chunks")
	}
	if v.Expect = *in.Expect; in.Input != nil {
		v.Input = *in.Input
	} else {
		v.Input = strings.Join(in.Chunks, "")
	}
	if len(in.Tools) > 0 && string(in.Tools) != "null" {
		tools, err := toolfile.Parse(in.Tools)
		if err != nil {
			return v, fmt.Errorf("tools: %w", err)
		}
		v.Tools = ToolsOf(tools)
	}
	return v, v.Compare.check()
}

// check sets the default modes, and fails on unknown ones.
func (c *Comparison) check() error {
	for _, m := range []struct {
		field string
		mode  *TextMode
	}{{"text", &c.Text}, {"reasoning", &c.Reasoning}} {
		switch *m.mode {
		case "":
			*m.mode = Collapsed
		case Collapsed, Unasserted:
		default:
			return fmt.Errorf("compare.%s: expected %q or %q, got %q", m.field, Collapsed, Unasserted, *m.mode)
		}
	}
	switch c.Args {
	case "":
		c.Args = ArgsJSON
	case ArgsJSON, ArgsPrefix, ArgsNameOnly:
	default:
		return fmt.Errorf("compare.args: expected %q, %q or %q, got %q", ArgsJSON, ArgsPrefix, ArgsNameOnly, c.Args)
	}
	return nil
}
