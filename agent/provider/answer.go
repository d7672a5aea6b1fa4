package provider

import (
	"io"
	"iter"
	"reflect"
	"slices"
	"sync"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
	"github.com/toolparse/toolparse/format/chat"
)

// kits makes the kit for the tools of a request. It keeps the last one, because most
// requests of a session have the same tools.
type kits struct {
	options toolparse.Options // without tools
	isText  bool              // the dialect describes the tools in the prompt

	mu    sync.Mutex
	tools []chat.Tool
	kit   *toolparse.Kit
}

// of returns the kit. If it is a new one, left names the tools that are not in it because
// the dialect cannot express them.
func (k *kits) of(tools []chat.Tool) (kit *toolparse.Kit, left []string, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kit != nil && reflect.DeepEqual(tools, k.tools) {
		return k.kit, nil, nil
	}
	options := k.options
	options.Tools = make([]toolparse.ToolDefinition, len(tools)) // not nil, so that all other names are unknown
	for i, tool := range tools {
		options.Tools[i] = tool.ToolDefinition
	}
	if kit, err = toolparse.New(options); err == nil && k.isText {
		kit, left, err = expressible(kit, options)
	}
	if err != nil {
		return nil, nil, err
	}
	k.tools, k.kit = slices.Clone(tools), kit
	return kit, left, nil
}

// expressible returns a kit without the tools whose calls the dialect cannot express,
// such as one that is named like a tag, and the names of these tools.
func expressible(kit *toolparse.Kit, options toolparse.Options) (*toolparse.Kit, []string, error) {
	prompt := &toolparse.Request{Messages: []chat.Message{toolparse.User("Hello.")}}
	if _, _, err := kit.Prompt(prompt); err == nil {
		return kit, nil, nil
	}
	var kept []toolparse.ToolDefinition
	var left []string
	for _, tool := range options.Tools {
		one := options
		one.Tools = []toolparse.ToolDefinition{tool}
		alone, err := toolparse.New(one)
		if err == nil {
			_, _, err = alone.Prompt(prompt)
		}
		if err != nil {
			left = append(left, tool.Name)
			continue
		}
		kept = append(kept, tool)
	}
	if len(kept) == 0 || len(left) == 0 { // the problem is not a single tool: report it
		return kit, nil, nil
	}
	options.Tools = kept
	kit, err := toolparse.New(options)
	return kit, left, err
}

// read yields the chunks of an answer. The answer ends where the model begins to invent a
// result after its calls, which the stop sequences of the dialect show: not all servers
// obey them.
func read(kit *toolparse.Kit, body io.Reader, stop []string) iter.Seq2[agent.Chunk, error] {
	return func(yield func(agent.Chunk, error) bool) {
		stream, err := kit.Open(body)
		if err != nil {
			yield(agent.Chunk{}, err)
			return
		}
		stream.StopAfterCalls(stop...)
		answer := stream.Gather()
		var failed error
		for e, err := range stream.Events() {
			if err != nil {
				failed = err
				break
			}
			if !yield(agent.Chunk{StreamEvent: e}, nil) {
				return
			}
		}
		if !yield(agent.Chunk{Answer: answer}, nil) {
			return
		}
		if failed != nil {
			yield(agent.Chunk{}, failed)
		}
	}
}
