package gateway

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
)

// What an upstream signs or encrypts is for that upstream alone. Where a client may send it
// to another, or speaks another wire, the gateway puts a seal before it, which says whose it
// is, and takes it off when the client sends it back: the upstream gets it as it was, and all
// others nothing. So the gateway need not remember anything.
//
// A seal is sealBegin, and the first bytes of a hash of the upstream with a byte for the kind.
// It is Base64 in whole groups, since some clients decode what comes behind it.

// sealBegin is "toolparse" in Base64.
const sealBegin = "dG9vbHBhcnNl"

const (
	sealBytes = 6 // the hash, and the kind
	sealLen   = len(sealBegin) + sealBytes/3*4

	kindSignature = 's'
	kindRedacted  = 'r'
)

// sealOf is the beginning of the seals of a target, the same in every process.
func (t *target) sealOf(kind byte) string {
	hash := sha256.Sum256([]byte(string(t.Wire) + " " + strings.TrimRight(t.Upstream, "/")))
	return sealBegin + base64.StdEncoding.EncodeToString(append(hash[:sealBytes-1:sealBytes-1], kind))
}

// sealing returns what marks the signatures in answers to clients of a front; nil where
// they can come back to this upstream alone, on its own wire.
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

// seal marks the signatures of a whole answer as Options.Seal does those of a stream.
func (p *prepared) seal(f *front, m *chat.Message) {
	mark := p.target.sealing(f)
	if mark == nil {
		return
	}
	parts := slices.Clone(m.Parts)
	for i := range parts {
		part := &parts[i]
		if part.SignedBy != string(p.target.Wire) || f.wire != p.target.Wire && part.Kind != chat.PartReasoning {
			continue // what a client's wire has no place for is left out by it
		}
		part.Signature, part.Redacted = mark(part.Signature, false), mark(part.Redacted, true)
		part.SignedBy = string(f.wire)
	}
	m.Parts = parts
}

// unseal returns messages in which signatures with a seal are as their upstream made them,
// if that is this one, and left out if it is another. Those without are left as they are.
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

// open takes the seal off a part, and reports whether it is one of this upstream. A signature
// that came in pieces has one before each.
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
