package codec

import "github.com/toolparse/toolparse/format/chat"

// Made are the ids of calls that had none before they were linked, for a wire
// that need not be told any.
type Made map[string]bool

// Note notes them.
func (m Made) Note(before, linked []chat.Part) {
	for i, p := range before {
		if p.Kind == chat.PartCall && p.Call != nil && p.Call.ID == "" {
			m[linked[i].Call.ID] = true
		}
	}
}

// Told returns an id as the wire is told, "" for one that was made.
func (m Made) Told(id string) string {
	if m[id] {
		return ""
	}
	return id
}
