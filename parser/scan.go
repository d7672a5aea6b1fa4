package parser

import "strings"

// jumper finds the next byte of interest in plain text. For a long input it
// remembers where each byte of the grammar stands next, so that the whole
// input is searched once for each of them, by IndexByte.
type jumper struct {
	grammar *grammar // whose bytes it remembers; nil: it remembers nothing
	at      [8]int
}

const (
	farByte = 32 // bytes that a search by IndexByte must be good for
	dense   = 64 // bytes that are looked at one by one where first bytes are dense
)

// find returns the offset, from i on, of the first byte that can begin a
// marker of g: len(s) where there is none. Where the next byte is in s too it
// must fit as well, so that a flood of first bytes costs little.
func (j *jumper) find(g *grammar, s string, i int) int {
	for i < len(s) {
		if len(s)-i >= farByte && len(g.jumps) <= len(j.at) {
			n := j.jump(g, s, i)
			if n == len(s) || g.begins(s, n) {
				return n
			}
			far := n-i >= farByte
			if i = n + 1; far {
				continue
			}
		}
		for stop := min(len(s), i+dense); i < stop; i++ {
			if g.begins(s, i) {
				return i
			}
		}
	}
	return i
}

// jump is the offset of the next first byte, from i on.
func (j *jumper) jump(g *grammar, s string, i int) int {
	nearest := len(s)
	valid := j.grammar == g
	for k, c := range g.jumps {
		if !valid || j.at[k] < i {
			if n := strings.IndexByte(s[i:], c); n >= 0 {
				j.at[k] = i + n
			} else {
				j.at[k] = len(s)
			}
		}
		nearest = min(nearest, j.at[k])
	}
	j.grammar = g
	return nearest
}

// begins reports whether a marker may begin at s[i].
func (g *grammar) begins(s string, i int) bool {
	group := g.first[s[i]]
	return group != 0 && (i+1 == len(s) || g.second[s[i+1]]&group != 0)
}
