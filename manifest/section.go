package manifest

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/dialect"
	"github.com/toolparse/toolparse/format/text"
)

// finder finds the manifest in the texts of one request. It remembers the result for the last
// text, because several functions ask for it in turn.
type finder struct {
	*Manifest
	searched bool
	system   string
	from, to int
	ok       bool
}

// section is [Manifest.section].
func (m *finder) section(system string) (from, to int, ok bool) {
	if !m.searched || m.system != system {
		m.searched, m.system = true, system
		m.from, m.to, m.ok = m.Manifest.section(system)
	}
	return m.from, m.to, m.ok
}

// section finds a manifest in a system prompt: of these tools or others, in any known
// dialect. It extends from its heading to the end of the example of a result.
func (m *Manifest) section(system string) (from, to int, ok bool) {
	for _, w := range []*wording{&fullWording, &compactWording} {
		at := strings.LastIndex(system, "\n"+w.results)
		if at < 0 {
			continue
		}
		from = strings.LastIndex(system[:at], heading)
		if from < 0 || from > 0 && system[from-1] != '\n' {
			continue
		}
		at += len("\n" + w.results)
		if n := m.resultLen(system[at:], resultShown); n > 0 {
			return from, at + n, true
		}
	}
	return m.templateSection(system)
}

// minSection is the minimum length, without blanks, of the texts by which a section in a
// template's form is found. Shorter texts may occur anywhere.
const minSection = 7

// frame is the text before and after the tools of a section in a template's form.
type frame struct{ open, end string }

// frames returns the frames of the known templates and of a dialect.
func frames(custom *dialect.Dialect) []frame {
	var list []frame
	for _, d := range append(dialect.All(), custom) {
		show := d.ShowForm()
		f := frame{show.Before + show.Tools.Open, show.Tools.Close + show.After}
		if HasTemplate(d) && len(strings.TrimSpace(f.open)) >= minSection && len(strings.TrimSpace(f.end)) >= minSection && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// templateSection finds a manifest in the form of a template by the texts before and after
// its tools.
func (m *Manifest) templateSection(system string) (from, to int, ok bool) {
	for _, f := range m.frames() {
		at := strings.Index(system, f.open)
		if at < 0 {
			continue
		}
		last := strings.LastIndex(system[at+len(f.open):], f.end)
		if last < 0 || ok && to-from > last {
			continue
		}
		from, to, ok = at, at+len(f.open)+last+len(f.end), true
	}
	if !ok {
		return 0, 0, false
	}
	to += chosenLen(system[to:])
	for _, d := range append(dialect.All(), m.dialect) {
		if closing := "\n\n" + d.ShowForm().Closing; len(closing) > minSection && strings.HasPrefix(system[to:], closing) {
			to += len(closing)
		}
	}
	return from, to, true
}

// chosenLen returns the length of the sentences of a tool choice at the beginning of s.
func chosenLen(s string) int {
	n := 0
	for {
		rest := strings.TrimLeft(s[n:], "\n")
		if !slices.ContainsFunc(choiceWords, func(w string) bool { return strings.HasPrefix(rest, w) }) {
			return n
		}
		line, _, _ := strings.Cut(rest, "\n")
		n = len(s) - len(rest) + len(line)
	}
}

// resultLen returns the length of the result at the beginning of s, without the end of its
// line, or 0 if there is none.
func (m *Manifest) resultLen(s, content string) int {
	longest := 0
	for _, d := range append(dialect.All(), m.dialect) {
		form := d.ResultForm()
		open, _, _ := strings.Cut(form.Turn.Open+form.Result.Open, "{") // a slot follows
		if !strings.HasPrefix(s, open) {
			continue
		}
		want := text.ResultText(form, content)
		// The end may contain the call's id, which is unknown here.
		end := strings.Split(slotsOfResult.Replace(strings.TrimSuffix(form.Result.Close+form.Turn.Close, "\n")), slot)
		rest := s[:min(len(s), maxResult)]
		for i, piece := range end {
			if i == 0 {
				piece = want + piece
			}
			var ok bool
			if _, rest, ok = strings.Cut(rest, piece); !ok {
				break
			}
			if i == len(end)-1 {
				longest = max(longest, min(len(s), maxResult)-len(rest))
			}
		}
	}
	return longest
}

// slot replaces the parts that differ between results.
const slot = "\x00"

var slotsOfResult = strings.NewReplacer("{name}", slot, "{id}", slot, "{key}", slot, "{at}", slot)

// maxResult limits the length of a manifest's result, in bytes.
const maxResult = 1000
