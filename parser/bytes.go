package parser

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// equalFold compares in any ASCII case, and only ASCII: K is not the Kelvin sign.
func equalFold[T ~[]byte | ~string](a T, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(b) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// isNameStart reports whether c may begin the name of a tag.
func isNameStart(c byte) bool { return lower(c) >= 'a' && lower(c) <= 'z' || c == '_' || c >= 0x80 }

// isName reports whether c may go on in the name of a tag or attribute.
func isName(c byte) bool {
	return isNameStart(c) || c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':'
}

// skipBlanks is the offset of the first byte, from i on, that is no blank.
func skipBlanks(s string, i int) int {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	return i
}

func trimBlanks(s string) string {
	for s != "" && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s[skipBlanks(s, 0):]
}
