package agent

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/toolparse/toolparse"
	"github.com/toolparse/toolparse/format/chat"
)

// EventType is the kind of an [Event].
type EventType string

// The types of event, with the fields that they set besides Turn.
const (
	TurnStart         EventType = "TURN_START"         // a request is sent to the model
	Segment           EventType = "SEGMENT"            // Segment: an event of the answer
	CallQueue         EventType = "CALL"               // Call: the model requested it
	PermissionRequest EventType = "PERMISSION_REQUEST" // Call, Decision: see Event.Answer
	CallStart         EventType = "CALL_START"         // Call, Decision: the tool starts
	CallProgress      EventType = "CALL_PROGRESS"      // Call, Text: the tool's progress
	CallResult        EventType = "RESULT"             // Call, Decision, Result
	TurnEnd           EventType = "TURN_END"           // Step; Err if the answer broke off
	Notice            EventType = "NOTICE"             // Text: for people
	RunEnd            EventType = "RUN_END"            // Reason, Text, Step, Err; Waiting, with RequiresAction
)

// Event is something that happened in a run. The session is up to date, and can be
// marshalled, whenever one is yielded.
type Event struct {
	Type EventType
	Turn int // from 1

	Segment  toolparse.StreamEvent
	Call     Call
	Decision Decision
	Result   *ToolResult
	Text     string // on RunEnd, the answer of the run
	Step     Step   // of the turn; on RunEnd, the sum
	Reason   EndReason
	Err      error  // why the run ended (EndError, Cancelled) or the answer broke off
	Waiting  []Call // calls that wait for permission or for the client's result

	executor *executor
}

// Answer answers a [PermissionRequest]. Call it before requesting the next event. Other
// calls continue while a request waits for its answer; when nothing else is left to do,
// the run ends with [RequiresAction].
func (e Event) Answer(answer Answer) error {
	if e.executor == nil {
		return errNotAsked
	}
	return e.executor.answer(e.Call.ID, answer)
}

// EndReason says why a run ended.
type EndReason string

// The reasons why a run ends.
const (
	FinalAnswer    EndReason = "final_answer"    // the model answered without calling a tool
	TerminalTool   EndReason = "terminal_tool"   // a terminal tool ran
	Limit          EndReason = "limit"           // the maximum number of turns
	RequiresAction EndReason = "requires_action" // calls wait for a person or for the client
	Denied         EndReason = "denied"          // a denial with Decision.Ends or DenyAndEnd
	Cancelled      EndReason = "cancelled"
	EndError       EndReason = "error"
)

// Step is the cost of a turn or of a run.
type Step struct {
	Turn   int    `json:"turn,omitempty"`
	Model  string `json:"model,omitempty"`
	Finish string `json:"finish,omitempty"` // why the answer ended
	Calls  int    `json:"calls"`
	// Retries is the number of repeated requests.
	Retries  int           `json:"retries,omitempty"`
	Usage    chat.Usage    `json:"usage"`
	Cost     float64       `json:"cost,omitempty"` // by [Config.Price]
	Duration time.Duration `json:"duration_ns"`
}

// Price is the price of a million tokens, in any currency.
type Price struct {
	Input, Output float64
	CachedInput   float64 // input read from the cache; 0 means Input
	CacheWrite    float64 // input written to the cache; 0 means Input
}

func (p Price) of(u chat.Usage) float64 {
	fresh := u.Input - u.CachedInput - u.CacheWrite
	sum := float64(fresh)*p.Input + float64(u.CachedInput)*cmp.Or(p.CachedInput, p.Input) +
		float64(u.CacheWrite)*cmp.Or(p.CacheWrite, p.Input) + float64(u.Output)*p.Output
	return sum / 1e6
}

// MarshalJSON renders the event on one line: {"type":"RESULT","turn":1,...}. Events of
// the answer are toolcall events, as "toolparse parse -o events" prints them.
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
