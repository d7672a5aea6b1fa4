package jsonindex

import (
	"encoding/binary"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/jsonvalue"
)

// Text returns the decoded text of a string; any other value is "". Half of a surrogate
// pair becomes U+FFFD, and invalid UTF-8 stays as it is.
func (v Value) Text() string {
	switch {
	case v.Kind != String:
		return ""
	case !v.HasEscapes():
		return string(v.Raw)
	}
	out, _ := AppendUnescaped(make([]byte, 0, len(v.Raw)+8), v.Raw)
	return string(out)
}

// unescaped are the characters that a backslash and a byte stand for.
var unescaped = func() (of [256]byte) {
	for c := range of {
		of[c] = jsonvalue.Unescaped(byte(c))
	}
	return of
}()

// AppendUnescaped appends the text of a valid string as it is written in JSON, without its
// quotes. Half of a surrogate pair becomes U+FFFD, and whole is then false.
func AppendUnescaped(dst, raw []byte) (_ []byte, whole bool) {
	dst, whole = slices.Grow(dst, len(raw)+8), true
	out, n := dst[:cap(dst)], len(dst)
	for at := 0; at < len(raw); {
		if at+8 <= len(raw) { // whole words, up to the next escape
			word := bytescan.Load(raw, at)
			binary.LittleEndian.PutUint64(out[n:n+8], word)
			found := bytescan.Zeros(word ^ bytescan.All('\\'))
			if found == 0 {
				n, at = n+8, at+8
				continue
			}
			plain := bytescan.First(found)
			n, at = n+plain, at+plain
		} else if raw[at] != '\\' {
			out[n] = raw[at]
			n, at = n+1, at+1
			continue
		}
		if c := raw[at+1]; c != 'u' {
			out[n] = unescaped[c]
			n, at = n+1, at+2
			continue
		}
		r, used, ok := codePoint(raw[at:])
		whole = whole && ok
		n, at = n+utf8.EncodeRune(out[n:], r), at+used
	}
	return out[:n], whole
}

// codePoint returns the character that raw begins with as one escape \u or two, and their
// length. Half of a surrogate pair is U+FFFD, and not ok.
func codePoint(raw []byte) (r rune, length int, ok bool) {
	if r = jsonvalue.CodeUnit(raw[2:6]); !utf16.IsSurrogate(r) {
		return r, 6, true
	}
	low := rune(0)
	if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
		low = jsonvalue.CodeUnit(raw[8:12])
	}
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return r, 6, false
	}
	return r, 12, true
}
