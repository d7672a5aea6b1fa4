package fuzz

import (
	"fmt"
	"strings"
	"testing"
)

// jsonPrefix accepts the text of one JSON object piece by piece: after every
// piece, what came so far is a prefix of some object. It is written from the
// grammar of RFC 8259 alone, to judge what the parser streams.
type jsonPrefix struct {
	state jsonState
	stack []byte // '{' and '[' that are open
	left  int    // hexadecimal digits that an escape lacks
	rest  string // of a literal
	at    int
}

type jsonState int

const (
	jsonStart jsonState = iota // the object itself
	jsonValue
	jsonFirstElement // a value or ]
	jsonFirstKey     // a key or }
	jsonKey
	jsonColon
	jsonAfter // , or a closer
	jsonString
	jsonKeyString
	jsonEscape
	jsonKeyEscape
	jsonHex
	jsonKeyHex
	jsonLiteral
	jsonMinus
	jsonZero
	jsonInt
	jsonPoint
	jsonFrac
	jsonExp
	jsonExpSign
	jsonExpDigits
	jsonDone
)

// write takes the next piece. After an error the checker is of no more use.
func (j *jsonPrefix) write(s string) error {
	for i := range len(s) {
		if !j.step(s[i]) {
			return fmt.Errorf("byte %d, %q, may not stand there", j.at, s[i])
		}
		j.at++
	}
	return nil
}

// done reports whether the object is whole.
func (j *jsonPrefix) done() bool { return j.state == jsonDone }

func (j *jsonPrefix) step(c byte) bool {
	blank := c == ' ' || c == '\t' || c == '\n' || c == '\r'
	digit := '0' <= c && c <= '9'
	switch j.state {
	case jsonStart:
		return blank || c == '{' && j.push(c)
	case jsonValue:
		return blank || j.value(c)
	case jsonFirstElement:
		return blank || c == ']' && j.pop('[') || j.value(c)
	case jsonFirstKey:
		return blank || c == '}' && j.pop('{') || c == '"' && j.to(jsonKeyString)
	case jsonKey:
		return blank || c == '"' && j.to(jsonKeyString)
	case jsonColon:
		return blank || c == ':' && j.to(jsonValue)
	case jsonAfter:
		return blank || j.after(c)
	case jsonString, jsonKeyString:
		switch {
		case c == '"':
			return j.to(map[jsonState]jsonState{jsonString: jsonAfter, jsonKeyString: jsonColon}[j.state])
		case c == '\\':
			return j.to(j.state + jsonEscape - jsonString)
		}
		return c >= 0x20
	case jsonEscape, jsonKeyEscape:
		if c == 'u' {
			j.left = 4
			return j.to(j.state + jsonHex - jsonEscape)
		}
		return strings.IndexByte(`"\/bfnrt`, c) >= 0 && j.to(j.state-jsonEscape+jsonString)
	case jsonHex, jsonKeyHex:
		if j.left--; j.left == 0 {
			defer j.to(j.state - jsonHex + jsonString)
		}
		return digit || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
	case jsonLiteral:
		ok := j.rest[0] == c
		if j.rest = j.rest[1:]; j.rest == "" {
			j.to(jsonAfter)
		}
		return ok
	case jsonMinus:
		return c == '0' && j.to(jsonZero) || digit && j.to(jsonInt)
	case jsonZero, jsonInt:
		return digit && j.state == jsonInt || c == '.' && j.to(jsonPoint) || (c == 'e' || c == 'E') && j.to(jsonExp) || j.endNumber(c)
	case jsonPoint:
		return digit && j.to(jsonFrac)
	case jsonFrac:
		return digit || (c == 'e' || c == 'E') && j.to(jsonExp) || j.endNumber(c)
	case jsonExp:
		return digit && j.to(jsonExpDigits) || (c == '+' || c == '-') && j.to(jsonExpSign)
	case jsonExpSign:
		return digit && j.to(jsonExpDigits)
	case jsonExpDigits:
		return digit || j.endNumber(c)
	}
	return blank // done
}

func (j *jsonPrefix) to(s jsonState) bool { j.state = s; return true }

func (j *jsonPrefix) push(c byte) bool {
	j.stack = append(j.stack, c)
	return j.to(map[byte]jsonState{'{': jsonFirstKey, '[': jsonFirstElement}[c])
}

func (j *jsonPrefix) pop(open byte) bool {
	if j.stack[len(j.stack)-1] != open {
		return false
	}
	if j.stack = j.stack[:len(j.stack)-1]; len(j.stack) == 0 {
		return j.to(jsonDone)
	}
	return j.to(jsonAfter)
}

func (j *jsonPrefix) value(c byte) bool {
	switch c {
	case '{', '[':
		return j.push(c)
	case '"':
		return j.to(jsonString)
	case '-':
		return j.to(jsonMinus)
	case '0':
		return j.to(jsonZero)
	}
	for _, l := range []string{"true", "false", "null"} {
		if c == l[0] {
			j.rest = l[1:]
			return j.to(jsonLiteral)
		}
	}
	return '1' <= c && c <= '9' && j.to(jsonInt)
}

func (j *jsonPrefix) after(c byte) bool {
	switch c {
	case ',':
		if j.stack[len(j.stack)-1] == '{' {
			return j.to(jsonKey)
		}
		return j.to(jsonValue)
	case '}':
		return j.pop('{')
	case ']':
		return j.pop('[')
	}
	return false
}

func (j *jsonPrefix) endNumber(c byte) bool {
	j.to(jsonAfter)
	return j.step(c)
}

func TestJSONPrefix(t *testing.T) {
	for _, tt := range []struct {
		text string
		ok   bool // as a prefix
		done bool
	}{
		{"", true, false},
		{`{}`, true, true},
		{` {"a" : [1, -0.5e+3, "x\u00e9\n", {"b":null}, true, []] } `, true, true},
		{`{"a":tr`, true, false},
		{`{"a":1e`, true, false},
		{`{"a":"\u12`, true, false},
		{`[]`, false, false},
		{`"a"`, false, false},
		{`{"a":01}`, false, false},
		{`{"a":1.}`, false, false},
		{`{"a":1,}`, false, false},
		{`{"a":[1,]}`, false, false},
		{`{"a":[1}`, false, false},
		{`{'a':1}`, false, false},
		{`{"a":"` + "\n", false, false},
		{`{"a":"\x`, false, false},
		{`{"a":True`, false, false},
		{`{}{`, false, false},
		{`{"a" 1`, false, false},
	} {
		t.Run(tt.text, func(t *testing.T) {
			var j jsonPrefix
			err := j.write(tt.text)
			if (err == nil) != tt.ok || err == nil && j.done() != tt.done {
				t.Errorf("err %v, done %v; want ok %v, done %v", err, j.done(), tt.ok, tt.done)
			}
		})
	}
}
