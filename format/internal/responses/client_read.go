package responses

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
)

// clientCall reads an item that asks the client for something.
func (r *reading) clientCall(row *clientItem, v rawjson.Value, path string) chat.Part {
	part := chat.CallPart("", "", row.arguments(v))
	part.Call.Name, part.Call.Native = r.named(row.name, chat.Native{Wire: Wire, Type: row.call})
	part.Call.Cut = r.answer && isUnfinished(v.Get("status"))
	keep := r.ofItem()
	keep.Skips = func(key []byte, v rawjson.Value) bool { return row.isMember(string(key)) || isNothing(key, v) }
	itemID := r.Texts.Whole(v.Get("id"))
	r.Members(v, path, &keep, "", row.id, &part.Call.ID,
		"status", func(key []byte, status rawjson.Value) {
			if !r.answer || !status.Is("completed") {
				keep.KeepSet("", key, status)
			}
		})
	if part.Call.ID == "" {
		part.Call.ID = itemID
	}
	part.Extras = keep.Extras
	r.asked[part.Call.ID] = row
	r.byItem[itemID] = part.Call.ID
	return part
}

// note notes a call that the server runs, whose result it has, too.
func (r *reading) note(v rawjson.Value) {
	kind := v.Get("type")
	for i := range clientItems {
		if row := &clientItems[i]; kind.Is(row.call) {
			r.served[r.Texts.Name(v.Get(row.id))] = true
		}
	}
}

// isAnswer reports whether an item is the client's answer to what it was asked.
func (r *reading) isAnswer(v rawjson.Value) bool {
	row := answerOf(v.Get("type"))
	return row != nil && row.mine.holds(v) && !r.served[r.Texts.Name(v.Get(row.answersID))]
}

// clientResult reads the client's answer. It names the call, or the item of it.
func (r *reading) clientResult(row *clientItem, v rawjson.Value, path string) chat.Message {
	result := new(chat.Result)
	keep := r.ofItem()
	var rest jsonout.Writer
	rest.Object()
	if row.result == asObject {
		keep.Skips = func(key []byte, v rawjson.Value) bool {
			if string(key) != "type" && string(key) != "id" {
				rest.Member(string(key), v.JSON())
				return true
			}
			return isNothing(key, v)
		}
	}
	known := []any{row.answersID, &result.CallID}
	if row.output != "" {
		known = append(known, row.output, func(v rawjson.Value) { result.Parts = r.clientOutput(row, v, path+"."+row.output) })
	}
	if row.verdict {
		known = append(known, "status", func(v rawjson.Value) { result.IsError = v.Is("failed") })
	}
	r.Members(v, path, &keep, "", known...)
	rest.EndObject()
	if row.result == asObject {
		result.Parts = []chat.Part{chat.TextPart(string(rest.Out))}
	}
	if callID, ok := r.byItem[result.CallID]; ok && r.asked[result.CallID] == nil {
		keep.Spell(asItemID)
		result.CallID = callID
	}
	keep.Spell(row.answer)
	return chat.Message{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: result, Extras: keep.Extras}}}
}

// clientOutput reads what the client answers.
func (r *reading) clientOutput(row *clientItem, v rawjson.Value, path string) []chat.Part {
	switch {
	case !v.IsSet():
		return nil
	case row.result == asImage && v.Kind == rawjson.Object:
		return []chat.Part{r.image(v, path)}
	case row.result == asText && v.Kind == rawjson.String:
		return r.content(v, path)
	}
	return []chat.Part{chat.TextPart(string(v.JSON()))}
}
