package format

import (
	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/payload"
	"github.com/toolparse/toolparse/internal/utf8cut"
)

// segment is one that is open.
type segment struct {
	kind   toolparse.SegmentType
	name   string // of the tool
	number int
	field  string // of the content in the arguments; "" where it is JSON itself
	held   []byte // the beginning of a character
	sent   bool   // some of the arguments

	waits   bool
	waiting []toolparse.Delta // of a call that may be a duplicate
	callID  string            // its provider's own id
}

// give appends a delta of a segment, or keeps it.
func (s *segment) give(dst []toolparse.Delta, d toolparse.Delta) []toolparse.Delta {
	if s.waits {
		s.waiting = append(s.waiting, d)
		return dst
	}
	return append(dst, d)
}

// parameters writes the arguments that an event gives beside the content.
func parameters(w *jsonout.Writer, e toolparse.Event) {
	for name, value := range e.Parameters() {
		w.Member(name, value)
	}
}

// text returns what a piece of content adds. A character that is not whole is
// held: an encoder could not write it.
func (s *segment) text(piece string) string {
	if len(s.held) > 0 {
		piece = string(append(s.held, piece...))
		s.held = s.held[:0]
	}
	if n := len(piece); n > 0 && piece[n-1] >= 0x80 {
		tail := []byte(piece[max(0, n-4):])
		cut := utf8cut.Tail(tail)
		s.held = append(s.held, tail[len(tail)-cut:]...)
		piece = piece[:n-cut]
	}
	s.sent = s.sent || piece != ""
	if s.field != "" {
		return string(s.quoted(piece))
	}
	return piece
}

// quoted returns content as it stands inside of a JSON string.
func (s *segment) quoted(content string) []byte {
	if content == "" {
		return nil
	}
	quoted := payload.AppendQuoted(nil, content)
	return quoted[1 : len(quoted)-1]
}

func (s *segment) delta(text string) toolparse.Delta {
	d := toolparse.Delta{Text: text}
	switch s.kind {
	case toolparse.SegmentText:
		d.Kind = toolparse.DeltaText
	case toolparse.SegmentReasoning:
		d.Kind = toolparse.DeltaReasoning
	case toolparse.SegmentRefusal:
		d.Kind = toolparse.DeltaRefusal
	default:
		d.Kind, d.Index = toolparse.DeltaToolCall, s.number
	}
	return d
}
