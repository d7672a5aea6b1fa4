package anthropic

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// searchResult is the type of blocks with what a search has found: texts with their title
// and source, which the model can cite. Other wires get all of it as one text. It is also
// the path of the extras from which this wire writes the block again.
const searchResult = "search_result"

// searchResult reads such a block. ok is false if it contains anything but texts.
func (r *reading) searchResult(v rawjson.Value, path string) (part chat.Part, ok bool) {
	text := searchText(v.Get)
	if text == "" {
		return part, false
	}
	keep := r.Keeper()
	keep.NoteName(searchResult)
	keep.NoteName(inList)
	keepExtra := func(key []byte, v rawjson.Value) { keep.Keep(searchResult, key, v) }
	r.Members(v, path, &keep, "", "type", nil, "title", keepExtra, "source", keepExtra, "content", keepExtra)
	return chat.Part{Kind: chat.PartText, Text: text, Extras: keep.Extras}, true
}

// searchText returns what such a block says, given its members; "" if it contains anything
// but texts.
func searchText(get func(name string) rawjson.Value) string {
	var texts rawjson.Texts
	title, source, content := get("title"), get("source"), get("content")
	if title.Kind != rawjson.String || source.Kind != rawjson.String || content.Kind != rawjson.Array {
		return ""
	}
	lines := []string{texts.Whole(title), texts.Whole(source)}
	for block := range content.Items() {
		text := block.Get("text")
		if !block.Get("type").Is("text") || text.Kind != rawjson.String || block.Len() > 2 {
			return ""
		}
		lines = append(lines, texts.Whole(text))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// writeSearchResult writes the members of such a block if a text still is what it says, and
// reports whether it did.
func (w *writing) writeSearchResult(p chat.Part) bool {
	if !wire.UsesName(p.Extras, Wire, searchResult) || p.Text != searchText(func(name string) rawjson.Value {
		v, _ := rawjson.Parse(p.Extras.Get(Wire, searchResult, name))
		return v
	}) {
		return false
	}
	w.Text("type", searchResult)
	w.Extras(p.Extras, searchResult)
	return true
}
