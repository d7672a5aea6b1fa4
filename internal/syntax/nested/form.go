package nested

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/syntax"
)

// compiled is what the machine needs of a form.
type compiled struct {
	mark      string        // the text before the < of each tag
	open      string        // that mark with the beginning of an opening tag
	close     string        // with that of a closing tag
	end       string        // with the closing tag that ends the arguments
	names     lex.Bytes     // the bytes that may occur in the name of a tag
	stops     string        // the first byte of a tag
	stopTable *syntax.Stops // stops, for the fast path
	outer     string        // the closing tag that ends the arguments
	ends      []string      // other closing tags that end the arguments: those around the call
	begin     []string      // opening tags that end them: those of another call
	bare      bool          // the opening tag of another call has just its tool's name
}

func compile(f *syntax.Form) *compiled {
	mark := strings.TrimRight(strings.TrimSuffix(f.Args.KeyMark.Open, "<"), " \t\r\n")
	n := &compiled{mark: mark, open: mark + "<", close: mark + "</"}
	n.stops = n.open[:1]
	for c := range n.names {
		n.names[c] = n.isName(byte(c))
	}
	n.stopTable = syntax.NewStops(n.stops, true)
	add := func(list *[]string, marker string) {
		if name := n.tagName(marker); name != "" {
			*list = append(*list, name)
		}
	}
	n.outer = n.tagName(f.Frame.Call.Close)
	n.end = n.close + n.outer + ">"
	for _, closer := range append(slices.Clone(f.Frame.Closers), f.Frame.Section.Close) {
		add(&n.ends, closer)
	}
	if n.bare = f.Bare; !n.bare {
		add(&n.begin, f.Frame.Call.Open)
		add(&n.begin, f.Frame.Section.Open)
	}
	return n
}

// tagName returns the name of the tag that marker begins with, or "".
func (f *compiled) tagName(marker string) string {
	rest, _ := strings.CutPrefix(lex.TrimBlanks(marker), f.mark)
	rest, ok := strings.CutPrefix(lex.TrimBlanks(rest), "<")
	if !ok {
		return ""
	}
	rest = strings.TrimPrefix(rest, "/")
	n := 0
	for n < len(rest) && lex.IsName(rest[n]) {
		n++
	}
	return rest[:n]
}

// isName says which bytes names has. If every tag has a mark, nearly all bytes may occur in a
// name.
func (f *compiled) isName(c byte) bool {
	if f.mark == "" {
		return lex.IsName(c)
	}
	return c > ' ' && c != '<' && c != '>' && c != '/'
}

// nests reports whether a tag at the beginning of a value makes the value a container even
// if it may be a string. A mark is sure not to be text.
func (f *compiled) nests() bool { return f.mark != "" }

// fault finds markers that are not tags.
func fault(f *dialect.Form) (field, wrong string) {
	mark := f.Args.KeyMark
	if !strings.HasSuffix(mark.Open, "<") || mark.Close != ">" || !strings.Contains(f.Frame.Call.Close, "</") {
		return "args.nested", `needs key_mark to be a tag's "<" and ">", and a closing tag in frame.call.close`
	}
	if f.Args.ValueMark.Close == "" {
		return "args.value_mark.close", "is empty"
	}
	return "", ""
}
