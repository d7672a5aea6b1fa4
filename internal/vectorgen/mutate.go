package vectorgen

import (
	"strings"

	"github.com/toolparse/toolparse/internal/conform"
	"github.com/toolparse/toolparse/internal/dialect"
)

// Mutated generates a vector whose input is broken, or surrounded by confusing text. If
// a call is only quoted, or text touches it, the expectation is right by construction
// and the tier is core. For broken input the expectation is what our own parser reads,
// the tier is malformed, and the vector's note says so.
func Mutated(src Source, d *dialect.Dialect) (conform.Vector, error) {
	c, input, err := Written(src, d)
	if err != nil {
		return conform.Vector{}, err
	}
	m := &mutation{src: src, dialect: d, c: c, input: input}
	var ways []func() conform.Vector
	for _, way := range []struct {
		fits bool
		make func() conform.Vector
	}{
		{true, m.truncated}, {true, m.damaged}, {true, m.dropped}, {true, m.doubled},
		{m.distinctive(), m.quotedInline}, {m.distinctive(), m.quotedInFence}, {m.distinctive() && !m.spacious(), m.touched},
	} {
		if way.fits {
			ways = append(ways, way.make)
		}
	}
	v := pick(src, ways...)()
	if v.Tier == conform.TierMalformed {
		err = v.ExpectRead(d)
	}
	return v, err
}

// mutation is a message to break.
type mutation struct {
	src     Source
	dialect *dialect.Dialect
	c       Case
	input   string
}

// distinctive reports whether calls of the dialect begin with a marker that counts
// anywhere, so that a quoted call can be recognised too.
func (m *mutation) distinctive() bool {
	opener := m.opener()
	return len(m.c.Message.Calls) > 0 && len(opener) > 2 && m.dialect.Frame.At == "" && !strings.Contains(opener, "`") &&
		!strings.Contains(m.input, "`") && m.dialect.Written.Text.Open == "" && !m.dialect.Frame.Bare
}

// spacious reports whether a written call begins or ends with a blank, which may be
// read as part of the text next to it.
func (m *mutation) spacious() bool {
	for _, s := range []string{m.dialect.Example, m.input} {
		if strings.TrimSpace(s) != s {
			return true
		}
	}
	return m.dialect.Written.Lead != ""
}

// opener returns the text with which a call of the dialect begins.
func (m *mutation) opener() string {
	f := &m.dialect.Frame
	if f.Section.Open != "" {
		return strings.TrimSpace(f.Section.Open)
	}
	return strings.TrimSpace(f.Call.Open)
}

// malformed returns the vector of a broken input, without its expectation.
func (m *mutation) malformed(how, input string) conform.Vector {
	v := m.c.vector(m.dialect, input)
	v.Tier, v.Note = conform.TierMalformed, how+"; the expectation is what toolparse reads"
	return v
}

// truncated cuts the end off, between two characters.
func (m *mutation) truncated() conform.Vector {
	at := m.place(m.input)
	return m.malformed("truncated", m.input[:at])
}

// place returns an offset in s at which a character begins.
func (m *mutation) place(s string) int {
	at := m.src.IntN(len(s) + 1)
	for at > 0 && at < len(s) && s[at]&0xC0 == 0x80 {
		at--
	}
	return at
}

// atMarker returns what change makes of the input, given the offsets of a marker of the
// dialect. Without any marker it cuts the input.
func (m *mutation) atMarker(how string, change func(from, to int) string) conform.Vector {
	var found [][2]int
	for _, marker := range Markers(m.dialect) {
		marker = strings.TrimSpace(marker)
		if marker == m.dialect.Example {
			continue
		}
		for from := 0; ; {
			i := strings.Index(m.input[from:], marker)
			if i < 0 {
				break
			}
			from += i + len(marker)
			found = append(found, [2]int{from - len(marker), from})
		}
	}
	if len(found) == 0 {
		return m.truncated()
	}
	at := pick(m.src, found...)
	return m.malformed(how, change(at[0], at[1]))
}

// damaged drops or changes a character of a marker.
func (m *mutation) damaged() conform.Vector {
	return m.atMarker("a marker is damaged", func(from, to int) string {
		i := from + m.place(m.input[from:to])
		if i == to {
			i = from
		}
		end := i + 1
		for end < len(m.input) && m.input[end]&0xC0 == 0x80 {
			end++
		}
		return m.input[:i] + pick(m.src, "", "x", " ", "<") + m.input[end:]
	})
}

// dropped drops a marker.
func (m *mutation) dropped() conform.Vector {
	return m.atMarker("a marker is missing", func(from, to int) string { return m.input[:from] + m.input[to:] })
}

// doubled repeats a marker.
func (m *mutation) doubled() conform.Vector {
	return m.atMarker("a marker is doubled", func(from, to int) string { return m.input[:to] + m.input[from:] })
}

// quotedInline puts a line that quotes the opener of a call in front.
func (m *mutation) quotedInline() conform.Vector {
	return m.preceded("I write `" + m.opener() + "` to call.\n")
}

// quotedInFence puts a whole call, quoted in a code fence, in front.
func (m *mutation) quotedInFence() conform.Vector {
	return m.preceded("For example:\n```\n" + m.dialect.Example + "\n```\n")
}

// preceded puts text in front of the message.
func (m *mutation) preceded(text string) conform.Vector {
	v := m.c.vector(m.dialect, text+m.input)
	expected := text + *v.Expect.Text
	v.Expect.Text = &expected
	return v
}

// touched puts letters of other scripts around the message, without a blank.
func (m *mutation) touched() conform.Vector {
	before, after := pick(m.src, "東京", "é", "😀", "Ж"), pick(m.src, "終", "ß", "🙂", "\u00a0x")
	if m.c.Message.Reasoning != "" {
		before = "" // reasoning begins its line
	}
	v := m.c.vector(m.dialect, before+m.input+after)
	expected := before + *v.Expect.Text + after
	v.Expect.Text = &expected
	return v
}
