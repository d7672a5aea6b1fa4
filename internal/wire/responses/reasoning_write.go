package responses

import (
	"cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/internal/wire/wireio"
)

// reasoning writes a reasoning item. In a request, the server accepts only its own
// reasoning: what it has encrypted or remembers, or an unchanged item of this wire. In an
// answer, any reasoning is a summary.
func (w *writing) reasoning(parts []wireio.Located) {
	encrypted := ""
	written := false
	for _, p := range parts {
		if p.SignedBy == Wire {
			encrypted = cmp.Or(p.Signature, p.Redacted, encrypted)
		}
		written = written || encrypted != "" || w.answer && p.Text != "" || cameSo(p.Part)
	}
	for _, p := range parts {
		w.Log.ReportExtras(p.Field, p.Extras)
		if p.SignedBy == Wire {
			continue
		}
		if p.Signature != "" {
			w.Log.Add(features.ForeignSignature, p.Field+".signature")
		}
		if p.Redacted != "" {
			w.Log.Add(features.ForeignRedacted, p.Field+".redacted")
		}
		if !written && p.Text != "" {
			w.Log.Add(features.ReasoningText, p.Field+".text", "left out")
		}
	}
	if !written {
		return
	}
	x := parts[0].Extras
	w.Object()
	if x.Get(Wire, "", "id") == nil && (w.answer || encrypted != "") {
		seed := w.seed
		if !w.answer {
			seed = encrypted
		}
		w.Text("id", itemID("rs_", seed, w.items))
		w.items++
	}
	w.Text("type", "reasoning")
	w.Key("summary")
	w.thoughts(parts, "summary_text", asSummary)
	for _, p := range parts {
		if wire.UsesName(p.Extras, Wire, asContent) {
			w.Key("content")
			w.thoughts(parts, "reasoning_text", asContent)
			break
		}
	}
	w.Text("encrypted_content", encrypted)
	w.EndWith(x, "")
}

// cameSo reports whether reasoning came from this wire unchanged.
func cameSo(p chat.Part) bool {
	return wire.UsesName(p.Extras, Wire, asSummary) || wire.UsesName(p.Extras, Wire, asContent) || wire.UsesName(p.Extras, Wire, asReference)
}

// thoughts writes the texts of one kind. Those of other wires are summaries.
func (w *writing) thoughts(parts []wireio.Located, kind, spelled string) {
	w.Array()
	for _, p := range parts {
		content := wire.UsesName(p.Extras, Wire, asContent)
		if content != (spelled == asContent) || p.Text == "" && !w.HasExtras(p.Extras, spelled) {
			continue
		}
		w.Object()
		w.Text("type", kind)
		w.KeyString("text", p.Text)
		w.EndWith(p.Extras, spelled)
	}
	w.EndArray()
}
