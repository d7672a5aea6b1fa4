package provider

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
)

// orText uses native tools until the server rejects them, and then text.
type orText struct {
	native, text *remote
	refused      atomic.Bool
}

func (p *orText) now() *remote {
	if p.refused.Load() {
		return p.text
	}
	return p.native
}

func (p *orText) Name() string { return p.now().Name() }

func (p *orText) Capabilities() (agent.Capabilities, error) { return p.now().Capabilities() }

func (p *orText) Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[agent.Chunk, error] {
	return func(yield func(agent.Chunk, error) bool) {
		asked, began := p.now(), false
		for chunk, err := range asked.Stream(ctx, request) {
			if err != nil && !began && asked == p.native && len(request.Tools) > 0 && refusesTools(err) {
				p.refused.Store(true)
				break
			}
			began = true
			if !yield(chunk, err) {
				return
			}
		}
		if began || asked == p.text || !p.refused.Load() {
			return
		}
		notice := "the server accepts no tools: the prompt lists them, and calls are read from the text in dialect " + p.text.config.Dialect
		if !yield(agent.Chunk{Notice: notice, Retry: true}, nil) {
			return
		}
		for chunk, err := range p.text.Stream(ctx, request) {
			if !yield(chunk, err) {
				return
			}
		}
	}
}

// refusals are words from the errors of servers that do not support tools, or were not
// started with support: "registry.ollama.ai/library/gemma:2b does not support tools",
// "\"auto\" tool choice requires --enable-auto-tool-choice", "tools param requires
// --jinja flag", "No endpoints found that support tool use", "tools: Extra inputs are not
// permitted".
var refusals = []string{"support", "require", "not permitted", "not allowed", "not implemented", "unrecognized", "unknown", "unexpected"}

// refusesTools reports whether a server's error says that it does not support tools.
func refusesTools(err error) bool {
	e, ok := errors.AsType[*agent.Error](err)
	if !ok || !slices.Contains([]int{400, 404, 422, 500, 501}, e.Status) {
		return false
	}
	message := strings.ToLower(e.Message)
	return strings.Contains(message, "tool") && slices.ContainsFunc(refusals, func(word string) bool { return strings.Contains(message, word) })
}
