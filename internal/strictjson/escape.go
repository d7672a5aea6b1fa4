package strictjson

import (
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/bytescan"
)

// AppendText decodes the string whose content begins at data[at], up to its closing quote
// or the end of data, and returns the index of that; -1 if the content is not valid. Half of
// a surrogate pair becomes U+FFFD, and whole is then false. Invalid UTF-8 stays as it is.
//
// It checks and decodes in one pass.
func AppendText(dst, data []byte, at int) (_ []byte, end int, whole bool) {
	whole = true
	out, n := dst[:cap(dst)], len(dst)
	for {
		if len(out)-n < minRoom {
			out = slices.Grow(out[:n], min(len(data)-at, 2*n)+2*minRoom)
			out = out[:cap(out)]
		}
		wrote, read := bytescan.Unescape(out[n:], data[at:])
		n, at = n+wrote, at+read
		switch {
		case at == len(data) || data[at] == '"':
			return out[:n], at, whole
		case len(out)-n < minRoom:
			continue
		case plain[data[at]]:
			out[n] = data[at]
			n, at = n+1, at+1
			continue
		case data[at] != '\\' || at+1 == len(data):
			return dst, -1, false
		}
		if c := bytescan.Meaning(data[at+1]); c != 0 {
			out[n] = c
			n, at = n+1, at+2
			continue
		}
		r, length, ok := codePoint(data[at:])
		if length == 0 {
			return dst, -1, false
		}
		whole = whole && ok
		n, at = n+utf8.EncodeRune(out[n:], r), at+length
	}
}

// minRoom is the room, in bytes, that AppendText needs for a word and a character.
const minRoom = 32

// codePoint returns the character that data begin with as one escape \u or two, and their
// length; 0 if it is not valid. Half of a surrogate pair is U+FFFD, and not ok.
func codePoint(data []byte) (r rune, length int, ok bool) {
	if !isUnit(data) {
		return 0, 0, false
	}
	if r = CodeUnit(data[2:]); !utf16.IsSurrogate(r) {
		return r, 6, true
	}
	if isUnit(data[6:]) {
		if pair := utf16.DecodeRune(r, CodeUnit(data[8:])); pair != utf8.RuneError {
			return pair, 12, true
		}
	}
	return utf8.RuneError, 6, false
}

// isUnit reports whether data begin with \u and four hexadecimal digits.
func isUnit[Bytes ~[]byte | ~string](data Bytes) bool {
	return len(data) >= 6 && data[0] == '\\' && data[1] == 'u' && IsHex(data[2]) && IsHex(data[3]) && IsHex(data[4]) && IsHex(data[5])
}

// CodeUnit decodes four hexadecimal digits.
func CodeUnit[Bytes ~[]byte | ~string](hex Bytes) (r rune) {
	for i := range 4 {
		r = r<<4 | HexDigit(hex[i])
	}
	return r
}

// HexDigit decodes a hexadecimal digit.
func HexDigit(c byte) rune {
	if c <= '9' {
		return rune(c - '0')
	}
	return rune(c|0x20-'a') + 10
}
