package jsonindex

import (
	"unsafe"

	"github.com/toolparse/toolparse/internal/strictjson"
)

// Text returns the decoded text of a string; any other value is "". Half of a surrogate
// pair becomes U+FFFD, and invalid UTF-8 stays as it is.
func (v Value) Text() string {
	if v.Kind != String {
		return ""
	}
	if text, ok := v.Lent(); ok {
		return text
	}
	if !v.HasEscapes() {
		return string(v.Raw)
	}
	if text, ok := v.Decoded(); ok {
		return string(text)
	}
	out, _ := AppendUnescaped(make([]byte, 0, len(v.Raw)+8), v.Raw)
	return string(out)
}

// Lent returns the decoded text of a string without a copy, if its index lends texts and has
// this one.
func (v Value) Lent() (text string, ok bool) {
	if v.Kind != String || v.index == nil || !v.index.lends {
		return "", false
	}
	decoded, ok := v.Raw, v.plain
	if !ok {
		decoded, ok = v.Decoded()
	}
	return unsafe.String(unsafe.SliceData(decoded), len(decoded)), ok
}

// Decoded returns the text of a string with escapes if the index has it, as it does unless
// the text includes half of a surrogate pair. The text is valid as long as the index.
func (v Value) Decoded() (text []byte, ok bool) {
	if v.Kind != String || v.plain || v.index == nil {
		return nil, false
	}
	from := v.index.entries[v.entry]
	if from == strictjson.NoText {
		return nil, false
	}
	return v.index.text[from:v.index.entries[v.entry+1]], true
}

// AppendUnescaped appends the text of a valid string as it is written in JSON, without its
// quotes. Half of a surrogate pair becomes U+FFFD, and whole is then false.
func AppendUnescaped(dst, raw []byte) (_ []byte, whole bool) {
	dst, _, whole = strictjson.AppendText(dst, raw, 0)
	return dst, whole
}
