package gateway

import (
	"slices"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// Gemini signs calls. Most clients of Chat Completions and Ollama's API return only the id,
// the name and the arguments of a call, and vendors limit ids to 40 bytes, so that nothing can
// carry the signature. For these clients the gateway remembers recent signatures. If it has
// forgotten one, or another gateway gets the request, the encoder writes the placeholder that
// the vendor documents.

// signedCall is a call by which its signature is found: by the id or, as Ollama's calls may
// have none, by the name and the arguments.
type signedCall struct{ id, name, arguments string }

// Limits for the signatures of a target: number, and total size in bytes.
const (
	maxSigned      = 4096
	maxSignedBytes = 16 << 20
)

// remembersCalls reports whether the target's signatures of calls are remembered for clients of
// a front.
func (t *target) remembersCalls(f *front) bool {
	return t.server.SignsCalls && t.Dialect == nil && !f.signs
}

// rememberCalls remembers the signatures of an answer's calls for clients of a front.
func (p *prepared) rememberCalls(f *front, parts []chat.Part) {
	t := p.target
	if !t.remembersCalls(f) {
		return
	}
	for _, part := range parts {
		if part.Kind != chat.PartCall || part.Call == nil || part.Signature == "" {
			continue
		}
		named := signedCall{name: p.names.Source(part.Call.Name), arguments: canonical(part.Call.Arguments)}
		for _, s := range []signedCall{{id: part.Call.ID}, named} {
			t.signed.Put(s, len(s.id)+len(s.name)+len(s.arguments)+len(part.Signature), part.Signature)
		}
	}
}

// recallSignatures returns messages of a front's client with the remembered signatures of
// calls that have none.
func (t *target) recallSignatures(f *front, messages []chat.Message) []chat.Message {
	if !t.remembersCalls(f) {
		return messages
	}
	var out []chat.Message
	for i, m := range messages {
		for j, p := range m.Parts {
			if p.Kind != chat.PartCall || p.Call == nil || p.Signature != "" {
				continue
			}
			s := signedCall{id: p.Call.ID}
			if s.id == "" {
				s = signedCall{name: p.Call.Name, arguments: canonical(p.Call.Arguments)}
			}
			signature, ok := t.signed.Get(s)
			if !ok {
				continue
			}
			if out == nil {
				out = slices.Clone(messages)
			}
			if &out[i].Parts[0] == &m.Parts[0] {
				out[i].Parts = slices.Clone(m.Parts)
			}
			out[i].Parts[j].Signature, out[i].Parts[j].SignedBy = signature, t.callSigner()
		}
	}
	if out == nil {
		return messages
	}
	return out
}

// canonical returns arguments in a form that does not depend on the order of members or the
// spelling of values, which clients change.
func canonical(arguments string) string {
	v, err := jsonvalue.Parse([]byte(arguments))
	if err != nil {
		return arguments
	}
	return v.Key()
}
