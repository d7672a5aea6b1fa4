// Package customtool handles calls of custom tools, whose input is free text. On every
// wire, their arguments are {"input":"..."}.
package customtool

import (
	"errors"
	"strings"

	"github.com/toolparse/toolparse/format/chat"
	"github.com/toolparse/toolparse/internal/strictjson"
	"github.com/toolparse/toolparse/internal/wire/rawjson"
)

// Opener and Closer surround the input in these arguments. The text between them is
// escaped as on the wire, as in any JSON string.
const (
	Opener = `{"input":"`
	Closer = `"}`
)

// Arguments returns the arguments for an input, which is a text or absent.
func Arguments(input rawjson.Value) string { return Opener + string(input.Raw) + Closer }

// Text returns the input of a call that is read: a text, or absent. With another type, all
// of the call is of a wrong type, because without its input it must not run.
func Text(r *rawjson.Reader, call, input rawjson.Value, path ...string) rawjson.Value {
	text := r.String(input, path...)
	if input.IsSet() && !text.IsSet() {
		r.FailType(call, errInput, path...)
	}
	return text
}

var errInput = errors.New("its input is not a text")

// InputOf returns the input of a call, as JSON. ok is false for calls of other tools, and if
// the arguments have another form.
func InputOf(call *chat.Call) (input []byte, ok bool) {
	if !call.Custom {
		return nil, false
	}
	v, err := rawjson.Parse(call.Arguments)
	if err != nil {
		return nil, false
	}
	v = v.Get("input")
	return v.JSON(), v.Kind == rawjson.String
}

// Input extracts the input from arguments that come in pieces. Its zero value is ready
// for one call.
type Input struct {
	seen    int    // bytes of Opener that have come
	partial string // a possibly incomplete escape
	over    bool   // the input has ended
	bad     bool
}

// Next reads a piece of the arguments, and returns what it adds to the input, still
// escaped for a JSON string. It splits no escapes or surrogate pairs, so that each result
// can be a string of its own. ok is false if the arguments have another form, and stays
// so.
func (in *Input) Next(piece string) (text string, ok bool) {
	if in.bad {
		return "", false
	}
	for in.seen < len(Opener) && !in.over {
		if piece == "" {
			return "", true
		}
		if in.begins(piece[0]); in.bad {
			return "", false
		}
		piece = piece[1:]
	}
	if in.over {
		return "", in.ends(piece)
	}
	return in.value(piece)
}

// begins reads a byte before the input. {} has no input.
func (in *Input) begins(c byte) {
	token := in.seen < 2 || in.seen > len(`{"input`) // blanks are allowed before it
	switch {
	case c == Opener[in.seen]:
		in.seen++
	case token && strictjson.IsBlank(c):
	case c == '}' && in.seen == 1:
		in.over = true
	default:
		in.bad = true
	}
}

// ends reads what follows the input.
func (in *Input) ends(piece string) bool {
	for i := range len(piece) {
		if c := piece[i]; c != '}' && !strictjson.IsBlank(c) {
			in.bad = true
		}
	}
	return !in.bad
}

// value reads the input itself.
func (in *Input) value(piece string) (text string, ok bool) {
	if in.partial != "" {
		piece, in.partial = in.partial+piece, ""
	}
	end := 0
	for end < len(piece) && piece[end] != '"' {
		n := 1
		if piece[end] == '\\' {
			n = escape(piece[end:])
		}
		switch {
		case n == 0:
			in.partial = piece[end:]
			return piece[:end], true
		case n < 0 || piece[end] < ' ':
			in.bad = true
			return piece[:end], false
		}
		end += n
	}
	if end == len(piece) {
		return piece, true
	}
	in.over = true
	return piece[:end], in.ends(piece[end+1:])
}

const unit = len(`\u0000`)

// escape returns the length of the escape, or the surrogate pair, at the beginning of s;
// 0 if more of it may follow; or a negative number if there is none.
func escape(s string) int {
	switch {
	case len(s) < 2:
		return 0
	case s[1] == 'u':
	case strings.IndexByte(`"\/bfnrt`, s[1]) < 0:
		return -1
	default:
		return 2
	}
	n := codeUnit(s)
	if n < unit || !isSurrogate(s, "89abAB") {
		return n
	}
	switch second := s[unit:]; {
	case second == "", second == `\`:
		return 0
	case !strings.HasPrefix(second, `\u`):
	case codeUnit(second) == 0:
		return 0
	case codeUnit(second) == unit && isSurrogate(second, "cdefCDEF"):
		return 2 * unit
	}
	return unit
}

// codeUnit returns the length of the \uXXXX at the beginning of s, like escape.
func codeUnit(s string) int {
	for i := len(`\u`); i < unit; i++ {
		switch {
		case i == len(s):
			return 0
		case strings.IndexByte("0123456789abcdefABCDEF", s[i]) < 0:
			return -1
		}
	}
	return unit
}

// isSurrogate reports whether \uXXXX is half of a surrogate pair. digits are the second
// digits of the wanted half.
func isSurrogate(s, digits string) bool {
	return s[2]|0x20 == 'd' && strings.IndexByte(digits, s[3]) >= 0
}
