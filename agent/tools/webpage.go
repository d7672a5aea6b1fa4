package tools

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unseen are elements whose text a page does not display.
var unseen = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Svg: true, atom.Iframe: true, atom.Textarea: true, atom.Select: true,
}

// blocks are elements that begin a new line.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Br: true, atom.Li: true, atom.Tr: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true,
	atom.H6: true, atom.Title: true, atom.Section: true, atom.Article: true, atom.Header: true, atom.Footer: true, atom.Nav: true, atom.Ul: true, atom.Ol: true,
	atom.Table: true, atom.Pre: true, atom.Blockquote: true, atom.Dt: true, atom.Dd: true, atom.Hr: true, atom.Form: true, atom.Main: true,
}

// pageText returns the text of an HTML page, with one line for each block. It reads
// tokens instead of a tree, so that no nesting is too deep.
func pageText(page string) string {
	var b strings.Builder
	var words []string // of the line that is being read
	endLine := func() {
		if len(words) > 0 {
			b.WriteString(strings.Join(words, " ") + "\n")
			words = words[:0]
		}
	}
	in := html.NewTokenizer(strings.NewReader(page))
	var hidden atom.Atom // the open unseen element
	depth := 0           // number of open elements with its name
	for {
		kind := in.Next()
		if kind == html.ErrorToken { // the end: reading a string has no other error
			endLine()
			return b.String()
		}
		token := in.Token()
		switch {
		case hidden != 0:
			if token.DataAtom == hidden && kind == html.StartTagToken {
				depth++
			} else if token.DataAtom == hidden && kind == html.EndTagToken {
				if depth--; depth == 0 {
					hidden = 0
				}
			}
		case kind == html.TextToken:
			words = append(words, strings.Fields(token.Data)...)
		case kind == html.StartTagToken && unseen[token.DataAtom]:
			hidden, depth = token.DataAtom, 1
		case blocks[token.DataAtom]:
			endLine()
		case token.DataAtom == atom.Td || token.DataAtom == atom.Th:
			if kind == html.StartTagToken && len(words) > 0 {
				words = append(words, "|")
			}
		}
	}
}
