package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/format/internal/features"
	"github.com/toolparse/toolparse/format/internal/rawjson"
	"github.com/toolparse/toolparse/format/internal/wireio"
)

func (w *writing) calls(m chat.Message, field string) {
	w.KeyArray("tool_calls")
	for i, p := range m.Parts {
		if p.Kind == chat.PartCall {
			w.call(p, wireio.At(field+".parts", i))
		}
	}
	w.EndArray()
}

func (w *writing) call(p chat.Part, field string) {
	w.Log.Extras(field, p.Extras)
	input, custom := customInput(p.Call)
	in := "function"
	if custom {
		in = "custom"
	}
	w.called[p.Call.ID] = true
	w.Object()
	w.Text("id", w.ID(p.Call.ID, field+".call.id"))
	w.Type(in, p.Extras)
	w.KeyObject(in)
	w.KeyString("name", w.Name(p.Call.Name, field+".call.name"))
	if custom {
		w.Member("input", input)
	} else {
		w.KeyString("arguments", argumentsOf(p.Call))
	}
	w.Extras(p.Extras, in)
	w.EndObject()
	w.Extras(p.Extras, "")
	switch {
	case p.Signature == "" || inDetails(p) && !w.VendorOnly:
	case w.VendorOnly || !features.TraitsOf(p.SignedBy).SignsCalls:
		w.Log.Add(features.Signature, field+".signature")
	default:
		w.googleSignature(p.Signature, p.Extras)
	}
	w.EndObject()
}

func argumentsOf(c *chat.Call) string {
	if c.Arguments == "" && !c.Cut {
		return "{}"
	}
	return c.Arguments
}

// customInput returns the input of a call of a custom tool, as JSON.
func customInput(c *chat.Call) ([]byte, bool) {
	if !c.Custom {
		return nil, false
	}
	v, err := rawjson.Parse(c.Arguments)
	if err != nil {
		return nil, false
	}
	input := v.Get("input")
	return input.JSON(), input.Kind == rawjson.String
}
