package format

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxPage    = 64 << 10 // of an HTML page that are looked at
	maxSummary = 200      // bytes of what is told of it
)

// summarise returns what an HTML page has to say: its title, else its first
// heading, else the beginning of its text.
func summarise(page []byte) string {
	var title, heading, text strings.Builder
	var in *strings.Builder // where the text at hand goes beside text
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

// shorten cuts a text to maxSummary bytes at the end of a character.
func shorten(s string) string {
	if len(s) <= maxSummary {
		return s
	}
	return strings.ToValidUTF8(s[:maxSummary], "") + "..."
}
