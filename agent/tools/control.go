package tools

import (
	"context"
	"time"

	"github.com/toolparse/toolparse/agent"
)

var reasoningTools = []*entry{
	{
		name: "get_current_time", description: "Returns the date and the time.", category: reasoning, from: minimal, traits: reads,
		make: does((*Set).now), shell: "date -Iseconds",
	},
}

var controlTools = []*entry{
	{
		name: "submit", description: "Ends the task with an answer. Call it alone, when nothing is left to do.", category: control, from: minimal,
		traits: terminal, make: does((*Set).submit),
	},
	{
		name: "abort", description: "Ends the task without an answer, because it cannot be done. Call it alone.", category: control, from: standard,
		traits: terminal, make: does((*Set).abort),
	},
	{
		name: "ask_user", description: "Asks the user a question that only they can answer.", category: control, from: full,
		kind: agent.Function, make: does((*Set).askUser),
	},
}

func (s *Set) now(context.Context, noneIn) (string, error) {
	return time.Now().Format(time.RFC3339), nil
}

type submitIn struct {
	Answer     string   `json:"answer,omitempty" jsonschema:"the answer, or what was done"`
	Confidence *float64 `json:"confidence,omitempty" jsonschema:"confidence in the answer, from 0 to 1" minimum:"0" maximum:"1"`
}

func (s *Set) submit(_ context.Context, in submitIn) (agent.Result, error) {
	result := agent.Result{Output: in.Answer}
	if in.Confidence != nil {
		result.Metadata = map[string]any{"confidence": *in.Confidence}
	}
	return result, nil
}

type abortIn struct {
	Reason string `json:"reason" jsonschema:"why it cannot be done"`
}

func (s *Set) abort(_ context.Context, in abortIn) (agent.Result, error) {
	return agent.Result{Output: "aborted: " + in.Reason, Metadata: map[string]any{"aborted": true}}, nil
}

type askUserIn struct {
	Question string   `json:"question" jsonschema:"the question"`
	Choices  []string `json:"choices,omitempty" jsonschema:"answers to choose from"`
}

// askUser is not called in a run: the client asks the user, and returns the answer as the
// result.
func (s *Set) askUser(context.Context, askUserIn) (agent.Result, error) {
	return agent.Result{}, agent.Failure(agent.Resource, "there is no user to ask here")
}
