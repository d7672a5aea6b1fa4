package openai

import (
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
	"github.com/toolparse/toolparse/internal/wire/unknown"
	"github.com/toolparse/toolparse/internal/wire/wireio"
	"github.com/toolparse/toolparse/toolcall"
)

// messageDecoder decodes the message of one choice, or a delta of it.
type messageDecoder struct {
	*Decoder
	choice int
	path   string // of the message, for errors and extras
	whole  bool   // a whole message, not a delta
	late   bool   // a whole message without a delta beside it
	cut    bool   // the finish reason says that the answer was cut
}

// repeatedOutput notes that a message came after deltas of the same kind. The decoder keeps
// no deltas to compare it with.
var repeatedOutput = chat.Loss{Field: inMessage, Reason: "a message after the deltas of the answer", Action: "taken as their repetition"}

// message decodes a message or a delta. Whatever the order of the fields, the deltas are
// in the order in which a model works: reasoning, text, calls. Decoding ends at malformed
// input, after what precedes it in this order.
func (m messageDecoder) message(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	var content, refusal, details, calls, function, google rawjson.Value
	var reasoning [len(reasoningNames)]rawjson.Value
	for key, member := range v.Fields() {
		switch string(key) {
		case "role": // always the assistant's
			_ = m.String(member, m.path, ".role")
		case "content":
			content = member
		case reasoningNames[0]:
			reasoning[0] = member
		case reasoningNames[1]:
			reasoning[1] = member
		case reasoningNames[2]:
			reasoning[2] = member
		case reasoningNames[3]:
			reasoning[3] = member
		case "reasoning_details":
			details = member
		case "refusal":
			refusal = member
		case "tool_calls":
			calls = member
		case "function_call":
			function = member
		case "extra_content":
			google = member
		default:
			dst = unknown.Add(dst, m.choice, toolcall.NoIndex, m.path, key, member)
		}
	}
	if m.whole { // what deltas have streamed is left out
		for kind, repeated := range [...][]*rawjson.Value{
			toolcall.DeltaText: {&content}, toolcall.DeltaRefusal: {&refusal}, toolcall.DeltaToolCall: {&calls, &function},
			toolcall.DeltaReasoning: {&reasoning[0], &reasoning[1], &reasoning[2], &reasoning[3], &details},
		} {
			for _, v := range repeated {
				if !m.streamed[kind].Has(m.choice) {
					continue
				}
				if m.late && v.IsSet() && !v.Is("") {
					m.Note(repeatedOutput)
				}
				*v = rawjson.Value{}
			}
		}
	}
	dst = m.reasoning(dst, &reasoning, details)
	dst = m.content(dst, content)
	dst = m.text(dst, toolcall.DeltaRefusal, m.String(refusal, m.path, ".refusal"))
	dst = m.calls(dst, calls)
	if m.Err() == nil && function.IsSet() {
		dst = m.call(dst, toolcall.NoIndex, rawjson.Value{}, m.Object(function, m.path, ".function_call"), !m.cut)
	}
	if google.IsSet() {
		dst = m.google(dst, thought, "", google)
	}
	return dst
}

// content decodes the visible content: a string, or a list of parts.
func (m messageDecoder) content(dst []toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	if v.Kind != rawjson.Array {
		return m.text(dst, toolcall.DeltaText, m.String(v, m.path, ".content"))
	}
	for part := range v.Items() {
		if m.Object(part, m.path, inPart); m.Err() != nil {
			break
		}
		dst = m.part(dst, part)
	}
	return dst
}

func (m messageDecoder) part(dst []toolcall.Delta, part rawjson.Value) []toolcall.Delta {
	kind := part.Get("type")
	switch {
	case kind.Is("text"), kind.Is("output_text"):
		dst = m.add(dst, toolcall.NoIndex, inPart, part, "type", "text")
		return m.text(dst, toolcall.DeltaText, m.String(part.Get("text"), m.path, inPart, ".text"))
	case kind.Is("thinking"):
		if part.Get("thinking").Kind == rawjson.Array {
			dst = m.extras.NoteName(dst, m.choice, m.path+inPart, "thinking")
		}
		dst = m.add(dst, toolcall.NoIndex, inPart, part, "type", "thinking", "signature")
		dst = m.parts(dst, toolcall.DeltaReasoning, part.Get("thinking"), inPart+".thinking")
		return m.signature(dst, thought, m.String(part.Get("signature"), m.path, inPart, ".signature"))
	case kind.Is("refusal"):
		dst = m.add(dst, toolcall.NoIndex, inPart, part, "type", "refusal")
		return m.text(dst, toolcall.DeltaRefusal, m.String(part.Get("refusal"), m.path, inPart, ".refusal"))
	}
	return m.wholeExtra(dst, toolcall.NoIndex, wholePart, part)
}

// parts appends the texts of a list of parts, or a plain string.
func (m messageDecoder) parts(dst []toolcall.Delta, kind toolcall.DeltaKind, v rawjson.Value, path string) []toolcall.Delta {
	if v.Kind != rawjson.Array {
		return m.text(dst, kind, m.String(v, m.path, path))
	}
	for part := range v.Items() {
		text := m.Object(part, m.path, path, "[]").Get("text")
		if !text.IsSet() && m.Err() == nil {
			dst = m.wholeExtra(dst, toolcall.NoIndex, path[1:]+"[]", part)
			continue
		}
		dst = m.text(dst, kind, m.String(text, m.path, path, "[].text"))
		dst = m.add(dst, toolcall.NoIndex, path+"[]", part, "type", "text")
	}
	return dst
}

// text appends a string as a delta of a kind.
func (m messageDecoder) text(dst []toolcall.Delta, kind toolcall.DeltaKind, v rawjson.Value) []toolcall.Delta {
	if m.Err() != nil {
		return dst
	}
	c := rawjson.Channel{Kind: kind, Choice: m.choice}
	text := m.Texts.Piece(c, v)
	if m.whole {
		text += m.Texts.Rest(c)
	}
	if text == "" {
		return dst
	}
	return append(dst, toolcall.Delta{Kind: kind, Choice: m.choice, Text: text})
}

// thought is the base of a delta for a signature of text or reasoning.
var thought = toolcall.Delta{Index: toolcall.NoIndex}

// signature appends a signature of what of identifies.
func (m messageDecoder) signature(dst []toolcall.Delta, of toolcall.Delta, v rawjson.Value) []toolcall.Delta {
	if text := m.Texts.Whole(v); text != "" && m.Err() == nil {
		dst = append(dst, toolcall.Delta{Kind: toolcall.DeltaSignature, Choice: m.choice, Index: of.Index, ID: of.ID, Name: of.Name, Text: text})
	}
	return dst
}

// google decodes the signature in a call or message, at path in, from Gemini's
// OpenAI-compatible endpoint.
func (m messageDecoder) google(dst []toolcall.Delta, of toolcall.Delta, in string, v rawjson.Value) []toolcall.Delta {
	if m.Object(v, m.path, in, inGoogle); m.Err() != nil {
		return dst
	}
	signature := googleSignature(v)
	if in == "" && signature.IsSet() {
		dst = m.extras.NoteName(dst, m.choice, m.path+inGoogle+inSignature, "thought_signature")
	}
	dst = m.signature(dst, of, signature)
	return m.googleExtras(dst, of.Index, in, v)
}

// googleSignature finds the signature in extra_content.
func googleSignature(extra rawjson.Value) rawjson.Value {
	return extra.Get("google").Get("thought_signature")
}

// reasoningNames are the names that servers use for the text of reasoning, by rank.
// Servers that use several repeat the text. The last is GitHub Copilot's.
var reasoningNames = [...]string{"reasoning_content", "reasoning", "thinking", "reasoning_text"}

// reasoningPaths are their paths in a message.
var reasoningPaths = [...]string{".reasoning_content", ".reasoning", ".thinking", ".reasoning_text"}

// reasoning decodes the text of reasoning, by whichever name, and reasoning_details, as
// OpenRouter and others send them. Extras of the details come before the text, which the
// details may repeat. An object by one of the names is an extra, such as the settings of
// the Responses API.
func (m messageDecoder) reasoning(dst []toolcall.Delta, texts *[len(reasoningNames)]rawjson.Value, list rawjson.Value) []toolcall.Delta {
	for rank := range texts {
		if texts[rank].Kind == rawjson.Object {
			dst = unknown.Add(dst, m.choice, toolcall.NoIndex, m.path, []byte(reasoningNames[rank]), texts[rank])
			texts[rank] = rawjson.Value{}
		}
	}
	details := m.Array(list, m.path, ".reasoning_details")
	m.detailed = m.detailed || details.IsSet()
	first := firstOf(texts)
	isFirst := first < 0
	for v := range details.Items() {
		if m.Object(v, m.path, inDetail); m.Err() != nil {
			return dst
		}
		var beside []byte // the text that it may repeat
		if first >= 0 {
			beside = texts[first].Raw
		}
		var d detail
		dst = m.detailExtras(dst, v, &d, beside)
		if !isFirst {
			isFirst = true
			dst = m.plain(dst, texts, first)
		}
		dst = m.detail(dst, d)
	}
	if !isFirst {
		dst = m.plain(dst, texts, first)
	}
	return dst
}

// firstOf returns the rank of the first name that has a text, or -1.
func firstOf(texts *[len(reasoningNames)]rawjson.Value) int {
	for rank := range texts {
		if v := &texts[rank]; v.IsSet() && len(v.Raw) > 0 {
			return rank
		}
	}
	return -1
}

// plain decodes the text of reasoning under the first of its names that has any.
func (m messageDecoder) plain(dst []toolcall.Delta, texts *[len(reasoningNames)]rawjson.Value, first int) []toolcall.Delta {
	spelled := first > 0 || m.detailed
	for rank := first + 1; rank < len(texts); rank++ {
		switch v := texts[rank]; {
		case string(v.Raw) == string(texts[first].Raw):
			dst = m.extras.NoteName(dst, m.choice, m.path, reasoningNames[rank])
			spelled = true
		case len(v.Raw) > 0:
			dst = unknown.Add(dst, m.choice, toolcall.NoIndex, m.path, []byte(reasoningNames[rank]), v)
		}
	}
	if spelled {
		dst = m.extras.NoteName(dst, m.choice, m.path, reasoningNames[first])
	}
	n := len(dst)
	dst = m.parts(dst, toolcall.DeltaReasoning, texts[first], reasoningPaths[first])
	m.reasoned = m.reasoned || len(dst) > n
	return dst
}

// detail is an element of reasoning_details.
type detail struct{ text, summary, signature, data, id rawjson.Value }

// detailExtras decodes the members of an element of reasoning_details that no other delta
// expresses. Its text becomes a delta if there is no other, or repeats the text next to
// it; otherwise it is an extra of the signature. An element without text and signature is
// an extra as a whole, unless it is empty.
func (m messageDecoder) detailExtras(dst []toolcall.Delta, v rawjson.Value, d *detail, beside []byte) []toolcall.Delta {
	in := inDelta + inDetail
	if m.path == inMessage {
		in = inMessage + inDetail
	}
	var format, index rawjson.Value
	others := false
	m.Each(v, in, func(_ []byte, member rawjson.Value) { others = others || member.IsSet() }, "type", nil,
		"text", wireio.TextMember(&d.text), "summary", wireio.TextMember(&d.summary), "signature", wireio.TextMember(&d.signature), "data", wireio.TextMember(&d.data),
		"id", &d.id, "format", &format, "index", &index)
	signs := len(d.signature.Raw)+len(d.data.Raw) > 0
	name, text := "text", d.text
	if len(text.Raw) == 0 {
		name, text = "summary", d.summary
	}
	repeats := !m.reasoned && len(beside) == 0 || string(text.Raw) == string(beside)
	switch {
	case signs, len(text.Raw) > 0 && repeats:
	case others, len(text.Raw) > 0:
		*d = detail{}
		return m.wholeExtra(dst, toolcall.NoIndex, wholeDetail, v)
	default:
		return dst
	}
	dst = m.extras.Set(dst, m.choice, in, []byte("format"), format)
	dst = m.extras.Set(dst, m.choice, in, []byte("index"), index)
	if others {
		dst = m.add(dst, toolcall.NoIndex, inDetail, v, "type", "text", "summary", "signature", "data", "id", "format", "index")
	}
	if len(d.data.Raw) == 0 && d.id.IsSet() {
		dst = unknown.Add(dst, m.choice, toolcall.NoIndex, in, []byte("id"), d.id)
	}
	switch {
	case len(text.Raw) == 0:
	case repeats:
		dst = m.extras.NoteName(dst, m.choice, in, name)
	default:
		dst = unknown.Add(dst, m.choice, toolcall.NoIndex, in, []byte(name), text)
	}
	return dst
}

// detail decodes an element of reasoning_details.
func (m messageDecoder) detail(dst []toolcall.Delta, d detail) []toolcall.Delta {
	if !m.reasoned {
		dst = m.text(dst, toolcall.DeltaReasoning, d.text)
		dst = m.text(dst, toolcall.DeltaReasoning, d.summary)
	}
	dst = m.signature(dst, thought, d.signature)
	return m.signature(dst, toolcall.Delta{Name: toolcall.SignsRedacted, Index: toolcall.NoIndex, ID: m.Texts.Name(d.id)}, d.data)
}
