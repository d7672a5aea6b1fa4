package gateway

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
)

// Signatures and encrypted reasoning are only for the upstream that made them. If the
// client may send them to another one, or uses another wire, the gateway puts a seal
// before them that identifies the upstream. When the client sends them back, the gateway
// removes the seal for this upstream, and leaves them out for others. So the gateway
// needs no memory.
//
// A seal consists of sealBegin and the first bytes of a hash of the upstream, with a byte
// for the kind. It is Base64 in whole groups, because some clients decode what follows
// it.

// sealBegin is "toolparse" in Base64.
const sealBegin = "dG9vbHBhcnNl"

const (
	sealBytes = 6 // the hash and the kind
	sealLen   = len(sealBegin) + sealBytes/3*4

	kindSignature = 's'
	kindRedacted  = 'r'
)

// sealOf returns the beginning of a target's seals, which is the same in every process.
func (t *target) sealOf(kind byte) string {
	hash := sha256.Sum256([]byte(string(t.Wire) + " " + strings.TrimRight(t.Upstream, "/")))
	return sealBegin + base64.StdEncoding.EncodeToString(append(hash[:sealBytes-1:sealBytes-1], kind))
}

// sealing returns a function that seals the signatures in answers to clients of a front.
// It returns nil if clients can send them back only to this upstream, in its own wire.
func (t *target) sealing(f *front) func(signature string, redacted bool) string {
	elsewhere := f.wire != t.Wire || slices.ContainsFunc(t.setup.targets, func(other *target) bool {
		return other.Wire == t.Wire && other.Upstream != t.Upstream
	})
	if !f.signs || !elsewhere || t.Dialect != nil {
		return nil
	}
	return func(signature string, redacted bool) string {
		if signature == "" {
			return ""
		}
		kind := byte(kindSignature)
		if redacted {
			kind = kindRedacted
		}
		return t.sealOf(kind) + signature
	}
}

// seal seals the signatures of a whole answer, as Options.Seal does for streams.
func (p *prepared) seal(f *front, m *chat.Message) {
	mark := p.target.sealing(f)
	if mark == nil {
		return
	}
	parts := slices.Clone(m.Parts)
	for i := range parts {
		part := &parts[i]
		if part.SignedBy != string(p.target.Wire) || f.wire != p.target.Wire && part.Kind != chat.PartReasoning {
			continue // the encoder leaves out what the client's wire cannot express
		}
		part.Signature, part.Redacted = mark(part.Signature, false), mark(part.Redacted, true)
		part.SignedBy = string(f.wire)
	}
	m.Parts = parts
}

// unseal returns messages without seals: signatures of this upstream as it made them,
// without those of others. Unsealed signatures stay.
func (t *target) unseal(messages []chat.Message) []chat.Message {
	var out []chat.Message
	for i, m := range messages {
		if !slices.ContainsFunc(m.Parts, isSealed) {
			continue
		}
		if out == nil {
			out = slices.Clone(messages)
		}
		parts := make([]chat.Part, 0, len(m.Parts))
		for _, p := range m.Parts {
			if isSealed(p) && !t.open(&p) && p.Kind == chat.PartReasoning && p.Text == "" {
				continue
			}
			parts = append(parts, p)
		}
		out[i].Parts = parts
	}
	if out == nil {
		return messages
	}
	return out
}

func isSealed(p chat.Part) bool {
	return strings.HasPrefix(p.Signature+p.Redacted, sealBegin) && len(p.Signature+p.Redacted) > sealLen
}

// open removes the seal of a part, and reports whether it is this upstream's. A signature
// that came in pieces has a seal before each piece.
func (t *target) open(p *chat.Part) bool {
	sealed := p.Signature + p.Redacted
	p.Signature, p.Redacted, p.SignedBy = "", "", ""
	for _, kind := range []byte{kindSignature, kindRedacted} {
		seal := t.sealOf(kind)
		if !strings.HasPrefix(sealed, seal) {
			continue
		}
		p.SignedBy = string(t.Wire)
		if text := strings.ReplaceAll(sealed, seal, ""); kind == kindRedacted {
			p.Redacted = text
		} else {
			p.Signature = text
		}
		return true
	}
	return false
}
