package schema

import (
	"math/big"
	"strings"
)

// scanNumber reads a JSON number at the start of s. s[:n] is the longest
// prefix that can begin one, and whole reports whether it already is one.
func scanNumber(s string) (n int, whole bool) {
	digits := func() bool {
		from := n
		for n < len(s) && isDigit(s[n]) {
			n++
		}
		return n > from
	}
	if n < len(s) && s[n] == '-' {
		n++
	}
	if n < len(s) && s[n] == '0' {
		n++
	} else if !digits() {
		return n, false
	}
	if n < len(s) && s[n] == '.' {
		n++
		if !digits() {
			return n, false
		}
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		n++
		if n < len(s) && (s[n] == '+' || s[n] == '-') {
			n++
		}
		if !digits() {
			return n, false
		}
	}
	return n, true
}

func isNumber(s string) bool {
	n, whole := scanNumber(s)
	return whole && n == len(s)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// maxExponent bounds exponents, so that sums of them cannot overflow. Numbers
// beyond it compare as if they were at the bound.
const maxExponent = 1 << 50

// decimal is an exact number: digits × 10^exp. digits has no zeros at either
// end; that of zero is empty, with exp 0.
type decimal struct {
	negative bool
	digits   string
	exp      int64
}

// parseDecimal reads a JSON number, in time linear in its text.
func parseDecimal(text string) decimal {
	var d decimal
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
		return decimal{}
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

// integral reports whether the number has no fraction.
func (d decimal) integral() bool { return d.exp >= 0 }

// compare returns -1, 0 or +1 as d is less than, equal to or greater than e.
func (d decimal) compare(e decimal) int {
	if d.sign() != e.sign() {
		if d.sign() < e.sign() {
			return -1
		}
		return 1
	}
	// Without zeros at the ends, numbers of equal magnitude order as their
	// digits do.
	size, other := int64(len(d.digits))+d.exp, int64(len(e.digits))+e.exp
	order := strings.Compare(d.digits, e.digits)
	if size < other {
		order = -1
	} else if size > other {
		order = 1
	}
	return order * d.sign()
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// maxDivision bounds the digits of a division, which is not linear.
const maxDivision = 1000

// multipleOf reports whether d is a whole multiple of e. It is generous where
// the numbers are too far apart to be divided exactly in bounded time.
func (d decimal) multipleOf(e decimal) bool {
	if e.sign() == 0 || d.sign() == 0 {
		return true
	}
	shift := d.exp - e.exp
	if max(shift, -shift)+int64(len(d.digits)+len(e.digits)) > maxDivision {
		return true
	}
	a, _ := new(big.Int).SetString(d.digits, 10)
	b, _ := new(big.Int).SetString(e.digits, 10)
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(shift, -shift)), nil)
	if shift >= 0 {
		a.Mul(a, scale)
	} else {
		b.Mul(b, scale)
	}
	return a.Rem(a, b).Sign() == 0
}
