package manifest

import (
	"encoding/json"
	"strings"
)

// wording contains the sentences of a manifest. Without the example of several calls, models
// make only one. Unless they are told to stop after the calls, they invent results.
type wording struct {
	one     string // before the example of one call
	several string // before the example of several calls
	list    string // the same if the calls of a turn are one list
	rules   string
	none    string // what to do if no call is needed
	results string // before the example of a result
	free    string // how to write objects without declared members in tags
	guides  [guideCount]string
}

// A guide tells a model how to write the values of a style.
type guide uint8

const (
	noGuide   guide = iota
	tagGuide        // of lists and objects in tags, and of entities
	pairGuide       // of strings without quotes
	guideCount
)

// resultShown is the result of a tool in examples.
const resultShown = "the result"

var fullWording = wording{
	one:     "To call a tool, write:\n",
	several: "To make several calls, write one after another:\n",
	list:    "To make several calls, write them in one list:\n",
	rules: "Use only the tools listed above, by their exact names, and give every required parameter. " +
		"You may write text before the calls. After them, stop and wait for the results. ",
	none:    "If no call is needed, answer without one.\n",
	results: "The results come in the user's next message, in the order of the calls; never write them yourself:\n",
	free:    " Write an object whose members are not listed as JSON.",
	guides: [guideCount]string{
		tagGuide:  "Write each element of a list as an <item> and each member of an object as an <arg>, not as JSON. In values, write & as &amp; and < as &lt;.",
		pairGuide: "Write strings without quotes, and lists and objects as JSON.",
	},
}

var compactWording = wording{
	one:     fullWording.one,
	several: "Several calls, one after another:\n",
	list:    "Several calls, in one list:\n",
	rules:   "Use only these tools, and give every required parameter. After the calls, stop and wait. ",
	none:    "If none is needed, answer in text.\n",
	results: "Results come in the user's next message, in the order of the calls:\n",
	free:    fullWording.free,
	guides: [guideCount]string{
		tagGuide:  "Write list elements as <item> and object members as <arg>. In values, write & as &amp; and < as &lt;.",
		pairGuide: fullWording.guides[pairGuide],
	},
}

// heading is the beginning of a manifest.
const heading = "## Accessible Tools\n\n"

// closed returns a text that ends with one line break.
func closed(s string) string { return strings.TrimSuffix(s, "\n") + "\n" }

// AnswerWords returns sentences for a system prompt that ask for an answer of one JSON value,
// which must fit the schema unless that is nil. They replace the response format of a
// provider. calls means that answers may also be calls.
func AnswerWords(schema json.RawMessage, calls bool) string {
	var b strings.Builder
	if calls {
		b.WriteString("When you call no tool, answer")
	} else {
		b.WriteString("Answer")
	}
	b.WriteString(" with one JSON value and nothing else: no words before or after it, and no code fence around it.")
	if len(schema) > 0 {
		b.WriteString(" It must fit this JSON Schema:\n")
		b.Write(schema)
	}
	return b.String()
}
