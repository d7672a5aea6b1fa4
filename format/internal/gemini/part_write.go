package gemini

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// place is where a part stands.
type place uint8

const (
	inSystem place = iota
	inUser
	inModel
	inResponse // of a tool
)

// fit appends those of the parts that can stand in a place, and reports the others.
func (w *writing) fit(dst, parts []wireio.Located, where place) []wireio.Located {
	for _, p := range parts {
		if w.fits(&p.Part, p.Field, where) {
			w.Log.Extras(p.Field, p.Extras)
			dst = append(dst, p)
		}
	}
	return dst
}

func (w *writing) fits(p *chat.Part, field string, where place) bool {
	own := w.HasExtras(p.Extras, "")
	switch p.Kind {
	case chat.PartText, chat.PartRefusal:
		if p.Kind == chat.PartRefusal {
			w.Log.Add(features.Refusal, field)
			p.Kind = chat.PartText
		}
		w.trust(p, field)
		return p.Text != "" || p.Signature != "" || own
	case chat.PartReasoning:
		if where != inModel {
			break
		}
		if p.Redacted != "" {
			feature := features.ForeignRedacted
			if p.SignedBy == Wire {
				feature = features.Redacted
			}
			w.Log.Add(feature, field+".redacted")
		}
		w.trust(p, field)
		return p.Text != "" || p.Signature != "" || own
	case chat.PartImage, chat.PartFile:
		if m := p.Media; m == nil || m.Data == "" && m.URL == "" && m.ID == "" {
			break
		}
		w.trust(p, field)
		return w.fitMedia(p, field, where)
	case chat.PartCall:
		if where != inModel || p.Call == nil {
			break
		}
		if p.Call.Custom {
			w.Log.Add(features.CustomTool, field+".call.custom", features.CustomCall)
		}
		w.trust(p, field)
		return true
	case chat.PartOther:
		if own {
			return true
		}
	}
	w.Log.Add(features.OtherPart, field)
	return false
}

// trust takes away a signature that the provider would not accept.
func (w *writing) trust(p *chat.Part, field string) {
	switch {
	case p.Signature == "":
	case p.SignedBy != Wire:
		w.Log.Add(features.ForeignSignature, field+".signature", "left out")
		p.Signature = ""
	case w.answer && !w.own && !wireio.IsBase64(p.Signature):
		w.Log.Add(features.Signature, field+".signature", "left out")
		p.Signature = ""
	}
}

// part writes a part.
func (w *writing) part(p wireio.Located) {
	w.Object()
	switch p.Kind {
	case chat.PartText, chat.PartReasoning:
		w.KeyString("text", p.Text)
		if p.Kind == chat.PartReasoning {
			w.KeyBool("thought", true)
		}
	case chat.PartImage, chat.PartFile:
		w.media(p.Part)
	case chat.PartCall:
		w.call(p)
	}
	w.Text("thoughtSignature", p.Signature)
	w.Extras(p.Extras, "")
	w.EndObject()
}

func (w *writing) call(p wireio.Located) {
	w.KeyObject("functionCall")
	w.Text("id", w.ID(w.made.Written(p.Call.ID), p.Field+".call.id"))
	w.Text("name", w.Name(p.Call.Name, p.Field+".call.name"))
	if !p.Call.Cut || p.Call.Arguments != "{}" { // else its piece had none, and "{}" would be all of them
		w.Key("args")
		w.ObjectArguments(p.Call.Arguments, p.Field+".call.arguments")
	}
	w.Extras(p.Extras, "functionCall")
	w.EndObject()
}
