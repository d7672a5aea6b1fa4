package manifest

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
)

// maxStops is the number of stop sequences that every provider accepts.
const maxStops = 4

// stops returns the stop sequences: those of the dialect's row and, if no further call may
// follow, the markers that end a call. The parser still reads the calls of an answer that is
// cut there.
func (c *composer) stops() []string {
	candidates := c.dialect.Stops()
	if c.opts.Parallel == chat.Off {
		ends := []string{c.dialect.Frame.Section.Close, c.dialect.Frame.Call.Close}
		candidates = slices.Concat(candidates[:min(1, len(candidates))], ends, candidates[min(1, len(candidates)):])
	}
	stops := c.usable(candidates)
	if len(stops) == 0 {
		stops = c.usable(c.dialect.Noise)
	}
	return stops
}

// usable returns the markers that can stop an answer, without their slots.
func (c *composer) usable(markers []string) []string {
	var stops []string
	for _, m := range markers {
		if m = fixedPart(m); m == "" || len(stops) == maxStops || slices.Contains(stops, m) {
			continue
		}
		cut, _, _ := strings.Cut(c.example, m)
		if c.check(cut, c.single) == nil {
			stops = append(stops, m)
		}
	}
	return stops
}

// minStop is the minimum length of a stop sequence. Shorter ones occur in any text.
const minStop = 4

// fixedPart returns the first part of a marker, between its slots, that is long enough.
func fixedPart(marker string) string {
	for part := range strings.FieldsFuncSeq(slots.Replace(marker), func(r rune) bool { return r == '{' }) {
		if part = strings.TrimSpace(part); len(part) >= minStop {
			return part
		}
	}
	return ""
}

var slots = strings.NewReplacer("{name}", "{", "{id}", "{", "{key}", "{", "{at}", "{")
