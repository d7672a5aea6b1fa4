package tools

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolparse/toolparse/agent"
)

// Curator picks the sections of a long file that are relevant to a conversation, which is
// in [agent.Call.Messages]; it may ask a model. It is called once for the same
// file and conversation. If it fails or returns no sections, the model gets the file as
// without a Curator.
type Curator func(ctx context.Context, call agent.Call, path, text string) ([]Section, error)

// Section is a range of lines, counted from 1 and inclusive.
type Section struct{ First, Last int }

// curatedFrom is the number of lines that makes a file long.
const curatedFrom = 100

// maxCurated limits the number of files whose sections are kept.
const maxCurated = 256

type curatedKey struct {
	path               string
	file, conversation [sha256.Size]byte
}

// sections returns the sections that the curator picks, or has picked before.
func (s *Set) sections(ctx context.Context, path, text string) ([]Section, error) {
	call := agent.CallFrom(ctx)
	conversation, err := json.Marshal(call.Messages)
	if err != nil {
		return nil, err
	}
	key := curatedKey{path, sha256.Sum256([]byte(text)), sha256.Sum256(conversation)}
	if sections, known := s.curated.Get(key); known {
		return sections, nil
	}
	sections, err := s.Curator(ctx, call, path, text)
	if err == nil {
		s.curated.Put(key, 1, sections)
	}
	return sections, err
}

// curate returns the relevant sections of a long file. It returns false if the model
// should get the file as a whole.
func (s *Set) curate(ctx context.Context, in readIn) (agent.Result, bool) {
	if s.Curator == nil || in.StartLine > 0 || in.EndLine > 0 || !in.Numbered || in.Encoding != "utf-8" {
		return agent.Result{}, false
	}
	raw, err := s.readAll(ctx, in.Path)
	if err != nil || !isPlain(raw) {
		return agent.Result{}, false
	}
	text := string(raw)
	lines := endedLines(text)
	if len(lines) < curatedFrom {
		return agent.Result{}, false
	}
	sections, err := s.sections(ctx, in.Path, text)
	if err != nil || len(sections) == 0 {
		return agent.Result{}, false
	}
	var b strings.Builder
	next := 1 // the first line that has not been shown
	skip := func(to int) {
		if to > next {
			fmt.Fprintf(&b, "[lines %d to %d are left out; start_line and end_line read them]\n", next, to-1)
		}
	}
	for _, section := range sections {
		first, last := max(section.First, next), min(section.Last, len(lines))
		if first > last {
			continue
		}
		skip(first)
		b.WriteString(numbered(lines[:last], first, maxLine))
		next = last + 1
	}
	if next == 1 || b.Len() > maxShown {
		return agent.Result{}, false
	}
	skip(len(lines) + 1)
	return agent.Result{Output: b.String(), Metadata: map[string]any{"curated": true}}, true
}
