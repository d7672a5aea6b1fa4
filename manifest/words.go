package manifest

import "strings"

// words are the sentences of a manifest. That every call may be one of several, and may
// have text around it, is what keeps models from writing only one.
type words struct {
	one, two, around, none, results string

	list   string // stands for two where the calls of a turn are one list
	result string // stands for what a tool returns

	free string // how tags write objects whose members are not declared

	bare   bool // leave out what need not stand around the tools
	guides [guideCount]string
}

// A guide is what the calls of a style need to be told.
type guide uint8

const (
	noGuide   guide = iota
	tagGuide        // of lists and objects in tags, and of entities
	pairGuide       // of strings without quotes
	markGuide       // of those, and of the mark at types that may be left out
	guideCount
)

// What is there whatever the number of tools is to be smaller than this, in bytes.
const (
	maxFixed        = 900
	maxFixedCompact = 700
)

// wordings are the sentences in ever fewer words: where the markup of a dialect is
// long, there is less room for them.
var wordings = []words{
	{
		one:     "To call a tool, write:\n",
		two:     "For several calls, write one after another:\n",
		list:    "For several calls, write them in one list:\n",
		around:  "Text may stand before and after calls. ",
		none:    "When no call is needed, answer without one.\n",
		results: "Results come back in the next message, in the order of the calls; never make them up:\n",
		result:  "the result",
		free:    " An object whose members are not listed is written as JSON.",
		guides: [guideCount]string{
			tagGuide:  "Write each element of a list as an <item>, never as JSON, and each member of an object as an <arg>; in values, & and < as &amp; and &lt;.",
			pairGuide: "Strings stand without quotes; lists and objects are JSON.",
			markGuide: "Strings stand without quotes; lists and objects are JSON. A type with ? may be left out.",
		},
	},
	{
		one:     "To call a tool, write:\n",
		two:     "Several, one after another:\n",
		list:    "Several, in one list:\n",
		around:  "Text may stand around calls. ",
		none:    "When no call is needed, answer without one.\n",
		results: "Results come back next, in order:\n",
		result:  "the result",
		free:    " Objects without listed members: JSON.",
		guides: [guideCount]string{
			tagGuide:  "Lists: an <item> each. Objects: an <arg> each. Write &amp; &lt; for & <.",
			pairGuide: "Strings: no quotes. Lists, objects: JSON.",
			markGuide: "Strings: no quotes. Lists, objects: JSON. A ? is optional.",
		},
	},
	{
		bare:    true,
		one:     "To call a tool:\n",
		two:     "More, one after another:\n",
		list:    "More, in one list:\n",
		around:  "Text may stand around calls. ",
		none:    "When no call is needed, make none.\n",
		results: "Results come back in order:\n",
		result:  "...",
		free:    " Objects without listed members: JSON.",
		guides: [guideCount]string{
			tagGuide:  "Lists: an <item> each. Objects: an <arg> each. &amp; &lt; for & <.",
			pairGuide: "Strings bare, else JSON.",
			markGuide: "Strings bare, else JSON. A ? is optional.",
		},
	},
}

// heading is what a manifest begins with.
const heading = "## Accessible Tools\n\n"

// closed is a text that ends its line.
func closed(s string) string { return strings.TrimSuffix(s, "\n") + "\n" }
