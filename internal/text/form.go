package text

import (
	"cmp"
	"strings"

	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// Form is how a dialect writes calls. A [Writer] fills in its pieces, and a grammar matches
// them.
type Form struct {
	Open, Between, Close string  // around and between the calls of a message
	Before, After        []Piece // around the arguments of one call

	envelope bool // the call is a JSON object, with the arguments at this depth
	depth    int
}

// Piece is a text in a call, or a slot for what differs between calls.
type Piece struct {
	Slot Slot
	Text string // if Slot is SlotText
}

// Slot says what is written at a place of a call.
type Slot uint8

// The slots.
const (
	SlotText    Slot = iota
	SlotName         // the tool's name as it is
	SlotQuoted       // the name as a JSON string
	SlotEscaped      // the name as the value of an attribute
	SlotID           // the call's id, or its number, as a JSON string
	SlotLead         // the call's id, or its index in the message
	SlotIndex        // the call's index in the message
	SlotCount        // the call's number in the message, from 1
	SlotSuffix       // the call's id and the marker before it, if it has an id
)

// FormOf returns the form of a dialect's calls. It is empty for a dialect that has none in
// its text.
func FormOf(d *dialect.Dialect) *Form {
	frame, written, layout := &d.Frame, &d.Written, d.Written.JSON()
	form := &Form{Between: frame.Between}
	head, rest := form.head(d, layout)
	if list := written.List; list.Open != "" {
		form.Open, form.Close = frame.Section.Open+frame.Call.Open+list.Open, list.Close+frame.Call.Close+frame.Section.Close
		form.Between = cmp.Or(frame.Between, layout.Comma)
		form.Before, form.After = head, rest
		return form
	}
	var section dialect.Pair // around each call
	if frame.Single {
		section = frame.Section
	} else {
		form.Open, form.Close = frame.Section.Open, frame.Section.Close
	}
	closer := frame.Call.Close
	if d.Args.Form == dialect.ArgsTags {
		closer += ">" // in the founding dialects, the closer is a tag with attributes
	}
	form.Before = append(split(written.Call+section.Open+frame.Call.Open, inFrame), head...)
	form.After = append(rest, split(closer+section.Close, inFrame)...)
	return form
}

// head returns the pieces of a call up to its arguments, and those that end its envelope.
func (f *Form) head(d *dialect.Dialect, layout jsonvalue.Layout) (head, rest []Piece) {
	h := &d.Head
	switch h.Form {
	case dialect.HeadEnvelope, dialect.HeadKey:
		before, after, _ := strings.Cut(d.EnvelopeForm(), "{args}")
		f.envelope, f.depth = true, layout.Depth(d.Written.List.Open+before)
		return split(before, inEnvelope), split(after, inEnvelope)
	case dialect.HeadHeader:
		head = split(` {"type"`+layout.Colon+`"tool"`+layout.Comma+`"`+h.Name[0]+`"`+layout.Colon+`{name}}`, inEnvelope)
	case dialect.HeadAttribute:
		head = []Piece{{Text: " " + h.Name[0] + `="`}, {Slot: SlotEscaped}, {Text: `"`}}
		if h.Index != "" {
			head = append(head, Piece{Text: " " + h.Index + `="`}, Piece{Slot: SlotCount}, Piece{Text: `"`})
		}
		if h.End == "" {
			head = append(head, Piece{Text: ">"})
		}
	case dialect.HeadLiteral:
		if h.Lead != "" {
			head = []Piece{{Slot: SlotLead}, {Text: h.Lead}}
		}
		head = append(head, Piece{Text: h.Prefix}, Piece{Slot: SlotName})
		results := d.ResultForm()
		switch {
		case h.Index != "":
			head = append(head, Piece{Text: h.Index}, Piece{Slot: SlotIndex})
		case h.ID != "" && strings.Contains(results.Result.Open+results.Result.Close, "{id}"): // results refer to it
			head = append(head, Piece{Slot: SlotSuffix})
		}
	}
	return append(head, Piece{Text: h.End}), nil
}

// The slots in the markers of a frame, and in an envelope, with their names there.
var (
	inFrame    = []Piece{{SlotName, "{name}"}}
	inEnvelope = []Piece{{SlotQuoted, "{name}"}, {SlotID, "{id}"}}
)

// split returns the pieces of a text with slots.
func split(text string, slots []Piece) (list []Piece) {
	from := 0
	for at := range len(text) {
		for _, slot := range slots {
			if at >= from && strings.HasPrefix(text[at:], slot.Text) {
				list = append(list, Piece{Text: text[from:at]}, Piece{Slot: slot.Slot})
				from = at + len(slot.Text)
			}
		}
	}
	return append(list, Piece{Text: text[from:]})
}
