package main

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/collect"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/parser"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/sniff"
	"github.com/toolparse/toolparse/toolcall"
)

// silence explains why no call was found in an input that seems to contain one, or that
// seems not to be plain text.
type silence struct {
	*parsing
	name  string
	plain bool // the input is in no known wire format

	calls    bool   // a call was found
	visible  bool   // some of the visible text is not blank
	replaced bool   // some call has U+FFFD for invalid bytes
	text     []byte // the beginning of the visible text
	raw      []byte // the beginning of an input that was taken for text
}

// maxSilence bounds the text that is inspected, in bytes.
const maxSilence = 1 << 20

// guessedText reports whether the input was taken for text although the user did not say so.
func (s *silence) guessedText() bool { return s.plain && s.opts.Wire == toolparse.Auto }

func (s *silence) event(e toolparse.StreamEvent) {
	if s.guessedText() {
		s.raw = append(s.raw, e.Raw[:min(len(e.Raw), maxSilence-len(s.raw))]...)
	}
	s.replaced = s.replaced || e.Call != nil && e.Call.Tolerances&toolcall.InvalidUTF8 != 0
	s.calls = s.calls || e.Segment.IsCall()
	if e.Type == toolcall.SegmentContent && e.Segment == toolcall.SegmentText {
		s.visible = s.visible || strings.TrimSpace(e.Payload) != ""
		if !s.calls {
			s.text = append(s.text, e.Payload[:min(len(e.Payload), maxSilence-len(s.text))]...)
		}
	}
}

// tellNative warns about plain text of a model that calls tools only natively.
func (s *silence) tellNative() {
	if d, ok := dialect.ForModel(s.opts.Model); ok && d.Native() && s.plain {
		s.warn("%s calls tools natively, in its provider's wire format: its plain text contains no calls", s.opts.Model)
	}
}

// tellReplaced warns about invalid bytes in the input if they are missing in a call.
func (s *silence) tellReplaced() {
	if s.replaced {
		s.warn("the input is not UTF-8 everywhere; the calls have U+FFFD in place of invalid bytes")
	}
}

// explain prints at most one line, at the end of the input.
func (s *silence) explain(in *inputFile, stream *toolparse.Stream) {
	foreign := s.guessedText() && s.visible && sniff.IsForeignJSON(s.raw)
	if foreign && s.flags.output == outputText {
		return // the output is the input
	}
	if api := sniff.Foreign(s.raw); api != nil && !s.calls {
		s.warn("no call found: this is an answer of %s, which is in no wire format that toolparse reads; %s", api.Name, api.Use)
		return
	}
	unread := func(n toolcall.Note) bool { return n.Kind == toolcall.NoteUnread || n.Kind == toolcall.NoteReasoning } // see tellUnread
	if slices.ContainsFunc(stream.Notes(), unread) {
		return
	}
	word, detail := stream.FinishWords()
	tool := s.unreadTool(stream)
	switch {
	case in.size == 0:
		s.warn("the input is empty")
	case !s.calls && wire.ReadFinish(string(stream.Wire()), word).Reason == chat.FinishError:
		s.warn("no call found: the provider ended the answer with %s", strings.TrimSuffix(word+": "+detail, ": "))
	case tool != "":
		s.warn("the text contains a call of %s, which was not read; use -d json for bare JSON, --calls-in-code for calls in code, or declare its tool with -t", tool)
	case foreign:
		s.warn("this is JSON in no known wire format and was read as text; name the format with -w, or use toolparse batch, which reads the members of JSON (--field PATH)")
	}
}

func (s *silence) warn(format string, args ...any) {
	s.cli.warn("%s: "+format, append([]any{showName(s.name)}, args...)...)
}

// unreadTool returns the tool of the first whole call in the text that counts only if it is
// asked for: one in bare JSON, one that is quoted in code, or one in a syntax without
// markers whose tool is not declared.
func (s *silence) unreadTool(stream *toolparse.Stream) string {
	if s.calls || !bytes.ContainsAny(s.text, "{<") {
		return ""
	}
	wire := string(stream.Wire())
	if s.plain {
		wire = ""
	}
	json, err := dialect.Named("json", wire)
	if err != nil {
		return ""
	}
	inCode := firstCall(s.text, parser.Options{Dialects: stream.Dialects(), CallsInCode: true})
	return cmp.Or(inCode, firstCall(s.text, parser.Options{Dialects: json, CallsInCode: s.opts.CallsInCode}))
}

// firstCall returns the tool of the first complete call in a text, or "".
func firstCall(text []byte, opts parser.Options) string {
	p, err := parser.New(opts)
	if err != nil {
		return ""
	}
	for _, call := range collect.All(p.Close(p.Feed(nil, string(text)))).Calls {
		if call.End.Status == toolcall.Complete {
			return call.Start.Name
		}
	}
	return ""
}
