package features

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/jsonout"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// ConvertRequest converts extras of other wires in a request to the log's wire, if it has
// equivalent members, and reports values that have only a similar one. It returns all
// extras; [Log.ReportExtras] reports those that are still foreign.
func (l *Log) ConvertRequest(extras chat.Extras) chat.Extras { return l.adopt(ofRequest, extras) }

// ConvertImage is ConvertRequest for an image.
func (l *Log) ConvertImage(extras chat.Extras) chat.Extras { return l.adopt(ofImage, extras) }

// ConvertCustomTool is ConvertRequest for a tool that takes free text.
func (l *Log) ConvertCustomTool(extras chat.Extras) chat.Extras { return l.adopt(ofCustomTool, extras) }

func (l *Log) adopt(s settings, extras chat.Extras) chat.Extras {
	wire := l.Wire
	isForeign := func(x chat.Extra) bool { return x.Wire != wire && !x.Spelling }
	if !slices.ContainsFunc(extras, isForeign) {
		return extras
	}
	a := adoption{settings: s, wire: wire, log: l, taken: map[string]bool{}, own: map[string]bool{}, needed: map[string]string{}}
	for _, x := range extras {
		if !isForeign(x) {
			a.taken[pathOf(x)], a.own[pathOf(x)] = true, true
			a.out = append(a.out, x)
		}
	}
	for _, weak := range [...]bool{false, true} {
		for _, x := range extras {
			if isForeign(x) && s.isWeak(x) == weak {
				a.add(x)
			}
		}
	}
	for _, o := range a.objects {
		o.EndObject()
		x := chat.Extra{Wire: wire, Name: o.name, Value: o.Out}
		if in, name, nested := strings.Cut(o.name, "."); nested {
			x.In, x.Name = in, name
		}
		a.out = append(a.out, x)
	}
	return a.out
}

// adoption converts extras to a wire.
type adoption struct {
	settings settings
	wire     string
	log      *Log
	out      chat.Extras
	taken    map[string]bool   // the paths of the wire's own extras,
	own      map[string]bool   // those that were there from the beginning,
	needed   map[string]string // and those that another setting requires, with their values
	objects  []*object         // objects that collect members
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

// add adds a foreign extra: as a whole or, if some of its members are settings, member by
// member.
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
	if v.Kind != rawjson.Object {
		a.out = append(a.out, x)
		return
	}
	for key, member := range v.Fields() {
		if !a.adopt(x.Wire, path+"."+string(key), member.JSON()) {
			a.out = append(a.out, chat.Extra{Wire: x.Wire, In: path, Name: string(key), Value: member.JSON()})
		}
	}
}

// adopt converts a member of another wire to this one, unless its value is empty, or its
// place does not exist or is taken.
func (a *adoption) adopt(from, path string, value json.RawMessage) bool {
	if isEmpty(path, value) {
		return false
	}
	for _, s := range a.settings {
		to := s.paths[a.wire]
		if to == "" || !samePath(from, s.paths[from], path) {
			continue
		}
		if s.kind != rawjson.Absent && parse(value).Kind != s.kind {
			continue
		}
		if s.weak && a.taken[to] && !a.own[to] {
			return true // a stronger setting decides
		}
		translated, note, ok := value, "", true
		if s.convert != nil {
			if translated, note, ok = s.convert(from, a.wire, value); !ok {
				continue
			}
		}
		if translated == nil {
			return true
		}
		if other := s.excluded[a.wire]; a.taken[other] {
			if string(translated) != s.implied {
				a.log.Add(SettingValue, path, other+" stands for it")
			}
			return true
		}
		if !a.put(to, translated) {
			return a.needed[to] == string(translated)
		}
		if note != "" {
			a.log.Add(SettingValue, path, note+" stands for it")
		}
		if path := s.needs[a.wire]; path != "" {
			needed := cmp.Or(s.needed, "true")
			if a.put(path, json.RawMessage(needed)) {
				a.needed[path] = needed
			}
		}
		return true
	}
	return false
}

// put puts a member in its place.
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
		if inner, name, deep := strings.Cut(name, "."); deep {
			a.object(in+"."+inner).Member(name, value)
			return true
		}
		a.out = append(a.out, chat.Extra{Wire: a.wire, In: in, Name: name, Value: value})
	default:
		a.object(in).Member(name, value)
	}
	return true
}

// object returns the object with this name, which is not closed yet.
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

// reach reports whether any settings of a wire have paths with this prefix.
func (s settings) reach(wire, prefix string) bool {
	if wireOf(wire).spellings {
		prefix = strings.ReplaceAll(prefix, "_", "")
	}
	return slices.ContainsFunc(s, func(s setting) bool {
		path := s.paths[wire]
		return len(path) > len(prefix) && path[len(prefix)-1] == '.' && samePath(wire, path[:len(prefix)], prefix)
	})
}

// isWeak reports whether an extra is a setting that may only repeat another one.
func (s settings) isWeak(x chat.Extra) bool {
	path := pathOf(x)
	for i := range s {
		if samePath(x.Wire, s[i].paths[x.Wire], path) {
			return s[i].weak // the first of several with this path decides
		}
	}
	return false
}

// samePath reports whether got is the path of a setting.
func samePath(wire, path, got string) bool {
	if !wireOf(wire).spellings || path == "" {
		return path != "" && path == got
	}
	return strings.EqualFold(path, strings.ReplaceAll(got, "_", ""))
}
