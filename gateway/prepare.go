package gateway

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/reencode"
	"github.com/toolparse/toolparse/internal/wire"
)

// prepared is a request for the upstream, with everything that is needed to read and
// write its answer.
type prepared struct {
	target *target
	asked  *chat.Request // as the client sent it
	sent   *chat.Request // as it goes to the upstream, before encoding
	model  string        // for the client
	began  time.Time     // when the request came
	body   []byte
	kit    *toolparse.Kit
	tools  []toolparse.ToolDefinition // with the names that the model sees
	names  *wire.Renames              // of the tools
	stops  []string                   // stop sequences: beginnings of results, which the model must not write
	single bool                       // one call is enough, and the upstream may not know
	form   *answerForm                // of the text; nil means any
	kept   *storing                   // about the answer; nil means nothing
	spent  chat.Usage                 // on earlier answers that were not as required
	losses []chat.Loss
}

// prepare converts a client's request to one for the upstream. The caller calls kept.done
// at the end.
func (u *setup) prepare(f *front, want ask, body []byte) (p *prepared, err error) {
	request, err := u.decode(f, body)
	if err != nil {
		return nil, err
	}
	if want.model != "" {
		request.Model = want.model
	}
	if member := severalAnswers(request); member != "" {
		return nil, &failure{status: http.StatusBadRequest, code: unsupported, message: member + ": this server returns one answer for each request; send several requests"}
	}
	if want.path {
		request.Stream, request.StreamUsage = want.stream, want.stream
	}
	t := u.target(request.Model)
	if t == nil {
		return nil, noModel(request.Model)
	}
	state, err := t.recall(f, request)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			state.done()
		}
	}()
	request.Messages = t.recallSignatures(f, t.unseal(request.Messages))
	p = &prepared{target: t, began: time.Now(), asked: request, kept: state, model: cmp.Or(t.Model, strings.Clone(request.Model))}
	if p.model == "" {
		return nil, noModel("")
	}
	out := *request
	out.Model = p.model
	if out.MaxTokens == 0 {
		out.MaxTokens = t.MaxTokens
	}
	if t.Profile == ProfileTemplate {
		out.Messages = oneSystem(out.Messages)
		out.Extras = append(append(chat.Extras(nil), out.Extras...), plainLimit)
	}
	if t.Dialect != nil {
		err = p.inText(&out)
	} else {
		err = p.natively(&out)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// decode decodes a request within the limits.
func (u *setup) decode(f *front, body []byte) (*chat.Request, error) {
	limits := &u.opts.Limits
	request, err := f.codec.With(wire.RequestOptions{MaxValues: limits.Values, Tools: u.memory}).DecodeRequest(body)
	switch {
	case errors.Is(err, wire.ErrTooManyValues):
		return nil, tooMany(limits.Values, "JSON values", "values")
	case err != nil:
		return nil, unreadable("the request", err)
	case len(request.Messages) > limits.Messages:
		return nil, tooMany(limits.Messages, "messages", "messages")
	case len(request.Tools) > limits.Tools:
		return nil, tooMany(limits.Tools, "tools", "tools")
	}
	return request, nil
}

// tooMany is the failure for a request with more than a limit of something.
func tooMany(limit int, of, setting string) *failure {
	return refused(http.StatusRequestEntityTooLarge, fmt.Sprintf("the request has more than %d %s; send fewer, or let the server's operator raise limits.%s", limit, of, setting))
}

// severalAnswers returns the member of a request that asks for more than one answer, or
// "".
func severalAnswers(r *chat.Request) string {
	for _, x := range r.Extras {
		many := x.Wire == string(format.OpenAI) && x.In == "" && x.Name == "n" || x.Wire == string(format.Gemini) && x.Name == "candidateCount"
		if many && !x.Spelling && string(x.Value) != "1" && string(x.Value) != "null" {
			return x.Name
		}
	}
	return ""
}

// natively prepares a request with native tools.
func (p *prepared) natively(r *chat.Request) error {
	t := p.target
	p.names = new(wire.Renames)
	if t.Profile == ProfileTemplate {
		p.names.SetRule(wire.CommonNames())
		r, p.losses = identify(r, p.names)
		r.Messages = alternate(r.Messages)
	}
	p.encode(r)
	var err error
	if p.tools, p.kit, err = t.natively(r.Tools, p.names); err != nil {
		// The upstream checks the tools. Without compiled tools, no leaked calls are
		// found.
		p.losses = append(p.losses, chat.Loss{Field: "tools", Reason: err.Error(), Action: "calls that leak are not recovered"})
		p.tools = nil
		p.kit, err = t.kit(nil, nil)
	}
	return err
}

// inText prepares a request with tools and history as text.
func (p *prepared) inText(r *chat.Request) error {
	t, d := p.target, p.target.Dialect
	tools, err := t.inText(r.Tools)
	if err != nil {
		return refused(http.StatusBadRequest, err.Error())
	}
	kit := tools.kit
	p.tools, p.names, p.losses = tools.plain, tools.names.Fork(), slices.Clip(tools.losses)
	r = identifyCalls(r, func(name string) string {
		name, _ = p.names.Rename(name)
		return name
	})
	r.Tools = tools.list
	if err := p.formAnswer(r); err != nil {
		return err
	}
	prompted, losses, err := kit.Prompt(r)
	if err != nil {
		return refused(http.StatusBadRequest, err.Error())
	}
	if p.kit = kit; !mayCall(r) {
		// If no tool may be called, nothing counts as a call, not even an example that
		// the model writes.
		if p.kit, err = t.kit(nil, withoutCalls(d)); err != nil {
			return err
		}
	}
	p.losses = append(p.losses, losses...)
	for _, marker := range prompted.Stop {
		if !slices.Contains(r.Stop, marker) {
			p.stops = append(p.stops, marker)
		}
	}
	p.single = r.ParallelCalls == chat.Off
	p.constrain(prompted, r)
	prompted.Tools, prompted.ToolChoice, prompted.ParallelCalls = nil, chat.ToolChoice{}, chat.Unset
	if t.Profile == ProfileTemplate {
		prompted.Messages = alternate(prompted.Messages)
	}
	p.encode(prompted)
	return nil
}

// mayCall reports whether a request allows calls.
func mayCall(r *chat.Request) bool {
	return len(r.Tools) > 0 && r.ToolChoice.Mode != chat.ChoiceNone
}

// withoutCalls returns the dialect for reading an answer in which no tool may be called.
// The headers of its channels still separate reasoning from text, including text to a
// tool. Nil means a dialect without channels, so that everything is text.
func withoutCalls(d *dialect.Dialect) *dialect.Dialect {
	if len(d.Channels.Open) == 0 {
		return nil
	}
	c := d.Channels
	c.Calls = nil
	return &dialect.Dialect{Name: d.Name + " without calls", Reasoning: d.Reasoning, Noise: d.Noise, Channels: c}
}

// mustCall reports whether a request requires a call.
func mustCall(r *chat.Request) bool {
	return r.ToolChoice.Mode == chat.ChoiceRequired || r.ToolChoice.Mode == chat.ChoiceOne
}

// encode encodes the request for the upstream.
func (p *prepared) encode(r *chat.Request) {
	t := p.target
	body, losses := t.codec.EncodeRequest(r, wire.Options{VendorOnly: t.Profile == ProfileVendor, Model: p.model, Names: p.names, Texts: t.setup.texts})
	p.sent, p.body, p.losses = r, body, append(p.losses, losses...)
}

// forget releases the request when it will not be sent again: it can be many times as
// large as what is held of the answer, which may take minutes.
func (p *prepared) forget() {
	p.asked, p.sent, p.body, p.tools, p.losses = nil, nil, nil, nil, nil
	p.names = p.names.Inverse()
}

// open begins to read the answer.
func (p *prepared) open(answer io.Reader) (*toolparse.Stream, error) {
	stream, err := p.kit.Open(answer)
	if err == nil && len(p.stops) > 0 {
		stream.StopAfterCalls(p.stops...)
	}
	if err == nil && p.single {
		stream.StopAfterOneCall()
	}
	if err == nil && p.form != nil {
		stream.Unfence()
	}
	return stream, err
}

// encoding returns the options with which the front writes the answer. The id of an upstream
// with another wire does not reach the client, because some have one id for all answers, and
// Claude Code takes answers with the same id for one.
func (p *prepared) encoding(f *front) reencode.Options {
	forceID := p.kept != nil || f.wire != p.target.Wire
	return reencode.Options{
		ID: f.idPrefix + newID(), ForceID: forceID, Model: p.model, Created: time.Now().Unix(), EarlierUsage: p.spent,
		Chat: wire.Options{SentNames: p.names, Seal: p.target.sealing(f), Began: p.began},
	}
}

// Rewrite returns the request that the upstream would get for a client's request, and the
// losses. wire is the client's; Auto detects it.
func (s *Server) Rewrite(wire format.Wire, body []byte) ([]byte, []chat.Loss, error) {
	if wire == format.Auto {
		var err error
		if wire, err = format.Guess(body, format.KindRequest); err != nil {
			return nil, nil, err
		}
	}
	for i := range fronts {
		if fronts[i].wire != wire {
			continue
		}
		u := s.current.Load()
		p, err := u.prepare(&fronts[i], ask{model: u.onlyModel()}, body)
		if err != nil {
			return nil, nil, err
		}
		p.kept.done()
		return p.body, p.losses, nil
	}
	return nil, nil, fmt.Errorf("no front has the wire %q", wire)
}
