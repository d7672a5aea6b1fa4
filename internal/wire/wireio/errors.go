package wireio

import (
	"slices"
	"strconv"
)

// ErrorKind is a kind of error, with each vendor's words for it, the most common one
// first.
type ErrorKind struct {
	Status    int // HTTP status
	OpenAI    string
	Anthropic []string
	Gemini    []string
	also      []string // words of other vendors, and OpenAI's codes
}

// errorKinds are all kinds. The table is read-only.
var errorKinds = [...]ErrorKind{
	{400, typeRequest, []string{typeRequest}, []string{"INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE"}, []string{"context_length_exceeded", "invalid_prompt", "bad_request"}},
	{401, "authentication_error", []string{"authentication_error"}, []string{"UNAUTHENTICATED"}, []string{"invalid_api_key"}},
	{402, typeRequest, []string{"billing_error"}, []string{"FAILED_PRECONDITION"}, nil},
	{403, "permission_error", []string{"permission_error"}, []string{"PERMISSION_DENIED"}, nil},
	{404, typeRequest, []string{"not_found_error"}, []string{"NOT_FOUND"}, []string{"model_not_found"}},
	{409, typeRequest, []string{typeRequest}, []string{"ALREADY_EXISTS", "ABORTED"}, nil},
	{413, typeRequest, []string{"request_too_large"}, []string{"INVALID_ARGUMENT"}, nil},
	{429, "rate_limit_error", []string{"rate_limit_error"}, []string{"RESOURCE_EXHAUSTED"}, []string{"rate_limit_exceeded", "insufficient_quota"}},
	{499, typeRequest, []string{typeRequest}, []string{"CANCELLED"}, nil},
	{500, typeServer, []string{"api_error"}, []string{"INTERNAL", "UNKNOWN", "DATA_LOSS"}, []string{typeServer, StreamError}},
	{501, typeServer, []string{"api_error"}, []string{"UNIMPLEMENTED"}, nil},
	{503, typeServer, []string{overloaded}, []string{"UNAVAILABLE"}, []string{"server_is_overloaded", "slow_down", "overloaded", "service_unavailable"}},
	{504, typeServer, []string{"timeout_error"}, []string{"DEADLINE_EXCEEDED"}, nil},
	{502, typeServer, []string{"api_error"}, []string{"UNAVAILABLE"}, nil},
	{529, typeServer, []string{overloaded}, []string{"UNAVAILABLE"}, nil},
}

// StreamError is the code of an error that no provider has reported: the stream broke
// off.
const StreamError = "stream_error"

const (
	typeRequest = "invalid_request_error"
	typeServer  = "server_error"
	overloaded  = "overloaded_error"
)

// ErrorOf returns the kind of an error by its code, which may be any vendor's word or a
// status, or else by its HTTP status, which may be 0.
func ErrorOf(status int, code string) ErrorKind {
	if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 {
		status, code = n, ""
	}
	if code != "" {
		// If a word stands for several statuses, the given status decides, or else the
		// first one.
		named := func(k ErrorKind) bool {
			return k.OpenAI == code && k.OpenAI != typeRequest && k.OpenAI != typeServer ||
				slices.Contains(k.Anthropic, code) || slices.Contains(k.Gemini, code) || slices.Contains(k.also, code)
		}
		if i := slices.IndexFunc(errorKinds[:], func(k ErrorKind) bool { return k.Status == status && named(k) }); i >= 0 {
			return errorKinds[i]
		}
		if i := slices.IndexFunc(errorKinds[:], named); i >= 0 {
			return errorKinds[i]
		}
	}
	other := 500
	if status >= 400 && status < 500 {
		other = 400
	}
	at := slices.IndexFunc(errorKinds[:], func(k ErrorKind) bool { return k.Status == status })
	if at < 0 {
		at = slices.IndexFunc(errorKinds[:], func(k ErrorKind) bool { return k.Status == other })
	}
	return errorKinds[at]
}

// ErrorWord returns the code if it is one of a vendor's words, or else the most common
// word.
func ErrorWord(words []string, code string) string {
	if slices.Contains(words, code) {
		return code
	}
	return words[0]
}
