package wire

import (
	"cmp"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/toolcall"
)

// Response is a complete answer.
type Response struct {
	chat.Meta
	Choices []Choice // by index; most answers have one
	Error   *Error   // instead of choices, or after some

	// Faults lists members and elements that the decoder left out because of their type.
	Faults []chat.Loss

	Extras chat.Extras
}

// Choice is one of several alternative answers.
type Choice struct {
	Message chat.Message
	Finish  chat.Finish

	Extras chat.Extras
}

// WithTotal returns a usage with the total, if that is missing.
func WithTotal(u chat.Usage) chat.Usage {
	u.Total = cmp.Or(u.Total, u.Input+u.Output)
	return u
}

// Error is an error that a provider reported in its answer.
type Error struct {
	Code    string // or the type of the error; may be ""
	Message string
}

// Error returns the provider's code and message.
func (e *Error) Error() string {
	text := "the provider reported an error"
	if e.Code != "" {
		text += " (" + e.Code + ")"
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Reported returns the error that a delta reports, or nil if it reports none.
func Reported(d toolcall.Delta) *Error {
	if d.Kind != toolcall.DeltaError {
		return nil
	}
	return &Error{Code: d.Name, Message: d.Text}
}
