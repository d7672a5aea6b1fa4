package dialectdoc

import (
	"bufio"
	"fmt"
)

// field is a field of a dialect file and its meaning.
type field struct{ path, means string }

// fields are the fields of a dialect file, in the order of dialect.Dialect. A test
// compares them with its JSON fields.
var fields = []field{
	{"name", "the name, in lower case; a built-in name has no special meaning here"},
	{"aliases", "other names, in lower case"},
	{"about", "who writes the dialect; for people"},
	{"source", "where the facts are from; for people"},
	{"quirks", "known habits of its models, and how they are read; for people"},
	{"reasoning", "markers around reasoning, several pairs where models differ"},
	{"reasoning[].open", "begins reasoning"},
	{"reasoning[].close", "ends it"},
	{"reasoning[].anywhere", "the opener counts anywhere, not only at the beginning of a line"},
	{"frame", "the markers around calls"},
	{"frame.section", "`open` and `close` around one or more calls"},
	{"frame.call", "`open` and `close` around one call; if neither section nor call has an opener, only calls of declared tools count"},
	{"frame.between", "written between two calls"},
	{"frame.separators", "the bytes, other than blanks, that may separate two calls"},
	{"frame.single", "writes every call in a section of its own"},
	{"frame.at", "where an opener counts: `line` (at the beginning of a line), `start` (of the message, or after a call), anywhere by default"},
	{"frame.closers", "up to four other spellings of the end of a call"},
	{"frame.bare", "prose may contain this opener, so only calls of declared tools count"},
	{"frame.stop", "the closer of a call is a stop sequence: a call that ends after the closer of a value, or in plain text, is whole"},
	{"head", "how the name of the tool is written"},
	{"head.form", "`attribute` (of the opening tag), `envelope` (a member of a JSON object), `key` (its key), `literal` (the text after the opener), `header` (a JSON object after it)"},
	{"head.name", "the attribute or the members that hold the name; the first is written"},
	{"head.end", "ends a header, a literal name, or the opening tag"},
	{"head.prefix", "comes before a literal name and is not part of it"},
	{"head.index", "comes between a literal name and a number; the whole is the call's id"},
	{"head.id", "comes between a literal name and the call's id"},
	{"head.lead", "comes between the call's id and a literal name, if the id comes first"},
	{"head.wrap", "the members of an envelope that may hold the call as an object"},
	{"head.array", "an envelope may be an array of calls"},
	{"head.lists", "the members of an envelope that may hold an array of calls"},
	{"head.bare", "those of `lists` whose calls may have no arguments"},
	{"head.answer", "the name in an envelope with which a model ends its work; unless a tool has it, the arguments are text"},
	{"args", "how the arguments are written"},
	{"args.form", "`json`, `pairs` (literal markers around keys and values), `python` (keyword arguments), `tags` (an `<arg>` for each value, all of them in `<arguments>`; letters match in any ASCII case), `yaml`, `gemma`, `raw` (the text of one parameter)"},
	{"args.keys", "`json` in an envelope: the members that hold the arguments; the first is written"},
	{"args.required", "an object without such a member is not a call"},
	{"args.key", "the attribute that holds the parameter's name; for `pairs`, in a tag that `key_mark` opens and closes"},
	{"args.entities", "decode entities such as `&lt;` and CDATA sections in values"},
	{"args.cdata", "strings with `<`, `&` or a line feed are written as CDATA sections, not with entities; needs `entities`"},
	{"args.key_mark", "`open` and `close` around a key; for `python`, `--` and a blank turn the arguments into options"},
	{"args.type_mark", "`pairs`: around a value's type, between key and value; types are read, but not written"},
	{"args.value_mark", "`pairs`: around a value; `close` is needed, and `{key}` in it stands for the key"},
	{"args.type", "the attribute that gives a value's type: its name, or true for a string and false for JSON"},
	{"args.closers", "up to four other spellings of the end of a value; `{name}` stands for any name"},
	{"args.unwrap", "parameters that may hold all arguments as JSON, if the tool does not declare them"},
	{"args.python", "`pairs`: which values are written as Python prints them: `scalars` (True, False, None) or `all` (lists and objects, too)"},
	{"args.layout", "which blanks around a value are layout: `lines` (one line feed on each side), `trim` (all, but in the parameter `content` at most one line feed on each side), none by default"},
	{"args.quoted", "writes strings as JSON strings"},
	{"args.escaped", "line feeds between markers may be written as a backslash and an n"},
	{"args.marked", "no value contains the opener of a key, so it ends a value without a closer wherever it occurs"},
	{"args.nested", "each key is a tag of its own name; objects and lists are nested tags"},
	{"args.quote", "`gemma`: the mark on both sides of a string; `python`: the one that is written"},
	{"args.param", "`raw`: the parameter that the text is"},
	{"args.until", "`raw`: ends the text at the beginning of a line, and is not part of it"},
	{"args.object", "`raw`: text that begins with { is an object with all arguments"},
	{"also", "other ways to write a call, each with `frame`, `head` and `args`; they are read but never written"},
	{"noise", "tokens that are dropped from the text, such as the end of a turn"},
	{"ends", "where an answer ends"},
	{"ends.turn", "the token with which the models' template ends a turn of the model; the last of the stop sequences"},
	{"ends.stop", "the stop sequences of requests, the most important first; by default what a result begins with, and what ends a section of calls"},
	{"channels", "for dialects whose messages begin with a header"},
	{"channels.open", "the tokens that begin a header"},
	{"channels.within", "the tokens that may occur in one"},
	{"channels.message", "the tokens that end one; a blank at the end is layout"},
	{"channels.close", "the tokens that end a message"},
	{"channels.to", "how the word begins that names the recipient"},
	{"channels.roles", "the words of a header that say nothing about its message"},
	{"channels.reasoning", "the words, recipients and tokens of a header that make its message reasoning"},
	{"channels.text", "the same for text; markup to such a recipient is text, too"},
	{"channels.calls", "the same for calls: the first entry for the first form, and so on"},
	{"channels.addressed", "any other recipient is a tool, and the message holds its arguments, written as in the dialect's own form or in one of `also`"},
	{"channels.own", "the recipients that are tools of the model's own"},
	{"calls_end_reasoning", "the opener of a call ends reasoning"},
	{"calls_in_reasoning", "accept calls inside reasoning"},
	{"written", "only for writing calls"},
	{"written.envelope", "one call as JSON, with `{name}`, `{id}` and `{args}` in their places"},
	{"written.list", "`open` and `close` around all calls of a message, if one JSON value contains them"},
	{"written.compact", "writes JSON without blanks after commas and colons"},
	{"written.indent", "by how many blanks each level of JSON is indented; 0 for one line"},
	{"written.reasoning", "around reasoning; by default the first of `reasoning`"},
	{"written.text", "around text"},
	{"written.text_always", "in a conversation, these markers precede calls even if there is no text"},
	{"written.call", "around a call; `{name}` stands for the tool's"},
	{"written.keeps", "which reasoning of earlier turns a prompt keeps: `turn` (since the user's last message), `all`, none by default"},
	{"written.begun", "the opener of reasoning, or the beginning of a call, that the models' own prompt ends with, which `parse --prompted` puts before the answer"},
	{"written.prompt", "the same for what all messages begin with: the beginning of a call that the prompt already ends with"},
	{"written.heads", "other ways in which a call may begin after that"},
	{"written.count", "the attribute that counts the calls of a message, from 1"},
	{"written.lead", "written between text and the calls after it"},
	{"written.lead_reasoning", "also between reasoning and calls"},
	{"written.empty", "written instead of the arguments if a call has none"},
	{"written.sorted", "arguments are written in the order of their names"},
	{"written.numbered", "the ids of calls are their numbers in the conversation, from 0"},
	{"results", "how results are written for the model; `{name}` and `{id}` are the call's, `{at}` is its number in the message"},
	{"results.role", "the role whose turn they are in the models' template, the user's by default; requests have them in a message of the user"},
	{"results.turn", "`open` and `close` around all that follow one message"},
	{"results.result", "around one"},
	{"results.between", "between two"},
	{"results.quoted", "the text of a result is written as a JSON string"},
	{"results.nested", "with `quoted`: a text that is JSON is written as it is"},
	{"results.alone", "every result has a turn of its own"},
	{"show", "how a prompt shows the tools; if missing, it follows from how calls are written"},
	{"show.form", "`openai`, `plain`, `mcp`, `xml`, `tags`, `typescript`, `lines`, `python` or `gemma`"},
	{"show.tools", "`open` and `close` around all tools"},
	{"show.tool", "around one; for `lines` with `{name}`, `{about}`, `{at}`, and `{schema}` or `{function}` in their places"},
	{"show.between", "between two"},
	{"show.param", "`lines`: each parameter, with `{name}`, `{about}`, `{type}`, `{need}`, `{facts}` and `{at}`"},
	{"show.sign", "`python`: each parameter at the `{signature}` in `show.tool`; what stands before its `{name}` is written between two. Here and in `param`, `{need:A|B}` is A if the parameter is required, else B; in `tool`, `{any:A}` is A if there are parameters"},
	{"show.template", "the models whose chat template the following fields are after; without it, prompts teach the dialect by examples"},
	{"show.place", "where the tools are: `before` the system text, in a message of their own before or after the system message (`first`, `second`), in the first or last message of the user (`first_user`, `last_user`), by default after the system text"},
	{"show.gap", "between the tools and the system text, or that of the user"},
	{"show.before", "the text before the tools"},
	{"show.after", "the text after them"},
	{"show.closing", "the text of a system message after the conversation"},
	{"show.each", "written for each tool after `before`; `{name}` stands for its name"},
	{"show.layout", "how tools that are JSON or TypeScript are laid out; by default JSON is on one line, with a blank after commas and colons"},
	{"show.layout.indent", "by how many blanks each level is indented"},
	{"show.layout.more", "written after the last member of a tool in JSON"},
	{"show.layout.compact", "JSON has no blanks"},
	{"show.layout.sorted", "the members of JSON objects are sorted"},
	{"show.layout.repr", "values are Python's literals"},
	{"show.layout.flush", "the parameters of TypeScript are not indented"},
	{"show.layout.open", "no comma follows the last member of TypeScript"},
	{"show.layout.typing", "Python's types are those of `typing`"},
	{"show.layout.any", "several types of a parameter are any in TypeScript"},
	{"show.layout.detailed", "TypeScript has the type integer, limits and defaults in comments, and parentheses around the types of elements and alternatives"},
	{"show.layout.stop", "a description in TypeScript ends with a full stop"},
	{"example", "one call of `get_weather` with `city` = `Oslo`"},
}

// writeFields writes the meaning of each field of a dialect file.
func writeFields(b *bufio.Writer) {
	fmt.Fprint(b, `
## The fields of a dialect file

A file needs a name and either frame, head and args, or reasoning. Markers are written exactly as given.
When reading, blanks around a marker do not count, and blanks inside it match any blanks or none. Unknown
fields are errors, and so are markers that consist of blanks only and values that could never end.

| field | meaning |
|---|---|
`)
	for _, f := range fields {
		fmt.Fprintf(b, "| `%s` | %s |\n", f.path, cell(f.means))
	}
}
