package gateway

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
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

	kindSignature = 's' // of reasoning, or of a call on a wire that has such
	kindRedacted  = 'r'
	kindCall      = 'c' // the signature of the call before this reasoning
)

// sealOf returns the beginning of a target's seals, which is the same in every process.
func (t *target) sealOf(kind byte) string {
	hash := sha256.Sum256([]byte(string(t.Wire) + " " + strings.TrimRight(t.Upstream, "/")))
	return sealBegin + base64.StdEncoding.EncodeToString(append(hash[:sealBytes-1:sealBytes-1], kind))
}

// sealing returns a function that seals the signatures in answers to clients of a front.
// It returns nil if clients can send them back only to this upstream, in its own wire.
func (t *target) sealing(f *front) func(signature, of string) string {
	elsewhere := f.wire != t.Wire || slices.ContainsFunc(t.setup.targets, func(other *target) bool {
		return other.Wire == t.Wire && other.Upstream != t.Upstream
	})
	if !f.signs && !f.signsCall || !elsewhere || t.Dialect != nil {
		return nil
	}
	return func(signature, of string) string {
		kind := byte(kindSignature)
		switch {
		case signature == "" || !f.signs && of != toolcall.SignsCall:
			return signature
		case of == toolcall.SignsRedacted:
			kind = kindRedacted
		case of == toolcall.SignsCall && !f.signsCall:
			kind = kindCall
		}
		return t.sealOf(kind) + signature
	}
}

// callSigner returns the provider that signs the calls of the target: that of its wire or, if
// that has no such signatures, the one whose signatures its servers pass on.
func (t *target) callSigner() string {
	return features.Signer(string(t.Wire), toolcall.Delta{Kind: toolcall.DeltaSignature, Name: toolcall.SignsCall})
}

// seal seals the signatures of a whole answer, as Options.Seal does for streams.
func (p *prepared) seal(f *front, m *chat.Message) {
	mark := p.target.sealing(f)
	if mark == nil {
		return
	}
	parts := make([]chat.Part, 0, len(m.Parts))
	for _, part := range m.Parts {
		isOurs := part.SignedBy == string(p.target.Wire)
		switch {
		case part.Kind == chat.PartCall && part.Signature != "" && part.SignedBy == p.target.callSigner():
			sealed := mark(part.Signature, toolcall.SignsCall)
			if f.signsCall {
				part.Signature = sealed
				break
			}
			part.Signature, part.SignedBy = "", ""
			parts = append(parts, part, chat.Part{Kind: chat.PartReasoning, Redacted: sealed, SignedBy: string(f.wire)})
			continue
		case isOurs && f.signs && (f.wire == p.target.Wire || part.Kind == chat.PartReasoning): // the encoder leaves out what the client's wire cannot express
			part.Signature, part.Redacted = mark(part.Signature, ""), mark(part.Redacted, toolcall.SignsRedacted)
			part.SignedBy = string(f.wire)
		}
		parts = append(parts, part)
	}
	m.Parts = parts
}

// unseal returns messages without seals: signatures of this upstream as it made them,
// without those of others. Unsealed signatures stay.
func (t *target) unseal(messages []chat.Message) []chat.Message {
	if !slices.ContainsFunc(messages, func(m chat.Message) bool { return slices.ContainsFunc(m.Parts, isSealed) }) {
		return messages
	}
	out := slices.Clone(messages)
	var call *chat.Part // the last one
	for i := range out {
		parts := make([]chat.Part, 0, len(out[i].Parts))
		for _, p := range out[i].Parts {
			if isSealed(p) {
				kind := t.open(&p)
				if kind == kindCall && call != nil {
					call.Signature, call.SignedBy = p.Signature, p.SignedBy
				}
				if p.Kind == chat.PartReasoning && p.Text == "" && (kind == 0 || kind == kindCall) {
					continue
				}
			}
			if parts = append(parts, p); p.Kind == chat.PartCall {
				call = &parts[len(parts)-1]
			}
		}
		out[i].Parts = parts
	}
	return out
}

func isSealed(p chat.Part) bool {
	return strings.HasPrefix(p.Signature+p.Redacted, sealBegin) && len(p.Signature+p.Redacted) > sealLen
}

// open removes the seal of a part, and returns its kind, or 0 if it is not this upstream's. A
// signature that came in pieces has a seal before each piece.
func (t *target) open(p *chat.Part) (kind byte) {
	sealed := p.Signature + p.Redacted
	p.Signature, p.Redacted, p.SignedBy = "", "", ""
	for _, kind := range []byte{kindSignature, kindRedacted, kindCall} {
		seal := t.sealOf(kind)
		if !strings.HasPrefix(sealed, seal) {
			continue
		}
		if p.SignedBy = string(t.Wire); p.Kind == chat.PartCall || kind == kindCall {
			p.SignedBy = t.callSigner()
		}
		if text := strings.ReplaceAll(sealed, seal, ""); kind == kindRedacted {
			p.Redacted = text
		} else {
			p.Signature = text
		}
		return kind
	}
	return 0
}
