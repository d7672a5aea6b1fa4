package agent

import (
	"cmp"
	"encoding/json"
	"errors"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
)

// EventType says what an [Event] tells.
type EventType string

// The types of event, and the fields that are set beside Turn.
const (
	TurnStart         EventType = "TURN_START"         // a request goes to the model
	Segment           EventType = "SEGMENT"            // Segment: an event of the answer
	CallQueue         EventType = "CALL"               // Call: the model asked for it
	PermissionRequest EventType = "PERMISSION_REQUEST" // Call, Decision: see Event.Answer
	CallStart         EventType = "CALL_START"         // Call, Decision: the tool starts
	CallProgress      EventType = "CALL_PROGRESS"      // Call, Text: how far the tool has come
	CallResult        EventType = "RESULT"             // Call, Decision, Result
	TurnEnd           EventType = "TURN_END"           // Step; Err where the answer broke off
	Notice            EventType = "NOTICE"             // Text: for people
	RunEnd            EventType = "RUN_END"            // Reason, Text, Step, Err; Waiting with RequiresAction
)

// Event is one thing that happens in a run. The session says the same, and may be
// marshalled, whenever one comes.
type Event struct {
	Type EventType
	Turn int // from 1

	Segment  toolparse.StreamEvent
	Call     Call
	Decision Decision
	Result   *ToolResult
	Text     string // on RunEnd the answer of the run
	Step     Step   // of a turn; on RunEnd the sum of all
	Reason   EndReason
	Err      error  // why the run ended, where Reason is EndError or Cancelled; why an answer broke off
	Waiting  []Call // what the run waits for: permissions and results of the client

	executor *Executor
}

// Answer answers a [PermissionRequest], before the next event is asked for. A request that
// nobody answers waits, while other calls go on; when nothing else is left to do, the run
// ends with [RequiresAction].
func (e Event) Answer(answer Answer) error {
	if e.executor == nil {
		return ErrNotAsked
	}
	return e.executor.Answer(e.Call.ID, answer)
}

// EndReason is why a run ended.
type EndReason string

// The reasons.
const (
	FinalAnswer    EndReason = "final_answer"    // the model answered without a call
	TerminalTool   EndReason = "terminal_tool"   // a terminal tool ran
	Limit          EndReason = "limit"           // of turns
	RequiresAction EndReason = "requires_action" // calls wait for a person or for the client
	Denied         EndReason = "denied"          // a denial was to end the run
	Cancelled      EndReason = "cancelled"
	EndError       EndReason = "error"
)

// Step is what a turn, or a run, has cost.
type Step struct {
	Turn   int    `json:"turn,omitempty"`
	Model  string `json:"model,omitempty"`
	Finish string `json:"finish,omitempty"` // why the answer ended
	Calls  int    `json:"calls"`
	// Retries are the requests that were sent again, since nothing of their answer had come.
	Retries  int           `json:"retries,omitempty"`
	Usage    chat.Usage    `json:"usage"`
	Cost     float64       `json:"cost,omitempty"` // by [Config.Price]
	Duration time.Duration `json:"duration_ns"`
}

// Price is what a million tokens cost, in any currency.
type Price struct {
	Input, Output float64
	CachedInput   float64 // of the input, what was read from the cache; as Input where it is 0
	CacheWrite    float64 // and what was written to it; as Input where it is 0
}

func (p Price) of(u chat.Usage) float64 {
	fresh := u.Input - u.CachedInput - u.CacheWrite
	sum := float64(fresh)*p.Input + float64(u.CachedInput)*cmp.Or(p.CachedInput, p.Input) +
		float64(u.CacheWrite)*cmp.Or(p.CacheWrite, p.Input) + float64(u.Output)*p.Output
	return sum / 1e6
}

// MarshalJSON renders the event as one line: {"type":"RESULT","turn":1,...}. Those of the
// answer are toolcall events, as "toolparse parse -o events" prints them.
func (e Event) MarshalJSON() ([]byte, error) {
	type line struct {
		Type     EventType   `json:"type"`
		Turn     int         `json:"turn,omitempty"`
		Call     *Call       `json:"call,omitempty"`
		Decision *Decision   `json:"decision,omitempty"`
		Result   *ToolResult `json:"result,omitempty"`
		Reason   EndReason   `json:"reason,omitempty"`
		Text     *string     `json:"text,omitempty"`
		Step     *Step       `json:"step,omitempty"`
		Error    string      `json:"error,omitempty"`
		Waiting  []Call      `json:"waiting,omitempty"`
	}
	out := line{Type: e.Type, Turn: e.Turn, Result: e.Result, Reason: e.Reason, Waiting: e.Waiting}
	switch e.Type {
	case Segment:
		return json.Marshal(e.Segment.Event)
	case CallQueue, CallProgress:
		out.Call = &e.Call
	case PermissionRequest, CallStart:
		out.Call, out.Decision = &e.Call, &e.Decision
	case CallResult:
		if e.Decision.Reason != "" {
			out.Decision = &e.Decision
		}
	case TurnEnd:
		out.Step = &e.Step
	case RunEnd:
		out.Step, out.Text = &e.Step, &e.Text
	}
	if e.Type == Notice || e.Type == CallProgress {
		out.Text = &e.Text
	}
	if e.Err != nil {
		out.Error = e.Err.Error()
	}
	return json.Marshal(out)
}

var errNothingToDo = errors.New("agent: the session has no question and no open call; give Input.Text")
