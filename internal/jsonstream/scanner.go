package jsonstream

import (
	"bytes"
	"errors"

	"github.com/toolparse/toolparse/internal/lex"
	"github.com/toolparse/toolparse/toolcall"
)

// Kind is the kind of a token.
type Kind uint8

// The tokens.
const (
	More        Kind = iota // the input is used up
	ObjectStart             // {
	ObjectEnd               // }
	ArrayStart              // [
	ArrayEnd                // ]
	Key                     // a member's name; see Text
	Colon                   // the colon after it
	StringStart             // the opening quote of a string that is not a key
	StringPart              // decoded content of a string; see Part
	StringEnd               // its closing quote
	Scalar                  // a number, true, false or null; Text has it as JSON (a repaired one may be a string)
	Invalid                 // not JSON; see Err
)

// The reasons why a value is invalid.
var (
	ErrSyntax       = errors.New("invalid JSON")
	ErrDepth        = errors.New("JSON is nested too deep")
	ErrLong         = errors.New("a JSON number or key is too long")
	ErrCloser       = errors.New("a closing marker cuts off the JSON")
	ErrInString     = errors.New("a closing marker is in a string, which may lack its closing quote")
	ErrMissingQuote = errors.New("a string lacks its closing quote, and goes on in the next object")
)

const (
	maxKey     = 4 << 10  // bytes of a key
	maxScalar  = 64 << 10 // bytes of a number
	maxBareKey = 256      // bytes of a key without quotes
	maxLiteral = 16       // bytes of any other word: no literal is longer
)

// expect says what may come next, outside of strings and words.
type expect uint8

const (
	expectValue    expect = iota
	expectFirstKey        // after {
	expectKey             // after a comma in an object
	expectColon
	expectFirstItem // after [
	expectItem      // after a comma in an array
	expectComma     // after a value
	expectNothing   // the value is complete
)

// lexeme is the token that the input so far ends inside of.
type lexeme uint8

const (
	between lexeme = iota // between two tokens
	inString
	inEscape
	inWord     // a number, a literal, or an unquoted key
	inSlash    // after the slash that begins a comment
	inLine     // in a line comment
	inBlock    // in a block comment
	inStar     // in a block comment, after a star
	afterQuote // after a quote that may close a string
	inMarker   // in what may be the closer
)

// Scanner reads one JSON value. The zero value is ready to use and has no depth limit;
// Reset prepares it for another value.
//
// The state is a pushdown automaton on two levels. Outside of tokens (lex == between),
// expect and stack say what may come next; inside a token, lex says which one. Every byte
// of the input is passed to Out at once, repaired if necessary, or dropped (comments), or
// held until its meaning is known, in exactly one of these places:
//
//	comma   a comma and the blanks after it: a closing bracket makes it a trailing comma
//	escape  a split escape
//	hold    the blanks after a quote that may not close its string (the quote itself is implied
//	        by the state afterQuote)
//	text    a number, a literal or an unquoted key, until it is complete
//	marker  bytes that match a prefix of Closer (only their number is stored)
//
// A repair happens where the bytes are released, never later. Therefore Out only grows, and
// what it has at any moment is a prefix of the repaired value.
type Scanner struct {
	// Out receives the repaired value, as far as it is certain. It may be nil.
	Out *Out
	// MaxDepth limits the nesting; 0 means no limit.
	MaxDepth int
	// Quiet suppresses StringPart tokens, for a caller that only uses Out.
	Quiet bool
	// Silent suppresses all tokens but the last one of the value, for a caller that only
	// uses Out.
	Silent bool
	// Loose repairs unescaped double quotes inside the strings of objects and arrays: a
	// double quote closes a string only if, after blanks, a comma, a closing bracket or
	// another quote follows.
	Loose bool
	// Closer is a marker that ends the text around the value. It has no quotes, backslashes
	// or control characters, and may be empty. The value is invalid, with ErrCloser, if the
	// marker follows a quote, or occurs in a string that Loose has repaired or in a line
	// comment.
	Closer string
	// Stops makes Next return ErrInString at a Closer in a string or a key. The caller looks at
	// what follows it, and may continue by KeepCloser.
	Stops bool
	// Keys are the names with which a following object may begin. With Loose, a string in
	// which such an object begins lacks its closing quote: the value is invalid, with
	// ErrMissingQuote.
	Keys []string
	// Tolerances records the repairs so far.
	Tolerances toolcall.Tolerances
	// Err is the reason why the value is invalid.
	Err error
	// Part is the decoded content of a StringPart.
	Part string

	stack []byte // '{' or '[' for every open container
	text  []byte // the key or scalar that is being read
	comma Out    // a comma and the blanks after it, until a value follows
	hold  []byte // blanks after a quote
	next  []byte // the key that follows the gap

	escape lex.Escape // in a string
	place
}

// place is where in the value a Scanner is.
type place struct {
	members bool // a member's name has been read
	expect  expect
	lex     lexeme
	quote   byte   // closes the current string
	key     bool   // the current string is a member's name
	doubt   bool   // Loose has repaired the current string
	twice   bool   // afterQuote: a second quote follows directly
	again   bool   // the quote that was just read opens a string
	gap     gap    // in a string: how much of the text between two objects it ends with
	inside  lexeme // inMarker: the token that contains the marker
	marker  int    // bytes of Closer that have matched
	past    int    // bytes of a block comment from the closer in it on; 0: it has none
}

// Reset prepares the scanner for another value. It keeps the settings and the memory.
func (s *Scanner) Reset() {
	s.Tolerances, s.Err, s.Part, s.place = 0, nil, "", place{}
	s.stack, s.text, s.hold, s.next = s.stack[:0], s.text[:0], s.hold[:0], s.next[:0]
	s.comma.Reset()
}

// Text returns the text of the Key or Scalar just read. It is valid until the next call.
func (s *Scanner) Text() []byte { return s.text }

// Skip tells the scanner, after a Colon, that the caller has read the value itself.
func (s *Scanner) Skip() { s.endValue() }

// AwaitsColon reports whether a member's name was the last token.
func (s *Scanner) AwaitsColon() bool { return s.expect == expectColon }

// ResumeAt continues after an error: depth containers remain open, and the value that broke
// inside the innermost of them counts as read. The caller has found its end.
func (s *Scanner) ResumeAt(depth int) {
	s.stack, s.hold, s.text = s.stack[:depth], s.hold[:0], s.text[:0]
	s.comma.Reset()
	s.lex, s.Err, s.again, s.marker, s.past = between, nil, false, 0, 0
	s.endValue()
}

// Depth returns the number of open containers.
func (s *Scanner) Depth() int { return len(s.stack) }

// Objects returns the number of open objects.
func (s *Scanner) Objects() int { return bytes.Count(s.stack, []byte{'{'}) }

// Done reports whether the value is complete.
func (s *Scanner) Done() bool { return s.expect == expectNothing }

// HasMembers reports whether the scanner has read the name of a member.
func (s *Scanner) HasMembers() bool { return s.members }

// Started reports whether the scanner has read any byte of the value other than blanks.
func (s *Scanner) Started() bool {
	return s.expect != expectValue || s.lex != between || len(s.stack) > 0
}

// Between reports whether the input so far ends between two tokens.
func (s *Scanner) Between() bool { return s.lex == between }

// InComment reports whether the input so far ends inside a comment.
func (s *Scanner) InComment() bool { return s.lex == inLine || s.lex == inBlock || s.lex == inStar }

// AfterComma reports whether a comma was read last. Next returns no token for commas.
func (s *Scanner) AfterComma() bool { return s.expect == expectKey || s.expect == expectItem }

// InCloser returns the number of bytes at the end of the input so far that may belong to
// the Closer and are not content yet; with ErrCloser, the length of the Closer. In a block
// comment that contains the Closer it is the number of bytes from there on: the comment may
// lack its end.
func (s *Scanner) InCloser() int { return max(s.marker, s.past) }

// HidesCloser reports whether the input so far ends in a block comment that contains the
// Closer.
func (s *Scanner) HidesCloser() bool { return s.past > 0 }

// InEscape reports whether the input so far ends inside an escape.
func (s *Scanner) InEscape() bool { return s.lex == inEscape }

// OpenQuote returns the quote of the string that the input so far ends inside of, or 0.
func (s *Scanner) OpenQuote() byte {
	if s.lex == inString || s.InEscape() {
		return s.quote
	}
	return 0
}

// InPlainString reports whether the next bytes are content of a string value in double
// quotes and nothing is held back. Then the caller may pass plain bytes to Out without the
// scanner.
func (s *Scanner) InPlainString() bool {
	return s.lex == inString && s.isPlain()
}

// InPlainEscape is InPlainString for an input that ends with a backslash.
func (s *Scanner) InPlainEscape() bool {
	return s.lex == inEscape && s.escape.Begun() && s.isPlain()
}

func (s *Scanner) isPlain() bool {
	return !s.key && s.quote == '"' && s.escape.High == 0 && !s.doubt && s.gap == gapNone
}

// PassRun reads an input inside a string, see InPlainString and InPlainEscape, that is
// nothing but content and needs no repair. It leaves the output to the caller: content, which
// is part of in, after before, the backslash that an earlier input ended with. A backslash at
// the end waits for the next input. ok is false, and nothing is read, if there is anything
// else in the input, or no content.
func (s *Scanner) PassRun(in string) (before, content string, ok bool) {
	escapes := s.lex == inEscape
	if content = in; escapes {
		before, content = `\`, in[1:]
		if !isQuotedLetter(in[0]) {
			return "", "", false
		}
	}
	n := len(content)
	splits := !IsQuoted(content)
	if splits {
		if n--; content[n] != '\\' || !IsQuoted(content[:n]) {
			return "", "", false
		}
	}
	if content = in[:len(in)-len(content)+n]; content == "" || s.Loose && EndsInGap(content) || s.Stops && s.closerStop(content, 0, len(content)) < len(content) {
		return "", "", false
	}
	switch {
	case splits:
		s.lex = inEscape
		s.escape.Begin()
	case escapes:
		s.lex = inString
	}
	return before, content, true
}

// Next reads in from offset i and returns the next token and the offset after it. After the
// end of the value it consumes nothing.
func (s *Scanner) Next(in string, i int) (Kind, int) {
	for {
		var kind Kind
		var j int
		var emit bool
		if s.lex == inString && s.Err == nil { // most of the input
			kind, j, emit = s.stringRun(in, i)
		} else {
			kind, j, emit = s.token(in, i)
		}
		if emit && (!s.Silent || kind <= More || kind == Invalid || s.expect == expectNothing) {
			return kind, j
		}
		i = j
	}
}

// token reads in from offset i up to the end of a token or a part of one. emit is false if
// there is nothing to return yet.
func (s *Scanner) token(in string, i int) (kind Kind, next int, emit bool) {
	if s.Err != nil {
		return s.invalid(s.Err, i)
	}
	switch s.lex {
	case between:
		if s.expect == expectNothing {
			return More, i, true
		}
		if s.again {
			s.again = false
			kind, _, emit := s.openString(`"`, 0)
			return kind, i, emit
		}
		if s.Silent {
			i = s.plain(in, i)
		}
		start := i
		i = lex.SkipBlanks(in, i)
		s.blanks(in, start, i)
		if i == len(in) {
			return More, i, true
		}
		return s.structure(in, i)
	case inEscape:
		if i == len(in) {
			return More, i, true
		}
		return s.readEscape(in, i)
	case inWord:
		return s.word(in, i)
	}
	return s.loose(in, i)
}

// Close ends the value at the end of the input. If nothing but closing brackets is missing,
// it adds them. It reports whether the value is complete.
func (s *Scanner) Close() bool {
	switch {
	case s.lex == inWord && len(s.stack) == 0:
		s.endWord("", 0, 0)
	case s.lex == afterQuote:
		s.quoteCloses()
	}
	if s.expect == expectNothing && s.Err == nil {
		return true
	}
	if s.lex != between || s.Err != nil || len(s.stack) == 0 {
		return false
	}
	switch s.expect {
	case expectComma, expectFirstKey, expectFirstItem:
	case expectKey, expectItem:
		s.dropComma()
	default:
		return false
	}
	for len(s.stack) > 0 {
		s.insertCloser()
	}
	return true
}

// blanks passes the blanks in[a:b] on, or holds them if a comma is held.
func (s *Scanner) blanks(in string, a, b int) {
	if s.Out == nil || a == b {
		return
	}
	if s.comma.Len() > 0 {
		s.comma.Pass(in, a, b)
		return
	}
	s.Out.Pass(in, a, b)
}

// structure reads in[i], outside of strings and words. emit is false if the byte completes
// no token.
func (s *Scanner) structure(in string, i int) (kind Kind, next int, emit bool) {
	c := in[i]
	switch c {
	case '{', '[':
		if !s.beginValue() {
			return s.invalid(ErrSyntax, i)
		}
		if s.MaxDepth > 0 && len(s.stack) >= s.MaxDepth {
			return s.invalid(ErrDepth, i)
		}
		s.stack = append(s.stack, c)
		s.pass(in, i)
		if c == '{' {
			s.expect = expectFirstKey
			return ObjectStart, i + 1, true
		}
		s.expect = expectFirstItem
		return ArrayStart, i + 1, true
	case '}', ']':
		return s.closer(in, i)
	case ',':
		if s.expect != expectComma || len(s.stack) == 0 {
			return s.invalid(ErrSyntax, i)
		}
		if s.Out != nil {
			s.comma.Pass(in, i, i+1)
		}
		s.expect = expectItem
		if s.top() == '{' {
			s.expect = expectKey
		}
		return More, i + 1, false
	case ':':
		if s.expect != expectColon {
			return s.invalid(ErrSyntax, i)
		}
		s.pass(in, i)
		s.expect = expectValue
		return Colon, i + 1, true
	case '"', '\'':
		return s.openString(in, i)
	case '/':
		s.lex = inSlash
		return More, i + 1, false
	}
	return s.openWord(in, i)
}

// beginValue checks that a value may begin here. It adds a missing comma and releases a
// held one.
func (s *Scanner) beginValue() bool {
	switch s.expect {
	case expectComma:
		if len(s.stack) == 0 || s.top() == '{' {
			return false
		}
		s.Tolerances |= toolcall.MissingComma
		s.add(",")
	case expectValue, expectFirstItem:
	case expectItem:
		s.releaseComma()
	default:
		return false
	}
	return true
}

// beginKey is beginValue for a member's name.
func (s *Scanner) beginKey() bool {
	switch s.expect {
	case expectComma:
		s.Tolerances |= toolcall.MissingComma
		s.add(",")
	case expectFirstKey:
	case expectKey:
		s.releaseComma()
	default:
		return false
	}
	return true
}

// KeyNext reports whether a member's name must come next, and not a value.
func (s *Scanner) KeyNext() bool {
	switch s.expect {
	case expectFirstKey, expectKey:
		return true
	case expectComma:
		return len(s.stack) > 0 && s.top() == '{'
	}
	return false
}

// closer reads a } or a ].
func (s *Scanner) closer(in string, i int) (Kind, int, bool) {
	if len(s.stack) == 0 {
		return s.invalid(ErrSyntax, i)
	}
	switch s.expect {
	case expectComma, expectFirstKey, expectFirstItem:
	case expectKey, expectItem:
		s.dropComma()
	default:
		return s.invalid(ErrSyntax, i)
	}
	open := byte('{')
	if in[i] == ']' {
		open = '['
	}
	if s.top() != open {
		// An inner bracket is missing. Add it, then read this byte again.
		if bytes.IndexByte(s.stack, open) < 0 {
			return s.invalid(ErrSyntax, i)
		}
		return s.insertCloser(), i, true
	}
	s.pass(in, i)
	s.stack = s.stack[:len(s.stack)-1]
	s.endValue()
	if open == '{' {
		return ObjectEnd, i + 1, true
	}
	return ArrayEnd, i + 1, true
}

// insertCloser closes the innermost container, whose closing bracket is missing.
func (s *Scanner) insertCloser() Kind {
	s.Tolerances |= toolcall.MissingCloser
	top := s.top()
	s.stack = s.stack[:len(s.stack)-1]
	s.endValue()
	if top == '{' {
		s.add("}")
		return ObjectEnd
	}
	s.add("]")
	return ArrayEnd
}

// dropComma discards the held comma and keeps the blanks after it.
func (s *Scanner) dropComma() {
	s.Tolerances |= toolcall.TrailingComma
	s.expect = expectComma
	if s.Out != nil {
		s.comma.dropFirst()
		s.releaseComma()
	}
}

// releaseComma passes on the held comma and the blanks after it.
func (s *Scanner) releaseComma() {
	if s.Out != nil {
		s.Out.join(&s.comma)
	}
}

// endValue records that a value is complete.
func (s *Scanner) endValue() {
	s.expect = expectComma
	if len(s.stack) == 0 {
		s.expect = expectNothing
	}
}

// invalid ends the scan for good.
func (s *Scanner) invalid(err error, i int) (Kind, int, bool) {
	s.Err = err
	return Invalid, i, true
}

// top returns the opening bracket of the innermost container.
func (s *Scanner) top() byte { return s.stack[len(s.stack)-1] }

func (s *Scanner) pass(in string, i int) {
	if s.Out != nil {
		s.Out.Pass(in, i, i+1)
	}
}

func (s *Scanner) add(t string) {
	if s.Out != nil {
		s.Out.Add(t)
	}
}

func (s *Scanner) addBytes(b []byte) {
	if s.Out != nil {
		s.Out.AddBytes(b)
	}
}
