package rules

import (
	"slices"
	"unicode/utf8"
)

// Charset is a set of characters: ascending ranges that do not touch each other.
type Charset [][2]rune

// AnyChar is the set of all characters that text may contain.
var AnyChar = Charset{{'\t', '\n'}, {'\r', '\r'}, {' ', 0x7e}, {0x80, 0xd7ff}, {0xe000, utf8.MaxRune}}

// Chars returns the set of the characters of s.
func Chars(s string) Charset {
	var c Charset
	for _, r := range s {
		c = append(c, [2]rune{r, r})
	}
	return c.normal()
}

func (c Charset) normal() Charset {
	c = slices.Clone(c)
	slices.SortFunc(c, func(a, b [2]rune) int { return int(a[0] - b[0]) })
	var out Charset
	for _, r := range c {
		if n := len(out); n > 0 && r[0] <= out[n-1][1]+1 {
			out[n-1][1] = max(out[n-1][1], r[1])
			continue
		}
		out = append(out, r)
	}
	return out
}

func (c Charset) Has(r rune) bool {
	return slices.ContainsFunc(c, func(x [2]rune) bool { return x[0] <= r && r <= x[1] })
}

// Complement returns all code points that are not in c.
func (c Charset) Complement() Charset {
	var out Charset
	from := rune(0)
	for _, x := range c {
		if from < x[0] {
			out = append(out, [2]rune{from, x[0] - 1})
		}
		from = x[1] + 1
	}
	if from <= utf8.MaxRune {
		out = append(out, [2]rune{from, utf8.MaxRune})
	}
	return out
}

func (c Charset) With(d Charset) Charset    { return append(slices.Clone(c), d...).normal() }
func (c Charset) Without(d Charset) Charset { return c.Complement().With(d).Complement() }
func (c Charset) And(d Charset) Charset     { return c.Without(d.Complement()) }
