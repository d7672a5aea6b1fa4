package toolparse

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/toolparse/toolparse/format"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/adapter"
	"github.com/toolparse/toolparse/internal/dialect"
	"github.com/toolparse/toolparse/internal/history"
	"github.com/toolparse/toolparse/internal/manifest"
	"github.com/toolparse/toolparse/internal/wire"
	"github.com/toolparse/toolparse/internal/wire/all"
	"github.com/toolparse/toolparse/internal/wire/features"
	"github.com/toolparse/toolparse/toolcall"
)

// Prompt rewrites a request for a model without native tool calls. It describes the
// kit's tools in the system prompt, in the kit's dialect, and turns the calls and
// results of earlier turns into text. The returned request has no tools and no tool
// messages. The argument is not changed, and its own list of tools is ignored. The
// losses report what the text cannot express. Prompt fails if the kit has no single
// dialect, or if the dialect cannot express a tool.
func (k *Kit) Prompt(request *Request) (*Request, []Loss, error) {
	d, err := k.onlyDialect("Prompt")
	if err != nil {
		return nil, nil, err
	}
	p, err := k.prompter(d, request)
	if err != nil {
		return nil, nil, err
	}
	out := *request
	var log features.Log
	for i, tool := range request.Tools {
		log.ReportExtras(fmt.Sprintf("tools[%d]", i), tool.Extras)
	}
	var losses []Loss
	out.Messages, losses = p.turns.Render(request.Messages)
	return p.text.InjectChat(&out), slices.Concat(log.Losses, losses), nil
}

// prompter writes the tools and the turns of requests that have the same tool choice.
type prompter struct {
	text  *manifest.Manifest
	turns *history.Renderer
}

// prompters caches prompters by tool choice.
type prompters struct {
	mu        sync.Mutex
	turns     *history.Renderer
	prompters map[promptKey]prompter
}

// promptKey is what the prompters of a kit differ in.
type promptKey struct {
	choice   chat.ChoiceMode
	tools    string // quoted
	parallel chat.Switch
}

// maxPrompters bounds the cache, because callers choose the keys.
const maxPrompters = 16

// prompter returns the prompter for the tool choice of a request, and makes it on
// first use.
func (k *Kit) prompter(d *dialect.Dialect, request *Request) (prompter, error) {
	key := promptKey{choice: request.ToolChoice.Mode, parallel: request.ParallelCalls}
	if len(request.ToolChoice.Tools) > 0 {
		key.tools = fmt.Sprintf("%q", request.ToolChoice.Tools)
	}
	known := k.prompts
	known.mu.Lock()
	defer known.mu.Unlock()
	if p, ok := known.prompters[key]; ok {
		return p, nil
	}
	text, err := manifest.New(k.opts.Tools, manifest.Options{
		Dialect: d, Choice: request.ToolChoice, Parallel: request.ParallelCalls, Texts: k.texts,
	})
	if err != nil {
		return prompter{}, err
	}
	if known.turns == nil {
		if known.turns, err = history.New(d, history.Options{Tools: k.opts.Tools, Schemas: k.parsers.of[0].Schemas(), Texts: k.texts}); err != nil {
			return prompter{}, err
		}
	}
	if known.prompters == nil || len(known.prompters) == maxPrompters {
		known.prompters = map[promptKey]prompter{}
	}
	p := prompter{text, known.turns}
	known.prompters[key] = p
	return p, nil
}

// Request encodes a request as a provider's request body, with the kit's tools. If the
// kit has one dialect, and that writes calls in text, the tools go into the prompt as
// with [Kit.Prompt]; else they are declared natively. The losses report what the wire
// format cannot express. A tool name that the wire does not accept is replaced in the
// body, and restored when the kit reads the answer.
func (k *Kit) Request(to Wire, request *Request) (body []byte, losses []Loss, err error) {
	codec, err := all.CodecOf(to)
	if err != nil {
		return nil, nil, err
	}
	dialects, err := k.dialects(to)
	if err != nil {
		return nil, nil, err
	}
	out := *request
	if len(dialects) == 1 && !dialects[0].Native() {
		prompted, unshown, err := k.Prompt(request)
		if err != nil {
			return nil, nil, err
		}
		out, losses = *prompted, unshown
	} else {
		out.Tools = nil
		for _, tool := range k.opts.Tools {
			out.Tools = append(out.Tools, chat.Tool{ToolDefinition: tool})
		}
	}
	body, unsaid := codec.EncodeRequest(&out, wire.Options{Texts: k.texts})
	return body, slices.Concat(losses, unsaid), nil
}

// ownNames maps, for each wire, the replacement names that Request writes back to the
// tools' own names. It is nil if every wire accepts all names.
func ownNames(tools []ToolDefinition) map[Wire]map[string]string {
	everywhere := wire.NewRenames(wire.CommonNames())
	if !slices.ContainsFunc(tools, func(t ToolDefinition) bool { _, changed := everywhere.Rename(t.Name); return changed }) {
		return nil
	}
	sent := make([]chat.Tool, len(tools))
	for i, t := range tools {
		sent[i].ToolDefinition = t
	}
	originals := map[Wire]map[string]string{}
	for _, to := range format.Wires() {
		codec, err := all.CodecOf(to)
		if err != nil {
			continue
		}
		names := new(wire.Renames)
		codec.EncodeTools(sent, wire.Options{Names: names})
		originals[to] = map[string]string{}
		for _, t := range tools {
			if name, changed := names.Rename(t.Name); changed {
				originals[to][name] = t.Name
			}
		}
	}
	return originals
}

// withOwnNames restores the tools' own names in the calls of an answer.
func withOwnNames(source iter.Seq2[toolcall.Delta, error], originals map[string]string) iter.Seq2[toolcall.Delta, error] {
	return func(yield func(toolcall.Delta, error) bool) {
		for d, err := range source {
			if name, ok := originals[d.Name]; ok && d.Kind == toolcall.DeltaToolCall {
				d.Name = name
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// User returns a user message with one text part.
func User(text string) Message {
	return Message{Role: chat.User, Parts: []chat.Part{chat.TextPart(text)}}
}

// Explain returns a message for the model about everything that keeps a call from being
// [ToolInvocation.Runnable], and what to do about it. It returns "" for a runnable call.
func (k *Kit) Explain(call ToolInvocation) string { return adapter.Explain(call, k.opts.Tools) }

// Respond runs the calls of an answer and returns the messages that continue the
// conversation: the answer itself, and the result of each call. It runs the calls that
// are [ToolInvocation.Runnable], one after the other. The results of the other calls
// tell the model what is wrong with them. If run returns an error, its text is the
// result. Respond leaves out the reasoning.
func (k *Kit) Respond(answer *Answer, run func(ToolInvocation) (string, error)) []Message {
	turn := Message{Role: chat.Assistant}
	if answer.Text != "" {
		turn.Parts = append(turn.Parts, chat.TextPart(answer.Text))
	}
	var results []Message
	var broken []string // of calls that no message can hold
	for _, call := range answer.Calls {
		output, failed := k.Explain(call), true
		if call.Status != Complete {
			broken = append(broken, output)
			continue
		}
		if call.Runnable() {
			var err error
			if output, err = run(call); err != nil {
				output = err.Error()
			}
			failed = err != nil
		}
		id := cmp.Or(call.CallID, call.ID)
		turn.Parts = append(turn.Parts, chat.CallPart(id, call.Name, string(call.Arguments)))
		result := chat.Result{CallID: id, Name: call.Name, Parts: []chat.Part{chat.TextPart(output)}, IsError: failed}
		results = append(results, Message{Role: chat.ToolRole, Parts: []chat.Part{{Kind: chat.PartResult, Result: &result}}})
	}
	if len(broken) > 0 {
		results = append(results, User(strings.Join(broken, "\n\n")))
	}
	if len(turn.Parts) == 0 {
		return results
	}
	return append([]Message{turn}, results...)
}
