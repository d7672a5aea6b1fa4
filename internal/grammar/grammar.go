// Package grammar writes constraints that make a server sample only the calls of a text
// dialect: a GBNF grammar for llama.cpp, a JSON Schema, or a structural tag for vLLM and
// SGLang. [Write] does all of it.
//
// A grammar is made from the same [dialect.Dialect] as the parser, so that the parser
// reads everything a grammar allows as complete calls of the given tools, with
// arguments that fit their schemas. In some points a grammar is stricter than JSON
// Schema: objects have only the members that their schema declares, in that order, and
// numbers with bounds have no exponents. Other rules are left to validation, because no
// grammar can express them, or they would make it long: multipleOf, uniqueItems, contains,
// not, if, dependentRequired and similar keywords, format, patterns with assertions
// inside or of more than 2000 parts, a length beside a pattern or above 1000, the number
// of declared members in an object, distinct keys in an object of any keys, and of the
// bounds of numbers with fractions what is behind the point.
//
// Optional parameters and whole tools that the dialect cannot express are left out, and
// reported as losses. The output is deterministic.
package grammar

import (
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// Format is a kind of constraint that servers accept.
type Format string

// The formats.
const (
	GBNF          Format = "gbnf"           // a grammar for llama.cpp
	JSONSchema    Format = "json-schema"    // a schema of the whole message; only for dialects that are pure JSON
	StructuralTag Format = "structural-tag" // xgrammar's format for vLLM and SGLang: free text up to a trigger
)

// Formats returns all formats, in a fixed order.
func Formats() []Format { return []Format{GBNF, JSONSchema, StructuralTag} }

// Options choose the calls that a grammar allows.
type Options struct {
	Tools []toolcall.ToolDefinition

	// Choice says which tools may be called, and whether a call is required. If none
	// is, a structural tag lets the model answer without a call. The other formats
	// always demand calls: if they are optional, use a GBNF grammar as a lazy grammar,
	// with the triggers that its first lines list.
	Choice chat.ToolChoice
	// Single allows at most one call in a message.
	Single bool
	// Text makes a GBNF grammar allow any text before the calls, and text alone if no
	// call is required. It is for servers without lazy grammars. Write fails if the
	// calls begin with no marker that text can be kept free of.
	Text bool
}

// Error reports that no grammar can be written for the tools.
type Error struct {
	Dialect string
	Tool    string // "" if the error is not about a single tool
	Path    string // JSON pointer into the tool's schema
	Reason  string
}

// Error returns the dialect, the tool, the path and the reason.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("grammar: dialect " + e.Dialect)
	if e.Tool != "" {
		fmt.Fprintf(&b, ", tool %q", e.Tool)
	}
	if e.Path != "" {
		b.WriteString(" at " + e.Path)
	}
	return b.String() + ": " + e.Reason
}

// FormatError reports that a format cannot express a dialect.
type FormatError struct {
	Dialect string
	Format  Format
	Reason  string
	Has     []Format // the formats that can express the dialect
}

// Error returns the reason, and names the formats that can be used instead.
func (e *FormatError) Error() string {
	text := fmt.Sprintf("grammar: dialect %s has no %s: %s", e.Dialect, e.Format, e.Reason)
	if len(e.Has) == 0 {
		return text
	}
	names := make([]string, len(e.Has))
	for i, f := range e.Has {
		names[i] = string(f)
	}
	return text + "; it has " + strings.Join(names, ", ")
}

// Write returns a grammar for calls in the dialect d. It fails with a [*FormatError] if
// the format cannot express the dialect, and with an [*Error] if the grammar would
// allow no call. Invalid tools and choices are errors too. The losses list the tools
// and the optional parameters that the grammar leaves out, each with the reason.
func Write(d *dialect.Dialect, f Format, o Options) ([]byte, []chat.Loss, error) {
	if why := lacks(d, f); why != "" {
		e := &FormatError{Dialect: d.Name, Format: f, Reason: why}
		for _, other := range Formats() {
			if lacks(d, other) == "" {
				e.Has = append(e.Has, other)
			}
		}
		return nil, nil, e
	}
	w, err := newWriter(d, o)
	if err != nil {
		return nil, nil, err
	}
	var out []byte
	switch f {
	case JSONSchema:
		out, err = w.jsonSchema()
	case StructuralTag:
		out = w.structuralTag()
	default:
		out, err = w.gbnf()
	}
	if err != nil {
		return nil, nil, err
	}
	var losses []chat.Loss
	for _, l := range w.Losses {
		losses = append(losses, chat.Loss{Field: l.Field, Reason: l.Reason, Action: l.Action})
	}
	return out, losses, nil
}

// lacks returns why the format f cannot express a dialect, or "" if it can.
func lacks(d *dialect.Dialect, f Format) string {
	bare := d.Frame.Call.Open == "" && d.Frame.Section.Open == "" && d.Written.Call == ""
	inJSON := d.Head.Form == dialect.HeadEnvelope || d.Head.Form == dialect.HeadKey
	switch {
	case f != GBNF && f != JSONSchema && f != StructuralTag:
		return "unknown format"
	case d.Head.Form == "":
		return "it has no calls in text"
	case f == JSONSchema && !(bare && inJSON):
		return "its calls are not JSON alone"
	case f == StructuralTag && len(strings.TrimSpace(opener(d))) < 2 && !namesItsTag(d) && !(inJSON && d.Written.List.Open == ""):
		return "its calls begin with no marker that could trigger it"
	}
	return ""
}

// opener returns the marker with which the calls of a message begin.
func opener(d *dialect.Dialect) string {
	if d.Frame.Section.Open != "" {
		return d.Frame.Section.Open
	}
	return d.Frame.Call.Open + d.Written.List.Open
}

// namesItsTag reports whether a call begins with a tag that has the tool's name.
func namesItsTag(d *dialect.Dialect) bool {
	return d.Head.Form == dialect.HeadLiteral && d.Frame.Section.Open == "" && d.Frame.Call.Open != ""
}
