package gemini

import (
	"cmp"
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

func isSystem(m chat.Message) bool { return m.Role == chat.System || m.Role == chat.Developer }

// system writes the system instruction: all system messages there are.
func (w *writing) system(messages []chat.Message) {
	var parts []content
	var extras chat.Extras
	role := ""
	found := 0
	for i, m := range messages {
		if !isSystem(m) {
			continue
		}
		for _, x := range m.Extras {
			if x.Spelling && x.Wire == Wire && isSystemRole(x.Name) {
				role = x.Name
			}
		}
		field := wireio.At("messages", i)
		if found++; found > 1 || i > 0 {
			w.Log.Add(features.SystemRole, field)
		}
		if m.Role == chat.Developer {
			w.Log.Add(features.DeveloperRole, field+".role")
		}
		parts = w.fitAll(parts, m, field, inSystem)
		w.oneOf(&extras, m.Extras, field)
	}
	if len(parts) > 0 {
		w.Key("systemInstruction")
		w.content(role, parts, extras)
	}
}

// oneOf keeps the extras of messages that become one: those of the first that
// has any.
func (w *writing) oneOf(kept *chat.Extras, x chat.Extras, field string) {
	switch {
	case !w.HasExtras(x, ""):
	case *kept == nil:
		*kept = x
	default:
		w.Log.Add(features.ForeignExtra, field, "left out: the content is merged with another")
	}
}

// fitAll appends those parts of a message that can stand in a place, and
// reports the rest.
func (w *writing) fitAll(dst []content, m chat.Message, field string, where place) []content {
	w.Log.Extras(field, m.Extras)
	for i, p := range m.Parts {
		if c, ok := w.fit(p, wireio.At(field+".parts", i), where); ok {
			dst = append(dst, c)
		}
	}
	return dst
}

// content writes a content.
func (w *writing) content(role string, parts []content, extras chat.Extras) {
	w.Object()
	w.Text("role", role)
	w.KeyArray("parts")
	for _, p := range parts {
		w.part(p)
	}
	w.EndArray()
	w.Extras(extras, "")
	w.EndObject()
}

// turns gathers messages until what belongs into one content is together.
type turns struct {
	model   []content // what the model said, not yet written
	extras  chat.Extras
	asked   map[string]int // the calls in it, by their id, to their place
	begun   bool           // the model has said something
	results []answered
	said    []message
	late    bool // a result came after what the user says
}

// answered is a result, with its message's extras if it is the first in it.
type answered struct {
	content
	call   int // the place of its call
	extras chat.Extras
}

// message is what a user says.
type message struct {
	parts  []content
	extras chat.Extras
}

// contents writes a history. The results of a turn come in one content, right
// behind the calls.
func (w *writing) contents(messages []chat.Message) {
	linked := w.Link(messages)
	for i, m := range messages {
		w.made.Add(m.Parts, linked[i].Parts)
	}
	linked = w.Asking(linked, " ")
	w.Array()
	var t turns
	for i, m := range linked {
		field := wireio.At("messages", i)
		switch {
		case isSystem(m):
		case m.Role == chat.Assistant:
			w.modelSays(&t, m, field)
		case m.Role == chat.User, m.Role == chat.ToolRole:
			w.userSays(&t, m, field)
		default:
			w.Log.Add(features.OtherRole, field)
		}
	}
	w.writeTurn(&t)
	w.EndArray()
}

// modelSays adds a message of the model. Calls of several messages in a row
// must stand in one content, as their results do.
func (w *writing) modelSays(t *turns, m chat.Message, field string) {
	if len(t.results) > 0 || len(t.said) > 0 || len(t.asked) == 0 {
		w.writeTurn(t)
	} else {
		w.Log.Add(features.ParallelResults, field, "merged with the message before, which also has calls")
	}
	before, told := len(t.model), len(w.Log.Losses)
	t.model = w.fitAll(t.model, m, field, inModel)
	t.begun = true
	if len(t.model) == before {
		w.Log.Add(features.EmptyMessage, field)
		return
	}
	w.oneOf(&t.extras, m.Extras, field)
	for i := before; i < len(t.model); i++ {
		if p := &t.model[i]; p.Kind == chat.PartCall {
			if t.asked == nil {
				t.asked = map[string]int{}
			}
			if len(t.asked) == 0 && p.Signature == "" && w.placeholds() && !p.Extras.Spells(Wire, unsigned) {
				p.Signature = placeholder
				w.replaced(told, p.field)
			}
			t.asked[p.Call.ID] = len(t.asked)
		}
	}
}

// replaced says of a call that lost its signature, among the losses from one on,
// that it has the placeholder now.
func (w *writing) replaced(from int, field string) {
	for i := range w.Log.Losses[from:] {
		if l := &w.Log.Losses[from+i]; l.Field == field+".signature" {
			l.Done = "replaced by the documented placeholder"
		}
	}
}

// placeholds reports whether the model that is asked may want a signature on
// calls that it did not make. A model that a request of another wire named is
// not the one that is asked here.
func (w *writing) placeholds() bool {
	return !w.ownModel || !isBefore3(w.model) && !isClaude(w.model)
}

// userSays adds a message of the user or a tool.
func (w *writing) userSays(t *turns, m chat.Message, field string) {
	w.Log.Extras(field, m.Extras)
	extras := m.Extras
	var parts []content
	results := 0
	for i, p := range m.Parts {
		field := wireio.At(field+".parts", i)
		if p.Kind != chat.PartResult || p.Result == nil {
			if c, ok := w.fit(p, field, inUser); ok {
				parts = append(parts, c)
			}
			continue
		}
		results++
		call, ok := t.asked[p.Result.CallID]
		if !ok && (t.begun || p.Result.Name == "") { // at the beginning, the calls may be in a cache
			w.Log.Add(features.StrayResult, field)
			parts = append(parts, w.stray(p, field)...)
			continue
		}
		w.Log.Extras(field, p.Extras)
		t.late = t.late || len(t.said) > 0
		t.results = append(t.results, answered{content{p, field}, call, extras})
		extras = nil
	}
	switch {
	case len(parts) > 0:
		t.said = append(t.said, message{parts, extras})
	case results == 0:
		w.Log.Add(features.EmptyMessage, field)
	}
}

// stray returns what a result says that answers no call.
func (w *writing) stray(p chat.Part, field string) []content {
	what := "result"
	if p.Result.IsError {
		what = "error"
	}
	of := p.Result.Name
	if of == "" {
		of = p.Result.CallID
	}
	out := []content{{chat.TextPart("[" + what + " of " + of + "]"), field}}
	for i, inner := range p.Result.Parts {
		if c, ok := w.fit(inner, wireio.At(field+".result.parts", i), inUser); ok {
			out = append(out, c)
		}
	}
	return out
}

// writeTurn writes what has gathered: what the model said, the results, and
// what the user says.
func (w *writing) writeTurn(t *turns) {
	if len(t.model) > 0 {
		w.content("model", t.model, t.extras)
		w.unanswered(t)
	}
	if len(t.results) > 0 {
		w.results(t)
	}
	for _, m := range t.said {
		w.content("user", m.parts, m.extras)
	}
	*t = turns{begun: t.begun}
}

// unanswered tells of the calls of a turn that have no result.
func (w *writing) unanswered(t *turns) {
	for _, c := range t.model {
		if c.Kind != chat.PartCall {
			continue
		}
		call := t.asked[c.Call.ID]
		if !slices.ContainsFunc(t.results, func(r answered) bool { return r.call == call }) {
			w.Log.Add(features.UnansweredCall, c.field)
		}
	}
}

func (w *writing) results(t *turns) {
	byCall := func(a, b answered) int { return cmp.Compare(a.call, b.call) }
	if t.late || !slices.IsSortedFunc(t.results, byCall) {
		w.Log.Add(features.ParallelResults, t.results[0].field)
		slices.SortStableFunc(t.results, byCall)
	}
	var extras chat.Extras
	var rest []content
	w.Object()
	w.Text("role", "user")
	w.KeyArray("parts")
	for _, r := range t.results {
		w.oneOf(&extras, r.extras, r.field)
		rest = append(rest, w.result(r.Part, r.field)...)
	}
	w.EndArray()
	w.Extras(extras, "")
	w.EndObject()
	if len(rest) > 0 {
		w.content("user", rest, nil)
	}
}
