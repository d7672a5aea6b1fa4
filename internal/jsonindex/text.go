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
	out := dst[len(dst) : len(dst)+len(raw)+8]
	n, at := 0, 0 // in out, and in raw
	for at < len(raw) {
		if at+8 <= len(raw) { // whole words, up to the next escape
			v := bytescan.Load(raw, at)
			binary.LittleEndian.PutUint64(out[n:], v)
			found := bytescan.Zeros(v ^ bytescan.All('\\'))
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
		r := jsonvalue.CodeUnit(raw[at+2 : at+6])
		at += 6
		if utf16.IsSurrogate(r) {
			low := rune(0)
			if at+6 <= len(raw) && raw[at] == '\\' && raw[at+1] == 'u' {
				low = jsonvalue.CodeUnit(raw[at+2 : at+6])
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				whole = false
			} else {
				at += 6
			}
		}
		n += utf8.EncodeRune(out[n:], r)
	}
	return dst[:len(dst)+n], whole
}
