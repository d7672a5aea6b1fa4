package jsonstream

import (
	"github.com/toolparse/toolparse/internal/jsonvalue"
	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/internal/strictjson"
)

// plain reads the tokens from in[i] on that lie in the input completely and are valid JSON,
// so that they need no state of their own, and returns the offset after the last of them. It
// stops before a token that may need a repair, and before the end of the value: the state
// machine reads those.
func (s *Scanner) plain(in string, i int) int {
	if s.comma.Len() > 0 || len(s.stack) == 0 {
		return i
	}
	start := i
tokens:
	for {
		at := lex.SkipBlanks(in, i)
		if at == len(in) {
			i = at
			break
		}
		c, next := in[at], at+1
		switch s.expect {
		case expectFirstKey, expectKey:
			if c == '}' && s.expect == expectFirstKey && s.pop('{') {
				break
			}
			if c != '"' {
				break tokens
			}
			if next = strictjson.StringEnd(in, next) + 1; next == 0 || next-at > maxKey || s.hasCloser(in, at, next) {
				break tokens
			}
			s.expect, s.members = expectColon, true
		case expectColon:
			if c != ':' {
				break tokens
			}
			s.expect = expectValue
		case expectComma:
			if c != ',' {
				if c == '}' && s.pop('{') || c == ']' && s.pop('[') {
					break
				}
				break tokens
			}
			next = lex.SkipBlanks(in, next)
			switch { // a comma before anything else is held
			case next == len(in):
				break tokens
			case s.top() == '{' && in[next] == '"':
				s.expect = expectKey
			case s.top() == '[' && (in[next] == '"' || in[next] == '{' || in[next] == '[' || isWord(in[next])):
				s.expect = expectItem
			default:
				break tokens
			}
		default:
			switch {
			case c == '{' || c == '[':
				if s.MaxDepth > 0 && len(s.stack) >= s.MaxDepth {
					break tokens
				}
				s.stack = append(s.stack, c)
				if s.expect = expectFirstKey; c == '[' {
					s.expect = expectFirstItem
				}
			case c == ']' && s.expect == expectFirstItem && s.pop('['):
			default:
				if c == '"' {
					next = strictjson.StringEnd(in, next) + 1
				} else {
					next = wordEnd(in, at)
				}
				if next == 0 || c == '"' && (s.Loose || s.Stops) && !closes(in, next) {
					break tokens
				}
				s.expect = expectComma
			}
		}
		i = next
	}
	if s.Out != nil && start < i {
		s.Out.Pass(in, start, i)
	}
	return i
}

// pop closes the innermost container if bracket opened it. It leaves the outermost one open.
func (s *Scanner) pop(bracket byte) bool {
	if len(s.stack) == 1 || s.top() != bracket {
		return false
	}
	s.stack = s.stack[:len(s.stack)-1]
	s.expect = expectComma
	return true
}

// wordEnd returns the offset after the number or literal at in[i], or 0 if there is none or
// it may go on in the next input.
func wordEnd(in string, i int) int {
	end := i
	for end < len(in) && isWord(in[end]) {
		end++
	}
	switch word := in[i:end]; {
	case end == len(in) || len(word) > maxScalar:
	case word == "true", word == "false", word == "null", jsonvalue.IsNumber(word):
		return end
	}
	return 0
}
