package neutral

import (
	"strings"

	"github.com/toolparse/toolparse/parser"
)

// Reserved returns the marker that would be read as a call of a tool of this name, or
// "": where a call begins with its tool's name behind no more than <, the tags around
// results are calls of tools that are named like them. markup is what else stands in
// prompts.
func Reserved(d *parser.Dialect, name string, markup ...string) string {
	r := d.ResultForm()
	markup = append(markup, r.Turn.Open, r.Turn.Close, r.Result.Open, r.Result.Close, r.Between)
	for _, f := range append([]parser.Form{{Frame: d.Frame, Head: d.Head}}, d.Also...) {
		if f.Head.Form != parser.HeadLiteral || f.Frame.Call.Open == "" {
			continue
		}
		for _, text := range markup {
			for _, token := range Tokens(text) {
				rest, ok := strings.CutPrefix(token, f.Frame.Call.Open+f.Head.Prefix+name)
				if ok && (rest == "" || !IsName(rest[0])) {
					return token
				}
			}
		}
	}
	return ""
}

// IsName reports whether names may have a byte: what no markup is made of.
func IsName(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("_-.:", c) >= 0
}
