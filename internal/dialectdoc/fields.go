package dialectdoc

import (
	"bufio"
	"fmt"
)

// field is a field of a dialect file, and what it means.
type field struct{ path, means string }

// fields are those of a dialect file, in the order of parser.Dialect. A test holds
// them to its JSON fields.
var fields = []field{
	{"name", "in lower case; no built-in one means anything here"},
	{"aliases", "other names, in lower case"},
	{"about", "who writes the dialect; for people"},
	{"source", "where the facts are from; for people"},
	{"quirks", "what its models do amiss; for people"},
	{"reasoning", "markers around reasoning, several pairs where models differ"},
	{"reasoning[].open", "begins reasoning"},
	{"reasoning[].close", "ends it"},
	{"reasoning[].anywhere", "the opener counts anywhere, and not only where it begins a line"},
	{"frame", "the markers around calls"},
	{"frame.section", "`open` and `close` around one or more calls"},
	{"frame.call", "`open` and `close` around one call; without any opener only declared tools are called"},
	{"frame.between", "written between two calls"},
	{"frame.separators", "the bytes, beside blanks, that may stand between two calls"},
	{"frame.single", "every call is written in a section of its own"},
	{"frame.at", "where an opener counts: `line` (at the beginning of a line), `start` (of the message, or after a call), anywhere by default"},
	{"frame.closers", "other spellings of what ends a call, four at most"},
	{"frame.bare", "prose may hold such an opener: only declared tools are called"},
	{"frame.fold", "markers, tags and attribute names match in any ASCII case"},
	{"head", "how the name of the tool is written"},
	{"head.form", "`attribute` (of the opening tag), `envelope` (a member of a JSON object), `key` (its key), `literal` (the text after the opener), `header` (a JSON object after it)"},
	{"head.name", "the attribute or the members that hold the name; the first is written"},
	{"head.type", "of a header: the member that holds the segment type"},
	{"head.end", "ends a header, a literal name, or the opening tag"},
	{"head.prefix", "stands before a literal name, and is no part of it"},
	{"head.index", "stands between a literal name and a number; all of it is the call's id"},
	{"head.id", "stands between a literal name and the call's id"},
	{"head.lead", "stands between the call's id and a literal name, where the id comes first"},
	{"head.wrap", "the members of an envelope that may hold the call as an object"},
	{"head.array", "an envelope may be an array of calls"},
	{"head.lists", "the members of an envelope that may hold an array of calls"},
	{"head.bare", "those of `lists` whose calls may lack arguments"},
	{"args", "how the arguments are written"},
	{"args.form", "`json`, `pairs` (literal markers around keys and values), `python` (keyword arguments), `tags` (one tag for each value), `yaml`, `gemma`, `raw` (the text of one parameter)"},
	{"args.keys", "`json` in an envelope: the members that hold the arguments; the first is written"},
	{"args.required", "an object without such a member is no call"},
	{"args.wrapper", "`tags`: the tag around them all"},
	{"args.tag", "`tags`: the tag of one value"},
	{"args.key", "the attribute that holds the parameter's name; for `pairs`, of a tag that `key_mark` begins and ends"},
	{"args.item", "the tag of a list's element"},
	{"args.entities", "`&lt;` and its like, and CDATA sections, are decoded in values"},
	{"args.key_mark", "`open` and `close` around a key; for `python`, `--` and a blank make options of the arguments"},
	{"args.type_mark", "`pairs`: around a value's type, between key and value"},
	{"args.value_mark", "`pairs`: around a value; `close` is needed, and `{key}` in it stands for the key"},
	{"args.type", "the attribute that gives a value's type: its name, or true for a string and false for JSON"},
	{"args.closers", "other spellings of what ends a value, four at most; `{name}` stands for any name"},
	{"args.unwrap", "parameters that hold all arguments as JSON, where the tool declares no such parameter"},
	{"args.layout", "which blanks around a value are layout: `lines` (one line feed on each side), `trim` (all), none by default"},
	{"args.exact", "the parameters of which no more than one line feed on each side is layout"},
	{"args.quoted", "strings are written as JSON strings"},
	{"args.escaped", "line feeds between markers may be written as a backslash and an n"},
	{"args.nested", "each key is a tag of its name, and objects and lists are tags within values"},
	{"args.quote", "`gemma`: what stands on both sides of a string"},
	{"args.param", "`raw`: the parameter that the text is"},
	{"args.until", "`raw`: what ends the text where it begins a line, and is no part of it"},
	{"args.object", "`raw`: a text that begins with { is the object of all arguments"},
	{"also", "other ways to write a call, each with `frame`, `head` and `args`: read, and not written"},
	{"shorthands", "tags that are tools of their own"},
	{"shorthands[].tag", "the tag, which is the segment type, too"},
	{"shorthands[].tool", "the tool's name, where that is not the tag"},
	{"shorthands[].content", "the parameter that the body is"},
	{"shorthands[].attrs", "the parameters that are attributes"},
	{"shorthands[].needs", "the attribute without which it is no call"},
	{"noise", "tokens that are no text, such as the end of a turn"},
	{"channels", "for dialects whose messages begin with a header"},
	{"channels.open", "the tokens that begin a header"},
	{"channels.within", "the tokens that may stand in one"},
	{"channels.message", "the tokens that end one; a blank at the end is layout"},
	{"channels.close", "the tokens that end a message"},
	{"channels.to", "what the word begins with that gives the recipient"},
	{"channels.roles", "the words of a header that tell nothing about its message"},
	{"channels.reasoning", "the words, recipients and tokens of headers whose message is reasoning"},
	{"channels.text", "the same of text; markup for such a recipient is text, too"},
	{"channels.calls", "the same of calls: the first for the first form, and so on"},
	{"channels.addressed", "any other recipient is a tool, and the message is its arguments"},
	{"channels.bodies", "how many of `also` are further ways to write those arguments"},
	{"channels.own", "the recipients that are tools of the model's own"},
	{"channels.joint", "put between two messages of text, or of reasoning"},
	{"calls_end_reasoning", "the opener of a call ends reasoning"},
	{"calls_in_reasoning", "accept calls inside reasoning"},
	{"written", "what only the writing of calls needs"},
	{"written.envelope", "one call as JSON, with `{name}`, `{id}` and `{args}` in their places"},
	{"written.list", "`open` and `close` around all calls of a message, where one JSON value holds them"},
	{"written.compact", "JSON has no blanks after commas and colons"},
	{"written.reasoning", "around reasoning; by default the first of `reasoning`"},
	{"written.text", "around text"},
	{"written.call", "around a call; `{name}` stands for the tool's"},
	{"written.prompt", "what calls begin with and the prompt for an answer ends with"},
	{"written.heads", "other ways in which a call may begin after that"},
	{"written.count", "the attribute that counts the calls of a message, from 1"},
	{"written.lead", "written between text and the calls after it"},
	{"results", "how results are written for the model; `{name}` and `{id}` are the call's"},
	{"results.turn", "`open` and `close` around all that follow one message"},
	{"results.result", "around one"},
	{"results.between", "between two"},
	{"results.quoted", "the text of a result is written as a JSON string"},
	{"show", "how a prompt shows the tools; chosen by how calls are written where it lacks"},
	{"show.form", "`openai`, `plain`, `mcp`, `xml`, `tags`, `typescript` or `lines`"},
	{"show.tools", "`open` and `close` around all tools"},
	{"show.tool", "around one; for `lines` with `{name}`, `{about}`, `{at}` and `{schema}` in their places"},
	{"show.between", "between two"},
	{"show.param", "`lines`: each parameter, with `{name}`, `{about}`, `{type}`, `{need}`, `{facts}` and `{at}`"},
	{"example", "one call of `get_weather` with `city` = `Oslo`"},
}

// writeFields writes what each field of a dialect file means.
func writeFields(b *bufio.Writer) {
	fmt.Fprint(b, `
## The fields of a dialect file

A file needs a name, and frame, head and args, or reasoning. Markers are written as they stand; on
reading, blanks around them do not count, and blanks within them stand for any or none. A field that
this list does not have is an error, and so are markers of nothing but blanks and values that could
never end.

| field | meaning |
|---|---|
`)
	for _, f := range fields {
		fmt.Fprintf(b, "| `%s` | %s |\n", f.path, cell(f.means))
	}
}
