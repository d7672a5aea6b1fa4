package strictjson

// What a byte is in a number.
const (
	other = iota
	zero
	digit // but not 0
	point
	exponent
	plus
	minus
	classes // their number
)

var classOfByte = [256]uint8{
	'0': zero, '1': digit, '2': digit, '3': digit, '4': digit, '5': digit, '6': digit, '7': digit, '8': digit, '9': digit,
	'.': point, 'e': exponent, 'E': exponent, '+': plus, '-': minus,
}

// numbers says how a number goes on: the state, from beforeNumber on, after a byte of each
// class. Where that is 0, the byte does not belong to the number.
var numbers = [...][classes]state{
	{minus: afterMinus, zero: inZero, digit: inInteger},
	{zero: inZero, digit: inInteger},
	{point: afterPoint, exponent: afterExponent},
	{zero: inInteger, digit: inInteger, point: afterPoint, exponent: afterExponent},
	{zero: inFraction, digit: inFraction},
	{zero: inFraction, digit: inFraction, exponent: afterExponent},
	{zero: inExponent, digit: inExponent, plus: afterExponentSign, minus: afterExponentSign},
	{zero: inExponent, digit: inExponent},
	{zero: inExponent, digit: inExponent},
}

// after returns the state after a byte of a number, or 0 if it does not belong to it.
func (s state) after(c byte) state { return numbers[s-beforeNumber][classOfByte[c]] }

// isNumber reports whether the bytes of the value so far are a complete number.
func (s state) isNumber() bool {
	return s == inZero || s == inInteger || s == inFraction || s == inExponent
}

// inNumber reports whether the value is a number that has not ended.
func (s state) inNumber() bool { return afterMinus <= s && s <= inExponent }

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
