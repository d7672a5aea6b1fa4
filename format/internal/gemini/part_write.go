package gemini

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

// content is a part that the wire has a place for.
type content struct {
	chat.Part
	field string
}

// place is where a part stands.
type place uint8

const (
	inSystem place = iota
	inUser
	inModel
	inResponse // of a tool
)

// fit makes a part such that it can stand in a place. What cannot is reported.
func (w *writing) fit(p chat.Part, field string, where place) (content, bool) {
	ok := w.fits(&p, field, where)
	if ok {
		w.Log.Extras(field, p.Extras)
	}
	return content{p, field}, ok
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
func (w *writing) part(c content) {
	w.Object()
	switch c.Kind {
	case chat.PartText, chat.PartReasoning:
		w.KeyString("text", c.Text)
		if c.Kind == chat.PartReasoning {
			w.KeyBool("thought", true)
		}
	case chat.PartImage, chat.PartFile:
		w.media(c.Part)
	case chat.PartCall:
		w.call(c)
	}
	w.Text("thoughtSignature", c.Signature)
	w.Extras(c.Extras, "")
	w.EndObject()
}

func (w *writing) call(c content) {
	w.KeyObject("functionCall")
	w.Text("id", w.ID(w.made.Written(c.Call.ID), c.field+".call.id"))
	w.Text("name", w.Name(c.Call.Name, c.field+".call.name"))
	if !c.Call.Cut || c.Call.Arguments != "{}" { // else its piece had none, and "{}" would be all of them
		w.Key("args")
		w.ObjectArguments(c.Call.Arguments, c.field+".call.arguments")
	}
	w.Extras(c.Extras, "functionCall")
	w.EndObject()
}
