// Package custom is about calls of custom tools, whose input is free text. As
// arguments they have {"input":"..."}, on every wire.
package custom

import (
	"strings"

	"github.com/toolparse/toolparse/format/internal/strictjson"
)

// Opener and Closer are what stands around the input in such arguments. Between
// them it stands as in any JSON string: that of the wire, escapes and all.
const (
	Opener = `{"input":"`
	Closer = `"}`
)

// Input takes the input out of arguments that come in pieces. Its zero value is
// ready for one call.
type Input struct {
	seen int    // bytes of Opener
	held string // an escape that may not be whole
	over bool   // the input has ended
	bad  bool
}

// Next reads on. It returns what the piece adds to the input, still as it stands
// in a JSON string: no escape and no pair of surrogates is split, so that the
// text can stand in a string of its own. ok is false where the arguments have
// another form, from there on.
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

// begins reads a byte before the input. Arguments without any are none.
func (in *Input) begins(c byte) {
	token := in.seen < 2 || in.seen > len(`{"input`) // blanks may stand before it
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
	if in.held != "" {
		piece, in.held = in.held+piece, ""
	}
	end := 0
	for end < len(piece) && piece[end] != '"' {
		if piece[end] != '\\' {
			end++
			continue
		}
		n := escape(piece[end:])
		if n == 0 {
			in.held = piece[end:]
			return piece[:end], true
		}
		end += n
	}
	if end == len(piece) {
		return piece, true
	}
	in.over = true
	return piece[:end], in.ends(piece[end+1:])
}

// escape returns the length of the escape that s begins with, both of a pair of
// surrogates, or 0 where more of it may come.
func escape(s string) int {
	const unit = len(`\u0000`)
	switch {
	case len(s) < 2:
		return 0
	case s[1] != 'u':
		return 2
	case len(s) < unit:
		return 0
	case s[2]|0x20 != 'd' || strings.IndexByte("89abAB", s[3]) < 0:
		return unit
	}
	second := s[unit:] // of a pair
	switch {
	case second == "", second == `\`, len(second) < unit && strings.HasPrefix(second, `\u`):
		return 0
	case strings.HasPrefix(second, `\u`):
		return 2 * unit
	}
	return unit
}
