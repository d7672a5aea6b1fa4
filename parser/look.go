package parser

import "strings"

// look reads the next token of markup, incrementally: blanks, then a tag's
// name, the whole of a closing tag, or a single byte of something else.
type look struct {
	phase   lookPhase
	name    []byte
	closing bool // an opening tag is as good as anything else
}

type lookPhase uint8

const (
	lookBlank    lookPhase = iota // before the token
	lookLess                      // after <
	lookOpenName                  // in the name of an opening tag
	lookSlash                     // after </
	lookEndName                   // in the name of a closing tag
	lookEndBlank                  // after it
	lookBang                      // after <!, in what distinguishes a comment from CDATA
)

// token is what look found.
type token uint8

const (
	tokenMore    token = iota // more input is needed
	tokenOpen                 // an opening tag's name; the offset is that of the byte after it
	tokenClose                // a closing tag, up to its >
	tokenComment              // <!--
	tokenCDATA                // <![CDATA[
	tokenBrace                // a brace, which is not read
	tokenOther                // anything else
)

const (
	commentOpen  = "<!--"
	commentClose = "-->"
	cdataOpen    = "<![CDATA["
	cdataClose   = "]]>"
	maxTagName   = 256 // bytes
)

// read reads on and returns the token with the offset after it.
func (l *look) read(in string, i int) (token, int) {
	for ; i < len(in); i++ {
		c := in[i]
		switch l.phase {
		case lookBlank:
			switch {
			case isBlank(c):
			case c == '<':
				l.phase, l.name = lookLess, l.name[:0]
			case c == '{':
				return tokenBrace, i
			default:
				return tokenOther, i
			}
		case lookLess:
			switch {
			case c == '/':
				l.phase = lookSlash
			case c == '!':
				l.phase, l.name = lookBang, append(l.name, '<', '!')
			case isNameStart(c) && !l.closing:
				l.phase, l.name = lookOpenName, append(l.name, c)
			default:
				return tokenOther, i
			}
		case lookOpenName:
			if isName(c) && len(l.name) < maxTagName {
				l.name = append(l.name, c)
				continue
			}
			if isBlank(c) || c == '>' || c == '/' {
				return tokenOpen, i
			}
			return tokenOther, i
		case lookSlash:
			if !isNameStart(c) {
				return tokenOther, i
			}
			l.phase, l.name = lookEndName, append(l.name, c)
		case lookEndName:
			if isName(c) && len(l.name) < maxTagName {
				l.name = append(l.name, c)
				continue
			}
			l.phase = lookEndBlank
			fallthrough
		case lookEndBlank:
			if c == '>' {
				return tokenClose, i + 1
			}
			if !isBlank(c) {
				return tokenOther, i
			}
		case lookBang:
			l.name = append(l.name, c)
			switch n := len(l.name); {
			case string(l.name) == commentOpen:
				return tokenComment, i + 1
			case string(l.name) == cdataOpen:
				return tokenCDATA, i + 1
			case n < len(commentOpen) && commentOpen[:n] == string(l.name):
			case n < len(cdataOpen) && cdataOpen[:n] == string(l.name):
			default:
				return tokenOther, i
			}
		}
	}
	return tokenMore, i
}

// reset makes it ready for the next token.
func (l *look) reset() { l.phase, l.name, l.closing = lookBlank, l.name[:0], false }

// is reports whether the tag just read has this name, in any case.
func (l *look) is(name string) bool { return name != "" && equalFold(l.name, name) }

// mayClose reports whether what was read so far may become the closing tag of
// that name.
func (l *look) mayClose(name string) bool {
	switch l.phase {
	case lookBlank, lookLess, lookSlash:
		return true
	case lookEndName:
		return len(l.name) <= len(name) && l.is(name[:len(l.name)])
	}
	return l.phase == lookEndBlank && l.is(name)
}

// indexPrefix is the offset of the first place in s where marker may begin: by
// its first two bytes, in any case, or by the first at the end of s. It is
// len(s) where there is none.
func indexPrefix(s, marker string) int {
	for i := 0; ; i++ {
		n := strings.IndexByte(s[i:], marker[0])
		if n < 0 {
			return len(s)
		}
		if i += n; i+1 == len(s) || lower(s[i+1]) == lower(marker[1]) {
			return i
		}
	}
}

// literal follows one constant string through the input. On a mismatch the
// caller goes back to the byte after the first.
type literal struct {
	text string
	fold bool
	n    int // bytes matched
}

// match reads on. done is true at the end of the literal, ok false at a mismatch.
func (l *literal) match(in string, i int) (next int, done, ok bool) {
	for ; i < len(in); i++ {
		c, want := in[i], l.text[l.n]
		if c != want && (!l.fold || lower(c) != lower(want)) {
			return i, false, false
		}
		if l.n++; l.n == len(l.text) {
			return i + 1, true, true
		}
	}
	return i, false, true
}

// skipComment reads on in a comment, whose end l follows, and reports whether it
// is over.
func skipComment(l *literal, in string, i int) (next int, done bool) {
	for i < len(in) {
		if l.n == 0 {
			n := strings.IndexByte(in[i:], '-')
			if n < 0 {
				return len(in), false
			}
			i += n
		}
		next, done, ok := l.match(in, i)
		switch {
		case done, ok:
			return next, done
		case l.n == 2 && in[next] == '-': // three dashes or more
			i = next + 1
		default:
			l.n, i = 0, next
		}
	}
	return i, false
}
