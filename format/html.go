package format

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/toolparse/toolparse/internal/wire/frame"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

const (
	maxPage    = 64 << 10 // of a page that are inspected
	maxSummary = 200      // bytes of text in an error
)

// pageStarts are the beginnings of whole HTML pages, in lower case, before a blank or >.
// No model's markup begins like this.
var pageStarts = []string{"<!doctype html", "<html", "<head", "<body", "<title", "<center"}

// HTMLPage returns an error if a body with this beginning is a whole HTML page, and
// otherwise nil. sure is false if more of the body could change that. [Auto] takes a page
// for text, because a model may have written it. Use HTMLPage where no page is expected,
// to notice the error page of a server.
func HTMLPage(head []byte) (page *HTMLError, sure bool) {
	const mark, opener, closer = "\ufeff", "<!--", "-->"
	start := bytes.TrimLeft(head, mark+" \t\r\n")
	for bytes.HasPrefix(start, []byte(opener)) {
		_, after, ended := bytes.Cut(start[len(opener):], []byte(closer))
		if !ended {
			return nil, false
		}
		start = bytes.TrimLeft(after, " \t\r\n")
	}
	lower := bytes.ToLower(start[:min(len(start), 16)])
	begins := func(s string) bool {
		after, ok := bytes.CutPrefix(lower, []byte(s))
		return ok && len(after) > 0 && bytes.IndexByte([]byte("> \t\r\n"), after[0]) >= 0
	}
	mayBegin := func(s string) bool { return bytes.HasPrefix([]byte(s), lower) }
	switch {
	case slices.ContainsFunc(pageStarts, begins):
		return &HTMLError{summarise(start[:min(len(start), maxPage)])}, true
	case mayBegin(opener), slices.ContainsFunc(pageStarts, mayBegin), bytes.HasPrefix([]byte(mark), start):
		return nil, false
	}
	return nil, true
}

// IsForeignJSON reports whether a whole body consists of JSON objects, or of events with
// them, as in a wire format. If no known wire matches, [Auto] takes them for text,
// because a model may answer in JSON.
func IsForeignJSON(body []byte) bool {
	found := false
	for v, err := range valuesIn(body) {
		if found = true; err != nil || v.Kind != rawjson.Object {
			return false
		}
	}
	return found
}

// valuesIn yields the values of a whole body of JSON or of events, except end markers,
// and nothing for any other body. After an event that is too large, nothing follows.
func valuesIn(body []byte) iter.Seq2[rawjson.Value, error] {
	return func(yield func(rawjson.Value, error) bool) {
		body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
		framing := frame.JSON
		if len(body) > 0 && body[0] != '{' && body[0] != '[' {
			if framing = frame.SSE; !isEvents(body) {
				return
			}
		}
		split := frame.New(framing, 0)
		for more := true; more; {
			e, n, ok, err := split.Next(body)
			if body = body[n:]; !ok && err == nil {
				if e, ok = split.End(); !ok {
					return
				}
				more = false
			}
			if e.IsDone() {
				continue
			}
			var v rawjson.Value
			if err == nil {
				v, err = new(rawjson.Reader).Open(e)
			} else {
				more = false
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// isMarkup reports whether a body that begins with head, which begins with <, is HTML,
// and whether the answer is final.
func isMarkup(head []byte) (is, sure bool) {
	const longest = 16 // longer than any element's name
	name := bytes.ToLower(head[1:min(len(head), longest)])
	if len(name) > 0 && name[0] == '!' {
		return true, true
	}
	end := bytes.IndexAny(name, " \t\r\n/>")
	if end < 0 {
		return false, len(head) >= longest
	}
	return atom.Lookup(name[:end]) != 0, true
}

// summarise returns the title of an HTML page, or else its first heading, or else the
// beginning of its text.
func summarise(page []byte) string {
	var title, heading, text strings.Builder
	var in *strings.Builder // where the current text goes, in addition to text
	skip := false           // inside a script or a style
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			for _, b := range []*strings.Builder{&title, &heading, &text} {
				if s := strings.Join(strings.Fields(b.String()), " "); s != "" {
					return shorten(s)
				}
			}
			return ""
		case html.StartTagToken:
			switch name, _ := z.TagName(); atom.Lookup(name) {
			case atom.Title:
				in = &title
			case atom.H1:
				in = &heading
			case atom.Script, atom.Style:
				skip = true
			}
		case html.EndTagToken:
			in, skip = nil, false
		case html.TextToken:
			switch b := z.Text(); {
			case skip:
			case in != nil:
				in.Write(b)
			default:
				text.Write(b)
				text.WriteByte(' ')
			}
		}
	}
}

// shorten cuts a text to maxSummary bytes, between characters.
func shorten(s string) string {
	if len(s) <= maxSummary {
		return s
	}
	return strings.ToValidUTF8(s[:maxSummary], "") + "..."
}
