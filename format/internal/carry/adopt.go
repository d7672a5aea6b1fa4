package carry

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/jsonout"
	"github.com/toolparse/toolparse/format/internal/payload"
)

// AdoptRequest returns the extras of a request in which those of other wires are
// a wire's own, where it has the like. What else there is stays, for the log to
// report.
func AdoptRequest(wire string, extras chat.Extras) chat.Extras { return ofRequest.adopt(wire, extras) }

// AdoptImage is AdoptRequest for an image.
func AdoptImage(wire string, extras chat.Extras) chat.Extras { return ofImage.adopt(wire, extras) }

// AdoptCustomTool is AdoptRequest for a tool that takes free text.
func AdoptCustomTool(wire string, extras chat.Extras) chat.Extras {
	return ofCustomTool.adopt(wire, extras)
}

func (s settings) adopt(wire string, extras chat.Extras) chat.Extras {
	isForeign := func(x chat.Extra) bool { return x.Wire != wire && !x.Spelling }
	if !slices.ContainsFunc(extras, isForeign) {
		return extras
	}
	a := adoption{settings: s, wire: wire, taken: map[string]bool{}, needed: map[string]bool{}}
	for _, x := range extras {
		if !isForeign(x) {
			a.taken[pathOf(x)] = true
			a.out = append(a.out, x)
		}
	}
	for _, x := range extras {
		if isForeign(x) {
			a.add(x)
		}
	}
	for _, o := range a.objects {
		o.EndObject()
		a.out = append(a.out, chat.Extra{Wire: wire, Name: o.name, Value: o.Out})
	}
	return a.out
}

// adoption makes extras those of a wire.
type adoption struct {
	settings settings
	wire     string
	out      chat.Extras
	taken    map[string]bool // the paths that are its own
	needed   map[string]bool // those of them that another setting needs to be true
	objects  []*object       // that members are put into
}

type object struct {
	jsonout.Writer
	name string
}

func pathOf(x chat.Extra) string {
	if x.In == "" {
		return x.Name
	}
	return x.In + "." + x.Name
}

// add adds a foreign extra: whole, or, where there are settings among its
// members, each of those.
func (a *adoption) add(x chat.Extra) {
	path := pathOf(x)
	if a.adopt(x.Wire, path, x.Value) {
		return
	}
	if !a.settings.reach(x.Wire, path+".") {
		a.out = append(a.out, x)
		return
	}
	v := parse(x.Value)
	if v.Kind != payload.Object {
		a.out = append(a.out, x)
		return
	}
	for key, member := range v.Fields() {
		if !a.adopt(x.Wire, path+"."+string(key), member.JSON()) {
			a.out = append(a.out, chat.Extra{Wire: x.Wire, In: path, Name: string(key), Value: member.JSON()})
		}
	}
}

// adopt makes a member of another wire one of this, unless it says nothing, has
// no place, or has one that is taken.
func (a *adoption) adopt(from, path string, value json.RawMessage) bool {
	if saysNothing(path, value) {
		return false
	}
	for _, s := range a.settings {
		to := s.paths[a.wire]
		if to == "" || !samePath(from, s.paths[from], path) {
			continue
		}
		if s.kind != payload.Absent && parse(value).Kind != s.kind {
			return false
		}
		if s.convert != nil {
			var ok bool
			if value, ok = s.convert(from, a.wire, value); !ok {
				return false
			}
		}
		if !a.put(to, value) {
			return a.needed[to] && string(value) == "true"
		}
		if path := s.needs[a.wire]; path != "" && a.put(path, json.RawMessage("true")) {
			a.needed[path] = true
		}
		return true
	}
	return false
}

// put puts a member where the wire has it.
func (a *adoption) put(path string, value json.RawMessage) bool {
	in, name, nested := strings.Cut(path, ".")
	if a.taken[path] || nested && a.taken[in] {
		return false
	}
	a.taken[path] = true
	switch {
	case !nested:
		a.out = append(a.out, chat.Extra{Wire: a.wire, Name: path, Value: value})
	case standsApart(a.wire, in):
		a.out = append(a.out, chat.Extra{Wire: a.wire, In: in, Name: name, Value: value})
	default:
		a.object(in).Member(name, value)
	}
	return true
}

// object returns the object of a name, which is open.
func (a *adoption) object(name string) *object {
	for _, o := range a.objects {
		if o.name == name {
			return o
		}
	}
	o := &object{name: name}
	o.Object()
	a.objects = append(a.objects, o)
	return o
}

// reach reports whether there are settings of a wire whose paths begin so.
func (s settings) reach(wire, prefix string) bool {
	return slices.ContainsFunc(s, func(s setting) bool { return strings.HasPrefix(s.paths[wire], prefix) })
}

// samePath compares a path with that of a setting. Gemini reads its names in
// two spellings.
func samePath(wire, path, got string) bool {
	if wire != "gemini" || path == "" {
		return path != "" && path == got
	}
	return strings.EqualFold(path, strings.ReplaceAll(got, "_", ""))
}
