package agent

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
)

// Session is a conversation, at any moment of it. It can be marshalled as JSON whenever an
// event comes, and goes on from there in another process. What a person allowed for the
// session is not marshalled: it ends with the process.
type Session struct {
	ID string `json:"id"`
	// Messages is what was settled: every call in it has its result. The system prompt is
	// no part of it, and the provider gets it before them.
	Messages []chat.Message `json:"messages"`
	// Turn is the last answer, until all of its calls are settled.
	Turn *Turn `json:"turn,omitempty"`
	// Answer is the message of that answer.
	Answer *chat.Message `json:"answer,omitempty"`

	Turns   int        `json:"turns"`             // since the user has spoken
	Total   int        `json:"total"`             // of the whole session
	Usage   chat.Usage `json:"usage"`             // of the whole session
	Cost    float64    `json:"cost,omitempty"`    // of the whole session, by [Config.Price]
	Steps   []Step     `json:"steps,omitempty"`   // since the user has spoken, the last of them
	Dropped int        `json:"dropped,omitempty"` // messages that a [History] took out

	Watch watch `json:"watch,omitzero"`

	// Data is what tools keep for later calls, by name; see [Result.Data].
	Data map[string]json.RawMessage `json:"data,omitempty"`

	grants []Rule
}

// maxSteps bounds Session.Steps.
const maxSteps = 100

// NewSession returns an empty session.
func NewSession() *Session { return &Session{ID: "run_" + rand.Text()} }

// Input is what comes into a run from outside.
type Input struct {
	// Text is what the user says. Calls that still wait are then settled as not run.
	Text string
	// Answers are those to requests for permission, by the id of the call.
	Answers map[string]Answer
	// Results are those of all calls that wait for the client.
	Results []ToolResult
}

// Say returns the input of a user.
func Say(text string) Input { return Input{Text: text} }

// Errors of an input.
var (
	ErrResultMissing = errors.New("a call that waits for the client has no result")
	ErrNotWaiting    = errors.New("the call waits for no result")
)

// waiting are the calls that a session waits for.
func (s *Session) waiting() (permissions, results []string) {
	if s.Turn == nil {
		return nil, nil
	}
	for _, c := range s.Turn.Calls {
		switch c.Status {
		case CallAsking:
			permissions = append(permissions, c.Invocation.ID)
		case CallWaiting:
			results = append(results, c.Invocation.ID)
		}
	}
	return permissions, results
}

// check reports what is wrong with an input: an answer or a result for a call that does not
// wait for it, two results for one call, or none for a call that waits for the client.
func (s *Session) check(in Input) error {
	permissions, results := s.waiting()
	for id := range in.Answers {
		if !slices.Contains(permissions, id) {
			return fmt.Errorf("%w: %s", ErrNotAsked, id)
		}
	}
	if len(in.Results) == 0 {
		return nil
	}
	given := map[string]bool{}
	for _, r := range in.Results {
		switch {
		case given[r.CallID]:
			return fmt.Errorf("two results for %s", r.CallID)
		case !slices.Contains(results, r.CallID):
			return fmt.Errorf("%w: %s", ErrNotWaiting, r.CallID)
		}
		given[r.CallID] = true
	}
	for _, id := range results {
		if !given[id] {
			return fmt.Errorf("%w: %s", ErrResultMissing, id)
		}
	}
	return nil
}

// keep takes what a tool wants to keep. What is there is copied, since calls that run
// have it.
func (s *Session) keep(data map[string]json.RawMessage) {
	if len(data) == 0 {
		return
	}
	kept := make(map[string]json.RawMessage, len(s.Data)+len(data))
	maps.Copy(kept, s.Data)
	for name, value := range data {
		if kept[name] = value; len(value) == 0 || string(value) == "null" {
			delete(kept, name)
		}
	}
	s.Data = kept
}

// record counts a step.
func (s *Session) record(step Step) {
	s.Usage = s.Usage.Add(step.Usage.WithTotal())
	s.Cost += step.Cost
	s.Steps = append(s.Steps, step)
	if extra := len(s.Steps) - maxSteps; extra > 0 {
		s.Steps = append(s.Steps[:0], s.Steps[extra:]...)
	}
}

// settle puts an answer and the results of its calls into the messages. Calls that came
// broken are in no message; the model reads what was wrong with them as text.
func (s *Session) settle(said chat.Message, calls []*CallState, structured bool) {
	var results []chat.Message
	var broken string
	for _, c := range calls {
		if c.Result == nil {
			continue
		}
		if c.Invocation.Status != toolparse.Complete {
			if !isRepeat(c.Invocation) {
				broken += c.Result.ForModel() + "\n\n"
			}
			continue
		}
		m := c.Result.message(structured)
		m.Parts[0].Result.CallID = wireID(c.Invocation)
		results = append(results, m)
	}
	if len(said.Parts) > 0 {
		s.Messages = append(s.Messages, said)
	}
	s.Messages = append(s.Messages, results...)
	if broken != "" {
		s.Messages = append(s.Messages, toolparse.User(broken[:len(broken)-2]))
	}
	s.Turn, s.Answer = nil, nil
}
