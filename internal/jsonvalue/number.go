package jsonvalue

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/toolparse/toolparse/internal/strictjson"
)

// IsNumber reports whether s is a JSON number.
func IsNumber[Bytes ~[]byte | ~string](s Bytes) bool {
	_, whole := strictjson.ScanNumber(s)
	return whole > 0 && whole == len(s)
}

// MendNumber returns the JSON of a decimal number that may have a plus sign, leading zeros, or
// a point without digits on one side. Of a number that ends with its point, point replaces
// that. It returns false if text is not such a number.
func MendNumber(text, point string) (string, bool) {
	sign, digits := cutSign(text)
	whole, rest := digits, ""
	if n := strings.IndexAny(digits, ".eE"); n >= 0 {
		whole, rest = digits[:n], digits[n:]
	}
	if strings.Trim(whole, "0123456789") != "" || whole == "" && (len(rest) < 2 || rest[0] != '.' || !isDigit(rest[1])) {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if rest != "" && rest[0] == '.' && (len(rest) == 1 || rest[1]|0x20 == 'e') {
		rest = point + rest[1:]
	}
	number := sign + whole + rest
	return number, IsNumber(number)
}

// MayMend reports whether a number that [MendNumber] takes may begin with prefix.
func MayMend(prefix string) bool {
	_, s := cutSign(prefix)
	zeros := len(s)
	s = strings.TrimLeft(s, "0")
	zeros -= len(s)
	switch {
	case s == "" || s == ".":
		return true
	case s[0] == '.' && (zeros > 0 || isDigit(s[1])), s[0]|0x20 == 'e' && zeros > 0:
		s = "0" + s
	}
	if n := strings.IndexByte(s, '.'); n >= 0 && n+1 < len(s) && s[n+1]|0x20 == 'e' {
		s = s[:n] + s[n+1:]
	}
	n, _ := strictjson.ScanNumber(s)
	return n == len(s)
}

func cutSign(text string) (sign, digits string) {
	switch {
	case strings.HasPrefix(text, "-"):
		return "-", text[1:]
	case strings.HasPrefix(text, "+"):
		return "", text[1:]
	}
	return "", text
}

// maxExponent limits exponents, so that sums of them cannot overflow. Numbers beyond it
// compare as if they were at the limit.
const maxExponent = 1 << 50

// Decimal is an exact number: digits × 10^exp. digits has no leading or trailing zeros;
// zero has no digits and exp 0. Equal numbers are therefore equal as Go values.
type Decimal struct {
	negative bool
	digits   string
	exp      int64
}

// ParseDecimal converts a JSON number. The time is linear in the text, whatever the
// exponent.
func ParseDecimal(text string) Decimal {
	var d Decimal
	text, d.negative = strings.CutPrefix(text, "-")
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		d.exp = parseExponent(text[i+1:])
		text = text[:i]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	d.exp -= int64(len(fraction))
	d.digits = strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(d.digits, "0")
	d.exp += int64(len(d.digits) - len(trimmed))
	d.digits = trimmed
	if d.digits == "" {
		return Decimal{}
	}
	return d
}

func parseExponent(text string) int64 {
	text, negative := strings.CutPrefix(text, "-")
	var exp int64
	for _, c := range []byte(strings.TrimPrefix(text, "+")) {
		exp = min(exp*10+int64(c-'0'), maxExponent)
	}
	if negative {
		return -exp
	}
	return exp
}

// IsInteger reports whether the number is whole; 1.0 is.
func (d Decimal) IsInteger() bool { return d.exp >= 0 }

// Sign returns -1, 0 or +1 if the number is negative, zero or positive.
func (d Decimal) Sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// Compare returns -1, 0 or +1 if d is less than, equal to or greater than e.
func (d Decimal) Compare(e Decimal) int {
	if d.Sign() != e.Sign() {
		if d.Sign() < e.Sign() {
			return -1
		}
		return 1
	}
	// Without leading and trailing zeros, digits of equal magnitude compare as text.
	size, other := int64(len(d.digits))+d.exp, int64(len(e.digits))+e.exp
	order := strings.Compare(d.digits, e.digits)
	if size < other {
		order = -1
	} else if size > other {
		order = 1
	}
	return order * d.Sign()
}

// maxDivision limits the digits in a division, whose time is not linear.
const maxDivision = 5000

// IsMultipleOf reports whether d is an integer multiple of e, which must not be zero. known
// is false if the numbers have too many digits for a division.
func (d Decimal) IsMultipleOf(e Decimal) (multiple, known bool) {
	if d.Sign() == 0 {
		return true, true
	}
	shift := d.exp - e.exp
	if shift < 0 {
		// If d = k·e for an integer k, the digits of d would end in a zero, which they
		// never do.
		return false, true
	}
	if len(d.digits)+len(e.digits) > maxDivision {
		return false, false
	}
	a, _ := new(big.Int).SetString(d.digits, 10)
	b, _ := new(big.Int).SetString(e.digits, 10)
	// The remainder of a·10^shift, without computing the power itself.
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(shift), b)
	return a.Mul(a, power).Mod(a, b).Sign() == 0, true
}

// appendKey appends a text that is the same for two numbers if and only if they are equal.
func (d Decimal) appendKey(dst []byte) []byte {
	if d.negative {
		dst = append(dst, '-')
	}
	dst = append(append(dst, d.digits...), 'e')
	return strconv.AppendInt(dst, d.exp, 10)
}

// maxRational limits the size of a number in calculations: its digits plus its exponent.
const maxRational = 1000

// Rat returns the number for calculations. It returns false if the number has more than
// 1,000 digits.
func (d Decimal) Rat() (*big.Rat, bool) {
	if int64(len(d.digits))+max(d.exp, -d.exp) > maxRational {
		return nil, false
	}
	if d.digits == "" {
		return new(big.Rat), true
	}
	return new(big.Rat).SetString(string(d.appendKey(nil)))
}
