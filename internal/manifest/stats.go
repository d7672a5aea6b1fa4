package manifest

import "slices"

// Stats is the cost of a manifest.
type Stats struct {
	Tools []Cost // of each tool, in order
	Fixed Cost   // of everything else
	Total Cost
}

// Cost is the size of a text.
type Cost struct {
	Name   string // of the tool
	Bytes  int
	Tokens int // an estimate, because models count differently
}

// Stats returns the cost of the manifest, by tool and in total.
func (m *Manifest) Stats() Stats {
	s := m.stats
	s.Tools = slices.Clone(s.Tools)
	return s
}

// add counts a text that belongs to a tool.
func (s *Stats) add(name, text string) {
	i := slices.IndexFunc(s.Tools, func(c Cost) bool { return c.Name == name })
	if i < 0 {
		i = len(s.Tools)
		s.Tools = append(s.Tools, Cost{Name: name})
	}
	s.Tools[i].Bytes += len(text)
	s.Tools[i].Tokens += Tokens(text)
}

// total counts the whole text, after the tools.
func (s *Stats) total(text string) {
	s.Total = Cost{Bytes: len(text), Tokens: Tokens(text)}
	s.Fixed = s.Total
	for _, t := range s.Tools {
		s.Fixed.Bytes -= t.Bytes
		s.Fixed.Tokens -= t.Tokens
	}
	s.Fixed.Tokens = max(s.Fixed.Tokens, 0)
}

// Tokens estimates the number of tokens of a text: one for four bytes of ASCII, and one for
// each other character.
func Tokens(text string) int {
	ascii, other := 0, 0
	for _, r := range text {
		if r < 0x80 {
			ascii++
		} else {
			other++
		}
	}
	return (ascii+3)/4 + other
}
