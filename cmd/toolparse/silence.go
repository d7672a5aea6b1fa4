package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// silence explains why no call was found in an input that seems to contain one, or that
// seems not to be plain text.
type silence struct {
	*parsing
	name  string
	plain bool // the input is in no known wire format

	calls    bool   // a call was found
	replaced bool   // some call has U+FFFD for invalid bytes
	text     []byte // the beginning of the visible text
	cut      bool   // text is not all of it
	raw      []byte // the beginning of an input that was taken for text
}

// maxSilence bounds the text that is inspected, in bytes.
const maxSilence = 1 << 20

// pythonObject matches the beginning of an answer that a vendor's Python library
// printed.
var pythonObject = regexp.MustCompile(`^\s*[A-Z]\w+\(\w+=`)

// guessedText reports whether the input was taken for text although the user did not say so.
func (s *silence) guessedText() bool {
	return s.plain && s.opts.Wire == toolparse.Auto && s.flags.field == ""
}

func (s *silence) event(e toolparse.StreamEvent) {
	if s.guessedText() {
		s.raw = append(s.raw, e.Raw[:min(len(e.Raw), maxSilence-len(s.raw))]...)
	}
	s.replaced = s.replaced || e.Call != nil && e.Call.Tolerances&toolcall.InvalidUTF8 != 0
	if s.calls = s.calls || e.Segment.IsCall(); s.calls {
		s.text = nil
		return
	}
	if e.Type == toolcall.SegmentContent && e.Segment == toolcall.SegmentText {
		n := min(len(e.Payload), maxSilence-len(s.text))
		s.text, s.cut = append(s.text, e.Payload[:n]...), s.cut || n < len(e.Payload)
	}
}

// tellNative warns about plain text of a model that calls tools only natively.
func (s *silence) tellNative() {
	if s.plain && s.native != "" {
		s.warn("%s calls tools natively, in its provider's wire format: its plain text contains no calls", s.native)
	}
}

// tellReplaced warns about invalid bytes in the input if they are missing in a call.
func (s *silence) tellReplaced(in *inputFile) {
	if in.notUTF8 && s.replaced {
		s.warn("byte %d: 0x%02x is not UTF-8; the calls have U+FFFD in place of such bytes", in.badAt, in.bad)
	}
}

// explain prints at most one line, at the end of the input.
func (s *silence) explain(in *inputFile, stream *toolparse.Stream) {
	if s.flags.output == outputText && s.guessedText() && format.IsForeignJSON(s.raw) {
		return // the output is the input
	}
	if s.guessedText() && !s.calls {
		if api, use := format.ForeignAPI(s.raw); api != "" {
			s.warn("no call found: this is an answer of %s, which is in no wire format that toolparse reads; %s", api, use)
			return
		}
	}
	if s.guessedText() && len(s.raw) < maxSilence && s.explainHistory() {
		return
	}
	unread := func(n parser.Note) bool { return n.Kind == parser.NoteUnread || n.Kind == parser.NoteReasoning } // see tellUnread
	if s.calls || slices.ContainsFunc(stream.Notes(), unread) {
		return
	}
	word, detail := stream.FinishWords()
	quoted, short := "", ""
	if !s.flags.explain { // --explain reports every call
		quoted, short = s.quotedTool(stream.Dialects()), s.undeclaredTool(stream.Dialects())
	}
	foreign := s.guessedText() && !s.cut && format.IsForeignJSON(s.text)
	switch {
	case in.size == 0:
		s.warn("the input is empty")
	case chat.ReadFinish(string(stream.Wire()), word).Reason == chat.FinishError:
		s.warn("no call found: the provider ended the answer with %s", strings.TrimSuffix(word+": "+detail, ": "))
	case s.guessedText() && pythonObject.Match(s.text):
		s.warn("no call found: this is how Python prints an object; print its JSON instead (.model_dump_json())")
	case quoted != "":
		s.warn("the text contains a call of %s inside code, which was not read; use --calls-in-code", quoted)
	case short != "":
		s.warn("the text contains a call of %s, which is not a declared tool", short)
	case s.guessedText() && format.IsErrorBody(in.seen):
		s.warn("no call found: this looks like the error of a server, in no known wire format")
	case s.explainKeys(stream):
	case foreign:
		s.explainForeign(stream.Dialects())
	default:
		if !s.explainJSON(stream) {
			s.explainMarkup(stream)
		}
	}
}

func (s *silence) warn(format string, args ...any) {
	s.cli.warn("%s: "+format, append([]any{showName(s.name)}, args...)...)
}

// explainHistory reports a list of messages, or JSON that contains a provider's answer,
// if it was read as text.
func (s *silence) explainHistory() bool {
	if path := lastAnswer(s.raw); path != "" {
		s.warn("this is a list of messages, not an answer, and was read as text; use --field %s for the last answer in it", path)
		return true
	}
	if !s.calls || !format.IsForeignJSON(s.raw) {
		return false
	}
	found := findHolder(s.raw, func([]byte) string { return "" })
	if found != nil {
		s.warn("this is JSON in no known wire format and was read as text, but its member %s %s; %s", found.path, found.holds, found.use())
	}
	return found != nil
}

// explainForeign reports JSON in no known wire format, and which member to read.
func (s *silence) explainForeign(dialects []*dialect.Dialect) {
	found := findHolder(s.text, func(text []byte) string {
		return firstCall(text, parser.Options{Dialects: dialects, Tools: s.opts.Tools}, anyCall)
	})
	if found == nil {
		s.warn("no call found: this is JSON in no known wire format; name the format with -w, or pass only the model's text (--field PATH reads a member)")
		return
	}
	s.warn("no call found: this is JSON in no known wire format, but its member %s %s; %s", found.path, found.holds, found.use())
}

// explainJSON reports a call in bare JSON, which counts in text only if its tool is
// declared or its dialect named.
func (s *silence) explainJSON(stream *toolparse.Stream) (found bool) {
	if !bytes.Contains(s.text, []byte(`{`)) || s.flags.explain {
		return s.flags.explain
	}
	wire := string(stream.Wire())
	if s.plain {
		wire = ""
	}
	dialects, err := dialect.Named("json", wire)
	if err != nil {
		return false
	}
	opts := parser.Options{Dialects: dialects, Tools: s.opts.Tools, CallsInCode: s.opts.CallsInCode}
	tool := firstCall(s.text, opts, anyCall)
	if tool != "" {
		s.warn("the text contains a call of %s in JSON, which was not read; use -d json, or declare the tool with -t", tool)
	}
	return tool != ""
}

// explainKeys reports JSON that names a declared tool, but has no arguments under a
// known key.
func (s *silence) explainKeys(stream *toolparse.Stream) bool {
	if s.flags.explain {
		return false
	}
	for _, n := range stream.Notes() {
		isDeclared := slices.ContainsFunc(s.opts.Tools, func(t toolcall.ToolDefinition) bool { return t.Name == n.Tool })
		if dialects, err := dialect.Named(n.Dialect, ""); n.Kind == parser.NoteCandidate && isDeclared && err == nil {
			s.warn("no call found: JSON names the tool %q, but has no arguments under a key that %s knows (%s)",
				n.Tool, n.Dialect, strings.Join(dialects[0].Args.Keys, ", "))
			return true
		}
	}
	return false
}

// stripped lists texts that remain of calls if a server removes the special tokens from
// a model's text.
var stripped = []struct{ mark, model string }{
	{"to=functions.", "gpt-oss"},
	{"[ARGS]{", "Mistral"},
}

// explainMarkup reports the markers of a call at the beginning of a line, if no dialect
// reads a call there.
func (s *silence) explainMarkup(stream *toolparse.Stream) {
	for _, n := range stream.Notes() {
		dialects, err := dialect.Named(n.Dialect, "")
		if n.Kind != parser.NoteCandidate || err != nil {
			continue
		}
		f := dialects[0].Frame
		for _, pair := range []dialect.Pair{f.Section, f.Call} {
			if opener := strings.TrimSpace(pair.Open); s.stands(opener, strings.TrimSpace(pair.Close)) {
				s.warn("no call found: the text has %s, but neither %s nor another dialect that is read finds a call there; --explain says why", opener, n.Dialect)
				return
			}
		}
	}
	for _, m := range stripped {
		if bytes.Contains(s.text, []byte(m.mark)) {
			s.warn("no call found: %s looks like a call of %s without its special tokens; have the server keep them (skip_special_tokens=False)", m.mark, m.model)
			return
		}
	}
}

// minMarker is the minimal length of a marker that is unlikely in other text.
const minMarker = 5

// stands reports whether the text has an opener at the beginning of a line, and its
// closer after it. An opener that is a special token needs no closer.
func (s *silence) stands(opener, closer string) bool {
	if len(opener) < minMarker {
		return false
	}
	at := bytes.Index(s.text, []byte(opener))
	if at < 0 {
		return false
	}
	rest := s.text[at+len(opener):]
	if len(rest) > 0 && (rest[0] == '_' || unicode.IsLetter(rune(rest[0]))) && !strings.HasSuffix(opener, ">") && !strings.HasSuffix(opener, "]") {
		return false // another name
	}
	line := bytes.TrimSpace(s.text[bytes.LastIndexByte(s.text[:at], '\n')+1 : at])
	isToken := strings.HasPrefix(opener, "<|") || strings.HasPrefix(opener, "<｜") || strings.HasPrefix(opener, "[")
	return (len(line) == 0 || line[len(line)-1] == '>') && (isToken || closer != "" && bytes.Contains(rest, []byte(closer)))
}

// quotedTool returns the tool of the first whole call that is quoted in code.
func (s *silence) quotedTool(dialects []*dialect.Dialect) string {
	if s.opts.CallsInCode || !bytes.ContainsRune(s.text, '`') && !bytes.Contains(s.text, []byte("~~~")) {
		return ""
	}
	return firstCall(s.text, parser.Options{Dialects: dialects, Tools: s.opts.Tools, CallsInCode: true}, anyCall)
}

// undeclaredTool returns the tool of the first whole call, in bare JSON or in a
// shorthand such as <run_bash>, whose tool is not declared. It returns "" if no tools
// are declared, because such a call then counts.
func (s *silence) undeclaredTool(dialects []*dialect.Dialect) string {
	if len(s.opts.Tools) == 0 {
		return ""
	}
	if text := bytes.TrimSpace(s.text); len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		return firstCall(s.text, parser.Options{Dialects: dialects}, anyCall)
	}
	if !bytes.Contains(s.text, []byte("</")) {
		return ""
	}
	return firstCall(s.text, parser.Options{Dialects: dialects}, func(t toolcall.SegmentType) bool { return t != toolcall.SegmentToolCall })
}

func anyCall(toolcall.SegmentType) bool { return true }

// firstCall returns the tool of the first complete call in a text whose type is wanted,
// or "".
func firstCall(text []byte, opts parser.Options, wanted func(toolcall.SegmentType) bool) string {
	p, err := parser.New(opts)
	if err != nil {
		return ""
	}
	names := map[string]string{}
	for _, e := range p.Close(p.Feed(nil, string(text))) {
		switch {
		case !e.Segment.IsCall() || !wanted(e.Segment):
		case e.Type == toolcall.SegmentStart:
			names[e.ID] = e.Name
		case e.Type == toolcall.SegmentEnd && e.Status == toolcall.Complete:
			return names[e.ID]
		}
	}
	return ""
}
