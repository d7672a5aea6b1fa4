package parser

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/toolcall"
)

// sureAfter lists, for dialects in which the end of a tool's name does not make it certain,
// what must follow: bare syntaxes, which look like prose, and those whose name is in a tag or
// a header of its own.
var sureAfter = map[string]string{
	"xml": ">", "sentinel": "]]", "kimi_k2": ":0<", "kimi_k25": ":0<", "muse": "<atem:parameter", "yaml_xml": "city: ", "react": "Input: {",
	"json-any": `"arguments":{`, "inkling": `"get_weather"`, "json-gemini": `"args":{`, "json-default": `"parameters":{`,
	"llama3_json": `"parameters": {`, "llama4_json": `"parameters": {`, "json_generic": `"arguments": {`, "xlam": `"arguments": {`, "json_array": `"parameters": {`,
	"pythonic": `city="`, "llama4_pythonic": `city="`, "granite_pythonic": `city="`, "ui_tars": `city="`, "nexus_raven": `city="`,
}

// TestCutAfterName checks that a call that is cut off anywhere after its name is an incomplete
// call, and that none of its markup is visible.
func TestCutAfterName(t *testing.T) {
	const name = "get_weather"
	for _, d := range dialect.All() {
		before, after, ok := strings.Cut(d.Example, name)
		if !ok {
			continue
		}
		sure := len(before) + len(name) + 1
		if later, ok := sureAfter[d.Name]; ok {
			n := strings.Index(after, later)
			if n < 0 {
				t.Errorf("%s: %q has no %q", d.Name, d.Example, later)
				continue
			}
			sure += n + len(later) - 1
		}
		t.Run(d.Name, func(t *testing.T) {
			for cut := sure; cut < len(d.Example); cut++ {
				in := d.Example[:cut]
				p, err := New(Options{Dialects: []*dialect.Dialect{d}})
				if err != nil {
					t.Fatal(err)
				}
				var ends []toolcall.Event
				text := ""
				for _, e := range p.Close(p.Feed(nil, in)) {
					if e.Segment.IsCall() && e.Type == toolcall.SegmentEnd {
						ends = append(ends, e)
					}
					if e.Segment == toolcall.SegmentText {
						text += e.Delta()
					}
				}
				whole := len(ends) == 1 && ends[0].Status == toolcall.Complete
				cutOff := len(ends) == 1 && ends[0].Status == toolcall.Incomplete && ends[0].Reason == toolcall.ReasonEndOfStream
				if !cutOff && !whole {
					t.Errorf("%q: the ends are %v", in, ends)
				}
				if strings.TrimSpace(text) != strings.TrimSpace(before) && strings.TrimSpace(text) != "" && !whole {
					t.Errorf("%q: the text is %q", in, text)
				}
			}
		})
	}
	for name := range sureAfter {
		if !slices.ContainsFunc(dialect.All(), func(d *dialect.Dialect) bool { return d.Name == name }) {
			t.Errorf("there is no dialect %s", name)
		}
	}
}
