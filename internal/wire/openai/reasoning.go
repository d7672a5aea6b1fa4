package openai

import (
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// signerOf returns the wire whose reasoning has this format in reasoning_details.
func signerOf(format string) string {
	for _, wire := range features.WiresWith(func(t features.Traits) bool { return t.DetailFormat == format }) {
		if format != "" {
			return wire
		}
	}
	return Wire
}

// formatOf is the inverse of signerOf; "" if a wire has none.
func formatOf(signer string) string { return features.TraitsOf(signer).DetailFormat }

// googleSigner returns the wire whose signatures are in extra_content.
func googleSigner() string {
	return features.WiresWith(func(t features.Traits) bool { return t.SignsCalls })[0]
}

// reasoning reads the reasoning of a message. reasoning_details have it with signatures,
// and the plain text next to them repeats it, possibly under several names. Text that is
// not a repetition is kept.
func (r *reading) reasoning(m *chat.Message, f messageFields, path string, keep *unknown.Keeper) {
	var detailed []byte
	details := r.Array(f.details, path, ".reasoning_details")
	for detail := range details.Items() {
		part := r.detail(r.Object(detail, path, ".reasoning_details[]"), path+".reasoning_details[]")
		detailed = append(detailed, part.Text...)
		m.Parts = append(m.Parts, part)
	}
	if len(f.reasoning) == 0 {
		return
	}
	text := r.Texts.Whole(f.reasoning[0].text)
	if len(detailed) == 0 {
		m.Parts = append([]chat.Part{{Kind: chat.PartReasoning, Text: text}}, m.Parts...)
		detailed = []byte(text)
	}
	plain := len(f.reasoning) == 1 && f.reasoning[0].name == reasoningNames[0] && !details.IsSet()
	for _, field := range f.reasoning {
		switch {
		case r.Texts.Whole(field.text) != string(detailed):
			keep.Keep("", []byte(field.name), field.text)
		case !plain:
			keep.NoteName(field.name)
		}
	}
}

func (r *reading) detail(v rawjson.Value, path string) chat.Part {
	keep := r.Keeper()
	keep.NoteName("reasoning_details")
	part := chat.Part{Kind: chat.PartReasoning}
	var format string
	r.Members(v, path, &keep, "", "text", &part.Text, "summary", &part.Text, "signature", &part.Signature, "data", &part.Redacted,
		"type", func(kind rawjson.Value) {
			if kind.Is("reasoning.summary") {
				keep.NoteName("summary")
			}
		},
		"format", func(key []byte, v rawjson.Value) {
			if format = r.Text(v, path, ".format"); signerOf(format) == Wire {
				keep.Keep("", key, v)
			}
		})
	if part.Signature != "" || part.Redacted != "" {
		part.SignedBy = signerOf(format)
	} else if formatOf(signerOf(format)) != "" {
		keep.Keep("", []byte("format"), rawjson.Value{Kind: rawjson.String, Raw: []byte(format)})
	}
	part.Extras = keep.Extras
	return part
}

// callSignatures moves details that are signatures of calls to their calls: some gateways
// send Gemini's signatures like that, with the id of the call.
func callSignatures(m *chat.Message) {
	moved := false
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind != chat.PartReasoning || p.Redacted == "" || !features.TraitsOf(p.SignedBy).SignsCalls || p.Text != "" {
			continue
		}
		id := string(p.Extras.Get(Wire, "", "id"))
		at := slices.IndexFunc(m.Parts, func(p chat.Part) bool {
			return p.Kind == chat.PartCall && p.Call.ID != "" && p.Signature == "" && `"`+p.Call.ID+`"` == id
		})
		if at < 0 {
			continue
		}
		call := &m.Parts[at]
		call.Signature, call.SignedBy = p.Redacted, p.SignedBy
		for _, x := range p.Extras {
			if !x.Spelling {
				x.In = "reasoning_details"
			}
			call.Extras = append(call.Extras, x)
		}
		*p = chat.Part{}
		moved = true
	}
	if moved {
		m.Parts = slices.DeleteFunc(m.Parts, func(p chat.Part) bool { return p.Kind == chat.PartOther && len(p.Extras) == 0 })
	}
}

// inDetails reports whether the signature of a call is one of the details.
func inDetails(p chat.Part) bool {
	return p.Kind == chat.PartCall && p.Signature != "" && wire.UsesName(p.Extras, Wire, "reasoning_details")
}

// inContent reports whether reasoning belongs into a list of content, as in Mistral.
func (w *writing) inContent(p chat.Part) bool {
	return wire.UsesName(p.Extras, Wire, "thinking") && !w.VendorOnly && !w.joins
}

// reasoning writes the reasoning of a message as members of its object.
func (w *writing) reasoning(m chat.Message, field string) {
	var text []byte
	found, details, ownDetails := false, false, true
	for _, p := range m.Parts {
		if inDetails(p) {
			found, details = true, true
		}
		if p.Kind == chat.PartReasoning && !w.inContent(p) {
			found = true
			text = append(text, p.Text...)
			ownDetails = ownDetails && wire.UsesName(p.Extras, Wire, "reasoning_details")
			details = details || p.Signature != "" || p.Redacted != "" || wire.UsesName(p.Extras, Wire, "reasoning_details")
		}
	}
	if !found || w.VendorOnly {
		return
	}
	spelled := false
	for _, name := range reasoningNames {
		if wire.UsesName(m.Extras, Wire, name) {
			spelled = true
			w.Text(name, string(text))
		}
	}
	if !spelled && !ownDetails {
		w.Text(reasoningNames[0], string(text))
	}
	if details {
		w.KeyArray("reasoning_details")
	}
	index := 0
	for _, p := range wireio.Locate(m.Parts, field+".parts") {
		isReasoning := p.Kind == chat.PartReasoning && !w.inContent(p.Part)
		if isReasoning {
			w.Log.ReportExtras(p.Field, p.Extras)
		}
		switch {
		case !details:
		case isReasoning:
			w.detail(p.Part, index)
			index++
		case inDetails(p.Part):
			w.detailOfCall(p.Part)
		}
	}
	if details {
		w.EndArray()
	}
}

func (w *writing) detailOfCall(p chat.Part) {
	w.Object()
	w.Text("type", "reasoning.encrypted")
	w.Text("data", p.Signature)
	w.Text("format", formatOf(p.SignedBy))
	w.EndWith(p.Extras, "reasoning_details")
}

// plainReasoning reports reasoning, for which OpenAI has no field.
func (w *writing) plainReasoning(m chat.Message, field string) {
	for _, p := range wireio.Locate(m.Parts, field+".parts") {
		for _, lost := range [...]struct {
			text, member string
			feature      features.Feature
		}{{p.Text, ".text", features.ReasoningText}, {p.Signature, ".signature", features.Signature}, {p.Redacted, ".redacted", features.Redacted}} {
			if p.Kind == chat.PartReasoning && lost.text != "" {
				w.Log.Add(lost.feature, p.Field+lost.member)
			}
		}
	}
}

// detail writes an element of reasoning_details. Clients join pieces by the index, which
// elements from this wire keep.
func (w *writing) detail(p chat.Part, index int) {
	w.Object()
	w.Key("type")
	switch {
	case p.Redacted != "":
		w.String("reasoning.encrypted")
		w.Text("data", p.Redacted)
		w.Text("text", p.Text)
	case wire.UsesName(p.Extras, Wire, "summary"):
		w.String("reasoning.summary")
		w.Text("summary", p.Text)
	default:
		w.String("reasoning.text")
		w.Text("text", p.Text)
	}
	w.Text("signature", p.Signature)
	if p.SignedBy != "" && p.Extras.Get(Wire, "", "format") == nil {
		w.Text("format", formatOf(p.SignedBy))
	}
	if !wire.UsesName(p.Extras, Wire, "reasoning_details") {
		w.KeyInt("index", int64(index))
	}
	w.EndWith(p.Extras, "")
}
