package parser

import (
	"slices"
	"strings"

	"github.com/toolparse/toolparse/internal/bytescan"
	"github.com/toolparse/toolparse/internal/lex"
)

// jumper finds the next byte of plain text that can begin a marker. For a long input it
// remembers the next position of each byte that the grammar searches for. Each byte value
// is therefore searched only once per input, by IndexByte, however many positions are
// rejected. Where a finder searches for all of them at once by blocks, it is not needed. Two
// invariants hold for at[k], the remembered position of jump k: it is -1, or
// no marker that jump k finds begins between the last search position and at[k].
type jumper struct {
	grammar *grammar // the grammar that at belongs to; nil if at is invalid
	at      [8]int
}

const (
	farByte = 32  // the distance in bytes from which on IndexByte pays off
	dense   = 64  // bytes to test one by one where first bytes are dense
	nearby  = 256 // the length in bytes of a text up to which jumps do not pay off
	// jumpBytes is how many bytes can be tested in the time of one search.
	jumpBytes = 12
	// window is how many bytes are searched at once. Where two grammars take turns, as in text
	// and code, each turn searches again: not all of a long input, which takes quadratic time.
	window = 4 << 10
	// ahead is how many bytes are searched after the nearest position that is known. A call
	// may begin there, whose bytes are then searched for nothing.
	ahead = 128
)

// jump is a byte to search for, which occurs back bytes after the first byte of a marker.
type jump struct {
	c    byte
	back int
}

// common lists the letters by decreasing frequency in prose.
const common = "etaoinshrdlcumwfgypbvkjxqz"

// jumpTo adds a jump that finds marker. A marker that begins with a letter, which is
// frequent in prose, is found by its rarest byte.
func (g *grammar) jumpTo(marker string, fold bool) {
	to := jump{c: marker[0]}
	if lex.IsLetter(to.c) && !fold {
		to = rarest(marker)
	}
	if slices.Contains(g.jumps, to) {
		return
	}
	g.jumps = append(g.jumps, to)
	g.back = max(g.back, to.back)
	g.finder = nil
	if g.back == 0 && len(g.jumps) <= bytescan.MaxFind {
		var bytes []byte
		for _, j := range g.jumps {
			bytes = append(bytes, j.c)
		}
		g.finder = bytescan.NewFinder(bytes...)
	}
}

// rarest returns the jump to the byte of a marker that is rarest in prose.
func rarest(marker string) (to jump) {
	best := -1
	for i := range len(marker) {
		if rare := rarity(marker[i]); rare > best {
			best, to = rare, jump{marker[i], i}
		}
	}
	return to
}

// rarity returns a number that is higher for bytes that are rarer in prose.
func rarity(c byte) int {
	switch {
	case lex.IsBlank(c):
		return 0
	case lex.IsLetter(c):
		return 1 + strings.IndexByte(common, lex.Lower(c))
	}
	return 1 + len(common)
}

// find returns the first offset at or after i at which a marker of g may begin, or len(s).
// If the following byte is in s, it must match as well, so that a flood of first bytes is
// cheap.
func (j *jumper) find(g *grammar, s string, i int) int {
	if len(s) <= nearby || bytescan.HasBlocks && g.finder != nil {
		return g.near(s, i)
	}
	end := len(s) - g.back // before end, the jumps find everything
	for i < len(s) {
		if end-i >= max(farByte, jumpBytes*len(g.jumps)) && len(g.jumps) <= len(j.at) {
			n := j.jump(g, s, i)
			if n == len(s) || n < end && g.begins(s, n) {
				return n
			}
			far := n-i >= farByte
			if i = min(n+1, end); far {
				continue
			}
		}
		stop := min(len(s), i+dense)
		if i = g.each(s, i, stop); i < stop {
			return i
		}
	}
	return i
}

// near is find without a jumper, for a short text or a grammar with a finder.
func (g *grammar) near(s string, i int) int {
	if g.finder == nil || !g.finder.IsFast(len(s)) {
		return g.each(s, i, len(s))
	}
	for i < len(s) {
		n := g.finder.Find(s, i)
		if n == len(s) || g.begins(s, n) {
			return n
		}
		far := n-i >= farByte
		if i = n + 1; far {
			continue
		}
		stop := min(len(s), i+dense)
		if i = g.each(s, i, stop); i < stop {
			return i
		}
	}
	return i
}

// each is find up to stop, byte by byte.
func (g *grammar) each(s string, i, stop int) int {
	for ; i <= stop-8; i += 8 {
		t := s[i : i+8]
		if g.first[t[0]]|g.first[t[1]]|g.first[t[2]]|g.first[t[3]]|g.first[t[4]]|g.first[t[5]]|g.first[t[6]]|g.first[t[7]] == 0 {
			continue
		}
		for k := range len(t) {
			if g.begins(s, i+k) {
				return i + k
			}
		}
	}
	for ; i < stop && !g.begins(s, i); i++ {
	}
	return i
}

// jump returns the nearest position at or after i that a jump finds, but at most the last
// position that jumps can find.
func (j *jumper) jump(g *grammar, s string, i int) int {
	at := j.at[:len(g.jumps)]
	if j.grammar != g {
		j.grammar = g
		for k := range at {
			at[k] = -1
		}
	}
	nearest := len(s) - g.back
	for k, n := range at {
		if n < i {
			n = g.search(g.jumps[k], s, i, min(window, nearest+ahead-i))
			at[k] = n
		}
		nearest = min(nearest, n)
	}
	return nearest
}

// search returns the next position that one jump finds, or one of at least most bytes from i,
// before which it finds none. Where positions are dense, the following byte may not match.
func (g *grammar) search(to jump, s string, i, most int) int {
	for {
		rest := s[i+to.back:]
		if len(rest) > most {
			rest = rest[:most]
		}
		n := strings.IndexByte(rest, to.c)
		if n < 0 {
			if to.back+i+len(rest) < len(s) {
				return i + most
			}
			return len(s)
		}
		if i += n; n < farByte || i+g.back >= len(s) || g.begins(s, i) {
			return i
		}
		i++
	}
}

// begins reports whether a marker may begin at s[i], or a byte stands there that matters by
// itself.
func (g *grammar) begins(s string, i int) bool {
	group := g.first[s[i]]
	return group != 0 && (i+1 == len(s) || g.second[s[i+1]]&group != 0)
}

// beginsMarker reports whether a marker may begin at s[i].
func (g *grammar) beginsMarker(s string, i int) bool {
	group := g.first[s[i]] &^ anyGroup
	return group != 0 && (i+1 == len(s) || g.second[s[i+1]]&group != 0)
}
