package toolfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Error reports what in a tool file could not be read, and where.
type Error struct {
	File   string // set by the caller; may be ""
	Line   int    // line of invalid JSON, from 1; 0 if Path is set
	Column int    // column of invalid JSON, in bytes from 1
	Path   string // path of a wrong value, such as $.tools[2].function.name
	Reason string // what was expected, and what was found
}

// Error returns the place and the problem on one line.
func (e *Error) Error() string {
	place, text := e.File, e.Reason
	switch {
	case e.Line > 0 && e.File == "":
		place = fmt.Sprintf("line %d:%d", e.Line, e.Column)
	case e.Line > 0:
		place = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	for _, before := range []string{e.Path, place} {
		if before != "" {
			text = before + ": " + text
		}
	}
	return text
}

// syntaxError returns the error of decoding data, with its line and column.
func syntaxError(data []byte, err error) *Error {
	if len(bytes.TrimSpace(data)) == 0 {
		return &Error{Reason: "expected a JSON list of tools, got empty input"}
	}
	before := data
	if broken, ok := errors.AsType[*json.SyntaxError](err); ok {
		// Offset includes the offending byte.
		before = data[:max(0, min(int(broken.Offset)-1, len(data)))]
	}
	if isYAML(data) {
		return &Error{Reason: "the input is YAML; convert it to JSON first (yq -o json)"}
	}
	return &Error{
		Line:   1 + bytes.Count(before, []byte("\n")),
		Column: len(before) - bytes.LastIndexByte(before, '\n'),
		Reason: "expected JSON: " + strings.TrimPrefix(err.Error(), "json: "),
	}
}

// yamlStart matches the first line of a YAML document that is not JSON: a marker, a key,
// or an item of a list.
var yamlStart = regexp.MustCompile(`^(---|%YAML|- \S|["']?[A-Za-z_][\w.$-]*["']?:(\s|$))`)

// isYAML reports whether text that is not JSON looks like YAML.
func isYAML(data []byte) bool {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return yamlStart.Match(line)
		}
	}
	return false
}
