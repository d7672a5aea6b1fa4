package manifest

import (
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// texts yields strings within the bounds of a shape, and such as are hinted at.
func (s *shape) texts(name string, turn int, hints func() hints) iter.Seq[string] {
	return func(yield func(string) bool) {
		t := textMaker{least: countOf(s.bounds["minLength"], 0), most: countOf(s.bounds["maxLength"], maxSample), yield: yield}
		if t.least > maxSample {
			return
		}
		list := formats[s.format]
		for i := range list {
			t.add(list[(i+turn)%len(list)])
		}
		t.matching(s.patterns, turn)
		for i := range 3 {
			t.add(t.sized(sampleWord(name, turn+i)))
		}
		if t.done {
			return
		}
		seen := hints()
		t.matching(seen.patterns, turn)
		for _, n := range seen.lengths {
			if t.least <= n && n <= min(t.most, maxSample) {
				t.add(strings.Repeat("x", n))
			}
		}
		for _, plain := range []string{"a", "b", "A", "1", "a1", "abc123", "12345", "text", ""} {
			t.add(t.sized(plain))
		}
		// A list may need more of them than there are words.
		for i := range maxTurns {
			t.add(t.sized(strconv.Itoa(turn+i+1) + " " + plainWords(name)))
		}
	}
}

// textMaker yields strings of a length.
type textMaker struct {
	least, most int // in runes
	yield       func(string) bool
	done        bool // no more are wanted
}

func (t *textMaker) add(text string) {
	if !t.done {
		t.done = !t.yield(text)
	}
}

func (t *textMaker) matching(patterns []string, turn int) {
	for _, pattern := range patterns {
		for more := range 3 {
			if t.done {
				return
			}
			if text, ok := matching(pattern, turn+more, t.least); ok {
				t.add(text)
			}
		}
	}
}

// sized is a text that is cut or filled to fit.
func (t *textMaker) sized(text string) string {
	n := utf8.RuneCountInString(text)
	if n > t.most {
		text = strings.ReplaceAll(text, " ", "")
		runes := []rune(text)
		return string(runes[:min(t.most, len(runes))])
	}
	if n < t.least {
		text += strings.Repeat("x", t.least-n)
	}
	return text
}

// formats are samples of the formats of strings.
var formats = map[string][]string{
	"date":      {"2026-05-17", "2026-06-01"},
	"date-time": {"2026-05-17T09:30:00Z", "2026-06-01T18:00:00Z"},
	"time":      {"09:30:00Z", "18:00:00Z"},
	"email":     {"ann@example.com", "bob@example.com"},
	"uri":       {"https://example.com/a", "https://example.com/b"},
	"url":       {"https://example.com/a", "https://example.com/b"},
	"hostname":  {"example.com", "example.org"},
	"ipv4":      {"192.0.2.1", "192.0.2.2"},
	"uuid":      {"123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174001"},
}

// plainWords is a parameter's name as words, without what markup is made of.
func plainWords(name string) string {
	text := strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return strings.ContainsRune("_-. \t\r\n<>[]{}\"'`\\|&:/=", r)
	}), " ")
	if text == "" {
		return "text"
	}
	return text
}
