package manifest

import (
	"strings"

	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/parser"
)

// section finds the manifest in a system prompt that has one: of these tools or others,
// in any dialect that is known. It goes from its heading to the end of its last line,
// where the result of a call is shown.
func (m *Manifest) section(system string) (from, to int, ok bool) {
	for i := range wordings {
		w := &wordings[i]
		at := strings.LastIndex(system, "\n"+w.results)
		if at < 0 {
			continue
		}
		from = strings.LastIndex(system[:at], heading)
		if from < 0 || from > 0 && system[from-1] != '\n' {
			continue
		}
		at += len("\n" + w.results)
		if n := m.resultLen(system[at:], w.result); n > 0 {
			return from, at + n, true
		}
	}
	return 0, 0, false
}

// resultLen is the length of the result that s begins with, the end of its line aside; 0
// where there is none.
func (m *Manifest) resultLen(s, content string) int {
	longest := 0
	for _, d := range append(parser.Dialects(), m.dialect) {
		form := d.ResultForm()
		open, _, _ := strings.Cut(form.Turn.Open+form.Result.Open, "{") // a slot follows
		if !strings.HasPrefix(s, open) {
			continue
		}
		want := content
		if form.Quoted {
			want = string(jsonvalue.AppendQuoted(nil, content))
		}
		want += strings.TrimSuffix(form.Result.Close+form.Turn.Close, "\n")
		if at := strings.Index(s[:min(len(s), maxResult)], want); at >= 0 {
			longest = max(longest, at+len(want))
		}
	}
	return longest
}

// maxResult bounds how long the result of a manifest may be, in bytes.
const maxResult = 1000
