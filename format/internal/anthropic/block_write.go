package anthropic

import (
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// place is where a block stands.
type place uint8

const (
	inSystem place = iota
	inUser
	inAssistant
	inResult
)

// blocks appends those of the parts that can stand in a place, and reports the others.
func (w *writing) blocks(dst, parts []wireio.Located, where place) []wireio.Located {
	for _, p := range parts {
		if w.fits(&p, where) {
			w.Log.Extras(p.Field, p.Extras)
			dst = append(dst, p)
		}
	}
	return dst
}

// fits reports whether a block can stand in a place, and makes it such that it
// can.
func (w *writing) fits(b *wireio.Located, where place) bool {
	own := w.HasExtras(b.Extras, "")
	switch b.Kind {
	case chat.PartText, chat.PartRefusal:
		if b.Signature != "" {
			w.strayed(b)
		}
		if b.Kind == chat.PartRefusal {
			w.Log.Add(features.Refusal, b.Field)
			b.Kind = chat.PartText
		}
		if b.Text != "" && !own && !w.answer && strings.TrimSpace(b.Text) == "" {
			w.Log.Add(features.EmptyMessage, b.Field, "left out: it is blank")
			return false
		}
		return b.Text != "" || own
	case chat.PartReasoning:
		if where == inAssistant {
			return w.reasoningFits(b)
		}
	case chat.PartImage, chat.PartFile:
		if where == inAssistant || where == inSystem {
			w.noMedia(b.Part, b.Field)
			return false
		}
		if m := b.Media; m != nil && (m.Data != "" || m.ID != "" || m.URL != "") {
			*b = w.Media(*b, takes)
			return true
		}
	case chat.PartCall:
		if where == inAssistant && b.Call != nil {
			if b.Signature != "" {
				w.strayed(b)
			}
			return true
		}
	case chat.PartOther:
		if own {
			return true
		}
	}
	w.Log.Add(features.OtherPart, b.Field)
	return false
}

// strayed reports a signature where the wire has no place for one.
func (w *writing) strayed(b *wireio.Located) {
	feature := features.Signature
	if b.SignedBy != Wire {
		feature = features.ForeignSignature
	}
	w.Log.Add(feature, b.Field+".signature")
}

// reasoningFits reports whether reasoning can be written. In a request it needs
// the provider's own signature, which is never forged; in an answer it may
// lack one.
func (w *writing) reasoningFits(b *wireio.Located) bool {
	own := b.SignedBy == Wire
	if b.Redacted != "" {
		if own {
			if b.Text != "" {
				w.Log.Add(features.ReasoningText, b.Field+".text", "left out: the encrypted block replaces it")
			}
			return true
		}
		w.Log.Add(features.ForeignRedacted, b.Field+".redacted")
		b.Redacted = ""
	}
	if b.Signature != "" {
		if own {
			return true
		}
		w.Log.Add(features.ForeignSignature, b.Field+".signature")
		b.Signature = ""
	}
	asItCame := b.Extras.Spells(Wire, unsigned)
	switch {
	case b.Text == "" && !asItCame:
		return false
	case !w.VendorOnly && (w.answer || asItCame):
		return true
	}
	w.Log.Add(features.ReasoningText, b.Field+".text")
	return false
}

// block writes a block.
func (w *writing) block(b wireio.Located) {
	w.Object()
	switch b.Kind {
	case chat.PartText:
		w.Text("type", "text")
		w.KeyString("text", b.Text)
	case chat.PartReasoning:
		w.reasoning(b.Part)
	case chat.PartImage, chat.PartFile:
		w.media(b.Part, b.Field)
	case chat.PartCall:
		w.call(b)
	case chat.PartResult:
		w.toolResult(b)
	}
	w.Extras(b.Extras, "")
	w.EndObject()
}

func (w *writing) reasoning(p chat.Part) {
	if p.Redacted != "" {
		w.Text("type", "redacted_thinking")
		w.Text("data", p.Redacted)
		return
	}
	w.Text("type", "thinking")
	w.KeyString("thinking", p.Text)
	w.KeyString("signature", p.Signature)
}

func (w *writing) call(b wireio.Located) {
	w.Text("type", "tool_use")
	w.KeyString("id", w.ID(b.Call.ID, b.Field+".call.id"))
	w.Key("name")
	name, native := b.Call.Name, b.Call.Native
	if native.Wire == Wire && native.Namespace != "" {
		name = wireio.OwnName(name, native)
	}
	w.String(w.Name(name, b.Field+".call.name"))
	if name != b.Call.Name && b.Extras.Get(Wire, "", toolsetName) == nil {
		w.Text(toolsetName, native.Namespace)
	}
	w.Key("input")
	w.ObjectArguments(b.Call.Arguments, b.Field+".call.arguments")
	if b.Call.Custom {
		w.Log.Add(features.CustomTool, b.Field+".call.custom", features.CustomCall)
	}
	if b.Extras.Spells(Wire, "caller") {
		w.Member("caller", []byte(directCaller))
	}
}

func (w *writing) toolResult(b wireio.Located) {
	w.Text("type", "tool_result")
	w.KeyString("tool_use_id", w.ID(b.Result.CallID, b.Field+".result.call_id"))
	if parts := w.blocks(nil, wireio.Locate(b.Result.Parts, b.Field+".result.parts"), inResult); len(parts) > 0 {
		w.Key("content")
		w.content(parts)
	}
	if b.Result.IsError || b.Extras.Spells(Wire, "is_error") {
		w.KeyBool("is_error", b.Result.IsError)
	}
}
