package agent

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/wire"
)

// Session is a conversation. It can be marshalled as JSON at any event, and continued by
// another process. It does not contain what a person allowed for the session, which ends
// with the process.
type Session struct {
	ID string `json:"id"`
	// Messages are the settled messages: every call in them has its result. The system
	// prompt is not among them; the provider gets it separately.
	Messages []chat.Message `json:"messages"`
	Turns    int            `json:"turns"`           // since the user's last input
	Answered int            `json:"answered"`        // answers of the model that the session has taken
	Usage    chat.Usage     `json:"usage"`           // of the whole session
	Cost     float64        `json:"cost,omitempty"`  // of the whole session, by [Config.Price]
	Steps    []Step         `json:"steps,omitempty"` // the last ones since the user's last input
	// Ended is the reason why the last run ended, if its task is complete.
	Ended EndReason `json:"ended,omitempty"`
	// Data is what tools store for later calls, by name; see [Result.Data].
	Data map[string]json.RawMessage `json:"data,omitempty"`

	state
}

// state is the part of a session that only the loop uses.
type state struct {
	// Turn is the last answer, until all of its calls are settled.
	Turn *turn `json:"turn,omitempty"`
	// Answer is the message of the last answer, while Turn is set.
	Answer  *chat.Message `json:"answer,omitempty"`
	Total   int           `json:"total"`             // turns of the whole session
	Dropped int           `json:"dropped,omitempty"` // messages that a [History] removed
	// Asked is set from a request until its answer is taken.
	Asked bool `json:"asked,omitempty"`
	// Paused means that the model continues its last answer when it is asked again.
	Paused bool  `json:"paused,omitempty"`
	Watch  watch `json:"watch,omitzero"`

	grants []Rule
}

// maxSteps bounds Session.Steps.
const maxSteps = 100

// NewSession returns an empty session.
func NewSession() *Session { return &Session{ID: "run_" + rand.Text()} }

// Input is what a run gets from outside.
type Input struct {
	// Text is the user's message. Calls that still wait then end as not run.
	Text string
	// Answers are the answers to requests for permission, by the id of the call.
	Answers map[string]Answer
	// Results are the results of the calls that wait for the client; all of them are
	// required.
	Results []ToolResult
}

// Say returns the input for a user's message.
func Say(text string) Input { return Input{Text: text} }

// Errors of an input.
var (
	errResultMissing = errors.New("a call that waits for the client has no result")
	errNotWaiting    = errors.New("the call is not waiting for a result")
	errDone          = errors.New("the session has no message and no open call; set Input.Text")
)

// Done reports whether the session needs input from the user to continue: it is new, its
// task is complete, or its last message is from the model, has no open call, and did not
// only pause.
func (s *Session) Done() bool {
	last := len(s.Messages) - 1
	return s.Turn == nil && (last < 0 || s.Ended != "" || s.Messages[last].Role == chat.Assistant && !s.Paused)
}

// ErrDamaged reports a session that no run has left, such as one that was edited by hand.
var ErrDamaged = errors.New("the session is damaged")

// intact returns an error if a message lacks its content, or if the loop could not lead
// the open turn to its end.
func (s *Session) intact() error {
	for i, m := range s.Messages {
		if lacksContent(m.Parts) {
			return fmt.Errorf("%w: messages[%d] has a part without its content", ErrDamaged, i)
		}
	}
	if s.Answer != nil && lacksContent(s.Answer.Parts) {
		return fmt.Errorf("%w: answer has a part without its content", ErrDamaged)
	}
	if s.Turn == nil {
		return nil
	}
	if len(s.Turn.Calls) == 0 {
		return fmt.Errorf("%w: its turn has no calls", ErrDamaged)
	}
	ids := map[string]bool{}
	for i, c := range s.Turn.Calls {
		switch {
		case c == nil || c.Invocation.ID == "":
			return fmt.Errorf("%w: turn.calls[%d] has no invocation.id", ErrDamaged, i)
		case ids[c.Invocation.ID]:
			return fmt.Errorf("%w: turn.calls[%d] has the invocation.id of another call", ErrDamaged, i)
		case (c.Status == callSettled) != (c.Result != nil):
			return fmt.Errorf("%w: turn.calls[%d] is %s; a call has a result if it is settled, and only then", ErrDamaged, i, c.Status)
		case c.Result != nil && lacksContent(c.Result.Parts):
			return fmt.Errorf("%w: turn.calls[%d].result has a part without its content", ErrDamaged, i)
		}
		ids[c.Invocation.ID] = true
	}
	return nil
}

// lacksContent reports whether a part is a call, a result, an image or a file without it.
func lacksContent(parts []chat.Part) bool {
	return slices.ContainsFunc(parts, func(p chat.Part) bool {
		switch p.Kind {
		case chat.PartCall:
			return p.Call == nil
		case chat.PartImage, chat.PartFile:
			return p.Media == nil
		case chat.PartResult:
			return p.Result == nil || lacksContent(p.Result.Parts)
		}
		return false
	})
}

// waiting returns the ids of the calls that the session waits for.
func (s *Session) waiting() (permissions, results []string) {
	if s.Turn == nil {
		return nil, nil
	}
	for _, c := range s.Turn.Calls {
		switch c.Status {
		case callAsking:
			permissions = append(permissions, c.Invocation.ID)
		case callWaiting:
			results = append(results, c.Invocation.ID)
		}
	}
	return permissions, results
}

// check reports what is wrong with an input: an answer or a result for a call that does
// not wait for it, two results for one call, or no result for a call that waits for the
// client.
func (s *Session) check(in Input) error {
	permissions, results := s.waiting()
	for id := range in.Answers {
		if !slices.Contains(permissions, id) {
			return fmt.Errorf("%w: %s", errNotAsked, id)
		}
	}
	if len(in.Results) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for _, r := range in.Results {
		switch {
		case seen[r.CallID]:
			return fmt.Errorf("two results for %s", r.CallID)
		case !slices.Contains(results, r.CallID):
			return fmt.Errorf("%w: %s", errNotWaiting, r.CallID)
		}
		seen[r.CallID] = true
	}
	for _, id := range results {
		if !seen[id] {
			return fmt.Errorf("%w: %s", errResultMissing, id)
		}
	}
	return nil
}

// keep stores data of a tool. It copies the map, because running calls use the old one.
func (s *Session) keep(data map[string]json.RawMessage) {
	if len(data) == 0 {
		return
	}
	merged := make(map[string]json.RawMessage, len(s.Data)+len(data))
	maps.Copy(merged, s.Data)
	for name, value := range data {
		if merged[name] = value; len(value) == 0 || string(value) == "null" {
			delete(merged, name)
		}
	}
	s.Data = merged
}

// take records that an answer was taken.
func (s *Session) take(paused bool) {
	s.Answered++
	s.Asked, s.Paused = false, paused
}

// record adds a step.
func (s *Session) record(step Step) {
	s.Usage = s.Usage.Add(wire.WithTotal(step.Usage))
	s.Cost += step.Cost
	s.Steps = append(s.Steps, step)
	if extra := len(s.Steps) - maxSteps; extra > 0 {
		s.Steps = append(s.Steps[:0], s.Steps[extra:]...)
	}
}

// endTurn appends an answer and the results of its calls to the messages. Broken calls are
// in no message; the model reads as text what is wrong with them.
func (s *Session) endTurn(answer chat.Message, calls []*callState, structured bool) {
	var results []chat.Message
	var broken []string
	for _, c := range calls {
		if c.Result == nil {
			continue
		}
		if c.Invocation.Status != toolparse.Complete {
			if !isRepeat(c.Invocation) {
				broken = append(broken, c.Result.ForModel())
			}
			continue
		}
		m := c.Result.message(structured)
		m.Parts[0].Result.CallID = wireID(c.Invocation)
		results = append(results, m)
	}
	if len(answer.Parts) > 0 {
		s.Messages = append(s.Messages, answer)
	}
	s.Messages = append(s.Messages, results...)
	if len(broken) > 0 {
		s.Messages = append(s.Messages, toolparse.User(strings.Join(broken, "\n\n")))
	}
	s.Turn, s.Answer = nil, nil
}
