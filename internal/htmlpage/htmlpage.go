// Package htmlpage recognises HTML pages where another body is expected, such as the error
// page of a gateway.
package htmlpage

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// MaxBytes are as many of a page as are read.
const MaxBytes = 64 << 10

const maxSummary = 200 // bytes of text in an error

// pageStarts are the beginnings of whole HTML pages, in lower case, before a blank or >.
// No model's markup begins like this.
var pageStarts = []string{"<!doctype html", "<html", "<head", "<body", "<title", "<center"}

// Error is what an HTML page says in the place of an answer.
type Error struct {
	Summary string // the page's title, or the beginning of its text
}

// Error returns what the page says.
func (e *Error) Error() string {
	if e.Summary == "" {
		return "the body is an HTML page"
	}
	return fmt.Sprintf("the body is an HTML page: %q", e.Summary)
}

// Of returns the error for a page.
func Of(page []byte) *Error { return &Error{summarise(page[:min(len(page), MaxBytes)])} }

// Find returns an error if a body with this beginning is a whole HTML page, and
// otherwise nil. sure is false if more of the body could change that. A model may write a page,
// too: use Find where none is expected.
func Find(head []byte) (page *Error, sure bool) {
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
		return Of(start), true
	case mayBegin(opener), slices.ContainsFunc(pageStarts, mayBegin), bytes.HasPrefix([]byte(mark), start):
		return nil, false
	}
	return nil, true
}

// IsMarkup reports whether a body that begins with head, which begins with <, is HTML,
// and whether the answer is final.
func IsMarkup(head []byte) (is, sure bool) {
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
