package lex

import "strings"

// Look reads the next token of markup: optional blanks, then the name of an opening tag, a
// whole closing tag, the opener of a comment or a CDATA section, or one byte of anything
// else.
type Look struct {
	phase       lookPhase
	Name        []byte
	Blanks      int  // the bytes before the token
	ClosersOnly bool // treat an opening tag as TokenOther
}

type lookPhase uint8

const (
	lookBlank    lookPhase = iota // before the token
	lookLess                      // after <
	lookOpenName                  // in the name of an opening tag
	lookSlash                     // after </
	lookEndName                   // in the name of a closing tag
	lookEndBlank                  // between that name and its >
	lookBang                      // after <!, before a comment and a CDATA section can be told apart
)

// Token is what [Look.Read] found.
type Token uint8

const (
	TokenMore    Token = iota // more input is needed
	TokenOpen                 // the name of an opening tag; the offset is that of the byte after the name
	TokenClose                // a closing tag, including its >
	TokenComment              // <!--
	TokenCDATA                // <![CDATA[
	TokenBrace                // an opening brace, not consumed
	TokenOther                // anything else, not consumed
)

// The delimiters of comments and CDATA sections, and the maximum length of a tag's name.
const (
	CommentOpen  = "<!--"
	CommentClose = "-->"
	CDATAOpen    = "<![CDATA["
	CDATAClose   = "]]>"
	MaxTagName   = 256 // bytes
)

// Read consumes in from offset i and returns a token with the offset after it, or TokenMore
// with len(in).
func (l *Look) Read(in string, i int) (Token, int) {
	for ; i < len(in); i++ {
		c := in[i]
		switch l.phase {
		case lookBlank:
			switch {
			case IsBlank(c):
				from := i
				i = SkipBlanks(in, i+1) - 1
				l.Blanks += i + 1 - from
			case c == '<':
				l.phase, l.Name = lookLess, l.Name[:0]
			case c == '{':
				return TokenBrace, i
			default:
				return TokenOther, i
			}
		case lookLess:
			switch {
			case c == '/':
				l.phase = lookSlash
			case c == '!':
				l.phase, l.Name = lookBang, append(l.Name, '<', '!')
			case IsNameStart(c) && !l.ClosersOnly:
				l.phase, l.Name = lookOpenName, append(l.Name, c)
			default:
				return TokenOther, i
			}
		case lookOpenName:
			if n := NameEnd(in, i, MaxTagName-len(l.Name)); n > i {
				l.Name = append(l.Name, in[i:n]...)
				i = n - 1
				continue
			}
			if IsBlank(c) || c == '>' || c == '/' {
				return TokenOpen, i
			}
			return TokenOther, i
		case lookSlash:
			if !IsNameStart(c) {
				return TokenOther, i
			}
			l.phase, l.Name = lookEndName, append(l.Name, c)
		case lookEndName:
			if n := NameEnd(in, i, MaxTagName-len(l.Name)); n > i {
				l.Name = append(l.Name, in[i:n]...)
				i = n - 1
				continue
			}
			l.phase = lookEndBlank
			fallthrough
		case lookEndBlank:
			if c == '>' {
				return TokenClose, i + 1
			}
			if !IsBlank(c) {
				return TokenOther, i
			}
		case lookBang:
			l.Name = append(l.Name, c)
			switch n := len(l.Name); {
			case string(l.Name) == CommentOpen:
				return TokenComment, i + 1
			case string(l.Name) == CDATAOpen:
				return TokenCDATA, i + 1
			case n < len(CommentOpen) && CommentOpen[:n] == string(l.Name):
			case n < len(CDATAOpen) && CDATAOpen[:n] == string(l.Name):
			default:
				return TokenOther, i
			}
		}
	}
	return TokenMore, i
}

// Reset prepares l for the next token.
func (l *Look) Reset() { l.phase, l.Name, l.Blanks, l.ClosersOnly = lookBlank, l.Name[:0], 0, false }

// IsAtStart reports whether nothing but blanks has been read.
func (l *Look) IsAtStart() bool { return l.phase == lookBlank }

// Is reports whether the tag that was just read is called name, ignoring ASCII case.
func (l *Look) Is(name string) bool { return name != "" && EqualFold(l.Name, name) }

// MayClose reports whether the bytes read so far may still become the closing tag of that
// name.
func (l *Look) MayClose(name string) bool {
	switch l.phase {
	case lookBlank, lookLess, lookSlash:
		return true
	case lookEndName:
		return len(l.Name) <= len(name) && l.Is(name[:len(l.Name)])
	}
	return l.phase == lookEndBlank && l.Is(name)
}

// IndexPrefix returns the first offset in s at which marker may begin, or len(s). It
// compares only the first two bytes of marker, the second one ignoring case; at the end of
// s the first byte alone is enough. marker has at least two bytes.
func IndexPrefix(s, marker string) int {
	for i := 0; ; i++ {
		n := strings.IndexByte(s[i:], marker[0])
		if n < 0 {
			return len(s)
		}
		if i += n; i+1 == len(s) || Lower(s[i+1]) == Lower(marker[1]) {
			return i
		}
	}
}

// Literal matches one constant string against the input. After a mismatch the caller must
// go back to the byte after the first one that matched.
type Literal struct {
	Text string
	Fold bool
	N    int // bytes matched
}

// Match consumes in from offset i. done is true after the last byte of the literal. ok is
// false at a mismatch; next is then the offset of the byte that differs.
func (l *Literal) Match(in string, i int) (next int, done, ok bool) {
	if l.N == 0 && strings.HasPrefix(in[i:], l.Text) {
		l.N = len(l.Text)
		return i + l.N, true, true
	}
	for ; i < len(in); i++ {
		c, want := in[i], l.Text[l.N]
		if c != want && (!l.Fold || Lower(c) != Lower(want)) {
			return i, false, false
		}
		if l.N++; l.N == len(l.Text) {
			return i + 1, true, true
		}
	}
	return i, false, true
}

// SkipComment consumes the inside of a comment from in[i] on. l matches the [CommentClose]
// that ends it. done reports whether the comment has ended before next.
func SkipComment(l *Literal, in string, i int) (next int, done bool) {
	return l.readTo(in, i, func(string) {})
}

// ReadCDATA consumes the inside of a CDATA section from in[i] on, and calls add with its
// text. l matches the [CDATAClose] that ends it. done reports whether the section has ended
// before next.
func ReadCDATA(l *Literal, in string, i int, add func(text string)) (next int, done bool) {
	return l.readTo(in, i, add)
}

// readTo calls add with the text up to a literal whose first two bytes are the same and
// differ from the third.
func (l *Literal) readTo(in string, i int, add func(text string)) (next int, done bool) {
	for i < len(in) {
		if l.N == 0 {
			n := strings.IndexByte(in[i:], l.Text[0])
			if n < 0 {
				n = len(in) - i
			}
			add(in[i : i+n])
			if i += n; i == len(in) {
				break
			}
		}
		next, done, ok := l.Match(in, i)
		switch {
		case done, ok:
			return next, done
		case l.N == 2 && in[next] == l.Text[0]: // three or more: the last two still match
			add(l.Text[:1])
			i = next + 1
		default:
			add(l.Text[:l.N])
			l.N, i = 0, next
		}
	}
	return i, false
}
