package main

import (
	"fmt"
	"slices"

	"github.com/toolparse/toolparse/parser"
	"github.com/toolparse/toolparse/toolcall"
)

// tellUnread names the calls that stand in what was read as text or reasoning, and
// the flags that would find them: nothing else would tell the user that they are
// there.
func (c *cli) tellUnread(file string, notes []parser.Note, asked []*parser.Dialect) {
	for _, n := range notes {
		reads := func(d *parser.Dialect) bool { return d.Name == n.Dialect }
		switch {
		case n.Kind == parser.NoteUnread && n.Rule != "":
			c.warn("%s: the text holds a call in dialect %s, which is not being read; use -d %[2]s", showName(file), n.Dialect)
		case n.Kind == parser.NoteUnread && len(asked) > 1:
			c.warn("%s: the text holds a call in dialect %s after one in another, which is not being read; use -d %[2]s, or --recover with -t", showName(file), n.Dialect)
		case n.Kind == parser.NoteUnread:
			c.warn("%s: the text holds a call in dialect %s, which is not being read; use -d %[2]s (or -d auto)", showName(file), n.Dialect)
		case n.Kind == parser.NoteReasoning:
			use := "--calls-in-reasoning"
			if !slices.ContainsFunc(asked, reads) && !readsCallsOf(asked, n.Dialect) {
				use = fmt.Sprintf("-d %s %s", n.Dialect, use)
			}
			c.warn("%s: the reasoning holds a call in dialect %s, which is not being read; use %s", showName(file), n.Dialect, use)
		}
	}
}

// readsCallsOf reports whether the dialects at hand read the calls of another.
func readsCallsOf(asked []*parser.Dialect, name string) bool {
	other, err := parser.Named(name, "")
	if err != nil {
		return false
	}
	p, err := parser.New(parser.Options{Dialects: asked})
	if err != nil {
		return false
	}
	return slices.ContainsFunc(p.Close(p.Feed(nil, other[0].Example)), func(e toolcall.Event) bool {
		return e.Type == toolcall.SegmentEnd && e.Segment.IsCall() && e.Status == toolcall.Complete
	})
}
