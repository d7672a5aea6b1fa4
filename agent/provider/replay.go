package provider

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/agent"
)

// Recording is a recorded session: the user's prompt, and each answer of the model as its
// provider sent it, or as plain text.
type Recording struct {
	Prompt    string
	Answers   [][]byte
	Workspace fs.FS // the files at the beginning; nil means none
}

// The names in a recording. Every other file of its folder is an answer.
const (
	promptFile      = "prompt.txt"
	workspaceFolder = "workspace"
)

// ReadRecording reads a recording from a folder: prompt.txt, answers in the order of the
// numbers with which their names begin, or else of their names, and the files at the beginning in the folder workspace.
func ReadRecording(files fs.FS, dir string) (*Recording, error) {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil, err
	}
	r := &Recording{}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(number(a.Name()), number(b.Name())) })
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() == workspaceFolder {
			if r.Workspace, err = fs.Sub(files, path.Join(dir, workspaceFolder)); err != nil {
				return nil, err
			}
		}
		if entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		text, err := fs.ReadFile(files, path.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		if entry.Name() == promptFile {
			r.Prompt = strings.TrimSpace(string(text))
			continue
		}
		r.Answers = append(r.Answers, text)
	}
	if len(r.Answers) == 0 {
		return nil, fmt.Errorf("provider: the recording %s has no answers", dir)
	}
	return r, nil
}

// number returns the number with which a name begins, or 0.
func number(name string) (n int) {
	_, _ = fmt.Sscanf(name, "%d", &n) // without a number, n stays 0
	return n
}

// Replay returns a provider that plays the answers of a recording, one for each request.
// It uses only the dialect of the configuration, for calls in text. Without one, it reads
// native calls from a wire format, and searches plain text for calls in any dialect.
// [agent.New] reports a dialect that does not exist, or the provider's Capabilities.
func Replay(r *Recording, config Config) agent.Provider {
	options := toolparse.Options{
		Dialect: config.Dialect, Custom: config.Custom, Recover: config.Recover, Coerce: true,
	}
	_, err := toolparse.New(options)
	return usable(&replay{answers: slices.Clone(r.Answers), kits: &kits{options: options, isText: config.isText()}}, err)
}

type replay struct {
	kits *kits

	mu      sync.Mutex
	answers [][]byte
	played  int
}

func (p *replay) Name() string { return "replay" }

func (p *replay) Capabilities() (agent.Capabilities, error) {
	return agent.Capabilities{Tools: true, Parallel: true, Streaming: true, JSONMode: true, ToolChoice: true}, nil
}

func (p *replay) Stream(ctx context.Context, request *toolparse.Request) iter.Seq2[agent.Chunk, error] {
	return func(yield func(agent.Chunk, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(agent.Chunk{}, err)
			return
		}
		body, err := p.next()
		if err != nil {
			yield(agent.Chunk{}, err)
			return
		}
		kit, _, err := p.kits.of(request.Tools)
		if err != nil {
			yield(agent.Chunk{}, err)
			return
		}
		var stop []string
		if p.kits.isText {
			if prompted, _, err := kit.Prompt(request); err == nil { // otherwise nobody described the tools in this dialect
				stop = prompted.Stop
			}
		}
		for chunk, err := range read(kit, bytes.NewReader(body), stop) {
			if !yield(chunk, err) {
				return
			}
		}
	}
}

func (p *replay) next() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.played == len(p.answers) {
		return nil, agent.Failure(agent.Resource, "the recording has only %d answers", p.played)
	}
	p.played++
	return p.answers[p.played-1], nil
}
