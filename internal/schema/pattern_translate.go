package schema

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/toolparse/toolparse/internal/lex"
)

// The reasons why a pattern cannot be checked.
var (
	errLook      = errors.New("its lookaround cannot be checked")
	errReference = errors.New("it has a back-reference")
	errRepeats   = errors.New("it has too many repetitions")
)

// check is a condition that has not been compiled yet.
type check struct {
	source string
	want   bool
}

// translator rewrites a pattern of ECMAScript for RE2, token by token. It leaves faults to
// RE2's parser, and also reads what only RE2 and Python have, such as flags.
type translator struct {
	source string
	at     int    // of the next token
	out    []byte // the translation
	atom   int    // where the last atom of out begins
	groups []opener
	flags  string // at the start of the pattern
	dotAll bool   // the flag s may be set
	lines  bool   // the flag m may be set
	copies int    // of atoms, for counts beyond RE2's limit
	ahead  []check
	err    error // why the pattern cannot be checked
}

// opener is an open group.
type opener struct {
	at   int  // in out
	look byte // '=' or '!' for a look-ahead at the start of the text
}

func translate(source string) *translator {
	t := &translator{source: source}
	for t.at < len(source) {
		t.token()
	}
	if t.lines && t.ahead != nil { // ^ is not only the start of the text
		t.fail(errLook)
	}
	return t
}

// checks returns the conditions on a text: those of the look-ahead, and the rest of the
// pattern.
func (t *translator) checks() []check { return append(t.ahead, check{string(t.out), true}) }

func (t *translator) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

func (t *translator) rest() string { return t.source[t.at:] }

// replace writes text for the next size bytes of the pattern, and keep copies them.
func (t *translator) replace(size int, text string) {
	t.at += size
	t.out = append(t.out, text...)
}

func (t *translator) keep(size int) { t.replace(size, t.source[t.at:t.at+size]) }

func (t *translator) token() {
	before := len(t.out)
	switch c := t.source[t.at]; c {
	case '(':
		t.open()
		return
	case ')':
		t.close()
		return
	case '{':
		if count := countToken.FindStringSubmatch(t.rest()); count != nil {
			t.repeat(count)
			return
		}
		t.keep(1)
	case '*', '+', '?':
		t.keep(1)
		return
	case '|':
		if len(t.groups) == 0 && t.ahead != nil { // the look-ahead is a condition for one alternative
			t.fail(errLook)
		}
		t.keep(1)
	case '[':
		t.class()
	case '\\':
		t.escape(false)
	case '.':
		if t.dotAll {
			t.keep(1)
		} else {
			t.replace(1, `[^\n\r\x{2028}\x{2029}]`)
		}
	default:
		_, size := utf8.DecodeRuneInString(t.rest())
		t.keep(size)
	}
	t.atom = before
}

var (
	flagToken  = regexp.MustCompile(`^\(\?[imsU-]+[:)]`)
	countToken = regexp.MustCompile(`^\{([0-9]+)(,?)([0-9]*)\}`)
)

// open begins a group. Look-around becomes a group, too, so that faults in it are found.
func (t *translator) open() {
	group := opener{at: len(t.out)}
	rest := t.rest()
	switch flags := flagToken.FindString(rest); {
	case flags != "":
		t.dotAll = t.dotAll || strings.Contains(flags, "s")
		t.lines = t.lines || strings.Contains(flags, "m")
		if t.keep(len(flags)); strings.HasSuffix(flags, ")") { // not a group
			if len(t.out) == len(flags) {
				t.flags = flags
			}
			return
		}
	case strings.HasPrefix(rest, "(?=") || strings.HasPrefix(rest, "(?!"):
		if len(t.groups) == 0 && string(t.out) == t.flags+"^" {
			group.look = rest[2]
		} else {
			t.fail(errLook)
		}
		t.replace(3, "(?:")
	case strings.HasPrefix(rest, "(?<=") || strings.HasPrefix(rest, "(?<!"):
		t.fail(errLook)
		t.replace(4, "(?:")
	case strings.HasPrefix(rest, "(?P="):
		t.fail(errReference)
		t.replace(4, "(?:")
	default:
		t.keep(1)
	}
	t.groups = append(t.groups, group)
}

// close ends a group, and takes look-ahead at the start out of the translation.
func (t *translator) close() {
	t.keep(1)
	if len(t.groups) == 0 {
		return
	}
	last := len(t.groups) - 1
	group := t.groups[last]
	t.groups, t.atom = t.groups[:last], group.at
	if group.look == 0 {
		return
	}
	if rest := t.rest(); rest != "" && strings.IndexByte("*+?{", rest[0]) >= 0 {
		t.fail(errLook)
	}
	t.ahead = append(t.ahead, check{t.flags + "^" + string(t.out[group.at:]), group.look == '='})
	t.out = t.out[:group.at]
}

// maxCount is RE2's limit on a repetition count. For larger counts the translator copies the
// atom, up to maxCopies times in a pattern. An atom has maxAtom bytes at most, for it may
// contain copies itself.
const (
	maxCount  = 1000
	maxCopies = 64
	maxAtom   = 4096
)

// repeat writes a count such as {2,5} in parts no larger than RE2's limit.
func (t *translator) repeat(count []string) {
	low, err := strconv.Atoi(count[1])
	high, open := low, false
	if count[2] != "" {
		if open = count[3] == ""; !open && err == nil {
			high, err = strconv.Atoi(count[3])
		}
	}
	if low <= maxCount && high <= maxCount && err == nil {
		t.keep(len(count[0]))
		return
	}
	t.copies += low/maxCount + high/maxCount
	atom := string(t.out[t.atom:])
	if err != nil || t.copies > 2*maxCopies || high > maxCopies*maxCount || len(atom) > maxAtom {
		t.fail(errRepeats)
		t.replace(len(count[0]), "*")
		return
	}
	parts := "(?:"
	for ; low > maxCount; low, high = low-maxCount, high-maxCount {
		parts += atom + "{1000}"
	}
	if open {
		parts += fmt.Sprintf("%s{%d,}", atom, low)
	} else {
		for ; high > 0; low, high = 0, high-maxCount {
			parts += fmt.Sprintf("%s{%d,%d}", atom, low, min(high, maxCount))
		}
	}
	t.out = t.out[:t.atom]
	t.replace(len(count[0]), parts+")")
}

// Classes that are wider in ECMAScript than in RE2, as written inside brackets.
const (
	spaces   = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	noSpaces = `\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
		`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
)

// class translates a class in brackets. In RE2 a bracket in it needs an escape, and so does a
// hyphen next to a set of characters.
func (t *translator) class() {
	switch rest := t.rest(); {
	case strings.HasPrefix(rest, "[^]"):
		t.replace(3, `[\x{0}-\x{10ffff}]`)
		return
	case strings.HasPrefix(rest, "[]"):
		t.replace(2, `[^\x{0}-\x{10ffff}]`)
		return
	case strings.HasPrefix(rest, "[^"):
		t.keep(2)
	default:
		t.keep(1)
	}
	for set := false; t.at < len(t.source); {
		rest, was := t.rest(), set
		set = isSet(rest)
		switch {
		case rest[0] == ']':
			t.keep(1)
			return
		case rest[0] == '\\':
			t.escape(true)
		case rest[0] == '-' && (was || isSet(rest[1:])):
			t.replace(1, `\-`)
		case strings.HasPrefix(rest, "[:") && strings.Contains(rest, ":]"): // a class of RE2 and Perl
			t.keep(strings.Index(rest, ":]") + 2)
		case rest[0] == '[':
			t.replace(1, `\[`)
		default:
			t.keep(1)
		}
	}
}

// isSet reports whether a text begins with an escape for a set of characters.
func isSet(text string) bool {
	return len(text) > 1 && text[0] == '\\' && strings.IndexByte("dDsSwWpP", text[1]) >= 0
}

// escape translates an escape. Those that ECMAScript does not define stand for the character.
func (t *translator) escape(inClass bool) {
	rest := t.rest()
	if len(rest) == 1 {
		t.keep(1)
		return
	}
	c := rest[1]
	size, text := 2, rest[:2]
	switch {
	case c == 's' && inClass:
		text = spaces
	case c == 's':
		text = "[" + spaces + "]"
	case c == 'S' && inClass:
		text = noSpaces
	case c == 'S':
		text = "[" + noSpaces + "]"
	case c == 'b' && inClass:
		text = `\x{8}`
	case c == 'Z' && !inClass: // Python's name for it
		text = `\z`
	case '1' <= c && c <= '9' || c == 'k':
		t.fail(errReference)
		text = "x"
	case c == 'c' && len(rest) > 2:
		size, text = 3, fmt.Sprintf(`\x{%x}`, rest[2]&0x1f)
	case c == 'u':
		r, n := codePoint(rest)
		if n == 0 {
			r, n = 'u', 2
		}
		size, text = n, fmt.Sprintf(`\x{%x}`, r)
	case c == 'p' || c == 'P':
		size, text = property(rest)
	case c >= utf8.RuneSelf || lex.IsLetter(c) && strings.IndexByte("dDwWtnrfvxbBAz", c) < 0:
		size, text = 1, ""
	}
	t.replace(size, text)
}

// property translates \p{Script=Greek}, which RE2 spells \p{Greek}.
func property(rest string) (size int, text string) {
	end := strings.IndexByte(rest, '}') + 1
	if name := strings.IndexByte(rest[:end], '=') + 1; name > 0 {
		return end, rest[:2] + "{" + rest[name:end]
	}
	return 2, rest[:2]
}

// codePoint parses \uHHHH, \u{H...} or a surrogate pair of two \uHHHH. n is its length in
// bytes, or 0 if it is none of these.
func codePoint(s string) (r rune, n int) {
	hex := func(s string) rune {
		v, err := strconv.ParseUint(s, 16, 32)
		if err != nil || v > utf8.MaxRune {
			return -1
		}
		return rune(v)
	}
	if strings.HasPrefix(s, `\u{`) {
		if end := strings.IndexByte(s, '}'); end > 3 && hex(s[3:end]) >= 0 {
			return hex(s[3:end]), end + 1
		}
		return 0, 0
	}
	if len(s) < 6 || hex(s[2:6]) < 0 {
		return 0, 0
	}
	if r = hex(s[2:6]); utf16.IsSurrogate(r) && len(s) >= 12 && s[6:8] == `\u` {
		if whole := utf16.DecodeRune(r, hex(s[8:12])); whole != utf8.RuneError {
			return whole, 12
		}
	}
	return r, 6
}
