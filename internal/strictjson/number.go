package strictjson

// ScanNumber reads a JSON number at the start of s. s[:n] is the longest prefix that can
// begin a number, and s[:whole] the longest one that is a number; whole is 0 if none is.
func ScanNumber[Bytes ~[]byte | ~string](s Bytes) (n, whole int) {
	if n < len(s) && s[n] == '-' {
		n++
	}
	from := n
	if n < len(s) && s[n] == '0' {
		n++
	} else if n = digitsEnd(s, n); n == from {
		return n, 0
	}
	whole = n
	if n < len(s) && s[n] == '.' {
		if n = digitsEnd(s, n+1); n == whole+1 {
			return n, whole
		}
		whole = n
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		if n++; n < len(s) && (s[n] == '+' || s[n] == '-') {
			n++
		}
		from = n
		if n = digitsEnd(s, n); n == from {
			return n, whole
		}
	}
	return n, n
}

func digitsEnd[Bytes ~[]byte | ~string](s Bytes, at int) int {
	for at < len(s) && '0' <= s[at] && s[at] <= '9' {
		at++
	}
	return at
}
