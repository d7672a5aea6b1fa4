package dialect

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/lex"
)

// tellsOf returns the weight of a marker: the fewer dialects have it, the higher.
func tellsOf(marker string) float64 {
	return math.Log(1 + float64(len(dialect.All()))/float64(max(1, sharedMarkers()[marker])))
}

// sharedMarkers returns the markers of all dialects, with the number of dialects that have
// each.
var sharedMarkers = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for _, d := range dialect.All() {
		custom := map[string]bool{}
		for _, f := range d.Forms() {
			for _, m := range append(needsOf(&f), hasOf(&f)...) {
				custom[m] = true
			}
			for _, names := range membersOf(&f) {
				custom[`"`+names[0]+`"`] = true
			}
		}
		for _, m := range aroundOf(d) {
			custom[m] = true
		}
		for m := range custom {
			all[m]++
		}
	}
	return all
})

// isDistinctive reports whether a marker is long enough to be evidence.
func isDistinctive(marker string) bool {
	return lex.NewPattern(marker).Fixed() >= 3 && !strings.Contains(marker, "{key}")
}

// isShort reports whether a marker is too short to identify a call.
func isShort(marker string) bool { return lex.NewPattern(marker).Fixed() < 3 }

// isUnmarked reports whether no marker identifies a call of d: only its shape does.
func isUnmarked(d *dialect.Dialect) bool {
	if len(d.Forms()) == 0 {
		return false
	}
	f := d.Forms()[0]
	if f.Head.Form == dialect.HeadEnvelope && f.Frame.Call.Open == "" && f.Frame.Section.Open == "" {
		return false
	}
	return f.Frame.Bare || isShort(f.Frame.Call.Open) && isShort(f.Frame.Section.Open)
}

// telling returns the markers in a list that are evidence, without surrounding blanks.
func telling(list []string) []string {
	for i, m := range list {
		list[i] = strings.TrimSpace(m)
	}
	return slices.DeleteFunc(list, func(m string) bool { return !isDistinctive(m) })
}

// needsOf returns the markers that a text in this form must contain.
func needsOf(f *dialect.Form) []string {
	var list []string
	open := f.Frame.Call.Open
	if f.Head.Form == dialect.HeadAttribute {
		open += " " + f.Head.Name[0] + "="
	}
	if section := f.Frame.Section.Open; !isShort(section) {
		list = append(list, section)
	}
	list = append(list, open)
	if f.Args.Form == dialect.ArgsTags {
		list = append(list, "<"+dialect.ArgTag)
	}
	key := f.Args.KeyMark.Open
	if f.Args.Key != "" {
		key += " " + f.Args.Key + "="
	}
	list = append(list, key)
	return telling(list)
}

// membersOf returns the members of a call's object. Each entry lists alternative names.
func membersOf(f *dialect.Form) [][]string {
	if f.Head.Form != dialect.HeadEnvelope {
		return nil
	}
	var list [][]string
	if len(f.Head.Name) > 0 {
		list = append(list, f.Head.Name[:1])
	}
	if len(f.Args.Keys) > 0 {
		list = append(list, f.Args.Keys)
	}
	return list
}

// first returns the first of these names that occurs in the text as a key.
func (s *search) first(names []string) string {
	for _, name := range names {
		if key := `"` + name + `"`; s.find(key) >= 0 {
			return key
		}
	}
	return `"` + names[0] + `"`
}

// hasOf returns other markers of a form.
func hasOf(f *dialect.Form) []string {
	list := []string{
		f.Frame.Call.Open, f.Frame.Section.Close, f.Frame.Call.Close, f.Head.End, f.Head.ID,
		f.Args.ValueMark.Open, f.Args.ValueMark.Close, f.Args.TypeMark.Open,
	}
	return telling(list)
}

// aroundOf returns the markers of a dialect that enclose something other than calls.
func aroundOf(d *dialect.Dialect) []string {
	list := slices.Clone(d.Noise)
	for _, r := range d.Reasoning {
		list = append(list, r.Open)
	}
	return telling(append(list, d.Results.Turn.Open, d.Results.Result.Open, d.Written.Text.Open))
}

// markerParts returns the tokens that a marker consists of: runs of markup, not words. They
// count if the marker does not occur as a whole.
func markerParts(marker string) []string {
	var parts []string
	for _, field := range strings.Fields(marker) {
		for field != "" {
			n := len(field)
			if end := strings.IndexByte(field, '>'); end >= 0 && end+1 < n {
				n = end + 1
			}
			if begin := strings.IndexByte(field[1:], '<'); begin >= 0 && begin+1 < n {
				n = begin + 1
			}
			if part := field[:n]; len(part) >= 3 && part != marker && strings.ContainsAny(part, "<>[]|`｜") {
				parts = append(parts, part)
			}
			field = field[n:]
		}
	}
	return parts
}
