package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"time"
)

// auditLine is what WriteAudit writes about a call besides the call itself.
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

// WriteAudit writes one line of JSON, in one Write, if the event is the result of a call,
// whether the call ran, failed or was refused: the call, the decision with its reason, and
// the result. Of the output it writes only a digest. It ignores other events.
//
//	for event, err := range a.Run(ctx, session, input) {
//		err := agent.WriteAudit(file, event)
//		...
//	}
func WriteAudit(w io.Writer, e Event) error {
	if e.Type != CallResult {
		return nil
	}
	digest := sha256.Sum256([]byte(e.Result.Output))
	line := auditLine{
		Timestamp: e.Result.At.UTC(), Turn: e.Turn, Risk: e.Call.info.Risk, Ran: e.Result.Ran,
		Success: e.Result.Err == nil, Error: e.Result.Err, ExitCode: e.Result.ExitCode, Duration: e.Result.Duration.Milliseconds(),
		OutputBytes: len(e.Result.Output), OutputSHA256: hex.EncodeToString(digest[:]), StateChanges: e.Result.Changes,
	}
	if line.StateChanges == nil {
		line.StateChanges = []StateChange{}
	}
	if e.Decision != (Decision{}) {
		line.Decision = &e.Decision
	}
	text, err := json.Marshal(e.Call)
	if err != nil {
		return err
	}
	rest, err := json.Marshal(line)
	if err != nil {
		return err
	}
	text = append(append(text[:len(text)-1], ','), rest[1:]...) // join the two objects
	_, err = w.Write(append(text, '\n'))
	return err
}
