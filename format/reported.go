package format

import "github.com/toolparse/toolparse/toolcall"

// ReportedError is an error that the provider reported inside its stream.
type ReportedError struct {
	Code    string // or the error's type; "" where there is none
	Message string
}

// Error returns what the provider said.
func (e *ReportedError) Error() string {
	text := "the provider reported an error"
	if e.Code != "" {
		text += " (" + e.Code + ")"
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Reported returns the error that a delta reports, or nil where it is another.
func Reported(d toolcall.Delta) *ReportedError {
	if d.Kind != toolcall.DeltaError {
		return nil
	}
	return &ReportedError{Code: d.Name, Message: d.Text}
}
