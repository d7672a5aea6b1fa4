package lex

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/bytescan"
)

// Pattern is a compiled marker of a dialect. It lacks the blanks around the marker, and it
// contains a class byte wherever the input may vary: OptBlanks or SomeBlanks for each run
// of blanks inside the marker, and AnyName for {name}.
type Pattern string

// The classes. Each is one byte of a [Pattern] that matches several bytes of input.
const (
	OptBlanks  = "\x00" // zero or more blanks
	SomeBlanks = "\x01" // one or more blanks
	AnyName    = "\x02" // up to MaxName bytes of a name, or none
	NameByte   = "\x03" // one byte of a name
	classes    = OptBlanks + SomeBlanks + AnyName + NameByte
)

// NamePlace is the placeholder for a name in a marker. It stands for the tool's name once
// that is known, and for any name before.
const NamePlace = "{name}"

// NewPattern compiles a marker. Blanks between two words are required (SomeBlanks); all
// other blanks are optional (OptBlanks), because models add and drop them.
func NewPattern(marker string) Pattern {
	marker = strings.ReplaceAll(marker, NamePlace, AnyName)
	fields := strings.FieldsFunc(marker, func(r rune) bool { return r < 0x80 && IsBlank(byte(r)) })
	var b strings.Builder
	for i, f := range fields {
		if i > 0 {
			last := fields[i-1][len(fields[i-1])-1]
			if IsName(last) && IsName(f[0]) {
				b.WriteString(SomeBlanks)
			} else {
				b.WriteString(OptBlanks)
			}
		}
		b.WriteString(f)
	}
	return Pattern(b.String())
}

// NewPatterns compiles markers and skips empty ones.
func NewPatterns(markers ...string) []Pattern {
	var list []Pattern
	for _, m := range markers {
		if p := NewPattern(m); p != "" {
			list = append(list, p)
		}
	}
	return list
}

// Then returns the pattern for p followed by q, with optional blanks between them.
func (p Pattern) Then(q Pattern) Pattern {
	if p == "" || q == "" {
		return p + q
	}
	return p + OptBlanks + q
}

// Literal returns the constant prefix that every match of p begins with.
func (p Pattern) Literal() string {
	if n := strings.IndexAny(string(p), classes); n >= 0 {
		return string(p[:n])
	}
	return string(p)
}

// Fixed returns how many bytes every match of p has before any name, without optional blanks.
func (p Pattern) Fixed() int {
	n := 0
	for i := 0; i < len(p) && p[i:i+1] != AnyName && p[i:i+1] != NameByte; i++ {
		if p[i:i+1] != OptBlanks {
			n++
		}
	}
	return n
}

// shortest returns the shortest text that p matches, or "" if p contains a name.
func (p Pattern) shortest() string {
	if p.hasName() {
		return ""
	}
	return p.spelled("")
}

// Texts returns the shortest texts that p matches: one with a blank for each run of blanks,
// and, if different, one without the optional blanks. It returns nil if p contains a name.
func (p Pattern) Texts() []string {
	if p.hasName() {
		return nil
	}
	return slices.Compact([]string{p.spelled(" "), p.spelled("")})
}

func (p Pattern) hasName() bool {
	return strings.Contains(string(p), AnyName) || strings.Contains(string(p), NameByte)
}

// spelled returns p, which contains no name, with a text for each run of optional blanks. It
// needs no Replacer, because a program compiles thousands of patterns when it starts.
func (p Pattern) spelled(optional string) string {
	return strings.ReplaceAll(strings.ReplaceAll(string(p), OptBlanks, optional), SomeBlanks, " ")
}

// Set is a list of patterns to look for at the same time.
type Set struct {
	Patterns []Pattern // at most MaxPatterns
	runs     [][]int16 // for each place in a pattern, the offset of the next class
	whole    int       // an empty pattern, or MatchMore
	plain    []plain   // the shortest text of each pattern
}

// plain is a text that is compared with the input eight bytes at a time: its head and, if it has
// 9 to 24 bytes, two more words that cover the rest.
type plain struct {
	text string // "" if another pattern may end earlier in it, or if it contains a name
	head uint64 // its first bytes, up to eight
	mask uint64 // the bits of the input that head is compared with
	mid  uint64 // the word at the offset at
	end  uint64 // the last word
	at   int
}

func newPlain(text string) plain {
	if text == "" {
		return plain{head: 1} // which is never found
	}
	var first [8]byte
	mask := ^uint64(0) >> (8 * (8 - copy(first[:], text)))
	p := plain{text: text, head: bytescan.Load(first[:], 0), mask: mask}
	if n := len(text); n > 8 && n <= 24 {
		p.at = min(8, n-8)
		p.mid, p.end = bytescan.Load(text, p.at), bytescan.Load(text, n-8)
	}
	return p
}

// NewSet compiles patterns, and keeps the slice.
func NewSet(patterns ...Pattern) *Set {
	s := &Set{Patterns: patterns, whole: slices.Index(patterns, "")}
	bytes := 0
	for _, p := range patterns {
		bytes += len(p)
	}
	s.runs = make([][]int16, len(patterns))
	all := make([]int16, bytes) // for all of them
	for k, p := range patterns {
		s.runs[k], all = all[:len(p)], all[len(p):]
		p.setRuns(s.runs[k])
	}
	plains := make([]plain, len(patterns)) // not in s yet: Match must not use them
	for k, p := range patterns {
		var m Matcher
		m.Reset(s)
		text := p.shortest()
		if which, next := m.Match(text, 0); which != k || next != len(text) {
			text = ""
		}
		plains[k] = newPlain(text)
	}
	s.plain = plains
	return s
}

// setRuns sets, for each place in p, the offset of the first class at or after it, or len(p).
func (p Pattern) setRuns(runs []int16) {
	for at, end := len(p)-1, len(p); at >= 0; at-- {
		if isClass(p[at]) {
			end = at
		}
		runs[at] = int16(end)
	}
}

// Begins returns the pattern that begins at in[i] with its shortest text, and the offset after
// it; or MatchMore. It finds no pattern with a name in it, or of which another one may be complete
// earlier.
func (s *Set) Begins(in string, i int) (which, next int) {
	rest := in[i:]
	if len(rest) < 8 {
		for k := range s.plain {
			if text := s.plain[k].text; text != "" && strings.HasPrefix(rest, text) {
				return k, i + len(text)
			}
		}
		return MatchMore, i
	}
	word := bytescan.Load(rest, 0)
	for k := range s.plain {
		p := &s.plain[k]
		if word&p.mask != p.head {
			continue
		}
		n := len(p.text)
		if n <= 8 || n <= 24 && n <= len(rest) && bytescan.Load(rest, n-8) == p.end && bytescan.Load(rest, p.at) == p.mid ||
			n > 24 && strings.HasPrefix(rest[8:], p.text[8:]) {
			return k, i + n
		}
	}
	return MatchMore, i
}

// Matcher matches the patterns of a [Set] against the input.
type Matcher struct {
	set     *Set
	at      [MaxPatterns]int16 // the offset in each pattern that has been reached, or dead
	run     [MaxPatterns]int16 // bytes of the name that the pattern is in; of blanks, whether there were any
	live    uint32             // a bit for each pattern that is not dead
	whole   int                // the pattern that is complete without another byte, or MatchMore
	started bool               // a byte has been consumed
}

// MaxPatterns is the maximum number of patterns in a [Set].
const (
	MaxPatterns = 16
	dead        = -1
)

// Reset starts a match.
func (m *Matcher) Reset(set *Set) {
	*m = Matcher{} // in place: a literal with fields would be built elsewhere and copied
	m.set, m.live, m.whole = set, 1<<len(set.Patterns)-1, set.whole
}

// ResetAt is Reset for patterns that have their first n bytes in common, which have already
// matched.
func (m *Matcher) ResetAt(set *Set, n int) {
	m.Reset(set)
	m.started = true
	for k, p := range set.Patterns {
		if m.at[k] = int16(n); n == len(p) && m.whole < 0 {
			m.whole = k
		}
	}
}

// Patterns returns the number of patterns that m looks for.
func (m *Matcher) Patterns() int { return len(m.set.Patterns) }

// IsAtStart reports whether no byte has been matched yet. Until then the caller may skip
// blanks in front of the patterns.
func (m *Matcher) IsAtStart() bool { return !m.started }

// Matched returns how many bytes of pattern k have matched, or -1 if it can no longer
// match.
func (m *Matcher) Matched(k int) int { return int(m.at[k]) }

// [Matcher.Match] returns these instead of the index of a pattern.
const (
	MatchMore = -1 // the input has ended, and some pattern may still match
	MatchNone = -2 // no pattern matches
)

// Match consumes in from offset i. It returns the index of the first pattern that is
// complete and the offset after it; MatchMore at the end of the input; or MatchNone with
// the offset of the byte at which the last pattern failed.
func (m *Matcher) Match(in string, i int) (which, next int) {
	if m.whole >= 0 || i == len(in) {
		return m.whole, i
	}
	if !m.started {
		m.started = true
		if k, next := m.set.Begins(in, i); k >= 0 {
			m.whole = k
			return k, next
		}
	}
	// Each pattern goes as far as it can by itself, but not to the end of one that is complete:
	// the first to be complete counts.
	which, next = MatchNone, i
	for set := m.live; set != 0; set &= set - 1 {
		k := bits.TrailingZeros32(set)
		p, at := m.set.Patterns[k], int(m.at[k])
		if p[at] != in[i] && !isClass(p[at]) { // most die at once
			m.at[k], m.live = dead, m.live&^(1<<k)
			continue
		}
		at, j := m.follow(k, p, at, in, i)
		m.at[k] = int16(at)
		switch {
		case at == dead:
			m.live &^= 1 << k
			if which == MatchNone {
				next = max(next, j)
			}
		case at < len(p):
			if which < 0 {
				which, next = MatchMore, j
			}
		default:
			m.whole, which, next = k, k, j
			if in = in[:j-1]; i == len(in) {
				return which, next
			}
		}
	}
	return which, next
}

// follow matches pattern k, from its offset at on, against in[i:]. It returns the offset in
// the pattern that has been reached, or dead, and the offset after the last byte that was
// consumed, or that of the byte at which the pattern died.
func (m *Matcher) follow(k int, p Pattern, at int, in string, i int) (reached, next int) {
	for i < len(in) && at < len(p) {
		if isClass(p[at]) {
			if at = m.after(k, p, at, in[i]); at == dead {
				return dead, i
			}
			i++
			continue
		}
		n := min(int(m.set.runs[k][at])-at, len(in)-i)
		if in[i:i+n] != string(p[at:at+n]) {
			for p[at] == in[i] {
				at++
				i++
			}
			return dead, i
		}
		at, i = at+n, i+n
	}
	return at, i
}

// isClass reports whether the pattern byte c stands for other bytes.
func isClass(c byte) bool { return c <= NameByte[0] }

// after returns the offset in pattern k after it has consumed c at a class, or dead.
func (m *Matcher) after(k int, p Pattern, at int, c byte) int {
	for ; ; at++ {
		switch p[at] {
		case OptBlanks[0], SomeBlanks[0]:
			if IsBlank(c) {
				m.run[k] = 1
				return at
			}
			if p[at] == SomeBlanks[0] && m.run[k] == 0 {
				return dead
			}
			m.run[k] = 0
		case AnyName[0]:
			if m.run[k]++; IsName(c) && m.run[k] <= MaxName {
				return at
			}
			m.run[k] = 0
		case NameByte[0]:
			if !IsName(c) {
				return dead
			}
			return at + 1
		case c:
			return at + 1
		default:
			return dead
		}
	}
}
