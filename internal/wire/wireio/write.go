package wireio

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/unknown"
)

// Writer writes one body of a wire.
type Writer struct {
	jsonout.Writer
	Log        features.Log
	VendorOnly bool
	Sealed     bool // signatures are marked by the caller, who gives them back to their provider

	wire, model string
	ids, names  *wire.Renames
	sent        *wire.Renames     // nil: the request is unknown
	reported    map[string]bool   // names and ids whose change was reported
	tools       int               // number of tools to write, if it is known
	given       chat.Extras       // of the request, before they were converted
	declared    map[string]string // fields of the tools that were written, by name
}

// NewWriter returns a writer for a wire with these rules for ids and names, unless the
// options have their own.
func NewWriter(name string, opts wire.Options, ids, names wire.Rule) Writer {
	w := Writer{
		Log: features.Log{Wire: name}, VendorOnly: opts.VendorOnly, Sealed: opts.Seal != nil,
		wire: name, model: opts.Model, ids: opts.IDs, names: opts.Names, sent: opts.SentNames,
	}
	w.Texts = opts.Texts
	if w.ids == nil {
		w.ids = new(wire.Renames)
	}
	w.ids.SetRule(ids)
	if w.names == nil {
		w.names = new(wire.Renames)
	}
	w.names.SetRule(names)
	return w
}

// Request returns a request with the settings of other wires converted to this one's, if
// it has them.
func (w *Writer) Request(req *chat.Request) *chat.Request {
	copied := *req
	w.tools, w.given = len(req.Tools), req.Extras
	w.names.Grow(w.tools)
	w.Out = slices.Grow(w.Out, sizeOf(req))
	copied.Model = cmp.Or(w.model, copied.Model)
	copied.Extras = w.Log.ConvertRequest(req.Extras)
	return &copied
}

// IsGiven reports whether a member of the request comes from this wire, and not from a
// setting of another one.
func (w *Writer) IsGiven(name string) bool { return w.given.Get(w.wire, "", name) != nil }

// On makes w, which has written nothing of its own, write after dst.
func (w *Writer) On(dst []byte) { w.Writer = jsonout.Writer{Out: dst} }

// sizeOf estimates the bytes that a request takes, so that they need not be copied while it
// is written.
func sizeOf(req *chat.Request) int {
	const around = 96 // bytes around a text, mostly names of members
	size := 4 * around
	for i := range req.Messages {
		for j := range req.Messages[i].Parts {
			p := &req.Messages[i].Parts[j]
			size += around + len(p.Text) + len(p.Text)/4 // escapes, as in JSON
			if p.Call != nil {
				size += around + len(p.Call.Arguments) + len(p.Call.Arguments)/4
			}
			if p.Result != nil {
				for k := range p.Result.Parts {
					size += around + len(p.Result.Parts[k].Text) + len(p.Result.Parts[k].Text)/4
				}
			}
		}
	}
	for i := range req.Tools {
		size += around + len(req.Tools[i].Name) + len(req.Tools[i].Description) + len(req.Tools[i].Parameters)
	}
	return size
}

// Extras writes the wire's own members of the object in.
func (w *Writer) Extras(x chat.Extras, in string) { unknown.Write(&w.Writer, x, w.wire, in) }

// EndWith writes these members, and ends the object.
func (w *Writer) EndWith(x chat.Extras, in string) {
	w.Extras(x, in)
	w.EndObject()
}

// HasExtras reports whether there are such members of the object in, or below it.
func (w *Writer) HasExtras(x chat.Extras, in string) bool { return unknown.Has(x, w.wire, in) }

// Type writes the type of an object, unless its extras have a type that the wire's reader
// did not know.
func (w *Writer) Type(kind string, x chat.Extras) {
	if x.Get(w.wire, "", "type") == nil {
		w.Text("type", kind)
	}
}

// Name returns a tool's name in a form that the wire accepts, and reports a change once.
// The pieces of the field are only joined then. In an answer, the names of the caller's own
// tools stay, because the caller knows no others.
func (w *Writer) Name(source string, field ...string) string {
	if w.sent != nil && w.sent.Has(source) {
		return source
	}
	name, changed := w.names.Rename(source)
	w.report(changed, features.IllegalName, source, name, field...)
	return name
}

// CalledName is Name for a call in an answer: a name that was changed in the request
// becomes the tool's own again.
func (w *Writer) CalledName(name, field string) string {
	source, _, _ := w.CalledTool(name)
	return w.Name(source, field)
}

// CalledTool returns what is known about the tool that an answer calls, from the request:
// its own name, what the caller's wire says besides, and whether it takes free text.
func (w *Writer) CalledTool(name string) (source string, native chat.Native, custom bool) {
	if w.sent == nil {
		return name, chat.Native{}, false
	}
	return w.sent.Tool(name)
}

// Restore returns the choices of an answer with the names of the caller's tools, and an
// id for each call.
func (w *Writer) Restore(res *wire.Response) []wire.Choice {
	choices := wire.LinkResponse(res)
	if w.sent == nil {
		return choices
	}
	for i := range choices {
		parts := slices.Clone(choices[i].Message.Parts)
		for j, p := range parts {
			if p.Kind != chat.PartCall || p.Call == nil {
				continue
			}
			call := *p.Call
			name, native, custom := w.sent.Tool(call.Name)
			if call.Name = name; call.Native == (chat.Native{}) {
				call.Native, call.Custom = native, call.Custom || custom
			}
			parts[j].Call = &call
		}
		choices[i].Message.Parts = parts
	}
	return choices
}

// ID returns a call's id in a form that the wire accepts, and reports a change once. ""
// stays "".
func (w *Writer) ID(source, field string) string {
	if source == "" {
		return ""
	}
	id, changed := w.ids.Rename(source)
	w.report(changed, features.IllegalID, source, id, field)
	return id
}

func (w *Writer) report(changed bool, f features.Feature, source, name string, field ...string) {
	if changed && w.isFirst(f, source) {
		w.Log.Add(f, strings.Join(field, ""), source+" is written "+name)
	}
}

// isFirst records that the change of a name or an id was reported. It returns false if it
// had been before.
func (w *Writer) isFirst(f features.Feature, source string) bool {
	key := string(f) + source
	if w.reported[key] {
		return false
	}
	if w.reported == nil {
		w.reported = map[string]bool{}
	}
	w.reported[key] = true
	return true
}

// Link returns messages in which every call has a unique id, like [wire.Link], and
// reports ids that had to change, in the form in which they are written.
func (w *Writer) Link(messages []chat.Message) []chat.Message {
	linked, answered := wire.Link(messages), map[string]bool{}
	for i, m := range linked {
		for j, p := range m.Parts {
			if was := messages[i].Parts[j].Call; p.Kind == chat.PartCall && was != p.Call && was.ID != "" {
				id, _ := w.ids.Rename(p.Call.ID)
				w.isFirst(features.IllegalID, p.Call.ID)
				w.Log.Add(features.RepeatedID, At(At("messages", i)+".parts", j)+".call.id", was.ID+" is written "+id)
			}
			if p.Kind != chat.PartResult || p.Result == nil || p.Result.CallID == "" {
				continue
			}
			if answered[p.Result.CallID] {
				w.Log.Add(features.RepeatedResult, At(At("messages", i)+".parts", j)+".result", "both are written")
			}
			answered[p.Result.CallID] = true
		}
	}
	return linked
}

// EnsureContent returns messages of which at least one has content, for wires that reject
// empty requests: if all are empty, text replaces the user's last message.
func (w *Writer) EnsureContent(messages []chat.Message, text string) []chat.Message {
	user := -1
	for i, m := range messages {
		switch m.Role {
		case chat.System, chat.Developer:
			continue
		case chat.User:
			user = i
		}
		for _, p := range m.Parts {
			if p.Kind != chat.PartText || strings.TrimSpace(p.Text) != "" || len(p.Extras) > 0 {
				return messages
			}
		}
	}
	if user < 0 || text == " " && len(messages[user].Parts) > 0 {
		return messages
	}
	messages = slices.Clone(messages)
	messages[user].Parts = []chat.Part{chat.TextPart(text)}
	w.Log.Add(features.EmptyMessage, At("messages", user), strconv.Quote(text)+" replaces it: the request has no other message")
	return messages
}

// JoinTurns joins successive messages of the model, if all but the last call tools, and
// moves the results of these calls after the last.
func JoinTurns(messages []chat.Message) []chat.Message {
	var out []chat.Message
	for i, m := range messages {
		last := len(out) - 1
		joins := i > 0 && m.Role == chat.Assistant && messages[i-1].Role == chat.Assistant && messages[i-1].HasCalls()
		switch {
		case !joins && out == nil:
		case !joins:
			out = append(out, m)
		default:
			if out == nil {
				out = append(out, messages[:i]...)
				last = i - 1
			}
			into := &out[last]
			into.Parts = slices.Concat(into.Parts, m.Parts)
			for _, x := range m.Extras {
				if into.Extras.Get(x.Wire, x.In, x.Name) == nil {
					into.Extras = append(append(chat.Extras(nil), into.Extras...), x)
				}
			}
		}
	}
	if out == nil {
		return messages
	}
	return out
}

// SystemPrompt yields the messages that satisfy isSystem, with their paths, for wires
// where they are one text before all messages, and reports that.
func (w *Writer) SystemPrompt(messages []chat.Message, isSystem func(chat.Message) bool) iter.Seq2[string, chat.Message] {
	return func(yield func(string, chat.Message) bool) {
		first := true
		for i, m := range messages {
			if !isSystem(m) {
				continue
			}
			field := At("messages", i)
			if !first || i > 0 {
				w.Log.Add(features.SystemRole, field)
			}
			first = false
			if m.Role == chat.Developer {
				w.Log.Add(features.DeveloperRole, field+".role")
			}
			w.Log.ReportExtras(field, m.Extras)
			if !yield(field, m) {
				return
			}
		}
	}
}

// At returns the path of an element of a list.
func At(list string, i int) string {
	if list == inTools && i < len(toolPlaces) {
		return toolPlaces[i]
	}
	return list + "[" + strconv.Itoa(i) + "]"
}

const inTools = "tools"

// toolPlaces are the paths of the tools of nearly all requests, which name those of each.
var toolPlaces = func() (list [64]string) {
	for i := range list {
		list[i] = inTools + "[" + strconv.Itoa(i) + "]"
	}
	return list
}()

// Located is a part with its path.
type Located struct {
	chat.Part
	Field string
}

// Locate returns the parts in a field with their paths. It converts extras of images to
// this wire, if it has the same ones.
func (w *Writer) Locate(parts []chat.Part, field string) []Located {
	located := Locate(parts, field+".parts")
	for i := range located {
		if p := &located[i]; p.Kind == chat.PartImage {
			p.Extras = w.Log.ConvertImage(p.Extras)
		}
	}
	return located
}

// Locate returns the parts of a list with their paths.
func Locate(parts []chat.Part, list string) []Located {
	located := make([]Located, len(parts))
	for i, p := range parts {
		located[i] = Located{p, At(list, i)}
	}
	return located
}

// ResultAsText returns the content of a result without a call as a user's text, which says
// what it is the result of, because all servers reject such results.
func (w *Writer) ResultAsText(p Located, of string) []Located {
	what := "result"
	if p.Result.IsError {
		what = "error"
	}
	placeholder := []Located{{chat.TextPart("[" + what + " of " + of + "]"), p.Field}}
	return append(placeholder, w.Locate(p.Result.Parts, p.Field+".result")...)
}

// Content writes parts as a text if that expresses all of them and asList is false, otherwise
// as a list, with write for each part.
func (w *Writer) Content(parts []Located, asList bool, write func(Located)) {
	switch {
	case asList:
	case len(parts) == 0:
		w.String("")
		return
	case len(parts) == 1 && parts[0].Kind == chat.PartText && !w.HasExtras(parts[0].Extras, ""):
		w.String(parts[0].Text)
		return
	}
	w.Array()
	for _, p := range parts {
		write(p)
	}
	w.EndArray()
}

// Fitting appends to dst the parts that fit in a place, and reports their extras of other
// wires. fits may change a part.
func Fitting[Place any](w *Writer, dst, parts []Located, where Place, fits func(p *Located, where Place) bool) []Located {
	for _, p := range parts {
		if fits(&p, where) {
			w.Log.ReportExtras(p.Field, p.Extras)
			dst = append(dst, p)
		}
	}
	return dst
}
