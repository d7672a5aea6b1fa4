package responses

import (
	"strings"

	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/toolcall"
)

// wholeEvent writes an event that no delta tells of, with our own number and
// output index.
func (e *encoder) wholeEvent(dst []byte, d toolcall.Delta) []byte {
	v, err := rawjson.Parse(jsonout.OneLine([]byte(d.Text)))
	if err != nil || v.Kind != rawjson.Object {
		e.w.Log.Unplaced(d)
		return dst
	}
	name := new(rawjson.Texts).Whole(v.Get("type"))
	if name == "" || strings.IndexFunc(name, isOdd) >= 0 {
		e.w.Log.Unplaced(d)
		return dst
	}
	return e.copyEvent(e.begin(dst), name, v)
}

// isOdd reports whether a character has no place in the name of an event, which
// stands in a line of its own and in JSON.
func isOdd(c rune) bool { return c <= ' ' || c > '~' || c == '"' || c == '\\' }

// copyEvent writes an event as it stands.
func (e *encoder) copyEvent(dst []byte, name string, v rawjson.Value) []byte {
	w := e.event(dst, name)
	for key, member := range v.Fields() {
		switch string(key) {
		case "type", "sequence_number":
		case "output_index":
			w.Key("output_index")
			if it := e.sources[string(member.Raw)]; it != nil {
				w.Int(int64(it.index))
			} else {
				w.Raw(member.JSON())
			}
		default:
			w.Member(string(key), member.JSON())
		}
	}
	return e.endBytes(w.Out, "")
}

// wholeItem writes an item that no delta tells of, from the event that holds it:
// the first begins it, and one that tells its end ends it.
func (e *encoder) wholeItem(dst []byte, d toolcall.Delta) []byte {
	v, err := rawjson.Parse(jsonout.OneLine([]byte(d.Text)))
	item := v.Get("item")
	if err != nil || item.Kind != rawjson.Object {
		e.w.Log.Unplaced(d)
		return dst
	}
	source, done := string(v.Get("output_index").Raw), v.Get("type").Is("response.output_item.done")
	it := e.sources[source]
	if it == nil || it.done || source == "" || !done {
		dst = e.settle(e.begin(dst))
		it = e.newItem(&openItem{call: toolcall.NoIndex, id: new(rawjson.Texts).Whole(item.Get("id"))})
		if e.sources == nil {
			e.sources = map[string]*openItem{}
		}
		e.sources[source] = it
		if done {
			it.raw = item.Raw
			dst = e.itemAdded(dst, it)
		}
		if row := clientItemOf(item); row != nil {
			e.copied(row, item)
		}
	}
	it.raw = item.Raw
	name := "response.output_item.added"
	if done {
		it.done, name = true, "response.output_item.done"
		delete(e.sources, "")
	}
	if source == "" {
		return e.itemEvent(dst, it, name)
	}
	return e.copyEvent(dst, name, v)
}

// copied notes a call that an item is, which the call's own delta need not write.
func (e *encoder) copied(row *clientItem, item rawjson.Value) {
	id := new(rawjson.Texts).Whole(item.Get(row.id))
	if id == "" {
		id = new(rawjson.Texts).Whole(item.Get("id"))
	}
	if e.copies == nil {
		e.copies = map[string]bool{}
	}
	e.copies[id] = true
}

// wholePart writes a part of a kind that no delta tells of: where it begins, and
// where it ends.
func (e *encoder) wholePart(dst []byte, at list, d toolcall.Delta) []byte {
	v, err := rawjson.Parse(jsonout.OneLine([]byte(d.Text)))
	it, part := e.ofPart(), v.Get("part")
	if err != nil || it == nil || part.Kind != rawjson.Object {
		e.w.Log.Unplaced(d)
		return dst
	}
	if dst = e.begin(dst); it == e.next {
		dst = e.openProse(dst, it.kind, "")
	}
	done := v.Get("type").Is("done")
	if it.part.raw == nil || !done {
		dst = e.closePart(dst, it)
		it.nextPart(at)
		it.part.raw, it.part.at = part.Raw, at
		e.room -= itemCost
		dst = e.partEvent(dst, it, listShapes[at].added, part.Raw)
	}
	if done {
		dst = e.closeWhole(dst, it, at, part.Raw)
	}
	return dst
}

func (e *encoder) closeWhole(dst []byte, it *openItem, at list, part []byte) []byte {
	dst = e.partEvent(dst, it, listShapes[at].done, part)
	it.endPart(at, part)
	return dst
}
