package jsonvalue

import "bytes"

// AppendCompact appends doc, which must be valid JSON, without the blanks between its
// tokens. All other bytes are kept.
func AppendCompact(dst, doc []byte) []byte {
	done := 0 // doc[:done] has been appended
	for at := 0; at < len(doc); at++ {
		switch doc[at] {
		case '"':
			at = StringEnd(doc, at+1)
		case ' ', '\t', '\n', '\r':
			dst = append(dst, doc[done:at]...)
			done = at + 1
		}
	}
	return append(dst, doc[done:]...)
}

// StringEnd returns the index of the quote that ends the string whose text begins at
// doc[at], or len(doc) if the string does not end. It jumps from quote to quote.
func StringEnd(doc []byte, at int) int {
	for begin := at; ; {
		n := bytes.IndexByte(doc[at:], '"')
		if n < 0 {
			return len(doc)
		}
		slashes := at + n
		for slashes > begin && doc[slashes-1] == '\\' {
			slashes--
		}
		if (at+n-slashes)%2 == 0 {
			return at + n
		}
		at += n + 1
	}
}
