package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/grammar"
)

// Constraint says how an upstream can force the model to write well-formed calls in text.
type Constraint string

// The constraints.
const (
	ConstrainOff    Constraint = "off"    // the same as ""
	ConstrainLlama  Constraint = "llama"  // llama.cpp: a grammar that leaves the text before calls free
	ConstrainVLLM   Constraint = "vllm"   // vLLM: a structural tag in structured_outputs
	ConstrainSGLang Constraint = "sglang" // SGLang: a structural tag as response_format
)

// known lists the constraints.
func (Constraint) known() []Constraint {
	return []Constraint{ConstrainOff, ConstrainLlama, ConstrainVLLM, ConstrainSGLang}
}

// constraints are the forms that servers accept.
var constraints = map[Constraint]struct {
	wire   format.Wire
	form   grammar.Format
	member string // the member of a request
	value  func(grammar string) json.RawMessage
}{
	ConstrainLlama: {format.OpenAI, grammar.GBNF, "grammar", quoted},
	ConstrainVLLM: {format.OpenAI, grammar.StructuralTag, "structured_outputs", func(g string) json.RawMessage {
		return fmt.Appendf(nil, `{"structural_tag":%s}`, quoted(g))
	}},
	ConstrainSGLang: {format.OpenAI, grammar.StructuralTag, "response_format", func(g string) json.RawMessage { return json.RawMessage(g) }},
}

// checkConstraint returns an error if the target cannot use its constraint.
func (t *Target) checkConstraint() error {
	if t.Constrain == ConstrainOff {
		return nil
	}
	c, ok := constraints[t.Constrain]
	switch {
	case !ok:
		return fmt.Errorf("gateway: unknown constraint %q, want one of %v", t.Constrain, t.Constrain.known())
	case t.Wire != c.wire:
		return fmt.Errorf("gateway: constraint %s: such servers support it only on the wire %s, but the upstream's is %s", t.Constrain, c.wire, t.Wire)
	case t.Dialect == nil:
		return errors.New("gateway: a constraint needs a dialect; the upstream itself handles native calls")
	}
	return nil
}

// constrain adds the constraint to a request with tools as text. asked is the request
// before that.
func (p *prepared) constrain(r, asked *chat.Request) {
	if p.target.Constrain == ConstrainOff || !mayCall(asked) {
		return
	}
	choice := fmt.Sprintf("%d %d %q", asked.ToolChoice.Mode, asked.ParallelCalls, asked.ToolChoice.Tools)
	g, _ := p.target.grammars.get(p.tools, p.target.Dialect, choice, func() (constraint, error) { return p.newConstraint(asked), nil })
	p.losses = append(p.losses, g.losses...)
	if g.extra.Name != "" {
		r.Extras = append(append(chat.Extras(nil), r.Extras...), g.extra)
	}
}

// constraint is a member of a request, with its losses. An empty name means no
// constraint.
type constraint struct {
	extra  chat.Extra
	losses []chat.Loss
}

// newConstraint returns the constraint for a request. If the dialect has none, a loss
// says so.
func (p *prepared) newConstraint(r *chat.Request) constraint {
	t := p.target
	opts := grammar.Options{Tools: p.tools, Choice: r.ToolChoice, Single: r.ParallelCalls == chat.Off, Text: true}
	c := constraints[t.Constrain]
	text, losses, err := grammar.Write(t.Dialect, c.form, opts)
	if _, none := errors.AsType[*grammar.FormatError](err); none && mustCall(r) {
		opts.Text = false
		text, losses, err = grammar.Write(t.Dialect, c.form, opts)
	}
	if err != nil {
		return constraint{losses: []chat.Loss{{Field: "tools", Reason: err.Error(), Action: "the model is not held to a grammar"}}}
	}
	extra := chat.Extra{Wire: string(c.wire), Name: c.member, Value: c.value(strings.TrimSpace(string(text)))}
	return constraint{extra: extra, losses: losses}
}

// quoted returns a text as a JSON string.
func quoted(text string) json.RawMessage {
	out, _ := json.Marshal(text) // strings always marshal
	return out
}
