package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"time"
)

// Audit writes one line of JSON for each call of a run, whether it ran, failed or was
// refused: the call, the decision with its reason, and the result. Of the output it
// writes only a digest.
//
//	for event, err := range a.Run(ctx, session, input) {
//		err := audit.Add(event)
//		...
//	}
type Audit struct {
	to io.Writer
	// Redact may remove secrets from the arguments before they are written. It may be
	// nil.
	Redact func(tool string, arguments json.RawMessage) json.RawMessage
}

// NewAudit returns an audit that writes to w, with one Write for each line.
func NewAudit(w io.Writer) *Audit { return &Audit{to: w} }

// auditLine is what Audit writes about a call besides the call itself.
type auditLine struct {
	Timestamp    time.Time     `json:"timestamp"` // when the call ended
	Turn         int           `json:"turn"`
	Risk         Risk          `json:"risk"`
	Decision     *Decision     `json:"decision,omitempty"`
	Ran          bool          `json:"ran"`
	Success      bool          `json:"success"`
	Error        *Error        `json:"error"`
	ExitCode     *int          `json:"exit_code"`
	Duration     int64         `json:"execution_time_ms"`
	OutputBytes  int           `json:"output_bytes"`
	OutputSHA256 string        `json:"output_sha256"`
	StateChanges []StateChange `json:"state_changes"`
}

// Add writes a line if the event is the result of a call, and ignores other events.
func (a *Audit) Add(e Event) error {
	if e.Type != CallResult {
		return nil
	}
	digest := sha256.Sum256([]byte(e.Result.Output))
	line := auditLine{
		Timestamp: e.Result.At.UTC(), Turn: e.Turn, Risk: e.Call.info.Risk, Ran: e.Result.Ran,
		Success: e.Result.Success(), Error: e.Result.Err, ExitCode: e.Result.ExitCode, Duration: e.Result.Duration.Milliseconds(),
		OutputBytes: len(e.Result.Output), OutputSHA256: hex.EncodeToString(digest[:]), StateChanges: e.Result.Changes,
	}
	if line.StateChanges == nil {
		line.StateChanges = []StateChange{}
	}
	if e.Decision != (Decision{}) {
		line.Decision = &e.Decision
	}
	call := e.Call
	if a.Redact != nil {
		call.Arguments = a.Redact(call.Name, call.Arguments)
	}
	text, err := json.Marshal(call)
	if err != nil {
		return err
	}
	rest, err := json.Marshal(line)
	if err != nil {
		return err
	}
	text = append(append(text[:len(text)-1], ','), rest[1:]...) // join the two objects
	_, err = a.to.Write(append(text, '\n'))
	return err
}
